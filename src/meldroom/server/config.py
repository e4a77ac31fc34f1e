"""How a server is to run: where it listens, where its data and pages lie, how much it allows."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from meldroom.server.web.limits import UNLIMITED, Limits

PAGES_VARIABLE = "MELDROOM_PAGES"
DEFAULT_BOT_PACE = 700


class Config(msgspec.Struct, frozen=True):
    """Everything that can be chosen when a server starts.

    `origins` are further addresses the site is reached under, where a proxy changes the Host header.
    `trusted_load` switches all limits off; `usual` are those that hold without it. With a `certificate` and
    its `key` the server speaks https itself.
    """

    data: Path
    pages: Path
    bot_pace: int = DEFAULT_BOT_PACE
    origins: tuple[str, ...] = ()
    trusted_load: bool = False
    usual: Limits = Limits()
    certificate: Path | None = None
    key: Path | None = None

    @property
    def limits(self) -> Limits:
        """How much clients may ask for."""
        return UNLIMITED if self.trusted_load else self.usual


def default_data() -> Path:
    """The folder of a person who named none, where his system keeps such things."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "meldroom"


def default_pages() -> Path:
    """The built pages: those of the package, or those that the environment names."""
    named = os.environ.get(PAGES_VARIABLE)
    return Path(named) if named else Path(__file__).parent / "pages"
