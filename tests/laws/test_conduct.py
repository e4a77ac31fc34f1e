"""R68: in competition the state after an infringement is the state after a draw."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.apply import apply, new_game, reveal
from meldroom.game.judgement import TurnStart
from meldroom.game.legal.actions import legal
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import State
from meldroom.record import Record, loads, to_text, verify
from meldroom.record.narrate import Narrator
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book
from tests.laws.turns import tiny

REARRANGING = ("wrc9", "wrc11", "nzrc2024", "tml")
FAIR = {"conduct": "competition"}
NAMES = ("Ada", "Bo", "Chi", "Dev")


def played(of: RuleBook, seed: int, players: int, turns: int, eager: float) -> State:
    """A random game after so many turns, or its last position in which somebody is to move."""
    chance = random.Random(seed)
    shuffle = Shuffle(f"conduct {seed}")
    state, _ = new_game(of, NAMES[:players], shuffle)
    for _ in range(turns):
        waits = act.Draw(state.seat) if state.pool else act.Pass(state.seat)
        action = legal(state).sample(chance) if chance.random() < eager else waits
        after, _ = apply(state, action, shuffle, can_lay=False)
        if after.over:
            break
        state = after
    return state


def spoilt(state: State, chance: random.Random) -> act.TileSets:
    """A table that is not legal: tiles of the rack or the table lie where they may not."""
    rack = list(state.racks[state.seat])
    tables: list[act.TileSets] = [(*state.table, (tile,)) for tile in rack]
    tables += [(*state.table, (one, other)) for one in rack for other in rack if one < other]
    for index, tiles in enumerate(state.table):
        tables += [
            (*state.table[:index], tiles[1:], *state.table[index + 1 :]),
            (*state.table[:index], tiles[:1], tiles[1:], *state.table[index + 1 :]),
            (*state.table[:index], *state.table[index + 1 :]),
        ]
    chance.shuffle(tables)
    return next(table for table in tables if TurnStart.of(state).judge_table(table))


def same_as_a_draw(state: State, seed: int) -> None:
    """Every way to infringe leads where drawing leads, or passing once the pool is empty."""
    shuffle = Shuffle(f"conduct {seed}")
    waits = act.Draw(state.seat) if state.pool else act.Pass(state.seat)
    drawn, _ = apply(state, waits, shuffle, can_lay=False)
    table = spoilt(state, random.Random(seed))
    ways: list[act.Action] = [act.TimeOut(state.seat, table=table)]
    if state.book.penalty.strict_declare:
        ways.append(act.Lay(state.seat, table=table))
    for way in ways:
        after, events = apply(state, way, shuffle)
        assert after == drawn
        assert [event.seat for event in events if isinstance(event, ev.Penalised)] == [state.seat]


@pytest.mark.parametrize("book_id", REARRANGING)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 60), st.booleans(), st.booleans())
def test_r68_an_infringement_is_a_draw_in_random_games(
    book_id: str, seed: int, players: int, turns: int, strict: bool, eager: bool
) -> None:
    of = book(book_id, {**FAIR, "strict_declare": strict})
    same_as_a_draw(played(of, seed, players, turns, 0.4 if eager else 0.1), seed)


@pytest.mark.parametrize("book_id", REARRANGING)
@given(st.integers(0, 10**6), st.integers(0, 40), st.booleans())
def test_r68_an_infringement_is_a_draw_at_the_end_of_the_pool(
    book_id: str, seed: int, turns: int, strict: bool
) -> None:
    """In small boxes, where the pool is soon empty and the final turns are played."""
    of = tiny(book_id, 3, 5, 2, 2, penalty={**FAIR, "strict_declare": strict})
    same_as_a_draw(played(of, seed, 2, turns, 0.2), seed)


@pytest.mark.parametrize("book_id", REARRANGING)
def test_r68_the_printed_penalty_is_more_than_a_draw(book_id: str) -> None:
    """The law can fail: as printed, the same turn brings three tiles."""
    state = played(book(book_id), 1, 2, 5, 0.4)
    with pytest.raises(AssertionError):
        same_as_a_draw(state, 1)


@given(st.integers(0, 10**6), st.integers(0, 30))
def test_r68_conduct_changes_nothing_in_rummy_o(seed: int, turns: int) -> None:
    """Nothing is drawn there for an illegal meld: it is taken back (R62)."""
    states = []
    for conduct in ("printed", "competition"):
        of = tiny("rummyo", 3, 5, 2, 2, opening={"points": 15}, penalty={"conduct": conduct})
        chance, shuffle = random.Random(seed), Shuffle(f"conduct {seed}")
        state, _ = new_game(of, NAMES[:2], shuffle)
        for _ in range(turns):
            if state.over:
                break
            action = act.TimeOut(state.seat, table=()) if chance.random() < 0.2 else None
            state, events = apply(state, action or legal(state).sample(chance), shuffle)
            assert not any(isinstance(event, ev.Penalised) for event in events)
        states.append((state.racks, state.pool, state.melds, state.discards, state.seat, state.phase))
    assert states[0] == states[1]


@pytest.mark.parametrize("book_id", REARRANGING)
def test_r68_a_record_of_a_game_with_infringements_verifies(book_id: str) -> None:
    of = book(book_id, {**FAIR, "strict_declare": True})
    chance, shuffle = random.Random(7), Shuffle("conduct record")
    state, events = new_game(of, NAMES[:2], shuffle)
    told = list(events)
    while not state.over:
        action: act.Action = act.Draw(state.seat) if state.pool else act.Pass(state.seat)
        if chance.random() < 0.3:
            table = spoilt(state, chance)
            timed = chance.random() < 0.5
            action = act.TimeOut(state.seat, table=table) if timed else act.Lay(state.seat, table=table)
        state, events = apply(state, action, shuffle, can_lay=False)
        told += events
    record = Record.of((*told, reveal(state, shuffle)))
    text = to_text(record)
    assert "conduct=competition" in text
    assert "is penalised 1 (declared, SET_INVALID" in text
    assert verify(loads(text)).ok
    said = "".join(span.text for line in Narrator(record, "en").lines() for span in line.spans)
    assert "which counts as a draw" in said
    assert "penalty" not in said
