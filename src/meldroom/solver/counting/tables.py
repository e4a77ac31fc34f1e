"""What the counts need to know of a tile set: the open runs of a colour, groups, and what a number allows.

A *content* says how many tiles of each colour a rack holds of one number. An *option* says what to do with
it: how many tiles and jokers of each colour go into runs, how many jokers and numbered tiles are laid at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from math import prod
from typing import Any, TypeAlias

from meldroom.solver.counting.chances import Box
from meldroom.solver.errors import TooLargeError

Content: TypeAlias = tuple[int, ...]
Lengths: TypeAlias = tuple[int, ...]
"""The open runs of one colour: how many have one tile, two, … and enough to be legal."""

MOST_STATES = 1_000
MOST_CONTENTS = 10_000
MOST_OPTIONS = 200_000
WIDEST_CODE = 1 << 62


@lru_cache(maxsize=16)
def make_tables(kernel: Any, box: Box, jokers: int, points: int | None) -> Any:
    """A kernel's tables of a box, for racks with up to `jokers` jokers.

    With `points` None all tiles and jokers must be laid; else tiles may stay on the rack and points are
    counted up to `points`. Raises TooLargeError.
    """
    most = box.copies + jokers
    lengths = _lengths(box.shortest, most)
    plain, kept = len(lengths), box.copies + 1 if box.wraps else 1
    contents = list(product(range(box.copies + 1), repeat=box.colours))
    if plain * kept > MOST_STATES or len(contents) > MOST_CONTENTS:
        raise TooLargeError("count_book", "rulebook")
    step = kernel.grid(plain * kept, most + 1)
    behind = kernel.grid(plain * kept, plain * kept)
    for a, b in product(range(plain * kept), repeat=2):
        # A 1 that is not kept may stay on the rack, but where everything must be laid it must find a place.
        comparable = a // plain == b // plain or (points is not None and a // plain < b // plain)
        behind[a][b] = _behind(lengths[a % plain], lengths[b % plain]) if comparable else -1
    for a, tiles in product(range(plain * kept), range(most + 1)):
        after = _step(lengths[a % plain], tiles)
        step[a][tiles] = -1 if after is None else lengths.index(after) + a // plain * plain
    needs = [max((box.shortest - 1 - i for i, n in enumerate(runs) if n), default=0) for runs in lengths]
    first, options = _options(box, jokers, contents, points is None)
    # The fields of a way: a state for each colour, jokers spent, "has a run", points.
    sizes = [*[plain * kept] * box.colours, jokers + 1, 2, (points or 0) + 1]
    return kernel.Tables(
        colours=box.colours,
        copies=box.copies,
        step=step,
        behind=behind,
        needs=kernel.ints(needs * kept),
        kept=kernel.ints([ones for ones in range(kept) for _ in range(plain)]),
        contents=_rows(kernel, contents),
        first=kernel.ints(first),
        options=_rows(kernel, options),
        strides=kernel.ints(_strides(sizes)),
        sizes=kernel.ints(sizes),
        exact=points is None,
    )


def _rows(kernel: Any, rows: Sequence[Content]) -> Any:
    """Rows of whole numbers as the kernel's own."""
    made = kernel.grid(len(rows), len(rows[0]))
    for row, values in zip(made, rows, strict=True):
        for place, value in enumerate(values):
            row[place] = value
    return made


def _lengths(shortest: int, most: int) -> list[Lengths]:
    """Every way to have up to `most` open runs of one colour, none of them first."""
    every = product(range(most + 1), repeat=shortest)
    return sorted((runs for runs in every if sum(runs) <= most), key=lambda runs: (sum(runs), runs))


def _step(runs: Lengths, tiles: int) -> Lengths | None:
    """The open runs after `tiles` of the next number join them; None if a run would be left too short.

    Short runs must go on. A legal run goes on before a new one starts: the two would make one run.
    """
    *short, legal = runs
    left = tiles - sum(short)
    if left < 0:
        return None
    going_on = min(left, legal)
    if not short:
        return (left,)
    return (left - going_on, *short[:-1], short[-1] + going_on)


def _behind(a: Lengths, b: Lengths) -> int:
    """How many runs `a` lacks to do whatever `b` can; −1 if a short run of `a` finds no partner in `b`.

    A short run must go on, so it needs a run of `b` that is no longer and goes on as well.
    """
    if any(sum(a[: size + 1]) > sum(b[: size + 1]) for size in range(len(a) - 1)):
        return -1
    return max(0, sum(b) - sum(a))


def groupable(box: Box, jokers: int) -> set[tuple[tuple[int, ...], int]]:
    """Every content that groups can hold with nothing left, with the jokers that takes exactly."""
    shapes = [
        (tuple(int(c in chosen) for c in range(box.colours)), extra)
        for size in range(1, box.colours + 1)
        for chosen in combinations(range(box.colours), size)
        for extra in range(jokers + 1)
        if box.shortest <= size + extra <= box.colours
    ]
    found = {((0,) * box.colours, 0)}
    fresh = set(found)
    while fresh:
        larger = {
            (tuple(map(int.__add__, content, shape)), spent + extra)
            for content, spent in fresh
            for shape, extra in shapes
            if spent + extra <= jokers
        }
        fresh = {entry for entry in larger if max(entry[0]) <= box.copies} - found
        found |= fresh
    return found


def _options(
    box: Box, jokers: int, contents: list[tuple[int, ...]], exact: bool
) -> tuple[list[int], list[Content]]:
    """What can be done with each content, as `first` and `options` of the tables.

    A joker stands in a run only where all tiles of its kind are in runs already; else the two change places.
    """
    groups = groupable(box, jokers)
    most: dict[tuple[tuple[int, ...], int], int] = {}
    for content, spent in product(contents, range(jokers + 1)):
        sizes = [sum(part) for part, used in groups if used == spent and _within(part, content)]
        if exact:
            sizes = [size for size in sizes if size == sum(content)]
        if sizes:
            most[content, spent] = max(sizes)
    first, rows = [0], []
    in_runs = [
        runs
        for runs in product(range(box.copies + jokers + 1), repeat=box.colours)
        if sum(max(0, n - box.copies) for n in runs) <= jokers
    ]
    for content in contents:
        for runs in in_runs:
            spent = sum(max(0, n - held) for n, held in zip(runs, content, strict=True))
            left = tuple(max(0, held - n) for n, held in zip(runs, content, strict=True))
            for more in range(jokers - spent + 1):
                if (left, more) in most:
                    natural = sum(content) - sum(left) + most[left, more]
                    rows.append((*runs, spent + more, natural))
        first.append(len(rows))
        if len(rows) > MOST_OPTIONS:
            raise TooLargeError("count_book", "rulebook")
    return first, rows


def _within(part: tuple[int, ...], content: tuple[int, ...]) -> bool:
    return all(a <= b for a, b in zip(part, content, strict=True))


def _strides(sizes: list[int]) -> list[int]:
    """Multipliers that pack fields of these sizes into one integer."""
    if prod(sizes) >= WIDEST_CODE:
        raise TooLargeError("count_book", "rulebook")
    return [prod(sizes[place + 1 :]) for place in range(len(sizes))]
