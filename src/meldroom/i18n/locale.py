"""How a language counts, writes numbers and joins lists: what its `locale.toml` says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from datetime import date
from functools import cache

import msgspec

from meldroom.i18n.faults import report
from meldroom.i18n.languages import DEFAULT, Language, folder_of
from meldroom.i18n.plural_rules import category

MINUS = "−"


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The signs of numbers: between whole part and decimals, between thousands, and a share in per cent."""

    decimal: str
    group: str
    percent: str


class Lists(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands between the items of a list, and before its last one."""

    comma: str
    and_: str = msgspec.field(name="and")
    or_: str = msgspec.field(name="or")


class Dates(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A day as people write it, with places for {day}, {month} and {year}, and the names of the months."""

    day: str
    months: tuple[str, ...]


class Locale(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language. `plurals` holds CLDR rules; `spaces` pairs of patterns and what replaces them."""

    name: str
    plurals: dict[str, str]
    numbers: Numbers
    lists: Lists
    dates: Dates
    ordinals: tuple[tuple[str, str], ...] = ()
    """Pairs of a CLDR rule and how a place that it holds for is written: 1st, 2nd, 3rd …"""
    spaces: tuple[tuple[str, str], ...] = ()
    """Typography: spaces that must not break, applied to the browser's texts."""

    def plural(self, number: float) -> str:
        """The plural category of a number."""
        return category(number, self.plurals)

    def ordinal(self, number: int) -> str:
        """A place in an order as people write it.

        >>> locale("en").ordinal(22), locale("en").ordinal(12), locale("fr").ordinal(1)
        ('22nd', '12th', '1re')
        """
        forms = (form for rule, form in self.ordinals if category(number, {"one": rule}) == "one")
        return next(forms, "{number}").format(number=number)

    def number(self, value: float, decimals: int | None = None) -> str:
        """A number as people write it.

        >>> locale("fr").number(-1234.5, 1)
        '−1\\u202f234,5'
        """
        text = f"{abs(value):,}" if decimals is None else f"{abs(value):,.{decimals}f}"
        whole, _, rest = text.partition(".")
        whole = whole.replace(",", self.numbers.group) if abs(value) >= 1000 else whole
        shown = whole + (self.numbers.decimal + rest if rest else "")
        return MINUS + shown if value < 0 else shown

    def signed(self, value: float, decimals: int | None = None) -> str:
        """A number with its sign; nought has none."""
        return ("+" if value > 0 else "") + self.number(value, decimals)

    def percent(self, share: float, decimals: int = 1) -> str:
        """A share between 0 and 1 in per cent.

        >>> locale("en").percent(0.957), locale("fr").percent(0.957)
        ('95.7%', '95,7\\u202f%')
        """
        return self.number(share * 100, decimals) + self.numbers.percent

    def date(self, day: date) -> str:
        """A day as people write it.

        >>> locale("fr").date(date(2026, 11, 15))
        '15 novembre 2026'
        """
        month = self.dates.months[day.month - 1]
        return self.dates.day.format(day=day.day, month=month, year=day.year)

    def list_and(self, items: Sequence[str]) -> str:
        """Items as one phrase: `a, b and c`."""
        return self._joined(items, self.lists.and_)

    def list_or(self, items: Sequence[str]) -> str:
        """Items as one phrase: `a, b or c`."""
        return self._joined(items, self.lists.or_)

    def _joined(self, items: Sequence[str], last: str) -> str:
        if len(items) < 2:
            return "".join(items)
        return self.lists.comma.join(items[:-1]) + last + items[-1]


@cache
def locale(language: Language) -> Locale:
    """What is known of an installed language; of English for any other code, or where that cannot be read."""
    source = folder_of(language) / "locale.toml"
    try:
        return _tried(msgspec.convert(tomllib.loads(source.read_text(encoding="utf-8")), Locale))
    except (ValueError, LookupError) as error:
        if language == DEFAULT:
            raise
        report(str(source), str(error) or type(error).__name__)
        return msgspec.structs.replace(locale(DEFAULT), name=language)


def _tried(made: Locale) -> Locale:
    """The same, once everything in it has been used. Raises ValueError or LookupError."""
    for number in (0, 1, 2, 5, 1.5):
        made.plural(number)
    for place in (1, 2, 11):
        made.ordinal(place)
    for month in range(1, 13):
        made.date(date(2026, month, 1))
    for pattern, _ in made.spaces:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"spaces: {pattern!r}: {error}") from None
    return made
