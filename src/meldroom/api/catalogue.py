"""Books and levels as a client shows them, and the pages of the rules as blocks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

import msgspec

from meldroom.api.errors import HttpError
from meldroom.api.schemas import BookCard, Catalogue, Colour, LevelCard, OptionCard
from meldroom.bots.levels import LEVELS
from meldroom.i18n import Language, message
from meldroom.rules import describe
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book, with_options
from meldroom.rules.rulings import rulings

LONGEST_RULING = 6
KEEP = {"Cache-Control": "public, max-age=300", "Vary": "Accept-Language"}
"""Headers: these pages change with a new version only; a browser that asks again gets what is true."""


class RulesPage(msgspec.Struct, frozen=True):
    """A page of the rules: its title, and its blocks, each with its `kind`."""

    title: str
    blocks: tuple[describe.Block, ...]


@cache
def catalogue(language: Language, levels: tuple[str, ...] = tuple(LEVELS)) -> Catalogue:
    """Everything a client asks once; `levels` are the bots there are."""
    books = tuple(book_card(book(one), language) for one in BOOK_IDS)
    cards = tuple(
        LevelCard(id=one, name=LEVELS[one].name(language), thinks=LEVELS[one].thinks(language))
        for one in levels
    )
    return Catalogue(books, cards)


def book_card(rules: RuleBook, language: Language) -> BookCard:
    """A book as a client needs it."""
    names = rules.tiles.face_names
    name, house = rules.name[language], rules.house
    if house is None:
        label, summary = rules.label, message(f"server.summary.{rules.id}", language)
    else:
        label, summary = name, message("server.summary.house", language, base=book(house["base"]).label)
    return BookCard(
        id=rules.id,
        version=rules.version,
        label=label,
        name=name,
        family=rules.family,
        summary=summary,
        least_players=rules.players.minimum,
        most_players=rules.players.maximum,
        opening_points=rules.opening.points,
        opening_needs_run=rules.opening.run_required,
        clock_seconds=rules.clock.seconds,
        match_games=rules.match.games,
        penalty_tiles=rules.penalty.tiles,
        shortest_set=rules.sets.shortest,
        redeal_doubles=rules.redeal.doubles,
        strict_declare=rules.penalty.strict_declare,
        values={names[face]: rules.values[face] for face in range(rules.tiles.faces)},
        colours=tuple(Colour(one.letter, one[language], one.ink) for one in rules.tiles.colours),
        tiles=_every_tile(rules),
        options=tuple(_options(rules, language)),
        house=house is not None,
    )


def _every_tile(rules: RuleBook) -> tuple[str, ...]:
    """The face of each physical tile, with those of the largest set that the book's options make."""
    sets = [rules.tiles]
    for name, option in rules.option_list.items():
        if option.field == "tiles.jokers":
            sets += [with_options(rules, {name: choice}).tiles for choice in option.choices]
    largest = max(sets, key=lambda one: one.size)
    return tuple(largest.face_names[largest.face_of[tile]] for tile in range(largest.size))


def _options(rules: RuleBook, language: Language) -> Iterable[OptionCard]:
    """The options that matter at one table; those of a tournament do not."""
    for name, option in rules.option_list.items():
        if option.field.startswith("tournament."):
            continue
        own = rules.field(option.field)
        others = tuple(choice for choice in option.choices if choice != own)
        text = option.text[language]
        yield OptionCard(name, text[:1].upper() + text[1:] + ".", (own, *others), option.ruling)


def published_book(book_id: str, place: str) -> RuleBook:
    """A published book by its id. Raises HttpError."""
    if book_id not in BOOK_IDS:
        raise HttpError(404, "no_such_book", place, book=book_id[:40], books=", ".join(BOOK_IDS))
    return book(book_id)


@lru_cache
def book_page(book_id: str, language: Language) -> RulesPage:
    """A whole book. Raises HttpError."""
    return page_of(published_book(book_id, "book"), language)


def page_of(rules: RuleBook, language: Language) -> RulesPage:
    """A whole book, published or not."""
    return RulesPage(rules.name[language], describe.book_blocks(rules, language))


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
