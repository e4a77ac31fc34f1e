"""A game from its events alone: its state, the places of the sets, and what the last turn changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from meldroom.game import events as ev
from meldroom.game.actions import TileSets
from meldroom.game.fold import created, evolve
from meldroom.game.state import State
from meldroom.rooms.domain.changed_tiles import changed_tiles
from meldroom.rooms.domain.set_places import in_place
from meldroom.rules.book import RuleBook
from meldroom.tiles import Tile


class Replayed(NamedTuple):
    """A game after some events, its table with every set in its place, and the tiles of the last turn."""

    game: State
    table: TileSets
    changed: tuple[Tile, ...]


def replayed(book: RuleBook, events: Sequence[ev.Event]) -> Replayed:
    """The game after these events, which begin with its creation and end where a turn begins."""
    first, *rest = events
    assert isinstance(first, ev.GameCreated)
    game = before = replace(created(first), book=book)
    table: TileSets = ()
    changed: tuple[Tile, ...] = ()
    turn: list[ev.Event] = []
    for event in rest:
        after = evolve(game, event)
        if after.table is not game.table:
            table = in_place(table, after.table)
        game = after
        turn.append(event)
        if isinstance(event, ev.TurnBegan):
            changed = changed_tiles(before, game, turn)
            before, turn = game, []
    return Replayed(game, table, changed)
