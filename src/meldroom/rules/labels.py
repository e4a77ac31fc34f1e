"""The words people read for the sections, fields and values of a rule book, in both languages."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

import msgspec

from meldroom.i18n import Language
from meldroom.rules.book import RuleBook, Text
from meldroom.tiles import Colour


class FieldLabel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one field and its values read. Numbers use `none`, `one` and `some`, switches `yes` and `no`."""

    en: str
    fr: str
    none: Text | None = None
    one: Text | None = None
    some: Text | None = None
    yes: Text | None = None
    no: Text | None = None
    empty: Text | None = None
    values: dict[str, Text] = {}

    def __getitem__(self, language: Language) -> str:
        return self.fr if language == "fr" else self.en

    def count(self, number: int) -> Text:
        """The text for a number, with `{}` where it stands. Raises LookupError if there is none."""
        text = {0: self.none, 1: self.one}.get(number) or self.some
        if text is None:
            raise LookupError(f"no label for {number} in “{self.en}”")
        return text

    def switch(self, value: bool) -> Text:
        """The text for a switch. Raises LookupError if there is none."""
        text = self.yes if value else self.no
        if text is None:
            raise LookupError(f"no label for {value} in “{self.en}”")
        return text


class Labels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All labels, as labels.toml holds them."""

    sections: dict[str, Text]
    families: dict[str, Text]
    basis: dict[str, Text]
    page: dict[str, Text]
    columns: dict[str, Text]
    fields: dict[str, FieldLabel]


@cache
def labels() -> Labels:
    """All labels, read once."""
    source = resources.files("meldroom.rules") / "labels.toml"
    return msgspec.convert(tomllib.loads(source.read_text(encoding="utf-8")), Labels)


def page(key: str, language: Language, *details: object) -> str:
    """A sentence of the printed page with its details filled in."""
    return labels().page[key][language].format(*details)


def value_text(book: RuleBook, name: str, language: Language) -> str:
    """A field's value as people read it.

    >>> from meldroom.rules.library import book
    >>> value_text(book("wrc11"), "clock.seconds", "fr")
    '40 secondes'
    """
    label = labels().fields[name]
    value: object = book.field(name)
    if isinstance(value, bool):
        return label.switch(value)[language]
    if isinstance(value, int):
        return label.count(value)[language].format(value)
    if isinstance(value, str):
        return label.values[value][language]
    if not isinstance(value, tuple):
        raise TypeError(f"{name} holds a {type(value).__name__}, which has no words")
    if not value and label.empty is not None:
        return label.empty[language]
    # A list of numbers is a list by number of jokers: 0, 1, 2 and so on.
    return ", ".join(_item(label, place, one, language) for place, one in enumerate(value))


def _item(label: FieldLabel, place: int, one: object, language: Language) -> str:
    if isinstance(one, Colour):
        return f"{one.fr if language == 'fr' else one.en} ({one.letter})"
    return label.count(place)[language].format(one, place)
