"""Which places a player can still reach, whatever the games to come bring.

A game to come has one winner at its table. Their score is zero or more, the others' scores are zero or less,
and no sum is excluded. For stages ranked by wins and then score, while the sitting being played is the last,
the bounds are exact in this sense; otherwise they may be wider than needed, but never too narrow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from meldroom.championship.standings import Tally, due_alike, standings, tally
from meldroom.championship.state import ChampionshipState

_Key = tuple[int, int, tuple[int, ...]]


class Bounds(msgspec.Struct, frozen=True):
    """The best and the worst place that a player can reach."""

    best: int
    worst: int


class _Field:
    """Where everybody stands, and what is left to play."""

    def __init__(self, state: ChampionshipState, stage: str) -> None:
        everybody = tally(state, stage)
        self.gone = [number for number in everybody if state.participant(number).disqualified]
        self.tallies = {number: mine for number, mine in everybody.items() if number not in self.gone}
        own = state.format.stage(stage)
        seated = [sitting for sitting in range(1, own.sittings + 1) if (stage, sitting) in state.seatings]
        self.tables: list[tuple[tuple[int, ...], int]] = []
        self.open = dict.fromkeys(self.tallies, 0)
        """Games to come whose table is not looked at: those after the sitting being played."""
        current = self._current(state, stage, seated)
        for sitting in range(1, own.sittings + 1):
            if sitting not in seated and stage in state.ended:
                continue
            if sitting not in seated:
                for number in self.open:
                    self.open[number] += own.games * (not state.participant(number).out)
                continue
            for place, table in enumerate(state.seatings[stage, sitting].tables, start=1):
                left = len(state.open_games((stage, sitting, place)))
                here = tuple(number for number in table if not state.participant(number).out)
                if sitting == current and left and here:
                    self.tables.append((here, left))
                else:
                    for number in here:
                        self.open[number] += left
        self.here = {number: left for table, left in self.tables for number in table}

    @staticmethod
    def _current(state: ChampionshipState, stage: str, seated: Sequence[int]) -> int:
        """The first sitting with a game to come."""
        for sitting in seated:
            tables = range(1, len(state.seatings[stage, sitting].tables) + 1)
            if any(state.open_games((stage, sitting, table)) for table in tables):
                return sitting
        return 0

    def left(self, number: int) -> int:
        """All games that a player has still to play."""
        return self.here.get(number, 0) + self.open[number]


def rank_bounds(state: ChampionshipState, stage: str) -> dict[int, Bounds]:
    """The places that each player of a stage can still reach. Raises ChampionshipError."""
    field = _Field(state, stage)
    criteria = state.format.criteria(stage)
    absent = any(not state.has_played(number) for number in field.tallies)
    if state.format.unequal and (absent or not due_alike(state, stage, field.tallies)):
        found = _by_ratio(state, stage, field)
    elif criteria == ("wins", "score", "best_games"):
        found = {number: _by_wins(field, number) for number in field.tallies}
    else:
        keys = {number: tuple(map(each.value, criteria)) for number, each in field.tallies.items()}
        found = {number: _by_fixed(field, keys, number) for number in field.tallies}
    if state.format.stage(stage).duplicate and any(map(field.left, field.tallies)):
        # A result at any table changes points at the others.
        found = dict.fromkeys(found, Bounds(1, len(found)))
    last = len(field.tallies) + 1
    return found | {number: Bounds(last, last) for number in field.gone}


def _by_ratio(state: ChampionshipState, stage: str, field: _Field) -> dict[int, Bounds]:
    """Where games per player differ, a game to come can change who has a place at all (R73)."""
    if any(map(field.left, field.tallies)):
        return dict.fromkeys(field.tallies, Bounds(1, len(field.tallies)))
    return {row.number: Bounds(row.place, row.place) for row in standings(state, stage).rows}


def _by_fixed(field: _Field, keys: Mapping[int, tuple[Any, ...]], number: int) -> Bounds:
    """Where the first criterion has no limit, anyone with a game to come can pass anyone, or be passed."""
    others = [other for other in keys if other != number]
    if field.left(number):
        return Bounds(1, len(keys))
    above = sum(keys[other] > keys[number] for other in others if not field.left(other))
    loose = sum(1 for other in others if field.left(other))
    return Bounds(1 + above, 1 + above + loose)


def _key(of: Tally, wins: int = 0, games: int = 0) -> _Key:
    """A ranking key with games added that bring no points."""
    scores = tuple(sorted([*of.scores, *[0] * games], reverse=True))
    return of.wins + wins, of.score, scores


def _by_wins(field: _Field, number: int) -> Bounds:
    mine = field.tallies[number]
    left = field.left(number)
    best, worst = 1, 1
    seen = {number}
    for table, games in field.tables:
        seen.update(table)
        others = [other for other in table if other != number]
        if number in table:
            best += sum(_must_pass(field, mine, left, other, 0, games) for other in others)
        else:
            best += _fewest([_must_need(field, mine, left, other, games) for other in others], games)
        worst += _most([_may_need(field, mine, left, other, games) for other in others], games)
    for other in field.tallies:
        if other not in seen:
            best += _must_pass(field, mine, left, other, 0, 0)
            worst += _may_pass(field, mine, left, other, 0, 0)
    return Bounds(best, worst)


def _must_need(field: _Field, mine: Tally, left: int, other: int, games: int) -> int:
    """How many games of their table another must win to be above me whatever else happens.

    One more than there are if they cannot. With as many wins as I have, the rest decides.
    """
    level = mine.wins + left - field.tallies[other].wins
    if 0 <= level <= games and not _must_pass(field, mine, left, other, level, games):
        level += 1
    return min(max(level, 0), games + 1)


def _may_need(field: _Field, mine: Tally, left: int, other: int, games: int) -> int:
    """How many games of their table another must win to have a chance to be above me."""
    level = mine.wins - field.tallies[other].wins - field.open[other]
    if 0 <= level <= games and not _may_pass(field, mine, left, other, level, games):
        level += 1
    return min(max(level, 0), games + 1)


def _fewest(needed: Sequence[int], games: int) -> int:
    """How many must pass, however the table's wins are shared: who passes can take all that are left over."""
    passing = needed.count(0)
    return passing or int(sum(wins - 1 for wins in needed) < games)


def _most(needed: Sequence[int], games: int) -> int:
    """How many can pass at once: those first who need the fewest wins."""
    passing = 0
    for wins in sorted(needed):
        games -= wins
        if games < 0:
            break
        passing += 1
    return passing


def _must_pass(field: _Field, mine: Tally, left: int, other: int, won: int, games: int) -> bool:
    """Whether another is above, though I win all my games and they do as badly as their wins allow."""
    theirs = field.tallies[other]
    my_wins, their_wins = mine.wins + left, theirs.wins + won
    if their_wins != my_wins:
        return their_wins > my_wins
    if left or games > won or field.open[other]:
        return False  # a win of mine, or a loss of theirs, can be as large as needed
    return _key(theirs, won, won) > _key(mine)


def _may_pass(field: _Field, mine: Tally, left: int, other: int, won: int, games: int) -> bool:
    """Whether another can be above, when I lose all my games and they do as well as their wins allow."""
    theirs = field.tallies[other]
    their_wins = theirs.wins + won + field.open[other]
    if their_wins != mine.wins:
        return their_wins > mine.wins
    if left or won or field.open[other]:
        return True
    return _key(theirs, 0, games) > _key(mine)
