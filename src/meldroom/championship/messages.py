"""The sentences that refuse an action, and short names of roles, actions and criteria, in both languages."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

import msgspec

from meldroom.i18n import Language


class Messages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All texts of one language."""

    sentences: dict[str, str]
    phrases: dict[str, str]


@cache
def messages(language: Language) -> Messages:
    """The texts of a language."""
    source = resources.files("meldroom.i18n") / "locales" / language / "championship.toml"
    return msgspec.convert(tomllib.loads(source.read_text(encoding="utf-8")), Messages)


def sentence(code: str, language: Language) -> str:
    """A sentence with places for its details."""
    return messages(language).sentences[code]


def phrase(code: str, language: Language) -> str:
    """A short name."""
    return messages(language).phrases[code]
