"""How many turns `verify` judges a second on one core, and how long `import meldroom` takes.

    python bench/verify_speed.py

Tables of 15 to 20 sets, made by a fixed seed: with and without jokers, legal and illegal turns, and turns
that free a joker, under a book with the new-set rule and one without. Time is processor time, so that a busy
machine does not count against the engine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
for folder in (ROOT, SOURCE):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from meldroom.rules.book import RuleBook  # noqa: E402
from meldroom.rules.library import book  # noqa: E402
from meldroom.rules.verify import Turn, verify  # noqa: E402
from testkit.laws.large_tables import KINDS, turns  # noqa: E402


def calls_a_second(of: RuleBook, sample: list[Turn], seconds: float) -> tuple[float, float]:
    """Calls a second on turns never judged before, and on turns judged again."""
    unread = msgspec.structs.replace(of)  # A copy remembers no sets yet.
    started = time.process_time()
    for turn in sample:
        verify(unread, turn)
    first = len(sample) / (time.process_time() - started)
    calls = 0
    started = time.process_time()
    while time.process_time() - started < seconds:
        for turn in sample:
            verify(unread, turn)
        calls += len(sample)
    return first, calls / (time.process_time() - started)


IMPORTS = {
    "import meldroom": "import meldroom",
    "the same, and every public name": "import meldroom; [getattr(meldroom, n) for n in meldroom.__all__]",
}


def import_milliseconds(statement: str, runs: int) -> tuple[float, float]:
    """Median and worst time of a statement in fresh processes, beyond starting Python itself."""
    script = f"import time; t = time.perf_counter(); {statement}; print(1000 * (time.perf_counter() - t))"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-c", script]
    times = [
        float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
        for _ in range(runs + 1)
    ][1:]  # The first run may have to compile.
    return statistics.median(times), max(times)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; returns the exit status."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--turns", type=int, default=300, help="different turns of each kind")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds of measuring for each kind")
    parser.add_argument("--imports", type=int, default=15, help="fresh processes to import in")
    chosen = parser.parse_args(arguments)
    print(f"{'book':<8}{'jokers':>8}{'turns':>9}{'sets':>7}{'first time':>13}{'again':>11}  calls a second")
    for book_id in ("wrc11", "tml"):
        of = book(book_id)
        for jokers, kind in KINDS:
            sample = turns(of, jokers, kind, chosen.turns)
            sets = statistics.mean(len(turn.after) for turn in sample)
            first, again = calls_a_second(of, sample, chosen.seconds)
            row = f"{book_id:<8}{'yes' if jokers else 'no':>8}{kind:>9}{sets:>7.1f}"
            print(row + f"{first:>13,.0f}{again:>11,.0f}")
    print(f"\nin {chosen.imports} fresh processes")
    for label, statement in IMPORTS.items():
        median, worst = import_milliseconds(statement, chosen.imports)
        print(f"{label:<34}median {median:>6.1f} ms, worst {worst:>6.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
