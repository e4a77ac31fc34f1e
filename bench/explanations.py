"""Explanations replayed: the movements, made one by one, must lead from the table before to the table after.

    python bench/explanations.py --positions 10000

Positions come from random legal games of the rearranging books at tables of 2, 3 and 4. The plays are those
of the game and, where the solver can be loaded, for every position also one of the solver's: neat (as few old
sets changed as can be) or plain (as the kernel leaves it, a hard case: most of the table is laid anew). With
--no-solver only the plays of the games are explained. The exit status is 1 if any replay fails.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
for folder in (ROOT, ROOT / "src"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from meldroom.game import Lay, Shuffle, apply, legal, new_game  # noqa: E402
from meldroom.rules.book import RuleBook  # noqa: E402
from meldroom.rules.library import BOOK_IDS, book  # noqa: E402
from meldroom.rules.verify import FaceSet, FaceTable  # noqa: E402
from meldroom.solver import MovementError, solve_faces  # noqa: E402
from meldroom.solver.explanation.movements import Placed, apply_movement  # noqa: E402
from meldroom.solver.explanation.steps import Effort, Explanation, explain  # noqa: E402

BOOKS = tuple(id for id in BOOK_IDS if book(id).family == "rearranging")
NAMES = ("Ada", "Bo", "Chi", "Dee")
ORDINARY = 4
"""A turn that changes at most so many sets of the table is an ordinary one."""

SOURCES = ("game", "neat", "plain")


class Play(msgspec.Struct, frozen=True):
    """A play to explain, and where it comes from."""

    book: str
    source: str
    before: FaceTable
    rack: FaceSet
    after: FaceTable
    melded: bool


class Measured(msgspec.Struct, frozen=True):
    """One explanation: how long it took, and how hard the play is."""

    play: Play
    seconds: float
    effort: Effort


def game_plays(of: RuleBook, players: int, number: int) -> Iterator[Play]:
    """Every lay of one random legal game."""
    name = f"explained game {of.id} {players} {number}"
    chance = random.Random(name)
    shuffle = Shuffle(name, NAMES[:players])
    state, _ = new_game(of, NAMES[:players], shuffle)
    while not state.over:
        action = legal(state).sample(chance)
        if isinstance(action, Lay):
            rack = state.faces(state.racks[state.seat])
            after = state.face_table(action.table)
            yield Play(of.id, "game", state.face_table(), rack, after, state.melded[state.seat])
        state, _ = apply(state, action, shuffle)


def random_plays(first: int = 0) -> Iterator[Play]:
    """Plays of random games without end, every book and table size in turn."""
    number = first
    while True:
        of = book(BOOKS[number % len(BOOKS)])
        yield from game_plays(of, 2 + number // len(BOOKS) % 3, number)
        number += 1


def solved(play: Play, neat: bool) -> Play:
    """The solver's play from the same position."""
    found = solve_faces(book(play.book), play.before, play.rack, play.melded, neat=neat)
    return msgspec.structs.replace(play, source="neat" if neat else "plain", after=found.table)


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


def faults(play: Play, told: Explanation) -> list[str]:
    """What is wrong with an explanation, replayed movement by movement; empty if nothing is."""
    of = book(play.book)
    found: list[str] = []
    placed = Placed(told.before, (), play.rack)
    changed = _sets(play.before) - _sets(play.after)
    if _sets(told.touched) != changed and of.jokers.reuse != "new_set":
        found.append("mentions a set that stays, or not one that changes")
    stay = _sets(play.before) - _sets(told.touched)
    if _sets(told.before) != _sets(play.before):
        found.append("does not begin with the table before")
    tiles = _tiles(*placed)
    for number, step in enumerate(told.steps, 1):
        try:
            placed = apply_movement(*placed, step.movement)
        except MovementError as error:
            return [*found, f"step {number} cannot be made: {error}"]
        if (_sets(placed.table), Counter(placed.loose)) != (_sets(step.table), Counter(step.loose)):
            found.append(f"step {number} does not lead to the table it shows")
        if not all(of.reader.is_set(faces) for faces in placed.table):
            found.append(f"step {number} leaves a set that is none")
        if _tiles(*placed) != tiles:
            found.append(f"step {number} loses or adds a tile")
        if not stay <= _sets(placed.table):
            found.append(f"step {number} touches a set that stays")
    if _sets(placed.table) != _sets(play.after):
        found.append("does not end with the table after")
    if placed.loose:
        found.append("ends with tiles in hand")
    if Counter(placed.rack) + Counter(told.played) != Counter(play.rack):
        found.append("does not use exactly the tiles played")
    return found


def _sets(table: FaceTable) -> Counter[FaceSet]:
    return Counter(tuple(sorted(faces)) for faces in table)


def _tiles(table: FaceTable, loose: FaceSet, rack: FaceSet) -> Counter[int]:
    return Counter(face for faces in (*table, loose, rack) for face in faces)


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
