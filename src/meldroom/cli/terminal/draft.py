"""A draft: where every tile would lie if the turn ended now. It is a value; each change gives a new one.

No tile is ever lost or doubled: those of the table stay on it, those of the rack are laid or not. Whether the
result is legal is not asked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from meldroom.cli.terminal.set_order import (
    in_reading,
    ordered,
    parted,
    places_of,
    reading_of,
    steady,
)
from meldroom.errors import MeldroomError
from meldroom.game.actions import Discard, Lay, MeldPlay, Play
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.sets import Reading
from meldroom.tiles import Tile


class DraftError(MeldroomError, ValueError):
    """A change that cannot be made. The draft is as it was."""

    domain = "terminal.draft"


class DraftSet(msgspec.Struct, frozen=True):
    """A set of a draft, legal or not. `owner` and `kind` are those of a laying-off book's melds."""

    tiles: tuple[Tile, ...]
    owner: int | None = None
    kind: Literal["run", "group"] | None = None


class Draft(msgspec.Struct, frozen=True):
    """The table as it was and as it shall be, and the rack as it was.

    Under a laying-off book the old melds keep their places in the list, and only jokers leave them.
    """

    book: RuleBook
    me: int
    before: tuple[DraftSet, ...]
    held: tuple[Tile, ...]
    sets: tuple[DraftSet, ...]

    @classmethod
    def of(cls, book: RuleBook, view: View, shown: Sequence[Sequence[Tile]] = ()) -> Draft:
        """An untouched draft of the position a player sees; sets stay where they were `shown` before."""
        if book.family == "laying_off":
            sets = tuple(DraftSet(meld.tiles, meld.owner, meld.reading.kind) for meld in view.melds)
        else:
            sets = tuple(DraftSet(_as_read(book, tiles)) for tiles in steady(shown, view.table))
        return cls(book, 0 if view.me is None else view.me, sets, view.rack, sets)

    @property
    def touched(self) -> bool:
        """True if anything lies otherwise than before."""
        return _contents(self.sets) != _contents(self.before)

    @property
    def laid(self) -> tuple[Tile, ...]:
        """Tiles of the rack that lie on the table."""
        held = set(self.held)
        return tuple(tile for each in self.sets for tile in each.tiles if tile in held)

    @property
    def rack(self) -> tuple[Tile, ...]:
        """Tiles still on the rack."""
        laid = set(self.laid)
        return tuple(tile for tile in self.held if tile not in laid)

    def place(self, tile: Tile) -> int | None:
        """The set that holds a tile, None for the rack. Raises DraftError for a tile that is in neither."""
        for index, each in enumerate(self.sets):
            if tile in each.tiles:
                return index
        if tile not in self.held:
            raise DraftError("unknown_tile")
        return None

    # Changes

    def put(self, tiles: Sequence[Tile], index: int) -> Draft:
        """The draft with some tiles in a set, each at the place where it belongs. Raises DraftError."""
        if not 0 <= index < len(self.sets):
            raise DraftError("no_such_set")
        coming = [tile for tile in dict.fromkeys(tiles) if self.place(tile) != index]
        if not coming:
            raise DraftError("already_there" if tiles else "nothing_selected")
        lifted = self._lifted(coming)
        if self._is_old_meld(index):
            return self._claimed(lifted, coming, index)._tidy()
        halves = parted(self.book, (*lifted.sets[index].tiles, *coming)) if len(coming) == 1 else None
        if halves is not None:
            grown = [*lifted.sets]
            grown[index] = replace(grown[index], tiles=halves[0])
            grown.insert(index + 1, replace(grown[index], tiles=halves[1]))
            return replace(lifted, sets=tuple(grown))._tidy()
        return lifted._grown(coming, index)._tidy()

    def new_set(self, tiles: Sequence[Tile]) -> Draft:
        """The draft with some tiles as a set of their own. Raises DraftError."""
        coming = list(dict.fromkeys(tiles))
        if not coming:
            raise DraftError("nothing_selected")
        return self._lifted(coming)._with_own(coming)._tidy()

    def take_back(self, tiles: Iterable[Tile]) -> Draft:
        """The draft with some laid tiles on the rack again. Raises DraftError for tiles of the table."""
        going = [tile for tile in dict.fromkeys(tiles) if self.place(tile) is not None]
        if not going:
            raise DraftError("nothing_to_take_back")
        if not set(going) <= set(self.held):
            raise DraftError("stays_on_table")
        return self._lifted(going)._tidy()

    def split(self, index: int, at: int) -> Draft:
        """The draft with a set cut before one of its tiles. Raises DraftError."""
        if not 0 <= index < len(self.sets):
            raise DraftError("no_such_set")
        if self._is_old_meld(index):
            raise DraftError("meld_is_fixed")
        each = self.sets[index]
        if not 0 < at < len(each.tiles):
            raise DraftError("nothing_to_split")
        parts = (replace(each, tiles=each.tiles[:at]), replace(each, tiles=each.tiles[at:]))
        return replace(self, sets=(*self.sets[:index], *parts, *self.sets[index + 1 :]))

    def read_otherwise(self, index: int) -> Draft:
        """The draft with the next reading of a set with jokers. Raises DraftError if there is no other."""
        if not 0 <= index < len(self.sets):
            raise DraftError("no_such_set")
        each = self.sets[index]
        readings = self.book.reader.readings(self.book.tiles.faces_of(each.tiles))
        if len(readings) < 2 or self._is_old_meld(index):
            raise DraftError("no_other_reading")
        now = reading_of(self.book, each.tiles, each.kind)
        after = readings[((readings.index(now) if now in readings else 0) + 1) % len(readings)]
        places = {tile: after.low + step for step, tile in enumerate(each.tiles)}
        tiles = in_reading(self.book, each.tiles, after, places)
        return self._changed(index, replace(each, tiles=tiles, kind=self._kind(after)))

    def arranged(self, table: Sequence[Sequence[Tile]]) -> Draft:
        """The draft with a whole table, such as a hint's. Raises DraftError if its tiles are others."""
        shown = [each.tiles for each in self.sets]
        sets = tuple(DraftSet(_as_read(self.book, tiles)) for tiles in steady(shown, table) if tiles)
        made = replace(self, sets=sets)
        made._check_tiles()
        return made

    def with_melds(self, melds: Sequence[MeldPlay]) -> Draft:
        """The draft with a hint's melds, old ones first. Raises DraftError if its tiles are others."""
        old = len(self.before)
        made = replace(
            self,
            sets=tuple(
                replace(self.before[index], tiles=meld.tiles)
                if index < old
                else DraftSet(meld.tiles, meld.owner, meld.kind)
                for index, meld in enumerate(melds)
            ),
        )
        made._check_tiles()
        return made

    def _check_tiles(self) -> None:
        """Raises DraftError unless every tile of the table lies there, and others only from the rack."""
        tiles = [tile for each in self.sets for tile in each.tiles]
        old = {tile for each in self.before for tile in each.tiles}
        if len(set(tiles)) < len(tiles) or not old <= set(tiles) <= old | set(self.held):
            raise DraftError("unknown_tile")

    # What it asks for

    def as_lay(self) -> Lay:
        """The whole table as an action of the rearranging books."""
        return Lay(self.me, table=tuple(each.tiles for each in self.sets))

    def as_play(self, discard: Tile) -> Play | Discard:
        """All melds and the discard as an action of a laying-off book."""
        if not self.touched:
            return Discard(self.me, tile=discard)
        old = len(self.before)
        melds = tuple(
            MeldPlay(
                each.tiles,
                self.me if each.owner is None else each.owner,
                each.kind if index >= old and reading_of(self.book, each.tiles) else None,
            )
            for index, each in enumerate(self.sets)
        )
        return Play(self.me, melds=melds, discard=discard)

    # Steps

    def _is_old_meld(self, index: int) -> bool:
        return self.book.family == "laying_off" and index < len(self.before)

    def _changed(self, index: int, each: DraftSet) -> Draft:
        return replace(self, sets=(*self.sets[:index], each, *self.sets[index + 1 :]))

    def _lifted(self, tiles: Iterable[Tile]) -> Draft:
        """Without some tiles; sets that held nothing else are left empty. Raises DraftError."""
        going = set(tiles)
        for tile in going:
            index = self.place(tile)
            fixed = index is not None and self._is_old_meld(index) and tile not in self.held
            if fixed and self.book.tiles.face_of[tile] != self.book.tiles.joker:
                raise DraftError("meld_is_fixed")
        sets = []
        for each in self.sets:
            kept = tuple(tile for tile in each.tiles if tile not in going)
            sets.append(each if len(kept) == len(each.tiles) else replace(each, tiles=kept))
        return replace(self, sets=tuple(sets))

    def _grown(self, tiles: Sequence[Tile], index: int) -> Draft:
        """With lifted tiles put in their places in a set."""
        each = self.sets[index]
        stood = places_of(self.book, each.tiles, reading_of(self.book, each.tiles, each.kind))
        order, reading = ordered(self.book, (*each.tiles, *tiles), stood)
        return self._changed(index, DraftSet(order, each.owner, self._kind(reading)))

    def _with_own(self, tiles: Sequence[Tile]) -> Draft:
        """With lifted tiles as a new set of the player."""
        order, reading = ordered(self.book, tiles)
        owner = self.me if self.book.family == "laying_off" else None
        return replace(self, sets=(*self.sets, DraftSet(order, owner, self._kind(reading))))

    def _kind(self, reading: Reading | None) -> Literal["run", "group"] | None:
        """How a meld is meant; only a laying-off book keeps it."""
        return reading.kind if reading is not None and self.book.family == "laying_off" else None

    def _claimed(self, lifted: Draft, tiles: Sequence[Tile], index: int) -> Draft:
        """With tiles added to an old meld. A tile that a joker stands for takes its place and frees it."""
        old, now = self.before[index], list(lifted.sets[index].tiles)
        reading = reading_of(self.book, old.tiles, old.kind)
        stood = places_of(self.book, old.tiles, reading)
        joker, number_of = self.book.tiles.joker, self.book.tiles.number_of
        freed = []
        for tile in tiles:
            number = number_of[self.book.tiles.face_of[tile]]
            for other in [one for one in now if self.book.tiles.face_of[one] == joker and one in stood]:
                place = stood[other] if stood[other] <= self.book.tiles.numbers else 1
                if number and place == number and self._one_colour(now, tile):
                    now.remove(other)
                    freed.append(other)
            now.append(tile)
        if not stood and len(now) > len(self.book.tiles.colours):
            free = next((one for one in now if self.book.tiles.face_of[one] == joker), None)
            if free is not None and free not in tiles:
                now.remove(free)
                freed.append(free)
        order, _ = ordered(self.book, now, stood, old.kind)
        grown = lifted._changed(index, replace(old, tiles=order))
        return grown._with_own(freed) if freed else grown

    def _one_colour(self, tiles: Sequence[Tile], tile: Tile) -> bool:
        colour_of, face_of = self.book.tiles.colour_of, self.book.tiles.face_of
        joker = self.book.tiles.joker
        return all(
            face_of[one] == joker or colour_of[face_of[one]] == colour_of[face_of[tile]] for one in tiles
        )

    def _tidy(self) -> Draft:
        """Without sets that have no tiles left, and every old meld that is as it was exactly as it was."""
        old = len(self.before) if self.book.family == "laying_off" else 0
        sets = []
        for index, each in enumerate(self.sets):
            if index < old and set(each.tiles) == set(self.before[index].tiles):
                sets.append(self.before[index])
            elif each.tiles or index < old:
                sets.append(self._settled(each, index < old))
        return replace(self, sets=tuple(sets))

    def _settled(self, each: DraftSet, old: bool) -> DraftSet:
        """A set whose kind is that of its tiles: what was a run may have become something else."""
        if old or self.book.family != "laying_off":
            return each
        kind = self._kind(reading_of(self.book, each.tiles, each.kind))
        return each if kind == each.kind else replace(each, kind=kind)


def _contents(sets: Iterable[DraftSet]) -> list[list[Tile]]:
    """Which tiles lie together, whatever their order."""
    return sorted(sorted(each.tiles) for each in sets)


def _as_read(book: RuleBook, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """A set of the table as people lay it; what is in order stays as it lies."""
    reading = reading_of(book, tiles)
    if reading is None or book.reader.faces_of(reading, book.tiles.faces_of(tiles)) is not None:
        return tiles
    return ordered(book, tiles)[0]
