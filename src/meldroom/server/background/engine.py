"""The files of the offline game, made in a checkout while the server already serves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from meldroom.server.background.checkout import prepare

FILES = "engine/files.json"


async def make_engine(run: Path | None, pages: Path, say: Callable[..., None]) -> None:
    """Bring the engine up to date, in a checkout; a wheel has it already. Says so if there was none."""
    if run is None:
        return
    was_there = (pages / FILES).is_file()
    ended = await prepare(run, "engine")
    if not ended.ok:
        say("no_engine", reason=ended.reason or "?")
    elif not was_there and (pages / FILES).is_file():
        say("engine")
