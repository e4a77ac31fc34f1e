"""Routes to take a championship away: JSON, the log, CSV files, the results site, PDFs."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, QueryParameter

from meldroom.championship.input import current
from meldroom.championship.log.entry import hash_of
from meldroom.championship.log.export import as_json
from meldroom.papers import Order
from meldroom.papers.values import PaperSize
from meldroom.server.background.printing import PrintingState
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.pages.desk import state_for
from meldroom.server.championships.pages.downloads import (
    championship_code,
    csv_zip,
    deals_pdf,
    papers,
    zipped,
)
from meldroom.server.championships.pages.public import public_page
from meldroom.server.championships.pages.static_site import site
from meldroom.server.championships.routes.request_context import (
    All,
    Asked,
    Code,
    HallPort,
    Printer,
    StaffKey,
    address_for_devices,
    download,
    shape,
)
from meldroom.server.championships.storage.keys import may
from meldroom.server.championships.storage.running import RunningChampionship, Snapshot
from meldroom.server.web.language import Spoken
from meldroom.server.web.problems import problems

ZIP = "application/zip"
PDF = "application/pdf"
BLANK = "blank_sheets.pdf"
"""What every table may print."""
DEALS = "deals.pdf"
"""What only the director may print: every tile of a duplicate stage."""


@get("/{code:str}/export", responses=shape(bytes, 401, 403))
async def export(code: Code, championships: All, staff_key: StaffKey = "") -> Response[bytes]:
    """The whole championship as one versioned JSON document."""
    championship, _ = await championships.entrusted(code, staff_key, "export")
    data = await championship.read(lambda _, now: as_json(now.state))
    return download(data, f"{code}.json", "application/json")


@get("/{code:str}/log", responses=shape(bytes, 401, 403, media_type="application/jsonl"))
async def log(code: Code, championships: All, staff_key: StaffKey = "") -> Response[bytes]:
    """The championship's log exactly as stored, one JSON object per line, for archives and verifiers."""
    championship, _ = await championships.entrusted(code, staff_key, "export")

    def whole(running: RunningChampionship, now: Snapshot) -> bytes:
        return b"".join(line + b"\n" for line in running.lines()[: now.state.entries])

    data = await championship.read(whole)
    return download(data, f"{code}.jsonl", "application/jsonl")


@get("/{code:str}/csv.zip", responses=shape(bytes, 401, 403, media_type=ZIP))
async def csv_files(
    code: Code,
    championships: All,
    language: Spoken,
    excel: Annotated[bool, QueryParameter()] = False,
    staff_key: StaffKey = "",
) -> Response[bytes]:
    """Players, seating, games, standings, penalties, disputes and ranking as CSV files in an archive."""
    championship, _ = await championships.entrusted(code, staff_key, "export")
    return download(
        await championship.read(lambda _, now: csv_zip(now.state, now.hall, language if excel else None)),
        f"{code}-csv.zip",
        ZIP,
    )


@get("/{code:str}/site.zip", responses=shape(bytes, 401, 403, media_type=ZIP))
async def results_site(code: Code, championships: All, staff_key: StaffKey = "") -> Response[bytes]:
    """The public results as a static site in both languages, to be put on any web server."""
    championship, _ = await championships.entrusted(code, staff_key, "export")

    def made(running: RunningChampionship, now: Snapshot) -> bytes:
        head = hash_of(running.lines()[now.state.entries - 1])
        return zipped(site(public_page(now, championship.rank_bounds), head))

    return download(await championship.read(made), f"{code}-site.zip", ZIP)


@get(
    "/{code:str}/papers/{file:str}",
    responses=shape(bytes, 400, 401, 403, 409, 503, media_type=PDF),
    opt={"also": (ZIP,)},
)
async def paper(
    request: Asked,
    code: Code,
    file: FromPath[str],
    championships: All,
    printing: Printer,
    hall_port: HallPort,
    language: Spoken,
    stage: Annotated[str, QueryParameter(max_length=80)] = "",
    sitting: Annotated[int, QueryParameter(ge=0, le=1000)] = 0,
    day: FromQuery[date | None] = None,
    size: FromQuery[PaperSize] = "a4",
    where: Annotated[str, QueryParameter(max_length=80)] = "",
    blank: Annotated[int, QueryParameter(ge=1, le=200)] = 8,
    staff_key: StaffKey = "",
) -> Response[bytes]:
    """Papers: `sheets.pdf` is the sitting being played, `sheets.zip` all sittings, `all.zip` everything.

    With a `day` of the schedule, an archive has that day's sittings only.
    """
    championship, key = await championships.entrusted(code, staff_key, "see_papers", whole=file != BLANK)
    if problem := await printing.problem():
        raise HallError(503, problem)
    here = datetime.now().astimezone()
    address = f"{address_for_devices(request, hall_port)}/championship/{code}"

    def made(running: RunningChampionship, now: Snapshot) -> tuple[str, bytes]:
        order = Order(
            language=language,
            paper=size,
            printed=here.strftime("%Y-%m-%d %H:%M"),
            where=where,
            address=address,
            code=championship_code(running.lines()[0]),
            zone=here.tzinfo or UTC,
            blank=blank,
        )
        if file == DEALS:
            named = current(now.state, stage or None)[0]
            known = now.state.deals.get(named)
            if not may(key.role, "announce_deals"):
                raise HallError(403, "not_allowed_here", "file")
            if known is None:
                raise HallError(409, "no_paper_yet", "file")
            return deals_pdf(now.state, order, named, known.seed or running.seed_of(known.commitment))
        return papers(state_for(now, key.role), now.hall, order, file, stage or None, sitting or None, day)

    name, data = await championship.read(made)
    return download(data, f"{code}-{name}", PDF if name.endswith(".pdf") else ZIP)


@get("/printing", responses=problems())
async def printing_state(printing: Printer) -> PrintingState:
    """Whether this server can print papers, before anybody needs one."""
    return printing.state()


@post("/{code:str}/printing", status_code=200, responses=problems(401, 403, 503))
async def prepare_printing(
    code: Code, championships: All, printing: Printer, staff_key: StaffKey = ""
) -> PrintingState:
    """Let the server fetch what papers take; answered when it is there, or after 25 seconds."""
    await championships.entrusted(code, staff_key, "see_papers")
    problem = await printing.problem()
    if problem and not printing.state().fetching:
        raise HallError(503, problem)
    return printing.state()


ROUTES = [export, log, csv_files, results_site, paper, printing_state, prepare_printing]
