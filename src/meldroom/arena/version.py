"""Which version of the program plays: all workers of an experiment must have the same."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


@cache
def version() -> str:
    """The version of the installed package."""
    try:
        return installed("meldroom")
    except PackageNotFoundError:
        return "unknown"
