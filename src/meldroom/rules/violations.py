"""Faults of a turn: a code, the clause and ruling that refuse it, and a sentence a player understands."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from meldroom.i18n import Language
from meldroom.rules.book import Citation, RuleBook


class Violation(msgspec.Struct, frozen=True):
    """One fault. `details` fill the sentence; `set_index` points at the set of the new table it is about."""

    code: str
    clause: str
    ruling: str
    key: str
    details: dict[str, str | int]
    set_index: int | None = None

    def message(self, language: Language = "en") -> str:
        """The fault as a sentence."""
        return sentence(self.key, language, **self.details)

    def as_json(self, language: Language = "en") -> dict[str, Any]:
        """The public shape of a violation."""
        shape: dict[str, Any] = {
            "code": self.code,
            "clause": self.clause,
            "ruling": self.ruling,
            "message": self.message(language),
        }
        if self.set_index is not None:
            shape["set"] = self.set_index
        return shape


def violation(
    book: RuleBook, code: str, variant: str = "", set_index: int | None = None, **details: str | int
) -> Violation:
    """A fault under a book, with the clause of its variant if the book names one."""
    key = f"{code}.{variant}" if variant else code
    citation: Citation = book.cite(key if key in book.codes else code)
    shown = f"MELD_LT_{book.opening.points}" if code == "MELD_LT_OPENING" else code
    return Violation(shown, citation.clause, citation.ruling, key, details, set_index)


@cache
def catalogue(language: Language) -> dict[str, str]:
    """Every sentence of the engine in one language, by key."""
    source = resources.files("meldroom.i18n") / "locales" / language / "rules.toml"
    sentences: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return sentences


def sentence(key: str, language: Language = "en", **details: str | int) -> str:
    """A sentence of the catalogue with its details filled in."""
    return catalogue(language)[key].format(**details)
