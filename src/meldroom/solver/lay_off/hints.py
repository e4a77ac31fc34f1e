"""The ladder of hints for a laying-off book: which tile to take, what can be laid, what to discard."""

from __future__ import annotations

from msgspec.structs import replace

from meldroom.game.views import View
from meldroom.i18n import Language, Value, message
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import GOING_OUT
from meldroom.solver.hints import MOST_IS_FEW, Amount, Nothing, Playable, RackTile, Rung, TableSets, rung_text
from meldroom.solver.lay_off.best import LayOffPlay, best_play
from meldroom.solver.lay_off.explanation import LayOffExplanation
from meldroom.solver.lay_off.position import LayOffPosition, position_of
from meldroom.tiles import Face

SECONDS = 5.0


def lay_off_ladder(book: RuleBook, view: View, language: Language) -> tuple[str, ...]:
    """Hints from the faintest to the whole turn, for the player whose view it is. Raises SolverError."""
    return _Ladder(book, view, language).rungs()


def take_discard(
    book: RuleBook, position: LayOffPosition, face: Face, time_limit: float | None = None
) -> LayOffPlay | None:
    """The best play with the last discard, if it lays more tiles than without; else None."""
    taken = best_play(book, replace(position, rack=(*position.rack, face)), time_limit=time_limit)
    without = best_play(book, position, time_limit=time_limit)
    return taken if face in taken.played and taken.tiles > without.tiles else None


class _Ladder:
    """The hints for one position in one language."""

    def __init__(self, book: RuleBook, view: View, language: Language) -> None:
        self.book = book
        self.view = view
        self.language: Language = language
        self.position = position_of(book, view)

    def rungs(self) -> tuple[str, ...]:
        """The hints in order."""
        if self.view.phase == "take":
            return self._taking()
        best = best_play(self.book, self.position, time_limit=SECONDS)
        if self.view.phase == "opening_discard":
            return (self._message("begin", tile=self._name(best.discard)),)
        return self._laying(best) if best.tiles else self._discarding(best)

    def _taking(self) -> tuple[str, ...]:
        if self.view.discards:
            face = self.book.tiles.face_of[self.view.discards[-1]]
            best = take_discard(self.book, self.position, face, SECONDS)
            if best is not None:
                taken = self._message("take_discard", tile=self._name(face), count=best.tiles)
                return self._message("take_useful"), taken
        return (self._message("take_stock"),)

    def _discarding(self, best: LayOffPlay) -> tuple[str, ...]:
        run = not self.position.on_board and self.book.opening.run_required
        nothing = self._rung(Nothing(best.optimal, self._needed, run))
        return nothing, self._message("discard", tile=self._name(best.discard))

    def _laying(self, best: LayOffPlay) -> tuple[str, ...]:
        explanation = LayOffExplanation(self.book.tiles, self.position.melds, best)
        joker = self.book.tiles.joker
        first = next((face for face in best.played if face != joker), joker)
        goes_out = best.outcome in GOING_OUT
        return (
            self._message("out") if goes_out else self._rung(Playable(_amount(best.tiles), self._needed)),
            self._rung(RackTile(first)),
            self._rung(TableSets(tuple(old for old, _ in explanation.grown))),
            explanation.text(self.language),
        )

    @property
    def _needed(self) -> int:
        return 0 if self.position.on_board else self.book.opening.points

    def _name(self, face: Face) -> str:
        return self.book.tiles.face_names[face]

    def _rung(self, rung: Rung) -> str:
        return rung_text(rung, self.book.tiles, self.language)

    def _message(self, key: str, **values: Value) -> str:
        return message(f"solver.hint.lay_off.{key}", self.language, **values)


def _amount(laid: int) -> Amount:
    if laid == 1:
        return "one"
    return "few" if laid <= MOST_IS_FEW else "many"
