"""Whether an action is legal, asked from a view alone: the one judge, on a game that looks the same."""

from __future__ import annotations

import msgspec

from meldroom.bots.stdio import messages as wire
from meldroom.game import ActionError, Shuffle, State, apply
from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.views import View
from meldroom.i18n import Language, message
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed, LayOffTurn, exposed, judge
from meldroom.rules.verify import Turn, verify
from meldroom.rules.violations import Violation
from meldroom.tiles import Tile


class Refusal(msgspec.Struct, frozen=True):
    """Why an action does not stand. If `penalised`, the book gives no second try but its penalty."""

    code: str
    message: str
    faults: tuple[wire.Fault, ...]
    penalised: bool = False


def refusal(book: RuleBook, view: View, action: act.Action, language: Language = "en") -> Refusal | None:
    """Why the seat to move may not do this, with every violation; None if it may.

    What a seat may do never depends on what it cannot see, so any game with the same view gives the answer.
    """
    state = looks_like(book, view)
    try:
        _, events = apply(state, action, Shuffle("not the game's own"))
    except ActionError as error:
        faults = error.violations or _faults(state, action)
        return Refusal(error.code, error.reason(language), _shown(faults, language))
    if any(isinstance(event, ev.Penalised) for event in events):
        first = message("game.error.illegal_turn", language)
        return Refusal("illegal_turn", first, _shown(_faults(state, action), language), penalised=True)
    return None


def looks_like(book: RuleBook, view: View) -> State:
    """A state with this view: hidden tiles lie in the order of the box. Raises ValueError for a spectator."""
    if view.me is None:
        raise ValueError("a spectator has nothing to decide")
    melds = (tile for meld in view.melds for tile in meld.tiles)
    seen = {*view.rack, *view.discards, *melds, *(tile for each in view.table for tile in each)}
    hidden = [tile for tile in book.tiles.every_tile if tile not in seen]
    racks: list[tuple[Tile, ...]] = []
    for seat, size in enumerate(view.rack_sizes):
        racks.append(view.rack if seat == view.me else tuple(hidden[:size]))
        hidden = hidden if seat == view.me else hidden[size:]
    return State(
        book=book,
        players=view.players,
        game=view.game,
        commitment=view.commitment,
        stand_ins=view.stand_ins,
        phase=view.phase,
        starter=view.starter,
        seat=view.seat,
        deals=view.deals,
        racks=tuple(racks),
        pool=tuple(hidden),
        table=view.table,
        melds=view.melds,
        discards=view.discards,
        melded=view.melded,
        withdrawn=view.withdrawn,
        begun=tuple(n + (seat == view.seat) for seat, n in enumerate(view.turns)),
        turns=view.turns,
        drawn=tuple(view.drawn if seat == view.me else () for seat in range(len(racks))),
        exhausted=view.exhausted,
        queue=view.queue,
        passes=view.passes,
        reshuffles=view.reshuffles,
    )


def _faults(state: State, action: act.Action) -> tuple[Violation, ...]:
    """Every violation of a play by its faces, where the tiles themselves could not even lie so."""
    rack = state.faces(state.racks[action.seat])
    on_board = state.melded[action.seat]
    if isinstance(action, act.Lay):
        after = state.face_table(action.table)
        stated = {index: faces for index, faces in action.stated.items() if 0 <= index < len(after)}
        return verify(state.book, Turn(state.face_table(), rack, after, on_board, stated))
    if isinstance(action, act.Play) and action.discard is not None:
        before = tuple(Exposed(state.faces(m.tiles), str(m.owner), (m.reading,)) for m in state.melds)
        after_melds = tuple(exposed(state.book, state.faces(m.tiles), str(m.owner)) for m in action.melds)
        discard = state.book.tiles.face_of[action.discard]
        turn = LayOffTurn(str(action.seat), before, rack, after_melds, on_board, discard)
        return judge(state.book, turn).violations
    return ()


def _shown(faults: tuple[Violation, ...], language: Language) -> tuple[wire.Fault, ...]:
    return tuple(
        wire.Fault(fault.code, fault.clause, fault.ruling, fault.message(language), fault.set_index)
        for fault in faults
    )
