"""Event lines as events: one method for each kind of line."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal

from meldroom.game import events as ev
from meldroom.game.actions import Move
from meldroom.game.notation.events import OUTCOME_WORDS, deal_sizes
from meldroom.game.notation.parsing import (
    UNKNOWN_FACE,
    Cursor,
    TileToken,
    parse_tile_token,
    parse_tiles,
    readings,
    resolve_tiles,
)
from meldroom.game.state import End, Meld, State
from meldroom.record.fill_unknown import Follower
from meldroom.rules.sets import Reading
from meldroom.tiles import HIDDEN, Face, Tile

_PLACES: dict[str, Literal["rack", "table", "pool_top", "pool_bottom", "discards"]] = {
    "rack": "rack",
    "table": "table",
    "pool top": "pool_top",
    "pool bottom": "pool_bottom",
    "discards": "discards",
}


class TurnLine:
    """A line that says whose turn begins where that is not plain from the rules; None for nobody's."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat


class UnknownDeal:
    """The line `racks unknown`: somebody dealt, and nobody saw what."""


Line = ev.Event | TurnLine | UnknownDeal


class EventParser:
    """Reads the lines of one game. What a plain `R7` means depends on the position it is read in."""

    def __init__(self, follower: Follower) -> None:
        self.follower = follower
        self.tiles = follower.state.book.tiles

    @property
    def state(self) -> State:
        """The position before the line."""
        return self.follower.state

    def read(self, cursor: Cursor) -> Line:
        """The event of a line. Raises NotationError."""
        first = cursor.peek()
        words = _KEYWORDS if first is not None and first.kind == "word" else {}
        method = words.get(first.text.lower()) if first is not None else None
        if method is not None:
            cursor.place += 1
            line = method(self, cursor)
        else:
            seat = cursor.seat()
            line = self._act(cursor, seat)
        cursor.done()
        return line

    def _act(self, cursor: Cursor, seat: int) -> ev.Event:
        token = cursor.peek()
        verb = _VERBS.get(token.text.lower()) if token is not None and token.kind == "word" else None
        if verb is None:
            raise cursor.fail("unknown_verb", known=", ".join(_VERBS))
        cursor.place += 1
        return verb(self, cursor, seat)

    # The table's own lines

    def _starter(self, cursor: Cursor) -> ev.Event:
        seat = cursor.seat()
        rounds = []
        if cursor.accept(":"):
            rounds.append(self._turned(cursor))
            while cursor.accept("/"):
                rounds.append(self._turned(cursor))
        return ev.StarterChosen(seat, tuple(rounds))

    def _turned(self, cursor: Cursor) -> ev.Turned:
        seats, words = [], []
        while True:
            seats.append(cursor.seat())
            words.append(parse_tile_token(cursor.next("R7"), self.tiles))
            if not cursor.accept(","):
                return tuple(zip(seats, self._resolve(words, self.tiles.every_tile), strict=True))

    def _deal(self, cursor: Cursor) -> ev.Event:
        """Racks by name, then the pool; what is left out is unknown, in the book's number of tiles."""
        number = cursor.number()
        hands: dict[int, list[TileToken]] = {}
        pool: list[TileToken] | None = None
        cursor.expect(":")
        while True:
            if cursor.accept("pool"):
                if pool is not None:
                    raise cursor.fail("twice", what="pool")
                pool = parse_tiles(cursor, self.tiles, hidden=True)
            else:
                seat = cursor.seat()
                if seat in hands:
                    raise cursor.fail("twice", what=cursor.players[seat])
                hands[seat] = parse_tiles(cursor, self.tiles, hidden=True)
            if not cursor.accept("/"):
                break
        return self._whole_deal(number, hands, pool)

    def _whole_deal(
        self, number: int, hands: dict[int, list[TileToken]], pool: list[TileToken] | None
    ) -> ev.Dealt:
        hidden = TileToken(UNKNOWN_FACE, None, 0)
        sizes = deal_sizes(self.state)
        racks = [hands.get(seat, [hidden] * size) for seat, size in enumerate(sizes)]
        if pool is None:
            pool = [hidden] * max(0, self.tiles.size - sum(map(len, racks)))
        every = self._resolve([word for words in (*racks, pool) for word in words], self.tiles.every_tile)
        dealt, used = [], 0
        for words in racks:
            dealt.append(every[used : used + len(words)])
            used += len(words)
        return ev.Dealt(number, tuple(dealt), every[used:])

    def _racks(self, cursor: Cursor) -> Line:
        cursor.expect("unknown")
        return UnknownDeal()

    def unknown_deal(self) -> ev.Dealt:
        """A deal nobody saw, with the book's number of tiles on each rack."""
        return self._whole_deal(self.state.deals + 1, {}, None)

    def _turn(self, cursor: Cursor) -> Line:
        return TurnLine(None if cursor.accept("nobody") else cursor.seat())

    def _pool(self, cursor: Cursor) -> ev.Event:
        cursor.expect("empty")
        order = []
        if cursor.accept(":"):
            cursor.expect("final", "turns")
            order.append(cursor.seat())
            while cursor.accept(","):
                order.append(cursor.seat())
        return ev.PoolExhausted(tuple(order))

    def _reshuffle(self, cursor: Cursor) -> ev.Event:
        number = cursor.number()
        cursor.expect(":")
        words = parse_tiles(cursor, self.tiles, hidden=True)
        return ev.Reshuffled(number, self._resolve(words, set(self.state.discards[:-1])))

    def _end(self, cursor: Cursor) -> ev.Event:
        end: End = cursor.one_of("out", "exhausted", "resigned", "abandoned")
        going_out: Literal["open", "foot", "hand"] | None = None
        if cursor.accept("("):
            way: Literal["open", "foot", "hand"] = cursor.one_of("open", "foot", "hand")
            going_out = way
            cursor.expect(")")
        reason = cursor.string() or ""
        cursor.expect(":")
        scores, winners = self._scores(cursor)
        return ev.GameEnded(end, scores, winners, going_out, reason)

    def _scores(self, cursor: Cursor) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Everybody's score, by seat, and the seats of those who won."""
        scores: dict[int, int] = {}
        winners: list[int] = []
        while True:
            if cursor.accept("winner"):
                winners.append(cursor.seat())
            else:
                seat = cursor.seat()
                if seat in scores:
                    raise cursor.fail("twice", what=cursor.players[seat])
                scores[seat] = cursor.number()
            if not cursor.accept(","):
                break
        missing = [name for seat, name in enumerate(cursor.players) if seat not in scores]
        if missing:
            raise cursor.fail("no_score", players=", ".join(missing))
        return tuple(scores[seat] for seat in range(len(cursor.players))), tuple(winners)

    def _referee(self, cursor: Cursor) -> ev.Event:
        reason = cursor.string() or ""
        cursor.expect(":")
        cursor.expect("turn")
        seat = cursor.seat()
        moves: list[Move] = []
        melded: dict[int, bool] = {}
        while cursor.accept(","):
            if cursor.sees_name():
                player = cursor.seat()
                melded[player] = cursor.one_of("melded", "not melded") == "melded"
            else:
                moves.append(self._move(cursor))
        return ev.Corrected(seat, reason, tuple(moves), melded)

    def _move(self, cursor: Cursor) -> Move:
        token = cursor.next("R7")
        tile = HIDDEN
        if token.kind != "word" or token.text != "?":
            tile = self._resolve([parse_tile_token(token, self.tiles)], self.tiles.every_tile)[0]
        cursor.expect("to")
        place = cursor.one_of(*_PLACES)
        if place == "rack":
            index = cursor.seat()
        elif place == "table":
            index = cursor.number() - 1
        else:
            index = cursor.number() if cursor.sees_number() else 0
        return Move(tile, _PLACES[place], index)

    # What players do

    def _resolve(self, words: list[TileToken], place: Collection[Tile]) -> tuple[Tile, ...]:
        return resolve_tiles(words, place, self.tiles)

    def _on_rack(self, words: list[TileToken], seat: int) -> tuple[Tile, ...]:
        racks = self.state.racks
        return self._resolve(words, self.follower.may_hold(racks[seat]) if racks else set())

    def _drawn(self, cursor: Cursor, count: int) -> tuple[Tile, ...]:
        """Tiles from the top of the pool; if none is written, whatever is known to lie there."""
        top = self.state.pool[:count]
        if cursor.at_end():
            known = tuple(max(tile, HIDDEN) for tile in top)
            return known + (HIDDEN,) * (count - len(known))
        words = parse_tiles(cursor, self.tiles, hidden=True)
        if len(words) != count:
            raise cursor.fail("wrong_count", count=len(words), needed=count)
        return self._resolve(words, self.follower.may_hold(self.state.pool))

    def _draws(self, cursor: Cursor, seat: int) -> ev.Event:
        return ev.Drew(seat, self._drawn(cursor, 1)[0])

    def _passes(self, cursor: Cursor, seat: int) -> ev.Event:
        return ev.Passed(seat)

    def _withdraws(self, cursor: Cursor, seat: int) -> ev.Event:
        return ev.Withdrew(seat)

    def _resigns(self, cursor: Cursor, seat: int) -> ev.Event:
        return ev.Resigned(seat)

    def _shows(self, cursor: Cursor, seat: int) -> ev.Event:
        return ev.RedealGranted(seat, self._on_rack(parse_tiles(cursor, self.tiles), seat))

    def _times(self, cursor: Cursor, seat: int) -> ev.Event:
        cursor.expect("out")
        touched = cursor.accept("(", "touched", ")")
        return ev.TimedOut(seat, touched)

    def _is(self, cursor: Cursor, seat: int) -> ev.Event:
        cursor.expect("penalised")
        count = cursor.number()
        if not 0 <= count <= self.tiles.size:
            cursor.place -= 1
            raise cursor.fail("expected_number")
        cursor.expect("(")
        cause: Literal["time", "declared", "leftovers"] = cursor.one_of("time", "declared", "leftovers")
        codes = []
        while cursor.accept(","):
            codes.append(cursor.next("SET_INVALID").text.upper())
        cursor.expect(")")
        if cursor.accept(":") and cursor.at_end():
            raise cursor.fail("line_ends", expected="R7")
        return ev.Penalised(seat, cause, self._drawn(cursor, count), tuple(codes))

    def _lays(self, cursor: Cursor, seat: int) -> ev.Event:
        """`lays TILES -> whole TABLE`, or only the new sets, which then lie beside the old ones."""
        words, tables = self._parts(cursor)
        stated: dict[int, tuple[Face, ...]] = {}
        if words is not None:
            tiles = self._on_rack(words, seat)
            place = {tile for tiles in self.state.table for tile in tiles} | set(tiles)
            table = self._sets(tables, self._resolve([w for words, _ in tables for w in words], place))
            before = 0
        else:
            tiles = self._on_rack([word for words, _ in tables for word in words], seat)
            table = self.state.table + self._sets(tables, tiles)
            before = len(self.state.table)
        for index, (_, meaning) in enumerate(tables):
            if meaning is not None:
                stated[before + index] = meaning
        return ev.Laid(seat, table, tiles, stated)

    def _parts(
        self, cursor: Cursor
    ) -> tuple[list[TileToken] | None, list[tuple[list[TileToken], tuple[Face, ...] | None]]]:
        """The tiles before the arrow (None without one) and the sets after it."""
        first = self._set(cursor)
        if first[1] is None and cursor.accept("->"):
            return first[0], [] if cursor.accept("-") else self._set_list(cursor, self._set(cursor))
        return None, self._set_list(cursor, first)

    def _set_list(
        self, cursor: Cursor, first: tuple[list[TileToken], tuple[Face, ...] | None]
    ) -> list[tuple[list[TileToken], tuple[Face, ...] | None]]:
        sets = [first]
        while cursor.accept("|"):
            sets.append(self._set(cursor))
        return sets

    def _set(self, cursor: Cursor) -> tuple[list[TileToken], tuple[Face, ...] | None]:
        """Tiles, and after `=` what a player announced that they stand for (R10)."""
        words = parse_tiles(cursor, self.tiles)
        if not cursor.accept("="):
            return words, None
        return words, tuple(word.face for word in parse_tiles(cursor, self.tiles))

    def _sets(
        self, sets: list[tuple[list[TileToken], tuple[Face, ...] | None]], tiles: tuple[Tile, ...]
    ) -> tuple[tuple[Tile, ...], ...]:
        """Tiles put together again as they were written."""
        table, used = [], 0
        for words, _ in sets:
            table.append(tiles[used : used + len(words)])
            used += len(words)
        return tuple(table)

    def _leaves(self, cursor: Cursor, seat: int) -> ev.Event:
        left = parse_tiles(cursor, self.tiles)
        cursor.expect("(")
        to: Literal["rack", "under_pool"] = "rack"
        if cursor.one_of("to rack", "under pool") == "under pool":
            to = "under_pool"
        cursor.expect(")", "->")
        tables = [] if cursor.accept("-") else self._set_list(cursor, self._set(cursor))
        place = {tile for tiles in self.state.table for tile in tiles}
        every = self._resolve([*left, *(word for words, _ in tables for word in words)], place)
        return ev.LeftoversRuled(seat, self._sets(tables, every[len(left) :]), every[: len(left)], to)

    # Rummy-O

    def _takes(self, cursor: Cursor, seat: int) -> ev.Event:
        source: Literal["stock", "discard"] = cursor.one_of("stock", "discard")
        if source == "stock":
            return ev.Took(seat, source, self._drawn(cursor, 1)[0])
        top = self.state.discards[-1:]
        if cursor.at_end() and top and top[0] >= 0:
            return ev.Took(seat, source, top[0])
        word = parse_tile_token(cursor.next("R7"), self.tiles)
        return ev.Took(seat, source, self._resolve([word], self.follower.may_hold(top))[0])

    def _discards(self, cursor: Cursor, seat: int) -> ev.Event:
        word = parse_tile_token(cursor.next("R7"), self.tiles)
        return ev.Discarded(seat, self._on_rack([word], seat)[0])

    def _plays(self, cursor: Cursor, seat: int) -> ev.Event:
        """`plays TILES (outcome) -> all MELDS`, or only the new melds, which then lie beside the old ones."""
        start = cursor.place
        words = parse_tiles(cursor, self.tiles)
        outcome = self._outcome(cursor)
        old = self.state.melds
        if cursor.accept("->"):
            tiles = self._on_rack(words, seat)
            place = {tile for meld in old for tile in meld.tiles} | set(tiles)
            melds = () if cursor.accept("-") else self._melds(cursor, seat, place, old)
            return ev.Played(seat, melds, tiles, outcome)
        cursor.place = start
        place = self.follower.may_hold(self.state.racks[seat]) if self.state.racks else set()
        melds = self._melds(cursor, seat, place, ())
        outcome = self._outcome(cursor)
        tiles = tuple(tile for meld in melds for tile in meld.tiles)
        return ev.Played(seat, old + melds, tiles, outcome)

    def _outcome(self, cursor: Cursor) -> str:
        for outcome, text in OUTCOME_WORDS.items():
            if cursor.accept("(", *text.split(), ")"):
                return outcome
        return "OK"

    def _melds(self, cursor: Cursor, seat: int, place: set[Tile], old: tuple[Meld, ...]) -> tuple[Meld, ...]:
        """Melds with their owners. A tile counts for whom it counted before, a new one for the player."""
        drafts: list[_MeldDraft] = []
        while True:
            owner = old[len(drafts)].owner if len(drafts) < len(old) else seat
            drafts.append(self._meld(cursor, owner))
            if not cursor.accept("|"):
                break
        tiles = self._resolve([word for draft in drafts for word in draft.words], place)
        holder_of = {t: h for meld in old for t, h in zip(meld.tiles, meld.holders, strict=True)}
        melds, used = [], 0
        for draft in drafts:
            mine = tiles[used : used + len(draft.words)]
            used += len(mine)
            holders = tuple(
                draft.holders.get(index, holder_of.get(tile, seat)) for index, tile in enumerate(mine)
            )
            melds.append(Meld(mine, draft.owner, holders, self._reading(mine, draft.kind)))
        return tuple(melds)

    def _meld(self, cursor: Cursor, owner: int) -> _MeldDraft:
        if [token[:2] for token in cursor.tokens[cursor.place + 1 : cursor.place + 2]] == [("mark", ":")]:
            owner = cursor.seat()
            cursor.expect(":")
        words: list[TileToken] = []
        holders: dict[int, int] = {}
        while True:
            more = parse_tiles(cursor, self.tiles)
            words.extend(more)
            if not more or not cursor.sees("(") or not cursor.sees_name(ahead=1):
                break
            cursor.expect("(")
            holders[len(words) - 1] = cursor.seat()
            cursor.expect(")")
        kind = cursor.one_of("run", "group") if cursor.accept("=") else None
        return _MeldDraft(words, owner, holders, kind)

    def _reading(self, tiles: tuple[Tile, ...], kind: str | None) -> Reading:
        every = readings(self.state.book, tiles)
        return next((reading for reading in every if reading.kind == kind), every[0])


class _MeldDraft:
    """A meld as written, before it is known which tiles are resolve_tiles."""

    def __init__(self, words: list[TileToken], owner: int, holders: dict[int, int], kind: str | None) -> None:
        self.words = words
        self.owner = owner
        self.holders = holders
        self.kind = kind


_KEYWORDS: dict[str, Callable[[EventParser, Cursor], Line]] = {
    "starter": EventParser._starter,
    "deal": EventParser._deal,
    "racks": EventParser._racks,
    "turn": EventParser._turn,
    "pool": EventParser._pool,
    "reshuffle": EventParser._reshuffle,
    "end": EventParser._end,
    "referee": EventParser._referee,
}

_VERBS: dict[str, Callable[[EventParser, Cursor, int], ev.Event]] = {
    "draws": EventParser._draws,
    "lays": EventParser._lays,
    "passes": EventParser._passes,
    "shows": EventParser._shows,
    "times": EventParser._times,
    "is": EventParser._is,
    "leaves": EventParser._leaves,
    "withdraws": EventParser._withdraws,
    "resigns": EventParser._resigns,
    "takes": EventParser._takes,
    "plays": EventParser._plays,
    "discards": EventParser._discards,
}
