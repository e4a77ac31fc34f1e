"""Legal actions, lazily: checking one is cheap, listing all keeps to a budget."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.apply import apply
from meldroom.game.errors import ActionError
from meldroom.game.from_view import fill_hidden
from meldroom.game.legal.arrange import BUDGET, Budget, can_lay, find_lay, lay_of, lay_tables, sample_lay
from meldroom.game.legal.lay_off import lay_off_actions, sample_lay_off
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import State
from meldroom.tiles import HIDDEN


class LegalActions:
    """The legal actions of the player to move, found when they are asked for.

    `action in legal` and `bool(legal)` are quick. Iterating and counting keep to a budget of arrangements and
    raise BudgetSpentError where a position has more. Plays that differ only in which of two equal tiles is
    used are one action. All of it raises ActionError if tiles of the player's own rack are unknown.
    """

    def __init__(self, state: State, budget: int = BUDGET) -> None:
        self.state = state
        self.budget = budget

    def __contains__(self, action: act.Action) -> bool:
        self._check_rack()
        try:
            _, events = apply(fill_hidden(self.state), action, Shuffle("membership"))
        except ActionError:
            return False
        return not any(isinstance(event, ev.Penalised) for event in events)

    def __bool__(self) -> bool:
        return self.state.phase not in ("created", "ready", "over")

    def __repr__(self) -> str:
        return f"<LegalActions of {self.state!r}>"

    def _check_rack(self) -> None:
        state = self.state
        if self and HIDDEN in state.racks[state.seat]:
            raise ActionError("hidden_tiles", "racks")

    def __iter__(self) -> Iterator[act.Action]:
        state = self.state
        if not self:
            return
        self._check_rack()
        if state.book.family == "laying_off":
            yield from lay_off_actions(state, Budget(self.budget))
            return
        lays = (lay_of(state, table) for table in lay_tables(state, Budget(self.budget)))
        if state.pool:
            yield act.Draw(state.seat)
        elif not (state.book.pool_end.must_play_if_able and can_lay(state)):
            yield act.Pass(state.seat)
        yield from lays

    def count(self, limit: int | None = None) -> int:
        """How many there are, counted up to a limit if one is given. Raises BudgetSpentError."""
        return sum(1 for _ in islice(self, limit))

    def sample(self, chance: random.Random) -> act.Action:
        """Some legal action, found quickly: a play near at hand if one is met, else a draw or pass."""
        state = self.state
        if state.over:
            raise ActionError("game_over", "action")
        self._check_rack()
        if state.book.family == "laying_off":
            return sample_lay_off(state, chance)
        table = sample_lay(state, chance)
        if table is not None:
            return lay_of(state, table)
        if state.pool:
            return act.Draw(state.seat)
        if state.book.pool_end.must_play_if_able:
            found = find_lay(state)
            if found is not None:
                return lay_of(state, found)
        return act.Pass(state.seat)


def legal(state: State, budget: int = BUDGET) -> LegalActions:
    """The legal actions of the player to move, as a lazy view."""
    return LegalActions(state, budget)
