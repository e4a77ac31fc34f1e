"""Whether a hall command may be done as things are, and what is written of it.

A refusal shows both versions where two people meet.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.state import ChampionshipState, SheetKey
from meldroom.referee.counting import parse_faces
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall import commands
from meldroom.server.championships.hall.commands import HallCommand
from meldroom.server.championships.hall.state import Hall

MOST_GAMES = 16
_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"
_CODE_LENGTH = 10
"""Longer than a code that people read out: nobody meets such a room by trying codes."""

HasPhoto = Callable[[str], bool]


def check(state: ChampionshipState, hall: Hall, command: HallCommand, has_photo: HasPhoto) -> None:
    """Refuse what cannot be. Raises HallError and ChampionshipError."""
    _check_texts(command)
    match command:
        case commands.BindTable():
            _check_free(hall, command)
        case commands.ReleaseTable():
            if command.table not in hall.bindings:
                raise HallError(409, "not_bound", "command.table", table=command.table)
        case commands.AnswerCall():
            _check_call(hall, command)
        case commands.PauseClock():
            if hall.clock(command.table).paused:
                raise HallError.between(
                    "clock_paused", command, hall.clock(command.table), table=command.table
                )
        case commands.ResumeClock():
            if not hall.clock(command.table).paused:
                raise HallError(409, "clock_runs", "command.table", table=command.table)
        case commands.ExtraTime() | commands.NoteExpiry():
            _check_table(state, command)
        case commands.RecordPosition():
            _check_table(state, command)
            _check_tiles(state, command)
        case commands.NotePhoto():
            if not has_photo(command.photo):
                raise HallError(404, "no_such_photo", "command.photo")
        case commands.SetCountdown():
            _check_utc(command.ends_at, "command.ends_at")
        case commands.PlanSitting():
            _check_utc(command.starts_at, "command.starts_at")
            stage = state.format.stage(command.stage)
            if command.sitting > stage.sittings:
                raise ChampionshipError("no_sitting", sitting=command.sitting, sittings=stage.sittings)
        case commands.ShowName():
            state.participant(command.number)
        case commands.SettleClash():
            _check_clash(hall, command)
        case commands.OpenRooms():
            _check_rooms(state, command)
        case commands.BeginGame():
            _check_begin(state, hall, command)
        case (
            commands.CallReferee() | commands.SetOptions() | commands.SetNotice() | commands.SettleOwnClash()
        ):
            pass


def _check_texts(command: HallCommand) -> None:
    for name in command.__struct_fields__:
        text = getattr(command, name)
        if isinstance(text, str) and (not text.isprintable() or text != text.strip()):
            raise HallError(400, "bad_text", f"command.{name}")


def _check_utc(time: datetime | None, place: str) -> None:
    if time is not None and (time.utcoffset() is None or time.utcoffset()):
        raise HallError(400, "not_utc", place)


def _check_free(hall: Hall, command: commands.BindTable) -> None:
    there = hall.bindings.get(command.table)
    if there is not None and there.device != command.device and not command.take_over:
        raise HallError.between(
            "table_taken", command, there, table=command.table, label=there.label or there.device
        )


def _check_call(hall: Hall, command: commands.AnswerCall) -> None:
    call = next((call for call in hall.calls if call.number == command.call), None)
    if call is None:
        raise HallError(404, "no_such_call", "command.call", call=command.call)
    if call.answered is not None:
        raise HallError.between("call_answered", command, call, by=call.answered_by)


def _check_clash(hall: Hall, command: commands.SettleClash) -> None:
    met = next((each for each in hall.clashes if each.number == command.clash), None)
    if met is None:
        raise HallError(404, "no_such_clash", "command.clash", clash=command.clash)
    if met.settled:
        raise HallError.between("clash_settled", command, met, by=met.settled_by)


def _check_table(
    state: ChampionshipState, command: commands.ExtraTime | commands.NoteExpiry | commands.RecordPosition
) -> None:
    """The table must sit. Raises HallError and ChampionshipError."""
    state.format.place(command.stage)
    seated = state.seatings.get((command.stage, command.sitting))
    if seated is None or not 1 <= command.table <= len(seated.tables):
        raise HallError(404, "no_such_table", "command.table", table=command.table, sitting=command.sitting)


def _check_tiles(state: ChampionshipState, command: commands.RecordPosition) -> None:
    """Real tiles, and no more of each than the box holds. The sets may be anything. Raises HallError."""
    book = state.format.rules()
    counts: Counter[int] = Counter(parse_faces(book, command.rack, "rack"))
    for place, tiles in enumerate(command.sets):
        counts.update(parse_faces(book, tiles, f"sets[{place}]"))
    for face, count in counts.items():
        if count > book.tiles.limits[face]:
            name, limit = book.tiles.face_names[face], book.tiles.limits[face]
            raise HallError(400, "tile_too_often", "command.sets", tile=name, count=count, limit=limit)


def _check_rooms(state: ChampionshipState, command: commands.OpenRooms) -> None:
    """The sitting is seated, at tables that a room can hold. Raises HallError and ChampionshipError."""
    stage = state.format.stage(command.stage)
    seated = state.seatings.get((command.stage, command.sitting))
    if seated is None:
        raise ChampionshipError("not_seated", stage=command.stage, sitting=command.sitting)
    if command.stage in state.closings:
        raise ChampionshipError("stage_closed", stage=command.stage, before="–")
    if stage.duplicate and command.stage not in state.deals:
        raise HallError(409, "deals_first", "command.stage")
    if stage.games > MOST_GAMES:
        raise HallError(409, "too_many_games", "command.stage", games=stage.games, most=MOST_GAMES)
    players = state.format.rules().players
    for table in command.tables or range(1, len(seated.tables) + 1):
        if not 1 <= table <= len(seated.tables):
            raise HallError(404, "no_such_table", "command.tables", table=table, sitting=command.sitting)
        if not command.tables and not seated.tables[table - 1]:
            continue  # a table that was broken up
        if not players.minimum <= len(seated.tables[table - 1]) <= players.maximum:
            size = len(seated.tables[table - 1])
            raise HallError(409, "table_size", "command.tables", table=table, size=size, most=players.maximum)


def with_rooms(state: ChampionshipState, hall: Hall, command: commands.OpenRooms) -> commands.OpenRooms:
    """The command with a code for every room that it opens. Raises HallError if there is none to open."""
    seated = state.seatings[command.stage, command.sitting]
    tables = command.tables or tuple(
        table
        for table in range(1, len(seated.tables) + 1)
        if (command.stage, command.sitting, table) not in hall.rooms
    )
    unplayed = [table for table in tables if first_open(state, (command.stage, command.sitting, table))]
    if not unplayed:
        raise HallError(409, "rooms_open", "command.sitting", sitting=command.sitting)
    return replace(command, rooms={table: _code() for table in unplayed})


def _code() -> str:
    return "".join(secrets.choice(_SIGNS) for _ in range(_CODE_LENGTH))


def first_open(state: ChampionshipState, key: SheetKey) -> int:
    """The first game of a sheet that still needs a result; 0 if none does."""
    return next((game[3] for game in state.open_games(key)), 0)


def _check_begin(state: ChampionshipState, hall: Hall, command: commands.BeginGame) -> None:
    """The table has a room, and the game no result. Raises HallError and ChampionshipError."""
    key = command.key
    games = state.format.stage(command.stage).games
    if key not in hall.rooms:
        raise HallError(404, "no_room", "command.table", table=command.table, sitting=command.sitting)
    if command.game > games:
        raise ChampionshipError("no_game", game=command.game, games=games)
    if (*key, command.game) in state.voids:
        raise ChampionshipError("game_void", table=command.table, game=command.game)
    if not first_open(state, key) or (*key, command.game) in state.results:
        game = command.game or games
        raise ChampionshipError("already_entered", table=command.table, game=game)


def with_game(state: ChampionshipState, command: commands.BeginGame) -> commands.BeginGame:
    """The command with the number of its game."""
    return replace(command, game=command.game or first_open(state, command.key))
