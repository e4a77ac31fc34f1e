"""A puzzle's question, and its answer step by step, with the movements every explanation has."""

from __future__ import annotations

from meldroom.i18n import Message
from meldroom.puzzles.gates import LEAST_MARGIN
from meldroom.puzzles.laying_off import LayOffCandidate
from meldroom.puzzles.puzzle import Puzzle
from meldroom.solver.explanation import Explanation, explain
from meldroom.solver.explanation.movements import TakeTile
from meldroom.solver.lay_off import explain_turn


def question(puzzle: Puzzle) -> Message:
    """What the player is asked."""
    return Message(f"puzzles.question.{puzzle.kind}")


def title(puzzle: Puzzle) -> Message:
    """What kind of puzzle it is, in a few words."""
    return Message(f"puzzles.kind.{puzzle.kind}")


def theme_names(puzzle: Puzzle) -> list[Message]:
    """The themes, for people."""
    return [Message(f"puzzles.theme.{theme}") for theme in puzzle.themes]


def verdict(puzzle: Puzzle) -> Message | None:
    """Why to hold or to lay, to take or to leave, where that is the question. Raises PuzzleError."""
    if puzzle.kind == "take":
        return _taking(puzzle)
    if puzzle.chances is None:
        return None
    choice = "lay" if puzzle.answer.tiles else "hold"
    hold, lay = (f"{100 * share:.0f}" for share in (puzzle.chances.hold, puzzle.chances.lay))
    return Message(f"puzzles.verdict.{choice}", {"hold": hold, "lay": lay})


def _taking(puzzle: Puzzle) -> Message:
    candidate = LayOffCandidate(puzzle.read().state)
    leaves = puzzle.answer.take == "stock"
    least = candidate.best.tiles + (LEAST_MARGIN if leaves else 0)
    values = {"count": candidate.drawing(least), "unseen": candidate.drawn.total()}
    return Message("puzzles.verdict.leave" if leaves else "puzzles.verdict.take", values)


def solution(puzzle: Puzzle) -> Explanation | None:
    """The answer step by step; None where nothing is laid. Raises PuzzleError."""
    given = puzzle.read()
    book = given.state.book
    if not given.played:
        return None
    if book.family == "rearranging":
        return explain(book, given.table, given.rack, given.after)
    candidate = LayOffCandidate(given.state)
    taken, play = candidate.offered, candidate.best
    take = None if taken is None else TakeTile("discard", taken, play.tiles)
    return explain_turn(book, candidate.held, play, take)
