"""What is wrong with a record: a code, the line and column, and a sentence in both languages."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from meldroom.i18n import Language

LONGEST_SHOWN = 40


@cache
def _catalogue(language: Language) -> dict[str, str]:
    source = resources.files("meldroom.i18n") / "locales" / language / "record.toml"
    sentences: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return sentences


def words(key: str, language: Language = "en", **details: str | int) -> str:
    """A sentence about records with its details filled in."""
    return _catalogue(language)[key].format(**details)


def shown(text: str) -> str:
    """Foreign text made fit for one line of a message: short, and without control characters."""
    short = text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"
    return "".join(sign if sign.isprintable() else "�" for sign in short)


def where(language: Language, line: int, column: int = 0, place: str = "") -> str:
    """A place for people: `line 3, column 7`, or the path inside a JSON record."""
    if line and column:
        return words("where.column", language, line=line, column=column)
    return words("where.line", language, line=line) if line else place


class RecordError(ValueError):
    """A record, or a position, that cannot be read. Lines and columns count from 1; 0 where there is none."""

    def __init__(
        self,
        code: str,
        given: Mapping[str, str | int] | None = None,
        *,
        line: int = 0,
        column: int = 0,
        place: str = "",
        **details: str | int,
    ) -> None:
        self.code = code
        self.line = line
        self.column = column
        self.place = place
        self.details = {
            key: shown(x) if isinstance(x, str) else x for key, x in {**(given or {}), **details}.items()
        }
        super().__init__(self.message())

    def message(self, language: Language = "en") -> str:
        """Where it is wrong, what is wrong, and what would be right."""
        text = words(f"error.{self.code}", language, **self.details)
        spot = where(language, self.line, self.column, self.place)
        return f"{spot}: {text}" if spot else text

    def at(self, *, line: int = 0, column: int = 0, place: str = "") -> RecordError:
        """The same error with its place filled in where it had none."""
        return RecordError(
            self.code,
            self.details,
            line=self.line or line,
            column=self.column or column,
            place=self.place or place,
        )
