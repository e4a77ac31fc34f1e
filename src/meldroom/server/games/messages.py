"""The sentences of the pages after a game, in both languages."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from meldroom.i18n import Language


@cache
def _catalogue(language: Language) -> dict[str, str]:
    source = resources.files("meldroom.i18n") / "locales" / language / "games.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))


def words(key: str, language: Language, **details: str | int) -> str:
    """One sentence with its details filled in. Raises KeyError if there is none of this name."""
    return _catalogue(language)[key].format(**details)


def counted(key: str, count: int, language: Language) -> str:
    """A number with its noun: `1 tile`, `3 tiles`. French counts 0 as one, English as many."""
    one = count == 1 or (count == 0 and language == "fr")
    return words(f"{key}.{'one' if one else 'many'}", language, count=count)


def sentence(text: str) -> str:
    """The same words with a capital at the beginning and a stop at the end."""
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?…" else ".")
