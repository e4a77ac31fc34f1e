"""The laying-off book solved (Rummy-O): going on board, going out, and the best play of a turn (R51–R60).

>>> from meldroom.rules.library import book
>>> from meldroom.tiles import parse_set, parse_table
>>> rummyo = book("rummyo")
>>> table, rack = parse_table("R5 R6 R7 | B9 K9 *", rummyo.tiles), parse_set("R8 O9 K2 K3 B13", rummyo.tiles)
>>> position = position_on(rummyo, table, ["B", "A"], "A", rack, on_board=True)
>>> out = going_out(rummyo, position)
>>> (out.outcome, out.bonus, rummyo.tiles.face_names[out.discard]) if out else None
('OPEN_RUMMY', 100, 'B13')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed, Judgement, LayOffTurn, Outcome, exposed, judge
from meldroom.rules.scoring import Final, GoingOut, bonus, rack_count
from meldroom.rules.verify import FaceSet, movements, set_points
from meldroom.solver.errors import PositionError, TooLargeError
from meldroom.solver.lay_off.moves import NewMeld, Way
from meldroom.solver.lay_off.position import LayOffPosition, check_position, position_of, position_on
from meldroom.solver.lay_off.search import (
    MOST_NODES,
    Budget,
    Changed,
    Found,
    Goal,
    Moves,
    Rest,
    WayOut,
    best_turn,
    table_changes,
    ways_out,
    weight_of,
)
from meldroom.tiles import Face

__all__ = [
    "LayOffPlay",
    "LayOffPosition",
    "Objective",
    "Openings",
    "best_play",
    "going_out",
    "last_discards",
    "on_board",
    "position_of",
    "position_on",
]

Objective = Literal["tiles", "points"]
WAYS_OUT: dict[Outcome, GoingOut] = {"OPEN_RUMMY": "open", "FOOT": "foot", "HAND": "hand"}


class LayOffPlay(msgspec.Struct, frozen=True):
    """A legal turn: the melds afterwards, old ones first in their order, what left the rack, the discard.

    `points` is what the tiles played would cost on the rack, `value` what the new melds count towards going
    on board. `bonus`, and `score` with the tiles in front of the player, are 0 unless they go out. `optimal`
    is true only when no turn is better at what was asked.
    """

    melds: tuple[Exposed, ...]
    played: FaceSet
    tiles: int
    points: int
    discard: Face
    outcome: Outcome
    value: int
    bonus: int
    score: int
    optimal: bool


class Openings(msgspec.Struct, frozen=True):
    """How a rack can go on board: with the most points, the most tiles, the smallest sufficient meld."""

    most_points: LayOffPlay
    most_tiles: LayOffPlay
    smallest: LayOffPlay


def on_board(rules: RuleBook, position: LayOffPosition, *, nodes: int = MOST_NODES) -> Openings | None:
    """The ways to go on board in this turn, or None if there is none (R54, R55, R57).

    A play that leaves nothing but the discard goes out as well. Raises PositionError for a position that
    cannot exist or a player who is on board, TooLargeError if the search was cut short.
    """
    if position.on_board:
        raise PositionError("on_board", "on_board")
    turn = _Turn(rules, position, Budget(nodes))
    points, tiles, smallest = _opening_goals(turn)
    found = [turn.opening(points)]
    if found[0] is not None:
        found += [turn.opening(tiles), turn.opening(smallest, relax=False)]
    if turn.budget.cut:
        raise TooLargeError("undecided", count=nodes)
    plays = [turn.play(each) for each in found if each is not None]
    return Openings(*plays) if plays else None


def going_out(rules: RuleBook, position: LayOffPosition, *, nodes: int = MOST_NODES) -> LayOffPlay | None:
    """The turn that goes out with the highest score, or None if none does (R58, R59, R60).

    The score is the bonus and the value of the tiles in front of the player; among equal scores the fewest
    melds on the table are changed. Raises PositionError, and TooLargeError if the search was cut short before
    it found anything.
    """
    turn = _Turn(rules, position, Budget(nodes))
    found = turn.best_way_out()
    if found is None and turn.budget.cut:
        raise TooLargeError("undecided", count=nodes)
    return None if found is None else turn.play(found)


def last_discards(rules: RuleBook, position: LayOffPosition, *, nodes: int = MOST_NODES) -> frozenset[Face]:
    """The tiles that can be left for the discard while all others are laid; empty if nobody can go out.

    Raises PositionError, and TooLargeError if the search was cut short.
    """
    turn = _Turn(rules, position, Budget(nodes))
    found = turn.last_discards()
    if turn.budget.cut:
        raise TooLargeError("undecided", count=nodes)
    return found


def best_play(
    rules: RuleBook,
    position: LayOffPosition,
    objective: Objective = "tiles",
    *,
    nodes: int = MOST_NODES,
    time_limit: float | None = None,
) -> LayOffPlay:
    """The legal turn that lays most tiles and among those most points, or the other way round.

    A tile's points are what it would cost on the rack. Among equals the fewest melds on the table are
    changed, then the fewest jokers laid. The discard is the dearest numbered tile left. When the limits are
    reached the best play found is given, `optimal` false. Raises PositionError.
    """
    turn = _Turn(rules, position, Budget(nodes, time_limit))
    return turn.play(turn.best(_play_goal(turn, objective)))


class _Turn:
    """One position with everything that can be done in it."""

    def __init__(self, rules: RuleBook, position: LayOffPosition, budget: Budget) -> None:
        check_position(rules, position)
        self.rules, self.position, self.budget = rules, position, budget
        holders = position.holders or tuple((meld.owner,) * len(meld.faces) for meld in position.melds)
        self.mine = [[holder == position.player for holder in each] for each in holders]
        self.moves = Moves(rules, position.melds, position.player, self.mine, position.rack)

    def rest(self, goal: Goal) -> Rest:
        """The search for new melds; numbered tiles and jokers bounded by what they can count at most."""
        rules = self.rules
        fixed = rules.opening.joker_value == "fixed"
        values = rules.values if fixed else rules.tiles.number_of
        joker = rules.scoring.joker if fixed else rules.tiles.numbers
        return Rest(
            rules, self.moves, goal, ([values[face] for face in self.moves.held.faces], joker), self.budget
        )

    def opening(self, goal: Goal, relax: bool = True) -> Found | None:
        """The best turn that goes on board: new melds only, with jokers that may be claimed for them.

        With `relax` the best turn without a threshold is tried first: often it reaches the threshold.
        """
        laid = table_changes(self.moves, goal, False, self.budget)
        needed, rest = self.rules.opening, self.rest(goal)
        # At least one point, for at least one meld: laying nothing is no way on board.
        if relax:
            free = best_turn(self.moves, goal, laid, rest, 1, needed.run_required)
            if free is None or sum(meld.value for meld in free.melds) >= needed.points:
                return free
        return best_turn(self.moves, goal, laid, rest, max(1, needed.points), needed.run_required)

    def best(self, goal: Goal) -> Found:
        """The best turn of all; laying nothing is one."""
        moves = self.moves
        nothing = Found(0, None, ())
        if self.position.on_board:
            laid = table_changes(moves, goal, True, self.budget)
            return best_turn(moves, goal, laid, self.rest(goal)) or nothing
        opened = self.opening(goal) or nothing
        if not self._may_go_out():
            return opened
        rest = self.rest(goal)

        def worth(way: WayOut) -> tuple[int, int]:
            return way.laid.worth + weight_of(way.left, goal.weights) + way.jokers * goal.joker, 0

        out = self._way_out(goal, rest, worth)
        return opened if out is None or out.worth < opened.worth else out

    def _may_go_out(self) -> bool:
        """False if it cannot be: too many tiles fit nowhere, or there is nothing but a discard."""
        on_board, tiles = self.position.on_board, len(self.position.rack)
        return (on_board or tiles > 1) and self.moves.may_all_be_laid(self.rules)

    def best_way_out(self) -> Found | None:
        """The turn that goes out with the highest score, the fewest melds changed."""
        if not self._may_go_out():
            return None
        rules, position = self.rules, self.position
        scale = len(position.melds) + 1
        values = [rules.values[face] for face in self.moves.held.faces]
        before = sum(
            rules.values[face]
            for meld, mine in zip(position.melds, self.mine, strict=True)
            for face, own in zip(meld.faces, mine, strict=True)
            if own
        )

        def change(way: Way) -> int:
            return way.gain * scale - 1

        def worth(way: WayOut) -> tuple[int, int]:
            fixed = self._bonus(way)
            score = before + weight_of(way.left, values) + way.jokers * rules.scoring.joker + fixed
            return score * scale + way.laid.worth, fixed

        goal = Goal([0] * len(values), 0, lambda meld: 0, change)
        return self._way_out(goal, self.rest(goal), worth)

    def last_discards(self) -> frozenset[Face]:
        """The faces that some turn keeps for the discard when it goes out."""
        if not self._may_go_out():
            return frozenset()
        held = self.moves.held
        goal = Goal([0] * len(held.faces), 0, lambda meld: 0, lambda way: 0)
        laid = table_changes(self.moves, goal, True, self.budget)
        ways = ways_out(self.moves, laid, self.rest(goal))
        face_of = {copies[-1][0]: face for face, copies in held.copies.items()}
        return frozenset(face_of.get(way.kept[0], self.rules.tiles.joker) for way in ways)

    def _bonus(self, way: WayOut) -> int:
        scoring = self.rules.scoring
        if self.position.on_board:
            return scoring.open_bonus
        return scoring.hand_bonus[way.jokers] if way.laid.changed is None else scoring.foot_bonus

    def _way_out(self, goal: Goal, rest: Rest, worth: Callable[[WayOut], tuple[int, int]]) -> Found | None:
        laid = table_changes(self.moves, goal, True, self.budget)
        best = max(((worth(way), way) for way in ways_out(self.moves, laid, rest)), key=_first, default=None)
        if best is None:
            return None
        (total, _), way = best
        return Found(total, way.laid.changed, rest.cover(way.left, way.jokers))

    def play(self, found: Found) -> LayOffPlay:
        """A search's answer as a turn, judged."""
        rules, position = self.rules, self.position
        melds = list(position.melds)
        changed: Changed | None = found.changed
        while changed is not None:
            old = melds[changed.meld]
            melds[changed.meld] = exposed(rules, changed.way.faces, old.owner)
            changed = changed.earlier
        melds += [exposed(rules, meld.faces, position.player) for meld in found.melds]
        played = tuple(movements(rules, _faces(position.melds), position.rack, _faces(melds))[1])
        left = Counter(position.rack) - Counter(played)
        discard = max(left, key=lambda face: (face != rules.tiles.joker, rules.values[face], -face))
        turn = LayOffTurn(
            position.player, position.melds, position.rack, tuple(melds), position.on_board, discard
        )
        judgement = judge(rules, turn)
        if judgement.outcome is None:
            raise RuntimeError("an illegal play was found; this is a fault of the solver")
        for index, change in enumerate(judgement.changes):
            if melds[index] != position.melds[index]:
                melds[index] = Exposed(melds[index].faces, melds[index].owner, (change.reading,))
        way = WAYS_OUT.get(judgement.outcome)
        front = _front(turn, judgement, self.mine)
        extra = bonus(rules, Final((), "out", 0, way, front)) if way is not None else 0
        return LayOffPlay(
            melds=tuple(melds),
            played=played,
            tiles=len(played),
            points=rack_count(rules, played),
            discard=discard,
            outcome=judgement.outcome,
            value=sum(set_points(rules, meld.faces) for meld in found.melds),
            bonus=extra,
            score=rack_count(rules, front) + extra if way is not None else 0,
            optimal=not self.budget.cut,
        )


def _first(pair: tuple[tuple[int, int], WayOut]) -> tuple[int, int]:
    return pair[0]


def _faces(melds: Sequence[Exposed]) -> list[FaceSet]:
    return [meld.faces for meld in melds]


def _front(turn: LayOffTurn, judgement: Judgement, mine: Sequence[Sequence[bool]]) -> FaceSet:
    """The tiles in front of the player after a turn; one given for a joker counts where that did (R60)."""
    tiles: list[Face] = []
    for old, change, own in zip(turn.before, judgement.changes, mine, strict=True):
        given = dict(zip(change.claimed, change.given, strict=True))
        tiles += [given.get(place, face) for place, face in enumerate(old.faces) if own[place]]
        tiles += change.added
    for meld in turn.after[len(turn.before) :]:
        tiles += meld.faces
    return tuple(tiles)


def _play_goal(turn: _Turn, objective: Objective) -> Goal:
    """Tiles and points in the order of the objective, then few melds changed, then few jokers laid."""
    values, rack = turn.rules.values, turn.position.rack
    per_change = len(rack) + 1
    unit = per_change * (len(turn.position.melds) + 1)
    tile, point = (sum(values[face] for face in rack) + 1, 1) if objective == "tiles" else (1, len(rack) + 1)
    by_face = [(tile + point * value) * unit for value in values]
    by_face[turn.rules.tiles.joker] -= 1
    return Goal(
        [by_face[face] for face in turn.moves.held.faces],
        by_face[turn.rules.tiles.joker],
        lambda meld: sum([by_face[face] for face in meld.faces]),
        lambda way: -per_change,
    )


def _opening_goals(turn: _Turn) -> list[Goal]:
    """Most points then tiles, most tiles then points, fewest tiles then points; always few jokers claimed.

    As many tiles leave the rack as the new melds hold: a claim gives one tile and lays one joker.
    """
    rules = turn.rules
    most_tiles = len(turn.position.rack) + turn.moves.claimable + 1
    most_points = most_tiles * max(rules.tiles.numbers, *rules.values)
    scale = len(turn.position.melds) + 1

    def goal(per_tile: int, per_point: int) -> Goal:
        def worth(meld: NewMeld) -> int:
            return (per_tile * len(meld.faces) + per_point * meld.value) * scale

        return Goal([0] * len(turn.moves.held.faces), 0, worth, lambda way: -1)

    return [goal(1, most_tiles), goal(most_points, 1), goal(-most_points, -1)]
