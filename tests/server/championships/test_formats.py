"""A format before it is played: checked over HTTP and at the command line, with the day that it makes."""

from __future__ import annotations

from pathlib import Path

from tests.championship.command_line import run
from tests.server.championships.at_hall import ROOT, serving

FORM = """id = "own"
version = "1"
name = "Own format"
book = "wrc11"
conditions = {}
ranking = ["points", "score", "wins"]
placement = { points = [4, 3, 1, 0], each = "sitting" }

[[stages]]
id = "stage1"
name = "Round"
sittings = 2
games = 2
seating = "raffle"

[[stages]]
id = "stage2"
name = "Final"
sittings = 1
games = 1
seating = "raffle"
takes = 4
carry = "all"
"""
HOUSE = (
    FORM.replace('"wrc11"', '"friday"')
    + """
[house]
id = "friday"
version = "1"
base = "wrc11"
name = "Friday rules"
"""
)


def test_a_form_is_previewed_and_the_championship_opened_with_it(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        asked = {"format_toml": FORM, "players": 7, "minutes": 20, "pause": 10}
        seen = client.post(f"{ROOT}/format", json=asked)
        assert seen.status_code == 200, seen.text
        found = seen.json()
        assert [
            (one["starts"], one["ends"], one["tables"], one["short_tables"]) for one in found["schedule"]
        ] == [
            (0, 40, 2, 1),
            (50, 90, 2, 1),
            (100, 120, 1, 0),
        ]
        assert found["minutes"] == 120
        for change in ({"players": 2}, {"format_toml": "id = 1"}, {"format_toml": "=", "players": 9}):
            assert client.post(f"{ROOT}/format", json=asked | change).status_code == 400
        made = {"name": "Own", "by": "Olga", "date": "2026-11-17", "format_toml": FORM}
        assert client.post(ROOT, json=made).status_code == 201
    file = tmp_path / "own.toml"
    file.write_text(FORM, encoding="utf-8")
    status, told = run("format", str(file), "--players", "7", "--minutes", "20", "--pause", "10")
    assert status == 0, told
    assert "10:50–11:30  Round, sitting 2" in told
    assert "2 h 00 in all" in told
    assert run("format", "wrc", "--players", "9", "--start", "late")[0] == 2


def test_the_rule_book_is_chosen_with_every_format_and_stands_on_the_page(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        for asked, played, shown in (
            ({"format": "wrc"}, "wrc9", "WRC 9"),
            ({"format": "wrc", "book": "wrc11"}, "wrc11", "WRC 11"),
            ({"format": "german"}, "wrc11", "WRC 11"),
            ({"format": "german", "book": "tml"}, "tml", "The Mahjong Line"),
            ({"format_toml": FORM, "book": "nzrc2024"}, "nzrc2024", "NZRC 2024"),
            ({"format_toml": HOUSE}, "friday", "Friday rules"),
        ):
            made = client.post(ROOT, json={"name": "Open", "by": "Olga", "date": "2026-11-17"} | asked)
            assert made.status_code == 201, made.text
            page = client.get(f"{ROOT}/{made.json()['code']}").json()
            assert (page["book"], page["book_name"]["en"]) == (played, shown)
        asked = {"name": "Open", "by": "Olga", "date": "2026-11-17", "book": "wrc99"}
        refused = client.post(ROOT, json=asked)
        assert refused.status_code == 400
        assert "wrc99" in refused.json()["error"]["message"]
