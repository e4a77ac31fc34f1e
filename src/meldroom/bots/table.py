"""A game between bots: each is shown its view, and what it answers is judged like anybody's action."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.bots.bot import Bot, Clock
from meldroom.game import ActionError, Shuffle, State, apply, new_game, view
from meldroom.game.actions import Action, Lay, TimeOut
from meldroom.game.events import Event
from meldroom.rules.book import RuleBook


def play_game(
    book: RuleBook,
    bots: Sequence[Bot],
    shuffle: Shuffle,
    *,
    players: Sequence[str] | None = None,
    starter: int | None = None,
    game: int = 1,
    clock: Clock = Clock(),  # noqa: B008
) -> tuple[State, list[Event]]:
    """A whole game: its last state and all its events."""
    names = players or [f"Bot {seat + 1}" for seat in range(len(bots))]
    state, made = new_game(book, names, shuffle, starter=starter, game=game)
    events = list(made)
    while not state.over:
        state, made = judged(state, bots[state.seat].act(view(state, state.seat), clock), shuffle)
        events += made
    return state, events


def judged(state: State, action: Action | None, shuffle: Shuffle) -> tuple[State, tuple[Event, ...]]:
    """What a bot's answer leads to. None, and whatever the seat may not do, is the end of its time.

    A table that may not stand is then judged as it lies (R24–R26); anything else counts as untouched.
    """
    if action is not None and action.seat == state.seat:
        try:
            return apply(state, action, shuffle)
        except ActionError:
            pass
    if isinstance(action, Lay) and action.seat == state.seat:
        try:
            return apply(state, TimeOut(state.seat, table=action.table, stated=action.stated), shuffle)
        except ActionError:
            pass
    return apply(state, TimeOut(state.seat), shuffle)
