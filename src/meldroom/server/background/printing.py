"""Whether this server can print, and fetching what that takes before an organiser needs it."""

from __future__ import annotations

import asyncio
import importlib
from importlib.util import find_spec
from pathlib import Path

from meldroom.server.background.checkout import prepare

LONGEST_WAIT = 25.0
"""Seconds that somebody who wants a PDF waits for the download."""


class Printing:
    """Started by run.py, a server fetches the set `papers` itself, as soon as it has a championship."""

    def __init__(self, run: Path | None) -> None:
        self._run = run
        self._fetching: asyncio.Task[None] | None = None

    def prepare(self) -> None:
        """Fetch what PDFs take, beside everything else; nothing if it is there or cannot be fetched."""
        if self._run is not None and not can_print() and (self._fetching is None or self._fetching.done()):
            self._fetching = asyncio.create_task(self._fetch(self._run))

    async def problem(self) -> str:
        """Why nothing can be printed, as a code; empty if it can. Waits a while for a download."""
        if can_print():
            return ""
        if self._run is None:
            return "no_pdf"
        self.prepare()
        if self._fetching is not None:
            await asyncio.wait([self._fetching], timeout=LONGEST_WAIT)
            if not self._fetching.done():
                return "pdf_coming"
        return "" if can_print() else "pdf_not_fetched"

    async def close(self) -> None:
        """End the download."""
        if self._fetching is not None:
            self._fetching.cancel()
            await asyncio.gather(self._fetching, return_exceptions=True)

    async def _fetch(self, run: Path) -> None:
        await prepare(run, "papers")
        importlib.invalidate_caches()  # what was installed a moment ago is found


def can_print() -> bool:
    """Whether what PDFs take is installed. Does not load it."""
    return find_spec("typst") is not None
