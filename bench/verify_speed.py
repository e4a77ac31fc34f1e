"""How many turns `verify` judges a second on one core, and how long `import meldroom` takes.

    python bench/verify_speed.py

Tables of 15 to 20 sets, made by a fixed seed: with and without jokers, legal and illegal turns, and turns
that free a joker, under a book with the new-set rule and one without. Time is processor time, so that a busy
machine does not count against the engine.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Literal

import msgspec

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
if str(SOURCE) not in sys.path:
    sys.path.insert(0, str(SOURCE))

from meldroom.rules.book import RuleBook  # noqa: E402
from meldroom.rules.library import book  # noqa: E402
from meldroom.rules.verify import Turn, verify  # noqa: E402
from meldroom.tiles import Face  # noqa: E402

Faces = tuple[Face, ...]
LEAST_SETS, MOST_SETS = 15, 20
RACK = 8


def _some_set(of: RuleBook, chance: random.Random) -> list[Face]:
    """A group or a run of real size."""
    tiles = of.tiles
    if chance.random() < 0.5:
        colours = chance.sample(range(len(tiles.colours)), chance.randint(3, 4))
        number = chance.randint(1, tiles.numbers)
        return [tiles.face(colour, number) for colour in colours]
    length = chance.randint(3, 5)
    low = chance.randint(1, tiles.numbers - length + 1)
    colour = chance.randrange(len(tiles.colours))
    return [tiles.face(colour, number) for number in range(low, low + length)]


def position(of: RuleBook, chance: random.Random, jokers: bool) -> tuple[tuple[Faces, ...], Counter[Face]]:
    """A legal table of 15 to 20 sets and the tiles that are left."""
    wanted = chance.randint(LEAST_SETS, MOST_SETS)
    while True:
        left = Counter(dict(zip(of.tiles.every_face, of.tiles.limits, strict=True)))
        table: list[Faces] = []
        for _ in range(60 * MOST_SETS):
            faces = _some_set(of, chance)
            if jokers and left[of.tiles.joker] and len(table) < 2:
                faces[chance.randrange(len(faces))] = of.tiles.joker
            if all(left[face] >= count for face, count in Counter(faces).items()):
                left -= Counter(faces)
                table.append(tuple(faces))
            if len(table) == wanted:
                return tuple(chance.sample(table, wanted)), left


Kind = Literal["legal", "illegal", "freed"]


def turns(of: RuleBook, jokers: bool, kind: Kind, count: int) -> list[Turn]:
    """Turns of a melded player: sets are lengthened, split, spoilt, or give up a joker to a new set."""
    chance = random.Random(f"{of.id} {jokers} {kind}")
    found: list[Turn] = []
    while len(found) < count:
        before, left = position(of, chance, jokers)
        if kind == "freed":
            turn = _freed(of, before, left, chance)
        else:
            rack = tuple(chance.sample(sorted(left.elements()), RACK))
            after = _played(of, before, rack, chance)
            if after is not None and kind == "illegal":
                after = _spoilt(after, chance)
            turn = None if after is None else Turn(before, rack, after, True)
        if turn is not None and (not verify(of, turn)) == (kind != "illegal"):
            found.append(turn)
    return found


def _freed(
    of: RuleBook, before: tuple[Faces, ...], left: Counter[Face], chance: random.Random
) -> Turn | None:
    """A joker's place is taken by a rack tile, and the joker makes a new set with two more."""
    joker = of.tiles.joker
    home = next(index for index, faces in enumerate(before) if joker in faces)
    rest = tuple(face for face in before[home] if face != joker)
    held = sorted(face for face in left if face != joker)
    given = [face for face in held if of.reader.is_set((*rest, face))]
    pairs = [pair for pair in combinations(held, 2) if of.reader.is_set((*pair, joker))]
    if not given or not pairs:
        return None
    tile, pair = chance.choice(given), chance.choice(pairs)
    if tile in pair:
        return None
    after = [(*rest, tile) if index == home else faces for index, faces in enumerate(before)]
    others = sorted((left - Counter((tile, *pair))).elements())
    rack = (tile, *pair, *chance.sample(others, RACK - 3))
    return Turn(before, rack, tuple(chance.sample([*after, (*pair, joker)], len(after) + 1)), True)


def _played(
    of: RuleBook, before: tuple[Faces, ...], rack: Faces, chance: random.Random
) -> tuple[Faces, ...] | None:
    """The table after a turn: one to four rack tiles added where they fit, and long runs split."""
    table = list(before)
    laid = 0
    for tile in rack:
        places = [i for i, faces in enumerate(table) if of.reader.is_set((*faces, tile))]
        if places and laid < 4:
            place = chance.choice(places)
            table[place] = (*table[place], tile)
            laid += 1
    for index, faces in enumerate(table):
        run = tuple(sorted(faces))
        if len(run) >= 6 and of.reader.is_set(run[:3]) and of.reader.is_set(run[3:]):
            table[index] = run[:3]
            table.append(run[3:])
    return tuple(chance.sample(table, len(table))) if laid else None


def _spoilt(table: tuple[Faces, ...], chance: random.Random) -> tuple[Faces, ...]:
    """One tile in a set where it does not belong."""
    source, target = chance.sample(range(len(table)), 2)
    sets = [list(faces) for faces in table]
    sets[target].append(sets[source].pop())
    return tuple(tuple(faces) for faces in sets)


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


KINDS: tuple[tuple[bool, Kind], ...] = (
    (False, "legal"),
    (False, "illegal"),
    (True, "legal"),
    (True, "illegal"),
    (True, "freed"),
)


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
