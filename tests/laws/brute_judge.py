"""A second judge, slow and literal: it asks what every joker could stand for and where every tile came from.

It shares no code with the engine's own judges. It reads only the numbers of a rule book (colours, numbers,
copies, jokers, shortest set, thresholds) and the rulings, and works on physical tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import factorial, prod
from typing import NamedTuple

from meldroom.rules.book import RuleBook
from meldroom.tiles import Face

Faces = tuple[Face, ...]
Table = tuple[Faces, ...]
Plain = tuple[int, int]
"""A numbered tile as colour and number."""


class Box(NamedTuple):
    """What the judge needs to know of a book to read a set."""

    colours: int
    numbers: int
    shortest: int
    one_after_highest: bool

    @property
    def joker(self) -> Face:
        """The face of a joker."""
        return Face(self.colours * self.numbers)


def box_of(book: RuleBook) -> Box:
    """The box and the shape of sets of a book."""
    tiles = book.tiles
    return Box(len(tiles.colours), tiles.numbers, book.sets.shortest, book.sets.one_after_highest)


def plain(box: Box, face: Face) -> Plain:
    """Colour and number of a numbered face."""
    return face // box.numbers, face % box.numbers + 1


def is_plain_group(box: Box, tiles: Sequence[Plain]) -> bool:
    """One number, all colours different (R2)."""
    colours = [colour for colour, _ in tiles]
    return (
        box.shortest <= len(tiles) and len({n for _, n in tiles}) == 1 and len(set(colours)) == len(colours)
    )


def is_plain_run(box: Box, tiles: Sequence[Plain]) -> bool:
    """One colour, consecutive numbers; where the book allows it a 1 after the highest (R2, R53)."""
    if len({colour for colour, _ in tiles}) != 1 or len(tiles) < box.shortest:
        return False
    numbers = [n for _, n in tiles]
    if _consecutive(numbers):
        return not (box.one_after_highest and {1, 2, box.numbers} <= set(numbers))
    if not box.one_after_highest or {1, 2, box.numbers} <= set(numbers):
        return False
    return 1 in numbers and _consecutive([box.numbers + 1 if n == 1 else n for n in numbers])


def _consecutive(numbers: Sequence[int]) -> bool:
    return sorted(numbers) == list(range(min(numbers), min(numbers) + len(numbers)))


class Meaning(NamedTuple):
    """One way to understand a set: what all its tiles stand for."""

    tiles: tuple[Plain, ...]
    run: bool
    points: int


@cache
def meanings(box: Box, faces: Faces) -> tuple[Meaning, ...]:
    """Every meaning of a set: each joker may stand for each tile of the box. Faces must be sorted."""
    numbered = [plain(box, face) for face in faces if face != box.joker]
    if not numbered:
        return ()  # R11: a set of jokers alone is none.
    colour, number = numbered[0]
    every = [plain(box, Face(face)) for face in range(box.joker)]
    every = [tile for tile in every if tile[0] == colour or tile[1] == number]  # Else it is no set anyway.
    found = []
    for stands in combinations_with_replacement(every, len(faces) - len(numbered)):
        tiles = (*numbered, *stands)
        points = sum(n for _, n in tiles)
        if is_plain_group(box, tiles):
            found.append(Meaning(tiles, False, points))
        if is_plain_run(box, tiles):
            found.append(Meaning(tiles, True, points))
    return tuple(found)


def readings(book: RuleBook, faces: Faces) -> tuple[Meaning, ...]:
    """Every meaning of some faces as a set under a book; none if they are no set."""
    return meanings(box_of(book), tuple(sorted(faces)))


def is_set(book: RuleBook, faces: Faces) -> bool:
    """Whether some choice of what the jokers stand for makes a legal set."""
    return bool(readings(book, faces))


def worth(book: RuleBook, faces: Faces) -> int:
    """What a legal set counts towards an opening: its best meaning, or fixed values (R9, R10, R54)."""
    if book.opening.joker_value == "represented":
        return max(meaning.points for meaning in readings(book, faces))
    return sum(tile_value(book, face) for face in faces)


def tile_value(book: RuleBook, face: Face) -> int:
    """What one tile counts on a rack."""
    box = box_of(book)
    if face == box.joker:
        return book.scoring.joker
    number = plain(box, face)[1]
    if book.scoring.values == "court" and (number == 1 or number >= 10):
        return 10
    return number


class Verdict(NamedTuple):
    """What the brute judge says of a turn.

    `codes` are the faults, `invalid` the sets that are none, `lawful` and `unlawful` how many ways of telling
    equal tiles apart keep or break the joker rule. `entry_clear` is False where what counts towards an
    opening cannot be told because the turn is illegal already.
    """

    codes: frozenset[str]
    invalid: frozenset[int]
    lawful: int
    unlawful: int
    entry_clear: bool


def judge_turn(
    book: RuleBook,
    before: Table,
    rack: Faces,
    after: Table,
    melded: bool,
    stated: dict[int, Faces] | None = None,
) -> Verdict:
    """Every fault of a turn under a rearranging book, from the rulings alone."""
    told = stated or {}
    codes = set()
    lost, laid, foreign = _journeys(before, rack, after)
    if foreign:
        codes.add("TILE_NOT_ON_RACK")
    if lost:
        codes.add("TILE_LEFT_TABLE")
    if not laid:
        codes.add("NO_RACK_TILE")  # R14
    invalid = {index for index, faces in enumerate(after) if not is_set(book, faces)}
    for index, said in told.items():
        meant = {tuple(sorted(m.tiles)) for m in readings(book, after[index])}
        if index not in invalid and tuple(sorted(plain_or_joker(book, f) for f in said)) not in meant:
            invalid.add(index)  # R10
    if invalid:
        codes.add("SET_INVALID")
    lawful = unlawful = 0
    entry_clear = True
    if not melded:
        touched, fresh = _reappear(before, after)
        entry_clear = not touched and not foreign and not lost
        if touched:
            codes.add("TABLE_TOUCHED_BEFORE_MELD")  # R8
        if _entry_points(book, rack, after, fresh, invalid, told) < book.opening.points:
            codes.add(f"MELD_LT_{book.opening.points}")  # R7
    elif not lost and book.jokers.reuse == "new_set":
        lawful, unlawful = count_lawful(book, before, after)
        if not lawful:
            codes.add("JOKER_NOT_IN_NEW_SET")  # R20
    return Verdict(frozenset(codes), frozenset(invalid), lawful, unlawful, entry_clear)


def plain_or_joker(book: RuleBook, face: Face) -> Plain:
    """A face as colour and number; a joker is no colour and no number."""
    box = box_of(book)
    return (-1, 0) if face == box.joker else plain(box, face)


def _journeys(before: Table, rack: Faces, after: Table) -> tuple[list[Face], list[Face], list[Face]]:
    """Tiles that left the table, came from the rack, came from nowhere: each new place takes an old tile."""
    on_table = [face for faces in before for face in faces]
    on_rack = list(rack)
    laid, foreign = [], []
    for face in (face for faces in after for face in faces):
        if face in on_table:
            on_table.remove(face)
        elif face in on_rack:
            on_rack.remove(face)
            laid.append(face)
        else:
            foreign.append(face)
    return on_table, laid, foreign


def _reappear(before: Table, after: Table) -> tuple[bool, list[int]]:
    """Whether an old set is no longer there as it was, and which new sets were not there before."""
    fresh = list(range(len(after)))
    touched = False
    for old in before:
        same = [index for index in fresh if Counter(after[index]) == Counter(old)]
        if same:
            fresh.remove(same[0])
        else:
            touched = True
    return touched, fresh


def _entry_points(
    book: RuleBook, rack: Faces, after: Table, fresh: list[int], invalid: set[int], told: dict[int, Faces]
) -> int:
    """The points of the new sets, as long as the rack can pay for them."""
    left = list(rack)
    points = 0
    for index in fresh:
        faces = after[index]
        if not is_set(book, faces) or any(faces.count(f) > left.count(f) for f in faces):
            continue
        for face in faces:
            left.remove(face)
        if index not in told:
            points += worth(book, faces)
        elif index not in invalid:
            points += sum(plain_or_joker(book, face)[1] for face in told[index])
    return points


RACK = -1


def count_lawful(book: RuleBook, before: Table, after: Table) -> tuple[int, int]:
    """How many ways of telling equal tiles apart keep the joker rule, and how many break it (R19–R21).

    Every tile of the new table is given an origin, an old set or the rack, in every possible way.
    """
    places: dict[Face, list[tuple[int, int]]] = {}
    for new, faces in enumerate(after):
        for index, face in enumerate(faces):
            places.setdefault(face, []).append((new, index))
    ways = []
    for face, spots in places.items():
        origins = [old for old, faces in enumerate(before) for f in faces if f == face]
        origins += [RACK] * (len(spots) - len(origins))
        ways.append([(spots, order) for order in set(permutations(origins))])
    lawful = unlawful = 0
    for choice in product(*ways):
        origin = {spot: old for spots, order in choice for spot, old in zip(spots, order, strict=True)}
        if _keeps_joker_rule(book, before, after, origin):
            lawful += 1
        else:
            unlawful += 1
    return lawful, unlawful


def ways_to_tell_apart(before: Table, after: Table) -> int:
    """How many ways `count_lawful` would have to look at; none if a tile has left the table."""
    total = 1
    for face in {face for faces in after for face in faces}:
        spots = sum(faces.count(face) for faces in after)
        holders = Counter(old for old, faces in enumerate(before) for f in faces if f == face)
        if holders.total() > spots:
            return 0
        holders[RACK] = spots - holders.total()
        total *= factorial(spots) // prod(factorial(count) for count in holders.values())
    return total


def _keeps_joker_rule(
    book: RuleBook, before: Table, after: Table, origin: dict[tuple[int, int], int]
) -> bool:
    joker = box_of(book).joker
    for new, faces in enumerate(after):
        if not is_set(book, faces):
            continue
        here = [(origin[new, index], face) for index, face in enumerate(faces)]
        for own, face in here:
            if face != joker or own == RACK:
                continue
            together = tuple(f for old, f in here if old == own)
            if is_set(book, together):
                continue  # R19: what still lies together of its old set is a set; the joker was not freed.
            for old, tiles in enumerate(before):
                if old != own and Counter(f for o, f in here if o == old) == Counter(tiles):
                    return False  # R20: an old set lies in the new one unbroken.
    return True


def sets_of(book: RuleBook, held: Counter[Face]) -> list[Faces]:
    """Every legal set that these tiles can make, by trying every handful of them; sorted, each once.

    A handful is given up only when its numbered tiles share neither number nor colour, or repeat a tile.
    """
    kinds = sorted(held)
    box = box_of(book)
    found: list[Faces] = []

    def grow(start: int, chosen: Faces) -> None:
        numbered = [plain(box, face) for face in chosen if face != box.joker]
        alike = len({c for c, _ in numbered}) <= 1 or len({n for _, n in numbered}) <= 1
        if not alike or len(set(numbered)) < len(numbered):
            return
        if chosen and is_set(book, chosen):
            found.append(chosen)
        for index in range(start, len(kinds)):
            if chosen.count(kinds[index]) < held[kinds[index]]:
                grow(index, (*chosen, kinds[index]))

    grow(0, ())
    return found


def all_tables(book: RuleBook, must: Counter[Face], may: Counter[Face]) -> Iterator[Table]:
    """Every table of legal sets that holds all `must` tiles and any `may` tiles; each once, sorted."""
    sets = sets_of(book, must + may)

    def extend(start: int, held: Counter[Face], chosen: Table) -> Iterator[Table]:
        used = Counter(face for faces in chosen for face in faces)
        if all(used[face] >= count for face, count in must.items()):
            yield chosen
        for index in range(start, len(sets)):
            needed = Counter(sets[index])
            if all(held[face] >= count for face, count in needed.items()):
                yield from extend(index, held - needed, (*chosen, sets[index]))

    yield from extend(0, must + may, ())


def best_opening(book: RuleBook, rack: Sequence[Face]) -> int | None:
    """The most points that disjoint sets from this rack can count, a run among them where one is required.

    None if there is no such meld at all.
    """
    sets = [
        (Counter(faces), worth(book, faces), any(meaning.run for meaning in readings(book, faces)))
        for faces in sets_of(book, Counter(rack))
    ]

    @cache
    def best(left: Faces, start: int, run: bool) -> int | None:
        """What the sets from `start` on can still add; None if the run that is required cannot be had."""
        have = Counter(left)
        most = 0 if run else None
        for index in range(start, len(sets)):
            needed, points, is_run = sets[index]
            if any(have[face] < count for face, count in needed.items()):
                continue
            rest = best(tuple(sorted((have - needed).elements())), index, run or is_run)
            if rest is not None and (most is None or points + rest > most):
                most = points + rest
        return most

    return best(tuple(sorted(rack)), 0, not book.opening.run_required) or None
