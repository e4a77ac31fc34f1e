"""The position as an immutable value. It is always the fold of the events so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.sets import Reading
from meldroom.tiles import HIDDEN, Face, Tile

Phase = Literal["created", "ready", "turn", "opening_discard", "take", "play", "over"]


class Meld(msgspec.Struct, frozen=True):
    """Rummy-O: an exposed meld. `holders` says in front of whom each tile counts (R56, R60)."""

    tiles: tuple[Tile, ...]
    owner: int
    holders: tuple[int, ...]
    reading: Reading


class Result(msgspec.Struct, frozen=True):
    """How a game ended: scores by seat and the winners' seats (empty when nobody won)."""

    end: Literal["out", "exhausted", "abandoned"]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    going_out: Literal["open", "foot", "hand"] | None = None


class State(msgspec.Struct, frozen=True):
    """Everything about one game, hidden parts included: never handed to a player (see `view`).

    `begun` and `turns` count the turns each player began and completed; `drawn` holds what they took since
    their last own turn began (R43); `queue` the final turns still to come; the pool's first tile is its top.
    """

    book: RuleBook
    players: tuple[str, ...]
    game: int = 1
    commitment: str = ""
    stand_ins: tuple[Tile, ...] = ()
    phase: Phase = "created"
    starter: int = -1
    seat: int = -1
    deals: int = 0
    racks: tuple[tuple[Tile, ...], ...] = ()
    pool: tuple[Tile, ...] = ()
    table: tuple[tuple[Tile, ...], ...] = ()
    melds: tuple[Meld, ...] = ()
    discards: tuple[Tile, ...] = ()
    melded: tuple[bool, ...] = ()
    withdrawn: tuple[bool, ...] = ()
    begun: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()
    drawn: tuple[tuple[Tile, ...], ...] = ()
    exhausted: bool = False
    queue: tuple[int, ...] | None = None
    passes: int = 0
    reshuffles: int = 0
    result: Result | None = None

    @property
    def over(self) -> bool:
        """True when the game has ended."""
        return self.phase == "over"

    @property
    def final(self) -> bool:
        """True while each player has one last turn."""
        return self.queue is not None

    def faces(self, tiles: tuple[Tile, ...]) -> tuple[Face, ...]:
        """The faces of some tiles."""
        face_of = self.book.tiles.face_of
        return tuple([face_of[tile] for tile in tiles])

    def face_table(self, table: tuple[tuple[Tile, ...], ...] | None = None) -> tuple[tuple[Face, ...], ...]:
        """The faces of the table, or of another arrangement."""
        face_of = self.book.tiles.face_of
        sets = self.table if table is None else table
        return tuple([tuple([face_of[tile] for tile in tiles]) for tiles in sets])


def tiles_in(state: State) -> Iterator[Tile]:
    """Every tile of a dealt game, wherever it lies."""
    yield from state.pool
    yield from state.discards
    for tiles in (*state.racks, *state.table, *(meld.tiles for meld in state.melds)):
        yield from tiles


def conserved(state: State) -> bool:
    """The law of conservation: the tiles of a dealt game are exactly the tile set, some perhaps unknown."""
    found = sorted(tiles_in(state))
    if not state.deals or not found or found[0] >= 0:
        return found == list(range(state.book.tiles.size if state.deals else 0))
    known = [tile for tile in found if tile != HIDDEN]
    return (
        len(found) == state.book.tiles.size and len(set(known)) == len(known) and min(known, default=0) >= 0
    )
