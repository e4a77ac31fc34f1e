"""R70: what is not known of an entrant blocks check-in; an override names what it breaks, for all to see."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from meldroom.championship import (
    ChampionshipError,
    CheckIn,
    Entrant,
    Found,
    ImportEntrants,
    UndoStatus,
    parse_entrants,
    preset,
    verify,
)
from meldroom.championship.eligibility import Breach
from meldroom.championship.entrants import check_entrant
from meldroom.championship.log.export import document_of, write_export
from meldroom.championship.log.restore import state_of
from meldroom.championship.text import format_entrants
from tests.championship.championship_play import NOON, Played
from tests.championship.command_line import run
from tests.championship.outside_verifier import outside

LIST = """name,country,citizenship,editions
Zed,,,–
Yan,NED,,–
Wim,NED,NED,
Oli,–,,
Ada,GBR,GBR,–
Bea,USA,CAN,–
"""


def championship(checks: int = 3) -> Played:
    event = Played.founded(Found("World", 12, NOON.date(), preset("wrc"), checks))
    event.do(ImportEntrants(parse_entrants(LIST).entrants))
    return event


def refusal(event: Played, number: int) -> str:
    with pytest.raises(ChampionshipError) as found:
        event.do(CheckIn(number))
    return found.value.code


def test_r70_an_entrant_whose_country_is_not_known_is_not_let_in() -> None:
    event = championship()
    assert refusal(event, 1) == "unknown_country"
    assert refusal(event, 2) == "unknown_citizen"
    assert refusal(event, 3) == "unknown_not_twice_running"
    assert refusal(event, 6) == "not_citizen"
    event.do(CheckIn(5))


def test_r70_who_represents_no_country_is_let_in_and_the_list_says_so() -> None:
    event = championship()
    assert event.state.verdicts(4) == ()
    event.do(CheckIn(4))
    assert "no country" in "\n".join(format_entrants(event.state, "en"))
    with pytest.raises(ChampionshipError, match="plays for GBR"):
        check_entrant(Entrant("X", "GBR", no_country=True))


def test_r70_an_override_names_what_it_breaks_and_whether_that_is_known() -> None:
    event = championship()
    done = event.do(CheckIn(1, override=True), "the federation says so").action
    assert done == CheckIn(1, True, (Breach("citizen", False, "WRC 9 G1; R49"),))
    event.do(CheckIn(6, override=True), "the organisers decide")
    assert event.state.overrides[6] == (Breach("citizen", True, "WRC 9 G1; R49"),)
    event.do(CheckIn(2, override=True), "passport seen")
    event.do(CheckIn(3, override=True), "both may play")
    assert [(each.condition, each.known) for each in event.state.overrides[3]] == [
        ("not_twice_running", False),
        ("place", True),
    ]
    assert not verify(event.lines)[1]
    forged = [line.replace(b'"known":true', b'"known":false') for line in event.lines]
    assert verify(forged)[1]
    event.do(UndoStatus(6, "present"), "not here")
    assert 6 not in event.state.overrides


def test_everybody_can_see_who_was_admitted_and_against_what(tmp_path: Path) -> None:
    event = championship()
    event.do(CheckIn(6, override=True), "the organisers decide")
    told = "\n".join(format_entrants(event.state, "en"))
    assert "admitted against: citizen (WRC 9 G1; R49), known not to be met" in told
    document = document_of(event.state)
    assert state_of(document).overrides == event.state.overrides
    files = write_export(event.state, event.lines, tmp_path / "out")
    assert "admitted.csv" in files
    status, said = outside(tmp_path / "out")
    assert status == 0
    assert "Bea was admitted though citizen is known not to be met" in said


def test_earlier_logs_are_read_as_they_were() -> None:
    event = championship(checks=2)
    event.do(CheckIn(1))
    done = event.do(CheckIn(6, override=True), "the organisers decide").action
    assert done == CheckIn(6, override=True)
    assert not verify(event.lines)[1]


def test_no_editions_is_none_and_no_column_is_unknown() -> None:
    (none,) = parse_entrants("name,editions\nAda,–\n").entrants
    (missing,) = parse_entrants("name\nAda\n").entrants
    assert (none.editions, missing.editions) == ((), None)
    assert not replace(none).no_country


def test_a_late_entrant_can_be_made_checkable_from_the_command_line(tmp_path: Path) -> None:
    log = str(tmp_path / "w.jsonl")
    run("new", log, "--name", "World", "--edition", "12", "--by", "Olga")
    assert (
        run(
            "late",
            log,
            "Eve Moss",
            "--country",
            "NZ",
            "--citizenship",
            "NZ AU",
            "--editions",
            "–",
            "--by",
            "C",
        )[0]
        == 0
    )
    assert run("check-in", log, "Eve Moss", "--by", "C")[0] == 0
    run("late", log, "Fay", "--country", "NZ", "--by", "C")
    assert run("check-in", log, "Fay", "--by", "C")[0] == 2
    told = run("amend", log, "Fay", "--country", "–", "--reason", "online champion", "--by", "Dana")
    assert told[0] == 0, told
    assert run("check-in", log, "Fay", "--by", "C")[0] == 0
    run("late", log, "Gus", "--country", "AUS", "--by", "C")
    more = ("--citizenship", "AUS", "--editions", "9", "--rank", "1", "--born", "1990-01-02")
    assert run("amend", log, "Gus", *more, "--reason", "asked", "--by", "Dana")[0] == 0
    assert run("check-in", log, "Gus", "--by", "C")[0] == 0
