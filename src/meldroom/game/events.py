"""Events: what happened. A game is its list of events; everything else is computed from it."""

from __future__ import annotations

from typing import Literal

import msgspec

from meldroom.game.actions import Move, TileSets
from meldroom.game.state import End, Meld
from meldroom.rules.book import BookRef
from meldroom.tiles import Face, Tile

Turned = tuple[tuple[int, Tile], ...]


class _Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", omit_defaults=True):
    pass


class GameCreated(_Event, frozen=True, tag="game_created"):
    """A table was set up: book, players in seat order, number of the game in its match, commitment.

    `stand_ins` are lost tiles for which a blank of the box is used in the whole game (R4).
    """

    book: BookRef
    players: tuple[str, ...]
    game: int = 1
    commitment: str = ""
    stand_ins: tuple[Tile, ...] = ()


class StarterChosen(_Event, frozen=True, tag="starter_chosen"):
    """Who begins. `rounds` are the tiles turned over, seat by seat; empty if the seat was given (R3)."""

    seat: int
    rounds: tuple[Turned, ...] = ()


class Dealt(_Event, frozen=True, tag="dealt"):
    """Tiles were mixed and dealt; the deal's number belongs to its shuffle label."""

    number: int
    racks: tuple[tuple[Tile, ...], ...]
    pool: tuple[Tile, ...]


class RedealGranted(_Event, frozen=True, tag="redeal_granted"):
    """A player showed enough doubles: the deal is void (R6)."""

    seat: int
    tiles: tuple[Tile, ...]


class TurnBegan(_Event, frozen=True, tag="turn_began"):
    """The turn, and the clock, passed to a player."""

    seat: int


class Drew(_Event, frozen=True, tag="drew"):
    """A player drew a tile, which ends the turn."""

    seat: int
    tile: Tile


class Laid(_Event, frozen=True, tag="laid"):
    """A player laid tiles: the table afterwards, and which tiles came from the rack."""

    seat: int
    table: TileSets
    tiles: tuple[Tile, ...]
    stated: dict[int, tuple[Face, ...]] = {}


class Passed(_Event, frozen=True, tag="passed"):
    """A player passed with the pool empty."""

    seat: int


class TimedOut(_Event, frozen=True, tag="timed_out"):
    """The clock ran out. What lay on the table is judged by the event that follows."""

    seat: int
    touched: bool


class Penalised(_Event, frozen=True, tag="penalised"):
    """The table was restored and the player drew penalty tiles. `codes` are the faults of the turn."""

    seat: int
    cause: Literal["time", "declared", "leftovers"]
    tiles: tuple[Tile, ...]
    codes: tuple[str, ...] = ()


class LeftoversRuled(_Event, frozen=True, tag="leftovers_ruled"):
    """The referee restored the table as far as anyone could; the leftovers went to rack or pool."""

    seat: int
    table: TileSets
    leftovers: tuple[Tile, ...]
    to: Literal["rack", "under_pool"]


class Withdrew(_Event, frozen=True, tag="withdrew"):
    """A player left; the rack stays as it is."""

    seat: int


class Resigned(_Event, frozen=True, tag="resigned"):
    """A player gave the game up; the rack stays as it is and cannot win any more."""

    seat: int


class Corrected(_Event, frozen=True, tag="corrected"):
    """The referee corrected the position, for a reason."""

    seat: int
    reason: str
    moves: tuple[Move, ...] = ()
    melded: dict[int, bool] = {}


class PoolExhausted(_Event, frozen=True, tag="pool_exhausted"):
    """The last tile was taken. `order` are the final turns, empty where play simply goes on."""

    order: tuple[int, ...] = ()


class Took(_Event, frozen=True, tag="took"):
    """Rummy-O: a player took a tile."""

    seat: int
    source: Literal["stock", "discard"]
    tile: Tile


class Played(_Event, frozen=True, tag="played"):
    """Rummy-O: melds as they lie after a play, and the tiles that left the rack for the table."""

    seat: int
    melds: tuple[Meld, ...]
    tiles: tuple[Tile, ...]
    outcome: str


class Discarded(_Event, frozen=True, tag="discarded"):
    """Rummy-O: a tile was discarded, which ends the turn."""

    seat: int
    tile: Tile


class Reshuffled(_Event, frozen=True, tag="reshuffled"):
    """Rummy-O: all discards but the last became the new stock (R61)."""

    number: int
    stock: tuple[Tile, ...]


class GameEnded(_Event, frozen=True, tag="game_ended"):
    """The game is over: racks are frozen and counted (R46)."""

    end: End
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    going_out: Literal["open", "foot", "hand"] | None = None
    reason: str = ""


class ShuffleRevealed(_Event, frozen=True, tag="shuffle_revealed"):
    """The secret and the players' contributions, after the game: anyone can compute every draw."""

    secret: str
    contributions: tuple[str, ...] = ()


Event = (
    GameCreated
    | StarterChosen
    | Dealt
    | RedealGranted
    | TurnBegan
    | Drew
    | Laid
    | Passed
    | TimedOut
    | Penalised
    | LeftoversRuled
    | Withdrew
    | Resigned
    | Corrected
    | PoolExhausted
    | Took
    | Played
    | Discarded
    | Reshuffled
    | GameEnded
    | ShuffleRevealed
)
