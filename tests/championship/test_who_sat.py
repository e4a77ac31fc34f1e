"""Who actually sat at a table, put right also after results, with what follows shown first."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from meldroom.championship import (
    ChampionshipError,
    CloseStage,
    CorrectSeats,
    DecideTie,
    SeatsAt,
    SeatSitting,
    consequences,
    preset,
    standings,
    verify,
)
from meldroom.championship.log.file import read_state
from tests.championship.championship_play import Played, without_conditions
from tests.championship.command_line import run
from tests.championship.outside_verifier import outside


def played(players: int = 8, name: str = "german") -> Played:
    event = Played(without_conditions(preset(name)))
    event.enter(players)
    event.draw(event.state.format.stages[0].id)
    event.play("rounds", 1, Random(1))
    return event


def exchanged(event: Played) -> CorrectSeats:
    """The first of table 1 sat at table 2, and the other way round."""
    one, two = event.state.seatings["rounds", 1].tables
    return CorrectSeats("rounds", 1, (SeatsAt(1, (two[0], *one[1:])), SeatsAt(2, (one[0], *two[1:]))))


def test_scores_go_to_who_sat_there() -> None:
    event = played()
    one, two = event.state.seatings["rounds", 1].tables
    before = {row.number: row.score for row in standings(event.state, "rounds").rows}
    event.do(exchanged(event), "they had exchanged seats")
    after = {row.number: row.score for row in standings(event.state, "rounds").rows}
    assert (after[one[0]], after[two[0]]) == (before[two[0]], before[one[0]])
    assert {n: after[n] for n in one[1:]} == {n: before[n] for n in one[1:]}
    assert verify(event.lines)[1] == []


def test_consequences_name_places_and_repeated_opponents() -> None:
    event = played()
    event.do(exchanged(event), "slip")
    found = consequences(event.state, exchanged(event))
    assert found.places
    event.do(SeatSitting("rounds", 2, "standings"))
    one, two = event.state.seatings["rounds", 1].tables
    later = event.state.seatings["rounds", 2].tables
    found = consequences(event.state, exchanged(event))
    met = {frozenset(pair) for pair in found.repeats}
    assert met == {
        frozenset((a, b))
        for table, first in (((two[0], *one[1:]), two[0]), ((one[0], *two[1:]), one[0]))
        for a in table
        for b in table
        if a < b and first in (a, b) and any(a in t and b in t for t in later)
    }


@pytest.mark.parametrize(
    ("tables", "code"),
    [
        ((SeatsAt(1, (1, 2, 3, 3)),), "seated_twice"),
        ((SeatsAt(1, (1, 2, 3)),), "wrong_seats"),
        ((SeatsAt(9, (1, 2, 3, 4)),), "no_table"),
        ((SeatsAt(1, (1, 2, 3, 99)),), "no_entrant"),
        ((), "same_seats"),
    ],
)
def test_what_cannot_be(tables: tuple[SeatsAt, ...], code: str) -> None:
    event = played()
    with pytest.raises(ChampionshipError) as caught:
        event.do(CorrectSeats("rounds", 1, tables), "slip")
    assert caught.value.code == code


def test_somebody_without_a_seat_can_have_played() -> None:
    event = played(5)
    (table,) = event.state.seatings["rounds", 1].tables
    (out,) = {1, 2, 3, 4, 5} - set(table)
    event.do(CorrectSeats("rounds", 1, (SeatsAt(1, (out, *table[1:])),)), "they sat in")
    assert event.state.has_played(out)
    assert not event.state.has_played(table[0])
    with pytest.raises(ChampionshipError) as caught:
        event.do(CorrectSeats("rounds", 1, (SeatsAt(1, table),)))
    assert caught.value.code == "no_reason"
    with pytest.raises(ChampionshipError) as caught:
        event.do(CorrectSeats("rounds", 1, (SeatsAt(1, table),)), "slip", role="referee")
    assert caught.value.code == "not_allowed"


def test_a_closed_stage_is_open_again() -> None:
    event = Played(without_conditions(preset("wrc")))
    event.enter(8)
    event.draw("round1")
    event.play("round1", 1, Random(2))
    for group in standings(event.state, "round1").level:
        event.do(DecideTie("round1", group, "lot"), "no time")
    event.do(CloseStage("round1"))
    one, two = event.state.seatings["round1", 1].tables
    seats = CorrectSeats("round1", 1, (SeatsAt(1, (two[0], *one[1:])), SeatsAt(2, (one[0], *two[1:]))))
    assert consequences(event.state, seats).reopened == ("round1",)
    event.do(seats, "slip")
    assert "round1" not in event.state.closings
    assert verify(event.lines)[1] == []


def test_the_command_line_shows_first(tmp_path: Path) -> None:
    event = played()
    log = tmp_path / "club.jsonl"
    log.write_bytes(b"".join(line + b"\n" for line in event.lines))
    one, two = event.state.seatings["rounds", 1].tables
    said = [
        f"1={' '.join(map(str, (two[0], *one[1:])))}",
        f"2={' '.join(map(str, (one[0], *two[1:])))}",
    ]
    words = ["correct-seats", str(log), *said, "--reason", "slip", "--by", "Dana"]
    status, shown = run(*words)
    assert status == 0, shown
    assert f"Player {two[0]}" in shown
    assert "place" in shown
    assert read_state(log).seatings["rounds", 1].tables[0] == one
    status, shown = run(*words, "--confirm", "--lang", "fr")
    assert status == 0, shown
    assert read_state(log).seatings["rounds", 1].tables[0][0] == two[0]
    run("export", str(log), str(tmp_path / "out"))
    status, told = outside(tmp_path / "out")
    assert status == 0, told
