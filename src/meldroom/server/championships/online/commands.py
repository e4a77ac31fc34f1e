"""Tables that are played online: may rooms be opened and games begin, and what is written then?"""

from __future__ import annotations

import secrets

from msgspec.structs import replace

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.state import ChampionshipState, SheetKey
from meldroom.server.championships.errors import EventRefusal
from meldroom.server.championships.hall.commands import BeginGame, OpenRooms
from meldroom.server.championships.hall.state import Hall

MOST_GAMES = 16
_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"
_CODE_LENGTH = 10
"""Longer than a code that people read out: nobody meets such a room by trying codes."""


def check_rooms(state: ChampionshipState, act: OpenRooms) -> None:
    """The sitting is seated, at tables that a room can hold. Raises EventRefusal and ChampionshipError."""
    stage = state.format.stage(act.stage)
    seated = state.seatings.get((act.stage, act.sitting))
    if seated is None:
        raise ChampionshipError("not_seated", stage=act.stage, sitting=act.sitting)
    if act.stage in state.closings:
        raise ChampionshipError("stage_closed", stage=act.stage, before="–")
    if stage.games > MOST_GAMES:
        raise EventRefusal(409, "too_many_games", "command.stage", games=stage.games, most=MOST_GAMES)
    players = state.format.rules().players
    for table in act.tables or range(1, len(seated.tables) + 1):
        if not 1 <= table <= len(seated.tables):
            raise EventRefusal(404, "no_such_table", "command.tables", table=table, sitting=act.sitting)
        if not players.minimum <= len(seated.tables[table - 1]) <= players.maximum:
            size = len(seated.tables[table - 1])
            raise EventRefusal(
                409, "table_size", "command.tables", table=table, size=size, most=players.maximum
            )


def with_rooms(state: ChampionshipState, hall: Hall, act: OpenRooms) -> OpenRooms:
    """The act with a code for every room that it opens. Raises EventRefusal if there is none to open."""
    seated = state.seatings[act.stage, act.sitting]
    tables = act.tables or tuple(
        table
        for table in range(1, len(seated.tables) + 1)
        if (act.stage, act.sitting, table) not in hall.rooms
    )
    unplayed = [table for table in tables if first_open(state, (act.stage, act.sitting, table))]
    if not unplayed:
        raise EventRefusal(409, "rooms_open", "command.sitting", sitting=act.sitting)
    return replace(act, rooms={table: _code() for table in unplayed})


def _code() -> str:
    return "".join(secrets.choice(_SIGNS) for _ in range(_CODE_LENGTH))


def first_open(state: ChampionshipState, key: SheetKey) -> int:
    """The first game of a sheet that has no result; 0 if all have one."""
    return next((game[3] for game in state.games_of(key) if game not in state.results), 0)


def check_begin(state: ChampionshipState, hall: Hall, act: BeginGame) -> None:
    """The table has a room, and the game no result. Raises EventRefusal and ChampionshipError."""
    key = (act.stage, act.sitting, act.table)
    games = state.format.stage(act.stage).games
    if key not in hall.rooms:
        raise EventRefusal(404, "no_room", "command.table", table=act.table, sitting=act.sitting)
    if act.game > games:
        raise ChampionshipError("no_game", game=act.game, games=games)
    if not first_open(state, key) or (*key, act.game) in state.results:
        game = act.game or games
        raise ChampionshipError("already_entered", table=act.table, game=game)


def with_game(state: ChampionshipState, act: BeginGame) -> BeginGame:
    """The act with the number of its game."""
    return replace(act, game=act.game or first_open(state, (act.stage, act.sitting, act.table)))
