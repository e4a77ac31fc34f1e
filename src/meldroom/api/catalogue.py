"""Books and levels as a client shows them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from meldroom.api.schemas import BookCard, Catalogue, Colour, LevelCard, OptionCard
from meldroom.bots.levels import LEVELS, Level, listed_as, listed_levels
from meldroom.i18n import Language, message
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book, with_options

KEEP = {"Cache-Control": "public, max-age=300", "Vary": "Accept-Language"}
"""Headers: these pages change with a new version only; a browser that asks again gets what is true."""


@cache
def catalogue(language: Language, levels: tuple[str, ...] = tuple(LEVELS)) -> Catalogue:
    """Everything a client asks once; `levels` are the bots there are."""
    books = tuple(book_card(book(one), language) for one in BOOK_IDS)
    return Catalogue(books, tuple(_level_card(LEVELS[one], language) for one in levels))


def _level_card(level: Level, language: Language) -> LevelCard:
    return LevelCard(
        id=level.id,
        name=level.name(language),
        thinks=level.thinks(language),
        thinks_laying_off=level.thinks(language, "laying_off"),
        style=level.style,
        label=level.label(language),
    )


def book_card(rules: RuleBook, language: Language) -> BookCard:
    """A book as a client needs it."""
    names = rules.tiles.face_names
    name, house, label = rules.name[language], rules.house, rules.title(language)
    if house is None:
        summary = message(f"server.summary.{rules.id}", language)
    else:
        summary = message("server.summary.house", language, base=book(house["base"]).label)
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
        levels=listed_levels(rules),
        plays_as={level: listed for level in LEVELS if (listed := listed_as(level, rules)) != level},
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
