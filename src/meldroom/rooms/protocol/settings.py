"""The settings of a room: book, seats, clock, spectators."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

SEAT_OPEN = "open"
SEAT_ME = "me"

LONGEST_NAME = 24
LONGEST_WORD = 64
DEFAULT_STAND_IN = "club"

Stage = Literal["waiting", "playing", "over"]
BotSpeed = Literal["slow", "normal", "fast"]
Aid = Literal["take_back", "nothing_playable", "tiles_seen", "odds"]
Spectators = Literal["off", "live", "delayed"]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
Word = Annotated[str, msgspec.Meta(max_length=LONGEST_WORD)]
RoomCode = Annotated[str, msgspec.Meta(min_length=4, max_length=16, pattern=r"^[a-z0-9]+$")]


class TurnClock(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The time for a turn: the book's own, none, `amount` seconds (15–300) or `amount` hours (1–168).

    `extra` is how many seconds a player may add, once in each turn; 0 for none.
    """

    kind: Literal["book", "off", "seconds", "hours"] = "book"
    amount: Annotated[int, msgspec.Meta(ge=0, le=300)] = 0
    extra: Annotated[int, msgspec.Meta(ge=0, le=300)] = 0


class Aids(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Casual aids that a table allows. None is the default: on for one person alone against bots.

    `take_back`: take back one's last turn, only ever against bots. `nothing_playable`: be told so.
    `tiles_seen`: a panel of what lies open. `odds`: the chances of the next tile.
    """

    take_back: bool | None = None
    nothing_playable: bool | None = None
    tiles_seen: bool | None = None
    odds: bool | None = None


class Settings(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The settings of a room. `games` is None for as many as the book's match has.

    A house book travels whole in `house`; `book` is its id. Without a `book_version` a new room is opened by
    the present one, which its settings then name.

    With `planning` players may arrange tiles off turn, for their own eyes. `bot_speed` is how long bots take
    at least, `aids` what else the table allows. With `puzzles` its games may become puzzles.

    After `stand_in_after` time-outs in a row (0: never) a bot of level `stand_in` takes over. Delayed
    spectators see everything a minute late.
    """

    book: str
    options: dict[str, str | int | bool] = {}
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2
    games: Annotated[int, msgspec.Meta(ge=1, le=16)] | None = 1
    clock: TurnClock = TurnClock()
    public: bool = False
    spectators: Spectators = "off"
    hints: bool = True
    stand_in_after: Annotated[int, msgspec.Meta(ge=0, le=10)] = 2
    stand_in: str = DEFAULT_STAND_IN
    house: dict[str, Any] | None = None
    planning: bool = True
    bot_speed: BotSpeed = "normal"
    aids: Aids = Aids()
    puzzles: bool = False
    book_version: Word = ""


class ChampionshipTable(msgspec.Struct, frozen=True, gc=False):
    """The championship's table that is played in a room; `number` is the table's."""

    championship: str
    stage: str
    sitting: int
    number: int


class OpenRoom(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A request for a new room. `chairs` has an entry for each seat: "me", "open" or a bot's level.

    With `begin` the first game starts at once, which needs every seat taken. `word` is the host's
    contribution to the shuffle. No bot gets one of the `other_names`.
    """

    settings: Settings
    chairs: tuple[str, ...]
    begin: bool = False
    word: Word = ""
    other_names: Annotated[tuple[Name, ...], msgspec.Meta(max_length=8)] = ()
