"""Movements on masks written out as movements of tiles, each set as people write it."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.rules.sets import Reading, SetReader
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.explanation import movements as hands
from meldroom.solver.explanation.candidates import Act, Mask
from meldroom.solver.explanation.matching import Linked
from meldroom.solver.explanation.movements import Movement, Shape
from meldroom.tiles import Face


class Writer:
    """Writes the movements of one exchange, in order."""

    def __init__(self, reader: SetReader, link: Linked, old: FaceTable, new: FaceTable) -> None:
        self.reader = reader
        self.faces = link.exchange.faces
        self.written = {mask: old[i] for mask, i in zip(link.exchange.homes, link.old, strict=True)}
        self.goals = {mask: new[i] for mask, i in zip(link.exchange.goals, link.new, strict=True)}

    def movement(self, act: Act) -> Movement:
        """The movement that an act is."""
        gone = [self.written[mask] for mask in act.gone]
        made = [self._write(mask, act.gone) for mask in act.made]
        order = [face for faces in (*made, *gone) for face in faces]
        hand, rack, freed = (self._tiles(mask, order) for mask in (act.hand, act.rack, act.freed))
        match act.kind:
            case "lay":
                return hands.Lay(made[0], self._shape(made[0]))
            case "build":
                return hands.Build(made[0], self._shape(made[0]), hand, rack)
            case "extend":
                return hands.Extend(gone[0], made[0], rack, hand)
            case "take":
                if set(freed) == {self.reader.tiles.joker}:
                    return hands.LiftJoker(gone[0], freed, made[0])
                return hands.TakeFrom(gone[0], freed, made[0], self._shape(gone[0]))
            case "swap":
                return hands.SwapJoker(gone[0], freed[0], made[0], rack, hand)
            case "split":
                left, right = sorted(made, key=self._place)
                return hands.Split(gone[0], left, right, rack, hand, freed)
            case "join":
                left, right = sorted(gone, key=self._place)
                return hands.Join(left, right, made[0], rack, hand)
            case "move":
                moved = self._tiles(act.gone[0] & ~act.made[0], gone[0])
                return hands.MoveTiles(gone[0], moved, made[0], gone[1], made[1])
            case "break":
                return hands.BreakUp(gone[0])

    def _tiles(self, mask: Mask, order: Sequence[Face] = ()) -> FaceSet:
        """The faces of some tiles, as they follow each other in `order` if it is given."""
        faces = sorted(face for bit, face in enumerate(self.faces) if mask >> bit & 1)
        return tuple(sorted(faces, key=order.index) if order else faces)

    def _write(self, mask: Mask, gone: tuple[Mask, ...]) -> FaceSet:
        """A set as it will be written in the end, else as near as can be to the set it comes from."""
        if mask not in self.written or mask in self.goals:
            parent = next((self.written[each] for each in gone if each & mask), None)
            self.written[mask] = self.goals.get(mask) or self._arranged(self._tiles(mask), parent)
        return self.written[mask]

    def _arranged(self, faces: FaceSet, parent: FaceSet | None) -> FaceSet:
        readings = self.reader.readings(faces)
        if parent is None:
            return self.reader.arranged(readings[-1], faces)
        like = self.reader.written(parent)[0]
        return self.reader.arranged(max(readings, key=lambda reading: _nearness(reading, like)), faces)

    def _shape(self, faces: FaceSet) -> Shape:
        return self.reader.written(faces)[0].kind

    def _place(self, faces: FaceSet) -> tuple[int, FaceSet]:
        return self.reader.written(faces)[0].low, faces


def _nearness(reading: Reading, like: Reading) -> tuple[bool, int, int]:
    overlap = min(reading.high, like.high) - max(reading.low, like.low)
    return reading.kind == like.kind, overlap, reading.low
