"""What the answer of a bot leads to: a move, the end of its time, or the loss of its game (R68)."""

from __future__ import annotations

from typing import get_args

from meldroom.game import ActionError, Shuffle, State, apply
from meldroom.game.actions import Abandon, Action, Correct, Lay, Resign, RuleLeftovers, TimeOut
from meldroom.game.events import Event, Penalised
from meldroom.game.judgement import TurnStart
from meldroom.rules.book import RuleBook

MOST_ANSWERS = 3
"""How often a bot is asked in one turn before illegal answers lose it the game (R68)."""

_OF_PLAYERS = frozenset(get_args(Action)) - {Abandon, Correct, RuleLeftovers}

Led = tuple[State, tuple[Event, ...]]


def may_foul(book: RuleBook) -> bool:
    """Whether a deliberate infringement is an action: a time-out with a touched table, as printed (R68)."""
    return book.family == "rearranging" and book.penalty.conduct == "printed" and book.penalty.tiles > 0


def carry_out(state: State, action: Action | None, shuffle: Shuffle, *, can_lay: bool | None = None) -> Led:
    """What a bot's answer leads to. None is no answer in time: nothing was touched (R24).

    An illegal table is refused, also under a book that would penalise a person for it; what only a referee
    may do, no bot may. `can_lay` is as in `apply`. Raises ActionError for an answer that is no move.
    """
    if action is None:
        return apply(state, TimeOut(state.seat), shuffle)
    if type(action) not in _OF_PLAYERS:
        raise ActionError("no_move", "action")
    if action.seat != state.seat:
        raise ActionError("not_your_turn", "seat", name=state.players[state.seat])
    if isinstance(action, TimeOut) and action.table is not None and not may_foul(state.book):
        raise ActionError("no_foul", "action")
    led_to = apply(state, action, shuffle, can_lay=can_lay)
    if isinstance(action, Lay) and any(isinstance(event, Penalised) for event in led_to[1]):
        faults = TurnStart.of(state).judge_table(action.table, action.stated)
        raise ActionError("illegal_turn", "table", faults)
    return led_to


def lose(state: State, shuffle: Shuffle) -> Led:
    """The seat to move loses the game: out as after resigning (R68)."""
    return apply(state, Resign(state.seat), shuffle)


def apply_answer(
    state: State, action: Action | None, shuffle: Shuffle, *, can_lay: bool | None = None
) -> Led:
    """What the last answer of a bot leads to, whatever it is: one that is no move loses the game (R68)."""
    try:
        return carry_out(state, action, shuffle, can_lay=can_lay)
    except ActionError:
        return lose(state, shuffle)
