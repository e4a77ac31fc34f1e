"""A bot's line as an action: read without trust, its tiles found on rack and table, judged by the book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from meldroom.bots.stdio import messages as wire
from meldroom.bots.stdio.failure import AnswerError
from meldroom.bots.stdio.views import actions_now, parse_tile_text
from meldroom.decode import DecodeError
from meldroom.errors import quote
from meldroom.game import actions as act
from meldroom.game.legal.arrange import with_tiles
from meldroom.game.legal.lay_off import tiles_in_place
from meldroom.game.views import View
from meldroom.i18n import Message
from meldroom.rules.book import RuleBook
from meldroom.tiles import Face, Tile, TileSet, TileTextError

_DECODER = msgspec.json.Decoder(wire.FromBot)

Wanted = tuple[Face, int | None]
"""A face, and which copy of it if the bot said so."""


def decode_line(line: bytes) -> wire.FromBot:
    """One line as a message. Raises AnswerError for anything else."""
    try:
        line.decode("utf-8")  # The decoder skips over unknown fields without looking at their text.
        answer: wire.FromBot = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        found = DecodeError.of(error)
        reason = found.as_message()
        if found.where:
            reason = Message("bots.answer.at", {"where": quote(found.where), "reason": reason})
        not_json = found.code in ("json", "utf8", "deep")
        raise AnswerError("bad_json" if not_json else "bad_message", reason) from None
    return answer


def as_action(book: RuleBook, view: View, answer: wire.FromBot) -> act.Action:
    """The action a bot asks for, in physical tiles. Raises AnswerError if it names no action of now.

    Tiles that the bot cannot have become such tiles of the box, for the judge to refuse.
    """
    me = view.own_seat
    open_now = actions_now(book, view)
    if isinstance(answer, wire.Ready) or wire.kind_of(answer) not in open_now:
        raise AnswerError("not_now", open_now)
    if answer.seat is not None and answer.seat != me:
        raise AnswerError("wrong_seat", str(me))
    try:
        return _in_tiles(book.tiles, view, me, answer)
    except TileTextError as error:
        raise AnswerError("bad_tile", error.as_message()) from None


def _in_tiles(tiles: TileSet, view: View, me: int, answer: wire.Answer) -> act.Action:
    match answer:
        case wire.Draw():
            return act.Draw(me)
        case wire.Pass():
            return act.Pass(me)
        case wire.Withdraw():
            return act.Withdraw(me)
        case wire.Take():
            return act.Take(me, source=answer.source)
        case wire.Lay():
            wanted = _read(tiles, answer.table)
            stated = {
                index: tuple(face for face, _ in _read_set(tiles, some))
                for index, some in answer.stated.items()
            }
            return act.Lay(me, table=_table(tiles, view, wanted), stated=stated)
        case wire.TimeOut():
            return act.TimeOut(me, table=_table(tiles, view, _read(tiles, answer.table)))
        case wire.RequestRedeal():
            found = _Search(tiles, view.rack)
            return act.RequestRedeal(me, tiles=found.all([_read_set(tiles, answer.tiles)])[0])
        case wire.Discard():
            found = _Search(tiles, view.rack)
            return act.Discard(me, tile=found.all([_read_set(tiles, (answer.tile,))])[0][0])
        case wire.Play():
            return _play(tiles, view, me, answer)


def _read(tiles: TileSet, table: Sequence[wire.Words]) -> list[list[Wanted]]:
    """Every set in faces. Raises TileTextError, also for more tiles than the box holds."""
    if sum(map(len, table)) > tiles.size or len(table) > tiles.size:
        raise TileTextError("too_many", "", count=tiles.size)
    return [_read_set(tiles, each) for each in table]


def _read_set(tiles: TileSet, some: wire.Words) -> list[Wanted]:
    if len(some) > tiles.size:
        raise TileTextError("too_many", "", count=tiles.size)
    return [parse_tile_text(tiles, text) for text in some]


def _table(tiles: TileSet, view: View, wanted: list[list[Wanted]]) -> act.TileSets:
    """A whole table: sets that stay keep their tiles, the others take table tiles, then the rack's."""
    lying = [tile for each in view.table for tile in each]
    if all(copy is None for each in wanted for _, copy in each):
        faces = tuple(tuple(face for face, _ in each) for each in wanted)
        there = Counter(tiles.face_of[tile] for tile in (*lying, *view.rack))
        if Counter(face for each in faces for face in each) <= there:
            return with_tiles(tiles, view.table, view.rack, faces)
    return tuple(_Search(tiles, (*lying, *view.rack)).all(wanted))


def _play(tiles: TileSet, view: View, me: int, answer: wire.Play) -> act.Play:
    """Melds keep their tiles; claimed jokers and rack tiles fill the rest, the discard is the rack's last."""
    wanted = _read(tiles, [meld.tiles for meld in answer.melds])
    exact = {tiles.tile(face, copy) for each in wanted for face, copy in each if copy is not None}
    last = [tile for tile in reversed(view.rack) if tile not in exact]
    (discard,) = _Search(tiles, last).all([_read_set(tiles, (answer.discard,))])[0]
    kept = [list(meld.tiles) for meld in view.melds]
    freed = [tile for own, new in zip(kept, wanted, strict=False) for tile in _given_up(tiles, own, new)]
    staying = [tile for own in kept for tile in own]
    rest = [tile for tile in view.rack if tile != discard]
    found = _Search(tiles, (*staying, *freed, *rest)).all(wanted, kept)
    melds = tuple(
        act.MeldPlay(meld_tiles, _owner(view, me, index, meld), meld.kind)
        for index, (meld_tiles, meld) in enumerate(zip(found, answer.melds, strict=True))
    )
    return act.Play(me, melds=melds, discard=discard)


def _given_up(tiles: TileSet, own: list[Tile], new: list[Wanted]) -> list[Tile]:
    """Takes out of a meld the tiles that it no longer shows, a claimed joker for one, and returns them.

    Where no copy is named, those that stay where they lay are.
    """
    stay = {} if any(copy is not None for _, copy in new) else tiles_in_place(tiles, own, [f for f, _ in new])
    if stay:
        for place, tile in stay.items():
            face = tiles.face_of[tile]
            new[place] = (face, tiles.tiles_of(face).index(tile))
        freed = [tile for tile in own if tile not in stay.values()]
        own[:] = stay.values()
        return freed
    surplus = Counter(tiles.face_of[tile] for tile in own) - Counter(face for face, _ in new)
    given: list[Tile] = []
    for tile in tuple(own):
        if surplus[tiles.face_of[tile]] > 0:
            surplus[tiles.face_of[tile]] -= 1
            own.remove(tile)
            given.append(tile)
    return given


def _owner(view: View, me: int, index: int, meld: wire.MeldWords) -> int:
    if meld.owner is not None:
        return meld.owner
    return view.melds[index].owner if index < len(view.melds) else me


class _Search:
    """Physical tiles for faces: those named exactly first, then from the places in their order."""

    def __init__(self, tiles: TileSet, places: Sequence[Tile]) -> None:
        self.tiles = tiles
        self.places = places

    def all(self, wanted: list[list[Wanted]], own: Sequence[Sequence[Tile]] = ()) -> list[tuple[Tile, ...]]:
        """A tile for every face of every set; `own` are tiles a set takes before it looks elsewhere.

        A face that is nowhere left becomes some tile of the box: the judge will find it.
        """
        used = {self.tiles.tile(face, copy) for each in wanted for face, copy in each if copy is not None}
        own_by_set: list[dict[Face, list[Tile]]] = []
        reserved: set[Tile] = set()
        for some in own:
            left = [tile for tile in some if tile not in used]
            reserved.update(left)
            own_by_set.append(self._by_face(left))
        free = self._by_face([tile for tile in self.places if tile not in used and tile not in reserved])
        box = self._by_face([t for t in self.tiles.every_tile if t not in used and t not in set(self.places)])
        found: list[tuple[Tile, ...]] = []
        for index, each in enumerate(wanted):
            mine = own_by_set[index] if index < len(own_by_set) else {}
            found.append(tuple(self._pick(face, copy, (mine, free, box)) for face, copy in each))
        return found

    def _by_face(self, some: Sequence[Tile]) -> dict[Face, list[Tile]]:
        by_face: dict[Face, list[Tile]] = {}
        for tile in some:
            by_face.setdefault(self.tiles.face_of[tile], []).append(tile)
        return by_face

    def _pick(self, face: Face, copy: int | None, sources: Sequence[dict[Face, list[Tile]]]) -> Tile:
        if copy is not None:
            return self.tiles.tile(face, copy)
        for source in sources:
            if source.get(face):
                return source[face].pop(0)
        return self.tiles.tile(face)  # A tile named too often: the judge says so.
