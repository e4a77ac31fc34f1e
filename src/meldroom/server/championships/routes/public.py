"""Routes that need no key: the list, the public page, changes, draws, a player's own page."""

from __future__ import annotations

import secrets
from typing import Annotated, cast

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from meldroom.championship.rank_bounds import Bounds
from meldroom.championship.seating.plan import Plan
from meldroom.papers.sheet_codes import parse_code, sheet_code
from meldroom.rooms.runtime.rooms import now_ms
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.pages.desk import state_for
from meldroom.server.championships.pages.downloads import championship_code
from meldroom.server.championships.pages.person import PersonPage, person_page
from meldroom.server.championships.pages.public import draw_card, page_of
from meldroom.server.championships.pages.schemas import ChampionshipPage, DrawCard
from meldroom.server.championships.routes.request_context import (
    LARGEST_BODY,
    All,
    Asked,
    Code,
    HallPort,
    Printer,
    StaffKey,
    address_for_devices,
    computed,
    encoded,
    shape,
)
from meldroom.server.championships.runtime.archive import (
    AdoptedChampionship,
    ChampionshipCard,
    ChampionshipOpened,
    NewChampionship,
    NewClubNight,
)
from meldroom.server.championships.runtime.live import LONGEST_WAIT
from meldroom.server.championships.storage.running import RunningChampionship, Snapshot
from meldroom.server.control.guard import only_while_on
from meldroom.server.web.asgi import Scope, address_of
from meldroom.server.web.problems import problems
from meldroom.server.web.qr_code import SVG, qr_picture

LONGEST_PATH = 300
_LARGEST_OPENING = 200_000


_CLOCK = secrets.token_hex(4)


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """The version now; if `changed`, it is later than the reader's, who should fetch the page again."""

    version: int
    changed: bool
    now: int
    """The server's time in milliseconds since 1970, for countdowns; no time sync moves it."""
    clock: str
    """Another one when the server was started anew, and its clock with it."""


class DrawPage(msgspec.Struct, frozen=True, kw_only=True):
    """A raffle with its plan, so that anyone can compute it again."""

    stage: str
    draw: DrawCard
    numbers: tuple[int, ...]
    """The entrants' numbers in the order of the list that was published."""
    plan: Plan
    """The tables of each sitting, by the numbers that were drawn."""


class SheetPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Which table's sitting a sheet's printed code stands for."""

    stage: str
    sitting: int
    table: int


class LinkPath(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A path of this site, with what follows its #: so a key is in no address that a server would log."""

    path: str


@get("/", responses=problems())
async def list_championships(championships: All) -> tuple[ChampionshipCard, ...]:
    """Championships that are listed, the latest first."""
    return await championships.listed()


@post(
    "/",
    status_code=201,
    responses=problems(400, 403),
    request_max_body_size=_LARGEST_OPENING,
    guards=[only_while_on("championships")],
)
async def open_championship(
    request: Asked, data: JSONBody[NewChampionship], championships: All, printing: Printer
) -> ChampionshipOpened:
    """Open a championship. The answer holds the organiser's key, which is shown this once."""
    printing.prepare()
    return await championships.open(data, address_of(cast("Scope", request.scope)))


@post(
    "/club-night",
    status_code=201,
    responses=problems(400, 403, 409),
    request_max_body_size=_LARGEST_OPENING,
    guards=[only_while_on("championships")],
)
async def open_club_night(
    request: Asked, data: JSONBody[NewClubNight], championships: All, printing: Printer
) -> ChampionshipOpened:
    """Begin a club night: everybody is entered, and all tables are drawn. The answer holds the host's key."""
    client = request.client
    printing.prepare()
    return await championships.open(data, client.host if client is not None else "")


@post(
    "/adopt",
    status_code=201,
    responses=problems(400, 403, 503),
    request_max_body_size=LARGEST_BODY,
    guards=[only_while_on("championships")],
)
async def adopt_championship(
    request: Asked, data: JSONBody[AdoptedChampionship], championships: All, printing: Printer
) -> ChampionshipOpened:
    """Continue an exported championship here. The answer holds the organiser's key, shown only once."""
    printing.prepare()
    return await championships.open(data, address_of(cast("Scope", request.scope)))


@get("/{code:str}", responses=shape(ChampionshipPage))
async def championship_page(code: Code, championships: All) -> Response[bytes]:
    """The public page: schedule, seating, published results and standings, draws, countdown."""
    championship = await championships.championship(code)
    return encoded((await championship.public())[0])


@get("/{code:str}/changes", responses=problems(401), opt={"key": "optional"})
async def changes(
    code: Code,
    championships: All,
    since: Annotated[int, QueryParameter(ge=0)] = 0,
    wait: Annotated[float, QueryParameter(ge=0, le=LONGEST_WAIT)] = LONGEST_WAIT,
    staff_key: StaffKey = "",
) -> Changes:
    """Wait for news: answered when the version is later than `since`, or when the time is over.

    Without a key only what changes the public page is news.
    """
    championship = await championships.championship(code)
    key = championship.holder(staff_key)
    version = await championship.wait(since, wait, public=not key.id)
    return Changes(version=version, changed=version > since, now=now_ms(), clock=_CLOCK)


@get("/{code:str}/people/{number:int}", responses=shape(PersonPage))
async def person(code: Code, number: FromPath[int], championships: All) -> Response[bytes]:
    """A player's own timetable, with their published results."""
    championship = await championships.championship(code)

    def made(_: RunningChampionship, now: Snapshot) -> PersonPage:
        shown = state_for(now, "public")
        return person_page(now, shown, page_of(now, shown, live=False), number)

    return await computed(championship, made)


@get("/{code:str}/draws/{stage:str}", responses=shape(DrawPage))
async def draw(code: Code, stage: FromPath[str], championships: All) -> Response[bytes]:
    """A draw with everything that was published before it, and its seed once that is revealed."""
    championship = await championships.championship(code)
    drawing = championship.now.state.draws.get(stage)
    card = draw_card(championship.now.state, stage)
    if drawing is None or card is None:
        raise HallError(404, "no_such_draw", "stage", stage=stage[:40])
    return encoded(DrawPage(stage=stage, draw=card, numbers=drawing.numbers, plan=drawing.entry.plan))


@get("/{code:str}/bounds/{stage:str}", responses=shape(dict[int, Bounds], 401), opt={"key": "optional"})
async def bounds(
    code: Code, stage: FromPath[str], championships: All, staff_key: StaffKey = ""
) -> Response[bytes]:
    """Which places each player can still reach, by the results that the reader may see."""
    championship = await championships.championship(code)
    key = championship.holder(staff_key)
    return await computed(
        championship, lambda _, now: championship.rank_bounds.of(state_for(now, key.sees_as), stage)
    )


@get("/{code:str}/sheets/{sheet:str}", responses=problems())
async def sheet_place(code: Code, sheet: FromPath[str], championships: All) -> SheetPlace:
    """The table's sitting that the code printed on a score sheet stands for."""
    championship = await championships.championship(code)
    wanted = parse_code(sheet[:20])

    def found(running: RunningChampionship, now: Snapshot) -> SheetPlace | None:
        mark = championship_code(running.lines()[0])
        for key, seated in now.state.history():
            for place, table in enumerate(seated.tables, start=1):
                if sheet_code(mark, *key, place, table) == wanted:
                    return SheetPlace(stage=key[0], sitting=key[1], table=place)
        return None

    place = await championship.read(found) if wanted is not None else None
    if place is None:
        raise HallError(404, "no_such_sheet", "sheet", sheet=sheet[:20])
    return place


@get("/{code:str}/qr.svg", responses=shape(str, 400, media_type=SVG))
async def qr_code(
    request: Asked,
    code: Code,
    championships: All,
    hall_port: HallPort,
    path: Annotated[str, QueryParameter(max_length=LONGEST_PATH)] = "",
) -> Response[bytes]:
    """A QR code that leads to a page of this site; without a path, to the championship's own."""
    await championships.championship(code)
    if "#" in path:
        raise HallError(400, "bad_path", "path")
    return _qr(address_for_devices(request, hall_port), path or f"/championship/{code}")


@post("/{code:str}/qr.svg", status_code=200, responses=shape(str, 400, media_type=SVG))
async def qr_code_of_link(
    request: Asked, code: Code, data: JSONBody[LinkPath], championships: All, hall_port: HallPort
) -> Response[bytes]:
    """A QR code that leads to a page of this site with a key after the #, which no log ever sees."""
    await championships.championship(code)
    return _qr(address_for_devices(request, hall_port), data.path)


def _qr(address: str, path: str) -> Response[bytes]:
    right = path.startswith("/") and not path.startswith("//") and len(path) <= LONGEST_PATH
    if not right or not path.isascii() or not path.isprintable() or set(path) & set(' "<>\\^`{|}'):
        raise HallError(400, "bad_path", "path")
    return qr_picture(address + path)


ROUTES = [
    list_championships,
    open_championship,
    open_club_night,
    adopt_championship,
    championship_page,
    changes,
    person,
    draw,
    bounds,
    sheet_place,
    qr_code,
    qr_code_of_link,
]
