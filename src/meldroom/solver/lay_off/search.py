"""The exact search of a laying-off turn: what the table can take, and what the rest of the rack can make.

Melds on the table are gone through one by one; what counts of the changes so far is which rack tiles they
use, how many jokers they leave at hand, and how many of those must still go into melds of the player's own
(R57). For each such outcome the remaining tiles are laid in new melds by a search over the tiles that
remembers every remainder it has seen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed
from meldroom.solver.lay_off.moves import Holding, NewMeld, Way, claimable, new_melds, ways_to_change
from meldroom.tiles import Face

MOST_NODES = 4_000_000
NONE = -(1 << 80)
"""Less than any play is worth: no play."""


class Budget:
    """How many steps a search may still take, and until when.

    `spent`: it must come to an end now; `cut`: it has left something out, so its answer is not proven.
    """

    def __init__(self, nodes: int = MOST_NODES, time_limit: float | None = None) -> None:
        self.nodes = nodes
        self.deadline = None if time_limit is None else time.monotonic() + time_limit
        self.spent = self.cut = nodes <= 0 or (time_limit is not None and time_limit <= 0)

    def spend(self, steps: int = 1) -> None:
        """So many steps more; the clock is looked at now and then."""
        before, self.nodes = self.nodes, self.nodes - steps
        timed = self.deadline is not None and before >> 8 != self.nodes >> 8
        if self.nodes < 0 or (timed and self._late()):
            self.spent = self.cut = True

    def _late(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline

    def half(self) -> Budget:
        """Half of what is left, for the first of two searches."""
        left = None if self.deadline is None else (self.deadline - time.monotonic()) / 2
        return Budget(self.nodes // 2, left)

    def charge(self, part: Budget, given: int) -> None:
        """Takes off what a part of this budget has used of the steps given to it."""
        self.spend(given - part.nodes)
        self.cut = self.cut or part.cut


class Changed(NamedTuple):
    """A choice of changes to the table, the last one first."""

    earlier: Changed | None
    meld: int
    way: Way


class Laid(NamedTuple):
    """What changes to the table amount to.

    `mask`: rack tiles used; `need`: jokers that must go into new melds; `room`: jokers that may; `worth`:
    what the goal gives for the changes themselves.
    """

    mask: int
    need: int
    room: int
    worth: int
    changed: Changed | None


class Goal(NamedTuple):
    """What a search maximises: a weight for each numbered tile, for a joker off the rack, for a new meld."""

    weights: Sequence[int]
    joker: int
    meld: Callable[[NewMeld], int]
    change: Callable[[Way], int]


class Found(NamedTuple):
    """The best a search found: its worth, the changes to the table, the new melds."""

    worth: int
    changed: Changed | None
    melds: tuple[NewMeld, ...]


class Moves:
    """Everything that can be done with a rack and the melds on a table."""

    def __init__(
        self,
        book: RuleBook,
        melds: Sequence[Exposed],
        player: str,
        mine: Sequence[Sequence[bool]],
        rack: Sequence[Face],
    ) -> None:
        self.held = Holding(book, rack)
        self.claimable = claimable(book, self.held, melds)
        self.jokers = self.held.jokers + self.claimable
        self.own = [meld.owner == player for meld in melds]
        self.ways = [
            ways_to_change(book, self.held, meld, counts, self.jokers)
            for meld, counts in zip(melds, mine, strict=True)
        ]
        self.melds = new_melds(book, self.held, self.jokers)

    def meldable_with(self, jokers: int) -> int:
        """The tiles that a new meld with at most so many jokers can hold."""
        held = 0
        for meld in self.melds:
            if meld.jokers <= jokers:
                held |= meld.mask
        return held

    def addable_with(self, jokers: int) -> int:
        """The tiles that some change of a meld with at most so many jokers can use."""
        used = 0
        for ways in self.ways:
            for way in ways:
                if way.jokers <= jokers:
                    used |= way.mask
        return used

    def may_all_be_laid(self, book: RuleBook) -> bool:
        """False if it is plain that two tiles or more must stay on the rack."""
        full = self.held.full
        stuck = full & ~(self.meldable_with(self.jokers) | self.addable_with(self.jokers))
        needy = full & ~(self.meldable_with(0) | self.addable_with(0))
        helped = helped_by_a_joker(book) * self.jokers
        return stuck.bit_count() <= 1 and needy.bit_count() <= helped + 1


def helped_by_a_joker(book: RuleBook) -> int:
    """How many tiles that fit nowhere without a joker can be laid with the help of one, at most.

    In a new run with k jokers the numbered tiles form at most k + 1 stretches, and at the ends of a
    lengthened one there are at most k beyond a joker; a stretch as long as a set needs no joker, and so do as
    many tiles of a group.
    """
    return 2 * (book.sets.shortest - 1)


def _without_equal_places(moves: Moves, ways: list[list[Way]]) -> list[list[Way]]:
    """The ways without those that add only jokers, where one meld can take all of them just as well.

    Such a meld takes no numbered tile, so that its place is always free; one of the player's own and one of
    an opponent's are kept.
    """
    kept = list(ways)
    for own in (True, False):
        same = [index for index, owned in enumerate(moves.own) if owned == own]
        for place in same:
            jokers = {way.jokers for way in ways[place] if not way.mask}
            if len(jokers) == len(ways[place]) and moves.jokers in jokers:
                for index in same:
                    if index != place:
                        kept[index] = [way for way in ways[index] if way.mask]
                break
    return kept


def table_changes(moves: Moves, goal: Goal, additions: bool, budget: Budget) -> list[Laid]:
    """Every choice of changes to the table that differs in what it leaves; the untouched table comes first.

    Without `additions` only jokers are claimed, as by a player who is not on board yet (R55, R57).
    """
    states: dict[tuple[int, int, int], tuple[int, Changed | None]] = {(0, 0, moves.held.jokers): (0, None)}
    part = budget.half()
    given = part.nodes
    useful = _without_equal_places(moves, moves.ways) if moves.jokers else moves.ways
    options = [
        (index, [way for way in ways if additions or not way.adds]) for index, ways in enumerate(useful)
    ]
    options = sorted((o for o in options if o[1]), key=lambda option: -max(w.claims for w in option[1]))
    still = sum(max(way.claims for way in ways) for _, ways in options)
    for index, ways in options:
        still -= max(way.claims for way in ways)
        _change_one(states, index, ways, moves.own[index], goal, -still, part)
    budget.charge(part, given)
    return _settled(states, goal, moves)


def _change_one(
    states: dict[tuple[int, int, int], tuple[int, Changed | None]],
    index: int,
    ways: Sequence[Way],
    own: bool,
    goal: Goal,
    least: int,
    budget: Budget,
) -> None:
    """Adds to the states those in which one more meld is changed, as far as the budget goes."""
    changes = [
        (way, way.mask, way.earlier, way.claims - way.jokers, way.claims - (way.jokers if own else 0))
        for way in ways
    ]
    gains = [goal.change(way) for way in ways]
    for (mask, need, room), (worth, changed) in list(states.items()):
        if budget.spent:
            return
        budget.spend(len(ways))
        for (way, taken, earlier, more, owed), gain in zip(changes, gains, strict=True):
            if taken & mask or earlier & ~mask or room + more < least:
                continue
            key = (mask | taken, need + owed, room + more)
            known = states.get(key)
            if known is None or worth + gain > known[0]:
                states[key] = (worth + gain, Changed(changed, index, way))


def _settled(
    states: dict[tuple[int, int, int], tuple[int, Changed | None]], goal: Goal, moves: Moves
) -> list[Laid]:
    """The states in which every joker can still be placed, with the worth of the rack tiles they use."""
    best: dict[tuple[int, int, int], Laid] = {}
    for (mask, need, room), (worth, changed) in states.items():
        owed = max(0, need)
        if room < owed:
            continue
        total = worth + weight_of(mask, goal.weights) + goal.joker * (moves.held.jokers - room)
        key = (mask, owed, room)
        known = best.get(key)
        if known is None or total > known.worth:
            best[key] = Laid(mask, owed, room, total, changed)
    return list(best.values())


def weight_of(mask: int, weights: Sequence[int]) -> int:
    """The sum of the weights of some tiles."""
    total = 0
    while mask:
        bit = mask & -mask
        total += weights[bit.bit_length() - 1]
        mask ^= bit
    return total


class Rest:
    """Lays what is left of a rack in new melds, best or all of it, and remembers every remainder."""

    def __init__(
        self, book: RuleBook, moves: Moves, goal: Goal, opening: tuple[Sequence[int], int], budget: Budget
    ) -> None:
        self.budget = budget
        self.counts, self.joker_counts = opening
        self.by_first: dict[int, list[tuple[int, int, int, int, NewMeld]]] = {}
        for meld in sorted(moves.melds, key=lambda m: (-len(m.faces), m.jokers)):
            first = meld.mask & -meld.mask
            self.by_first.setdefault(first, []).append(
                (meld.mask, meld.earlier, meld.jokers, goal.meld(meld), meld)
            )
        # Leaving a tile on the rack leaves its later copies there too.
        self.with_copies: dict[int, int] = {}
        for copies in moves.held.copies.values():
            every = sum(bit for bit, _ in copies)
            for bit, _ in copies:
                self.with_copies[bit] = ~(every & -bit)
        # By the number of jokers at hand: the tiles that new melds with so many can hold.
        self.reach = [moves.meldable_with(jokers) for jokers in range(moves.jokers + 1)]
        self.helped = helped_by_a_joker(book)
        self.sparing = all(meld[3] < 0 for melds in self.by_first.values() for meld in melds)
        self._best: dict[tuple[int, int, int, int, bool], tuple[int, NewMeld | None]] = {}
        self._covers: dict[tuple[int, int], NewMeld | None] = {(0, 0): None}

    def best(self, left: int, room: int, need: int, points: int = 0, run: bool = False) -> int:
        """The most that melds from these tiles are worth; NONE if they cannot do what is asked.

        At most `room` and at least `need` jokers are laid, the melds count at least `points` towards going on
        board, and one is a run if `run`.
        """
        left &= self.reach[room]
        key = (left, room, need, points, run)
        known = self._best.get(key)
        if known is not None:
            return known[0]
        self.budget.spend()
        asked = need or points or run
        if not left or (self.sparing and not asked):
            worth: tuple[int, NewMeld | None] = (NONE if asked else 0, None)
        elif points and weight_of(left, self.counts) + room * self.joker_counts < points:
            worth = (NONE, None)
        else:
            worth = self._look(left, room, need, points, run)
        self._best[key] = worth
        return worth[0]

    def _look(self, left: int, room: int, need: int, points: int, run: bool) -> tuple[int, NewMeld | None]:
        """Each meld in which the first tile can be the first, and leaving that tile on the rack."""
        first = left & -left
        most, choice = NONE, None
        for mask, earlier, jokers, worth, meld in self.by_first.get(first, ()):
            if mask & ~left or earlier & left or jokers > room:
                continue
            more = self.best(
                left & ~mask,
                room - jokers,
                need - jokers if need > jokers else 0,
                points - meld.value if points > meld.value else 0,
                run and not meld.run,
            )
            if more > NONE and worth + more > most:
                most, choice = worth + more, meld
            if self.budget.spent:
                break
        if choice is None or not self.budget.spent:
            more = self.best(left & self.with_copies[first], room, need, points, run)
            if more > most:
                most, choice = more, None
        return most, choice

    def melds(
        self, left: int, room: int, need: int, points: int = 0, run: bool = False
    ) -> tuple[NewMeld, ...]:
        """The melds of the best answer."""
        chosen: list[NewMeld] = []
        while left := left & self.reach[room]:
            if self.sparing and not (need or points or run):
                break
            meld = self._best[left, room, need, points, run][1]
            if meld is None:
                left &= self.with_copies[left & -left]
                continue
            chosen.append(meld)
            left &= ~meld.mask
            room, need = room - meld.jokers, max(0, need - meld.jokers)
            points, run = max(0, points - meld.value), run and not meld.run
        return tuple(chosen)

    def covers(self, left: int, jokers: int) -> bool:
        """True if all these tiles and exactly so many jokers can be laid in melds."""
        key = (left, jokers)
        if key in self._covers:
            return key == (0, 0) or self._covers[key] is not None
        if left & ~self.reach[jokers] or (left & ~self.reach[0]).bit_count() > self.helped * jokers:
            return False
        self.budget.spend()
        found = None
        first = left & -left
        for mask, earlier, wild, _, meld in self.by_first.get(first, ()):
            if mask & ~left or earlier & left or wild > jokers:
                continue
            if self.covers(left & ~mask, jokers - wild):
                found = meld
                break
            if self.budget.spent:
                break
        self._covers[key] = found
        return found is not None

    def cover(self, left: int, jokers: int) -> tuple[NewMeld, ...]:
        """The melds that lay all these tiles and jokers."""
        chosen: list[NewMeld] = []
        while (meld := self._covers[left, jokers]) is not None:
            chosen.append(meld)
            left, jokers = left & ~meld.mask, jokers - meld.jokers
        return tuple(chosen)


def discards(held: Holding) -> Iterator[tuple[int, int]]:
    """Every tile that could be kept for the discard: the bit of a numbered tile, or one joker."""
    for copies in held.copies.values():
        yield copies[-1][0], 0
    if held.jokers:
        yield 0, 1


def best_turn(
    moves: Moves, goal: Goal, laid: Sequence[Laid], rest: Rest, points: int = 0, run: bool = False
) -> Found | None:
    """The best turn that leaves a tile to discard; with an opening to reach if points or a run are asked."""
    found = _best_without(moves, goal, laid, rest, (0, 0), None, (points, run))
    if found is None or _tiles_left(moves, found):
        return found
    found = None
    for kept in discards(moves.held):
        found = _best_without(moves, goal, laid, rest, kept, found, (points, run))
    return found


def _tiles_left(moves: Moves, found: Found) -> bool:
    """True if something stays on the rack."""
    jokers, mask = moves.held.jokers, 0
    changed = found.changed
    while changed is not None:
        mask |= changed.way.mask
        jokers += changed.way.claims - changed.way.jokers
        changed = changed.earlier
    for meld in found.melds:
        mask |= meld.mask
        jokers -= meld.jokers
    return mask != moves.held.full or jokers > 0


def _best_without(
    moves: Moves,
    goal: Goal,
    laid: Sequence[Laid],
    rest: Rest,
    kept: tuple[int, int],
    incumbent: Found | None,
    opening: tuple[int, bool],
) -> Found | None:
    """The best turn that keeps the given tile, if it is better than one already found."""
    most = incumbent.worth if incumbent is not None else NONE
    points, run = opening
    bit, joker = kept
    base = moves.held.full & ~bit
    bounded = any(goal.weights)  # Then a tile laid in a new meld is worth its weight.
    chosen: tuple[Laid, int] | None = None
    for state in sorted(laid, key=lambda s: -s.worth) if len(laid) > 1 else laid:
        room = state.room - joker
        if state.mask & bit or room < state.need:
            continue
        left = base & ~state.mask
        if bounded:
            ceiling = state.worth + weight_of(left & rest.reach[room], goal.weights) + room * goal.joker
            if ceiling <= most:
                continue
        more = rest.best(left, room, state.need, points, run)
        if more > NONE and state.worth + more > most:
            most, chosen = state.worth + more, (state, room)
        if rest.budget.spent and chosen is not None:
            break
    if chosen is None:
        return incumbent
    state, room = chosen
    return Found(most, state.changed, rest.melds(base & ~state.mask, room, state.need, points, run))


class WayOut(NamedTuple):
    """A way to lay everything but the discard."""

    laid: Laid
    left: int
    jokers: int
    kept: tuple[int, int]


def ways_out(moves: Moves, laid: Sequence[Laid], rest: Rest) -> Iterator[WayOut]:
    """Every outcome of the table changes and every discard with which the rest can all be laid (R58)."""
    every = list(discards(moves.held))
    for state in laid:
        left = moves.held.full & ~state.mask
        stuck, needy = left & ~rest.reach[state.room], left & ~rest.reach[0]
        if stuck & (stuck - 1) or needy.bit_count() > rest.helped * state.room + 1:
            continue
        for kept in every:
            bit, joker = kept
            if state.mask & bit or stuck & ~bit or state.room - joker < state.need:
                continue
            if rest.covers(left & ~bit, state.room - joker):
                yield WayOut(state, left & ~bit, state.room - joker, kept)
        if rest.budget.spent:
            return
