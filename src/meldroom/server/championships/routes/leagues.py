"""Leagues over HTTP: made by anybody, seen by everybody, changed with the league's key."""

from __future__ import annotations

import asyncio
from typing import Annotated, cast

import msgspec
from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from meldroom.decode import LONGEST_TOML
from meldroom.server.championships.leagues.page import LeaguePage
from meldroom.server.championships.routes.request_context import All, Asked, StaffKey, encoded, shape
from meldroom.server.control.guard import only_while_on
from meldroom.server.web.asgi import Scope, address_of
from meldroom.server.web.problems import problems

LeagueCode = FromPath[str]


class NewLeague(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A league to make: its definition as `meldroom league` reads it, without events."""

    toml: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TOML)]


class LeagueMade(msgspec.Struct, frozen=True):
    """A new league's code and its key, which is never shown again."""

    code: str
    key: str


class EventOfLeague(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A championship of this server, by its code."""

    code: Annotated[str, msgspec.Meta(max_length=12)]


@post(
    "/leagues",
    status_code=201,
    responses=problems(400, 403, 429),
    request_max_body_size=2 * LONGEST_TOML,
    guards=[only_while_on("championships")],
)
async def make_league(request: Asked, data: JSONBody[NewLeague], championships: All) -> LeagueMade:
    """Make a league. The answer holds its key, which is shown this once."""
    championships.check_opening(address_of(cast("Scope", request.scope)))
    code, key = await championships.offload(championships.leagues.create, data.toml)
    return LeagueMade(code, key)


@get("/leagues/{league:str}", responses=shape(LeaguePage, 404))
async def league_page(
    league: LeagueCode,
    championships: All,
    class_id: Annotated[str, QueryParameter(name="class", max_length=80)] = "",
) -> Response[bytes]:
    """The public page of a league: table, events, and everybody who has played; or of one class of it."""
    return encoded(await championships.league(league, class_id))


@post("/leagues/{league:str}/events", status_code=204, responses=problems(400, 401, 404, 409))
async def add_event(
    league: LeagueCode, data: JSONBody[EventOfLeague], championships: All, staff_key: StaffKey = ""
) -> None:
    """Let a championship count in a league."""
    await asyncio.to_thread(championships.leagues.unlock, league, staff_key)
    await championships.championship(data.code)
    await asyncio.to_thread(championships.leagues.change, league, staff_key, data.code, there=True)
    championships.leagues.changed(league)


@delete("/leagues/{league:str}/events/{code:str}", status_code=204, responses=problems(401, 404))
async def remove_event(
    league: LeagueCode, code: FromPath[str], championships: All, staff_key: StaffKey = ""
) -> None:
    """Let a championship count in a league no more."""
    await asyncio.to_thread(championships.leagues.change, league, staff_key, code, there=False)
    championships.leagues.changed(league)


ROUTES = [make_league, league_page, add_event, remove_event]
