"""What a policy sees: a view, and what its seat has chosen so far in its turn, as one array of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from meldroom.env.codecs.codec import Decision, Stage
from meldroom.game.state import Meld
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.tiles import Face, Tile

STAGES: tuple[Stage, ...] = ("turn", "opening_discard", "take", "play", "discard")
MELD_FACTS = ("run", "low", "high")

Array = NDArray[np.float32]


class Part(msgspec.Struct, frozen=True):
    """A stretch of the observation: its name, shape, first place, and the most each number can be."""

    name: str
    shape: tuple[int, ...]
    start: int
    most: int

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return int(np.prod(self.shape))

    @property
    def end(self) -> int:
        """The place after its last number."""
        return self.start + self.size


class Observer:
    """The observation for one book and one table size. Seats are counted from the viewer's own, clockwise."""

    def __init__(self, book: RuleBook, players: int, turn_limit: int) -> None:
        self.book, self.players = book, players
        self.faces = book.tiles.joker + 1
        self.sets = max(1, book.tiles.size // book.sets.shortest)
        self.parts: dict[str, Part] = {}
        self.size = 0
        self._lay_out(turn_limit)
        self.high = np.ones(self.size, np.float32)
        for part in self.parts.values():
            self.high[part.start : part.end] = part.most

    def _lay_out(self, turn_limit: int) -> None:
        """The parts in their order; a change here is a new OBSERVATION_VERSION."""
        book, tiles, players = self.book, self.book.tiles, self.players
        most = max(tiles.limits)
        for name in ("rack", "chosen", "drawn", "table", "unseen"):
            self._part(name, (self.faces,), most)
        self._part("sets", (self.sets, self.faces), most)
        if book.family == "laying_off":
            self._part("discards", (self.faces,), most)
            self._part("last_discard", (self.faces,), 1)
            self._part("meld_facts", (self.sets, len(MELD_FACTS)), tiles.numbers + 1)
            self._part("meld_owner", (self.sets, players), 1)
            self._part("in_front", (players, self.faces), most)
        self._part("rack_sizes", (players,), tiles.size)
        self._part("pool_size", (1,), tiles.size)
        self._part("melded", (players,), 1)
        self._part("to_move", (players,), 1)
        self._part("starter", (players,), 1)
        self._part("turns", (players,), turn_limit + players)
        self._part("final_turn", (players,), 1)
        self._part("exhausted", (1,), 1)
        self._part("passes", (1,), players)
        self._part("reshuffles", (1,), max(1, book.pool_end.reshuffles))
        self._part("stage", (len(STAGES),), 1)

    def _part(self, name: str, shape: tuple[int, ...], most: int) -> None:
        part = Part(name, shape, self.size, max(1, most))
        self.parts[name] = part
        self.size = part.end

    def observe(self, view: View, decision: Decision | None = None) -> Array:
        """The array for a view; `decision` is the viewer's own, if it is to move."""
        seen = np.zeros(self.size, np.float32)
        parts = self.split(seen)
        me = view.own_seat
        self._count(parts["rack"], view.rack)
        self._count(parts["drawn"], view.drawn)
        if view.melds:
            self._melds(parts, view.melds, me)
        else:
            self._rows(parts["sets"], sorted([tuple(sorted(self._faces(tiles))) for tiles in view.table]))
        parts["table"][:] = parts["sets"].sum(axis=0)
        parts["unseen"][:] = np.asarray(self.book.tiles.limits, np.float32) - parts["rack"] - parts["table"]
        if self.book.family == "laying_off":
            self._count(parts["discards"], view.discards)
            self._count(parts["last_discard"], view.discards[-1:])
            parts["unseen"] -= parts["discards"]
        if decision is not None:
            for face in decision.chosen:
                parts["chosen"][face] += 1
            parts["stage"][STAGES.index(decision.stage)] = 1
        self._table_talk(parts, view, me)
        return seen

    def split(self, seen: Array) -> dict[str, Array]:
        """The parts of an observation by name, as views into it."""
        return {name: seen[p.start : p.end].reshape(p.shape) for name, p in self.parts.items()}

    def _table_talk(self, parts: dict[str, Array], view: View, me: int) -> None:
        """What everybody knows about the seats, in the viewer's order."""
        order = [(me + step) % self.players for step in range(self.players)]
        parts["rack_sizes"][:] = [view.rack_sizes[seat] for seat in order]
        parts["pool_size"][0] = view.pool_size
        parts["melded"][:] = [view.melded[seat] for seat in order]
        parts["to_move"][:] = [view.seat == seat and view.phase != "over" for seat in order]
        parts["starter"][:] = [view.starter == seat for seat in order]
        parts["turns"][:] = [view.turns[seat] for seat in order]
        parts["final_turn"][:] = [seat in (view.queue or ()) for seat in order]
        parts["exhausted"][0] = view.exhausted
        parts["passes"][0] = view.passes
        parts["reshuffles"][0] = view.reshuffles

    def _melds(self, parts: dict[str, Array], melds: Sequence[Meld], me: int) -> None:
        """Melds of a laying-off book, in an order that does not depend on when they were laid."""

        def order(meld: Meld) -> tuple[object, ...]:
            reading = meld.reading
            return self._from_me(meld.owner, me), reading.kind, reading.low, reading.high, reading.colour

        ordered = sorted(melds, key=lambda meld: (order(meld), self._faces(meld.tiles)))
        self._rows(parts["sets"], [self._faces(meld.tiles) for meld in ordered])
        for row, meld in enumerate(ordered):
            reading = meld.reading
            parts["meld_facts"][row] = (reading.is_run, reading.low, reading.high)
            parts["meld_owner"][row, self._from_me(meld.owner, me)] = 1
            for tile, holder in zip(meld.tiles, meld.holders, strict=True):
                parts["in_front"][self._from_me(holder, me), self.book.tiles.face_of[tile]] += 1

    def _from_me(self, seat: int, me: int) -> int:
        return (seat - me) % self.players

    def _faces(self, tiles: Iterable[Tile]) -> tuple[Face, ...]:
        face_of = self.book.tiles.face_of
        return tuple([face_of[tile] for tile in tiles])

    def _count(self, counts: Array, tiles: Iterable[Tile]) -> None:
        for face in self._faces(tiles):
            counts[face] += 1

    def _rows(self, rows: Array, sets: Iterable[Sequence[Face]]) -> None:
        for row, faces in zip(rows, sets, strict=False):
            for face in faces:
                row[face] += 1
