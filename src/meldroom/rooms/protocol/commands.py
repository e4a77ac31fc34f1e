"""What a client may say over its socket. Every command has an id, which its answer repeats."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from meldroom.game.actions import (
    Discard,
    Draw,
    Lay,
    MeldPlay,
    Pass,
    Play,
    RequestRedeal,
    Take,
    TileSets,
    Withdraw,
)
from meldroom.i18n import Language
from meldroom.rooms.protocol.settings import RoomCode, Word
from meldroom.tiles import Face, Tile

VERSION = 1
LONGEST_TEXT = 300
LARGEST_FRAME = 16_384

RequestId = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
PlayerAction = Draw | Lay | Pass | RequestRedeal | Withdraw | Take | Play | Discard
Phrase = Literal["hello", "good_luck", "nice", "thanks", "sorry", "one_moment", "well_played", "goodbye"]


class _Command(msgspec.Struct, frozen=True, tag_field="do", kw_only=True):
    id: RequestId


class _InRoom(_Command, frozen=True, kw_only=True):
    room: RoomCode


class Hello(_Command, frozen=True, tag="hello", kw_only=True):
    """First of all: the protocol's version, the language of answers, and a bot's token where no cookie is."""

    version: int
    language: Language = "en"
    token: Annotated[str, msgspec.Meta(max_length=100)] | None = None


class Ping(_Command, frozen=True, tag="ping", kw_only=True):
    """Heartbeat; the answer carries the server's time."""


class Enter(_InRoom, frozen=True, tag="enter", kw_only=True):
    """Be told of a room from now on. `since` is the last seq the client has: it gets what it missed."""

    since: int | None = None


class Leave(_InRoom, frozen=True, tag="leave", kw_only=True):
    """Be told no more. The seat is kept."""


class Sit(_InRoom, frozen=True, tag="sit", kw_only=True):
    """Take an open seat before the game; `word` goes into the shuffle."""

    seat: int
    word: Word = ""


class Claim(_InRoom, frozen=True, tag="claim", kw_only=True):
    """Take the chair that is kept for oneself at an event's table, at any time and from any device.

    `key` is the personal one from the entrant's link; `word` goes into the next shuffle.
    """

    key: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    word: Word = ""


class StandUp(_InRoom, frozen=True, tag="stand_up", kw_only=True):
    """Give up one's seat before the game or between two games."""


class SeatBot(_InRoom, frozen=True, tag="seat_bot", kw_only=True):
    """The host puts a bot of a level on an open seat."""

    seat: int
    level: str


class ClearSeat(_InRoom, frozen=True, tag="clear_seat", kw_only=True):
    """The host frees a seat before the game."""

    seat: int


class Begin(_InRoom, frozen=True, tag="begin", kw_only=True):
    """The host begins the first game; every seat must be taken."""


class Act(_InRoom, frozen=True, tag="act", kw_only=True):
    """A player's action. `rev` is the revision it was decided on; a stale one is refused with the current."""

    rev: int
    action: PlayerAction


class Draft(_InRoom, frozen=True, tag="draft", kw_only=True):
    """The table as the player to move has it under his hands; the answer judges it, the others watch it.

    Rearranging books use `table` (and `stated`), Rummy-O `melds` and `discard`. Nothing at all is a reset.
    """

    rev: int
    table: TileSets | None = None
    stated: dict[int, tuple[Face, ...]] = {}
    melds: tuple[MeldPlay, ...] | None = None
    discard: Tile | None = None


class ExtraTime(_InRoom, frozen=True, tag="extra_time", kw_only=True):
    """Add the agreed seconds to this turn, once."""

    rev: int


class Hint(_InRoom, frozen=True, tag="hint", kw_only=True):
    """Ask for help, where the room allows it: step 1 is the faintest; the last one shows the play."""

    rev: int
    step: Annotated[int, msgspec.Meta(ge=1, le=20)]


class Agree(_InRoom, frozen=True, tag="agree", kw_only=True):
    """Say yes, or take it back: to end the game without a result, or to play the next game or a rematch."""

    to: Literal["end", "next"]
    yes: bool = True


class StandIn(_InRoom, frozen=True, tag="stand_in", kw_only=True):
    """Ask that a bot plays for a player who is not there; all who are there must ask."""

    seat: int


class Reclaim(_InRoom, frozen=True, tag="reclaim", kw_only=True):
    """Take one's seat back from the bot that stood in."""


class Say(_InRoom, frozen=True, tag="say", kw_only=True):
    """A line of chat, or a quick phrase that everybody reads in his own language."""

    text: Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)] = ""
    phrase: Phrase | None = None


Command = (
    Hello
    | Ping
    | Enter
    | Leave
    | Sit
    | Claim
    | StandUp
    | SeatBot
    | ClearSeat
    | Begin
    | Act
    | Draft
    | ExtraTime
    | Hint
    | Agree
    | StandIn
    | Reclaim
    | Say
)
