"""Advice at every moment of whole games: its lines can be shown, its last one played, in every book."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from meldroom.bots.advice import advise, best_discard, best_take
from meldroom.bots.laying_off.base import Seat
from meldroom.game import Shuffle, apply, new_game, view
from meldroom.game.actions import Action, Discard, Draw, Lay, Pass, Play, Take
from meldroom.game.state import State
from meldroom.i18n import TilePart
from meldroom.record import parse_position
from meldroom.rules.library import book
from meldroom.solver.advice import Advice, AdviceLine
from meldroom.solver.lay_off.best import best_play

RUMMYO = book("rummyo")


def followed(state: State, line: AdviceLine) -> Action:
    """What the last line of a hint asks for."""
    seat = state.seat
    if line.take is not None:
        return Take(seat, source=line.take)
    if line.table is not None:
        return Lay(seat, table=line.table)
    if line.melds is not None and line.discard is not None:
        changed = len(line.melds) > len(state.melds) or any(
            made.tiles != old.tiles for made, old in zip(line.melds, state.melds, strict=False)
        )
        if changed:
            return Play(seat, melds=line.melds, discard=line.discard)
        return Discard(seat, tile=line.discard)
    return Draw(seat) if state.pool else Pass(seat)


def game_by_advice(book_id: str, seed: str) -> Iterator[tuple[State, Advice]]:
    """A game in which everybody does what the last hint says; nothing in it is refused."""
    state, _ = new_game(book(book_id), ["Ada", "Ben"], Shuffle(seed))
    while not state.over:
        advice = advise(state.book, view(state, state.seat))
        yield state, advice
        state, _ = apply(state, followed(state, advice.last), Shuffle(seed))


@pytest.mark.parametrize("book_id", ["rummyo", "wrc11"])
def test_whoever_follows_every_hint_finishes_a_game(book_id: str) -> None:
    moments = list(game_by_advice(book_id, "advice"))
    assert len(moments) > 10
    for state, advice in moments:
        rack = set(state.racks[state.seat])
        table = {tile for tiles in state.table for tile in tiles} | {
            tile for meld in state.melds for tile in meld.tiles
        }
        for line in (line for lines in advice.hints for line in lines):
            shown = [tile for tiles in line.table or () for tile in tiles]
            shown += [tile for meld in line.melds or () for tile in meld.tiles]
            if line.table is not None or line.melds is not None:
                assert len(set(shown)) == len(shown)
                assert table <= set(shown) <= table | rack
            assert set(line.tiles) <= table | rack


def test_rummyo_hints_say_in_both_languages_what_to_take_lay_and_discard() -> None:
    kinds = set()
    for state, advice in game_by_advice("rummyo", "words"):
        last = advice.last
        assert last.text("en") != last.text("fr")
        assert any(isinstance(part, TilePart) for part in last.parts("fr")) or last.take == "stock"
        kinds.add(state.phase)
    assert kinds == {"opening_discard", "take", "play"}


def test_a_discard_that_only_chances_speak_for_is_called_an_estimate() -> None:
    state, _ = new_game(RUMMYO, ["Ada", "Ben"], Shuffle("estimate"))
    advice = advise(RUMMYO, view(state, state.seat))
    assert "estimate" in advice.last.text("en")
    assert "estimation" in advice.last.text("fr")


def test_the_discard_goes_out_where_that_can_be_done_and_needs_no_estimate() -> None:
    state = state_of(
        "rummyo@1 / melds 1: R5 R6 R7 / racks R8 O9, ?x10 / pool 40 / turn 1 play / melded 1 / discards K1"
    )
    seen = view(state, 0)
    play = best_play(RUMMYO, Seat(RUMMYO, seen).position)
    assert play.outcome == "OPEN_RUMMY"
    assert best_discard(RUMMYO, seen, play) == (play.discard, None)


def test_a_useful_discard_is_taken_with_the_number_of_tiles_it_lets_one_play() -> None:
    state = state_of(
        "rummyo@1 / melds 1: R5 R6 R7 / racks K2 K3 O9 B12, ?x10 / pool 40 / turn 1 take / melded 1"
        " / discards K4"
    )
    take = best_take(RUMMYO, view(state, 0)).take
    assert (take.source, take.plays) == ("discard", 3)


def state_of(text: str) -> State:
    """A position of text as a state."""
    return parse_position(text).state()
