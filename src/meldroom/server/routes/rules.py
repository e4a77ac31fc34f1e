"""The catalogue and the rules, over HTTP."""

from __future__ import annotations

from litestar import Response, Router, get
from litestar.params import FromPath

from meldroom.api import catalogue as told
from meldroom.api.catalogue import RulesPage
from meldroom.api.errors import HttpError
from meldroom.api.schemas import Catalogue
from meldroom.rules.library import BOOK_IDS
from meldroom.server.web.language import DEPENDENCIES, Spoken
from meldroom.server.web.problems import problems

# They change with a new version only; a browser that asks again gets what is true.
_KEEP = {"Cache-Control": "public, max-age=300", "Vary": "Accept-Language"}


def _known(book: str, place: str) -> str:
    """The id of a published book. Raises HttpError."""
    if book not in BOOK_IDS:
        raise HttpError(404, "no_such_book", place, book=book[:40], books=", ".join(BOOK_IDS))
    return book


@get("/catalogue", responses=problems(400))
async def catalogue(language: Spoken) -> Response[Catalogue]:
    """The books and the levels of bots."""
    return Response(told.catalogue(language), headers=_KEEP)


@get("/books/{book:str}/page", responses=problems(400, 404))
async def book_page(book: FromPath[str], language: Spoken) -> Response[RulesPage]:
    """A book with its clauses, its options and the rulings that fill its silences."""
    return Response(told.book_page(_known(book, "book"), language), headers=_KEEP)


@get("/books/{book:str}/against/{other:str}", responses=problems(400, 404))
async def comparison(book: FromPath[str], other: FromPath[str], language: Spoken) -> Response[RulesPage]:
    """What differs between two books."""
    page = told.comparison(_known(book, "book"), _known(other, "other"), language)
    return Response(page, headers=_KEEP)


@get("/rulings/{ruling:str}", responses=problems(400, 404))
async def ruling(ruling: FromPath[str], language: Spoken) -> Response[RulesPage]:
    """One ruling: what it decides, for which books, and what it rests on."""
    page = told.ruling_page(ruling.upper(), language) if len(ruling) <= 6 else None
    if page is None:
        raise HttpError(404, "no_such_ruling", "ruling", ruling=ruling[:20], last=told.last_ruling())
    return Response(page, headers=_KEEP)


router = Router(
    path="/",
    route_handlers=[catalogue, book_page, comparison, ruling],
    tags=["rules"],
    dependencies=DEPENDENCIES,
)
