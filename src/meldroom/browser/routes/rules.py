"""The catalogue and the rules."""

from __future__ import annotations

from meldroom.api import catalogue as told
from meldroom.api.answers import Answer
from meldroom.browser.levels import LEVELS
from meldroom.browser.router import Asked, Route


async def catalogue(asked: Asked) -> Answer:
    """The books, and the levels of bots that can play here."""
    return _kept(told.catalogue(asked.language, LEVELS))


async def book_page(asked: Asked) -> Answer:
    """A book with its clauses, its options and the rulings that fill its silences."""
    return _kept(told.book_page(asked.parts["book"], asked.language))


async def comparison(asked: Asked) -> Answer:
    """What differs between two books."""
    return _kept(told.comparison(asked.parts["book"], asked.parts["other"], asked.language))


async def ruling(asked: Asked) -> Answer:
    """One ruling: what it decides, for which books, and what it rests on."""
    return _kept(told.ruling_page(asked.parts["ruling"], asked.language))


def _kept(page: object) -> Answer:
    return Answer.of(page, headers=told.KEEP)


ROUTES = (
    Route("GET", "/catalogue", catalogue),
    Route("GET", "/books/{book}/page", book_page),
    Route("GET", "/books/{book}/against/{other}", comparison),
    Route("GET", "/rulings/{ruling}", ruling),
)
