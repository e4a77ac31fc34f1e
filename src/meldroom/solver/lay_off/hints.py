"""The ladder of hints for a laying-off book: which tile to take, what can be laid, what to discard."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from meldroom.game.state import Phase
from meldroom.i18n import Language, Message
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import GOING_OUT
from meldroom.solver.explanation.movements import DiscardReason, TakeTile
from meldroom.solver.hints import (
    MOST_IS_FEW,
    Amount,
    Nothing,
    Playable,
    RackTile,
    Rung,
    TableSets,
    rung_lines,
)
from meldroom.solver.lay_off.best import LayOffPlay, best_play
from meldroom.solver.lay_off.explanation import LayOffExplanation, explain_turn
from meldroom.solver.lay_off.position import LayOffPosition
from meldroom.tiles import Face

SECONDS = 5.0

RungKind: TypeAlias = Literal["nudge", "tile", "sets", "line"]


class LayOffRung(msgspec.Struct, frozen=True):
    """A rung: that something can be done, a tile of the rack, the melds that take part, or every step.

    Each line is one or more sentences; a `line` has a line for each step of the explanation.
    """

    kind: RungKind
    lines: tuple[tuple[Message, ...], ...]

    def text(self, language: Language) -> str:
        """The rung as text; several steps are numbered."""
        lines = [" ".join(each.text(language) for each in line) for line in self.lines]
        if len(lines) == 1:
            return lines[0]
        return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


class LayOffLadder(msgspec.Struct, frozen=True):
    """The rungs in order, and the turn they lead to; `tile` is the tile of the rack that is named."""

    rungs: tuple[LayOffRung, ...]
    told: LayOffExplanation
    play: LayOffPlay
    take: TakeTile | None = None
    tile: Face | None = None


def ladder_on(
    book: RuleBook,
    position: LayOffPosition,
    phase: Phase,
    offered: Face | None,
    language: Language,
    time_limit: float | None = SECONDS,
) -> tuple[str, ...]:
    """Hints for a position as text, from the faintest to the whole turn. Raises SolverError.

    `offered` is the last discard, for the phase in which a tile is taken.
    """
    if phase == "take":
        take, play = what_to_take(book, position, offered, time_limit)
        found = take_ladder(book, position, take, play)
    else:
        play = best_play(book, position, time_limit=time_limit)
        found = play_ladder(book, position, play, begins=phase == "opening_discard")
    return tuple(rung.text(language) for rung in found.rungs)


def take_ladder(book: RuleBook, position: LayOffPosition, take: TakeTile, play: LayOffPlay) -> LayOffLadder:
    """Which tile to take, and before that, where it is the discard, that it is of use."""
    told = explain_turn(book, position, play, take)
    nudge = LayOffRung("nudge", ((Message("solver.hint.lay_off.take_useful"),),))
    line = LayOffRung("line", (told.steps[0].messages(book.tiles),))
    return LayOffLadder((nudge, line) if take.source == "discard" else (line,), told, play, take)


def play_ladder(
    book: RuleBook,
    position: LayOffPosition,
    play: LayOffPlay,
    begins: bool = False,
    why: DiscardReason | None = None,
) -> LayOffLadder:
    """What can be laid and what to discard, after a tile was taken, or before the first one (`begins`)."""
    told = explain_turn(book, position, play, begins=begins, why=why)
    line = LayOffRung("line", tuple(step.messages(book.tiles) for step in told.steps))
    if begins:
        return LayOffLadder((line,), told, play)
    needed = 0 if position.on_board else book.opening.points
    run = not position.on_board and book.opening.run_required

    def rung(kind: RungKind, value: Rung) -> LayOffRung:
        return LayOffRung(kind, rung_lines(value, book.tiles))

    if not play.tiles:
        return LayOffLadder((rung("nudge", Nothing(play.optimal, needed, run)), line), told, play)
    first = next((face for face in told.played if face != book.tiles.joker), book.tiles.joker)
    nudge = (
        LayOffRung("nudge", ((Message("solver.hint.lay_off.out"),),))
        if play.outcome in GOING_OUT
        else rung("nudge", Playable(_amount(play.tiles), needed))
    )
    rungs = (nudge, rung("tile", RackTile(first)), rung("sets", TableSets(told.touched)), line)
    return LayOffLadder(rungs, told, play, tile=first)


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


def _amount(laid: int) -> Amount:
    if laid == 1:
        return "one"
    return "few" if laid <= MOST_IS_FEW else "many"
