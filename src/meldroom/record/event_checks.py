"""Whether an event can stand in a record at all: seats at the table, tiles of the box, nothing left empty.

Whether it was allowed to happen is another question, answered by `verify`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import get_args

from meldroom.game import events as ev
from meldroom.game.notation.errors import NotationError
from meldroom.game.notation.parsing import readings
from meldroom.game.state import Meld
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Outcome
from meldroom.tiles import HIDDEN, Face, Tile

LONGEST_TEXT = 2_000
LARGEST_NUMBER = 999_999_999
MOST_CODES = 100
OUTCOMES: tuple[str, ...] = get_args(Outcome)
_CODE = re.compile(r"[A-Z][A-Z0-9_]{0,59}\Z")


def check_text(text: str) -> None:
    """Raises NotationError for text that is too long or cannot be written down."""
    if len(text) > LONGEST_TEXT:
        raise NotationError("long_text", longest=LONGEST_TEXT)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotationError("bad_text") from None


class Soundness:
    """Checks events against the box and the seats of one game. Every check raises NotationError."""

    def __init__(self, book: RuleBook, players: int) -> None:
        self.book = book
        self.players = players

    def check(self, event: ev.Event) -> None:
        """Raises NotationError if this cannot be an event of the game."""
        match event:
            case ev.StarterChosen():
                self._seats(event.seat)
                for turned in event.rounds:
                    self._seats(*(seat for seat, _ in turned))
                    self._tiles((tile for _, tile in turned), needed=True)
            case ev.Dealt():
                self._numbers(event.number)
                if len(event.racks) != self.players:
                    raise NotationError("wrong_racks", count=len(event.racks), players=self.players)
                self._tiles((t for tiles in (*event.racks, event.pool) for t in tiles), hidden=True)
            case ev.Reshuffled():
                self._numbers(event.number)
                self._tiles(event.stock, hidden=True)
            case ev.PoolExhausted():
                self._seats(*event.order)
            case ev.GameEnded():
                self._ended(event)
            case ev.GameCreated() | ev.ShuffleRevealed():
                raise NotationError("header_event")
            case _:
                self._seats(event.seat)
                self._act(event)

    def _act(self, event: ev.Event) -> None:
        """What a player or the referee did."""
        match event:
            case ev.Discarded() | ev.Took(source="discard"):
                self._tiles((event.tile,))
            case ev.Drew() | ev.Took():
                self._tiles((event.tile,), hidden=True)
            case ev.RedealGranted():
                self._tiles(event.tiles)
            case ev.Laid():
                self._tiles(event.tiles)
                self._table(event.table)
                self._stated(event)
            case ev.LeftoversRuled():
                self._table((*event.table, *((event.leftovers,) if event.leftovers else ())))
            case ev.Penalised():
                self._tiles(event.tiles, hidden=True)
                if len(event.codes) > MOST_CODES or not all(map(_CODE.match, event.codes)):
                    raise NotationError("bad_codes")
            case ev.Corrected():
                self._corrected(event)
            case ev.Played():
                self._played(event)
            case _:
                pass

    def _seats(self, *seats: int) -> None:
        for seat in seats:
            if not 0 <= seat < self.players:
                raise NotationError("no_such_seat", seat=seat)

    def _numbers(self, *numbers: int) -> None:
        for number in numbers:
            if not 0 < number <= LARGEST_NUMBER:
                raise NotationError("bad_number", number=number)

    def _tiles(self, tiles: Iterable[Tile], *, hidden: bool = False, needed: bool = False) -> None:
        """Tiles of the box, none twice; unknown ones only where the rules hide them."""
        seen: set[Tile] = set()
        for tile in tiles:
            needed = False
            if tile == HIDDEN:
                if not hidden:
                    raise NotationError("not_hidden")
                continue
            if not 0 <= tile < self.book.tiles.size:
                raise NotationError("no_such_tile", tile=tile)
            if tile in seen:
                raise NotationError("tile_twice", tile=self.book.tiles.name(tile))
            seen.add(tile)
        if needed:
            raise NotationError("empty_set")

    def _table(self, table: Iterable[tuple[Tile, ...]]) -> None:
        sets = tuple(table)
        if not all(sets):
            raise NotationError("empty_set")
        self._tiles(tile for tiles in sets for tile in tiles)

    def _stated(self, event: ev.Laid) -> None:
        for index, faces in event.stated.items():
            if not 0 <= index < len(event.table) or not all(map(self._is_face, faces)):
                raise NotationError("bad_stated")

    def _is_face(self, face: Face) -> bool:
        return 0 <= face < self.book.tiles.faces

    def _played(self, event: ev.Played) -> None:
        self._tiles(event.tiles)
        self._table(meld.tiles for meld in event.melds)
        if event.outcome not in OUTCOMES:
            raise NotationError("bad_outcome", token=event.outcome, known=", ".join(OUTCOMES))
        for meld in event.melds:
            self._meld(meld)

    def _meld(self, meld: Meld) -> None:
        self._seats(meld.owner, *meld.holders)
        if len(meld.holders) != len(meld.tiles) or meld.reading not in readings(self.book, meld.tiles):
            raise NotationError("bad_meld", tiles=self.book.tiles.names(meld.tiles))

    def _corrected(self, event: ev.Corrected) -> None:
        check_text(event.reason)
        self._seats(*event.melded)
        for move in event.moves:
            self._tiles((move.tile,), hidden=move.to != "table")
            if not 0 <= move.index < LARGEST_NUMBER:
                raise NotationError("bad_number", number=move.index)
            if move.to == "rack":
                self._seats(move.index)

    def _ended(self, event: ev.GameEnded) -> None:
        check_text(event.reason)
        self._seats(*event.winners)
        if len(event.scores) != self.players:
            raise NotationError("wrong_scores", count=len(event.scores), players=self.players)
        if any(abs(score) > LARGEST_NUMBER for score in event.scores):
            raise NotationError("bad_number", number=max(map(abs, event.scores)))
