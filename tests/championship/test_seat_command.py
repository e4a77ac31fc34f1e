"""`meldroom seat`: for people, and in the public JSON shape."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from meldroom.championship.seating.request import answer
from meldroom.cli.app import app
from meldroom.rules.requests import RequestError
from tests.championship.independent import verify

PAGE = Path(__file__).resolve().parents[2] / "docs" / "seating.md"


def run(*words: str, lines: str = "") -> tuple[int, str, str]:
    """The exit status, standard output and standard error of the command."""
    done = CliRunner().invoke(app(["seat"]), ["seat", *words], input=lines)
    return done.exit_code, done.stdout, done.stderr


def ask(*requests: Any) -> tuple[list[dict[str, Any]], int]:
    lines = "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in requests)
    status, shown, _ = run("--jsonl", lines=lines)
    return [json.loads(line) for line in shown.splitlines()], status


def test_the_public_request_has_the_public_answer() -> None:
    (found,), status = ask({"id": 1, "players": 33, "sittings": 4, "seed": "any text"})
    assert status == 0
    shape = {key: found[key] for key in ("id", "repeats", "bound", "seat_deviation")}
    assert shape == {"id": 1, "repeats": 0, "bound": 0, "seat_deviation": 0}
    assert len(found["sittings"]) == 4
    verdict = verify(range(33), found["sittings"])
    assert not verdict.faults
    assert verdict.repeats == 0


def test_names_come_back_as_names() -> None:
    names = [f"player {number}" for number in range(14)]
    (found,), _ = ask({"id": "x", "players": names, "sittings": 3, "seed": "s", "unknown": True})
    assert not verify(names, found["sittings"]).faults
    assert sorted(found["order"]) == sorted(names)


def test_a_number_is_seated_by_default_in_four_sittings() -> None:
    (found,), _ = ask({"players": 9})
    assert (found["id"], len(found["sittings"]), found["repeats"]) == (None, 4, 0)


def test_bad_lines_are_answered_and_the_rest_goes_on() -> None:
    found, status = ask(
        {"id": 1, "players": 3},
        "not json",
        {"id": 2},
        {"id": 3, "players": 8, "sittings": 0},
        {"id": 4, "players": ["a", "b", "c", "d", "a"]},
        {"id": 5, "players": 10**12},
        {"id": 6, "players": 16, "sittings": "four"},
        {"id": 7, "players": 16},
    )
    assert status == 1
    assert [each.get("error", {}).get("code") for each in found] == [
        *("too_few_players", "bad_json", "bad_request", "bad_sittings"),
        *("same_name", "too_many_places", "bad_request", None),
    ]
    assert [each["id"] for each in found] == [1, None, 2, 3, 4, 5, 6, 7]
    assert "sittings" in found[6]["error"]["message"]


def test_players_are_kept_apart_by_number_and_by_name() -> None:
    found = answer({"players": 16, "apart": [[0, 1, 2, 3]], "seed": "s"})
    assert all(len({0, 1, 2, 3} & set(table)) < 2 for sitting in found["sittings"] for table in sitting)
    with pytest.raises(RequestError, match="“17”"):
        answer({"players": 16, "apart": [[0, 16]]})


def test_a_number_of_players_is_printed_as_tables() -> None:
    status, shown, _ = run("8", "--sittings", "1", "--seed", "s")
    assert status == 0
    assert re.search(r"^Sitting 1\ntable  seat 1  seat 2  seat 3  seat 4\n    1  \d", shown)
    assert "seed: s" in shown
    assert run("8", "--sittings", "1", "--seed", "s") == run("8", "--sittings", "1", "--seed", "s")


def test_names_are_printed_in_french() -> None:
    status, shown, _ = run("Ada", "Bo", "Chi", "Dee", "Eve [x]", "--lang", "fr", "--sittings", "5")
    assert status == 0
    assert "au repos : Eve [x]" in shown
    assert "adversaires rencontrés à nouveau : 30 (aucun placement n’en a moins)" in shown


def test_a_file_gives_names_and_groups(tmp_path: Path) -> None:
    file = tmp_path / "entrants.csv"
    rows = [f'"{country}, {number}",{country}' for country in ("FR", "UK", "NL", "KR") for number in range(4)]
    file.write_text("\ufeffName,Country\n" + "\n".join(rows) + "\n\n", encoding="utf-8")
    status, shown, error = run(str(file), "--apart-by", "country", "--seed", "s")
    assert status == 0, error
    tables = [line for line in shown.splitlines() if re.match(r" +\d+  ", line)]
    assert len(tables) == 16
    assert all(sorted(re.findall(r"([A-Z]{2}), \d", line)) == ["FR", "KR", "NL", "UK"] for line in tables)
    assert "no column “club”" in run(str(file), "--apart-by", "club")[2]


def test_a_file_without_titles_is_a_list_of_names(tmp_path: Path) -> None:
    file = tmp_path / "names.txt"
    file.write_text("Ada\nBo\nChi\nDee\nEve\nFay\n", encoding="utf-8")
    status, shown, _ = run(str(file), "--sittings", "1")
    assert status == 0
    assert all(name in shown for name in ("Ada", "Bo", "Chi", "Dee", "Eve", "Fay"))


def test_the_draw_is_announced_and_held(tmp_path: Path) -> None:
    file = tmp_path / "draw.json"
    assert run("33", "--announce", str(file), "--seed", "kept")[0] == 0
    status, shown, _ = run("--published", str(file), "--seed", "kept", "--word", "4 2 6")
    assert status == 0
    assert shown == run("33", "--seed", "kept", "--word", "4 2 6")[1]
    file.write_text(file.read_text(encoding="utf-8").replace('"33"', '"Zoe"'), encoding="utf-8")
    assert run("--published", str(file), "--seed", "kept")[0] == 2
    assert "commitment" in run("--published", str(file), "--seed", "kept")[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "the number of players"),
        (["4"], "at least 5"),
        (["missing.csv"], "can't read missing.csv"),
        (["16", "--sittings", "0"], "1 to 100"),
        (["Ada", "Bo", "Chi", "Dee", "Eve", "--apart", "Ada,Zoe"], "Zoe"),
        (["--published", "missing.json", "--seed", "x"], "can't read missing.json"),
        (["--published", "missing.json"], "seed"),
        (["16", "--announce", "missing/folder/draw.json"], "missing/folder/draw.json: No such"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(words: list[str], said: str) -> None:
    status, shown, error = run(*words)
    assert status == 2
    assert shown == ""
    assert said in error
    assert len(error.splitlines()) == 1


def test_the_page_shows_what_the_command_prints() -> None:
    (block,) = re.findall(
        r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    command, _, shown = block.partition("\n")
    assert command == '$ meldroom seat 13 --sittings 2 --seed "any text"'
    assert run("13", "--sittings", "2", "--seed", "any text")[1] == shown
