"""A state that looks like a view: enough to judge, list and solve what its player may do."""

from __future__ import annotations

import random

from msgspec.structs import replace

from meldroom.game.state import State, tiles_in
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.tiles import HIDDEN, Tile


def state_from_view(book: RuleBook, view: View) -> State:
    """What a view shows, as a state. Tiles that the viewer does not see are HIDDEN.

    What a player may do never depends on hidden tiles; see `fill_hidden` where every tile is needed.
    """
    racks = view.racks
    if racks is None:
        sizes = enumerate(view.rack_sizes)
        racks = tuple(view.rack if seat == view.me else (HIDDEN,) * size for seat, size in sizes)
    return State(
        book=book,
        players=view.players,
        game=view.game,
        commitment=view.commitment,
        stand_ins=view.stand_ins,
        phase=view.phase,
        starter=view.starter,
        seat=view.seat,
        deals=view.deals,
        racks=racks,
        pool=(HIDDEN,) * view.pool_size,
        table=view.table,
        melds=view.melds,
        discards=view.discards,
        melded=view.melded,
        withdrawn=view.withdrawn,
        begun=tuple(n + (seat == view.seat) for seat, n in enumerate(view.turns)),
        turns=view.turns,
        drawn=tuple(view.drawn if seat == view.me else () for seat in range(len(racks))),
        exhausted=view.exhausted,
        queue=view.queue,
        passes=view.passes,
        reshuffles=view.reshuffles,
        result=view.result,
    )


def fill_hidden(state: State, chance: random.Random | None = None) -> State:
    """A complete state that looks the same: hidden tiles in the order of the box, or at random."""
    known = set(tiles_in(state))
    if HIDDEN not in known:
        return state
    left = [tile for tile in state.book.tiles.every_tile if tile not in known]
    if chance is not None:
        chance.shuffle(left)
    hidden = iter(left)

    def filled(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        return tuple(next(hidden) if tile == HIDDEN else tile for tile in tiles)

    racks = tuple(map(filled, state.racks))
    return replace(state, racks=racks, pool=filled(state.pool))
