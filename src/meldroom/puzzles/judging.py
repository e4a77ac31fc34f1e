"""Is this the answer? What a player lays is judged by the book first, then compared with the best play."""

from __future__ import annotations

from typing import Literal

import msgspec

from meldroom.game.actions import Action, Discard, Draw, Lay, Pass, Play, Take
from meldroom.puzzles.puzzle import Puzzle, PuzzlePosition
from meldroom.rules.verify import FaceSet, FaceTable, Turn, movements, verify
from meldroom.rules.violations import Violation

Verdict = Literal["solved", "not_best", "illegal"]


class Judged(msgspec.Struct, frozen=True):
    """What became of an attempt: how many tiles it lays, how many are possible, and what is wrong with it."""

    verdict: Verdict
    tiles: int
    best: int
    violations: tuple[Violation, ...] = ()

    @property
    def solved(self) -> bool:
        """True for the answer."""
        return self.verdict == "solved"


def judge_table(puzzle: Puzzle, after: FaceTable) -> Judged:
    """Judge the table that a player made (rearranging books). Any table that holds the right tiles is right.

    Raises PuzzleError for a puzzle that contradicts itself.
    """
    given = puzzle.read()
    best = len(given.played)
    found = verify(given.state.book, Turn(given.table, given.rack, after, given.melded))
    laid = movements(given.state.book, given.table, given.rack, after)[1]
    if found:
        return Judged("illegal", len(laid), best, found)
    # Where the question is whether to lay at all, laying is the answer, whatever is laid.
    right = bool(given.played) if puzzle.kind == "hold" else sorted(laid) == sorted(given.played)
    return Judged("solved" if right else "not_best", len(laid), best)


def judge_action(puzzle: Puzzle, action: Action) -> Judged:
    """Judge what a player does: lay, draw, take or play. Raises PuzzleError."""
    given = puzzle.read()
    best = len(given.played)
    match action:
        case Lay(table=table):
            return judge_table(puzzle, given.state.face_table(table))
        case Draw() | Pass():
            return Judged("solved" if not given.played else "not_best", 0, best)
        case Take(source=source):
            right = puzzle.answer.take == source
            return Judged("solved" if right else "not_best", 0, best)
        case Play(melds=melds):
            laid = _played(given, tuple(tile for meld in melds for tile in meld.tiles))
            right = sorted(laid) == sorted(given.played)
            return Judged("solved" if right else "not_best", len(laid), best)
        case Discard():
            return Judged("not_best", 0, best)
        case _:
            return Judged("illegal", 0, best)


def _played(given: PuzzlePosition, tiles: tuple[int, ...]) -> FaceSet:
    old = {tile for meld in given.position.melds for tile in meld.tiles}
    face_of = given.position.book.tiles.face_of
    return tuple(sorted(face_of[tile] for tile in tiles if tile not in old))
