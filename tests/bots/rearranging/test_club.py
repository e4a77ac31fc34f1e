"""Club looks at many sets in one call of the kernel, and plays as if it looked at them one by one."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from meldroom.bots import Clock, make_bot
from meldroom.bots.game_loop import Game
from meldroom.bots.rearranging.base import best_or_none
from meldroom.bots.rearranging.club import Club
from meldroom.game import Shuffle
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book, house_book
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.tiles import Face

THREE_COPIES = house_book(
    {
        "id": "three-copies",
        "version": "1",
        "base": "wrc11",
        "tiles": {"colours": ["K", "R", "B"], "numbers": 6, "copies": 3, "jokers": 2},
        "deal": {"tiles": 8, "starter_tiles": 8},
        "opening": {"points": 9},
    }
)
"""More equal tiles than the kernel counts."""


def one_by_one(rules: RuleBook, table: FaceTable, rack: FaceSet) -> tuple[tuple[int, ...], int] | None:
    """The sets a club player opens next and the tiles it lays, each view solved on its own."""
    tiles = rules.tiles

    def beside(one: Face, other: Face) -> bool:
        if tiles.joker in (one, other):
            return True
        apart = abs(tiles.number_of[one] - tiles.number_of[other])
        return apart == 0 or (tiles.colour_of[one] == tiles.colour_of[other] and apart <= 2)

    near = [i for i, faces in enumerate(table) if any(beside(a, b) for a in faces for b in rack)]
    best: tuple[tuple[int, ...], int] | None = None
    for opened in chain(((),), ((i,) for i in near), combinations(near, 2)):
        laid = best_or_none(rules, tuple(table[i] for i in opened), rack).tiles
        if laid > (best[1] if best else 0):
            best = opened, laid
        elif best and len(opened) == 2 and best[1] > 1:
            break
    return best


@pytest.mark.parametrize(
    ("rules", "players"),
    [(book("wrc11"), 2), (book("tml"), 3), (THREE_COPIES, 2)],
    ids=lambda value: value.id if isinstance(value, RuleBook) else None,
)
def test_steps_are_those_of_looking_at_sets_one_by_one(rules: RuleBook, players: int) -> None:
    game = Game(rules, [f"Player {seat}" for seat in range(players)], Shuffle("club"))
    bots = [make_bot("club", rules, seed=str(seat)) for seat in range(players)]
    compared = 0
    while not game.over and compared < 40:
        view = game.view()
        face_of = rules.tiles.face_of
        table = tuple(tuple(face_of[tile] for tile in tiles) for tiles in view.table)
        rack = tuple(face_of[tile] for tile in view.rack)
        if view.melded[view.own_seat]:
            expected = one_by_one(rules, table, rack)
            step = Club(rules)._step(table, rack, {}, None)
            assert (step is None) == (expected is None)
            if step is not None and expected is not None:
                opened, laid = expected
                kept = tuple(faces for i, faces in enumerate(table) if i not in opened)
                assert step[0][: len(kept)] == kept
                assert len(rack) - len(step[1]) == laid
            compared += 1
        game.apply(bots[game.state.seat].act(view, Clock()))
    assert compared > 10


def test_interpreted_kernels_let_it_play_the_same(kernels: str) -> None:
    game = Game(book("tml"), ["A", "B"], Shuffle("same"))
    bots = [make_bot("club", book("tml"), seed=str(seat)) for seat in range(2)]
    for _ in range(24):
        game.apply(bots[game.state.seat].act(game.view(), Clock()))
    assert sorted(map(len, game.state.racks)) == RACKS


RACKS = [5, 6]
"""How many tiles both hold after twenty-four turns."""
