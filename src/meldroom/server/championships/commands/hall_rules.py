"""May this be done in the hall as things are? A clear refusal, with both versions where two meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.state import ChampionshipState
from meldroom.referee.counting import parse_faces
from meldroom.server.championships.commands.online_tables import check_begin, check_rooms
from meldroom.server.championships.commands.requests import HallCommand
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import (
    AnswerCall,
    BeginGame,
    BindTable,
    CallReferee,
    ExtraTime,
    NoteExpiry,
    NotePhoto,
    OpenRooms,
    PauseClock,
    PlanSitting,
    RecordPosition,
    ReleaseTable,
    ResumeClock,
    SetCountdown,
    SetNotice,
    SetOptions,
    SettleClash,
    ShowName,
)
from meldroom.server.championships.hall.state import Hall
from meldroom.server.web.errors import Conflict

HasPhoto = Callable[[str], bool]


def check(state: ChampionshipState, hall: Hall, command: HallCommand, has_photo: HasPhoto) -> None:
    """Refuse what cannot be. Raises HallError and ChampionshipError."""
    _check_texts(command)
    match command:
        case BindTable():
            _check_free(hall, command)
        case ReleaseTable():
            if command.table not in hall.bindings:
                raise HallError(409, "not_bound", "command.table", table=command.table)
        case AnswerCall():
            _check_call(hall, command)
        case PauseClock():
            if hall.clock(command.table).paused:
                raise conflict("clock_paused", command, hall.clock(command.table), table=command.table)
        case ResumeClock():
            if not hall.clock(command.table).paused:
                raise HallError(409, "clock_runs", "command.table", table=command.table)
        case ExtraTime():
            _check_table(state, command)
        case NoteExpiry():
            _check_table(state, command)
        case RecordPosition():
            _check_table(state, command)
            _check_tiles(state, command)
        case NotePhoto():
            if not has_photo(command.photo):
                raise HallError(404, "no_such_photo", "command.photo")
        case SetCountdown():
            _check_utc(command.ends_at, "command.ends_at")
        case PlanSitting():
            _check_utc(command.starts_at, "command.starts_at")
            stage = state.format.stage(command.stage)
            if command.sitting > stage.sittings:
                raise ChampionshipError("no_sitting", sitting=command.sitting, sittings=stage.sittings)
        case ShowName():
            state.participant(command.number)
        case SettleClash():
            _check_clash(hall, command)
        case OpenRooms():
            check_rooms(state, command)
        case BeginGame():
            check_begin(state, hall, command)
        case CallReferee() | SetOptions() | SetNotice():
            pass


def conflict(code: str, mine: Any, theirs: Any, **details: str | int) -> HallError:
    """A refusal with both versions."""
    both = Conflict(msgspec.to_builtins(mine), msgspec.to_builtins(theirs))
    refusal = HallError(409, code, conflict=both)
    refusal.details.update(details)
    return refusal


def _check_texts(command: HallCommand) -> None:
    for name in command.__struct_fields__:
        text = getattr(command, name)
        if isinstance(text, str) and (not text.isprintable() or text != text.strip()):
            raise HallError(400, "bad_text", f"command.{name}")


def _check_utc(time: datetime | None, place: str) -> None:
    if time is not None and (time.utcoffset() is None or time.utcoffset()):
        raise HallError(400, "not_utc", place)


def _check_free(hall: Hall, command: BindTable) -> None:
    there = hall.bindings.get(command.table)
    if there is not None and there.device != command.device and not command.take_over:
        raise conflict("table_taken", command, there, table=command.table, label=there.label or there.device)


def _check_call(hall: Hall, command: AnswerCall) -> None:
    call = next((call for call in hall.calls if call.number == command.call), None)
    if call is None:
        raise HallError(404, "no_such_call", "command.call", call=command.call)
    if call.answered is not None:
        raise conflict("call_answered", command, call, by=call.answered_by)


def _check_clash(hall: Hall, command: SettleClash) -> None:
    met = next((each for each in hall.clashes if each.number == command.clash), None)
    if met is None:
        raise HallError(404, "no_such_clash", "command.clash", clash=command.clash)
    if met.settled:
        raise conflict("clash_settled", command, met, by=met.settled_by)


def _check_table(state: ChampionshipState, command: ExtraTime | NoteExpiry | RecordPosition) -> None:
    """The table must sit. Raises HallError and ChampionshipError."""
    state.format.place(command.stage)
    seated = state.seatings.get((command.stage, command.sitting))
    if seated is None or not 1 <= command.table <= len(seated.tables):
        raise HallError(404, "no_such_table", "command.table", table=command.table, sitting=command.sitting)


def _check_tiles(state: ChampionshipState, command: RecordPosition) -> None:
    """Real tiles, and no more of each than the box holds. The sets may be anything. Raises HallError."""
    book = state.format.rules()
    counts: Counter[int] = Counter(parse_faces(book, command.rack, "rack"))
    for place, tiles in enumerate(command.sets):
        counts.update(parse_faces(book, tiles, f"sets[{place}]"))
    for face, count in counts.items():
        if count > book.tiles.limits[face]:
            name, limit = book.tiles.face_names[face], book.tiles.limits[face]
            raise HallError(400, "tile_too_often", "command.sets", tile=name, count=count, limit=limit)
