"""Two versions of one thing: found before anything is written, shown to both sides, never merged."""

from __future__ import annotations

from typing import Any

import msgspec

from meldroom.championship.actions import (
    Action,
    CloseStage,
    CorrectResult,
    DecideTie,
    EnterResult,
    SignSheet,
)
from meldroom.championship.state import GameKey, SheetKey
from meldroom.server.championships.commands.hall_rules import conflict
from meldroom.server.championships.commands.requests import CommandRequest, Correct, Enter, Sign, table_of
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import Clash
from meldroom.server.championships.storage.keys import Key
from meldroom.server.championships.storage.last_change import Touch
from meldroom.server.championships.storage.running import RunningChampionship, digest_of


def same_already(championship: RunningChampionship, action: Action) -> int | None:
    """The number of the entry that says exactly this already. Raises HallError if it says otherwise."""
    state = championship.now.state
    match action:
        case EnterResult():
            key = (action.stage, action.sitting, action.table, action.game)
            there = state.results.get(key)
            if there is None:
                return None
            if there == action.result:
                return championship.trail.results[key].number
            mine = {"result": action.result}
            raise conflict(
                "result_there", mine, game_there(championship, key), table=action.table, game=action.game
            )
        case SignSheet():
            sheet = (action.stage, action.sitting, action.table)
            signed = state.sheets.get(sheet)
            if signed is None:
                return None
            if (signed.referee, signed.refused) == (action.referee, action.refused):
                return championship.trail.sheets[sheet].number
            raise conflict(
                "signed_there", _mine(action), sheet_there(championship, sheet), table=action.table
            )
        case _:
            return None


def check_unchanged(
    championship: RunningChampionship, key: Key, request: CommandRequest, action: Action
) -> None:
    """Refuse a command about something that somebody else changed after it was seen. Raises HallError."""
    match action:
        case CorrectResult():
            game = (action.stage, action.sitting, action.table, action.game)
            if _newer(championship.trail.results.get(game), key, request):
                theirs = game_there(championship, game)
                raise conflict("result_changed", _mine(action), theirs, table=action.table, game=action.game)
        case SignSheet():
            sheet = (action.stage, action.sitting, action.table)
            games = championship.now.state.games_of(sheet)
            if any(_newer(championship.trail.results.get(each), key, request) for each in games):
                raise conflict(
                    "sheet_changed", _mine(action), sheet_there(championship, sheet), table=action.table
                )
        case CloseStage() | DecideTie():
            touch = championship.trail.stages.get(action.stage)
            if touch is not None and _newer(touch, key, request):
                raise conflict("standings_changed", action, touch, by=touch.author)
        case _:
            pass


def _mine(action: EnterResult | CorrectResult | SignSheet) -> dict[str, Any]:
    """What was to be written."""
    if isinstance(action, SignSheet):
        return {"referee": action.referee, "refused": action.refused}
    return {"result": action.result}


def _newer(touch: Touch | None, key: Key, request: CommandRequest) -> bool:
    """Whether somebody else's touch came after what the page showed."""
    if touch is None or request.seen is None:
        return False
    return touch.version > request.seen and touch.key != key.id


def game_there(championship: RunningChampionship, key: GameKey) -> dict[str, Any]:
    """A result that is there, with who entered it."""
    touch = championship.trail.results[key]
    return {
        "result": msgspec.to_builtins(championship.now.state.results[key]),
        "number": touch.number,
        "version": touch.version,
        "author": touch.author,
        "time": touch.time.isoformat(),
        "signed": key[:3] in championship.now.state.sheets,
    }


def sheet_there(championship: RunningChampionship, key: SheetKey) -> dict[str, Any]:
    """A sheet as it stands, with all its results."""
    state = championship.now.state
    signed = state.sheets.get(key)
    touch = championship.trail.sheets.get(key)
    return {
        "signed": msgspec.to_builtins(signed),
        "author": touch.author if touch is not None else "",
        "games": [
            {"game": game[3], **game_there(championship, game)}
            for game in state.games_of(key)
            if game in state.results
        ],
    }


def kept_clash(
    championship: RunningChampionship,
    key: Key,
    request: CommandRequest,
    author: str,
    refusal: HallError,
) -> None:
    """What could not be written because something else was there, kept for the director to look at."""
    there = refusal.conflict
    id = f"clash-{request.id}"
    if there is None or request.preview or id in championship.known:
        return
    if not isinstance(request.command, Enter | Correct | Sign) or not author.strip():
        return
    command = msgspec.to_builtins(request.command)
    clash = Clash(refusal.code, command, there.theirs, table_of(request.command))
    championship.write_hall(clash, id=id, digest=digest_of(command), key=key.id, author=author, role=key.role)
