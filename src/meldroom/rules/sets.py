"""What a legal set is and what its jokers may stand for (R2, R10, R11, R53)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from meldroom.tiles import Face, TileSet

SetFault = Literal[
    "loose",
    "jokers_only",
    "same_colour",
    "too_many",
    "one_after_highest",
    "mixed",
    "gap",
    "duplicate",
    "no_room",
]

CACHE_LIMIT = 200_000


class Reading(msgspec.Struct, frozen=True, gc=False):
    """One way to read a set: a group of one number, or a run from `low` to `high`.

    In a run, place `numbers + 1` is the 1 above the highest number (Rummy-O).
    """

    kind: Literal["group", "run"]
    low: int
    high: int
    colour: int

    @property
    def is_run(self) -> bool:
        """True for a run."""
        return self.kind == "run"


class SetReader:
    """Reads sets of one tile set under one definition of run and group. Answers are remembered."""

    def __init__(self, tiles: TileSet, shortest: int, one_after_highest: bool) -> None:
        self.tiles = tiles
        self.shortest = shortest
        self.top = tiles.numbers + 1 if one_after_highest else tiles.numbers
        self.wraps = one_after_highest
        self._legal: dict[tuple[Face, ...], bool] = {}
        self._values: dict[tuple[Face, ...], int] = {}

    def is_set(self, faces: tuple[Face, ...]) -> bool:
        """True if these faces, in any order, form a legal set."""
        known = self._legal.get(faces)
        if known is None:
            if len(self._legal) > CACHE_LIMIT:
                self._legal.clear()
            known = self._legal[faces] = bool(self.readings(faces))
        return known

    def are_sets(self, table: Sequence[tuple[Face, ...]]) -> bool:
        """True if all of these are legal sets."""
        return all(map(self._legal.get, table)) or all(map(self.is_set, table))

    def readings(self, faces: Sequence[Face]) -> tuple[Reading, ...]:
        """Every way to read these faces, in any order, as a legal set; empty if there is none."""
        joker = self.tiles.joker
        natural = [face for face in faces if face != joker]
        if len(faces) < self.shortest or not natural:
            return ()
        numbers = [self.tiles.number_of[face] for face in natural]
        colours = {self.tiles.colour_of[face] for face in natural}
        found: list[Reading] = []
        if len(set(numbers)) == 1 and len(colours) == len(natural) and len(faces) <= len(self.tiles.colours):
            found.append(Reading("group", numbers[0], numbers[0], -1))
        if len(colours) == 1 and len(set(numbers)) == len(natural):
            colour = colours.pop()
            found.extend(Reading("run", low, high, colour) for low, high in self._spans(numbers, len(faces)))
        return tuple(found)

    def _spans(self, numbers: list[int], length: int) -> list[tuple[int, int]]:
        """The places a run of this length may cover so that it holds all these numbers."""
        spans = []
        for low in range(1, self.top - length + 2):
            high = low + length - 1
            if self.allowed(low, high) and all(
                low <= n <= high or (n == 1 and high > self.tiles.numbers) for n in numbers
            ):
                spans.append((low, high))
        return spans

    def allowed(self, low: int, high: int) -> bool:
        """True if a run may cover the places low to high (R53: a 1 never meets both a 2 and a 13)."""
        if not 1 <= low <= high <= self.top:
            return False
        if not self.wraps:
            return True
        return not (low == 1 and high >= self.tiles.numbers) and not (high > self.tiles.numbers and low <= 2)

    def represented(self, faces: tuple[Face, ...]) -> int:
        """The most points a legal set can count when each joker counts the number it stands for (R9, R10)."""
        known = self._values.get(faces)
        if known is None:
            if len(self._values) > CACHE_LIMIT:
                self._values.clear()
            known = max((self.worth(reading, len(faces)) for reading in self.readings(faces)), default=0)
            self._values[faces] = known
        return known

    def worth(self, reading: Reading, length: int) -> int:
        """The sum of the numbers of a reading."""
        if reading.kind == "group":
            return reading.low * length
        places = range(reading.low, reading.high + 1)
        return sum(1 if place > self.tiles.numbers else place for place in places)

    def faces_of(self, reading: Reading, faces: Sequence[Face]) -> tuple[Face, ...] | None:
        """What each tile of a set stands for under a reading, in the order given.

        None if the order given does not fit the reading of a run.
        """
        joker = self.tiles.joker
        if reading.kind == "group":
            return tuple(face if face != joker else joker for face in faces)
        meant = []
        for place, face in zip(range(reading.low, reading.high + 1), faces, strict=True):
            number = 1 if place > self.tiles.numbers else place
            stands = self.tiles.face(reading.colour, number)
            if face not in (stands, joker):
                return None
            meant.append(stands)
        return tuple(meant)

    def written(self, faces: Sequence[Face]) -> tuple[Reading, ...]:
        """The readings that agree with the order in which the faces are written, a run first.

        If the order fits no run, readings of the set in any order are given (a careless writer).
        """
        every = self.readings(faces)
        runs = tuple(r for r in every if r.is_run and self.faces_of(r, faces) is not None)
        groups = tuple(r for r in every if not r.is_run)
        return runs + groups if runs or groups else every

    def arranged(self, reading: Reading, faces: Sequence[Face]) -> tuple[Face, ...]:
        """The faces of a set in the order of a reading: runs rising, jokers in place; groups by colour."""
        joker = self.tiles.joker
        if reading.kind == "group":
            return tuple(sorted(faces))
        natural = set(faces) - {joker}
        order = []
        for place in range(reading.low, reading.high + 1):
            stands = self.tiles.face(reading.colour, 1 if place > self.tiles.numbers else place)
            order.append(stands if stands in natural else joker)
        return tuple(order)

    def _clash(self, natural: Sequence[Face]) -> SetFault | None:
        """Why no further tile can make a set of these numbered ones; None if some could."""
        if len(set(natural)) < len(natural):
            return (
                "same_colour" if len({self.tiles.number_of[face] for face in natural}) == 1 else "duplicate"
            )
        numbers = {self.tiles.number_of[face] for face in natural}
        colours = {self.tiles.colour_of[face] for face in natural}
        return "mixed" if len(numbers) > 1 and len(colours) > 1 else None

    def fault(self, faces: Sequence[Face]) -> SetFault | None:
        """Why these faces are no set; None if they are one."""
        if self.readings(faces):
            return None
        joker = self.tiles.joker
        natural = [face for face in faces if face != joker]
        if len(faces) < self.shortest:
            return self._clash(natural) or "loose"
        if not natural:
            return "jokers_only"
        numbers = [self.tiles.number_of[face] for face in natural]
        colours = [self.tiles.colour_of[face] for face in natural]
        if len(set(numbers)) == 1:
            return "same_colour" if len(set(colours)) < len(colours) else "too_many"
        if len(set(colours)) > 1:
            return "mixed"
        if len(set(numbers)) < len(numbers):
            return "duplicate"
        if 1 in numbers and self.tiles.numbers in numbers:
            return "one_after_highest"
        return "gap" if max(numbers) - min(numbers) >= len(faces) else "no_room"
