"""The referee's sentences in both languages, his findings, and his refusals."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from meldroom.i18n import Language
from meldroom.rules.book import Citation, RuleBook
from meldroom.rules.violations import Violation


@cache
def catalogue(language: Language) -> dict[str, str]:
    """Every sentence of the referee's tools in one language, by key."""
    source = resources.files("meldroom.i18n") / "locales" / language / "referee.toml"
    sentences: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return sentences


def say(key: str, language: Language = "en", **details: str | int) -> str:
    """A sentence with its details filled in."""
    return catalogue(language)[key].format(**details)


class RefereeError(ValueError):
    """Something that cannot be entered or ruled; nothing has been changed. `code` is for programs."""

    def __init__(self, code: str, **details: str | int) -> None:
        self.code = code
        self.details = details
        super().__init__(say(f"error.{code}", "en", **details))

    def message(self, language: Language = "en") -> str:
        """What is wrong and what would be right."""
        return say(f"error.{self.code}", language, **self.details)


class Finding(Violation, frozen=True):
    """A fault that only a referee can see: tiles too many, missing, or on the wrong rack."""

    def message(self, language: Language = "en") -> str:
        """The finding as a sentence."""
        return say(self.key, language, **self.details)


def finding(book: RuleBook, code: str, field: str, **details: str | int) -> Finding:
    """A finding with the clause of a field of the book."""
    cited: Citation = book.cite(field)
    return Finding(code, cited.clause, cited.ruling, code, details)
