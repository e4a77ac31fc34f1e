"""The diary's sentences, in both languages."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from meldroom.i18n import Language


@cache
def catalogue(language: Language) -> dict[str, str]:
    """All sentences of one language."""
    source = resources.files("meldroom.i18n") / "locales" / language / "simulation.toml"
    found: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return found


def tell(key: str, language: Language, **details: object) -> str:
    """A sentence with its details."""
    return catalogue(language)[key].format(**details)
