"""A game between bots: each is shown its view, and what it answers is judged like anybody's action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from meldroom.bots.bot import Bot, Clock
from meldroom.bots.stdio.failure import BotFailure
from meldroom.game import ActionError, Shuffle, State, View, apply, new_game, view
from meldroom.game.actions import Abandon, Action, Correct, Lay, RuleLeftovers, TimeOut
from meldroom.game.events import Event
from meldroom.rules.book import RuleBook


@runtime_checkable
class Told(Protocol):
    """A bot that wants to hear how its game ended."""

    def game_over(self, view: View) -> None:
        """The last view of the game: result and racks are in it."""
        ...


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
        state, made = judged(state, answer(bots[state.seat], state, clock), shuffle)
        events += made
    tell_over(bots, state)
    return state, events


def answer(bot: Bot, state: State, clock: Clock) -> Action | None:
    """What the bot to move answers. A bot that fails is out of time, with what it left on the table.

    Only BotFailure is taken for a failure: a fault in a bot of our own shall be seen.
    """
    try:
        return bot.act(view(state, state.seat), clock)
    except BotFailure as failure:
        return failure.left


def judged(state: State, action: Action | None, shuffle: Shuffle) -> tuple[State, tuple[Event, ...]]:
    """What a bot's answer leads to. None, and whatever the seat may not do, is the end of its time.

    A table that may not stand is then judged as it lies (R24–R26); anything else counts as untouched. What
    only a referee may do is nothing that a bot may.
    """
    if action is None or action.seat != state.seat or isinstance(action, Abandon | Correct | RuleLeftovers):
        return apply(state, TimeOut(state.seat), shuffle)
    tries = [action]
    if isinstance(action, Lay):
        tries.append(TimeOut(state.seat, table=action.table, stated=action.stated))
    for each in tries:
        try:
            return apply(state, each, shuffle)
        except ActionError:
            continue
    return apply(state, TimeOut(state.seat), shuffle)


def tell_over(bots: Sequence[Bot], state: State) -> None:
    """Let every bot that wants to know see how the game ended."""
    for seat, bot in enumerate(bots):
        if isinstance(bot, Told):
            bot.game_over(view(state, seat))
