"""What is the best first meld on a rack? Exact, for the ruling between the two charges (R43, R44)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.opening import opening, sets_within
from meldroom.rules.verify import FaceSet, FaceTable, set_points
from meldroom.tiles import Face

MOST_SEARCHED = 32
"""Tiles of a rack whose best meld is found within a second, whichever they are."""


class Meld(msgspec.Struct, frozen=True):
    """Sets laid from one rack, in the order they read best, and what they count towards the opening."""

    sets: FaceTable
    points: int
    opens: bool
    """Whether this is enough to enter the game."""


class _Choice(msgspec.Struct, frozen=True):
    """A set that could be laid: the tiles it needs as digits, its worth, and whether it is a run."""

    need: int
    worth: int
    run: bool
    faces: FaceSet


def best_meld(book: RuleBook, rack: Sequence[Face]) -> Meld:
    """The meld from this rack alone that counts most; without any set, an empty one of 0 points.

    Where the book asks for a run, a meld with one comes before every meld without.

    >>> from meldroom.rules.library import book
    >>> from meldroom.tiles import parse_set
    >>> wrc11 = book("wrc11")
    >>> found = best_meld(wrc11, parse_set("R9 B9 * K1 K2 O13", wrc11.tiles))
    >>> [wrc11.tiles.faces_text(faces) for faces in found.sets], found.points, found.opens
    (['R9 B9 *'], 27, False)
    """
    search = _Best(book, tuple(sorted(rack)))
    (run, points), chosen = search.best()
    enough = points >= book.opening.points and (run or not book.opening.run_required) and bool(chosen)
    return Meld(tuple(sorted((_readable(book, faces) for faces in chosen), key=len)), points, enough)


def proof_meld(book: RuleBook, rack: Sequence[Face]) -> Meld:
    """The best meld of a rack; of so many tiles that the best would take minutes, one that opens."""
    found = opening(book, rack) if len(rack) > MOST_SEARCHED else None
    if found is None:
        return best_meld(book, rack)
    return Meld(tuple(_readable(book, faces) for faces in found.sets), found.points, opens=True)


class _Best:
    """Every way to lay sets, the lowest number first; what is left of a rack is remembered by its digits."""

    def __init__(self, book: RuleBook, held: FaceSet) -> None:
        self.book = book
        tiles = book.tiles
        natural = sorted({f for f in held if f != tiles.joker}, key=lambda f: (tiles.number_of[f], f))
        self.bits = len(held).bit_length() + 1  # one more, which stays free to catch a digit below zero
        self.digit = {face: place * self.bits for place, face in enumerate([*natural, tiles.joker])}
        self.joker = self.digit[tiles.joker]
        self.guard = sum(1 << (shift + self.bits - 1) for shift in self.digit.values())
        self.state = sum(held.count(face) << shift for face, shift in self.digit.items())
        self.first: list[list[_Choice]] = [[] for _ in natural]
        for faces in {tuple(sorted(each)) for each in sets_within(book.reader, held, every_length=False)}:
            self._offer(faces)
        for choices in self.first:
            choices.sort(key=lambda each: (-each.worth, each.faces))
        self.known: dict[tuple[int, bool], tuple[tuple[bool, int], _Choice | None, int]] = {}

    def _offer(self, faces: FaceSet) -> None:
        """Keep a set under the lowest of its numbered tiles."""
        need = sum(1 << self.digit[face] for face in faces)
        place = min(self.digit[face] for face in faces if face != self.book.tiles.joker) // self.bits
        run = self.book.opening.run_required and any(r.is_run for r in self.book.reader.readings(faces))
        self.first[place].append(_Choice(need, set_points(self.book, faces), run, faces))

    def best(self) -> tuple[tuple[bool, int], list[FaceSet]]:
        """The most that can be laid, and the sets."""
        run = not self.book.opening.run_required
        most = self._from(self.state, run)
        chosen: list[FaceSet] = []
        state = self.state
        while (found := self.known.get((state, run))) is not None:
            _, choice, state = found
            if choice is not None:
                chosen.append(choice.faces)
                run = run or choice.run
        return most, chosen

    def _from(self, state: int, run: bool) -> tuple[bool, int]:
        """The best that can still be added: whether there is a run then, and the points."""
        lowest = (state & -state).bit_length() - 1
        if lowest < 0 or lowest >= self.joker:
            return run, 0
        key = (state, run)
        if (known := self.known.get(key)) is not None:
            return known[0]
        place = lowest // self.bits
        without = state & ~(((1 << self.bits) - 1) << (place * self.bits))
        best, chosen, left = self._from(without, run), None, without
        for choice in self.first[place]:
            if ((state | self.guard) - choice.need) & self.guard == self.guard:
                has_run, points = self._from(state - choice.need, run or choice.run)
                if (has_run, points + choice.worth) > best:
                    best, chosen, left = (has_run, points + choice.worth), choice, state - choice.need
        self.known[key] = (best, chosen, left)
        return best


def _readable(book: RuleBook, faces: FaceSet) -> FaceSet:
    """A set in the order people lay it, jokers in their best place."""
    reader = book.reader
    reading = max(reader.readings(faces), key=lambda each: reader.worth(each, len(faces)))
    return reader.arranged(reading, faces)
