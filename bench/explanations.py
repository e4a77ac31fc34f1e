"""Explanations replayed: the movements, made one by one, must lead from the table before to the table after.

    python bench/explanations.py --positions 10000

Positions come from random legal games of the rearranging books at tables of 2, 3 and 4. The plays are those
of the game and, where the solver can be loaded, for every position also one of the solver's: neat (as few old
sets changed as can be) or plain (as the kernel leaves it, a hard case: most of the table is laid anew). With
--no-solver only the plays of the games are explained. The exit status is 1 if any replay fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
for folder in (ROOT, ROOT / "src"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from meldroom.rules.library import book  # noqa: E402
from meldroom.solver.explanation import Effort, explain  # noqa: E402
from testkit.solver.explained_plays import Play, faults, random_plays, solved  # noqa: E402

ORDINARY = 4
"""A turn that changes at most so many sets of the table is an ordinary one."""

SOURCES = ("game", "neat", "plain")


class Measured(msgspec.Struct, frozen=True):
    """One explanation: how long it took, and how hard the play is."""

    play: Play
    seconds: float
    effort: Effort


def plays(count: int, with_solver: bool) -> Iterator[Play]:
    """So many plays; with the solver, two of a game are followed by a neat and a plain answer of its own."""
    found = random_plays()
    made = 0
    while made < count:
        batch = [next(found), next(found)]
        if with_solver:
            batch += [solved(batch[0], neat=True), solved(batch[1], neat=False)]
        yield from batch[: count - made]
        made += len(batch)


def text_of(play: Play) -> str:
    """A play as people write it."""
    tiles = book(play.book).tiles
    before, after = (" | ".join(map(tiles.faces_text, table)) for table in (play.before, play.after))
    return f"{play.book}, {play.source}: {before or '-'} + {tiles.faces_text(play.rack)} -> {after}"


def measure(play: Play) -> tuple[Measured, list[str]]:
    """One play explained and replayed, in both languages."""
    started = time.process_time()
    told = explain(book(play.book), play.before, play.rack, play.after)
    seconds = time.process_time() - started
    wrong = faults(play, told)
    wrong += [f"no {language} text" for language in ("en", "fr") if play.rack and not told.text(language)]
    return Measured(play, seconds, told.effort), wrong


def summary(name: str, rows: list[Measured]) -> str:
    """Figures of some explanations as one line of a table."""
    times = sorted(row.seconds * 1000 for row in rows)
    efforts = [row.effort for row in rows]
    median, most = times[len(times) // 2], times[-1]
    slow = times[int(len(times) * 0.99)]
    movements = sum(effort.movements for effort in efforts) / len(rows)
    shortest = 100 * sum(effort.shortest for effort in efforts) / len(rows)
    longest, loose = max(e.movements for e in efforts), max(e.most_loose for e in efforts)
    return (
        f"| {name:<28} | {len(rows):>6} | {median:>6.2f} | {slow:>6.2f} | {most:>6.2f} "
        f"| {movements:>5.1f} | {longest:>4} | {loose:>4} | {shortest:>5.1f} |"
    )


def table(rows: list[Measured]) -> str:
    """All figures."""
    lines = [
        "| plays                        |  count | median |   99 % |    max | moves |  max | held | short |",
        "|------------------------------|-------:|-------:|-------:|-------:|------:|-----:|-----:|------:|",
    ]
    for source in SOURCES:
        chosen = [row for row in rows if row.play.source == source]
        ordinary = [row for row in chosen if row.effort.sets_touched <= ORDINARY]
        harder = [row for row in chosen if row.effort.sets_touched > ORDINARY]
        for kind, part in ((f"1–{ORDINARY} sets changed", ordinary), (f"over {ORDINARY}", harder)):
            if part:
                lines.append(summary(f"{source}, {kind}", part))
    lines.append(summary("all", rows))
    lines.append("CPU times in ms; moves: movements on average, at most; held: most tiles in hand;")
    lines.append("short: % proven to be the shortest.")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Explain and replay; 1 if anything is wrong."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--no-solver", action="store_true", help="explain the plays of random games only")
    options = parser.parse_args(arguments)
    with_solver = not options.no_solver and find_spec("numba") is not None
    rows: list[Measured] = []
    wrong = 0
    for play in plays(options.positions, with_solver):
        row, found = measure(play)
        rows.append(row)
        if found:
            wrong += 1
            print(text_of(play), *found, sep="\n  ")
        if len(rows) % 100 == 0 and sys.stderr.isatty():
            sys.stderr.write(f"\r{len(rows)} of {options.positions}")
    jokers = sum(any(book(r.play.book).tiles.joker in faces for faces in r.play.after) for r in rows)
    kinds = "with" if with_solver else "without"
    print(f"{len(rows)} plays replayed ({jokers} with jokers), {kinds} the solver: {wrong} wrong")
    print(table(rows))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
