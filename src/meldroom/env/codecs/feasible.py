"""Which tiles can still be put on the table: a choice of tiles is kept open only if a legal play holds it."""

from __future__ import annotations

from collections import Counter

from meldroom.env.codecs.position import Position
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable, set_points
from meldroom.solver.best import solve_faces
from meldroom.solver.kernel.engine import Engine, engine_of, fits, within
from meldroom.solver.opening import best_opening, sets_within
from meldroom.solver.plays import exactly
from meldroom.tiles import Face

MOST_LOOKS = 300
"""How many choices of tiles are tried for one answer where only trying decides (see `Feasible`)."""

MOST_STEPS = 4_000
"""How many steps the search for an opening may take for one answer."""


class Feasible:
    """What can be laid in one position, asked tile by tile.

    Where jokers move freely the answer is exact. Where a joker freed from the table needs a new set, and for
    openings, a play that holds the tiles is looked for up to a limit: a yes is always right, and only where
    very many plays were tried in vain could one have been missed.
    """

    def __init__(self, book: RuleBook, position: Position) -> None:
        self.book, self.position = book, position
        self.held = Counter(position.rack)
        self._known: dict[FaceSet, bool] = {}
        self._witnesses: list[Counter[Face]] = []
        self._engine = self._free_engine()
        joker = book.tiles.joker
        traced = book.jokers.reuse == "new_set" and any(joker in faces for faces in position.table)
        self._exact = self._engine is not None and not traced
        self._openings = None if position.melded else _Openings(book, position.rack)

    def _free_engine(self) -> Engine | None:
        """The kernel, where it can count these tiles."""
        book, old = self.book, Counter(face for faces in self.position.table for face in faces)
        self._old = [old[face] for face in book.tiles.every_face]
        self._have = [count + self.held[Face(face)] for face, count in enumerate(self._old)]
        return engine_of(book) if fits(book) and within(self._have) else None

    def table(self, chosen: FaceSet) -> FaceTable | None:
        """The table after laying exactly these tiles, or None where that is no legal play."""
        found = exactly(self.book, self.position.table, chosen, self.position.melded) if chosen else None
        return None if found is None else found.table

    def next_faces(self, chosen: FaceSet) -> list[Face]:
        """The faces of the rack that can be put down next, in the order of faces."""
        left = self.held - Counter(chosen)
        return [face for face in sorted(left) if self.completable(tuple(sorted((*chosen, face))))]

    def completable(self, chosen: FaceSet) -> bool:
        """Whether some legal play lays these tiles, and perhaps more; `chosen` in the order of faces."""
        known = self._known.get(chosen)
        if known is None:
            known = self._known[chosen] = self._decide(chosen)
        return known

    def _decide(self, chosen: FaceSet) -> bool:
        wanted = Counter(chosen)
        if any(wanted <= witness for witness in self._witnesses):
            return True
        if self._openings is not None:
            return self._found(self._openings.holding(chosen))
        if not self._placed(chosen):
            return False
        return self._exact or self._look(chosen)

    def _found(self, witness: Counter[Face] | None) -> bool:
        """Remembers a play that holds the tiles asked about: what it holds can be laid tile by tile."""
        if witness is not None:
            self._witnesses.append(witness)
        return witness is not None

    def _placed(self, chosen: FaceSet, alone: bool = False) -> bool:
        """If table and chosen tiles can be placed with free jokers; the rack may help, unless `alone`."""
        if self._engine is None:
            return True
        old = list(self._old)
        for face in chosen:
            old[face] += 1
        return self._engine.score(old if alone else self._have, old, "tiles", -1)[0] >= 0

    def _find_large_plays(self) -> None:
        """The largest play, and the largest ones without each of its faces: they answer most questions."""
        book, position = self.book, self.position
        largest = solve_faces(book, position.table, position.rack, True).played
        self._witnesses.append(Counter(largest))
        for face in sorted(set(largest)):
            held = tuple(each for each in position.rack if each != face)
            self._witnesses.append(Counter(solve_faces(book, position.table, held, True).played))

    def _look(self, chosen: FaceSet) -> bool:
        """Looks for a play that holds these tiles: among the largest ones, then from the smallest up."""
        book, position = self.book, self.position
        if not self._witnesses:
            self._find_large_plays()
            if any(Counter(chosen) <= witness for witness in self._witnesses):
                return True
        waiting, seen = [chosen], {chosen}
        for _ in range(MOST_LOOKS):
            if not waiting:
                return False
            tried = waiting.pop(0)
            if self._placed(tried, alone=True) and exactly(book, position.table, tried) is not None:
                return self._found(Counter(tried))
            for face in sorted(self.held - Counter(tried)):
                longer = tuple(sorted((*tried, face)))
                if longer not in seen and self._placed(longer):
                    seen.add(longer)
                    waiting.append(longer)
        return False


class _Openings:
    """Openings of one rack: is there one that lays given tiles?"""

    def __init__(self, book: RuleBook, rack: FaceSet) -> None:
        self.book = book
        held = Counter(rack)
        self.counts = tuple(held[face] for face in book.tiles.every_face)
        self.some = best_opening(book, rack, "tiles")
        self._sets: dict[Face, list[tuple[FaceSet, int, bool]]] = {}
        for faces in sets_within(book, self.counts) if self.some is not None else ():
            run = any(reading.is_run for reading in book.reader.readings(faces))
            self._sets.setdefault(faces[0], []).append((faces, set_points(book, faces), run))
        self._failed: set[_Owed] = set()
        self._left = 0

    def holding(self, chosen: FaceSet) -> Counter[Face] | None:
        """The tiles of an opening that lays these, or None if none was found."""
        if self.some is None or Counter(chosen) <= Counter(self.some.played):
            return None if self.some is None else Counter(self.some.played)
        wanted = Counter(chosen)
        owed = tuple(wanted[face] for face in self.book.tiles.every_face)
        needed, path = self.book.opening, list[FaceSet]()
        self._left = MOST_STEPS
        found = self._search((self.counts, owed, needed.points, needed.run_required), path)
        return Counter(face for faces in path for face in faces) if found else None

    def _search(self, asked: _Owed, path: list[FaceSet]) -> bool:
        """Whether tiles make sets that hold those owed, reach the points and have a run if one is needed.

        From the lowest face up: lay it in a set whose lowest face it is, or leave it on the rack.
        """
        counts, owed, points, run = asked
        face = next((face for face in self.book.tiles.every_face[:-1] if counts[face]), None)
        if face is None:
            return not any(owed) and points == 0 and not run
        if asked in self._failed or self._left <= 0:
            return False
        self._left -= 1
        for faces, value, is_run in self._sets.get(face, ()):
            after, still = list(counts), list(owed)
            for each in faces:
                after[each] -= 1
                still[each] = max(0, still[each] - 1)
            if min(after) >= 0:
                path.append(faces)
                rest = (tuple(after), tuple(still), max(0, points - value), run and not is_run)
                if self._search(rest, path):
                    return True
                path.pop()
        if counts[face] > owed[face]:
            fewer = (*counts[:face], counts[face] - 1, *counts[face + 1 :])
            if self._search((fewer, owed, points, run), path):
                return True
        if self._left > 0:  # What was cut short is not known to fail.
            self._failed.add(asked)
        return False


_Owed = tuple[tuple[int, ...], tuple[int, ...], int, bool]
"""Counts by face, how many of them must be laid, points still needed, whether a run is."""
