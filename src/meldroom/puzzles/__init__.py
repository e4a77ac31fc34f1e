"""Puzzles: positions of games with one proven best play, mined, certified, rated and chosen.

`certify` and `mine` find them, `recertify` proves them again, `starter_pack` has those that come along, and
`selector` chooses: today's, by theme and level, a streak, a timed round.
"""

from meldroom.puzzles.errors import PuzzleError
from meldroom.puzzles.judging import Judged, judge_action, judge_table
from meldroom.puzzles.pack import load_puzzles, starter_pack
from meldroom.puzzles.puzzle import KINDS, THEMES, Kind, Puzzle, Theme, decode_puzzle, read_puzzles

__all__ = [
    "KINDS",
    "THEMES",
    "Judged",
    "Kind",
    "Puzzle",
    "PuzzleError",
    "Theme",
    "decode_puzzle",
    "judge_action",
    "judge_table",
    "load_puzzles",
    "read_puzzles",
    "starter_pack",
]
