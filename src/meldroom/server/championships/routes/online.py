"""Routes of championships played online: the personal links that entrants take their chairs with."""

from __future__ import annotations

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from meldroom.server.championships.routes.request_context import (
    All,
    Code,
    StaffKey,
    encoded,
    entrusted,
    shape,
)
from meldroom.server.championships.storage.running import RunningChampionship


class PersonalLink(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant's own link; whoever has it plays as them. The key comes after the # and is in no log."""

    number: int
    name: str
    key: str
    path: str


@get("/{code:str}/links", responses=shape(tuple[PersonalLink, ...], 401, 403, 503))
async def personal_links(code: Code, championships: All, staff_key: StaffKey = "") -> Response[bytes]:
    """The personal links of all entrants, to be sent to them."""
    championship, _ = await entrusted(championships, code, staff_key, "make_keys")
    return encoded(await championship.change(_links, quietly=True))


@post("/{code:str}/links/{number:int}/renew", status_code=200, responses=shape(PersonalLink, 401, 403, 503))
async def renew_link(
    code: Code, number: FromPath[int], championships: All, staff_key: StaffKey = ""
) -> Response[bytes]:
    """A new personal link in place of one that got into wrong hands; the old one opens no chair any more."""
    championship, _ = await entrusted(championships, code, staff_key, "make_keys")
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


ROUTES = [personal_links, renew_link]
