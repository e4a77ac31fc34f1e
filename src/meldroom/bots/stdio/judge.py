"""Whether an action is legal, asked from a view alone: the one judge, on a game that looks the same."""

from __future__ import annotations

import msgspec

from meldroom.bots.answers import carry_out
from meldroom.bots.stdio import messages as wire
from meldroom.game import ActionError, Shuffle, State
from meldroom.game import actions as act
from meldroom.game.from_view import fill_hidden, state_from_view
from meldroom.game.judgement import TurnStart
from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import exposed, judge
from meldroom.rules.verify import verify
from meldroom.rules.violations import Violation


class Refusal(msgspec.Struct, frozen=True):
    """Why an action does not stand."""

    code: str
    message: str
    faults: tuple[wire.Fault, ...]


def refusal(book: RuleBook, view: View, action: act.Action, language: Language = "en") -> Refusal | None:
    """Why the seat to move may not do this, with every violation; None if it may.

    What a seat may do never depends on what it cannot see, so any game with the same view gives the answer.
    """
    state = fill_hidden(state_from_view(book, view))
    try:
        carry_out(state, action, Shuffle("not the game's own"))
    except ActionError as error:
        faults = error.violations or _faults(state, action)
        return Refusal(error.code, error.reason(language), _shown(faults, language))
    return None


def _faults(state: State, action: act.Action) -> tuple[Violation, ...]:
    """Every violation of a play by its faces, where the tiles themselves could not even be there."""
    start = TurnStart.of(state, action.seat)
    if isinstance(action, act.Lay):
        sets = range(len(action.table))
        stated = {index: faces for index, faces in action.stated.items() if index in sets}
        return verify(state.book, start.turn(action.table, stated))
    if isinstance(action, act.Play) and action.discard is not None:
        after = [exposed(state.book, state.faces(m.tiles), str(m.owner)) for m in action.melds]
        discard = state.book.tiles.face_of[action.discard]
        return judge(state.book, start.lay_off_turn(after, discard)).violations
    return ()


def _shown(faults: tuple[Violation, ...], language: Language) -> tuple[wire.Fault, ...]:
    return tuple(
        wire.Fault(fault.code, fault.clause, fault.ruling, fault.message(language), fault.set_index)
        for fault in faults
    )
