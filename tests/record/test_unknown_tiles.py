"""Records seen from one side: unknown tiles are filled in, marked as guesses, verified as far as can be."""

from __future__ import annotations

import msgspec
import pytest

from meldroom.game import Move, fold
from meldroom.game import events as ev
from meldroom.game.state import conserved
from meldroom.record import Position, Record, loads, replay, verify
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book
from meldroom.tiles import HIDDEN
from tests.record import eventful_games
from tests.record.test_by_hand import record, tiles

GAMES = [(book(book_id), players) for players, book_id in zip((2, 3, 4, 2, 3), BOOK_IDS, strict=True)]


@pytest.mark.parametrize(
    ("rules", "players"), [pytest.param(*each, id=f"{each[0].id}-{each[1]}") for each in GAMES]
)
def test_what_any_seat_saw_verifies(rules: RuleBook, players: int) -> None:
    whole = Record.of(eventful_games.game(rules, players, 7, wild=False))
    for seat in (None, *range(players)):
        seen = whole.seen_by(seat)
        assert [problem.message() for problem in verify(seen).problems] == []
        steps = list(replay(seen))
        assert all(conserved(step.state) for step in steps)
        final, true = steps[-1].state, fold(whole.log())
        assert (final.table, final.melds, final.result) == (true.table, true.melds, true.result)
        assert [len(rack) for rack in final.racks] == [len(rack) for rack in true.racks]


def test_nothing_certain_is_wrong() -> None:
    """Whatever a step does not call a guess is where it really was."""
    whole = Record.of(eventful_games.game(book("wrc11"), 3, 5, wild=False))
    for true, seen in zip(replay(whole), replay(whole.seen_by(1)), strict=True):
        for here, there in zip(true.state.racks, seen.state.racks, strict=True):
            assert set(there) - seen.unknown <= set(here)


def test_a_revealed_secret_tells_the_hidden_tiles() -> None:
    whole = Record.of(eventful_games.game(book("tml"), 2, 3, wild=False))
    seen = whole.seen_by(0)
    told = Record(whole.headers, seen.events)
    assert verify(told).ok
    assert [step.state for step in replay(told)] == [step.state for step in replay(whole)]
    assert all(not step.unknown for step in replay(told))


def test_tiles_laid_later_were_on_the_rack_before() -> None:
    found = record("Ada draws", "Bo draws", "Ada lays R10 R11 R12")
    first = next(step for step in replay(found) if isinstance(step.event, ev.Dealt))
    last = list(replay(found))[-1]
    assert set(tiles("R10 R11 R12")) <= set(first.state.racks[0]) | set(first.state.pool[:1])
    # One of the three may have been drawn, so none was certainly on the rack before.
    assert set(tiles("R10 R11 R12")) <= first.unknown
    assert not set(tiles("R10 R11 R12")) & last.unknown
    assert str(Position.of(last.state, last.unknown)).startswith(
        "wrc11@1 / table R10 R11 R12 / racks ?x12, ?x15 / pool 76"
    )


def test_what_could_not_be_checked_is_said() -> None:
    found = record(
        "Ada lays R10 R11 R12", "Bo times out (touched)", "Bo is penalised 3 (time)", "Ada draws", "Bo draws"
    )
    report = verify(found)
    assert report.ok
    assert {check.code for check in report.unchecked} == {"deal", "shuffle", "penalties", "unfinished"}
    assert {check.code for check in report.checked} == {"legality", "turn_order", "conservation"}


CASES = {
    "no set": (("Ada lays R10 R11 K12",), 7, "illegal_turn"),
    "too few points": (("Ada lays R1 R2 R3",), 7, "illegal_turn"),
    "out of turn": (("Ada draws", "Bo draws", "Bo draws"), 9, "not_your_turn"),
    "a tile that lies on the table": (
        ("Ada lays R10 R11 R12", "Bo lays R10! B10 K10 -> R10! B10 K10"),
        8,
        None,
    ),
    "a third copy": (
        ("Ada draws R5", "Bo draws R5", "Ada lays R5 B5 K5 | R10 R11 R12", "Bo draws R5"),
        10,
        "conservation",
    ),
    "a tile known to be elsewhere": (
        ("Ada draws R5'", "Bo draws", "Ada draws", "Bo draws R5'"),
        10,
        "conservation",
    ),
    "a draw from an empty pool": (
        (*(f"{n} draws" for n in ("Ada", "Bo") * 39), "Ada draws"),
        85,
        "pool_empty",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_wrong_whatever_the_unknown_tiles_are(case: str) -> None:
    lines, line, code = CASES[case]
    report = verify(record("starter Ada", *lines))
    assert not report.ok
    assert report.problems[0].line == line
    assert code is None or report.problems[0].code == code


def test_scores_are_checked_as_far_as_racks_are_known() -> None:
    """Bo went out; Ada's rack is known, Chi's is not: their scores are her own count and anything."""
    lines = (
        "starter Ada",
        "deal 1: Ada K1 K2 K3 K4 K6 K8 R1 R3 R5 B1 B3 B5 O1 O3",
        "Ada draws K13",
        "Bo lays R10 R11 R12 R13 | B10 B11 B12 B13 | O10 O11 O12 O13 | R7 B7",
    )
    wrong = record(*lines, players=("Ada", "Bo", "Chi"))
    assert not verify(wrong).ok
    right = (*lines[:3], "Bo lays R10 R11 R12 R13 | B9 B10 B11 B12 B13 | O9 O10 O11 O12 O13")
    for ada, bo, chi, ok in (
        (-100, 200, -100, True),
        (-100, 300, -200, True),
        (-100, 250, -150, False),  # Chi never melded: 100 or 200.
        (-99, 199, -100, False),  # Ada's rack is known.
        (-100, 199, -100, False),  # Bo takes what the others lose.
    ):
        end = f"end out: Ada {ada}, Bo {bo}, Chi {chi}, winner Bo"
        report = verify(record(*right, end, players=("Ada", "Bo", "Chi")))
        assert report.ok == ok, (end, report.problems)
        assert "charges" in {check.code for check in report.unchecked}


def test_a_tile_put_back_unseen_came_from_where_it_can() -> None:
    """Ada's known tile went back to the pool and is drawn again by Bo."""
    found = record(
        "starter Ada",
        "deal 1: Ada R1 R2 R3 K5 K6 K7 B9 O9 K9 R10 R11 B13 O2 *",
        'referee "one too many": turn Ada, ? to pool top',
        "Ada draws K9",
        "Bo draws",
        "Ada lays K9 B9 O9 | K5 K6 K7",
    )
    assert [problem.message() for problem in verify(found).problems] == []


def test_a_tile_given_by_the_referee_may_be_unknown() -> None:
    whole = Record.of(eventful_games.game(book("wrc11"), 2, 1, wild=False))
    given = Move(HIDDEN, "rack", 0)
    events = []
    for event in whole.seen_by(None).events:
        events.append(event)
        if isinstance(event, ev.TurnBegan) and len(events) == 3:
            events.append(ev.Corrected(event.seat, "one tile too few", (given,)))
    headers = msgspec.structs.replace(whole.headers, secret=None, contributions=())
    steps = list(replay(Record(headers, tuple(events[:8]))))
    assert all(conserved(step.state) for step in steps)
    assert len(steps[3].state.racks[0]) == len(steps[2].state.racks[0]) + 1


def test_unknown_tiles_only_where_tiles_are_hidden() -> None:
    for line in ("Ada lays ? R11 R12", "Ada shows ?", "Ada takes discard ?", "Ada discards ?"):
        with pytest.raises(ValueError, match=r"can't be unknown|isn't a tile"):
            record("starter Ada", "racks unknown", line)


def test_the_sheet_of_one_player_is_read_as_text() -> None:
    text = "meldroom-record 1\nbook: wrc11 1\nseat 1: Ada\nseat 2: Bo\n\nAda draws ?\nBo draws\n"
    assert verify(loads(text)).ok
