"""A championship to take away: JSON, log, CSV files, the static site, PDFs, QR codes."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from meldroom.championship import verify
from meldroom.championship.log.restore import decode_document, state_of
from meldroom.papers.sheet_codes import sheet_code
from meldroom.server.championships.pages.downloads import championship_code
from tests.server.championships.at_hall import Hall


def unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_export_and_the_log_hold_the_event(hall: Hall) -> None:
    hall.sheets(1)
    answer = hall.client.get(
        f"/api/v1/championships/{hall.public.code}/export", headers={"X-Championship-Key": hall.director.key}
    )
    assert 'filename="' in answer.headers["content-disposition"]
    state = state_of(decode_document(answer.content))
    assert len(state.results) == 4
    log = hall.director.get("/log").content
    assert log == (hall.files / "log.jsonl").read_bytes()
    found, faults = verify(log.splitlines())
    assert not faults
    assert found.results == state.results


def test_the_papers_of_one_day_are_those_of_its_sittings(hall: Hall) -> None:
    days = [{"date": f"2026-11-{14 + sitting}", "sittings": [f"evening {sitting}"]} for sitting in (1, 2)]
    hall.organiser.command("arrange", arrangements={"days": days})
    for day, name in (("2026-11-15", "sheets-evening-1.pdf"), ("2026-11-16", "sheets-evening-2.pdf")):
        answer = hall.director.get(f"/papers/sheets.zip?day={day}")
        assert set(unzipped(answer.content)) == {name}
        assert f"sheets-{day}.zip" in answer.headers["content-disposition"]
    hall.director.get("/papers/sheets.zip?day=2026-11-17", 409)


def test_the_csv_files_are_all_there(hall: Hall) -> None:
    files = unzipped(hall.director.get("/csv.zip").content)
    wanted = {"players.csv", "seating.csv", "games.csv", "standings.csv", "penalties.csv"}
    assert wanted <= set(files)
    assert b"Ada Lovelace" in files["players.csv"]


def test_the_site_is_complete_in_both_languages_and_shows_only_what_is_out(hall: Hall) -> None:
    hall.organiser.command("amend_entrant", number=2, entrant={"name": "<b>Ben</b>"}, _reason="spelling")
    hall.sheets(1)
    hall.sheets(2, (1,))
    files = {name: data.decode() for name, data in unzipped(hall.director.get("/site.zip").content).items()}
    assert set(files) == {"index.html", "en.html", "fr.html"}
    assert files["index.html"] == files["en.html"]
    assert "Standings" in files["en.html"]
    assert "Classement" in files["fr.html"]
    assert "&lt;b&gt;Ben&lt;/b&gt;" in files["en.html"]
    assert "<b>" not in files["en.html"]
    assert ">Eve<" not in files["en.html"]
    assert ">E.<" in files["en.html"]
    assert not re.search(r'(src|href)="(?!(en|fr)\.html|#)', files["en.html"])
    assert files["en.html"].count("<tr>") > 20
    assert files["en.html"].count("<small>") == 8


def test_papers_are_printed_in_the_language_and_for_the_sitting_being_played(hall: Hall) -> None:
    answer = hall.referee.get("/papers/sheets.pdf?language=fr")
    assert answer.content.startswith(b"%PDF")
    assert answer.headers["content-type"] == "application/pdf"
    assert "sheets-evening-1.pdf" in answer.headers["content-disposition"]
    hall.sheets(1)
    assert "sheets-evening-2.pdf" in hall.referee.get("/papers/sheets.pdf").headers["content-disposition"]
    both = unzipped(hall.door.get("/papers/wall_by_name.zip").content)
    assert list(both) == ["wall-by-name-evening.pdf"]
    assert hall.referee.get("/papers/certificates.pdf", 409)["error"]["code"] == "no_paper_yet"
    assert "badges" in hall.referee.get("/papers/poster.pdf", 404)["error"]["message"]
    hall.referee.get("/papers/all.pdf", 404)
    hall.display.get("/papers/sheets.pdf", 403)


def test_the_code_on_a_printed_sheet_leads_to_its_table(hall: Hall) -> None:
    first = Path(hall.files / "log.jsonl").read_bytes().splitlines()[0]
    players = hall.public.get()["stages"][0]["seated"][1]["tables"][0]["players"]
    code = sheet_code(championship_code(first), "evening", 2, 1, players)
    assert hall.public.get(f"/sheets/{code.lower()}") == {"stage": "evening", "sitting": 2, "table": 1}
    hall.public.get("/sheets/0000-0000", 404)


def test_qr_codes_lead_to_this_site_and_never_hold_a_key_in_an_address(hall: Hall) -> None:
    answer = hall.public.get("/qr.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert b"<svg" in answer.content
    for path in ("//evil.example", "/championship/x%23key=secret", "javascript:alert(1)", "/a%20b"):
        hall.public.get(f"/qr.svg?path={path}", 400)
    link = {"path": f"/championship/{hall.public.code}#key={hall.scorer.key}"}
    assert hall.scorer.ask("POST", "/qr.svg", json=link).content != answer.content
    hall.scorer.ask("POST", "/qr.svg", 400, json={"path": "http://evil.example"})


def test_excel_opens_the_csv_files_by_a_double_click(hall: Hall) -> None:
    players = unzipped(hall.director.get("/csv.zip?excel=true&language=fr").content)["players.csv"]
    assert players.startswith(b"\xef\xbb\xbf")
    lines = players.decode("utf-8-sig").split("\r\n")
    assert lines[0].startswith("number;name;")
    assert lines[1].startswith("1;")
