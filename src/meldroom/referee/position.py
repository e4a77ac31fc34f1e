"""Is this table legal, and what is wrong with it? Every fault of a position, each with its clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from meldroom.i18n import Language, message
from meldroom.referee.errors import finding
from meldroom.rules.book import RuleBook
from meldroom.rules.sets import Reading
from meldroom.rules.verify import FaceSet, FaceTable, set_faults
from meldroom.rules.violations import Violation
from meldroom.tiles import Face


class SetSeen(msgspec.Struct, frozen=True):
    """One set of the table as the referee reads it."""

    tiles: FaceSet
    readings: tuple[Reading, ...]
    """Every way in which it is a set; none if it is not."""
    stands_for: tuple[FaceSet, ...]
    """What the tiles of each run are, jokers included, in the order of the run."""
    too_much: tuple[int, ...]
    """Places of tiles any one of which can be taken away to leave a legal set; for sets that are wrong."""

    @property
    def legal(self) -> bool:
        """Whether it is a set."""
        return bool(self.readings)

    def kinds(self, language: Language = "en") -> tuple[str, ...]:
        """“run” or “group”, or both where jokers leave it open."""
        return tuple(
            dict.fromkeys(message(f"referee.kind.{reading.kind}", language) for reading in self.readings)
        )


class PositionSeen(msgspec.Struct, frozen=True):
    """A position with all its faults."""

    sets: tuple[SetSeen, ...]
    faults: tuple[Violation, ...]

    @property
    def legal(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def check_position(
    book: RuleBook, table: FaceTable, racks: Sequence[FaceSet] = (), pool: int | None = None
) -> PositionSeen:
    """Every fault of a position: sets that are none, and tiles that the box cannot hold.

    With all racks and the number of tiles in the pool, tiles that are missing are found too.

    >>> from meldroom.rules.library import book
    >>> from meldroom.tiles import parse_table
    >>> wrc11 = book("wrc11")
    >>> seen = check_position(wrc11, parse_table("R1 R2 R3 | K12 K13 K1 | B9 B9 B9", wrc11.tiles))
    >>> [(fault.code, fault.clause, fault.set_index) for fault in seen.faults]
    [('SET_INVALID', 'WRC 11 #8', 1), ('SET_INVALID', 'WRC 11 #6', 2), ('TILE_TOO_OFTEN', '', None)]
    """
    faults: list[Violation] = list(set_faults(book, table))
    faults += box_faults(book, [*table, *racks], pool, whole=bool(racks) and pool is not None)
    return PositionSeen(tuple(_seen(book, faces) for faces in table), tuple(faults))


def box_faults(
    book: RuleBook, parts: Sequence[Sequence[Face]], pool: int | None, *, whole: bool
) -> list[Violation]:
    """Tiles that the box cannot hold; with the `whole` game at hand, also that some are missing."""
    tiles = book.tiles
    counts = Counter(face for part in parts for face in part)
    faults: list[Violation] = []
    for face in sorted(counts):
        if counts[face] > tiles.limits[face]:
            field = "tiles.jokers" if face == tiles.joker else "tiles.copies"
            name, limit = tiles.face_names[face], tiles.limits[face]
            faults.append(finding(book, "TILE_TOO_OFTEN", field, tile=name, count=counts[face], limit=limit))
    count = counts.total() + (pool or 0)
    if count > tiles.size:
        faults.append(finding(book, "TOO_MANY_TILES", "tiles.copies", count=count, size=tiles.size))
    elif whole and count < tiles.size:
        missing = tiles.size - count
        faults.append(
            finding(book, "TILES_MISSING", "tiles.copies", count=count, size=tiles.size, missing=missing)
        )
    return faults


def _seen(book: RuleBook, faces: FaceSet) -> SetSeen:
    reader = book.reader
    readings = reader.written(faces)
    runs = [reading for reading in readings if reading.is_run]
    stands = [
        meant
        for reading in runs
        if (meant := reader.faces_of(reading, reader.arranged(reading, faces))) is not None
    ]
    mended: tuple[int, ...] = ()
    if not readings:
        mended = tuple(
            place for place in range(len(faces)) if reader.is_set(faces[:place] + faces[place + 1 :])
        )
    return SetSeen(faces, readings, tuple(stands), mended)
