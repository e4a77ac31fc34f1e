"""Which matching of equal tiles leads to the shortest line of movements, under the joker rule of the book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceTable
from meldroom.solver.explanation.matching import Equal, Linked, Matchings, Sources, equal_tiles_to_exchange
from meldroom.solver.explanation.search import Budget, Plan, Search

Plans: TypeAlias = list[tuple[Linked, Plan]]


class Line(NamedTuple):
    """A plan for every exchange, equal tiles to exchange before, and whether nothing shorter exists."""

    plans: Plans
    exchanged: tuple[Equal, ...]
    shortest: bool

    @property
    def length(self) -> int:
        """How many movements there are."""
        return len(self.exchanged) + _length(self.plans)


class _Compared(NamedTuple):
    """The best of several matchings, its plans, and whether no other leads to a shorter one."""

    sources: Sources
    plans: Plans
    proven: bool


def best_line(book: RuleBook, old: FaceTable, new: FaceTable, stay: FaceTable, budget: Budget) -> Line:
    """The shortest line under a matching that the joker rule allows, or allows after an exchange (R20).

    `old` and `new` are the changed sets of the two tables, `stay` those that do not change.
    """
    matchings = Matchings(book, old, new)
    planner = _Planner(book, matchings, budget)
    lawful: list[Sources] = []
    unlawful: list[Sources] = []
    for sources in matchings.found():
        (unlawful if matchings.unlawful(sources) else lawful).append(sources)
    best: Line | None = None
    if lawful:
        found = planner.compare(lawful)
        best = Line(found.plans, (), found.proven and matchings.every)
    if not unlawful:
        return best or Line([], (), True)
    found = planner.compare(unlawful)
    exchanged = equal_tiles_to_exchange(matchings, found.sources, stay)
    other = Line(found.plans, exchanged or (), False)
    return other if best is None or (exchanged and other.length < best.length) else best


class _Planner:
    """Compares matchings by the plans they lead to. Exchanges that several share are planned once."""

    def __init__(self, book: RuleBook, matchings: Matchings, budget: Budget) -> None:
        self.book = book
        self.matchings = matchings
        self.budget = budget
        self.searches: dict[object, Search] = {}
        self.plans: dict[object, Plan] = {}

    def compare(self, known: Sequence[Sources]) -> _Compared:
        """The matching with the shortest plans; those with the lowest bound are tried first."""
        ranked = []
        for order, sources in enumerate(known):
            links = self.matchings.linked(sources)
            ranked.append((sum(self._search(link).bound for link in links), order, links))
        ranked.sort(key=lambda each: each[:2])
        best: _Compared | None = None
        for bound, order, links in ranked:
            if best is not None and _length(best.plans) <= bound:
                break
            if best is not None and self._too_much(links):
                return best._replace(proven=False)
            plans = [(link, self._plan(link, links)) for link in links]
            proven = all(plan.shortest for _, plan in plans) and (best is None or best.proven)
            if best is None or _length(plans) < _length(best.plans):
                best = _Compared(known[order], plans, proven)
            best = best._replace(proven=proven)
        assert best is not None, "there is always a matching"
        return best

    def _too_much(self, links: list[Linked]) -> bool:
        """True if planning a further matching would take too long."""
        return self.budget.exact <= 0 or any(self._search(link).acts.large for link in links)

    def _search(self, link: Linked) -> Search:
        if link.key not in self.searches:
            self.searches[link.key] = Search(self.book.reader, link.exchange)
        return self.searches[link.key]

    def _plan(self, link: Linked, links: list[Linked]) -> Plan:
        if link.key not in self.plans:
            search = self._search(link)
            share = search.size / sum(self._search(each).size for each in links)
            self.plans[link.key] = search.plan(self.budget, share)
        return self.plans[link.key]


def _length(plans: Plans) -> int:
    return sum(len(plan.acts) for _, plan in plans)
