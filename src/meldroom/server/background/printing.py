"""Whether this server can print, and fetching what that takes before an organiser needs it."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import msgspec

from meldroom.papers.fonts import has_fonts
from meldroom.server.background.checkout import prepare

LONGEST_WAIT = 25.0
"""Seconds that somebody who wants a PDF waits for the download."""


class PrintingState(msgspec.Struct, frozen=True, kw_only=True):
    """Whether papers can be printed, and what can be done if not."""

    ready: bool
    fetches: bool
    """Whether this server can fetch itself what is missing."""
    fetching: bool
    """Whether it is doing so."""


class Printing:
    """Started by run.py, a server fetches the set `papers` itself, after its start, before anybody prints."""

    def __init__(self, run: Path | None) -> None:
        self._run = run
        self._fetching: asyncio.Task[None] | None = None

    def prepare(self) -> None:
        """Fetch what PDFs take, beside everything else; nothing if it is there or cannot be fetched."""
        if self._run is not None and not _is_whole() and (self._fetching is None or self._fetching.done()):
            self._fetching = asyncio.create_task(self._fetch(self._run))

    def state(self) -> PrintingState:
        """How it stands now."""
        fetching = self._fetching is not None and not self._fetching.done()
        return PrintingState(ready=can_print(), fetches=self._run is not None, fetching=fetching)

    async def fetch(self, say: Callable[..., None]) -> None:
        """Fetch it after the start of a server, and say so; nothing if it is there or cannot be fetched."""
        if self._run is None or _is_whole():
            return
        say("fetching_papers")
        self.prepare()
        if self._fetching is not None:
            await asyncio.wait([self._fetching])
        say("papers" if _is_whole() else "no_papers")

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


def _is_whole() -> bool:
    """Whether the fonts for names in other scripts are there too."""
    return can_print() and has_fonts()


def can_print() -> bool:
    """Whether what PDFs take is installed. Does not load it."""
    return find_spec("typst") is not None
