"""What is known of the hall after some entries: a pure fold, as the championship's own log has."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec.structs import replace

from meldroom.championship.state import ChampionshipState, GameKey, SheetKey, SittingKey
from meldroom.i18n import Language
from meldroom.server.championships.hall import commands
from meldroom.server.championships.hall.commands import (
    CallAbout,
    HallEntry,
    InPublic,
    Spectators,
    StandingsMode,
)

KEPT_POSITIONS = 5


class Binding(msgspec.Struct, frozen=True):
    """The device that works for a table, and the one it took the table from."""

    table: int
    device: str
    label: str
    since: datetime
    by: str
    took_over_from: str = ""


class Call(msgspec.Struct, frozen=True):
    """A call for a referee; `answered` when one has come."""

    number: int
    table: int
    about: CallAbout
    text: str
    time: datetime
    by: str
    answered: datetime | None = None
    answered_by: str = ""


class TableClock(msgspec.Struct, frozen=True):
    """What was done to a table's clock."""

    table: int
    paused: str = ""
    """Why it stands still; empty while it runs."""
    paused_at: datetime | None = None


class Recorded(msgspec.Struct, frozen=True):
    """How the tiles lay at a table."""

    number: int
    time: datetime
    by: str
    position: commands.RecordPosition


class Photo(msgspec.Struct, frozen=True):
    """A photo of a table."""

    number: int
    table: int
    photo: str
    game: int | None
    text: str
    time: datetime
    by: str


class Meeting(msgspec.Struct, frozen=True):
    """Two versions of one thing that the director has to decide between."""

    number: int
    time: datetime
    by: str
    clash: commands.Clash
    settled: str = ""
    settled_by: str = ""


class Stopped(msgspec.Struct, frozen=True):
    """A game played online that waits for the director's ruling."""

    number: int
    time: datetime
    game: commands.GameStopped


class Order(msgspec.Struct, frozen=True):
    """The director's last word that a game begin at an online table."""

    number: int
    game: int


class Hall(msgspec.Struct, frozen=True):
    """Everything; no field is ever changed in place."""

    language: Language = "en"
    standings: StandingsMode = "held"
    listed: bool = True
    bindings: dict[int, Binding] = {}
    calls: tuple[Call, ...] = ()
    clocks: dict[int, TableClock] = {}
    extra_seconds: dict[SheetKey, int] = {}
    expiries: dict[SheetKey, tuple[commands.NoteExpiry, ...]] = {}
    positions: dict[int, tuple[Recorded, ...]] = {}
    """The last few of each table."""
    photos: tuple[Photo, ...] = ()
    countdown: commands.SetCountdown = commands.SetCountdown()
    times: dict[SittingKey, datetime] = {}
    """When sittings are to begin."""
    notice: str = ""
    names: dict[int, InPublic] = {}
    clashes: tuple[Meeting, ...] = ()
    spectators: Spectators = "off"
    stand_in_after: int = 0
    rooms: dict[SheetKey, str] = {}
    """The rooms of tables that are played online."""
    orders: dict[SheetKey, Order] = {}
    stopped: dict[GameKey, Stopped] = {}
    entries: int = 0

    def clock(self, table: int) -> TableClock:
        """A table's clock."""
        return self.clocks.get(table, TableClock(table))

    def open_calls(self) -> tuple[Call, ...]:
        """Calls that no referee has answered."""
        return tuple(call for call in self.calls if call.answered is None)

    def open_clashes(self) -> tuple[Meeting, ...]:
        """What the director has still to decide."""
        return tuple(each for each in self.clashes if not each.settled)

    def to_rule(self, state: ChampionshipState) -> tuple[Stopped, ...]:
        """Games played online that have no result, and were not begun again."""
        return tuple(
            stopped
            for key, stopped in self.stopped.items()
            if key not in state.results and key not in state.voids and not self.ordered_after(key, stopped)
        )

    def ordered_after(self, key: GameKey, stopped: Stopped) -> bool:
        """Whether the director has let a stopped game be played again."""
        order = self.orders.get(key[:3])
        return order is not None and order.game == key[3] and order.number > stopped.number


def fold(hall: Hall, entry: HallEntry) -> Hall:
    """The hall after one more entry."""
    return replace(_changed(hall, entry), entries=hall.entries + 1)


def _changed(hall: Hall, entry: HallEntry) -> Hall:
    match entry.command:
        case commands.Opened(language=language, standings=standings, listed=listed):
            return replace(hall, language=language, standings=standings, listed=listed)
        case commands.SetOptions() as command:
            said = msgspec.structs.asdict(command)
            return replace(hall, **{name: value for name, value in said.items() if value is not None})
        case commands.BindTable() as command:
            return _bound(hall, entry, command)
        case commands.ReleaseTable(table=table):
            return replace(hall, bindings={key: each for key, each in hall.bindings.items() if key != table})
        case commands.CallReferee() as command:
            call = Call(entry.number, command.table, command.about, command.text, entry.time, entry.author)
            return replace(hall, calls=(*hall.calls, call))
        case commands.AnswerCall() as command:
            calls = tuple(
                replace(call, answered=entry.time, answered_by=entry.author)
                if call.number == command.call
                else call
                for call in hall.calls
            )
            return replace(hall, calls=calls)
        case commands.PauseClock() as command:
            clock = TableClock(command.table, command.why, entry.time)
            return replace(hall, clocks=hall.clocks | {command.table: clock})
        case commands.ResumeClock(table=table):
            return replace(hall, clocks=hall.clocks | {table: TableClock(table)})
        case commands.ExtraTime() as command:
            more = hall.extra_seconds.get(command.key, 0) + command.seconds
            return replace(hall, extra_seconds=hall.extra_seconds | {command.key: more})
        case commands.NoteExpiry() as command:
            noted = (*hall.expiries.get(command.key, ()), command)
            return replace(hall, expiries=hall.expiries | {command.key: noted})
        case commands.RecordPosition() as command:
            known = hall.positions.get(command.table, ())
            kept = (*known, Recorded(entry.number, entry.time, entry.author, command))[-KEPT_POSITIONS:]
            return replace(hall, positions=hall.positions | {command.table: kept})
        case commands.NotePhoto() as command:
            photo = Photo(
                entry.number,
                command.table,
                command.photo,
                command.game,
                command.text,
                entry.time,
                entry.author,
            )
            return replace(hall, photos=(*hall.photos, photo))
        case commands.SetCountdown() as command:
            return replace(hall, countdown=command)
        case commands.PlanSitting(stage=stage, sitting=sitting, starts_at=starts_at):
            times = {each: time for each, time in hall.times.items() if each != (stage, sitting)}
            planned = {(stage, sitting): starts_at} if starts_at is not None else {}
            return replace(hall, times=times | planned)
        case commands.SetNotice(text=text):
            return replace(hall, notice=text)
        case commands.ShowName(number=number, how=how):
            return replace(hall, names=hall.names | {number: how})
        case commands.OpenRooms() as command:
            opened = {(command.stage, command.sitting, table): code for table, code in command.rooms.items()}
            return replace(hall, rooms=hall.rooms | opened)
        case commands.BeginGame() as command:
            order = Order(entry.number, command.game)
            return replace(hall, orders=hall.orders | {command.key: order})
        case commands.GameStopped() as command:
            game = (command.stage, command.sitting, command.table, command.game)
            return replace(hall, stopped=hall.stopped | {game: Stopped(entry.number, entry.time, command)})
        case commands.SettleOwnClash():
            return hall  # it is written as settled
        case commands.Clash() as command:
            met = Meeting(entry.number, entry.time, entry.author, command)
            return replace(hall, clashes=(*hall.clashes, met))
        case commands.SettleClash() as command:
            settled = tuple(
                replace(each, settled=command.text, settled_by=entry.author)
                if each.number == command.clash
                else each
                for each in hall.clashes
            )
            return replace(hall, clashes=settled)


def _bound(hall: Hall, entry: HallEntry, command: commands.BindTable) -> Hall:
    before = hall.bindings.get(command.table)
    took = before.label or before.device if before is not None and before.device != command.device else ""
    binding = Binding(command.table, command.device, command.label, entry.time, entry.author, took)
    return replace(hall, bindings=hall.bindings | {command.table: binding})
