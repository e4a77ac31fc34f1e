"""The server and the pages of a checkout: this one, or another that is compared with it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from testkit.server.process import ServerProcess, serving

HERE = Path(__file__).resolve().parents[2]
PAGES = "MELDROOM_PAGES"


@contextmanager
def serving_checkout(source: Path, *arguments: str, pages: Path | None = None) -> Iterator[ServerProcess]:
    """A checkout's server with its own pages: those in a folder, else built if need be.

    Of this checkout MELDROOM_PAGES may name the folder.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PYTHONPATH": str(source / "src")}
        if pages is not None:
            environment[PAGES] = str(pages)
        elif source != HERE:
            environment[PAGES] = str(Path(folder) / "pages")
            build_pages(source, "--pages", "--out", environment[PAGES])
        elif PAGES not in os.environ:
            build_pages(source)
        with serving(Path(folder) / "data", *arguments, environment=environment) as server:
            yield server


def build_pages(source: Path, *arguments: str) -> None:
    """Build a checkout's pages by its own command."""
    environment = {**os.environ, "PYTHONPATH": str(source / "src")}
    command = [sys.executable, str(source / "web" / "build.py"), *arguments]
    subprocess.run(command, check=True, env=environment, stdout=sys.stderr)
