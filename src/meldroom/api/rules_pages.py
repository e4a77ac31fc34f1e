"""The pages of the rules as blocks: a book, two books compared, a ruling."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from meldroom.api.errors import HttpError
from meldroom.i18n import Language
from meldroom.rules import describe
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, BookError, book
from meldroom.rules.prose import ProseSection, prose
from meldroom.rules.rulings import rulings

LONGEST_RULING = 6


class RulesPage(msgspec.Struct, frozen=True):
    """A page of the rules: its title, and its blocks, each with its `kind`; a book also as `prose`."""

    title: str
    blocks: tuple[describe.Block, ...]
    prose: tuple[ProseSection, ...] = ()


def published_book(book_id: str, place: str) -> RuleBook:
    """A published book by its id, or one of its versions by `id@version`. Raises HttpError."""
    try:
        return book(book_id)
    except BookError:
        raise HttpError(404, "no_such_book", place, book=book_id[:40], books=", ".join(BOOK_IDS)) from None


@lru_cache
def book_page(book_id: str, language: Language) -> RulesPage:
    """A whole book. Raises HttpError."""
    return page_of(published_book(book_id, "book"), language)


def page_of(rules: RuleBook, language: Language) -> RulesPage:
    """A whole book, published or not."""
    return RulesPage(rules.name[language], describe.book_blocks(rules, language), prose(rules, language))


@lru_cache
def comparison(first: str, second: str, language: Language) -> RulesPage:
    """What differs between two books. Raises HttpError."""
    return difference(published_book(first, "book"), published_book(second, "other"), language)


def difference(first: RuleBook, second: RuleBook, language: Language) -> RulesPage:
    """What differs between two books, published or not."""
    blocks = describe.diff_blocks(first, second, language)
    return RulesPage(_title(blocks), blocks)


@lru_cache
def ruling_page(ruling_id: str, language: Language) -> RulesPage:
    """One ruling: what it decides, for which books, and what it rests on. Raises HttpError."""
    found = rulings().get(ruling_id.upper()) if len(ruling_id) <= LONGEST_RULING else None
    if found is None:
        last = list(rulings())[-1]
        raise HttpError(404, "no_such_ruling", "ruling", ruling=ruling_id[:20], last=last)
    blocks = describe.ruling_blocks(found, language)
    return RulesPage(_title(blocks), blocks)


def _title(blocks: tuple[describe.Block, ...]) -> str:
    return next((block.text for block in blocks if isinstance(block, describe.Heading)), "")
