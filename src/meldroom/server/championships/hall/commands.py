"""What happens in the hall and changes no result: devices, calls, clocks, positions, photos, notices."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from meldroom.championship.roles import Role
from meldroom.championship.state import SheetKey
from meldroom.i18n import Language

LONGEST_TEXT = 200
Line = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
Said = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT)]
Device = Annotated[str, msgspec.Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Table = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Number = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
Seconds = Annotated[int, msgspec.Meta(ge=1, le=86_400)]
StageId = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT)]
PhotoId = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]

StandingsMode = Literal["held", "live"]
CallAbout = Literal["ruling", "count", "dispute", "time", "equipment", "health", "other"]
InPublic = Literal["full", "initials", "hidden"]
Spectators = Literal["off", "live", "delayed"]
StoppedBy = Literal["abandoned", "withdrawn", "refused"]


class _HallAction(
    msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True
):
    """A hall command: its tag says what is done."""


class _AtTable(_HallAction, frozen=True):
    """A command about a table's sitting."""

    stage: StageId
    sitting: Number
    table: Table

    @property
    def key(self) -> SheetKey:
        """Which sheet it is about."""
        return self.stage, self.sitting, self.table


class Opened(_HallAction, frozen=True, tag="opened"):
    """The hall is opened with the championship; always the first entry."""

    language: Language = "en"
    standings: StandingsMode = "held"
    listed: bool = True


class SetOptions(_HallAction, frozen=True, tag="set_options"):
    """How the championship is shown; what is not given stays."""

    language: Language | None = None
    standings: StandingsMode | None = None
    listed: bool | None = None
    spectators: Spectators | None = None
    """Who may look on at tables that are played online; for rooms opened from now on, as is …"""
    stand_in_after: Annotated[int, msgspec.Meta(ge=0, le=10)] | None = None
    """… after how many turns in a row that ended by the clock a bot plays for somebody; 0 is never."""


class BindTable(_HallAction, frozen=True, tag="bind_table"):
    """A device works for a table from now on."""

    table: Table
    device: Device
    label: Line = ""
    take_over: bool = False


class ReleaseTable(_HallAction, frozen=True, tag="release_table"):
    """A table has no device any more."""

    table: Table


class CallReferee(_HallAction, frozen=True, tag="call_referee"):
    """A table asks for a referee."""

    table: Table
    about: CallAbout = "ruling"
    text: Line = ""


class AnswerCall(_HallAction, frozen=True, tag="answer_call"):
    """A referee has come to a table; `call` is the number of the hall's entry with the call."""

    call: Number
    text: Line = ""


class PauseClock(_HallAction, frozen=True, tag="pause_clock"):
    """A table's clock stands still, and why."""

    table: Table
    why: Said


class ResumeClock(_HallAction, frozen=True, tag="resume_clock"):
    """A table's clock goes on."""

    table: Table


class ExtraTime(_AtTable, frozen=True, tag="extra_time"):
    """A table gets more time for its sitting, and why."""

    seconds: Seconds
    why: Said


class NoteExpiry(_AtTable, frozen=True, tag="note_expiry"):
    """The clock of a turn has run out, as the table's device, the clock of record, saw it."""

    game: Number
    seat: Annotated[int, msgspec.Meta(ge=0, le=9)]
    turn: Number | None = None


class RecordPosition(_AtTable, frozen=True, tag="record_position"):
    """How the tiles lay before a manipulation, set by set, so that the table can be put back."""

    game: Number
    sets: Annotated[tuple[tuple[str, ...], ...], msgspec.Meta(max_length=60)]
    rack: tuple[str, ...] = ()
    seat: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None
    turn: Number | None = None


class NotePhoto(_HallAction, frozen=True, tag="note_photo"):
    """A photo of a table, which was sent before."""

    table: Table
    photo: PhotoId
    game: Number | None = None
    text: Line = ""


class SetCountdown(_HallAction, frozen=True, tag="set_countdown"):
    """What the screens count down to; without a time there is nothing to count down to."""

    title: Line = ""
    ends_at: datetime | None = None


class PlanSitting(_HallAction, frozen=True, tag="plan_sitting"):
    """When a sitting is to begin; without a time it is open."""

    stage: StageId
    sitting: Number
    starts_at: datetime | None = None


class SetNotice(_HallAction, frozen=True, tag="set_notice"):
    """A line for everybody on screens and phones; an empty one takes it away."""

    text: Line = ""


class ShowName(_HallAction, frozen=True, tag="show_name"):
    """How an entrant is named in public; `hidden` is for one who asks to be erased."""

    number: Number
    how: InPublic


class OpenRooms(_HallAction, frozen=True, tag="open_rooms"):
    """Tables of a sitting are played online: each gets a room with a chair kept for every entrant.

    Without `tables`, all that have none; a table that is named gets a new one in place of the old.
    """

    stage: StageId
    sitting: Number
    tables: Annotated[tuple[Table, ...], msgspec.Meta(max_length=1000)] = ()
    rooms: dict[int, str] = {}
    """The code of each table's room; the server makes them."""


class BeginGame(_AtTable, frozen=True, tag="begin_game"):
    """A game begins at an online table, whoever is there; without a number, the first that has no result."""

    game: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0


class GameStopped(_HallAction, frozen=True, tag="game_stopped"):
    """A game played online that the director must rule on; the scores are what the rules would give.

    `refused` is a result that the championship's log did not take, for which `note` gives the code.
    """

    stage: str
    sitting: int
    table: int
    game: int
    why: StoppedBy
    record: str
    """The id under which the game itself is kept."""
    withdrawn: tuple[int, ...] = ()
    """Seats from 0 of those who left."""
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    note: str = ""


class Clash(_HallAction, frozen=True, tag="clash"):
    """A command that met something else already there: kept until the director has looked at both."""

    why: str
    command: dict[str, Any] = msgspec.field(name="act")
    """Called `act` in the file."""
    theirs: dict[str, Any]
    table: Table | None = None
    mine: dict[str, Any] = {}
    """What the command would have written: racks are counted."""


class SettleClash(_HallAction, frozen=True, tag="settle_clash"):
    """The director has decided what is right; `clash` is the number of the hall's entry."""

    clash: Number
    text: Said


class SettleOwnClash(_HallAction, frozen=True, tag="settle_own_clash"):
    """Whoever sent a command that met another version has decided at the table; it is written as settled.

    `command` is the id that it was sent with.
    """

    table: Table
    command: Annotated[str, msgspec.Meta(min_length=8, max_length=64)]
    text: Said


HallCommand = (
    SetOptions
    | BindTable
    | ReleaseTable
    | CallReferee
    | AnswerCall
    | PauseClock
    | ResumeClock
    | ExtraTime
    | NoteExpiry
    | RecordPosition
    | NotePhoto
    | SetCountdown
    | PlanSitting
    | SetNotice
    | ShowName
    | OpenRooms
    | BeginGame
    | SettleClash
    | SettleOwnClash
)
"""What a device may send."""
HallAction = HallCommand | Opened | GameStopped | Clash
"""What the hall's file holds: the server itself writes the last three."""


class HallEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who did what in the hall, and when. `after` is how many entries the championship's log had then."""

    number: int
    after: int
    time: datetime
    author: str
    role: Role
    key: str
    id: str
    digest: str
    command: HallAction = msgspec.field(name="act")
    """Called `act` in the file."""
