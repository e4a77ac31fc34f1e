"""The names of a book's sections, fields and values, as people read them."""

from __future__ import annotations

from meldroom.i18n import Language, has_message, message
from meldroom.rules.book import RuleBook
from meldroom.tiles import Colour


def field_label(name: str, language: Language) -> str:
    """The name of a field.

    >>> field_label("clock.seconds", "en")
    'Time for a turn'
    """
    return message(f"labels.fields.{name}.label", language)


def value_text(book: RuleBook, name: str, language: Language) -> str:
    """The value of a field.

    >>> from meldroom.rules.library import book
    >>> value_text(book("wrc11"), "clock.seconds", "fr")
    '40 secondes'
    """
    value: object = book.field(name)
    if isinstance(value, bool):
        return message(f"labels.fields.{name}.{'yes' if value else 'no'}", language)
    if isinstance(value, int):
        return _count(name, value, language)
    if isinstance(value, str):
        return message(f"labels.fields.{name}.values.{value}", language)
    if not isinstance(value, tuple):
        raise TypeError(f"{name} holds a {type(value).__name__}, which has no text")
    if not value:
        return message(f"labels.fields.{name}.empty", language)
    # A list of numbers is a list by number of jokers: 0, 1, 2 and so on.
    return ", ".join(_item(name, place, one, language) for place, one in enumerate(value))


def _count(name: str, count: int, language: Language, **values: int) -> str:
    none = f"labels.fields.{name}.none"
    if count == 0 and has_message(none):
        return message(none, language, **values)
    return message(f"labels.fields.{name}.value", language, count=count, **values)


def _item(name: str, place: int, one: object, language: Language) -> str:
    if isinstance(one, Colour):
        return f"{one[language]} ({one.letter})"
    if not isinstance(one, int):
        raise TypeError(f"{name} holds a list of {type(one).__name__}, which has no text")
    return _count(name, place, language, points=one)
