"""The walk over the numbers, from the highest down to 1: which frontiers there are, and the racks of each.

Racks that agree on what can still be made of the tiles walked over, whatever follows, are counted together:
some thousand classes instead of 10²⁰ racks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import comb
from typing import Any, NamedTuple

from meldroom.solver.counting.chances import Box, Goal, Progress
from meldroom.solver.counting.tables import Content, make_tables
from meldroom.solver.errors import TooLargeError
from meldroom.solver.kernel import mode
from meldroom.solver.kernel.interpreted.frontiers import LIMB, UNKNOWN

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
        self.kernel = kernel = mode.kernel("frontiers")
        self.tables = make_tables(kernel, box, jokers, goal.points if goal else None)
        points, run = (goal.points, goal.run_required) if goal else (0, False)
        kinds = [kind * (box.copies + 1) for kind in draws.kinds]
        if ones is not None:
            kinds = [kind + tiles for kind, tiles in zip(kinds, ones, strict=True)]
        self.target = kernel.Target(points, run, jokers, kernel.ints(kinds))
        first = _beginnings(self.tables, goal, jokers, ones)
        starts, slots = kernel.ints([0, len(first)]), kernel.ints([-1] * (1 << 10))
        self.store = kernel.Store(kernel.ints(first), starts, slots)
        self.held = 1
        self.active = [0]
        self.known = kernel.tallies.filled(1, len(self.tables.contents), UNKNOWN)
        self.layers = [(number, *self._layer(draws, number)) for number in range(box.numbers, 0, -1)]
        bits = [sum(weights).bit_length() for _, weights, _ in self.layers]
        if max(bits) > ROOM_IN_LIMB:
            raise TooLargeError("count_book", "rulebook")
        self.limbs = sum(bits) // LIMB + 1
        self.counts = kernel.tallies.cube(1, self.limbs, most + 1)
        self.counts[0][0][0] = 1

    def _layer(self, draws: Draws, number: int) -> tuple[list[int], list[int]]:
        """The ways to each content of a number and the tiles drawn; ANYWHERE tiles where there is no way."""
        found = []
        for content in product(range(self.box.copies + 1), repeat=self.box.colours):
            ways, drawn = draws.of(number, content)
            if number == 1 and self.ones is not None:
                ways, drawn = int(content == self.ones), 0
            found.append((ways, drawn if ways else ANYWHERE))
        return [ways for ways, _ in found], [drawn for _, drawn in found]

    def run(self, progress: Progress | None) -> None:
        """Walks over all numbers."""
        for number, weights, sizes in self.layers:
            targets = self._targets(number, sizes)
            self._spread(targets, weights, sizes)
            if progress is not None:
                progress(f"number {number}: {len(self.active)} classes of racks")

    def _place(self, number: int) -> Any:
        box, goal = self.box, self.goal
        kept = number == 1 and self.ones is not None
        if goal is None:
            return self.kernel.Place(0, 0, kept, ANYWHERE, 0, 0, self.kernel.ints([0] * box.colours), 0)
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
        return self.kernel.Place(
            worth=goal.worth[number - 1],
            joker_worth=goal.joker_worth[number - 1],
            kept=kept,
            below=number - 1,
            rest=rest,
            joker_rest=max(joker_below, default=0),
            run_loss=self.kernel.ints(run_loss),
            joker_loss=max(sum(ends), box.shortest * max(dearest, default=0)),
        )

    def _targets(self, number: int, sizes: list[int]) -> Any:
        """The frontier that each content of a number leads to, for each frontier in use."""
        place, kernel, tallies = self._place(number), self.kernel, self.kernel.tallies
        # Laying out all tiles is the same at every number, so what leads where is kept.
        keep = self.goal is None and not place.kept
        if keep:
            targets = tallies.rows_of(self.known, self.active)
        else:
            targets = tallies.filled(len(self.active), len(sizes), UNKNOWN)
        room = [self.most - tiles for tiles in tallies.fewest(self.counts)]
        self.store, self.held = kernel.advance(
            self.tables, self.store, self.held, kernel.ints(self.active), kernel.ints(room),
            kernel.ints(sizes), place, self.target, targets,
        )  # fmt: skip
        if self.held < 0:
            raise TooLargeError("count_racks", "rulebook")
        if keep:
            fresh = tallies.filled(self.held - len(self.known), len(sizes), UNKNOWN)
            self.known = tallies.with_rows(self.known, self.active, targets, fresh)
        return targets

    def _spread(self, targets: Any, weights: list[int], sizes: list[int]) -> None:
        """Counts the racks of the frontiers after a number, from those before it."""
        kernel, tallies = self.kernel, self.kernel.tallies
        active = tallies.met(targets)
        where = kernel.ints([-1] * self.held)
        for place, frontier in enumerate(active):
            where[frontier] = place
        after = tallies.cube(len(active), self.limbs, self.most + 1)
        # So few rows at once that no limb outgrows 63 bits before it is carried.
        rows = 1 << (ROOM_IN_LIMB - sum(weights).bit_length())
        ways, drawn = kernel.ints(weights), kernel.ints(sizes)
        for start in range(0, len(targets), rows):
            part = slice(start, start + rows)
            kernel.spread(targets[part], where, ways, drawn, self.counts[part], after)
            kernel.carry(after)
        reached = tallies.in_use(after)
        self.active, self.counts = [active[row] for row in reached], tallies.part_of(after, reached)

    def finished(self, jokers: int) -> list[int]:
        """The frontiers in use that hold a way with nothing left over and exactly these jokers laid."""
        whole, tables, store = self.kernel.whole, self.tables, self.store
        return [row for row, frontier in enumerate(self.active) if whole(tables, store, frontier, jokers)]

    def totals(self, rows: Sequence[int]) -> list[int]:
        """The racks of these frontiers together, by tiles."""
        totals = [0] * (self.most + 1)
        for row in rows:
            for limb, counts in enumerate(self.kernel.tallies.lists(self.counts[row])):
                for tiles, count in enumerate(counts):
                    totals[tiles] += count << (LIMB * limb)
        return totals


def _beginnings(tables: Any, goal: Goal | None, jokers: int, ones: Content | None) -> list[int]:
    """The ways to begin: nothing yet, or runs that end with a 1 or a joker above the highest number (R53).

    Those 1s are kept from the content of number 1, which is met last.
    """
    colours = tables.colours
    plain = len(tables.kept) // (int(max(tables.kept)) + 1)
    most_kept, most_extra = (ones, jokers) if ones is not None else ((0,) * colours, 0)
    ways = set()
    for kept in product(*(range(most + 1) for most in most_kept)):
        for extra in product(range(most_extra + 1), repeat=colours):
            if sum(extra) > jokers:
                continue
            states = [k * plain + int(tables.step[0][k + x]) for k, x in zip(kept, extra, strict=True)]
            points = run = 0
            if goal is not None:
                laid = sum(kept) * goal.worth[0] + sum(extra) * goal.joker_worth[0]
                points = min(goal.points, laid)
                run = int(goal.run_required and sum(kept) + sum(extra) > 0)
            fields = [*states, sum(extra), run, points]
            ways.add(sum(int(stride) * field for stride, field in zip(tables.strides, fields, strict=True)))
    return sorted(ways)
