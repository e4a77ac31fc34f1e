"""May this be done in the hall as things are? A clear refusal, with both versions where two meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.state import ChampionshipState
from meldroom.server.championships.commands.counting import faces
from meldroom.server.championships.commands.requests import AskedHallAct
from meldroom.server.championships.errors import EventRefusal
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
from meldroom.server.championships.online.commands import check_begin, check_rooms

HasPhoto = Callable[[str], bool]


def check(state: ChampionshipState, hall: Hall, act: AskedHallAct, has_photo: HasPhoto) -> None:
    """Refuse what cannot be. Raises EventRefusal and ChampionshipError."""
    _check_texts(act)
    match act:
        case BindTable():
            _check_free(hall, act)
        case ReleaseTable():
            if act.table not in hall.bindings:
                raise EventRefusal(409, "not_bound", "command.table", table=act.table)
        case AnswerCall():
            _check_call(hall, act)
        case PauseClock():
            if hall.clock(act.table).paused:
                raise conflict("clock_paused", act, hall.clock(act.table), table=act.table)
        case ResumeClock():
            if not hall.clock(act.table).paused:
                raise EventRefusal(409, "clock_runs", "command.table", table=act.table)
        case ExtraTime():
            _check_table(state, act)
        case NoteExpiry():
            _check_table(state, act)
        case RecordPosition():
            _check_table(state, act)
            _check_tiles(state, act)
        case NotePhoto():
            if not has_photo(act.photo):
                raise EventRefusal(404, "no_such_photo", "command.photo")
        case SetCountdown():
            _check_utc(act.ends_at, "command.ends_at")
        case PlanSitting():
            _check_utc(act.starts_at, "command.starts_at")
            stage = state.format.stage(act.stage)
            if act.sitting > stage.sittings:
                raise ChampionshipError("no_sitting", sitting=act.sitting, sittings=stage.sittings)
        case ShowName():
            state.participant(act.number)
        case SettleClash():
            _check_clash(hall, act)
        case OpenRooms():
            check_rooms(state, act)
        case BeginGame():
            check_begin(state, hall, act)
        case CallReferee() | SetOptions() | SetNotice():
            pass


def conflict(code: str, mine: Any, theirs: Any, **details: str | int) -> EventRefusal:
    """A refusal with both versions."""
    both = {"mine": msgspec.to_builtins(mine), "theirs": msgspec.to_builtins(theirs)}
    refusal = EventRefusal(409, code, more={"conflict": both})
    refusal.details.update(details)
    return refusal


def _check_texts(act: AskedHallAct) -> None:
    for name in act.__struct_fields__:
        text = getattr(act, name)
        if isinstance(text, str) and (not text.isprintable() or text != text.strip()):
            raise EventRefusal(400, "bad_text", f"command.{name}")


def _check_utc(time: datetime | None, place: str) -> None:
    if time is not None and (time.utcoffset() is None or time.utcoffset()):
        raise EventRefusal(400, "not_utc", place)


def _check_free(hall: Hall, act: BindTable) -> None:
    there = hall.bindings.get(act.table)
    if there is not None and there.device != act.device and not act.take_over:
        raise conflict("table_taken", act, there, table=act.table, label=there.label or there.device)


def _check_call(hall: Hall, act: AnswerCall) -> None:
    call = next((call for call in hall.calls if call.number == act.call), None)
    if call is None:
        raise EventRefusal(404, "no_such_call", "command.call", call=act.call)
    if call.answered is not None:
        raise conflict("call_answered", act, call, by=call.answered_by)


def _check_clash(hall: Hall, act: SettleClash) -> None:
    met = next((each for each in hall.clashes if each.number == act.clash), None)
    if met is None:
        raise EventRefusal(404, "no_such_clash", "command.clash", clash=act.clash)
    if met.settled:
        raise conflict("clash_settled", act, met, by=met.settled_by)


def _check_table(state: ChampionshipState, act: ExtraTime | NoteExpiry | RecordPosition) -> None:
    """The table must sit. Raises EventRefusal and ChampionshipError."""
    state.format.place(act.stage)
    seated = state.seatings.get((act.stage, act.sitting))
    if seated is None or not 1 <= act.table <= len(seated.tables):
        raise EventRefusal(404, "no_such_table", "command.table", table=act.table, sitting=act.sitting)


def _check_tiles(state: ChampionshipState, act: RecordPosition) -> None:
    """Real tiles, and no more of each than the box holds. The sets may be anything. Raises EventRefusal."""
    book = state.format.rules()
    counts: Counter[int] = Counter(faces(book, act.rack, "command.rack"))
    for place, tiles in enumerate(act.sets):
        counts.update(faces(book, tiles, f"command.sets.{place}"))
    for face, count in counts.items():
        if count > book.tiles.limits[face]:
            name, limit = book.tiles.face_names[face], book.tiles.limits[face]
            raise EventRefusal(400, "tile_too_often", "command.sets", tile=name, count=count, limit=limit)
