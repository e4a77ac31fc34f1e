"""How long the environments need for a decision: its mask and features, and the observation.

    python bench/environments.py [--games 30] [--write]

Plays random allowed numbers in every book under both codecs and prints a table; `--write` puts it into
`docs/environments.md`. Times are processor time on one core, the solver's kernel compiled beforehand.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT / "src") not in sys.path:
    sys.path.insert(0, str(ROOT / "src"))

from meldroom.env.codecs.codec import Decision, make_codec  # noqa: E402
from meldroom.env.episode import Episode, settings  # noqa: E402
from meldroom.rules.library import BOOK_IDS  # noqa: E402

PAGE = ROOT / "docs" / "environments.md"
START, END = "<!-- speed: start -->", "<!-- speed: end -->"
PLAYERS = 3


class Times(NamedTuple):
    """Milliseconds of every decision of some games: its choices, and its observation."""

    choices: list[float]
    observations: list[float]


def measure(book_id: str, codec: str, games: int, first: int = 0) -> Times:
    """Plays games by chance and measures each decision as if it were the first time it is met."""
    made = settings(book_id, PLAYERS, codec=codec)
    times = Times([], [])
    for number in range(first, first + games):
        episode, chance = Episode(made, f"bench {book_id} {number}"), random.Random(number)
        while episode.decision is not None:
            decision: Decision = episode.decision
            started = time.process_time()
            if not decision.chosen and decision.stage != "discard":
                decision = make_codec(codec, made.book).begin(episode.view())
            mask, _ = decision.mask, decision.features
            times.choices.append((time.process_time() - started) * 1000)
            started = time.process_time()
            episode.observe(episode.seat)
            times.observations.append((time.process_time() - started) * 1000)
            episode.step(chance.choice(np.flatnonzero(mask).tolist()))
    return times


def row(book_id: str, codec: str, games: int) -> str:
    """A line of the table."""
    measure(book_id, codec, 2, first=1_000_000)  # loads and compiles what the first games would pay for
    times = measure(book_id, codec, games)
    spread = " | ".join(f"{np.percentile(times.choices, share):.2f}" for share in (50, 95, 99, 100))
    seen = f"{np.percentile(times.observations, 50):.2f}"
    return f"| {book_id} | {codec} | {len(times.choices):,} | {spread} | {seen} |"


def table(games: int) -> str:
    """The whole table."""
    lines = [
        f"{games} random games of {PLAYERS} players each; milliseconds of processor time for one decision.",
        "",
        "| book | codec | decisions | median | 95 % | 99 % | worst | observation |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    return "\n".join(
        [*lines, *(row(book, codec, games) for book in BOOK_IDS for codec in ("candidates", "tiles"))]
    )


def main() -> int:
    """Print the table, and write it into the page if asked; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=30, help="games of each book under each codec (30)")
    parser.add_argument("--write", action="store_true", help="write the table into docs/environments.md")
    chosen = parser.parse_args()
    found = table(chosen.games)
    print(found)
    if chosen.write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(START)
        _, _, after = rest.partition(END)
        PAGE.write_text(f"{before}{START}\n\n{found}\n\n{END}{after}", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
