"""Lists of entrants as people have them: from a spreadsheet, typed, with columns and dates of their own."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from meldroom.championship import read_state
from meldroom.championship.countries import country_of, is_unknown_code
from meldroom.championship.entrants import Entrant, decode_list, parse_entrants
from tests.championship.command_line import run


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_the_letters_of_a_file_are_found_out(encoding: str) -> None:
    text, used = decode_list("name,country\nZoë Noël,FRA\n".encode(encoding))
    assert parse_entrants(text).entrants == (Entrant("Zoë Noël", "FRA"),)
    assert used == ("cp1252" if encoding == "cp1252" else "")


def test_letters_that_were_lost_are_refused() -> None:
    found = parse_entrants("name\nZo\ufffd\nBen\n")
    assert [(fault.line, fault.error.code) for fault in found.faults] == [(2, "lost_letters")]


def test_a_plain_list_of_names_is_a_list() -> None:
    found = parse_entrants("Ada Byron\nBen\n\nChi Lee\n")
    assert found.faults == ()
    assert [one.name for one in found.entrants] == ["Ada Byron", "Ben", "Chi Lee"]


def test_columns_that_are_not_known_are_kept_and_named() -> None:
    found = parse_entrants("name,Club night,e-mail\nAda,Tuesday,a@example.org\nBen,,\n")
    assert found.faults == ()
    assert found.entrants[0].more == (("Club night", "Tuesday"), ("e-mail", "a@example.org"))
    assert found.entrants[1].more == ()
    assert [each.id for each in found.notices] == ["championship.list.more"]
    assert "Club night" in found.notices[0].text("fr")


@pytest.mark.parametrize(("order", "born"), [("dmy", date(1990, 2, 1)), ("mdy", date(1990, 1, 2))])
def test_dates_are_read_once_their_order_is_known(order: str, born: date) -> None:
    text = "name,born\nAda,01/02/1990\nBen,1990-12-31\n"
    (fault,) = parse_entrants(text).faults
    assert (fault.line, fault.error.code) == (2, "date_order")
    found = parse_entrants(text, dates=order)  # type: ignore[arg-type]
    assert found.entrants[0].born == born
    assert parse_entrants("name,born\nAda,31/12/1990\n", dates="dmy").entrants[0].born == date(1990, 12, 31)
    assert parse_entrants("name,born\nAda,31/12/1990\n", dates="mdy").faults[0].error.code == "bad_date"


def test_names_that_differ_only_in_capitals_or_spaces_are_asked_about() -> None:
    text = "name\nAda Byron\nADA  byron\n"
    (fault,) = parse_entrants(text).faults
    assert (fault.line, fault.error.code) == (3, "name_similar")
    assert parse_entrants("name\nada byron\n", ["Ada Byron"]).faults[0].error.code == "name_similar"
    assert len(parse_entrants(text, similar=True).entrants) == 2


def test_a_country_is_one_country_however_its_code_is_written() -> None:
    found = parse_entrants("name,country,citizenship\nA,gbr,gb/fr\nB,GBR,\nC,nl,NLD\nD,Utopia,\nE,xqz,\n")
    assert [one.country for one in found.entrants] == ["GBR", "GBR", "NED", "Utopia", "XQZ"]
    assert found.entrants[0].citizenships == ("GBR", "FRA")
    assert [each.text() for each in found.notices] == ["No country has the code XQZ (line 6)."]
    assert (country_of("c1"), is_unknown_code("c1")) == ("c1", False)


def test_the_command_line_reads_them_all(tmp_path: Path) -> None:
    log, listed = tmp_path / "club.jsonl", tmp_path / "list.csv"
    run("new", str(log), "--name", "Club", "--format", "german", "--by", "Olga")
    listed.write_bytes("nom;né;Remarque;pays\nZoë;01/02/1990;x;gb\n".encode("cp1252"))
    status, told = run("import", str(log), str(listed), "--by", "Olga", "--lang", "fr")
    assert (status, "--dates" in told) == (2, True)
    status, told = run("import", str(log), str(listed), "--by", "Olga", "--dates", "dmy")
    assert status == 0, told
    assert "Windows" in told
    assert "Remarque" in told
    one = read_state(log).participant(1).entrant
    assert one == Entrant("Zoë", "GBR", born=date(1990, 2, 1), more=(("Remarque", "x"),))
    run("late", str(log), "Fay", "--country", "fr", "--by", "Olga")
    assert read_state(log).participant(2).entrant.country == "FRA"
