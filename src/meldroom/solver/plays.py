"""More than one answer: other best plays, every playable part of a rack, going out.

>>> from meldroom.rules.library import book
>>> from meldroom.tiles import parse_set, parse_table
>>> tml = book("tml")
>>> table, rack = parse_table("R1 R2 R3", tml.tiles), parse_set("R4 R5 K9", tml.tiles)
>>> [tml.tiles.faces_text(part) for part in playable(tml, table, rack)]
['R4', 'R4 R5']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.solver.best import Solution, check_table, impossible_tiles, possible_tiles, solve_faces
from meldroom.solver.kernel.engine import (
    TILE,
    FaceSet,
    FaceTable,
    Objective,
    counts_all,
    engine_of,
    fits,
    packed,
    within,
)
from meldroom.tiles import Face


def best_plays(
    book: RuleBook,
    table: Sequence[Sequence[Face]],
    rack: Sequence[Face],
    melded: bool = True,
    objective: Objective = "tiles",
    *,
    limit: int = 10,
) -> tuple[Solution, ...]:
    """Up to `limit` best plays that lay different tiles, the one `solve` gives first, marked if `unique`.

    Another best play lacks a tile of each one found, so taking those tiles away one by one finds them all.
    """
    first = solve_faces(book, table, rack, melded, objective)
    found = {first.played: first}
    waiting, seen = [(tuple(sorted(rack)), first)], {tuple(sorted(rack))}
    while waiting and first.played and len(found) < limit:
        held, play = waiting.pop(0)
        for face in dict.fromkeys(play.played):
            fewer = list(held)
            # Only as many copies stay as the play found did not need.
            for _ in range(held.count(face) - play.played.count(face) + 1):
                fewer.remove(face)
            key = tuple(fewer)
            if key in seen or len(found) >= limit:
                continue
            seen.add(key)
            other = solve_faces(book, table, key, melded, objective)
            if (other.tiles, other.points) == (first.tiles, first.points):
                found.setdefault(other.played, other)
                waiting.append((key, other))
    first = msgspec.structs.replace(first, unique=len(found) == 1)
    return (first, *(other for other in found.values() if other.played != first.played))


def is_unique(
    book: RuleBook,
    table: Sequence[Sequence[Face]],
    rack: Sequence[Face],
    melded: bool = True,
    objective: Objective = "tiles",
) -> bool:
    """True if only one choice of tiles is best."""
    return len(best_plays(book, table, rack, melded, objective, limit=2)) == 1


def exactly(
    book: RuleBook, table: Sequence[Sequence[Face]], tiles: Sequence[Face], melded: bool = True
) -> Solution | None:
    """A legal play of exactly these tiles, or None if there is none."""
    found = solve_faces(book, table, tiles, melded)
    return found if found.played and found.tiles == len(tiles) else None


def could_be_laid(
    book: RuleBook, table: Sequence[Sequence[Face]], choices: Sequence[Sequence[Face]]
) -> list[bool]:
    """For each choice of tiles False if they cannot all be laid, however jokers move; all in one call.

    Where jokers do move freely, or none lies on the table, True says that they can (if `counts_all`).
    """
    if not choices or not counts_all(book):
        return [True] * len(choices)
    before = packed(tuple(map(tuple, table)), ())
    scores = engine_of(book).scores_of_many([before + bytes(chosen) for chosen in choices], "tiles")
    return [score // TILE == len(chosen) for score, chosen in zip(scores, choices, strict=True)]


def going_out(
    book: RuleBook, table: Sequence[Sequence[Face]], rack: Sequence[Face], melded: bool = True
) -> Solution | None:
    """A legal play of the whole rack, or None."""
    return exactly(book, table, rack, melded)


def playable(
    book: RuleBook, table: Sequence[Sequence[Face]], rack: Sequence[Face], melded: bool = True
) -> Iterator[FaceSet]:
    """Every different choice of tiles that can be laid in one legal turn, lazily; stop when you have enough.

    Raises PositionError for a position that cannot exist.
    """
    old = tuple(map(tuple, table))
    check_table(book, old)
    if not possible_tiles(book, old, rack):
        raise impossible_tiles(book, old, rack)
    yield from _Parts(book, old, tuple(rack), melded).all()


def count_playable(
    book: RuleBook,
    table: Sequence[Sequence[Face]],
    rack: Sequence[Face],
    melded: bool = True,
    *,
    limit: int = 100_000,
) -> int | None:
    """How many different choices of tiles can be laid (the branching factor); None if more than `limit`."""
    count = 0
    for _ in playable(book, table, rack, melded):
        count += 1
        if count > limit:
            return None
    return count


class _Parts:
    """Decides tile after tile how many are laid; a branch ends when the chosen cannot all be placed."""

    def __init__(self, book: RuleBook, table: FaceTable, rack: FaceSet, melded: bool) -> None:
        self.book, self.table, self.melded = book, table, melded
        self.faces = sorted(set(rack))
        self.held = Counter(rack)
        self.old = [0] * (book.tiles.joker + 1)
        if melded:
            for faces in table:
                for face in faces:
                    self.old[face] += 1
        most = [n + self.held[Face(face)] for face, n in enumerate(self.old)]
        self.engine = engine_of(book) if fits(book) and within(most) else None
        strict = book.jokers.reuse == "new_set" and any(book.tiles.joker in faces for faces in table)
        self.by_counts = self.engine is not None and melded and not strict

    def all(self) -> Iterator[FaceSet]:
        """Every part, the smallest faces first."""
        yield from self._from(0, ())

    def _from(self, index: int, chosen: FaceSet) -> Iterator[FaceSet]:
        if not self._hopeful(index, chosen):
            return
        if index == len(self.faces):
            if chosen and self._legal(chosen):
                yield chosen
            return
        face = self.faces[index]
        for count in range(self.held[face] + 1):
            yield from self._from(index + 1, chosen + (face,) * count)

    def _hopeful(self, index: int, chosen: FaceSet) -> bool:
        """False if the chosen tiles cannot all be placed with free jokers, whatever else is laid."""
        if self.engine is None:
            return True
        old = list(self.old)
        for face in chosen:
            old[face] += 1
        have = list(old)
        for face in self.faces[index:]:
            have[face] += self.held[face]
        return self.engine.score(have, old, "tiles", -1, 0 if index < len(self.faces) else 1 << 30)[1] > -1

    def _legal(self, chosen: FaceSet) -> bool:
        if self.by_counts:
            return True
        return exactly(self.book, self.table, chosen, self.melded) is not None
