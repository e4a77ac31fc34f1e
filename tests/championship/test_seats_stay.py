"""R75: a seat that was drawn stays; a leaver's place stays empty, and a table left with one is broken up."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from meldroom.championship import (
    AddEntrant,
    ChampionshipError,
    CheckIn,
    CloseStage,
    DecideTie,
    EnterResult,
    Entrant,
    GameResult,
    SeatSitting,
    SignSheet,
    Withdraw,
    standings,
    verify,
)
from meldroom.championship.club_night import club_format
from meldroom.championship.log.export import document_of, write_export
from meldroom.championship.log.restore import state_of
from meldroom.championship.sittings import change_needed, open_places, stranded
from meldroom.championship.text import format_sitting
from meldroom.papers import ChampionshipPapers
from meldroom.papers.values import ScoreSheets
from tests.championship.championship_play import Played
from tests.championship.outside_verifier import outside

STAGE = "evening"


def evening(players: int, sittings: int = 2, games: int = 2) -> Played:
    event = Played(club_format(None, sittings, games))
    event.enter(players)
    event.draw(STAGE)
    return event


def leave(event: Played, *numbers: int) -> None:
    for number in numbers:
        event.do(Withdraw(number), "has to go")


def come(event: Played) -> int:
    number = len(event.state.participants) + 1
    event.do(AddEntrant(Entrant(f"Late {number}", f"C{number}", (f"C{number}",), editions=())))
    event.do(CheckIn(number))
    return number


def refused(event: Played, how: str) -> str:
    with pytest.raises(ChampionshipError) as found:
        event.do(SeatSitting(STAGE, 1, how), "one left")  # type: ignore[arg-type]
    return found.value.code


def test_r75_the_others_keep_table_and_seat_when_somebody_leaves() -> None:
    event = evening(8)
    before = event.state.seatings[STAGE, 1].tables
    leave(event, before[0][0])
    assert change_needed(event.state, (STAGE, 1)) == (None, ())
    assert refused(event, "change") == "seats_stay"
    assert event.state.seatings[STAGE, 1].tables == before
    assert any("empty (Player" in row for row in format_sitting(event.state, (STAGE, 1), "en"))


def test_the_start_passes_over_an_empty_place() -> None:
    event = evening(8)
    table = event.state.seatings[STAGE, 1].tables[0]
    before = event.state.starters((STAGE, 1, 1))
    gone = before[0]
    leave(event, table[gone])
    after = tuple((seat + 1) % 4 if seat == gone else seat for seat in before)
    assert event.state.starters((STAGE, 1, 1)) == after
    papers = ChampionshipPapers(document_of(event.state))
    (sheets,) = [paper for name, paper in papers.all(("sheets",)) if name == "sheets-evening-1"]
    assert isinstance(sheets, ScoreSheets)
    first = sheets.sheets[0]
    assert first.starters == after
    assert "empty" in first.players[gone].name


def test_the_table_plays_on_with_an_empty_place() -> None:
    event = evening(4, 1)
    leave(event, event.state.seatings[STAGE, 1].tables[0][1])
    for game in (1, 2):
        event.do(EnterResult(STAGE, 1, 1, game, GameResult((20, None, -10, -10), (0,))))
    event.do(SignSheet(STAGE, 1, 1, "Rita"))
    for group in standings(event.state, STAGE).level:
        event.do(DecideTie(STAGE, group, "lot"), "no time")
    event.do(CloseStage(STAGE))
    assert not verify(event.lines)[1]


def test_a_late_entrant_can_draw_the_empty_place() -> None:
    event = evening(8)
    before = event.state.seatings[STAGE, 1].tables
    gone = before[1][2]
    leave(event, gone)
    late = come(event)
    assert change_needed(event.state, (STAGE, 1)) == ("late", (late,))
    assert refused(event, "change") == "seats_open"
    event.do(SeatSitting(STAGE, 1, "late"), "came late")
    after = event.state.seatings[STAGE, 1].tables
    assert after[0] == before[0]
    assert after[1] == tuple(late if number == gone else number for number in before[1])


def test_a_table_of_three_comes_first() -> None:
    event = evening(7)
    tables = event.state.seatings[STAGE, 1].tables
    (short,) = [place for place, table in enumerate(tables, start=1) if len(table) == 3]
    leave(event, tables[2 - short][0])
    assert open_places(event.state, (STAGE, 1))[0] == short
    late = come(event)
    event.do(SeatSitting(STAGE, 1, "late"), "came late")
    assert late in event.state.seatings[STAGE, 1].tables[short - 1]


def test_r75_a_table_left_with_one_is_broken_up_by_lot(tmp_path: Path) -> None:
    event = evening(7, 1)
    tables = event.state.seatings[STAGE, 1].tables
    (short,) = [place for place, table in enumerate(tables, start=1) if len(table) == 3]
    full = 3 - short
    leave(event, tables[full - 1][0], *tables[short - 1][:2])
    alone = tables[short - 1][2]
    assert stranded(event.state, (STAGE, 1)) == [(short, alone)]
    assert change_needed(event.state, (STAGE, 1)) == ("late", (alone,))
    event.do(SeatSitting(STAGE, 1, "late"), "left alone")
    after = event.state.seatings[STAGE, 1].tables
    assert after[short - 1] == ()
    assert after[full - 1] == (alone, *tables[full - 1][1:])
    assert event.state.games_of((STAGE, 1, short)) == []
    event.play(STAGE, 1, Random(1), sign=False)
    event.do(SignSheet(STAGE, 1, full, "Rita"))
    for group in standings(event.state, STAGE).level:
        event.do(DecideTie(STAGE, group, "lot"), "no time")
    event.do(CloseStage(STAGE))
    assert not verify(event.lines)[1]
    assert state_of(document_of(event.state)).seatings[STAGE, 1].tables == after
    write_export(event.state, event.lines, tmp_path / "out")
    status, told = outside(tmp_path / "out")
    assert status == 0, told
    papers = ChampionshipPapers(document_of(event.state))
    assert [name for name, _ in papers.all(("sheets", "wall_by_table", "wall_by_name", "cross_table"))]


def test_more_newcomers_than_places_change_the_seating() -> None:
    event = evening(8)
    come(event)
    assert change_needed(event.state, (STAGE, 1))[0] == "change"
    event.do(SeatSitting(STAGE, 1, "change"), "nine now")
    assert sorted(map(len, event.state.seatings[STAGE, 1].tables)) == [3, 3, 3]


def test_nobody_sits_out_twice_before_all_have_once() -> None:
    event = evening(5, 6, 1)
    rests = [event.state.seatings[STAGE, sitting].sitting_out[0] for sitting in range(1, 7)]
    assert len(set(rests[:5])) == 5


def test_who_rests_next_has_rested_least() -> None:
    """Another comes and somebody leaves: who is new rests before anybody rests twice."""
    event = evening(5, 6, 1)
    leave(event, 1)
    late = come(event)
    rests: list[int] = list(event.state.seatings[STAGE, 1].sitting_out)
    for sitting in range(2, 7):
        if change_needed(event.state, (STAGE, sitting))[0] is not None:
            event.do(SeatSitting(STAGE, sitting, "change"), "one left, one came")
        rests += event.state.seatings[STAGE, sitting].sitting_out
    here = [number for number in rests if number != 1]
    assert late in here
    assert max(here.count(number) for number in here) - min(here.count(n) for n in (2, 3, 4, 5, late)) <= 1
    assert not verify(event.lines)[1]
