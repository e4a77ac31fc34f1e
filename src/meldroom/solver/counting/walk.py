"""The walk over the numbers, from the highest down to 1: which frontiers there are, and the racks of each.

Racks that agree on what can still be made of the tiles walked over, whatever follows, are counted together:
some thousand classes instead of 10²⁰ racks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np

from meldroom.solver.counting.chances import Box, Goal, Progress
from meldroom.solver.counting.kernel import (
    LIMB,
    UNKNOWN,
    Place,
    Store,
    Target,
    Targets,
    advance,
    carry,
    spread,
)
from meldroom.solver.counting.tables import Content, Ints, Tables, make_tables
from meldroom.solver.errors import TooLargeError

MOST_FRONTIERS = 2_000_000
ROOM_IN_LIMB = 62 - LIMB
ANYWHERE = 1 << 20
"""More places than any tile set has below a number, and more tiles than any content."""


class Draws:
    """How many ways there are to come to each content of a number, and how many tiles are drawn for it.

    Colours of one kind are alike in what is held and unseen of every number.
    """

    def __init__(self, box: Box, held: Sequence[int], unseen: Sequence[int], distinct: bool = False) -> None:
        self.box, self.held, self.unseen, self.distinct = box, held, unseen, distinct
        starts = range(0, len(held), box.numbers)
        columns = [(*held[s : s + box.numbers], *unseen[s : s + box.numbers]) for s in starts]
        self.kinds = tuple(columns.index(column) for column in columns)

    def of(self, number: int, content: Content) -> tuple[int, int]:
        """The ways to a content of a number and the tiles drawn for it."""
        ways, drawn = 1, 0
        for colour, tiles in enumerate(content):
            face = colour * self.box.numbers + number - 1
            more = tiles - self.held[face]
            choices = comb(self.unseen[face], more) if more >= 0 else 0
            ways *= min(1, choices) if self.distinct else choices
            drawn += more
        return ways, drawn


class Part(NamedTuple):
    """A walk for racks with certain 1s, how often it counts, and how many tiles are drawn before it."""

    walk: Walk
    times: int
    drawn: int

    def add(self, rows: Sequence[int], totals: list[int]) -> None:
        """Adds what the walk counted for these frontiers, by tiles."""
        for tiles, count in enumerate(self.walk.totals(rows), start=self.drawn):
            totals[tiles] += self.times * count


def parts(box: Box, goal: Goal | None, jokers: int, most: int, draws: Draws) -> Iterator[Part]:
    """One walk for all racks; where a 1 may stand above the highest number, one for each content of 1s."""
    if not box.wraps:
        yield Part(Walk(box, goal, jokers, most, draws, None), 1, 0)
        return
    if box.numbers < 2 * box.shortest:
        raise TooLargeError("count_wrap", "rulebook")
    seen: dict[tuple[tuple[int, int], ...], list[Content]] = {}
    for content in product(range(box.copies + 1), repeat=box.colours):
        alike = tuple(sorted(zip(draws.kinds, content, strict=True)))
        seen.setdefault(alike, []).append(content)
    for contents in seen.values():
        ways, drawn = draws.of(1, contents[0])
        if ways and drawn <= most:
            walk = Walk(box, goal, jokers, most - drawn, draws, contents[0])
            yield Part(walk, ways * len(contents), drawn)


class Walk:
    """One walk over the numbers: the frontiers in use, and the racks counted for each of them.

    `counts` is indexed by frontier in use, limb and tiles. With a goal, racks that can open leave the walk;
    without one, all tiles and jokers must be laid. `ones` are the 1s of all these racks if they are settled
    beforehand.
    """

    def __init__(
        self, box: Box, goal: Goal | None, jokers: int, most: int, draws: Draws, ones: Content | None
    ) -> None:
        self.box, self.goal, self.most, self.ones = box, goal, most, ones
        self.tables = make_tables(box, jokers, goal.points if goal else None)
        points, run = (goal.points, goal.run_required) if goal else (0, False)
        kinds = np.array(draws.kinds, np.int64) * (box.copies + 1)
        self.target = Target(points, run, jokers, kinds if ones is None else kinds + np.array(ones, np.int64))
        first = _beginnings(self.tables, goal, jokers, ones)
        self.store = Store(first, np.array([0, first.size]), np.full(1 << 10, -1, np.int64))
        self.held = 1
        self.active = np.zeros(1, np.int64)
        self.known: Targets = np.full((1, len(self.tables.contents)), UNKNOWN, np.int32)
        self.layers = [(number, *self._layer(draws, number)) for number in range(box.numbers, 0, -1)]
        bits = sum(int(weights.sum()).bit_length() for _, weights, _ in self.layers)
        if max(int(weights.sum()).bit_length() for _, weights, _ in self.layers) > ROOM_IN_LIMB:
            raise TooLargeError("count_book", "rulebook")
        self.counts = np.zeros((1, bits // LIMB + 1, most + 1), np.int64)
        self.counts[0, 0, 0] = 1

    def _layer(self, draws: Draws, number: int) -> tuple[Ints, Ints]:
        """The ways to each content of a number and the tiles drawn; ANYWHERE tiles where there is no way."""
        found = []
        for content in map(tuple, self.tables.contents.tolist()):
            ways, drawn = draws.of(number, content)
            if number == 1 and self.ones is not None:
                ways, drawn = int(content == self.ones), 0
            found.append((ways, drawn if ways else ANYWHERE))
        ways_drawn = np.array(found, np.int64)
        return ways_drawn[:, 0].copy(), ways_drawn[:, 1].copy()

    def run(self, progress: Progress | None) -> None:
        """Walks over all numbers."""
        for number, weights, sizes in self.layers:
            targets = self._targets(number, sizes)
            self._spread(targets, weights, sizes)
            if progress is not None:
                progress(f"number {number}: {len(self.active)} classes of racks")

    def _place(self, number: int) -> Place:
        box, goal = self.box, self.goal
        kept = number == 1 and self.ones is not None
        if goal is None:
            return Place(0, 0, kept, ANYWHERE, 0, 0, np.zeros(box.colours, np.int64), 0)
        ones = (box.copies,) * box.colours if self.ones is None else self.ones
        rest = sum(goal.worth[1 : number - 1]) * box.colours * box.copies
        rest += sum(ones) * goal.worth[0] if number > 1 else 0
        joker_below = goal.joker_worth[: number - 1]
        dearest = [max(pair) for pair in zip(goal.worth, joker_below, strict=False)]
        run_loss = []
        for tiles in ones:
            lowest = dearest[:1] if tiles else list(joker_below[:1])
            run_loss.append(sum([*lowest, *dearest[1:]][max(0, number - box.shortest) :]))
        # Without its joker a group of the fewest tiles is lost, or a run’s ends that are too short alone.
        ends = sorted(dearest)[-(2 * box.shortest - 1) :]
        return Place(
            worth=goal.worth[number - 1],
            joker_worth=goal.joker_worth[number - 1],
            kept=kept,
            below=number - 1,
            rest=rest,
            joker_rest=max(joker_below, default=0),
            run_loss=np.array(run_loss, np.int64),
            joker_loss=max(sum(ends), box.shortest * max(dearest, default=0)),
        )

    def _targets(self, number: int, sizes: Ints) -> Targets:
        """The frontier that each content of a number leads to, for each frontier in use."""
        place = self._place(number)
        fewest = (self.counts.any(axis=1)).argmax(axis=1)
        # Laying out all tiles is the same at every number, so what leads where is kept.
        keep = self.goal is None and not place.kept
        if keep:
            targets = self.known[self.active]
        else:
            targets = np.full((len(self.active), len(sizes)), UNKNOWN, np.int32)
        room = self.most - fewest
        self.store, self.held = advance(
            self.tables, self.store, self.held, self.active, room, sizes, place, self.target, targets
        )
        if not 0 <= self.held <= MOST_FRONTIERS:
            raise TooLargeError("count_racks", "rulebook")
        if keep:
            fresh = np.full((self.held - len(self.known), len(sizes)), UNKNOWN, np.int32)
            self.known = np.concatenate((self.known, fresh))
            self.known[self.active] = targets
        return targets

    def _spread(self, targets: Targets, weights: Ints, sizes: Ints) -> None:
        """Counts the racks of the frontiers after a number, from those before it."""
        active = np.unique(targets[targets >= 0]).astype(np.int64)
        where = np.full(self.held, -1, np.int64)
        where[active] = np.arange(len(active))
        after = np.zeros((len(active), *self.counts.shape[1:]), np.int64)
        # So few rows at once that no limb outgrows 63 bits before it is carried.
        rows = 1 << (ROOM_IN_LIMB - int(weights.sum()).bit_length())
        for start in range(0, len(targets), rows):
            part = slice(start, start + rows)
            spread(targets[part], where, weights, sizes, self.counts[part], after)
            carry(after)
        reached = after.any(axis=(1, 2))
        self.active, self.counts = active[reached], after[reached]

    def finished(self, jokers: int) -> list[int]:
        """The frontiers in use that hold a way with nothing left over and exactly these jokers laid."""
        colours = self.box.colours
        ways = self.store.ways[: self.store.starts[self.held]]
        fields = ways[:, None] // self.tables.strides % self.tables.sizes
        whole = (self.tables.needs[fields[:, :colours]] == 0).all(axis=1) & (fields[:, colours] == jokers)
        found = np.logical_or.reduceat(whole, self.store.starts[: self.held])
        return [row for row, frontier in enumerate(self.active) if found[frontier]]

    def totals(self, rows: Sequence[int]) -> list[int]:
        """The racks of these frontiers together, by tiles."""
        totals = [0] * (self.most + 1)
        for row in rows:
            for limb, counts in enumerate(self.counts[row].tolist()):
                for tiles, count in enumerate(counts):
                    totals[tiles] += count << (LIMB * limb)
        return totals


def _beginnings(tables: Tables, goal: Goal | None, jokers: int, ones: Content | None) -> Ints:
    """The ways to begin: nothing yet, or runs that end with a 1 or a joker above the highest number (R53).

    Those 1s are kept from the content of number 1, which is met last.
    """
    colours = tables.contents.shape[1]
    plain = len(tables.kept) // (int(tables.kept[-1]) + 1)
    most_kept, most_extra = (ones, jokers) if ones is not None else ((0,) * colours, 0)
    ways = set()
    for kept in product(*(range(most + 1) for most in most_kept)):
        for extra in product(range(most_extra + 1), repeat=colours):
            if sum(extra) > jokers:
                continue
            states = [k * plain + int(tables.step[0, k + x]) for k, x in zip(kept, extra, strict=True)]
            points = run = 0
            if goal is not None:
                laid = sum(kept) * goal.worth[0] + sum(extra) * goal.joker_worth[0]
                points = min(goal.points, laid)
                run = int(goal.run_required and sum(kept) + sum(extra) > 0)
            ways.add(int(np.dot([*states, sum(extra), run, points], tables.strides)))
    return np.array(sorted(ways), np.int64)
