"""The ladder of hints for a laying-off book: which tile to take, what can be laid, what to discard."""

from __future__ import annotations

from msgspec.structs import replace

from meldroom.game.state import Phase
from meldroom.game.views import View
from meldroom.i18n import Language, message
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import GOING_OUT
from meldroom.solver.explanation.movements import TakeTile
from meldroom.solver.hints import MOST_IS_FEW, Amount, Nothing, Playable, RackTile, Rung, TableSets, rung_text
from meldroom.solver.lay_off.best import LayOffPlay, best_play
from meldroom.solver.lay_off.explanation import LayOffExplanation, explain_turn
from meldroom.solver.lay_off.position import LayOffPosition, position_of
from meldroom.tiles import Face

SECONDS = 5.0


def lay_off_ladder(book: RuleBook, view: View, language: Language) -> tuple[str, ...]:
    """Hints from the faintest to the whole turn, for the player whose view it is. Raises SolverError."""
    offered = book.tiles.face_of[view.discards[-1]] if view.discards else None
    return ladder_on(book, position_of(book, view), view.phase, offered, language)


def ladder_on(
    book: RuleBook,
    position: LayOffPosition,
    phase: Phase,
    offered: Face | None,
    language: Language,
    time_limit: float | None = SECONDS,
) -> tuple[str, ...]:
    """The same for a position; `offered` is the last discard, for the phase in which a tile is taken."""
    if phase == "take":
        take, play = what_to_take(book, position, offered, time_limit)
        told = explain_turn(book, position, play, take)
        useful = (message("solver.hint.lay_off.take_useful", language),) if take.source == "discard" else ()
        return (*useful, told.lines(language)[0])
    best = best_play(book, position, time_limit=time_limit)
    told = explain_turn(book, position, best, begins=phase == "opening_discard")
    if phase == "opening_discard":
        return told.lines(language)
    needed = 0 if position.on_board else book.opening.points
    run = not position.on_board and book.opening.run_required

    def rung(value: Rung) -> str:
        return rung_text(value, book.tiles, language)

    if not best.tiles:
        return rung(Nothing(best.optimal, needed, run)), *told.lines(language)
    out = message("solver.hint.lay_off.out", language) if best.outcome in GOING_OUT else ""
    return (
        out or rung(Playable(_amount(best.tiles), needed)),
        rung(RackTile(_first_tile(told, book.tiles.joker))),
        rung(TableSets(told.touched)),
        told.text(language),
    )


def what_to_take(
    book: RuleBook, position: LayOffPosition, offered: Face | None, time_limit: float | None = None
) -> tuple[TakeTile, LayOffPlay]:
    """The last discard if more tiles can be laid with it than without, else the stock; and the best play.

    With the stock, that is the play without the tile that is still to come.
    """
    without = best_play(book, position, time_limit=time_limit)
    if offered is not None:
        rack = (*position.rack, offered)
        taken = best_play(book, replace(position, rack=rack), time_limit=time_limit)
        if offered in taken.played and taken.tiles > without.tiles:
            return TakeTile("discard", offered, taken.tiles), taken
    return TakeTile("stock", offered), without


def _first_tile(told: LayOffExplanation, joker: Face) -> Face:
    return next((face for face in told.played if face != joker), joker)


def _amount(laid: int) -> Amount:
    if laid == 1:
        return "one"
    return "few" if laid <= MOST_IS_FEW else "many"
