"""Simulated solvers of four strengths: they shift tiles, and know neither our solver nor our features.

A solver takes a tile that has no place (one lying loose, else one of the rack) and puts it somewhere: on a
set, in the place of a joker, into a run that it splits, or into a new set of three with tiles that it takes
from the rack or out of other sets; what is left of those and is no set then lies loose itself. It goes back
when too much lies loose or it has shifted too often, and gives up after so many shifts in all. Strengths
differ in these limits and in how much a solver notices.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from meldroom.puzzles.puzzle import PuzzlePosition
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable, Turn, verify
from meldroom.tiles import Face


class Strength(NamedTuple):
    """How many tiles may lie loose, how many shifts in a row and in all, and the share of ways noticed."""

    name: str
    loose: int
    depth: int
    shifts: int
    notices: float


STRENGTHS = (
    Strength("newcomer", 1, 5, 60, 0.6),
    Strength("player", 3, 8, 300, 0.7),
    Strength("strong", 5, 12, 1000, 0.85),
    Strength("expert", 7, 18, 2500, 1.0),
)


class Board(NamedTuple):
    """Sets in order, tiles that lie loose, tiles still on the rack."""

    table: tuple[FaceSet, ...]
    loose: FaceSet
    rack: FaceSet


def shifts_needed(given: PuzzlePosition, strength: Strength, seed: str) -> int | None:
    """How many shifts a solver made until the answer lay there; None if it gave up."""
    return _Solver(given, strength, random.Random(f"{seed} {strength.name}")).solve()


class _Solver:
    def __init__(self, given: PuzzlePosition, strength: Strength, chance: random.Random) -> None:
        self.book: RuleBook = given.state.book
        self.joker = self.book.tiles.joker
        self.is_set = self.book.reader.is_set
        self.given, self.strength, self.chance = given, strength, chance
        self.left = strength.shifts
        self.goal = len(given.rack) - len(given.played)

    def solve(self) -> int | None:
        table = tuple(sorted(tuple(sorted(faces)) for faces in self.given.table))
        start = Board(table, (), tuple(sorted(self.given.rack)))
        # Somebody who is stuck begins anew, and looks elsewhere first.
        while self.left > 0:
            self.seen: dict[Board, int] = {}
            before = self.left
            if self._search(start, self.strength.depth):
                return self.strength.shifts - self.left
            if self.left == before:
                return None
        return None

    def _search(self, board: Board, depth: int) -> bool:
        if not board.loose and len(board.rack) == self.goal and self._legal(board.table):
            return True
        if depth == 0 or self.left <= 0 or self.seen.get(board, -1) >= depth:
            return False
        self.seen[board] = depth
        for after in self._shifts(board):
            self.left -= 1
            if self._search(after, depth - 1):
                return True
            if self.left <= 0:
                return False
        return False

    def _legal(self, table: FaceTable) -> bool:
        return not verify(self.book, Turn(self.given.table, self.given.rack, table, self.given.melded))

    def _shifts(self, board: Board) -> list[Board]:
        """What the solver notices, in any order, little lying loose first."""
        if board.loose:
            tile = self.chance.choice(board.loose)
            ways = list(self._ways(board._replace(loose=_without(board.loose, tile)), tile))
        else:
            ways = [
                way
                for tile in dict.fromkeys(board.rack)
                for way in self._ways(board._replace(rack=_without(board.rack, tile)), tile)
            ]
        allowed = [way for way in dict.fromkeys(ways) if len(way.loose) <= self.strength.loose]
        noticed = [way for way in allowed if self.chance.random() < self.strength.notices]
        self.chance.shuffle(noticed)
        return sorted(noticed, key=lambda way: len(way.loose))

    def _ways(self, board: Board, tile: Face) -> Iterator[Board]:
        for place, faces in enumerate(board.table):
            if self.is_set((*faces, tile)):
                yield _with_sets(board, place, [(*faces, tile)])
            if tile in faces:
                at = faces.index(tile)
                parts = [faces[: at + 1], faces[at:]]
                if all(map(self.is_set, parts)):
                    yield _with_sets(board, place, parts)
            if self.joker in faces and tile != self.joker:
                swapped = (*_without(faces, self.joker), tile)
                if self.is_set(swapped):
                    made = _with_sets(board, place, [swapped])
                    yield made._replace(loose=tuple(sorted((*made.loose, self.joker))))
        if tile != self.joker:
            for helpers in self._helpers(tile):
                yield from self._built(board, tile, helpers)

    def _helpers(self, tile: Face) -> Iterator[FaceSet]:
        """The pairs that make a set of three with a tile, a joker in one of them or none."""
        tiles = self.book.tiles
        number, colour = tiles.number_of[tile], tiles.colour_of[tile]
        others = [tiles.face(c, number) for c in range(len(tiles.colours)) if c != colour]
        pairs = list(combinations(others, 2))
        for low in range(number - 2, number + 1):
            if low >= 1 and low + 2 <= tiles.numbers:
                first, second = (tiles.face(colour, n) for n in range(low, low + 3) if n != number)
                pairs.append((first, second))
        for pair in pairs:
            yield pair
            yield from ((face, self.joker) for face in pair)

    def _built(self, board: Board, tile: Face, helpers: FaceSet) -> Iterator[Board]:
        for sources in product(*(self._sources(board, face) for face in helpers)):
            made = board
            for face, source in zip(helpers, sources, strict=True):
                taken = self._taken(made, face, source)
                if taken is None:
                    break
                made = taken
            else:
                yield made._replace(table=tuple(sorted((*made.table, tuple(sorted((tile, *helpers)))))))

    def _sources(self, board: Board, face: Face) -> list[FaceSet]:
        """Where a tile can be taken from: () for what lies loose or stands on the rack, else a set."""
        if face in board.loose or face in board.rack:
            return [()]
        return [faces for faces in dict.fromkeys(board.table) if face in faces]

    def _taken(self, board: Board, face: Face, source: FaceSet) -> Board | None:
        if face in board.loose:
            return board._replace(loose=_without(board.loose, face))
        if not source:
            return board._replace(rack=_without(board.rack, face)) if face in board.rack else None
        if source not in board.table:
            return None
        at = source.index(face)
        rest = (*source[:at], *source[at + 1 :])
        parts = [rest] if self.is_set(rest) else [source[:at], source[at + 1 :]]
        table = list(board.table)
        table.remove(source)
        loose = list(board.loose)
        for part in parts:
            if self.is_set(part):
                table.append(part)
            else:
                loose += part
        return Board(tuple(sorted(table)), tuple(sorted(loose)), board.rack)


def _with_sets(board: Board, place: int, made: list[FaceSet]) -> Board:
    sets = [faces for index, faces in enumerate(board.table) if index != place]
    return board._replace(table=tuple(sorted([*sets, *(tuple(sorted(faces)) for faces in made)])))


def _without(tiles: FaceSet, tile: Face) -> FaceSet:
    at = tiles.index(tile)
    return (*tiles[:at], *tiles[at + 1 :])
