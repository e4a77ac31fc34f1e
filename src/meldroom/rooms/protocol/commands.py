"""The commands that a client sends. Every command has an id, which its answer repeats."""

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
from meldroom.rooms.protocol.settings import BotSpeed, RoomCode, Word
from meldroom.tiles import Face, Tile

VERSION = 2
LONGEST_ID = 40
LONGEST_TEXT = 300
LARGEST_FRAME = 16_384

RequestId = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_ID)]
PlayerAction = Draw | Lay | Pass | RequestRedeal | Withdraw | Take | Play | Discard
Phrase = Literal["hello", "good_luck", "nice", "thanks", "sorry", "one_moment", "well_played", "goodbye"]
Reaction = Literal["applause", "smile", "surprise", "thinking", "well_played"]
Topic = Literal["lobby", "games", "friends", "invitations", "profile", "championships", "league"]
LONGEST_OF = 100


class _Command(msgspec.Struct, frozen=True, gc=False, tag_field="do", kw_only=True):
    id: RequestId


class _InRoom(_Command, frozen=True, kw_only=True):
    room: RoomCode


class Hello(_Command, frozen=True, tag="hello", kw_only=True):
    """The first command: protocol version, language of answers, and a token if there is no cookie.

    A `visitor` is welcomed without a session, and can follow public topics only.
    """

    version: int
    language: Language = "en"
    token: Annotated[str, msgspec.Meta(max_length=100)] | None = None
    visitor: bool = False


class Ping(_Command, frozen=True, tag="ping", kw_only=True):
    """Heartbeat; the answer carries the server's time."""


class _AboutTopic(_Command, frozen=True, kw_only=True):
    topic: Topic
    of: Annotated[str, msgspec.Meta(max_length=LONGEST_OF)] = ""


class Follow(_AboutTopic, frozen=True, tag="follow", kw_only=True):
    """Get a list now, and again whenever it has changed. `of` is a league's code, or `code/class`."""


class Unfollow(_AboutTopic, frozen=True, tag="unfollow", kw_only=True):
    """Get a list no longer."""


class Enter(_InRoom, frozen=True, tag="enter", kw_only=True):
    """Follow a room. With `since`, the last `seq` the client has, it also gets what it missed."""

    since: int | None = None


class Leave(_InRoom, frozen=True, tag="leave", kw_only=True):
    """Stop following a room. A seat in it stays taken."""


class Sit(_InRoom, frozen=True, tag="sit", kw_only=True):
    """Take an open seat before a game; `word` is your contribution to the shuffle."""

    seat: int
    word: Word = ""


class Claim(_InRoom, frozen=True, tag="claim", kw_only=True):
    """Take your reserved seat at a championship's table, at any time and from any device.

    `key` is the one from your personal link; `word` is your contribution to the next shuffle.
    """

    key: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    word: Word = ""


class StandUp(_InRoom, frozen=True, tag="stand_up", kw_only=True):
    """Leave your seat, before the first game or between two games."""


class SeatBot(_InRoom, frozen=True, tag="seat_bot", kw_only=True):
    """Host only: put a bot on an open seat."""

    seat: int
    level: str


class ClearSeat(_InRoom, frozen=True, tag="clear_seat", kw_only=True):
    """Host only: open a seat again, before the first game or between two games."""

    seat: int


class Begin(_InRoom, frozen=True, tag="begin", kw_only=True):
    """Host only: start the first game. Every seat must be taken."""


class Ready(_InRoom, frozen=True, tag="ready", kw_only=True):
    """Say that play may begin, in the start phase after a deal. Doubles may be shown until it does (R69)."""

    rev: int


class Act(_InRoom, frozen=True, tag="act", kw_only=True):
    """Take an action. `rev` is the revision it was decided on; an older one is refused as `stale`.

    In the start phase the starter's action says that they are ready; it is carried out if play begins with
    it. A redeal asked for with no `tiles` shows the doubles that are found on the rack.
    """

    rev: int
    action: PlayerAction


class Draft(_InRoom, frozen=True, tag="draft", kw_only=True):
    """Show the tiles as you are arranging them: the answer judges the draft, and the others see it.

    Rearranging books use `table` (and `stated`), Rummy-O `melds` and `discard`. Without any of them the draft
    is reset.
    """

    rev: int
    table: TileSets | None = None
    stated: dict[int, tuple[Face, ...]] = {}
    melds: tuple[MeldPlay, ...] | None = None
    discard: Tile | None = None


class Plan(_InRoom, frozen=True, tag="plan", kw_only=True):
    """Have an arrangement judged that nobody else sees, in or out of turn, where the room allows planning.

    The fields are those of `draft`. Nothing is kept.
    """

    rev: int
    table: TileSets | None = None
    stated: dict[int, tuple[Face, ...]] = {}
    melds: tuple[MeldPlay, ...] | None = None
    discard: Tile | None = None


class SetBotSpeed(_InRoom, frozen=True, tag="bot_speed", kw_only=True):
    """Host only: how long bots take at least, from their next turn on."""

    speed: BotSpeed


class ExtraTime(_InRoom, frozen=True, tag="extra_time", kw_only=True):
    """Add the extra seconds of the settings to your turn, once in a turn."""

    rev: int


class Hint(_InRoom, frozen=True, tag="hint", kw_only=True):
    """Ask for a hint, where the room allows them: step 1 is the faintest; the last one shows the play."""

    rev: int
    step: Annotated[int, msgspec.Meta(ge=1, le=20)]


class Playable(_InRoom, frozen=True, tag="playable", kw_only=True):
    """Ask whether anything can be played in your turn, where the room says so."""

    rev: int


class AskOdds(_InRoom, frozen=True, tag="odds", kw_only=True):
    """Ask for the odds of opening and of going out, where the room gives them, in your turn."""

    rev: int


class TakeBack(_InRoom, frozen=True, tag="take_back", kw_only=True):
    """Take back your last turn and what bots did since, alone against bots and where the room allows it."""

    rev: int


class Resign(_InRoom, frozen=True, tag="resign", kw_only=True):
    """Give the game up, in or out of turn. With one other player left, they have won."""


class Agree(_InRoom, frozen=True, tag="agree", kw_only=True):
    """Offer to end the game without a result or to play the next one; or withdraw the offer."""

    to: Literal["end", "next"]
    yes: bool = True


class StandIn(_InRoom, frozen=True, tag="stand_in", kw_only=True):
    """Vote for a bot to play for somebody who is away; everybody who is there must vote for it."""

    seat: int


class Reclaim(_InRoom, frozen=True, tag="reclaim", kw_only=True):
    """Take your seat back from the bot that stood in."""


class Say(_InRoom, frozen=True, tag="say", kw_only=True):
    """Send a chat message, or a quick phrase that everybody reads in their own language."""

    text: Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)] = ""
    phrase: Phrase | None = None


class React(_InRoom, frozen=True, tag="react", kw_only=True):
    """Show everybody a reaction for a moment; nothing is kept."""

    reaction: Reaction


Command = (
    Hello
    | Ping
    | Follow
    | Unfollow
    | Enter
    | Leave
    | Sit
    | Claim
    | StandUp
    | SeatBot
    | ClearSeat
    | Begin
    | Ready
    | Act
    | Draft
    | Plan
    | SetBotSpeed
    | ExtraTime
    | Hint
    | Playable
    | AskOdds
    | TakeBack
    | Resign
    | Agree
    | StandIn
    | Reclaim
    | Say
    | React
)
