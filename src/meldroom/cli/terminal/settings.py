"""The settings of a game in the terminal: book, opponents, language, hints, clock and pace."""

from __future__ import annotations

from pathlib import Path

import msgspec

from meldroom.bots.levels import DEFAULT_LEVEL
from meldroom.i18n import Language
from meldroom.rules.book import RuleBook

PACE = 0.7
"""Seconds a bot takes at least, so that a person can follow."""


class Settings(msgspec.Struct, frozen=True):
    """One person's choice. `record` is where the first game is written; None leaves it to the program."""

    book: RuleBook
    levels: tuple[str, ...] = (DEFAULT_LEVEL,)
    name: str | None = None
    seed: str | None = None
    language: Language = "en"
    record: Path | None = None
    hints: bool = True
    clock: bool = False
    pace: float = PACE
