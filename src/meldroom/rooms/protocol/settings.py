"""What is agreed about a room before anybody plays: book, seats, clock, who may look on."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

SEAT_OPEN = "open"
SEAT_ME = "me"

LONGEST_NAME = 24
LONGEST_WORD = 64
DEFAULT_STAND_IN = "club"

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
Word = Annotated[str, msgspec.Meta(max_length=LONGEST_WORD)]
RoomCode = Annotated[str, msgspec.Meta(min_length=4, max_length=16, pattern=r"^[a-z0-9]+$")]


class TurnClock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Time for a turn: the book's own, none, so many seconds (15–300), or so many hours (1–168) a move.

    `extra` are the seconds a player may add once in each turn; 0 when he may not.
    """

    kind: Literal["book", "off", "seconds", "hours"] = "book"
    amount: Annotated[int, msgspec.Meta(ge=0, le=300)] = 0
    extra: Annotated[int, msgspec.Meta(ge=0, le=300)] = 0


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The agreement of a room. `games` is None for as many as the book's match has.

    After `stand_in_after` turns in a row that ended by the clock a bot of `stand_in` level takes over
    (0: never). A delayed spectator sees everything `DELAY` seconds late.
    """

    book: str
    options: dict[str, str | int | bool] = {}
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2
    games: Annotated[int, msgspec.Meta(ge=1, le=16)] | None = 1
    clock: TurnClock = TurnClock()
    public: bool = False
    spectators: Literal["off", "live", "delayed"] = "off"
    hints: bool = True
    stand_in_after: Annotated[int, msgspec.Meta(ge=0, le=10)] = 2
    stand_in: str = DEFAULT_STAND_IN


class EventTable(msgspec.Struct, frozen=True):
    """The table of a championship that is played in a room: event, stage, sitting, the table's number."""

    event: str
    stage: str
    sitting: int
    number: int


class OpenRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a new room. `chairs` says who sits where: "me", "open" or a bot's level, seat by seat.

    With `begin`, the first game starts at once; that needs every chair taken. `word` is the host's own part
    of the shuffle.
    """

    settings: Settings
    chairs: tuple[str, ...]
    begin: bool = False
    word: Word = ""
