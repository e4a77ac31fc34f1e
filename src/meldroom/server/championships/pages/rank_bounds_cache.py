"""Which places can still be reached, kept while nothing changes that it rests on."""

from __future__ import annotations

from collections import OrderedDict

from meldroom.championship.rank_bounds import Bounds, rank_bounds
from meldroom.championship.state import ChampionshipState

_KEPT = 12


class Reach:
    """The last few answers: for large fields they take longer than a page may."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int], dict[int, Bounds]] = OrderedDict()

    def of(self, state: ChampionshipState, stage: str) -> dict[int, Bounds]:
        """The bounds of everybody in a stage."""
        rests_on = (
            frozenset(state.results.items()),
            frozenset(state.seatings.items()),
            tuple(one.status for one in state.participants),
            tuple(state.closings),
        )
        key = (stage, hash(rests_on))
        found = self._known.get(key)
        if found is None:
            found = rank_bounds(state, stage)
            self._known[key] = found
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return found
