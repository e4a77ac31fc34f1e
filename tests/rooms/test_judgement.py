"""Drafts are judged as the turn would be: what is called legal can be declared, and what is not cannot."""

from __future__ import annotations

import random

import pytest

from meldroom.game import ActionError, Shuffle, apply, new_game, view
from meldroom.game.actions import Lay, Play
from meldroom.game.events import Penalised
from meldroom.game.judgement import TurnStart, judge_draft_melds, judge_draft_table
from meldroom.game.legal.actions import legal
from meldroom.rooms.domain.changed_tiles import moved_tiles
from meldroom.rules.library import BOOK_IDS, book
from meldroom.tiles import HIDDEN, Tile


@pytest.mark.parametrize("name", BOOK_IDS)
def test_a_draft_is_legal_exactly_when_it_may_be_declared(name: str) -> None:
    rules, shuffle, chance = book(name), Shuffle(name), random.Random(name)
    state, _ = new_game(rules, ["Ada", "Ben"], shuffle)
    judged = 0
    while not state.over:
        action = legal(state).sample(chance)
        seen = view(state, state.seat)
        if isinstance(action, Lay):
            assert judge_draft_table(TurnStart.seen(rules, seen), action.table).legal
            spoilt = Lay(state.seat, table=action.table[:-1])
            declared = True
            try:
                declared = not any(isinstance(e, Penalised) for e in apply(state, spoilt, shuffle)[1])
            except ActionError:
                declared = False
            assert judge_draft_table(TurnStart.seen(rules, seen), spoilt.table).legal == declared
            judged += 1
        elif isinstance(action, Play):
            assert judge_draft_melds(TurnStart.seen(rules, seen), action.melds, action.discard).legal
            judged += 1
        state, _ = apply(state, action, shuffle)
    assert judged


def test_an_equal_tile_from_the_rack_does_not_bring_a_table_tile_back() -> None:
    rules, shuffle, chance = book("wrc11"), Shuffle("swap"), random.Random(1)
    state, _ = new_game(rules, ["Ada", "Ben", "Cleo", "Dan"], shuffle)
    while not state.over:
        seen = view(state, state.seat)
        twin_of = {rules.tiles.face_of[tile]: tile for tile in seen.rack}
        for index, tiles in enumerate(seen.table):
            for place, tile in enumerate(tiles):
                twin = twin_of.get(rules.tiles.face_of[tile])
                if twin is not None:
                    swapped = (*tiles[:place], twin, *tiles[place + 1 :])
                    table = (*seen.table[:index], swapped, *seen.table[index + 1 :])
                    codes = {
                        fault.code for fault in judge_draft_table(TurnStart.seen(rules, seen), table).faults
                    }
                    assert "TILE_LEFT_TABLE" in codes
                    return
        state, _ = apply(state, legal(state).sample(chance), shuffle)
    raise AssertionError("no equal tile in a whole game")


def test_tiles_that_are_nowhere_in_sight_are_refused() -> None:
    rules = book("wrc11")
    state, _ = new_game(rules, ["Ada", "Ben"], Shuffle("x"))
    seen = view(state, 0)
    TurnStart.seen(rules, seen).check_tiles(state.racks[0], "table")
    for tiles in ((state.pool[0],), (state.racks[1][0],), (HIDDEN,), (Tile(999),), (state.racks[0][0],) * 2):
        with pytest.raises(ActionError):
            TurnStart.seen(rules, seen).check_tiles(tiles, "table")


def test_of_a_set_that_is_parted_the_larger_part_counts_as_unmoved() -> None:
    first = book("wrc11").tiles.every_tile
    assert moved_tiles((first[1:6],), (first[1:4], first[4:7])) == {4, 5}
    assert moved_tiles((first[1:4],), (first[1:5],)) == set()
    assert moved_tiles((first[1:4], first[4:7]), (first[4:7], first[1:4])) == set()
