"""The sentences of terminal play, in each language."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import TypeAlias

from meldroom.i18n import Language

Say: TypeAlias = Callable[..., str]
"""Gives a sentence by its key, with its details filled in."""


@cache
def catalogue(language: Language) -> dict[str, str]:
    """Every sentence in one language, by key."""
    source = resources.files("meldroom.i18n") / "locales" / language / "terminal.toml"
    sentences: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return sentences


def speaker(language: Language) -> Say:
    """What says sentences in one language. Raises KeyError for a sentence that does not exist."""
    sentences = catalogue(language)

    def say(key: str, /, **details: str | int) -> str:
        return sentences[key].format(**details)

    return say
