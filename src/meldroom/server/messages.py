"""The sentences of the server around the rooms, in both languages."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from meldroom.i18n import Language

LANGUAGES: tuple[Language, ...] = ("en", "fr")


@cache
def catalogue(language: Language) -> dict[str, str]:
    """Every sentence in one language, by key."""
    source = resources.files("meldroom.i18n") / "locales" / language / "server.toml"
    sentences: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return sentences


def say(key: str, language: Language, **details: str | int) -> str:
    """A sentence with its details filled in. Raises KeyError for one that does not exist."""
    return catalogue(language)[key].format(**details)


def preferred(header: str) -> Language:
    """The language of ours that an Accept-Language header asks for first; English if none."""
    wishes: list[tuple[float, int, Language]] = []
    for place, part in enumerate(header[:200].split(",")):
        tag, _, weight = part.strip().partition(";")
        base = tag.split("-")[0].strip().lower()
        for language in LANGUAGES:
            if base == language:
                wishes.append((-_weight(weight), place, language))
    return min(wishes)[2] if wishes else "en"


def _weight(text: str) -> float:
    """The q of a wish; 1 where none is given or it cannot be read."""
    try:
        return float(text.strip().removeprefix("q="))
    except ValueError:
        return 1.0
