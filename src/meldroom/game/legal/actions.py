"""Which actions are legal, as a lazy view: asking about one is cheap, listing all keeps to a budget."""

from __future__ import annotations

import random
from collections.abc import Iterator

from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.apply import apply
from meldroom.game.errors import ActionError
from meldroom.game.legal.arrange import BUDGET, Budget, can_lay, find_lay, lay_of, lay_tables, sample_lay
from meldroom.game.legal.lay_off import lay_off_actions, sample_lay_off
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import State


class LegalActions:
    """The legal actions of the player to move: `in`, truth, iteration, `count` and `sample`.

    Iterating raises BudgetSpentError when the position has more arrangements than the budget allows.
    Plays that differ only in which of two equal tiles is used are one action.
    """

    def __init__(self, state: State, budget: int = BUDGET) -> None:
        self.state = state
        self.budget = budget

    def __contains__(self, action: act.Action) -> bool:
        try:
            _, events = apply(self.state, action, Shuffle("membership"))
        except ActionError:
            return False
        return not any(isinstance(event, ev.Penalised) for event in events)

    def __bool__(self) -> bool:
        return not self.state.over

    def __iter__(self) -> Iterator[act.Action]:
        state = self.state
        if state.over or state.phase in ("created", "ready"):
            return
        if state.book.family == "laying_off":
            yield from lay_off_actions(state, Budget(self.budget))
            return
        lays = (lay_of(state, table) for table in lay_tables(state, Budget(self.budget)))
        if state.pool:
            yield act.Draw(state.seat)
        elif not (state.book.pool_end.must_play_if_able and can_lay(state)):
            yield act.Pass(state.seat)
        yield from lays

    def count(self) -> int:
        """How many there are. Raises BudgetSpentError."""
        return sum(1 for _ in self)

    def sample(self, chance: random.Random) -> act.Action:
        """Some legal action, found quickly: a play near at hand if one is met, else a draw or pass."""
        state = self.state
        if state.over:
            raise ActionError("game_over", "action")
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
