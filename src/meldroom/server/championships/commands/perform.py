"""Doing an act: once for each id, by who may, and never over something that came in between."""

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
from meldroom.championship.text import told_correction
from meldroom.game import new_secret
from meldroom.i18n import Language
from meldroom.server.championships.commands.answers import Done, Preview
from meldroom.server.championships.commands.conflicts import check_unchanged, kept_clash, same_already
from meldroom.server.championships.commands.counting import count, shown
from meldroom.server.championships.commands.last_change import version_of
from meldroom.server.championships.commands.requests import (
    Act,
    ActRequest,
    Announce,
    AskedHallAct,
    Erase,
    LogAct,
    Played,
    ShowSeed,
    name_of,
    table_of,
)
from meldroom.server.championships.commands.to_action import action_of
from meldroom.server.championships.errors import EventRefusal
from meldroom.server.championships.hall.commands import BeginGame, BindTable, HallAct, OpenRooms
from meldroom.server.championships.hall.roles import may
from meldroom.server.championships.hall.rules import check, conflict
from meldroom.server.championships.online.commands import with_game, with_rooms
from meldroom.server.championships.storage.keys import Key
from meldroom.server.championships.storage.running import RunningEvent, digest_of


def perform(event: RunningEvent, key: Key, request: ActRequest, language: Language) -> Done | Preview:
    """Do an act, or tell what it would do. Raises EventRefusal."""
    digest = digest_of(request.act)
    if request.id in event.known:
        return _again(event, key, request, digest)
    author = author_of(key, request.by)
    try:
        _check_place(event, key, request)
        if isinstance(request.act, AskedHallAct):
            return _in_hall(event, key, request, request.act, author, digest)
        return _in_log(event, key, request, request.act, author, digest, language)
    except ChampionshipError as error:
        raise EventRefusal.of(error, "command") from None
    except EventRefusal as refusal:
        kept_clash(event, key, request, author, refusal)
        raise


def author_of(key: Key, by: str) -> str:
    """Who acts: the key's label, with the person's name before it where several share the key."""
    if not key.label:
        return by
    return f"{by} ({key.label})" if by and by != key.label else key.label


def _again(event: RunningEvent, key: Key, request: ActRequest, digest: str) -> Done:
    """The answer that this id had the first time. Raises EventRefusal if it was another act's."""
    known = event.known[request.id]
    if known.digest != digest or not may(key.role, name_of(request.act)):
        raise EventRefusal(409, "id_used", "id")
    if known.log is not None:
        return done_log(event, request.id, known.log, request.act)
    assert known.hall is not None
    return done_hall(event, request.id, known.hall)


def done_log(event: RunningEvent, id: str, number: int, act: Act) -> Done:
    """The answer to an act that is an entry of the log."""
    entry = event.entries[number - 1]
    seed = ""
    if isinstance(act, Announce) and isinstance(entry.action, AnnounceDraw):
        seed = act.seed or event.seed_of(entry.action.commitment)
    return Done(
        id=id,
        version=version_of(number, event.afters),
        time=entry.time,
        author=entry.author,
        log=number,
        action=entry.action,
        seed=seed,
    )


def done_hall(event: RunningEvent, id: str, number: int) -> Done:
    """The answer to an act that is an entry of the hall's file."""
    entry = event.hall_entries[number - 1]
    version = entry.after + entry.number
    return Done(id=id, version=version, time=entry.time, author=entry.author, hall=number, action=entry.act)


def _check_place(event: RunningEvent, key: Key, request: ActRequest) -> None:
    """A table's key works at its table, from the device that is bound to it. Raises EventRefusal."""
    act = request.act
    if key.table is None:
        return
    if table_of(act) != key.table:
        raise EventRefusal(403, "other_table", "command.table", table=key.table)
    if isinstance(act, BindTable):
        return
    bound = event.now.hall.bindings.get(key.table)
    if bound is None:
        raise EventRefusal(409, "not_bound", "device", table=key.table)
    if bound.device != request.device:
        raise conflict("table_taken", act, bound, table=key.table, label=bound.label or bound.device)


def _in_hall(
    event: RunningEvent, key: Key, request: ActRequest, act: AskedHallAct, author: str, digest: str
) -> Done | Preview:
    if not may(key.role, name_of(act)):
        raise EventRefusal(403, "not_allowed_here", "command.do")
    if not author.strip():
        raise ChampionshipError("no_author")
    check(event.now.state, event.now.hall, act, event.has_photo)
    if isinstance(act, OpenRooms):
        act = with_rooms(event.now.state, event.now.hall, act)
    if isinstance(act, BeginGame):
        act = with_game(event.now.state, act)
    if request.preview:
        return Preview(id=request.id, version=event.now.version, action=act)
    if isinstance(act, BindTable) and (same := _bound_already(event, request.id, act)):
        return same
    entry = event.write_hall(act, id=request.id, digest=digest, key=key.id, author=author, role=key.role)
    return done_hall(event, request.id, entry.number)


def _bound_already(event: RunningEvent, id: str, act: BindTable) -> Done | None:
    """A device that binds itself again, after a restart of its own, adds nothing."""
    there = event.now.hall.bindings.get(act.table)
    if there is None or (there.device, there.label) != (act.device, act.label):
        return None
    written: HallAct = act
    return Done(
        id=id,
        version=event.now.version,
        time=there.since,
        author=there.by,
        action=written,
        written=False,
    )


def _in_log(
    event: RunningEvent,
    key: Key,
    request: ActRequest,
    act: LogAct,
    author: str,
    digest: str,
    language: Language,
) -> Done | Preview:
    if not may(key.role, name_of(act)):
        # The championship would say so too, but only after results were compared that this role may not see.
        role, what = f"@role.{key.role}", f"@what.{name_of(act)}"
        raise ChampionshipError("not_allowed", role=role, what=what)
    if isinstance(act, Announce) and not act.seed:
        act = replace(act, seed=new_secret())
    action = action_of(event.now.state, act, author, event.seed_of)
    if isinstance(act, Erase):
        return _erased(event, key, request, act, author, digest)
    if (number := same_already(event, action)) is not None:
        return replace(done_log(event, request.id, number, act), written=False)
    check_unchanged(event, key, request, action)
    if request.preview:
        return _previewed(event, key, request, act, action, author, language)
    if isinstance(act, Announce) and isinstance(action, AnnounceDraw):
        event.keep_seed(action, act.seed)
    entry = event.write(action, id=request.id, digest=digest, key=key, author=author, reason=request.reason)
    return done_log(event, request.id, entry.number, act)


def _erased(event: RunningEvent, key: Key, request: ActRequest, act: Erase, author: str, digest: str) -> Done:
    """Somebody is taken out of the event; there is no preview, since it is what he asked for."""
    event.now.state.participant(act.number)
    if request.preview:
        raise EventRefusal(400, "no_preview_erase", "preview")
    entry = event.erase(
        act.number, id=request.id, digest=digest, key=key, author=author, reason=request.reason
    )
    return done_log(event, request.id, entry.number, act)


def _previewed(
    event: RunningEvent,
    key: Key,
    request: ActRequest,
    act: LogAct,
    action: Action,
    author: str,
    language: Language,
) -> Preview:
    """What an act would write. Raises EventRefusal and ChampionshipError."""
    if isinstance(act, ShowSeed | Announce):
        raise EventRefusal(400, "no_preview", "preview")
    state = event.now.state
    reason = request.reason
    if isinstance(action, CorrectResult):
        reason = reason or "–"  # the reason may be asked for when the consequences are known
    entry = apply(state, action, author=author, role=key.role, time=event.time(), reason=reason)
    preview = Preview(id=request.id, version=event.now.version, action=entry.action)
    if isinstance(entry.action, CorrectResult):
        found = consequences(state, entry.action)
        told = tuple(line.strip() for line in told_correction(state, entry.action, found, language))
        preview = replace(preview, consequences=found, told=told)
    if isinstance(act, Played) and act.racks:
        preview = replace(preview, count=shown(state.format, count(state.format, act), language))
    return preview
