"""The shortest list of movements within sets that exchange tiles.

Small exchanges are searched exactly (A*), large ones through the most promising tables of each step (beam);
where even that takes too long, everything is taken apart and built anew, which always works.
"""

from __future__ import annotations

from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from meldroom.rules.sets import SetReader
from meldroom.solver.explanation.candidates import Act, Acts, Exchange, Mask

MOVEMENT, TILE, HELD = 10_000, 10, 25
"""What a movement costs, each tile handled, each tile left in hand: the number of movements decides."""

FUSS = 100
"""What tiles handled and held add to a movement, about: lets a search go deep among equals."""

ACTS_EXACT = 2000
ACTS_BEAM = 2000
WIDEST_BEAM = 24

State: TypeAlias = tuple[tuple[Mask, ...], Mask]
"""The sets on the table in order of their masks, and the tiles in hand."""

ALONG = -1
UNREACHED = 1 << 60


class Plan(NamedTuple):
    """Movements in order, and whether no shorter list of movements exists."""

    acts: tuple[Act, ...]
    shortest: bool


class Node(NamedTuple):
    """A table met in a search: what it took to get there, and what each new set still needs at least.

    A need is a number of movements, or ALONG: one that may at the same time part another set's tiles.
    `mixed` counts the sets on the table whose tiles have different destinations.
    """

    state: State
    standing: Mask
    needs: tuple[int, ...]
    mixed: int
    spent: int
    before: Node | None = None
    act: Act | None = None


class Budget:
    """How many movements may still be tried, for all exchanges of a turn together."""

    def __init__(self, exact: int = ACTS_EXACT, beam: int = ACTS_BEAM) -> None:
        self.exact = exact
        self.beam = beam


class Search:
    """Looks for the movements that turn the old sets of an exchange into the new ones."""

    def __init__(self, reader: SetReader, exchange: Exchange) -> None:
        self.acts = Acts(reader, exchange)
        self.homes, self.goals = exchange.homes, exchange.goals
        self.all = self.acts.all
        self._growing: dict[tuple[int, ...], bool] = {}

    @cached_property
    def start(self) -> Node:
        """The old sets on the table and nothing in hand."""
        sets = tuple(sorted(self.homes))
        standing = sum(sets)
        needs = tuple(self._need(goal, sets, standing) for goal in self.goals)
        return Node((sets, 0), standing, needs, sum(map(self.acts.is_mixed, sets)), 0)

    @cached_property
    def bound(self) -> int:
        """No list of movements is shorter than this."""
        return self._estimate(self.start) // MOVEMENT

    @property
    def size(self) -> int:
        """How many old and new sets there are."""
        return len(self.homes) + len(self.goals)

    def plan(self, budget: Budget, share: float = 1.0) -> Plan:
        """The best movements found within a budget, of which a large exchange may use a share."""
        found = None if self.acts.large else self._exact(budget)
        if found is not None:
            return Plan(_trace(found), True)
        found = self._beam(int(budget.beam * share))
        acts = _trace(found) if found is not None else self._rebuild()
        return Plan(acts, len(acts) == self.bound)

    def _exact(self, budget: Budget) -> Node | None:
        """A* over tables; None if the budget is spent or no way was found."""
        best: dict[State, int] = {self.start.state: 0}
        queue: list[tuple[int, int, Node]] = [(self._estimate(self.start), 0, self.start)]
        order = 0
        while queue:
            _, _, node = heappop(queue)
            if node.spent > best[node.state]:
                continue
            if self._finished(node):
                return node
            if budget.exact <= 0:
                return None
            sets, loose = node.state
            for act in self.acts.from_table(sets, self.all & ~node.standing, loose):
                budget.exact -= 1
                state = _after(node.state, act)
                spent = node.spent + self._price(act, state[1])
                if spent < best.get(state, UNREACHED):
                    best[state] = spent
                    order -= 1
                    after = self._node(node, act, state, spent)
                    heappush(queue, (spent + self._estimate(after), order, after))
        return None

    def _beam(self, left: int) -> Node | None:
        """The most promising tables of each step; None if the budget is spent or no way was found."""
        level = [self.start]
        while level and left > 0:
            following: dict[State, Node] = {}
            tried = 0
            for node in level:
                sets, loose = node.state
                for act in self.acts.from_table(sets, self.all & ~node.standing, loose):
                    tried += 1
                    state = _after(node.state, act)
                    spent = node.spent + self._price(act, state[1])
                    known = following.get(state)
                    if known is None or spent < known.spent:
                        following[state] = self._node(node, act, state, spent)
            ends = [node for node in following.values() if self._finished(node)]
            if ends:
                return min(ends, key=lambda node: node.spent)
            ranked = sorted(following.values(), key=lambda node: node.spent + self._guess(node))
            left -= tried
            level = ranked[: self._width(ranked, tried // len(level), left)]
        return None

    def _width(self, ranked: list[Node], tried: int, left: int) -> int:
        """How many tables a step may keep so that the budget lasts to the end."""
        if not ranked:
            return 0
        steps = self._guess(ranked[0]) // MOVEMENT + 1
        return max(1, min(WIDEST_BEAM, left // (max(tried, 1) * steps)))

    def _rebuild(self) -> tuple[Act, ...]:
        """Every old set taken apart, every new set built as soon as its tiles are there: always possible."""
        acts: list[Act] = []
        waiting = list(self.goals)
        away = table = sum(self.homes)
        for home in (0, *self.homes):
            if home:
                acts.append(Act("break", (home,), (), freed=home))
                away &= ~home
            for goal in [goal for goal in waiting if not goal & away]:
                waiting.remove(goal)
                acts.append(Act("build" if goal & table else "lay", (), (goal,), goal & table, goal & ~table))
        return tuple(acts)

    def _finished(self, node: Node) -> bool:
        return node.standing == self.all and not node.mixed and not any(node.needs)

    def _estimate(self, node: Node) -> int:
        """What the rest costs at least.

        A movement parts the tiles of at most one set and assembles at most one new set; it does both at once
        only where the new set grows out of a set on the table.
        """
        along = node.needs.count(ALONG)
        alone = sum(node.needs) + along
        handled = (self.all & ~node.standing).bit_count()
        return (MOVEMENT + FUSS) * (alone + max(node.mixed, along)) + TILE * handled

    def _guess(self, node: Node) -> int:
        """What the rest costs about: few movements do two things at once."""
        return self._estimate(node) + MOVEMENT // 2 * min(node.mixed, node.needs.count(ALONG))

    def _price(self, act: Act, loose: Mask) -> int:
        """What a movement costs that leaves some tiles in hand."""
        handled = (act.hand | act.rack | act.freed).bit_count()
        if act.kind == "move":
            moved = act.gone[0] ^ act.made[0]
            # A joker given for the tile it stands for is easier to see than one made useless, then moved.
            handled = moved.bit_count() + (0 if moved & ~self.acts.jokers else 4)
        elif act.kind in ("split", "join"):
            handled += 2 if handled else 1  # A plain cut is easier to see than one that needs a tile at once.
        return MOVEMENT + TILE * handled + HELD * loose.bit_count()

    def _node(self, node: Node, act: Act, state: State, spent: int) -> Node:
        """The table after a movement, with what it still needs."""
        standing, mixed, changed = node.standing, node.mixed, act.hand | act.rack
        for mask in act.gone:
            standing &= ~mask
            changed |= mask
            mixed -= self.acts.is_mixed(mask)
        for mask in act.made:
            standing |= mask
            mixed += self.acts.is_mixed(mask)
        needs = [
            self._need(goal, state[0], standing) if goal & changed else need
            for goal, need in zip(self.goals, node.needs, strict=True)
        ]
        return Node(state, standing, tuple(needs), mixed, spent, node, act)

    def _need(self, goal: Mask, sets: tuple[Mask, ...], standing: Mask) -> int:
        """The movements a new set still needs to be assembled, at least."""
        sources = [mask for mask in sets if mask & goal]
        if not sources:
            return 1
        if len(sources) == 1 and not goal & ~standing:
            return 0
        if all(not mask & ~goal for mask in sources):
            return len(sources) - 1 or 1
        key = (goal, bool(goal & ~standing), *sources)
        known = self._growing.get(key)
        if known is None:
            known = self._growing[key] = self._grows(goal, sources, bool(goal & ~standing))
        return ALONG if known else 1

    def _grows(self, goal: Mask, sources: list[Mask], away: bool) -> bool:
        """True if one movement might complete a new set and part the tiles of a set.

        Without tiles that are still away this is a move between sets, else a joker swapped or a run split.
        """
        kinds = self.acts.kinds(goal)
        bases = [mask for mask in sources if kinds & self.acts.kinds(mask)]
        if not away or not bases:
            return bool(bases)
        if any(base & ~goal & self.acts.jokers for base in bases):
            return True
        return any(kind == "run" for kind, _ in kinds)


def _after(state: State, act: Act) -> State:
    """The sets and the tiles in hand after a movement."""
    sets, loose = state
    left = [mask for mask in sets if mask not in act.gone]
    left += act.made
    left.sort()
    return tuple(left), loose & ~act.hand | act.freed


def _trace(node: Node) -> tuple[Act, ...]:
    acts: list[Act] = []
    while node.before is not None and node.act is not None:
        acts.append(node.act)
        node = node.before
    return tuple(reversed(acts))
