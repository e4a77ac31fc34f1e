"""What a person has to do to find and make a play: counted from tables and movements, never from a search.

The sets disturbed, the longest chain of movements that need each other, jokers moved, tiles that change from
a run to a group or back, and near misses: tiles that are not there, but with which more could be laid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.sets import SetReader
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.best import solve_many
from meldroom.solver.explanation import Explanation, Movement, explain
from meldroom.solver.explanation import movements as hands
from meldroom.solver.lay_off import LayOffExplanation
from meldroom.tiles import Face


class Features(msgspec.Struct, frozen=True):
    """One number for each thing that makes a play hard to see."""

    tiles: int
    """Rack tiles laid."""
    rack: int
    sets: int
    """Sets on the table."""
    disturbed: int
    """Old sets that do not stay as they were."""
    movements: int
    chain: int
    """The longest row of movements each of which needs the one before."""
    in_hand: int
    """The most tiles in hand at once."""
    jokers: int
    """Jokers that leave their set."""
    to_group: int
    """Tiles that lay in a run and then lie in a group."""
    to_run: int
    """Tiles that lay in a group and then lie in a run."""
    near_misses: int
    """Faces that are not on the rack, but with which another rack tile could be laid as well."""


class Studied(msgspec.Struct, frozen=True):
    """A play's features, and the movements they were counted from."""

    features: Features
    explanation: Explanation


def study(
    book: RuleBook, table: FaceTable, rack: FaceSet, after: FaceTable, melded: bool, tiles: int
) -> Studied:
    """The features of a play of so many tiles."""
    told = explain(book, table, rack, after)
    to_group, to_run = shape_changes(book.reader, table, after)
    found = Features(
        tiles=tiles,
        rack=len(rack),
        sets=len(table),
        disturbed=told.effort.sets_touched,
        movements=told.effort.movements,
        chain=longest_chain([step.movement for step in told.steps]),
        in_hand=told.effort.most_loose,
        jokers=jokers_moved([step.movement for step in told.steps], book.tiles.joker),
        to_group=to_group,
        to_run=to_run,
        near_misses=near_misses(book, table, rack, tiles) if melded else 0,
    )
    return Studied(found, told)


def study_lay_off(told: LayOffExplanation, rack: int, tiles: int, sets: int) -> Features:
    """The same for a turn of Rummy-O, whose melds only grow and give up jokers."""
    moved = [step.movement for step in told.steps]
    return Features(
        tiles=tiles,
        rack=rack,
        sets=sets,
        disturbed=len(told.touched),
        movements=len(moved),
        chain=sum(isinstance(each, hands.SwapJoker) for each in moved) + 1,
        in_hand=0,
        jokers=sum(isinstance(each, hands.SwapJoker | hands.LiftJoker) for each in moved),
        to_group=0,
        to_run=0,
        near_misses=0,
    )


def near_misses(book: RuleBook, table: FaceTable, rack: FaceSet, tiles: int) -> int:
    """How many faces would, as one more rack tile, let at least two tiles more be laid."""
    seen = Counter(face for faces in table for face in faces) + Counter(rack)
    missing = [face for face in book.tiles.every_face[:-1] if seen[face] < book.tiles.limits[face]]
    found = solve_many(book, [(table, (*rack, face)) for face in missing])
    return sum(each.tiles >= tiles + 2 for each in found)


def shape_changes(reader: SetReader, before: Sequence[FaceSet], after: Sequence[FaceSet]) -> tuple[int, int]:
    """Tiles that went from runs to groups, and from groups to runs; unchanged sets left out."""
    same = Counter(tuple(sorted(faces)) for faces in before) & Counter(
        tuple(sorted(faces)) for faces in after
    )
    old, new = (_by_shape(reader, sets, Counter(same)) for sets in (before, after))
    lost_runs, lost_groups = old["run"] - new["run"], old["group"] - new["group"]
    return (lost_runs & (new["group"] - old["group"])).total(), (
        lost_groups & (new["run"] - old["run"])
    ).total()


def _by_shape(reader: SetReader, sets: Sequence[FaceSet], same: Counter[FaceSet]) -> dict[str, Counter[Face]]:
    shapes: dict[str, Counter[Face]] = {"run": Counter(), "group": Counter()}
    for faces in sets:
        key = tuple(sorted(faces))
        if same[key]:
            same[key] -= 1
            continue
        reading = reader.written(faces)[0]
        shapes[reading.kind].update(face for face in faces if face != reader.tiles.joker)
    return shapes


def jokers_moved(moved: Sequence[Movement], joker: Face) -> int:
    """How often a joker leaves a set."""
    count = 0
    for each in moved:
        match each:
            case hands.SwapJoker():
                count += 1
            case hands.LiftJoker(jokers=jokers):
                count += len(jokers)
            case hands.TakeFrom(taken=taken) | hands.Split(taken=taken):
                count += taken.count(joker)
            case hands.MoveTiles(moved=tiles):
                count += tiles.count(joker)
            case hands.BreakUp(source=source):
                count += source.count(joker)
            case _:
                pass
    return count


def longest_chain(moved: Sequence[Movement]) -> int:
    """The longest row of movements in which each uses a set or a tile in hand that the one before made."""
    made: dict[FaceSet, int] = {}
    freed: dict[Face, int] = {}
    longest = 0
    for each in moved:
        if isinstance(each, hands.TakeTile | hands.DiscardTile):
            continue
        change = hands.change_of(each)
        before = [made.get(tuple(sorted(faces)), 0) for faces in change.gone]
        before += [freed.get(face, 0) for face in change.hand]
        depth = 1 + max(before, default=0)
        made |= {tuple(sorted(faces)): depth for faces in change.made}
        freed |= dict.fromkeys(change.freed, depth)
        longest = max(longest, depth)
    return longest
