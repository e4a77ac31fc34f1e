"""A recorded game, turn by turn: a line for everything that happened, and the table after it.

The lines are plain data, so that a terminal can colour them and a page can lay them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from meldroom.game import events as ev
from meldroom.game.notation.parsing import known_book
from meldroom.game.notation.svg import as_read
from meldroom.game.state import State
from meldroom.i18n import Language, Value, message
from meldroom.record.model import END_OF_HEADERS, Record
from meldroom.record.replay import replay
from meldroom.rules.procedures import as_drawn
from meldroom.tiles import HIDDEN, Face, Tile

Style = Literal["plain", "quiet", "strong", "remark", "tile"]

_MARK = "\0"


class Span(NamedTuple):
    """A piece of a line. `face` is that of a tile, None for words and for unknown tiles."""

    text: str
    style: Style = "plain"
    face: Face | None = None


class Line(NamedTuple):
    """One line. `turn` is 0 and `name` empty where the line is about nobody's turn.

    A line with `sets` shows the table: they stand side by side, as many as there is room for.
    """

    spans: tuple[Span, ...] = ()
    turn: int = 0
    name: str = ""
    sets: tuple[tuple[Span, ...], ...] = ()


class Narrator:
    """Narrates one record in one language."""

    def __init__(self, record: Record, language: Language) -> None:
        self.record = record
        self.language = language
        self.book = known_book(record.headers.book)
        self.players = record.headers.players

    def heading(self) -> Iterator[Line]:
        """Book, tags and players."""
        headers = self.record.headers
        version = self._message("version", version=headers.book.version)
        yield self._plain(f"{self.book.name[self.language]} ({headers.book.id}, {version})", "strong")
        if headers.book.options:
            options = ", ".join(f"{name}={value}" for name, value in headers.book.options.items())
            yield self._plain(self._message("options", options=options))
        for name, value in headers.tags.items():
            yield self._plain(f"{name}: {value}")
        parts = [" · ".join(self.players), self._message("game", game=str(headers.game))]
        if headers.clock is not None:
            parts.append(self._message("clock" if headers.clock else "no_clock", count=headers.clock))
        yield self._plain(", ".join(parts))
        for comment in self.record.comments:
            if comment.header and comment.header != END_OF_HEADERS:
                yield self._plain(comment.text, "remark")
        yield Line()

    def lines(self, last_turn: int | None = None) -> Iterator[Line]:
        """Everything that happened, up to the end of a turn if one is given."""
        before: State | None = None
        turn = 0
        for index, step in enumerate(replay(self.record)):
            if isinstance(step.event, ev.TurnBegan):
                turn += 1
                if last_turn is not None and turn > last_turn:
                    return
            yield from self._comments(index, beside=False)
            yield from self._line(step.event, before, step.state, step.unknown, turn)
            yield from self._comments(index, beside=True)
            before = step.state
        yield from self._comments(len(self.record.events), beside=False)

    def _comments(self, index: int, *, beside: bool) -> Iterator[Line]:
        for comment in self.record.comments:
            if not comment.header and comment.event == index and comment.beside == beside:
                yield self._plain(comment.text, "remark")

    # Sentences

    def _message(self, key: str, **details: Value) -> str:
        return message(f"record.narrate.{key}", self.language, **details)

    def _plain(self, text: str, style: Style = "plain") -> Line:
        return Line((Span(text, style),))

    def _sentence(self, key: str, tiles: Sequence[Tile] = (), **details: Value) -> list[Span]:
        """A sentence with its tiles in their place."""
        before, _, after = self._message(key, tiles=_MARK, **details).partition(_MARK)
        return [Span(before), *self._tiles(tiles), Span(after)]

    def _tiles(self, tiles: Sequence[Tile]) -> list[Span]:
        spans: list[Span] = []
        for tile in tiles:
            if spans:
                spans.append(Span(" "))
            face = self.book.tiles.face_of[tile] if tile >= 0 else None
            name = "?" if face is None else self.book.tiles.face_names[face]
            spans.append(Span(name, "tile", face))
        return spans

    def _line(
        self, event: ev.Event, before: State | None, after: State, unknown: frozenset[Tile], turn: int
    ) -> Iterator[Line]:
        """One event. What a player did comes after their name, everything else on its own."""
        match event:
            case ev.StarterChosen():
                yield from map(self._turned, event.rounds)
                yield self._plain(self._message("starter", name=self.players[event.seat]))
            case ev.Dealt():
                yield from self._dealt(event, after, unknown)
            case ev.TurnBegan() | ev.GameCreated() | ev.ShuffleRevealed():
                pass
            case ev.PoolExhausted():
                names = ", ".join(self.players[seat] for seat in event.order)
                yield self._plain(self._message("final_turns" if names else "pool_empty", names=names))
            case ev.Reshuffled():
                yield self._plain(self._message("reshuffle", count=len(event.stock)))
            case ev.Corrected():
                yield from self._corrected(event, after)
            case ev.GameEnded():
                yield from self._ended(event)
            case _:
                spans = tuple(self._act(event, before, after))
                yield Line(spans, turn, self.players[event.seat])
                yield from self._table(event, after)

    def _act(self, event: ev.Event, before: State | None, after: State) -> list[Span]:
        """What a player did, after their name."""
        match event:
            case ev.RedealGranted():
                return self._sentence("shows", event.tiles)
            case ev.Drew():
                return self._sentence("draws", (event.tile,))
            case ev.Laid():
                opening = before is not None and not before.melded[event.seat]
                left = self._left(len(after.racks[event.seat]))
                return [*self._sentence("opens" if opening else "lays", event.tiles), left]
            case ev.Passed():
                return self._sentence("passes")
            case ev.TimedOut():
                return self._sentence("times_out")
            case ev.Penalised():
                cause = self._message(f"cause.{event.cause}")
                key = "as_drawn" if as_drawn(after.book, event.cause) else "penalised"
                key = key if event.tiles else f"{key}_none"
                said = self._sentence(key, event.tiles, count=len(event.tiles), cause=cause)
                return [*said, Span("".join(f" {code}" for code in event.codes), "quiet")]
            case ev.LeftoversRuled():
                return self._sentence(f"leftovers.{event.to}", event.leftovers)
            case ev.Withdrew():
                return self._sentence("withdraws")
            case ev.Resigned():
                return self._sentence("resigns")
            case ev.Took():
                return self._sentence(f"takes.{event.source}", (event.tile,))
            case ev.Played():
                return self._played(event, after)
            case ev.Discarded():
                return self._sentence("discards", (event.tile,))
            case _:
                return []

    def _played(self, event: ev.Played, after: State) -> list[Span]:
        said = self._sentence("plays" if event.tiles else "plays_nothing", event.tiles)
        if event.outcome in ("ON_BOARD", "OPEN_RUMMY", "FOOT", "HAND"):
            said.append(Span(" " + self._message(f"outcome.{event.outcome}"), "strong"))
        return [*said, self._left(len(after.racks[event.seat]) - 1)]

    def _left(self, count: int) -> Span:
        return Span(f" ({self._message('left', count=max(count, 0))})", "quiet")

    def _table(self, event: ev.Event, after: State) -> Iterator[Line]:
        """The table, after whatever changed it."""
        if isinstance(event, ev.Laid | ev.LeftoversRuled | ev.Corrected):
            yield Line(sets=tuple(tuple(self._tiles(as_read(self.book, tiles))) for tiles in after.table))
        elif isinstance(event, ev.Played):
            melds = (
                (Span(f"{self.players[meld.owner]}: ", "quiet"), *self._tiles(meld.tiles))
                for meld in after.melds
            )
            yield Line(sets=tuple(melds))

    def _turned(self, turned: ev.Turned) -> Line:
        spans: list[Span] = []
        for seat, tile in turned:
            spans += [Span(f"{', ' if spans else ''}{self.players[seat]} "), *self._tiles((tile,))]
        before, _, after = self._message("turned", tiles=_MARK).partition(_MARK)
        return Line((Span(before), *spans, Span(after)))

    def _dealt(self, event: ev.Dealt, after: State, unknown: frozenset[Tile]) -> Iterator[Line]:
        racks = [[HIDDEN if tile in unknown else tile for tile in rack] for rack in after.racks]
        hidden = all(tile < 0 for rack in racks for tile in rack)
        key = "unknown_deal" if hidden else "deal"
        yield self._plain(self._message(key, number=str(event.number), count=len(event.pool)))
        for seat, rack in enumerate([] if hidden else racks):
            tiles = self._tiles(sorted(rack, key=lambda tile: (tile < 0, tile)))
            yield Line(tuple(tiles), 0, self.players[seat])
        yield Line()

    def _corrected(self, event: ev.Corrected, after: State) -> Iterator[Line]:
        said = self._message("referee", reason=event.reason) if event.reason else self._message("correction")
        spans = [Span(said)]
        if event.moves:
            moved = self._sentence("moved", [move.tile for move in event.moves])
            spans += [Span(" ("), *moved, Span(")")]
        spans.append(Span(f" ({self._message('to_play', name=self.players[event.seat])})", "quiet"))
        yield Line(tuple(spans))
        if any(move.to == "table" for move in event.moves):
            yield from self._table(event, after)

    def _ended(self, event: ev.GameEnded) -> Iterator[Line]:
        yield Line()
        if event.reason:
            said = self._message("because", reason=event.reason)
        else:
            names = ", ".join(self.players[seat] for seat in event.winners)
            said = self._message(f"over.{event.end}", name=names)
        yield self._plain(said, "strong")
        width = max(map(len, self.players))
        for seat, score in enumerate(event.scores):
            won = seat in event.winners
            line = f"{'*' if won else ' '} {self.players[seat]:<{width}}  {score:>+5}"
            yield self._plain(line, "strong" if won else "plain")
