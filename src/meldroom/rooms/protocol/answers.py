"""What the server says: answers to commands, and what happens in a room. Times are in ms since 1970."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from meldroom.game.actions import MeldPlay, TileSets
from meldroom.game.views import View
from meldroom.rooms.protocol.settings import EventTable, Settings
from meldroom.rules.laying_off import Outcome
from meldroom.tiles import Tile


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """One violation in the public shape of `meldroom check`; `set` points at a set of the draft."""

    code: str
    clause: str
    ruling: str
    message: str
    set: int | None = None


class Judgement(msgspec.Struct, frozen=True):
    """What a draft amounts to: of each set whether it may lie so, the opening's count, every fault."""

    legal: bool
    marks: tuple[bool, ...]
    unplaced: tuple[Tile, ...]
    laid: int
    points: int
    needed: int
    faults: tuple[Fault, ...]
    outcome: Outcome | None = None


class HintStep(msgspec.Struct, frozen=True):
    """A rung of the ladder: a sentence, and at the last one the table it leads to."""

    step: int
    steps: int
    text: str
    table: TileSets | None = None


class Error(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a command was refused. `place` names the field; `rev` is the current one, for a stale command."""

    code: str
    message: str
    place: str = ""
    faults: tuple[Fault, ...] = ()
    rev: int | None = None
    retry_ms: int | None = None


class _Message(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    pass


class Welcome(_Message, frozen=True, tag="welcome", kw_only=True):
    """The answer to hello: who one is, and the server's time."""

    id: str
    version: int
    player: str
    name: str
    now: int


class Done(_Message, frozen=True, tag="done", kw_only=True):
    """A command was carried out; what it changed is durable. The fields are those the command asks for."""

    id: str
    now: int
    rev: int | None = None
    judgement: Judgement | None = None
    hint: HintStep | None = None


class Refused(_Message, frozen=True, tag="refused", kw_only=True):
    """A command was not carried out; nothing has changed. `id` is empty if it could not be read."""

    id: str
    error: Error


class SeatView(msgspec.Struct, frozen=True):
    """A seat: open, a person or a bot. `stand_in` is the level of the bot playing for an absent person.

    A seat that is `kept` is for the entrant of this name alone, also while it is open.
    """

    kind: Literal["open", "person", "bot"]
    name: str = ""
    level: str | None = None
    present: bool = False
    stand_in: str | None = None
    timeouts: int = 0
    kept: bool = False


class ChatLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of chat; `seat` is None for a spectator."""

    at: int
    name: str
    seat: int | None = None
    text: str = ""
    phrase: str | None = None


class SheetLine(msgspec.Struct, frozen=True):
    """One seat on the score sheet: the number, why it is that in a sentence, and where that stands."""

    score: int
    why: str
    clause: str
    ruling: str
    rack: tuple[Tile, ...]


class MatchView(msgspec.Struct, frozen=True):
    """The match so far: `played` of `games`, totals and wins by seat, the winners once it is over."""

    games: int
    played: int
    scores: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    wins: tuple[int, ...]
    winners: tuple[int, ...] | None


class RoomView(msgspec.Struct, frozen=True, kw_only=True):
    """A room as one person sees it; `me` is None for a spectator.

    `rev` is what an action must name: it grows with every game event, not with chat. `changed` are the tiles
    that the last turn laid or moved. `sheet` and `secret` are there when a game is over; `record` is then the
    id under which it is kept. `commitment` is the seal of the next game's shuffle, before it is dealt.
    `event` is the championship's table that is played here, `next_at` when its next game begins by itself.
    """

    room: str
    stage: Literal["waiting", "playing", "over"]
    settings: Settings
    seats: tuple[SeatView, ...]
    me: int | None
    host: bool
    rev: int
    game: View | None
    match: MatchView
    deadline: int | None = None
    turn_began: int | None = None
    extra_used: bool = False
    changed: tuple[Tile, ...] = ()
    draft: TileSets | None = None
    draft_melds: tuple[MeldPlay, ...] | None = None
    agreed_end: tuple[int, ...] = ()
    agreed_next: tuple[int, ...] = ()
    asked_stand_in: dict[int, tuple[int, ...]] = {}
    spectators: int = 0
    chat: tuple[ChatLine, ...] = ()
    sheet: tuple[SheetLine, ...] | None = None
    secret: str | None = None
    contributions: tuple[str, ...] | None = None
    record: str | None = None
    notice: str = ""
    commitment: str = ""
    event: EventTable | None = None
    next_at: int | None = None


class Update(_Message, frozen=True, tag="update", kw_only=True):
    """What happened in a room after `since` and up to `seq`, as its receiver may know it, and how it is now.

    With `snapshot`, the events are left out: too many were missed, or the room was just entered.
    """

    room: str
    since: int
    seq: int
    now: int
    events: tuple[dict[str, Any], ...]
    view: RoomView
    snapshot: bool = False


class Drafted(_Message, frozen=True, tag="drafted", kw_only=True):
    """What the player to move has on the table now; not kept. All None is a reset."""

    room: str
    rev: int
    seat: int
    table: TileSets | None = None
    melds: tuple[MeldPlay, ...] | None = None


class Presence(_Message, frozen=True, tag="presence", kw_only=True):
    """Who is connected now, by seat, and how many look on."""

    room: str
    present: tuple[bool, ...]
    spectators: int


class Bye(_Message, frozen=True, tag="bye", kw_only=True):
    """The server ends the connection, and why: too slow, too many messages, shutting down, signed out."""

    code: str
    message: str


Message = Welcome | Done | Refused | Update | Drafted | Presence | Bye
