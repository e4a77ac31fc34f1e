"""Puzzles mined from a game: every turn as it stood, the table never altered."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from meldroom.game import events as ev
from meldroom.game.state import State
from meldroom.puzzles.certification import certify, certify_hold, offers_choice
from meldroom.puzzles.gates import Tally
from meldroom.puzzles.holding import Choice
from meldroom.puzzles.puzzle import Puzzle, Source
from meldroom.record import Record, replay

CHOICES: tuple[Choice, ...] = ("lay", "hold")
MOST_TRIED = 8
"""So many turns of a game are tried for either."""


class Found(msgspec.Struct, frozen=True):
    """The puzzles of a game, and how many of its moments passed each gate."""

    puzzles: tuple[Puzzle, ...]
    tally: Tally


def moments(record: Record) -> Iterator[tuple[int, State]]:
    """Every moment of a record at which a player decides what to lay or take, with the number of the turn.

    Moments of which the record does not know the rack of the player to move are left out.
    """
    turn = 0
    for step in replay(record):
        if isinstance(step.event, ev.TurnBegan):
            turn += 1
        elif not isinstance(step.event, ev.Took):
            continue
        state = step.state
        if not state.over and state.racks and step.unknown.isdisjoint(state.racks[state.seat]):
            yield turn, state


def mine(record: Record, game: str, *, hold: bool = False) -> Found:
    """All puzzles of a record. With `hold` it is also searched for *hold or lay?*, which takes long.

    Somebody who overlooks a play can often make it next turn as well: of such puzzles the first is kept.
    """
    tally: Tally = Counter()
    puzzles: dict[tuple[int, str], Puzzle] = {}
    turns = list(moments(record))
    for turn, state in turns:
        puzzle = certify(state, Source(game, turn), tally)
        if puzzle is not None:
            puzzles.setdefault((state.seat, puzzle.answer.tiles), puzzle)
    found = list(puzzles.values())
    if hold:
        found += _hold_or_lay(turns, game, tally)
    return Found(tuple(found), tally)


def _hold_or_lay(turns: Sequence[tuple[int, State]], game: str, tally: Tally) -> list[Puzzle]:
    """A turn in which laying is right, and one in which holding is.

    Holding is right far more often. It is only looked for in games where laying was found, so that nobody can
    tell the answer from the question. The order in which turns are tried follows from the game's name.
    """
    shuffled = random.Random(game).sample(turns, len(turns))
    choices = [(turn, state) for turn, state in shuffled if offers_choice(state)]
    found: list[Puzzle] = []
    for choice in CHOICES:
        tried = (certify_hold(state, choice, Source(game, turn), tally) for turn, state in choices)
        puzzle = next((each for each in islice(tried, MOST_TRIED) if each is not None), None)
        if puzzle is None:
            break
        found.append(puzzle)
    return found
