"""The catalogue, the rules, and house books."""

from __future__ import annotations

from msgspec.structs import replace

from meldroom.api import catalogue as told
from meldroom.api.answers import Answer
from meldroom.browser.house_books import LARGEST
from meldroom.browser.levels import LEVELS
from meldroom.browser.router import Asked, Route


async def catalogue(asked: Asked) -> Answer:
    """The books, those of the house last, and the levels of bots that can play here."""
    found = told.catalogue(asked.language, LEVELS)
    house = tuple(told.book_card(one, asked.language) for one in asked.device.house_books.books)
    # A house book comes and goes: nothing may keep this answer.
    return Answer.of(replace(found, books=(*found.books, *house)), headers={"Cache-Control": "no-store"})


async def add_book(asked: Asked) -> Answer:
    """Keep a house book, given as its TOML file."""
    made = await asked.device.house_books.add(asked.data(LARGEST))
    return Answer.of(told.book_card(made, asked.language), status=201)


async def delete_book(asked: Asked) -> Answer:
    """Delete a house book."""
    await asked.device.house_books.remove(asked.parts["book"])
    return Answer(b"", status=204)


async def book_page(asked: Asked) -> Answer:
    """A book with its clauses, its options and the rulings that fill its silences."""
    from meldroom.api import rules_pages

    house = asked.device.house_books.find(asked.parts["book"])
    if house is not None:
        return Answer.of(rules_pages.page_of(house, asked.language))
    return _kept(rules_pages.book_page(asked.parts["book"], asked.language))


async def comparison(asked: Asked) -> Answer:
    """What differs between two books."""
    from meldroom.api import rules_pages

    first, other = (
        asked.device.house_books.find(asked.parts[place])
        or rules_pages.published_book(asked.parts[place], place)
        for place in ("book", "other")
    )
    return _kept(rules_pages.difference(first, other, asked.language))


async def ruling(asked: Asked) -> Answer:
    """One ruling: what it decides, for which books, and what it rests on."""
    from meldroom.api import rules_pages

    return _kept(rules_pages.ruling_page(asked.parts["ruling"], asked.language))


def _kept(page: object) -> Answer:
    return Answer.of(page, headers=told.KEEP)


ROUTES = (
    Route("GET", "/catalogue", catalogue),
    Route("POST", "/books", add_book),
    Route("DELETE", "/books/{book}", delete_book),
    Route("GET", "/books/{book}/page", book_page),
    Route("GET", "/books/{book}/against/{other}", comparison),
    Route("GET", "/rulings/{ruling}", ruling),
)
