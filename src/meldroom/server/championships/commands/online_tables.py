"""Tables that are played online: may rooms be opened and games begin, and what is written then?"""

from __future__ import annotations

import secrets

from msgspec.structs import replace

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.state import ChampionshipState, SheetKey
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import BeginGame, OpenRooms
from meldroom.server.championships.hall.state import Hall

MOST_GAMES = 16
_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"
_CODE_LENGTH = 10
"""Longer than a code that people read out: nobody meets such a room by trying codes."""


def check_rooms(state: ChampionshipState, command: OpenRooms) -> None:
    """The sitting is seated, at tables that a room can hold. Raises HallError and ChampionshipError."""
    stage = state.format.stage(command.stage)
    seated = state.seatings.get((command.stage, command.sitting))
    if seated is None:
        raise ChampionshipError("not_seated", stage=command.stage, sitting=command.sitting)
    if command.stage in state.closings:
        raise ChampionshipError("stage_closed", stage=command.stage, before="–")
    if stage.games > MOST_GAMES:
        raise HallError(409, "too_many_games", "command.stage", games=stage.games, most=MOST_GAMES)
    players = state.format.rules().players
    for table in command.tables or range(1, len(seated.tables) + 1):
        if not 1 <= table <= len(seated.tables):
            raise HallError(404, "no_such_table", "command.tables", table=table, sitting=command.sitting)
        if not players.minimum <= len(seated.tables[table - 1]) <= players.maximum:
            size = len(seated.tables[table - 1])
            raise HallError(409, "table_size", "command.tables", table=table, size=size, most=players.maximum)


def with_rooms(state: ChampionshipState, hall: Hall, command: OpenRooms) -> OpenRooms:
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
    """The first game of a sheet that has no result; 0 if all have one."""
    return next((game[3] for game in state.games_of(key) if game not in state.results), 0)


def check_begin(state: ChampionshipState, hall: Hall, command: BeginGame) -> None:
    """The table has a room, and the game no result. Raises HallError and ChampionshipError."""
    key = (command.stage, command.sitting, command.table)
    games = state.format.stage(command.stage).games
    if key not in hall.rooms:
        raise HallError(404, "no_room", "command.table", table=command.table, sitting=command.sitting)
    if command.game > games:
        raise ChampionshipError("no_game", game=command.game, games=games)
    if not first_open(state, key) or (*key, command.game) in state.results:
        game = command.game or games
        raise ChampionshipError("already_entered", table=command.table, game=game)


def with_game(state: ChampionshipState, command: BeginGame) -> BeginGame:
    """The command with the number of its game."""
    return replace(
        command, game=command.game or first_open(state, (command.stage, command.sitting, command.table))
    )
