"""Routes for those who hold a key: the desk, commands and outboxes, keys, and entrants' personal links."""

from __future__ import annotations

import msgspec
from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody

from meldroom.championship.roles import HOST, Role
from meldroom.i18n import Language
from meldroom.server.championships.commands.answers import Done, OutboxAnswer, OutboxAnswers, Preview
from meldroom.server.championships.commands.perform import perform
from meldroom.server.championships.commands.requests import CommandRequest, Outbox
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import Said, Table
from meldroom.server.championships.pages.desk import Desk, KeyCard, desk_of, key_card
from meldroom.server.championships.routes.request_context import (
    LARGEST_BODY,
    All,
    Code,
    StaffKey,
    computed,
    encoded,
    shape,
)
from meldroom.server.championships.runtime.live import LiveChampionship
from meldroom.server.championships.storage.keys import Key, may
from meldroom.server.championships.storage.running import RunningChampionship
from meldroom.server.web.language import Spoken
from meldroom.server.web.problems import problems

_OF_TABLES: tuple[Role, ...] = ("referee", "scorer")


class NewKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key to make; with a table it is for that table's device."""

    role: Role
    label: Said
    table: Table | None = None


class KeyMade(msgspec.Struct, frozen=True, kw_only=True):
    """A new key; its secret is shown this once."""

    card: KeyCard
    key: str


class PersonalLink(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant's own link; whoever has it plays as them. The key comes after the # and is in no log."""

    number: int
    name: str
    key: str
    path: str


@get("/{code:str}/desk", responses=shape(Desk, 401, 403))
async def desk(code: Code, championships: All, language: Spoken, staff_key: StaffKey = "") -> Response[bytes]:
    """Everything that the key's role may see, and what can be done next."""
    championship, key = await championships.entrusted(code, staff_key)
    return await computed(championship, lambda running, now: desk_of(running, now, key, language))


@post(
    "/{code:str}/commands",
    status_code=200,
    responses=problems(400, 401, 403, 409, 429, 503),
    request_max_body_size=LARGEST_BODY,
)
async def command(
    code: Code,
    data: JSONBody[CommandRequest],
    championships: All,
    language: Spoken,
    staff_key: StaffKey = "",
) -> Done | Preview:
    """Do one command, or with `preview` tell what it would change. The same id is never done twice.

    Where somebody else has been there before, 409 shows both versions under `conflict`.
    """
    championship, key = await championships.entrusted(code, staff_key)
    return await championship.change(lambda running: perform(running, key, data, language))


@post(
    "/{code:str}/outbox",
    status_code=200,
    responses=problems(400, 401, 503),
    request_max_body_size=LARGEST_BODY,
)
async def outbox(
    code: Code,
    data: JSONBody[Outbox],
    championships: All,
    language: Spoken,
    staff_key: StaffKey = "",
) -> OutboxAnswers:
    """What a device did while it was off the network, in order; each command is answered on its own."""
    championship, key = await championships.entrusted(code, staff_key)
    answers = [await _answered(championship, key, each, language) for each in data.commands]
    return OutboxAnswers(version=championship.now.version, answers=tuple(answers))


async def _answered(
    championship: LiveChampionship, key: Key, asked: CommandRequest, language: Language
) -> OutboxAnswer:
    try:
        done = await championship.change(lambda running: perform(running, key, asked, language))
    except HallError as refusal:
        problem = refusal.problem(language)
        return OutboxAnswer(
            id=asked.id,
            status=refusal.status,
            error=problem.error,
            conflict=problem.conflict,
            lines=problem.lines or None,
        )
    return OutboxAnswer(id=asked.id, status=200, done=done)


@get("/{code:str}/keys", responses=problems(401, 403))
async def list_keys(code: Code, championships: All, staff_key: StaffKey = "") -> tuple[KeyCard, ...]:
    """All keys without their secrets."""
    championship, _ = await championships.entrusted(code, staff_key, "make_keys")
    access = championship.now.access
    return tuple(key_card(key, access) for key in access.keys)


@post("/{code:str}/keys", status_code=201, responses=problems(400, 401, 403, 409, 503))
async def make_key(
    code: Code, data: JSONBody[NewKey], championships: All, staff_key: StaffKey = ""
) -> KeyMade:
    """A new key. Put it into a link only after a #, so that no log ever has it."""
    championship, key = await championships.entrusted(code, staff_key, "make_keys")
    if data.role in ("organiser", HOST) and not may(key.role, "make_organiser_keys"):
        raise HallError(403, "not_allowed_here", "role")
    if data.table is not None and data.role not in _OF_TABLES:
        raise HallError(400, "table_of_role", "table")
    if not data.label.isprintable() or data.label != data.label.strip():
        raise HallError(400, "bad_text", "label")
    secret, made = await championship.change(
        lambda running: running.make_key(data.role, data.label, data.table, key.label)
    )
    return KeyMade(card=key_card(made, championship.now.access), key=secret)


@delete("/{code:str}/keys/{number:str}", status_code=204, responses=problems(401, 403, 409, 503))
async def revoke_key(code: Code, number: FromPath[str], championships: All, staff_key: StaffKey = "") -> None:
    """Revoke a key: from now on it opens nothing."""
    championship, key = await championships.entrusted(code, staff_key, "make_keys")
    its = championship.now.access.key(number).role
    if its in ("organiser", HOST) and not may(key.role, "make_organiser_keys"):
        raise HallError(403, "not_allowed_here", "id")
    await championship.change(lambda running: running.revoke(number))


@get("/{code:str}/links", responses=shape(tuple[PersonalLink, ...], 401, 403, 503))
async def personal_links(code: Code, championships: All, staff_key: StaffKey = "") -> Response[bytes]:
    """The personal links of all entrants, to be sent to them."""
    championship, _ = await championships.entrusted(code, staff_key, "make_keys")
    return encoded(await championship.change(_links, quietly=True))


@post("/{code:str}/links/{number:int}/renew", status_code=200, responses=shape(PersonalLink, 401, 403, 503))
async def renew_link(
    code: Code, number: FromPath[int], championships: All, staff_key: StaffKey = ""
) -> Response[bytes]:
    """A new personal link in place of one that got into wrong hands; the old one opens no chair any more."""
    championship, _ = await championships.entrusted(code, staff_key, "make_keys")
    await championship.change(lambda running: running.renew_personal_key(number))
    links = await championship.change(_links, quietly=True)
    return encoded(next(link for link in links if link.number == number))


def _links(championship: RunningChampionship) -> tuple[PersonalLink, ...]:
    keys, now = championship.personal_keys(), championship.now
    return tuple(
        PersonalLink(
            number=one.number,
            name=one.entrant.name,
            key=(key := keys.key_of(one.number)),
            path=f"/championship/{now.code}/p/{one.number}#key={key}",
        )
        for one in now.state.participants
    )


ROUTES = [desk, command, outbox, list_keys, make_key, revoke_key, personal_links, renew_link]
