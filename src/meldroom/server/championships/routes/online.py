"""Routes of events played online: the personal links that entrants take their chairs with."""

from __future__ import annotations

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from meldroom.server.championships.routes.request_context import (
    All,
    Code,
    EventKey,
    encoded,
    entrusted,
    shape,
)
from meldroom.server.championships.storage.running import RunningEvent


class PersonalLink(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant's own link; whoever has it plays as him. The key stands after the # and is in no log."""

    number: int
    name: str
    key: str
    path: str


@get("/{code:str}/links", responses=shape(tuple[PersonalLink, ...], 401, 403, 503))
async def personal_links(code: Code, events: All, event_key: EventKey = "") -> Response[bytes]:
    """The personal link of everybody who takes part, to be sent to him."""
    event, _ = await entrusted(events, code, event_key, "make_keys")
    return encoded(await event.change(_links, quietly=True))


@post("/{code:str}/links/{number:int}/renew", status_code=200, responses=shape(PersonalLink, 401, 403, 503))
async def renew_link(
    code: Code, number: FromPath[int], events: All, event_key: EventKey = ""
) -> Response[bytes]:
    """A new personal link in place of one that got into wrong hands; the old one opens no chair any more."""
    event, _ = await entrusted(events, code, event_key, "make_keys")
    await event.change(lambda running: running.renew_personal_key(number))
    links = await event.change(_links, quietly=True)
    return encoded(next(link for link in links if link.number == number))


def _links(event: RunningEvent) -> tuple[PersonalLink, ...]:
    keys, now = event.personal_keys(), event.now
    return tuple(
        PersonalLink(
            number=one.number,
            name=one.entrant.name,
            key=(key := keys.key_of(one.number)),
            path=f"/championship/{now.code}/p/{one.number}#key={key}",
        )
        for one in now.state.participants
    )


ROUTES = [personal_links, renew_link]
