"""The messages that the server sends: answers to commands, and updates. Times are in ms since 1970."""

from __future__ import annotations

from typing import Literal

import msgspec

from meldroom.game.actions import MeldPlay, TileSets
from meldroom.game.events import Event as GameEvent
from meldroom.game.views import View
from meldroom.i18n import Parts
from meldroom.rooms.protocol.commands import Phrase, Reaction, Topic
from meldroom.rooms.protocol.events import RoomEvent
from meldroom.rooms.protocol.settings import Aid, ChampionshipTable, Settings, Stage
from meldroom.rules.laying_off import Outcome
from meldroom.tiles import Tile


class Fault(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A violation of the rules, as in `meldroom check`; `set` is the index of the set in the draft.

    `parts` is the message with its tiles apart from its words.
    """

    code: str
    clause: str
    ruling: str
    message: str
    set: int | None = None
    parts: Parts = ()


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """A draft, judged. `marks` says of each set whether it is valid; `unplaced` are tiles in no valid set.

    `laid` counts the tiles from the rack. Until you have opened, `points` of the `needed` are on the table.
    """

    legal: bool
    marks: tuple[bool, ...]
    unplaced: tuple[Tile, ...]
    laid: int
    points: int
    needed: int
    faults: tuple[Fault, ...]
    outcome: Outcome | None = None


class HintLine(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A line of a hint, in parts, and what shows it on the table.

    `tiles` are to be looked at. `table`, or in Rummy-O `melds`, is the draft after this step, in which tiles
    on their way are sets of their own; `discard` is the tile to discard, `take` where to take one from.
    """

    parts: Parts
    tiles: tuple[Tile, ...] = ()
    table: TileSets | None = None
    melds: tuple[MeldPlay, ...] | None = None
    discard: Tile | None = None
    take: Literal["stock", "discard"] | None = None


class HintStep(msgspec.Struct, frozen=True, gc=False):
    """A hint, number `step` of `steps`, as text and line by line; the last one has the table it leads to."""

    step: int
    steps: int
    text: str
    table: TileSets | None = None
    lines: tuple[HintLine, ...] = ()


class DrawChance(msgspec.Struct, frozen=True, gc=False):
    """`good` of the `unseen` tiles would do: those of these `faces`."""

    good: int
    unseen: int
    faces: tuple[str, ...]


class Prospect(msgspec.Struct, frozen=True, gc=False):
    """Whether something can be done `now`, and how likely one more tile makes it; null: that can't be said.

    In Rummy-O, while a tile is to be taken, `now` is with the last discard and `draw` with one of the stock.
    """

    now: bool | None
    draw: DrawChance | None


class Odds(msgspec.Struct, frozen=True, gc=False):
    """The odds of opening, null for who has opened, and of going out, with the table as it is."""

    open: Prospect | None
    out: Prospect


class Error(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Why a command was refused. `place` names the field; `rev` is the current one, for a stale command.

    `faults` are the violations of a turn, each with its clause and ruling; `retry_ms` says when to try again.
    """

    code: str
    message: str
    place: str = ""
    faults: tuple[Fault, ...] = ()
    rev: int | None = None
    retry_ms: int | None = None


class _Message(msgspec.Struct, frozen=True, gc=False, tag_field="type", omit_defaults=True):
    pass


class Welcome(_Message, frozen=True, tag="welcome", kw_only=True):
    """The answer to `hello`: who you are, and the server's time."""

    id: str
    version: int
    player: str
    name: str
    now: int


class Done(_Message, frozen=True, tag="done", kw_only=True):
    """A command was carried out, and what it changed is durable.

    Drafts and refused turns have a `judgement`, hints a `hint`, and `odds` are odds. `playable` says whether
    anything can be played; it is missing where that can't be said.
    """

    id: str
    now: int
    rev: int | None = None
    judgement: Judgement | None = None
    hint: HintStep | None = None
    playable: bool | None = None
    odds: Odds | None = None


class Refused(_Message, frozen=True, tag="refused", kw_only=True):
    """A command was not carried out; nothing has changed. `id` is empty if it could not be decoded."""

    id: str
    error: Error


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """A seat: open, a person or a bot. `stand_in` is the level of the bot that plays for an absent person.

    `timeouts` counts the person's time-outs in a row, `infringements` the illegal or unfinished tables of
    this game that were put back (R68). A `reserved` seat is for the entrant of this name alone, also while it
    is open. `avatar` are the tiles that stand for whoever sits here (`R7 B7 *`);
    `profile` is a person's public id.
    """

    kind: Literal["open", "person", "bot"]
    name: str = ""
    level: str | None = None
    present: bool = False
    stand_in: str | None = None
    timeouts: int = 0
    reserved: bool = False
    avatar: str = ""
    profile: str = ""
    infringements: int = 0


class ChatLine(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A chat message, a text or a phrase; `seat` is null for a spectator."""

    at: int
    name: str
    seat: int | None = None
    text: str = ""
    phrase: Phrase | None = None


class SheetLine(msgspec.Struct, frozen=True, gc=False):
    """A seat's score, the reason in a sentence with its clause and ruling, and the rack at the end."""

    score: int
    why: str
    clause: str
    ruling: str
    rack: tuple[Tile, ...]


class MatchView(msgspec.Struct, frozen=True, gc=False):
    """The match so far: `played` of `games`; totals and wins by seat; the winners once it is over."""

    games: int
    played: int
    scores: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    wins: tuple[int, ...]
    winners: tuple[int, ...] | None


class RoomView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A room as one person sees it; `me` is null for a spectator.

    `rev` is what an action must name: it grows with every game event, not with chat. `changed` are the
    tiles that the last turn placed or moved. Once a game is over there are its `sheet`, `secret` and
    `contributions` (the shuffle, to be verified) and `record`, its id. `commitment` is that of the next
    game's shuffle. `championship` is the championship's table that is played here, `next_at` when its next
    game starts by itself. `aids` are those that the table allows now, `taken_back` how many turns of this
    game were taken back. `visible_at` is when a delayed spectator will see the game that has
    begun. In the start phase `starts_at` is when play begins at the latest, and `ready` are the seats that
    nobody waits for; `redeal` says whether doubles may be shown now. `ended_because` is what whoever runs the
    server said when they ended the game.
    """

    room: str
    stage: Stage
    settings: Settings
    seats: tuple[SeatView, ...]
    me: int | None
    host: bool
    rev: int
    game: View | None
    match: MatchView
    deadline: int | None = None
    turn_began: int | None = None
    starts_at: int | None = None
    ready: tuple[int, ...] = ()
    redeal: bool = False
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
    notice_clause: str = ""
    notice_ruling: str = ""
    commitment: str = ""
    championship: ChampionshipTable | None = None
    next_at: int | None = None
    aids: tuple[Aid, ...] = ()
    taken_back: int = 0
    visible_at: int | None = None
    ended_because: str = ""


class Update(_Message, frozen=True, tag="update", kw_only=True):
    """What happened in a room after `since` and up to `seq`, as far as you may know it, and the room now.

    In a `snapshot` there are no events: too many were missed, or the room was just entered. It has the
    `history` of the game instead, all that happened since the deal; so has an update in which a turn was
    taken back, and what the history does not tell no longer holds.
    """

    room: str
    since: int
    seq: int
    now: int
    events: tuple[RoomEvent, ...]
    view: RoomView
    snapshot: bool = False
    history: tuple[GameEvent, ...] = ()


class Drafted(_Message, frozen=True, tag="drafted", kw_only=True):
    """The draft of the player to move. Without `table` and `melds` it was reset."""

    room: str
    rev: int
    seat: int
    table: TileSets | None = None
    melds: tuple[MeldPlay, ...] | None = None


class Presence(_Message, frozen=True, tag="presence", kw_only=True):
    """Who is connected now, by seat, and how many are watching."""

    room: str
    present: tuple[bool, ...]
    spectators: int


class Reacted(_Message, frozen=True, tag="reacted", kw_only=True):
    """Somebody's reaction, to be shown for a moment; `seat` is null for a spectator."""

    room: str
    name: str
    reaction: Reaction
    seat: int | None = None


class News(_Message, frozen=True, tag="news", kw_only=True):
    """A list that you follow, as it is now: what its route answers over HTTP."""

    topic: Topic
    value: msgspec.Raw
    of: str = ""


class Bye(_Message, frozen=True, tag="bye", kw_only=True):
    """The server closes the connection, and why."""

    code: str
    message: str


Message = Welcome | Done | Refused | Update | Drafted | Presence | Reacted | News | Bye
