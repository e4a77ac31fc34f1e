"""Doing a command: once for each id, by who may, and never over something that came in between."""

from __future__ import annotations

from msgspec.structs import replace

from meldroom.championship.actions import (
    Action,
    AnnounceDraw,
    CorrectResult,
)
from meldroom.championship.apply import apply
from meldroom.championship.corrections import consequences
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.roles import not_allowed
from meldroom.championship.text import format_correction
from meldroom.game import new_secret
from meldroom.i18n import Language
from meldroom.referee import RefereeError
from meldroom.server.championships.commands.answers import Done, Preview
from meldroom.server.championships.commands.conflicts import check_unchanged, kept_clash, same_already
from meldroom.server.championships.commands.counting import count, shown
from meldroom.server.championships.commands.hall_rules import check, conflict
from meldroom.server.championships.commands.online_tables import with_game, with_rooms
from meldroom.server.championships.commands.requests import (
    Announce,
    Command,
    CommandRequest,
    Erase,
    HallCommand,
    LogCommand,
    PlayedGame,
    ShowSeed,
    name_of,
    table_of,
)
from meldroom.server.championships.commands.to_action import action_of
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import BeginGame, BindTable, HallAction, OpenRooms
from meldroom.server.championships.storage.keys import Key
from meldroom.server.championships.storage.last_change import version_of
from meldroom.server.championships.storage.roles import may
from meldroom.server.championships.storage.running import RunningChampionship, digest_of


def perform(
    championship: RunningChampionship, key: Key, request: CommandRequest, language: Language
) -> Done | Preview:
    """Do a command, or tell what it would do. Raises HallError."""
    digest = digest_of(request.command)
    if request.id in championship.known:
        return _again(championship, key, request, digest)
    author = author_of(key, request.by)
    try:
        _check_place(championship, key, request)
        if isinstance(request.command, HallCommand):
            return _in_hall(championship, key, request, request.command, author, digest)
        return _in_log(championship, key, request, request.command, author, digest, language)
    except (ChampionshipError, RefereeError) as error:
        raise HallError.from_below(error, "command") from None
    except HallError as refusal:
        kept_clash(championship, key, request, author, refusal)
        raise


def author_of(key: Key, by: str) -> str:
    """The author: the key's label, with the person's name before it where several share the key."""
    if not key.label:
        return by
    return f"{by} ({key.label})" if by and by != key.label else key.label


def _again(championship: RunningChampionship, key: Key, request: CommandRequest, digest: str) -> Done:
    """The answer that this id had the first time. Raises HallError if it was another command's."""
    known = championship.known[request.id]
    if known.digest != digest or not may(key.role, name_of(request.command)):
        raise HallError(409, "id_used", "id")
    if known.log is not None:
        return done_log(championship, request.id, known.log, request.command)
    assert known.hall is not None
    return done_hall(championship, request.id, known.hall)


def done_log(championship: RunningChampionship, id: str, number: int, command: Command) -> Done:
    """The answer to a command that is an entry of the log."""
    entry = championship.entries[number - 1]
    seed = ""
    if isinstance(command, Announce) and isinstance(entry.action, AnnounceDraw):
        seed = command.seed or championship.seed_of(entry.action.commitment)
    return Done(
        id=id,
        version=version_of(number, championship.afters),
        time=entry.time,
        author=entry.author,
        log=number,
        action=entry.action,
        seed=seed,
    )


def done_hall(championship: RunningChampionship, id: str, number: int) -> Done:
    """The answer to a command that is an entry of the hall's file."""
    entry = championship.hall_entries[number - 1]
    version = entry.after + entry.number
    return Done(
        id=id, version=version, time=entry.time, author=entry.author, hall=number, action=entry.command
    )


def _check_place(championship: RunningChampionship, key: Key, request: CommandRequest) -> None:
    """A table's key works at its table, from the device that is bound to it. Raises HallError."""
    command = request.command
    if key.table is None:
        return
    if table_of(command) != key.table:
        raise HallError(403, "other_table", "command.table", table=key.table)
    if isinstance(command, BindTable):
        return
    bound = championship.now.hall.bindings.get(key.table)
    if bound is None:
        raise HallError(409, "not_bound", "device", table=key.table)
    if bound.device != request.device:
        raise conflict("table_taken", command, bound, table=key.table, label=bound.label or bound.device)


def _in_hall(
    championship: RunningChampionship,
    key: Key,
    request: CommandRequest,
    command: HallCommand,
    author: str,
    digest: str,
) -> Done | Preview:
    if not may(key.role, name_of(command)):
        raise HallError(403, "not_allowed_here", "command.do")
    if not author.strip():
        raise ChampionshipError("no_author")
    check(championship.now.state, championship.now.hall, command, championship.has_photo)
    if isinstance(command, OpenRooms):
        command = with_rooms(championship.now.state, championship.now.hall, command)
    if isinstance(command, BeginGame):
        command = with_game(championship.now.state, command)
    if request.preview:
        return Preview(id=request.id, version=championship.now.version, action=command)
    if isinstance(command, BindTable) and (same := _bound_already(championship, request.id, command)):
        return same
    entry = championship.write_hall(
        command, id=request.id, digest=digest, key=key.id, author=author, role=key.role
    )
    return done_hall(championship, request.id, entry.number)


def _bound_already(championship: RunningChampionship, id: str, command: BindTable) -> Done | None:
    """A device that binds itself again, after a restart of its own, adds nothing."""
    there = championship.now.hall.bindings.get(command.table)
    if there is None or (there.device, there.label) != (command.device, command.label):
        return None
    written: HallAction = command
    return Done(
        id=id,
        version=championship.now.version,
        time=there.since,
        author=there.by,
        action=written,
        written=False,
    )


def _in_log(
    championship: RunningChampionship,
    key: Key,
    request: CommandRequest,
    command: LogCommand,
    author: str,
    digest: str,
    language: Language,
) -> Done | Preview:
    if not may(key.role, name_of(command)):
        # The championship would say so too, but only after results were compared that this role may not see.
        raise not_allowed(key.role, name_of(command))
    if isinstance(command, Announce) and not command.seed:
        command = replace(command, seed=new_secret())
    action = action_of(championship.now.state, command, author, championship.seed_of)
    if isinstance(command, Erase):
        return _erased(championship, key, request, command, author, digest)
    if (number := same_already(championship, action)) is not None:
        return replace(done_log(championship, request.id, number, command), written=False)
    check_unchanged(championship, key, request, action)
    if request.preview:
        return _previewed(championship, key, request, command, action, author, language)
    if isinstance(command, Announce) and isinstance(action, AnnounceDraw):
        championship.keep_seed(action, command.seed)
    entry = championship.write(
        action, id=request.id, digest=digest, key=key, author=author, reason=request.reason
    )
    return done_log(championship, request.id, entry.number, command)


def _erased(
    championship: RunningChampionship,
    key: Key,
    request: CommandRequest,
    command: Erase,
    author: str,
    digest: str,
) -> Done:
    """Erase somebody's data; there is no preview, since they asked for it."""
    championship.now.state.participant(command.number)
    if request.preview:
        raise HallError(400, "no_preview_erase", "preview")
    entry = championship.erase(
        command.number, id=request.id, digest=digest, key=key, author=author, reason=request.reason
    )
    return done_log(championship, request.id, entry.number, command)


def _previewed(
    championship: RunningChampionship,
    key: Key,
    request: CommandRequest,
    command: LogCommand,
    action: Action,
    author: str,
    language: Language,
) -> Preview:
    """What a command would write. Raises HallError and ChampionshipError."""
    if isinstance(command, ShowSeed | Announce):
        raise HallError(400, "no_preview", "preview")
    state = championship.now.state
    reason = request.reason
    if isinstance(action, CorrectResult):
        reason = reason or "–"  # the reason may be asked for when the consequences are known
    entry = apply(state, action, author=author, role=key.role, time=championship.time(), reason=reason)
    preview = Preview(id=request.id, version=championship.now.version, action=entry.action)
    if isinstance(entry.action, CorrectResult):
        found = consequences(state, entry.action)
        told = tuple(line.strip() for line in format_correction(state, entry.action, found, language))
        preview = replace(preview, consequences=found, told=told)
    if isinstance(command, PlayedGame) and command.racks:
        preview = replace(preview, count=shown(state.format, count(state.format, command), language))
    return preview
