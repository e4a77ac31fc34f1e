"""What the arena says to people, in both languages, and the error that says what is wrong where."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from meldroom.i18n import Language

LONGEST_SHOWN = 60


@cache
def _catalogue(language: Language) -> dict[str, str]:
    source = resources.files("meldroom.i18n") / "locales" / language / "arena.toml"
    sentences: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return sentences


def words(key: str, language: Language = "en", /, **details: Any) -> str:
    """A sentence of the arena with its details filled in."""
    return _catalogue(language)[key].format(**details)


def shown(text: object, longest: int = LONGEST_SHOWN) -> str:
    """Foreign text made fit for one line of a message: short, and without control characters."""
    given = str(text)
    short = given if len(given) <= longest else given[:longest] + "…"
    return "".join(sign if sign.isprintable() else "�" for sign in short)


class ArenaError(ValueError):
    """An experiment that cannot be read or run: what is wrong, at which key, and what would be right."""

    def __init__(self, code: str, place: str = "", /, **details: str | int | float) -> None:
        self.code = code
        self.place = place
        self.details = details
        super().__init__(self.message())

    @property
    def concerns_file(self) -> bool:
        """True if what is wrong stands in the configuration, at the key that `place` names."""
        return bool(self.place) and not self.place.startswith("--")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.code, self.place, self.details)  # Errors come back from other processes.

    def message(self, language: Language = "en") -> str:
        """The place and the sentence."""
        details = dict(self.details)
        if "near" in details:
            near = details.pop("near")
            details["hint"] = words("error.hint", language, word=near) if near else ""
        if "lacking" in details:
            details["need"] = words(f"need.{details['lacking']}", language)
        if details.get("known") == "":
            details["known"] = words("error.nothing", language)
        text = words(self.code, language, **details)
        return f"{self.place}: {text}" if self.place else text


def _again(code: str, place: str, details: dict[str, str | int | float]) -> ArenaError:
    return ArenaError(code, place, **details)
