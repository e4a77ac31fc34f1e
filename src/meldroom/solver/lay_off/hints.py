"""The ladder of hints for a laying-off book: which tile to take, what can be laid, what to throw away."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from msgspec.structs import replace

from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import GOING_OUT
from meldroom.solver.hints import MOST_IS_FEW, Amount, Nothing, Playable, RackTile, TableSets, rung_sentence
from meldroom.solver.lay_off.best import LayOffPlay, LayOffPosition, best_play, position_of
from meldroom.tiles import Face

SECONDS = 5.0


@cache
def _catalogue(language: Language) -> dict[str, str]:
    source = resources.files("meldroom.i18n") / "locales" / language / "hints.toml"
    sentences: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return sentences


def lay_off_ladder(book: RuleBook, view: View, language: Language) -> tuple[str, ...]:
    """Sentences from the faintest to the whole turn, for the player whose view it is. Raises SolverError."""
    return _Ladder(book, view, language).rungs()


class _Ladder:
    """One position, told in one language."""

    def __init__(self, book: RuleBook, view: View, language: Language) -> None:
        self.book = book
        self.view = view
        self.language: Language = language
        self.position = position_of(book, view)

    def rungs(self) -> tuple[str, ...]:
        """The sentences."""
        if self.view.phase == "take":
            return self._taking()
        best = best_play(self.book, self.position, time_limit=SECONDS)
        if self.view.phase == "opening_discard":
            return (self._say("begin", tile=self._name(best.discard)),)
        thrown = self._say("discard", tile=self._name(best.discard))
        if not best.tiles:
            return self._nothing(best.optimal), thrown
        return self._laying(best, thrown)

    def _taking(self) -> tuple[str, ...]:
        """Whether the last discard can be laid at once."""
        if self.view.discards:
            face = self.book.tiles.face_of[self.view.discards[-1]]
            best = best_play(self.book, _with(self.position, face), time_limit=SECONDS)
            without = best_play(self.book, self.position, time_limit=SECONDS)
            if face in best.played and best.tiles > without.tiles:
                taken = self._say("take.it", tile=self._name(face), count=best.tiles)
                return self._say("take.useful"), taken
        return (self._say("take.stock"),)

    def _nothing(self, proven: bool) -> str:
        needed = 0 if self.position.on_board else self.book.opening.points
        run = not self.position.on_board and self.book.opening.run_required
        return rung_sentence(Nothing(proven, needed, run), self.book.tiles, self.language)

    def _laying(self, best: LayOffPlay, thrown: str) -> tuple[str, ...]:
        tiles, position = self.book.tiles, self.position
        old, new = best.melds[: len(position.melds)], best.melds[len(position.melds) :]
        grown = [
            (before.faces, after.faces)
            for before, after in zip(position.melds, old, strict=True)
            if before.faces != after.faces
        ]
        needed = 0 if position.on_board else self.book.opening.points
        first = next((face for face in best.played if face != tiles.joker), tiles.joker)
        amount = rung_sentence(Playable(_amount(best.tiles), needed), tiles, self.language)
        if best.outcome in GOING_OUT:
            amount = self._say("out")
        whole = [
            *(
                self._say("grow", old=tiles.faces_text(before), new=tiles.faces_text(after))
                for before, after in grown
            ),
            *(self._say("lay", new=tiles.faces_text(meld.faces)) for meld in new),
            thrown,
        ]
        return (
            amount,
            rung_sentence(RackTile(first), tiles, self.language),
            rung_sentence(TableSets(tuple(before for before, _ in grown)), tiles, self.language),
            "\n".join(f"{number}. {line}" for number, line in enumerate(whole, start=1)),
        )

    def _name(self, face: Face) -> str:
        return self.book.tiles.face_names[face]

    def _say(self, key: str, **details: str | int) -> str:
        return _catalogue(self.language)[key].format(**details)


def _amount(laid: int) -> Amount:
    if laid == 1:
        return "one"
    return "few" if laid <= MOST_IS_FEW else "many"


def _with(position: LayOffPosition, face: Face) -> LayOffPosition:
    """The position after taking a tile."""
    return replace(position, rack=tuple(sorted((*position.rack, face))))
