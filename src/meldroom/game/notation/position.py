"""A position on one line: book, table, racks, pool, whose turn it is, and what is left of the game.

wrc11@1 / table R1 R2 R3 | K9 R9 O9 / racks R4 K9 *, ?x14 / pool 83 / turn 1 / melded 1
rummyo@1 / melds 1: R10 R11 R12 | 2: K9 R9 O9 (1) / racks ?x14, R4 K9 * / pool 60 / turn 2 play /
melded 1 2 / discards B3 O7
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Literal

import msgspec

from meldroom.game.notation.errors import NotationError
from meldroom.game.notation.parsing import (
    NOTHING,
    Cursor,
    TileToken,
    format_tile,
    format_tiles,
    known_book,
    parse_tiles,
    readings,
    resolve_tiles,
    split_line,
)
from meldroom.game.notation.svg import to_svg
from meldroom.game.state import Meld, Phase, State
from meldroom.game.views import View
from meldroom.rules.book import BookRef, RuleBook
from meldroom.rules.library import OptionValue
from meldroom.tiles import HIDDEN, Tile

LONGEST_POSITION = 100_000

Moment = Literal["turn", "discard", "take", "play", "none"]
"""What the player to move is to do: `discard` is Rummy-O's opening discard; `none` when nobody is."""

_MOMENTS: dict[str, Moment] = {"turn": "turn", "opening_discard": "discard", "take": "take", "play": "play"}
_PHASES: dict[Moment, Phase] = {
    "turn": "turn",
    "discard": "opening_discard",
    "take": "take",
    "play": "play",
    "none": "over",
}


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """Everything on and around the table at one moment. Unknown tiles on a rack are HIDDEN (-1).

    `final` are the last turns still to come after this one: None as long as nobody's turn is the last.
    """

    book: RuleBook
    racks: tuple[tuple[Tile, ...], ...]
    pool: int
    seat: int = -1
    moment: Moment = "none"
    table: tuple[tuple[Tile, ...], ...] = ()
    melds: tuple[Meld, ...] = ()
    discards: tuple[Tile, ...] = ()
    melded: tuple[bool, ...] = ()
    withdrawn: tuple[bool, ...] = ()
    exhausted: bool = False
    final: tuple[int, ...] | None = None
    reshuffles: int = 0

    @classmethod
    def of(cls, state: State, unknown: Collection[Tile] = ()) -> Position:
        """The position of a state, hidden parts included; tiles in `unknown` are left unknown."""
        hide = tuple(tuple(HIDDEN if t in unknown else t for t in rack) for rack in state.racks)
        moment = _MOMENTS.get(state.phase, "none")
        return cls(
            book=state.book,
            racks=tuple(tuple(sorted(rack, key=lambda t: (t < 0, t))) for rack in hide),
            pool=len(state.pool),
            seat=state.seat if moment != "none" else -1,
            moment=moment,
            table=state.table,
            melds=state.melds,
            discards=state.discards,
            melded=state.melded,
            withdrawn=state.withdrawn if state.racks else (),
            exhausted=state.exhausted,
            final=state.queue,
            reshuffles=state.reshuffles,
        )

    @classmethod
    def seen(cls, view: View, book: RuleBook) -> Position:
        """The position as a player or spectator sees it."""
        known = view.racks if view.racks is not None else tuple((HIDDEN,) * size for size in view.rack_sizes)
        racks = tuple(view.rack if view.rack and seat == view.me else rack for seat, rack in enumerate(known))
        moment = _MOMENTS.get(view.phase, "none")
        return cls(
            book=book,
            racks=racks,
            pool=view.pool_size,
            seat=view.seat if moment != "none" else -1,
            moment=moment,
            table=view.table,
            melds=view.melds,
            discards=view.discards,
            melded=view.melded,
            withdrawn=view.withdrawn if racks else (),
            exhausted=view.exhausted,
            final=view.queue,
            reshuffles=view.reshuffles,
        )

    def check_sets(self) -> None:
        """Raises NotationError for a set on the table, or a meld, that the book does not allow."""
        tiles = self.book.tiles
        melds = [meld.tiles for meld in self.melds]
        for field, sets in (("table", self.table), ("melds", melds)):
            for number, each in enumerate(sets, start=1):
                faces = tiles.faces_of(each)
                if not self.book.reader.is_set(faces):
                    names = tiles.faces_text(faces)
                    raise NotationError(
                        "not_a_set", field, number=number, faces=names, book=self.book.title()
                    )

    def state(self) -> State:
        """The position as a state. Tiles that it does not name, those of the pool among them, are HIDDEN."""
        count = len(self.racks)
        nobody = (False,) * count
        opening = self.moment == "discard"
        return State(
            book=self.book,
            players=tuple(f"Player {seat + 1}" for seat in range(count)),
            phase=_PHASES[self.moment],
            seat=self.seat,
            deals=1,
            racks=self.racks,
            pool=(HIDDEN,) * self.pool,
            table=self.table,
            melds=self.melds,
            discards=self.discards,
            melded=self.melded or nobody,
            withdrawn=self.withdrawn or nobody,
            begun=tuple(int(not opening or seat == self.seat) for seat in range(count)),
            turns=(0 if opening else 1,) * count,
            drawn=((),) * count,
            exhausted=self.exhausted,
            queue=self.final,
            reshuffles=self.reshuffles,
        )

    def __str__(self) -> str:
        return format_position(self)

    def __repr__(self) -> str:
        return f"<Position {self}>"

    def _repr_svg_(self) -> str:
        return to_svg(self)


def format_position(position: Position) -> str:
    """The position on one line."""
    tiles = position.book.tiles
    parts = [_book_text(position.book)]
    if position.table:
        parts.append("table " + " | ".join(format_tiles(tiles, some) for some in position.table))
    if position.melds:
        parts.append("melds " + " | ".join(_meld_text(position.book, meld) for meld in position.melds))
    parts.append("racks " + ", ".join(format_tiles(tiles, rack) for rack in position.racks))
    parts.append(f"pool {position.pool}")
    if position.seat >= 0:
        moment = "" if position.moment == "turn" else f" {position.moment}"
        parts.append(f"turn {position.seat + 1}{moment}")
    for name, flags in (("melded", position.melded), ("withdrawn", position.withdrawn)):
        if any(flags):
            parts.append(f"{name} " + _seats_text(seat for seat, flag in enumerate(flags) if flag))
    if position.final is not None:
        parts.append("final " + _seats_text(position.final))
    elif position.exhausted:
        parts.append("exhausted")
    if position.discards:
        parts.append("discards " + format_tiles(tiles, position.discards))
    if position.reshuffles:
        parts.append(f"reshuffled {position.reshuffles}")
    return " / ".join(parts)


def _book_text(book: RuleBook) -> str:
    options = (f" {name}={str(x).lower() if isinstance(x, bool) else x}" for name, x in book.options.items())
    return f"{book.id}@{book.version}" + "".join(options)


def _seats_text(seats: Iterable[int]) -> str:
    return " ".join(str(seat + 1) for seat in seats) or NOTHING


def _meld_text(book: RuleBook, meld: Meld) -> str:
    parts = []
    for tile, holder in zip(meld.tiles, meld.holders, strict=True):
        parts.append(format_tile(book.tiles, tile) + ("" if holder == meld.owner else f" ({holder + 1})"))
    kind = "" if meld.reading == readings(book, meld.tiles)[0] else f" = {meld.reading.kind}"
    return f"{meld.owner + 1}: {' '.join(parts)}{kind}"


def parse_position(text: str, book: RuleBook | None = None) -> Position:
    """The position a line describes. A house book cannot be named in one line: give it along.

    Raises NotationError naming the column that is wrong.
    """
    try:
        if len(text) > LONGEST_POSITION:
            raise NotationError("long_line", column=LONGEST_POSITION + 1, longest=LONGEST_POSITION)
        tokens, _ = split_line(text.replace("\n", " "))
        return _PositionParser(Cursor(tokens, (), len(text)), book).position()
    except NotationError as error:
        raise error.at(line=1) from None


class _MeldTokens(msgspec.Struct):
    tokens: list[TileToken]
    owner: int
    holders: dict[int, int]
    kind: str | None


class _PositionParser:
    """Parses one line into a position."""

    def __init__(self, cursor: Cursor, book: RuleBook | None) -> None:
        self.cursor = cursor
        self.book = self._book(book)
        self.tiles = self.book.tiles
        self.table: list[list[TileToken]] = []
        self.melds: list[_MeldTokens] = []
        self.racks: list[list[TileToken]] = []
        self.discards: list[TileToken] = []
        self.pool: int | None = None
        self.seat = -1
        self.moment: Moment = "none"
        self.melded: list[int] = []
        self.withdrawn: list[int] = []
        self.final: tuple[int, ...] | None = None
        self.exhausted = False
        self.reshuffles = 0

    def position(self) -> Position:
        """The position of the whole line."""
        fields: dict[str, Callable[[], None]] = {
            "table": self._parse_table,
            "melds": self._parse_melds,
            "racks": self._parse_racks,
            "pool": self._parse_pool,
            "turn": self._parse_turn,
            "melded": self._parse_melded,
            "withdrawn": self._parse_withdrawn,
            "final": self._parse_final,
            "exhausted": self._parse_exhausted,
            "discards": self._parse_discards,
            "reshuffled": self._parse_reshuffled,
        }
        seen: set[str] = set()
        while self.cursor.accept("/"):
            name = next((name for name in fields if self.cursor.sees(name)), None)
            if name is None:
                raise self.cursor.fail("unknown_field", known=", ".join(fields))
            if name in seen:
                raise self.cursor.fail("field_twice")
            seen.add(name)
            self.cursor.expect(name)
            fields[name]()
        self.cursor.done()
        return self._whole()

    def _book(self, given: RuleBook | None) -> RuleBook:
        token = self.cursor.next("wrc11@1")
        book_id, _, version = token.text.partition("@")
        options: dict[str, OptionValue] = {}
        while not self.cursor.at_end() and not self.cursor.sees("/"):
            name = self.cursor.next("name").text
            self.cursor.expect("=")
            value = self.cursor.next("value").text
            options[name] = value == "true" if value in ("true", "false") else value
            if value.isascii() and value.isdigit() and len(value) < 10:
                options[name] = int(value)
        if given is not None and (given.id, given.version, given.options) == (
            book_id,
            version or given.version,
            options,
        ):
            return given
        try:
            return known_book(BookRef(book_id, version, options))
        except NotationError as error:
            raise error.at(column=token.column) from None

    def _parse_table(self) -> None:
        if not self.cursor.accept(NOTHING):
            self.table.append(parse_tiles(self.cursor, self.tiles))
            while self.cursor.accept("|"):
                self.table.append(parse_tiles(self.cursor, self.tiles))

    def _parse_melds(self) -> None:
        if not self.cursor.accept(NOTHING):
            self.melds.append(self._meld())
            while self.cursor.accept("|"):
                self.melds.append(self._meld())

    def _meld(self) -> _MeldTokens:
        owner = self._seat()
        self.cursor.expect(":")
        meld = _MeldTokens([], owner, {}, None)
        while more := parse_tiles(self.cursor, self.tiles):
            meld.tokens.extend(more)
            if not self.cursor.accept("("):
                break
            meld.holders[len(meld.tokens) - 1] = self._seat()
            self.cursor.expect(")")
        if self.cursor.accept("="):
            meld.kind = self.cursor.one_of("run", "group")
        return meld

    def _parse_racks(self) -> None:
        self.racks.append(parse_tiles(self.cursor, self.tiles, hidden=True))
        while self.cursor.accept(","):
            self.racks.append(parse_tiles(self.cursor, self.tiles, hidden=True))

    def _parse_pool(self) -> None:
        self.pool = self._count()

    def _parse_turn(self) -> None:
        self.seat = self._seat()
        self.moment = "turn"
        if self.book.family == "laying_off":
            moment: Literal["discard", "take", "play"] = self.cursor.one_of("discard", "take", "play")
            self.moment = moment

    def _parse_melded(self) -> None:
        self.melded = self._seats()

    def _parse_withdrawn(self) -> None:
        self.withdrawn = self._seats()

    def _parse_final(self) -> None:
        self.final = tuple(self._seats())
        self.exhausted = True

    def _parse_exhausted(self) -> None:
        self.exhausted = True

    def _parse_discards(self) -> None:
        self.discards = parse_tiles(self.cursor, self.tiles)

    def _parse_reshuffled(self) -> None:
        self.reshuffles = self._count()

    def _count(self) -> int:
        before = self.cursor.place
        number = self.cursor.number()
        if number < 0:
            self.cursor.place = before
            raise self.cursor.fail("expected_number")
        return number

    def _seat(self) -> int:
        before = self.cursor.place
        seat = self.cursor.number() - 1
        if not 0 <= seat < self.book.players.maximum:
            self.cursor.place = before
            raise self.cursor.fail("no_such_seat", seat=seat + 1)
        return seat

    def _seats(self) -> list[int]:
        if self.cursor.accept(NOTHING):
            return []
        seats = [self._seat()]
        while self.cursor.sees_number():
            seats.append(self._seat())
        return seats

    def _whole(self) -> Position:
        """Tiles of the box in every place, none twice, and seats for everybody who is named."""
        players = len(self.racks)
        if not self.book.players.minimum <= players <= self.book.players.maximum:
            least, most = self.book.players.minimum, self.book.players.maximum
            raise NotationError("no_racks", minimum=least, maximum=most)
        places = [*self.table, *(meld.tokens for meld in self.melds), *self.racks, self.discards]
        named = [token for tokens in places for token in tokens]
        every = resolve_tiles(named, self.tiles.every_tile, self.tiles)
        pool = self.tiles.size - len(every) if self.pool is None else self.pool
        if len(every) + pool > self.tiles.size or pool < 0:
            raise NotationError("too_many_tiles", count=len(every) + max(pool, 0), size=self.tiles.size)
        spread = iter([every[start:end] for start, end in _spans(places)])
        table = tuple(next(spread) for _ in self.table)
        melds = tuple(self._finished(meld, next(spread)) for meld in self.melds)
        if not all(table) or not all(meld.tiles for meld in melds):
            raise NotationError("empty_set")
        self._check_seats(players)
        return Position(
            book=self.book,
            table=table,
            melds=melds,
            racks=tuple(next(spread) for _ in self.racks),
            discards=next(spread),
            pool=pool,
            seat=self.seat,
            moment=self.moment,
            melded=tuple(seat in self.melded for seat in range(players)),
            withdrawn=tuple(seat in self.withdrawn for seat in range(players)),
            exhausted=self.exhausted,
            final=self.final,
            reshuffles=self.reshuffles,
        )

    def _finished(self, draft: _MeldTokens, tiles: tuple[Tile, ...]) -> Meld:
        every = readings(self.book, tiles)
        reading = next((reading for reading in every if reading.kind == draft.kind), every[0])
        holders = tuple(draft.holders.get(index, draft.owner) for index in range(len(tiles)))
        return Meld(tiles, draft.owner, holders, reading)

    def _check_seats(self, players: int) -> None:
        holders = (holder for meld in self.melds for holder in (meld.owner, *meld.holders.values()))
        named = (self.seat, *self.melded, *self.withdrawn, *(self.final or ()), *holders)
        if max(named) >= players:
            raise NotationError("no_such_seat", seat=max(named) + 1)


def _spans(places: Iterable[list[TileToken]]) -> list[tuple[int, int]]:
    spans, used = [], 0
    for tokens in places:
        spans.append((used, used + len(tokens)))
        used += len(tokens)
    return spans
