"""What the answer of a bot leads to, whatever it is."""

from __future__ import annotations

from meldroom.game import ActionError, Shuffle, State, apply
from meldroom.game.actions import Abandon, Action, Correct, Lay, RuleLeftovers, TimeOut
from meldroom.game.events import Event


def apply_answer(
    state: State, action: Action | None, shuffle: Shuffle, *, can_lay: bool | None = None
) -> tuple[State, tuple[Event, ...]]:
    """What a bot's answer leads to. None, and whatever the seat may not do, is the end of its time.

    An illegal table is then judged as it lies (R24–R26); anything else counts as untouched. What only a
    referee may do, no bot may. `can_lay` is as in `apply`.
    """
    if action is None or action.seat != state.seat or isinstance(action, Abandon | Correct | RuleLeftovers):
        return apply(state, TimeOut(state.seat), shuffle)
    attempts = [action]
    if isinstance(action, Lay):
        attempts.append(TimeOut(state.seat, table=action.table, stated=action.stated))
    for attempt in attempts:
        try:
            return apply(state, attempt, shuffle, can_lay=can_lay)
        except ActionError:
            continue
    return apply(state, TimeOut(state.seat), shuffle)
