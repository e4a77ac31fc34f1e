"""The versions of something that meet in a conflict, as they are published."""

from __future__ import annotations

from datetime import datetime

import msgspec

from meldroom.championship.results import GameResult


class Signature(msgspec.Struct, frozen=True):
    """Who signed a sheet as referee, and who refused to."""

    referee: str
    refused: tuple[int, ...] = ()


class Version(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of two versions that meet; which fields it has depends on what they are versions of."""

    result: GameResult | None = None
    number: int | None = None
    version: int | None = None
    author: str = ""
    time: datetime | None = None
    signed: bool | Signature | None = None
    referee: str = ""
    refused: tuple[int, ...] = ()
    game: int | None = None
    games: tuple[Version, ...] = ()
    """Of a sheet: its results."""
    label: str = ""
    device: str = ""
    since: datetime | None = None
    by: str = ""
    answered_by: str = ""
    settled_by: str = ""
    paused: str = ""
