"""Actions: what a player, the referee or the clock asks of a game. Each names the seat it is about."""

from __future__ import annotations

from typing import Literal

import msgspec

from meldroom.tiles import Face, Tile

TileSets = tuple[tuple[Tile, ...], ...]


class _Action(msgspec.Struct, frozen=True, gc=False, tag_field="action", omit_defaults=True):
    seat: int


class Draw(_Action, frozen=True, tag="draw"):
    """Draw one tile; this ends the turn (R13)."""


class Lay(_Action, frozen=True, tag="lay", kw_only=True):
    """Lay tiles: the whole table as it will be. `stated` gives announced jokers by set (R10)."""

    table: TileSets
    stated: dict[int, tuple[Face, ...]] = {}


class Pass(_Action, frozen=True, tag="pass"):
    """Do nothing, when the pool is empty."""


class RequestRedeal(_Action, frozen=True, tag="request_redeal", kw_only=True):
    """Ask for a fresh start, showing the doubles (R6)."""

    tiles: tuple[Tile, ...]


class Withdraw(_Action, frozen=True, tag="withdraw"):
    """Leave the game: the rack stays and is counted, turns are skipped (R50)."""


class Resign(_Action, frozen=True, tag="resign"):
    """Give the game up: as after a withdrawal the rack stays, but whoever is left alone has won at once."""


class TimeOut(_Action, frozen=True, tag="time_out", kw_only=True):
    """The clock has run out; `table` is what lies there, None if nothing was touched (R24–R26)."""

    table: TileSets | None = None
    stated: dict[int, tuple[Face, ...]] = {}


class RuleLeftovers(_Action, frozen=True, tag="rule_leftovers", kw_only=True):
    """The referee restores the table without the tiles whose place nobody can name (R29, R30)."""

    table: TileSets
    leftovers: tuple[Tile, ...]


class Move(msgspec.Struct, frozen=True, gc=False):
    """One tile put on a rack, in a set of the table or a new one, on or under the pool, on the discards.

    Under a laying-off book a meld can be taken back tile by tile, but only players lay melds.
    """

    tile: Tile
    to: Literal["rack", "table", "pool_top", "pool_bottom", "discards"]
    index: int = 0


class Correct(_Action, frozen=True, tag="correct", kw_only=True):
    """The referee corrects the position. `seat` has the turn afterwards; nothing else is touched."""

    reason: str
    moves: tuple[Move, ...] = ()
    melded: dict[int, bool] = {}


class Abandon(_Action, frozen=True, tag="abandon", kw_only=True):
    """The game ends without a result, by agreement or by the referee."""

    reason: str


class Take(_Action, frozen=True, tag="take", kw_only=True):
    """Rummy-O: take a tile from the stock or the last discard (R52)."""

    source: Literal["stock", "discard"]


class MeldPlay(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A meld as it will be: tiles in order, its owner, and how one numbered tile with jokers is meant."""

    tiles: tuple[Tile, ...]
    owner: int
    kind: Literal["run", "group"] | None = None


class Play(_Action, frozen=True, tag="play", kw_only=True):
    """Rummy-O: all melds as they will be, old ones first and in their order, and the discard (R58)."""

    melds: tuple[MeldPlay, ...]
    discard: Tile | None


class Discard(_Action, frozen=True, tag="discard", kw_only=True):
    """Rummy-O: discard without laying anything; the starter's whole opening turn (R51)."""

    tile: Tile


Action = (
    Draw
    | Lay
    | Pass
    | RequestRedeal
    | Withdraw
    | Resign
    | TimeOut
    | RuleLeftovers
    | Correct
    | Abandon
    | Take
    | Play
    | Discard
)
