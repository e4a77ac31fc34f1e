"""The catalogue and the rules, over HTTP."""

from __future__ import annotations

from litestar import Response, Router, get
from litestar.params import FromPath

from meldroom.api import catalogue as told
from meldroom.api import rules_pages
from meldroom.api.catalogue import KEEP
from meldroom.api.rules_pages import RulesPage
from meldroom.api.schemas import Catalogue
from meldroom.server.web.language import DEPENDENCIES, Spoken
from meldroom.server.web.problems import problems


@get("/catalogue", responses=problems(400))
async def catalogue(language: Spoken) -> Response[Catalogue]:
    """The books and the levels of bots."""
    return Response(told.catalogue(language), headers=KEEP)


@get("/books/{book:str}/page", responses=problems(400, 404))
async def book_page(book: FromPath[str], language: Spoken) -> Response[RulesPage]:
    """A book with its clauses, its options and the rulings that fill its silences."""
    return Response(rules_pages.book_page(book, language), headers=KEEP)


@get("/books/{book:str}/against/{other:str}", responses=problems(400, 404))
async def comparison(book: FromPath[str], other: FromPath[str], language: Spoken) -> Response[RulesPage]:
    """What differs between two books."""
    return Response(rules_pages.comparison(book, other, language), headers=KEEP)


@get("/rulings/{ruling:str}", responses=problems(400, 404))
async def ruling(ruling: FromPath[str], language: Spoken) -> Response[RulesPage]:
    """One ruling: what it decides, for which books, and what it rests on."""
    return Response(rules_pages.ruling_page(ruling, language), headers=KEEP)


router = Router(
    path="/",
    route_handlers=[catalogue, book_page, comparison, ruling],
    tags=["rules"],
    dependencies=DEPENDENCIES,
)
