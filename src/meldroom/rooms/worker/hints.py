"""Hints, computed once for a position and then cached."""

from __future__ import annotations

from collections import OrderedDict

import msgspec

from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rooms.protocol.answers import HintStep
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book as published
from meldroom.solver import solve_faces
from meldroom.solver.advice import Advice, advise, has_hints
from meldroom.solver.lay_off.hints import lay_off_ladder
from meldroom.tiles import parse_set

MOST_CACHED = 32


class HintCache:
    """The latest advice, by position."""

    def __init__(self) -> None:
        self._advice_of: OrderedDict[bytes, Advice] = OrderedDict()
        self._last_rungs: tuple[tuple[bytes, Language], tuple[str, ...]] | None = None

    def step(self, book: RuleBook, view: View, step: int, language: Language) -> HintStep:
        """The hint of a step, or the last one, which shows the play."""
        if not has_hints(book):
            rungs = self._rungs(book, view, language)
            number = min(step, len(rungs))
            return HintStep(number, len(rungs), rungs[number - 1])
        advice = self._advice(book, view)
        steps = len(advice.ladder.rungs)
        number = min(step, steps)
        table = advice.table if number == steps else None
        return HintStep(number, steps, advice.ladder.text(number, language), table)

    def _rungs(self, book: RuleBook, view: View, language: Language) -> tuple[str, ...]:
        key = (msgspec.msgpack.encode((book.ref, view)), language)
        if self._last_rungs is None or self._last_rungs[0] != key:
            self._last_rungs = (key, lay_off_ladder(book, view, language))
        return self._last_rungs[1]

    def _advice(self, book: RuleBook, view: View) -> Advice:
        key = msgspec.msgpack.encode((book.ref, view.me, view.table, view.rack, view.melded))
        if key not in self._advice_of:
            self._advice_of[key] = advise(book, view)
        self._advice_of.move_to_end(key)
        while len(self._advice_of) > MOST_CACHED:
            self._advice_of.popitem(last=False)
        return self._advice_of[key]

    def warm_up(self) -> None:
        """Load what the first hint or the first strong bot would have to wait for."""
        any_book = published("wrc11")
        solve_faces(any_book, (), parse_set("R4 R5 R6", any_book.tiles))
