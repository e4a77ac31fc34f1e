"""The sentences of championships on the server, in both languages."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from meldroom.championship.errors import ChampionshipError
from meldroom.i18n import Language, has_message, message


@cache
def catalogue(language: Language) -> dict[str, str]:
    """Every sentence in one language, by key."""
    source = resources.files("meldroom.i18n") / "locales" / language / "championships.toml"
    sentences: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return sentences


def words(key: str, language: Language, **details: str | int) -> str:
    """A sentence with its details filled in. Raises KeyError if there is none of this name."""
    return catalogue(language)[key].format(**details)


def told(error: ChampionshipError, language: Language) -> str:
    """A championship's refusal; where its own sentence speaks of the command line, ours speaks of a page."""
    own = f"championships.championship.{error.code}"
    return message(own, language, **error.details) if has_message(own) else error.message(language)
