"""Hints, computed once for a position and then cached."""

from __future__ import annotations

from collections import OrderedDict

import msgspec

from meldroom.bots.advice import STRONGEST, advise
from meldroom.bots.levels import make_bot
from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rooms.protocol.answers import HintLine, HintStep
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book as published
from meldroom.solver import solve_faces
from meldroom.solver.advice import Advice, AdviceLine
from meldroom.tiles import parse_set

MOST_CACHED = 32


class HintCache:
    """The latest advice, by position."""

    def __init__(self) -> None:
        self._advice_of: OrderedDict[bytes, Advice] = OrderedDict()

    def step(self, book: RuleBook, view: View, step: int, language: Language) -> HintStep:
        """The hint of a step, or the last one, which shows the play."""
        advice = self._advice(book, view)
        steps = len(advice.hints)
        number = min(step, steps)
        table = advice.table if number == steps else None
        lines = tuple(_line(line, language) for line in advice.hints[number - 1])
        return HintStep(number, steps, advice.text(number, language), table, lines)

    def _advice(self, book: RuleBook, view: View) -> Advice:
        key = msgspec.msgpack.encode((book.ref, _position(book, view)))
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
        make_bot(STRONGEST, published("rummyo"))


def _position(book: RuleBook, view: View) -> object:
    """What advice depends on: a laying-off book also asks a bot, which looks at everything."""
    if book.family == "laying_off":
        return view
    return view.me, view.table, view.rack, view.melded


def _line(line: AdviceLine, language: Language) -> HintLine:
    return HintLine(
        line.parts(language), line.tiles, line.table, line.melds, discard=line.discard, take=line.take
    )
