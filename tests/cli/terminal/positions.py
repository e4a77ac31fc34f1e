"""Positions as a player sees them, written as text, for the tests of terminal play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from meldroom.cli.terminal.draft import DraftError
from meldroom.game import Shuffle, new_game, view
from meldroom.game.state import Meld, State
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.tiles import Face, Tile, parse_set, parse_table


class Box:
    """Hands out the physical tiles of a set, each once."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book
        self.free = list(book.tiles.every_tile)

    def tiles(self, text: str) -> tuple[Tile, ...]:
        """The tiles of a text, none of which was handed out before."""
        taken = []
        for face in parse_set(text, self.book.tiles):
            tile = next(one for one in self.free if self.book.tiles.face_of[one] == face)
            self.free.remove(tile)
            taken.append(tile)
        return tuple(taken)


def state_of(
    book: RuleBook,
    rack: str,
    table: str = "",
    *,
    melded: bool = True,
    owners: Sequence[int] = (),
    discard: str = "",
) -> State:
    """A two-player state in which seat 0 is to play; what is not named lies in the pool."""
    box = Box(book)
    sets = tuple(box.tiles(book.tiles.faces_text(faces)) for faces in parse_table(table, book.tiles))
    mine = box.tiles(rack)
    thrown = box.tiles(discard)
    other = tuple(box.free[:5])
    laying_off = book.family == "laying_off"
    start, _ = new_game(book, ["Me", "Ada"], Shuffle("any text"), starter=0)
    melds = tuple(
        Meld(tiles, owner, (owner,) * len(tiles), book.reader.written(_faces(book, tiles))[0])
        for tiles, owner in zip(sets, owners, strict=False)
    )
    return replace(
        start,
        phase="play" if laying_off else "turn",
        seat=0,
        racks=(mine, other),
        pool=tuple(box.free[5:]),
        table=() if laying_off else sets,
        melds=melds,
        discards=thrown,
        melded=(melded, True),
        turns=(1, 1),
        begun=(1, 1),
        drawn=((), ()),
    )


def _faces(book: RuleBook, tiles: Sequence[Tile]) -> tuple[Face, ...]:
    return tuple(book.tiles.face_of[tile] for tile in tiles)


def seen(
    book: RuleBook,
    rack: str,
    table: str = "",
    *,
    melded: bool = True,
    owners: Sequence[int] = (),
    discard: str = "",
) -> View:
    """What seat 0 sees of such a state."""
    return view(state_of(book, rack, table, melded=melded, owners=owners, discard=discard), 0)


def text_of(book: RuleBook, sets: Sequence[Sequence[Tile]]) -> str:
    """A table as text, in the order in which its tiles lie."""
    return " | ".join(book.tiles.faces_text(_faces(book, tiles)) for tiles in sets)


@contextmanager
def refused(code: str) -> Iterator[None]:
    """What is done inside must be refused for this reason."""
    with pytest.raises(DraftError) as caught:
        yield
    assert caught.value.code == code
    assert caught.value.message("fr") != caught.value.message("en")
