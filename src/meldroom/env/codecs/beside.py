"""Tiles that can be laid beside the sets of a table, one by one: found without the solver."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceTable
from meldroom.tiles import Face


class Beside:
    """The sets of a table without jokers, and what fits on them as they lie."""

    def __init__(self, book: RuleBook, table: FaceTable) -> None:
        self.numbers, self.shortest = book.tiles.numbers, book.sets.shortest
        self.joker = book.tiles.joker
        self.runs: list[tuple[int, int]] = []
        self.groups: list[set[Face]] = []
        for faces in table:
            low, high = min(faces), max(faces)
            if high == self.joker:
                continue
            if low // self.numbers == high // self.numbers:
                self.runs.append((low, high))
            else:
                self.groups.append(
                    {Face(c * self.numbers + low % self.numbers) for c in range(len(book.tiles.colours))}
                    - {*faces}
                )

    def take(self, tiles: Sequence[Face]) -> bool:
        """True if these tiles can be laid one after the other; False if that is not known."""
        if self.joker in tiles:
            return False
        runs, groups, left = list(self.runs), [set(missing) for missing in self.groups], list(tiles)
        while left:
            waiting = [face for face in left if not self._lay(face, runs, groups)]
            if len(waiting) == len(left):
                return False
            left = waiting
        return True

    def _lay(self, face: Face, runs: list[tuple[int, int]], groups: list[set[Face]]) -> bool:
        """Lays one tile at an end of a run, into a run long enough to be cut in two, or in a group."""
        number, numbers, least = face % self.numbers, self.numbers, self.shortest - 1
        for place, (low, high) in enumerate(runs):
            if (face == low - 1 and number < numbers - 1) or (face == high + 1 and number > 0):
                runs[place] = (min(low, face), max(high, face))
                return True
            if low + least <= face <= high - least:
                runs[place] = (low, face)
                runs.append((face, high))
                return True
        for missing in groups:
            if face in missing:
                missing.remove(face)
                return True
        return False
