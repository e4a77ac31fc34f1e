"""Experiments small enough for a test, and what their folders must agree on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from meldroom.arena import Experiment, read

NO_JOKERS = {"id": "dry", "version": "1", "base": "wrc11", "tiles": {"jokers": 0}}

CONFIGURATION: dict[str, Any] = {
    "title": "Small & “odd” <b>",
    "books": ["wrc11", {"house": NO_JOKERS, "deals": 1}],
    "bots": {
        "tiles": {"level": "tournament"},
        "points": {"level": "tournament", "objective": "points"},
        "patient": {},
    },
    "deals": 2,
    "seed": "small",
}

TABLES: dict[str, Any] = {
    "format": "tables",
    "books": ["tml"],
    "bots": ["tournament", "patient"],
    "tables": [["patient", "tournament", "tournament"]],
    "deals": 2,
    "seed": 7,
}

TIMED = ("timing.csv", "chunks")
"""What differs from run to run."""


def small(**changes: Any) -> Experiment:
    """Three bots, two books, nine games a rotation."""
    return read({**CONFIGURATION, **changes})


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder that must not depend on who played it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] not in TIMED
    }
