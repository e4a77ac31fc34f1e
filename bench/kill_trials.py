"""What `server_kills.py` and `championship_kills.py` share: options, progress, and how they end."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

Outcome = TypeVar("Outcome")
Trial = Callable[[Path, int, int, Callable[[int], None]], Outcome]
"""A trial in a folder, with so many kills and a seed; it tells each kill."""


def run(description: str | None, trial: Trial[Outcome], arguments: Sequence[str] | None) -> Outcome:
    """Run a trial as the command line asks, in a folder of its own."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    began = time.monotonic()

    def tell(kill: int) -> None:
        if kill % 50 == 0:
            print(f"{kill} kills, {time.monotonic() - began:.0f} s", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        return trial(Path(folder) / "data", options.kills, options.seed, tell)


def readiness(restarts: Sequence[float]) -> str:
    """How long the server took to be ready again."""
    ordered = sorted(restarts)
    return f"ready again in {ordered[len(ordered) // 2]:.2f} s (median), {ordered[-1]:.2f} s (worst)"


def print_faults(faults: Sequence[str]) -> int:
    """Print what went wrong; the exit status."""
    print(f"{len(faults)} faults", *faults[:40], sep="\n    ")
    return int(bool(faults))
