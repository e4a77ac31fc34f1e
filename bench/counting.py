"""Counts what there is to count, exactly: `python bench/counting.py` writes docs/numbers.md.

Every figure is compared with the one published for this project; the exit status is 1 if any differs. Whole
numbers of any size and fractions throughout; only the printed decimals are rounded.
"""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src")]

from meldroom.rules.library import book, house_book  # noqa: E402
from meldroom.rules.opening import sets_within  # noqa: E402
from meldroom.solver.counting.chances import (  # noqa: E402
    Box,
    Goal,
    closed_racks,
    expected_draws,
    opening_chance,
    racks_that_go_out,
)

TML = book("tml")
NO_JOKERS = house_book(
    {"id": "no-jokers", "version": "1", "base": "tml", "tiles": {"jokers": 0, "spare_jokers": 4}}
)
BOX = Box.of(TML)
PAGE = ROOT / "docs" / "numbers.md"


class Figure(NamedTuple):
    """One figure: what it is, what was counted, what is published."""

    name: str
    counted: str
    published: str

    @property
    def right(self) -> bool:
        """True if the two agree to the last digit."""
        return self.counted == self.published


def decimal(value: Fraction, digits: int) -> str:
    """A fraction rounded to so many digits, without a detour over floating point."""
    whole = round(value * 10**digits)
    return f"{whole // 10**digits}.{whole % 10**digits:0{digits}d}"


def listed(values: list[int]) -> str:
    """Whole numbers as one text."""
    return ", ".join(map(str, values))


def say(text: str) -> None:
    """One line of progress."""
    print(f"    {text}", flush=True)


def set_counts() -> Iterator[Figure]:
    """Legal sets as multisets of faces."""
    everything = tuple(face for face, limit in enumerate(TML.tiles.limits) for _ in range(limit))
    sets = {tuple(sorted(faces)) for faces in sets_within(TML.reader, everything, every_length=True)}
    jokers = Counter(faces.count(TML.tiles.joker) for faces in sets if len(faces) <= 5)
    sizes = Counter(len(faces) for faces in sets)
    yield Figure("sets of 3 to 5 tiles", str(jokers.total()), "1173")
    yield Figure("… with 0, 1, 2 jokers", listed([jokers[n] for n in range(3)]), "185, 494, 494")
    yield Figure("… of 3, 4, 5 tiles", listed([sizes[n] for n in (3, 4, 5)]), "318, 439, 416")
    natural = sum(1 for faces in sets if TML.tiles.joker not in faces)
    yield Figure("sets of any length, without jokers", str(natural), "329")
    yield Figure("sets of any length, with up to two jokers", str(len(sets)), "6301")


def going_out() -> Iterator[Figure]:
    """Racks that go out at once, as distinct multisets and as physical tiles."""
    most = 14
    distinct = racks_that_go_out(BOX, 2, most, progress=say)
    yield Figure(
        "racks of 3 … 14 tiles that go out at once, without jokers",
        listed(distinct[0][3:]),
        "96, 53, 36, 4656, 4980, 4731, 151728, 233412, 279108, 3753318, 7244080, 10232524",
    )
    together = [sum(distinct[jokers][n - jokers] for jokers in range(3)) for n in range(3, most + 1)]
    yield Figure(
        "… with up to two jokers",
        listed(together),
        "318, 439, 416, 38243, 58292, 79983, 2279404, 4102375, 6338844, 87080644, 180707056, 304564298",
    )
    physical = racks_that_go_out(BOX, 2, most, distinct=False, progress=say)
    ways = sum(comb(2, jokers) * physical[jokers][most - jokers] for jokers in range(3))
    yield Figure("14 of the 106 tiles that go out at once, of C(106,14)", str(ways), "1084921413998")


def opening() -> Iterator[Figure]:
    """The chance that a rack can open."""
    rack = opening_chance(TML)
    yield Figure("14 of the 106 tiles that cannot open with 30", str(sum(rack.closed)), "53109163093530206")
    yield Figure("14 of 106 can open", decimal(rack.chance, 10), "0.4975973854")
    yield Figure("14 of 104 can open", decimal(opening_chance(NO_JOKERS).chance, 10), "0.3488690542")
    given = ", ".join(decimal(rack.given(jokers), 6) for jokers in range(3))
    yield Figure("14 of 106 can open, given 0, 1, 2 jokers", given, "0.348869, 0.945469, 0.999990")
    sizes = (15, 16, 17, 18, 20, 22, 25, 30)
    yield Figure(
        f"{listed(list(sizes))} of 106 can open",
        ", ".join(decimal(opening_chance(TML, size).chance, 10) for size in sizes),
        "0.5671604317, 0.6349604927, 0.6993369972, 0.7586986132, "
        "0.8573799696, 0.9256784623, 0.9784031612, 0.9986930691",
    )
    any_set = decimal(opening_chance(TML, points=1).chance, 10)
    yield Figure("14 of 106 hold any set at all", any_set, "0.7848538659")


def draws() -> Iterator[Figure]:
    """The expected draws until a rack can open."""
    for name, rules, published in (("106", TML, "2.48928905"), ("104", NO_JOKERS, "3.51452902")):
        mean = expected_draws(rules).mean
        counted = "never" if mean is None else decimal(mean, 8)
        yield Figure(f"expected draws until the rack can open, {name} tiles", counted, published)


def largest() -> Iterator[Figure]:
    """The largest racks that hold no set, or no opening, by jokers held."""
    for name, points, published in (("hold no set", 1, "52, 27, 2"), ("cannot make 30", 30, "59, 45, 27")):
        goal = Goal.of(TML, points)
        sizes = []
        for jokers in range(3):
            closed = closed_racks(BOX, goal, jokers)
            sizes.append(jokers + max(n for n, count in enumerate(closed) if count))
        yield Figure(f"most tiles that {name}, with 0, 1, 2 jokers", listed(sizes), published)


def tables() -> Iterator[Figure]:
    """Numbered tiles that can lie on a table."""
    arranged = racks_that_go_out(BOX, 0, progress=say)[0]
    yield Figure(
        "contents of a table of numbered tiles that can be arranged",
        str(sum(arranged)),
        "638365919287424452221",
    )
    contents = [1]
    for _ in range(BOX.colours * BOX.numbers):
        longer = [*contents, *[0] * BOX.copies]
        for n, count in enumerate(contents):
            for more in range(1, BOX.copies + 1):
                longer[n + more] += count
        contents = longer
    least = min(n for n in range(len(contents)) if arranged[n:] == contents[n:])
    yield Figure("every content of so many tiles or more can be arranged", str(least), "100")


PARTS = {
    "Sets": set_counts,
    "Racks that can open": opening,
    "Draws until a rack can open": draws,
    "The largest racks": largest,
    "Racks that go out at once": going_out,
    "Tables": tables,
}


PREFACE = """# Numbers

Every figure below is counted exactly, by `meldroom.solver.counting`; decimals are rounded only for printing.
*106* is the full set with two jokers, *104* the set without; jokers move freely and count as the tile they
stand for. `python bench/counting.py` counts all of it again, compares it with the published figures and
writes this page: {seconds:.0f} s on one core.

The numbers are walked from 13 down to 1. Racks that agree on what can still be made of the tiles walked over,
whatever follows and whichever way the colours are named, are one class, and only how many they are is kept:
at most some thousand classes for openings, 56 thousand for tables. The counts do not use the solver’s search.
"""


def page(sections: dict[str, list[Figure]], seconds: float) -> str:
    """The page of figures."""
    lines = PREFACE.format(seconds=seconds).splitlines()
    for title, figures in sections.items():
        lines += ["", f"## {title}", "", "| | counted | as published |", "| --- | --- | --- |"]
        lines += [f"| {f.name} | {f.counted} | {'yes' if f.right else f.published} |" for f in figures]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Counts, compares and writes; returns the exit status."""
    start = time.monotonic()
    sections: dict[str, list[Figure]] = {}
    for title, part in PARTS.items():
        print(f"{title} ({time.monotonic() - start:.0f} s)", flush=True)
        sections[title] = []
        for figure in part():
            sections[title].append(figure)
            print(f"  {'ok' if figure.right else 'WRONG'}  {figure.name}: {figure.counted}", flush=True)
            if not figure.right:
                print(f"         published: {figure.published}", flush=True)
    seconds = time.monotonic() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    every = [figure for figures in sections.values() for figure in figures]
    wrong = sum(not figure.right for figure in every)
    PAGE.write_text(page(sections, seconds), encoding="utf-8")
    print(f"{len(every)} figures, {wrong} wrong, {seconds:.0f} s, {memory:.0f} MB; written to {PAGE}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
