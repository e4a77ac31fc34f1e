"""Is this turn legal? The rearranging books' one judge: every fault of a turn, each with its clause.

Only the position at the end of the turn is judged (R15), on faces: equal tiles cannot be told apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.joker_rule import freed_joker_fault
from meldroom.rules.violations import Violation, violation
from meldroom.tiles import Face, parse_set, parse_table

FaceSet = tuple[Face, ...]
FaceTable = tuple[FaceSet, ...]


class Turn(msgspec.Struct, frozen=True, gc=False):
    """What a player submits: the table after the turn, against the table and rack before.

    `stated` gives, by set, the numbers a player announced for a set with jokers (R10): it binds.
    """

    before: FaceTable
    rack: FaceSet
    after: FaceTable
    melded: bool
    stated: dict[int, FaceSet] = {}

    @classmethod
    def from_text(cls, book: RuleBook, before: str, rack: str, after: str, *, melded: bool) -> Turn:
        """A turn as text: tiles separated by spaces, sets by `|`. Raises TileTextError.

        >>> from meldroom.rules.library import book
        >>> turn = Turn.from_text(book("wrc11"), "", "R9 B9 K9", "R9 B9 K9", melded=False)
        >>> print(*verify(book("wrc11"), turn))
        Your opening is worth 27 points; you need at least 30.
        """
        tiles = book.tiles
        return cls(parse_table(before, tiles), parse_set(rack, tiles), parse_table(after, tiles), melded)


def verify(book: RuleBook, turn: Turn) -> tuple[Violation, ...]:
    """Every fault of a turn under a rearranging book; empty if it is legal."""
    found: list[Violation] = []
    missing, laid, foreign = movements(book, turn.before, turn.rack, turn.after)
    if foreign:
        found.append(violation(book, "TILE_NOT_ON_RACK", tiles=book.tiles.faces_text(foreign)))
    if missing:
        found.append(violation(book, "TILE_LEFT_TABLE", tiles=book.tiles.faces_text(missing)))
    if not laid:
        found.append(violation(book, "NO_RACK_TILE"))
    found.extend(set_faults(book, turn.after))
    found.extend(_stated_faults(book, turn))
    if not turn.melded:
        found.extend(_opening_faults(book, turn))
    elif not missing and book.jokers.reuse == "new_set":
        lengthened = freed_joker_fault(book.reader, turn.before, turn.after)
        if lengthened is not None:
            text = book.tiles.faces_text
            tiles, old = text(turn.after[lengthened.new]), text(turn.before[lengthened.old])
            found.append(
                violation(book, "JOKER_NOT_IN_NEW_SET", set_index=lengthened.new, tiles=tiles, old=old)
            )
    return tuple(found)


def movements(
    book: RuleBook, before: Iterable[FaceSet], rack: FaceSet, after: Iterable[FaceSet]
) -> tuple[list[Face], list[Face], list[Face]]:
    """Faces that left the table, that came from the rack, and that came from nowhere."""
    change = [0] * len(book.tiles.limits)
    for tiles in after:
        for face in tiles:
            change[face] += 1
    for tiles in before:
        for face in tiles:
            change[face] -= 1
    missing, laid, foreign = [], [], []
    for face, count in zip(book.tiles.every_face, change, strict=True):
        if count > 0:
            held = rack.count(face)
            laid += [face] * min(count, held)
            foreign += [face] * max(0, count - held)
        elif count < 0:
            missing += [face] * -count
    return missing, laid, foreign


def set_faults(book: RuleBook, table: Iterable[FaceSet]) -> list[Violation]:
    """One SET_INVALID for each set of a table that is not legal."""
    reader = book.reader
    found = []
    for index, faces in enumerate(table):
        if not reader.is_set(faces):
            variant = reader.fault(faces) or "loose"
            found.append(
                violation(
                    book,
                    "SET_INVALID",
                    variant,
                    index,
                    tiles=book.tiles.faces_text(faces) or "–",
                    count=book.sets.shortest,
                    highest=book.tiles.numbers,
                )
            )
    return found


def _stated_faults(book: RuleBook, turn: Turn) -> list[Violation]:
    """Announcements that are no reading of their set (R10)."""
    found = []
    for index, stated in turn.stated.items():
        faces = turn.after[index]
        if book.reader.is_set(faces) and not _is_reading(book, faces, stated):
            text = book.tiles.faces_text(faces)
            found.append(violation(book, "SET_INVALID", "stated", index, tiles=text))
    return found


def _is_reading(book: RuleBook, faces: FaceSet, stated: FaceSet) -> bool:
    """True if the announced numbered tiles form a legal set that keeps every numbered tile of the set."""
    joker = book.tiles.joker
    natural = Counter(face for face in faces if face != joker)
    kept = natural <= Counter(stated) and joker not in stated
    return kept and len(stated) == len(faces) and book.reader.is_set(stated)


def opening_points(book: RuleBook, turn: Turn) -> int:
    """What the new sets laid wholly from the rack count towards the opening (R7, R9, R10)."""
    _, fresh = untouched_and_new(turn)
    held = Counter(turn.rack)
    points = 0
    for index in fresh:
        faces = turn.after[index]
        if book.reader.is_set(faces) and Counter(faces) <= held:
            held -= Counter(faces)
            points += set_points(book, turn.stated.get(index, faces))
    return points


def set_points(book: RuleBook, faces: FaceSet) -> int:
    """What a legal set counts towards an opening: jokers as what they stand for, or fixed (R54)."""
    if book.opening.joker_value == "fixed":
        return sum(book.values[face] for face in faces)
    return book.reader.represented(faces)


def untouched_and_new(turn: Turn) -> tuple[list[FaceSet], list[int]]:
    """Old sets that do not reappear unchanged, and the indices of sets that were not there before."""
    old = Counter(tuple(sorted(tiles)) for tiles in turn.before)
    fresh = []
    for index, tiles in enumerate(turn.after):
        key = tuple(sorted(tiles))
        if old[key]:
            old[key] -= 1
        else:
            fresh.append(index)
    return list(old.elements()), fresh


def too_few_points(book: RuleBook, points: int, jokers: bool) -> Violation:
    """An opening worth too little; with a joker in it, what the joker counts decides (R9, R10, R54)."""
    because_of = "joker" if jokers else ""
    needed = book.opening.points
    return violation(book, "MELD_LT_OPENING", because_of=because_of, count=points, needed=needed)


def _opening_faults(book: RuleBook, turn: Turn) -> list[Violation]:
    """The first meld: nothing on the table touched (R8), enough points from the rack alone (R7)."""
    found = []
    touched, fresh = untouched_and_new(turn)
    if touched:
        text = " | ".join(book.tiles.faces_text(tiles) for tiles in touched)
        found.append(violation(book, "TABLE_TOUCHED_BEFORE_MELD", tiles=text))
    points = opening_points(book, turn)
    if points < book.opening.points:
        jokers = any(book.tiles.joker in turn.after[index] for index in fresh)
        found.append(too_few_points(book, points, jokers))
    if book.opening.run_required and not any(
        reading.is_run for index in fresh for reading in book.reader.readings(turn.after[index])
    ):
        found.append(violation(book, "NO_RUN"))
    return found
