"""Positions of laying-off games written as text, for tests of bots."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from meldroom.game import Meld, Shuffle, State, new_game
from meldroom.game.state import Phase
from meldroom.rules.library import book
from meldroom.tiles import Face, Tile, parse_set

RUMMYO = book("rummyo")


class _Box:
    """The tiles that are not used yet."""

    def __init__(self) -> None:
        self.left: list[Tile] = list(RUMMYO.tiles.every_tile)

    def take(self, faces: Sequence[Face]) -> tuple[Tile, ...]:
        """Tiles with these faces."""
        taken = []
        for face in faces:
            tile = next(tile for tile in self.left if RUMMYO.tiles.face_of[tile] == face)
            self.left.remove(tile)
            taken.append(tile)
        return tuple(taken)


def position(
    rack: str,
    *,
    melds: Sequence[tuple[str, int]] = (),
    discards: str = "",
    phase: Phase = "play",
    others: Sequence[int] = (14,),
    on_board: bool = False,
    turns: int = 5,
    stock: int | None = None,
    reshuffles: int = 0,
    seed: int = 0,
) -> State:
    """A game in which seat 0 is to act: its rack, melds with their owners, the pile, sizes of other racks.

    Whoever owns a meld is on board. The seed deals what is hidden; tiles beyond `stock` are thrown away.
    """
    tiles, box = RUMMYO.tiles, _Box()
    exposed = []
    for text, owner in melds:
        faces = parse_set(text, tiles)
        laid = box.take(faces)
        exposed.append(Meld(laid, owner, (owner,) * len(laid), RUMMYO.reader.written(faces)[0]))
    held, pile = box.take(parse_set(rack, tiles)), box.take(parse_set(discards, tiles)) if discards else ()
    Random(seed).shuffle(box.left)
    racks = [held]
    for size in others:
        racks.append(tuple(box.left[:size]))
        box.left = box.left[size:]
    names = [f"Bot {seat}" for seat in range(len(racks))]
    state, _ = new_game(RUMMYO, names, Shuffle("a position"), starter=0)
    kept = box.left if stock is None else box.left[:stock]
    owners = {owner for _, owner in melds}
    return replace(
        state,
        phase=phase,
        seat=0,
        racks=tuple(racks),
        pool=tuple(kept),
        melds=tuple(exposed),
        discards=(*box.left[len(kept) :], *pile),
        melded=tuple(seat in owners or (seat == 0 and on_board) for seat in range(len(racks))),
        turns=(turns,) * len(racks),
        begun=(turns,) * len(racks),
        drawn=((),) * len(racks),
        reshuffles=reshuffles,
    )
