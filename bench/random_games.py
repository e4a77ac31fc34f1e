"""Random legal games to the end, with every law of the engine watched; prints how they ended.

    python bench/random_games.py --games 10000 --book wrc11 --players 2

Without --book all five books are played, without --players at tables of 2, 3 and 4. The games are spread
over the processors. A broken law stops the run and names the game, to be repeated with --first and --games 1.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
for folder in (ROOT, ROOT / "src"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from meldroom.rules.library import BOOK_IDS, book  # noqa: E402
from testkit.laws.random_games import BrokenLawError, Tally, play_games  # noqa: E402

CHUNK = 20


def _chunk(book_id: str, players: int, numbers: list[int]) -> Tally:
    return play_games(book(book_id), players, numbers)


def run(kinds: list[tuple[str, int]], first: int, games: int, jobs: int) -> dict[tuple[str, int], Tally]:
    """All the games of all kinds over several processes, with progress on standard error."""
    totals = {kind: Tally() for kind in kinds}
    started = shown = time.monotonic()
    done = 0
    with ProcessPoolExecutor(jobs) as workers:
        pending = {
            workers.submit(_chunk, book_id, players, list(numbers)): (book_id, players)
            for numbers in _chunks(first, games)
            for book_id, players in kinds
        }
        for future in as_completed(pending):
            part = future.result()
            totals[pending[future]].add(part)
            done += part.games
            if time.monotonic() - shown > 1 or done == games * len(kinds):
                shown = time.monotonic()
                _progress(done, games * len(kinds), shown - started)
    sys.stderr.write("\n")
    return totals


def _chunks(first: int, games: int) -> Iterator[range]:
    for start in range(first, first + games, CHUNK):
        yield range(start, min(start + CHUNK, first + games))


def _progress(done: int, total: int, spent: float) -> None:
    left = spent / done * (total - done)
    sys.stderr.write(f"\r{done} of {total} games, {int(left // 60)} min {int(left % 60)} s left   ")
    sys.stderr.flush()


def table(totals: dict[tuple[str, int], Tally]) -> str:
    """The outcome as text: endings, length and time by book and table size."""
    endings = ("out", "open", "foot", "hand", "exhausted")
    head = f"{'book':<9} {'players':>7} {'games':>7}" + "".join(f"{ending:>10}" for ending in endings)
    lines = [head + f"{'turns/game':>12}{'ms/game':>9}"]
    for (book_id, players), tally in totals.items():
        counts = "".join(f"{tally.endings[ending]:>10}" for ending in endings)
        rates = f"{tally.turns / tally.games:>12.1f}{1000 * tally.seconds / tally.games:>9.1f}"
        lines.append(f"{book_id:<9} {players:>7} {tally.games:>7}{counts}{rates}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print; returns the exit status."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--games", type=int, default=100, help="games of each book at each table size")
    parser.add_argument("--book", choices=BOOK_IDS, action="append", help="may be given several times")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), action="append")
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    chosen = parser.parse_args(arguments)
    kinds = list(product(chosen.book or BOOK_IDS, chosen.players or (2, 3, 4)))
    started = time.monotonic()
    try:
        totals = run(kinds, chosen.first, chosen.games, chosen.jobs)
    except BrokenLawError as broken:
        sys.stderr.write(f"\n{broken}\n")
        return 1
    print(table(totals))
    games, spent = sum(t.games for t in totals.values()), time.monotonic() - started
    print(f"{games} games in {spent:.0f} s on {chosen.jobs} processes; no law was broken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
