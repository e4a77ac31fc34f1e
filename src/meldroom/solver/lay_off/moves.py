"""What can be done in a laying-off turn: new melds within a rack, and every way to change a meld (R53–R57).

The numbered tiles of a rack are bits, copies of a face side by side. Equal tiles are used in their order, so
that no two combinations of bits mean the same tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed
from meldroom.rules.sets import Reading
from meldroom.rules.verify import FaceSet, set_points
from meldroom.solver.errors import TooLargeError
from meldroom.tiles import Face

Item = TypeVar("Item")
MOST_COMBINATIONS = 100_000


class NewMeld(NamedTuple):
    """A legal set from the rack: its numbered tiles, the copies before them that must be gone, its jokers.

    `value` is what it counts towards going on board; `faces` are in the order of a run if it can be one,
    jokers filling gaps first, then the high end.
    """

    mask: int
    earlier: int
    jokers: int
    value: int
    run: bool
    faces: FaceSet


class Way(NamedTuple):
    """One way to change a meld on the table: rack tiles used, jokers claimed from it, jokers added to it.

    `gain` is what it changes in front of the player, claimed jokers not counted until they are laid (R60).
    `adds` tells whether anything was added rather than exchanged.
    """

    mask: int
    earlier: int
    claims: int
    jokers: int
    gain: int
    adds: bool
    faces: FaceSet


class Holding:
    """A rack: its numbered tiles as bits in order of their faces, and its jokers."""

    def __init__(self, book: RuleBook, rack: Sequence[Face]) -> None:
        joker = book.tiles.joker
        self.faces = sorted(face for face in rack if face != joker)
        self.jokers = len(rack) - len(self.faces)
        self.full = (1 << len(self.faces)) - 1
        # For each face its copies: the bit of each, and the bits of the copies before it.
        self.copies: dict[Face, list[tuple[int, int]]] = {}
        for place, face in enumerate(self.faces):
            before = self.copies.setdefault(face, [])
            before.append((1 << place, sum(bit for bit, _ in before)))

    def placed(self, faces: Sequence[Face]) -> list[tuple[int, int]]:
        """The bits these different faces can be, each with the copies that must be used before them."""
        ways = [(0, 0)]
        for face in faces:
            copies = self.copies[face]
            if len(copies) == 1:
                bit = copies[0][0]
                ways = [(mask | bit, earlier) for mask, earlier in ways]
            else:
                ways = [(mask | bit, earlier | prior) for mask, earlier in ways for bit, prior in copies]
        return ways


def new_melds(book: RuleBook, held: Holding, jokers: int) -> list[NewMeld]:
    """The melds that can be made from a rack with so many jokers at hand.

    Melds that fall into two shorter ones are left out: the same tiles can be laid without them.
    """
    shortest = book.sets.shortest
    longest = 2 * shortest - 1 if jokers < shortest else max(book.reader.top, len(book.tiles.colours))
    made: dict[tuple[FaceSet, int], tuple[bool, FaceSet]] = {}
    for natural, faces in _within_reason(_runs(book, held, jokers, longest)):
        made[natural, len(faces) - len(natural)] = (True, faces)
    for natural, faces in _within_reason(_groups(book, held, jokers, longest)):
        made.setdefault((natural, len(faces) - len(natural)), (False, faces))
    found: list[NewMeld] = []
    for (natural, wild), (run, faces) in made.items():
        value = set_points(book, faces)
        found.extend(NewMeld(m, earlier, wild, value, run, faces) for m, earlier in held.placed(natural))
    return found


def _within_reason(every: Iterator[Item]) -> Iterator[Item]:
    """The same things. Raises TooLargeError if they are too many, as with a rack full of jokers."""
    for count, item in enumerate(every):
        if count > MOST_COMBINATIONS:
            raise TooLargeError("combinations", "rack", count=MOST_COMBINATIONS)
        yield item


def _runs(book: RuleBook, held: Holding, jokers: int, longest: int) -> Iterator[tuple[FaceSet, FaceSet]]:
    """Runs as their numbered tiles and the whole in order; a joker may stand even for a tile that is held."""
    reader, tiles = book.reader, book.tiles
    for colour in range(len(tiles.colours)):
        numbers = [*range(1, tiles.numbers + 1), 1][: reader.top]
        stands = [tiles.face(colour, number) for number in numbers]
        present = [face in held.copies for face in stands]
        if not any(present):
            continue
        for low in range(1, reader.top + 1):
            here: list[Face] = []
            for high in range(low, min(low + longest - 1, reader.top) + 1):
                if present[high - 1]:
                    here.append(stands[high - 1])
                missing = high - low + 1 - len(here)
                if missing > jokers or not reader.allowed(low, high):
                    break
                if high - low + 1 < reader.shortest:
                    continue
                for dropped in range(min(jokers - missing, len(here) - 1) + 1):
                    for natural in combinations(here, len(here) - dropped):
                        span = stands[low - 1 : high]
                        yield natural, tuple([face if face in natural else tiles.joker for face in span])


def _groups(book: RuleBook, held: Holding, jokers: int, longest: int) -> Iterator[tuple[FaceSet, FaceSet]]:
    """Groups as their numbered tiles and the whole."""
    tiles, shortest = book.tiles, book.sets.shortest
    most = min(longest, len(tiles.colours))
    by_number: dict[int, list[Face]] = {}
    for face in held.copies:
        by_number.setdefault(tiles.number_of[face], []).append(face)
    for same in by_number.values():
        for size in range(max(1, shortest - jokers), min(len(same), most) + 1):
            for natural in combinations(same, size):
                for wild in range(max(0, shortest - size), min(jokers, most - size) + 1):
                    yield natural, natural + (tiles.joker,) * wild


def claimable(book: RuleBook, held: Holding, melds: Sequence[Exposed]) -> int:
    """The most jokers that the rack's tiles could claim from the table."""
    count = 0
    for meld in melds:
        if book.tiles.joker not in meld.faces:
            continue
        count += max((_claimable_under(book, held, meld, reading) for reading in meld.readings), default=0)
    return count


def _claimable_under(book: RuleBook, held: Holding, meld: Exposed, reading: Reading) -> int:
    if reading.is_run:
        return len(_claimable_places(book, held, meld, reading))
    return min(meld.faces.count(book.tiles.joker), len(_missing(book, held, meld, reading)))


def _claimable_places(
    book: RuleBook, held: Holding, meld: Exposed, reading: Reading
) -> list[tuple[int, Face]]:
    """The jokers of a run that can be claimed: where each lies, and the tile it stands for (R57)."""
    stands = book.reader.faces_of(reading, meld.faces)
    if stands is None:
        return []
    joker = book.tiles.joker
    return [(i, stands[i]) for i, face in enumerate(meld.faces) if face == joker and stands[i] in held.copies]


def _missing(book: RuleBook, held: Holding, meld: Exposed, reading: Reading) -> list[Face]:
    """The held tiles of a group's missing colours."""
    every = (book.tiles.face(colour, reading.low) for colour in range(len(book.tiles.colours)))
    return [face for face in every if face in held.copies and face not in meld.faces]


class _Change(NamedTuple):
    """A way before its tiles have bits: tiles given for jokers, tiles and jokers added, the result."""

    given: FaceSet
    mine: int
    added: FaceSet
    jokers: int
    faces: FaceSet


def ways_to_change(
    book: RuleBook, held: Holding, meld: Exposed, mine: Sequence[bool], jokers: int
) -> list[Way]:
    """Every way to change a meld with a rack and so many jokers; of ways that use the same, the best one.

    `mine` says for each tile of the meld whether it counts in front of the player.
    """
    found: dict[tuple[frozenset[Face], int, int], tuple[int, _Change]] = {}
    values, wild = book.values, book.values[book.tiles.joker]
    for reading in meld.readings:
        changes = _run_changes if reading.is_run else _group_changes
        for change in _within_reason(changes(book, held, meld, reading, mine, jokers)):
            gain = sum([values[face] for face in change.added]) + wild * change.jokers
            gain += sum([values[face] - wild for face in change.given[: change.mine]])
            key = (frozenset(change.given + change.added), len(change.given), change.jokers)
            if key not in found or gain > found[key][0]:
                found[key] = (gain, change)
    ways = []
    for (faces, claims, added_jokers), (gain, change) in found.items():
        adds = bool(change.added or change.jokers)
        for mask, earlier in held.placed(sorted(faces)):
            ways.append(Way(mask, earlier, claims, added_jokers, gain, adds, change.faces))
    return ways


def _run_changes(
    book: RuleBook, held: Holding, meld: Exposed, reading: Reading, mine: Sequence[bool], jokers: int
) -> Iterator[_Change]:
    """A run lengthened at its ends, jokers claimed with the very tile they stand for (R56, R57)."""
    reader = book.reader
    if reader.faces_of(reading, meld.faces) is None:
        return
    low, high = reading.low, reading.high
    downwards = _outwards(book, held, reading, range(low - 1, 0, -1), jokers)
    upwards = _outwards(book, held, reading, range(high + 1, reader.top + 1), jokers)
    exchanges = list(_exchanges(_claimable_places(book, held, meld, reading), mine))
    if len(downwards) == len(upwards) == len(exchanges) == 1:
        return
    joker = book.tiles.joker
    for down in downwards:
        for up in upwards:
            added = down[::-1] + up
            wild = added.count(joker)
            if wild > jokers or not reader.allowed(low - len(down), high + len(up)):
                continue
            natural = tuple([face for face in added if face != joker])
            for places, given, own in exchanges:
                if added or given:
                    inner = list(meld.faces)
                    for place, face in zip(places, given, strict=True):
                        inner[place] = face
                    yield _Change(given, own, natural, wild, down[::-1] + tuple(inner) + up)


def _outwards(book: RuleBook, held: Holding, reading: Reading, places: range, jokers: int) -> list[FaceSet]:
    """What can be laid at one end of a run, from the run outwards; nothing comes first."""
    tiles = book.tiles
    found: list[FaceSet] = [()]
    longest: list[tuple[FaceSet, int]] = [((), jokers)]
    for place in places:
        if not book.reader.allowed(min(place, reading.low), max(place, reading.high)):
            break
        face = tiles.face(reading.colour, place if place <= tiles.numbers else 1)
        longer = [((*laid, face), left) for laid, left in longest] if face in held.copies else []
        longer += [((*laid, tiles.joker), left - 1) for laid, left in longest if left]
        if not longer:
            break
        if len(found) + len(longer) > MOST_COMBINATIONS:
            raise TooLargeError("lengthen", "rack")
        found.extend(laid for laid, _ in longer)
        longest = longer
    return found


def _exchanges(
    claims: list[tuple[int, Face]], mine: Sequence[bool]
) -> Iterator[tuple[tuple[int, ...], FaceSet, int]]:
    """Every choice of jokers to claim: places, tiles given, how many (the first) count as the player's."""
    ordered = sorted(claims, key=lambda claim: not mine[claim[0]])
    for count in range(len(ordered) + 1):
        for chosen in combinations(ordered, count):
            own = sum(mine[place] for place, _ in chosen)
            yield tuple(place for place, _ in chosen), tuple(face for _, face in chosen), own


def _group_changes(
    book: RuleBook, held: Holding, meld: Exposed, reading: Reading, mine: Sequence[bool], jokers: int
) -> Iterator[_Change]:
    """A group that gains colours or jokers, or whose jokers are claimed with missing colours (R56).

    A tile given for a joker that is put back into the same group is just a tile added.
    """
    joker = book.tiles.joker
    missing = _missing(book, held, meld, reading)
    places = [i for i, face in enumerate(meld.faces) if face == joker]
    room = len(book.tiles.colours) - len(meld.faces)
    for size in range(len(missing) + 1):
        for chosen in combinations(missing, size):
            for claims in range(max(0, size - room), min(size, len(places)) + 1):
                inner = list(meld.faces)
                for place, face in zip(places[:claims], chosen, strict=False):
                    inner[place] = face
                own = sum(mine[place] for place in places[:claims])
                added = chosen[claims:]
                most = 0 if claims else min(jokers, room - size)
                for wild in range(most + 1):
                    if chosen or wild:
                        yield _Change(chosen[:claims], own, added, wild, (*inner, *added, *(joker,) * wild))
