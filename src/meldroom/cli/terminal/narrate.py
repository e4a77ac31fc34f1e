"""What happened, in one line each, for the person at the table."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.cli.terminal.session import Happened
from meldroom.game import events as ev
from meldroom.game.views import View
from meldroom.i18n import Language, Message, Value, message
from meldroom.rules.book import RuleBook
from meldroom.rules.procedures import as_drawn
from meldroom.tiles import HIDDEN, Tile


class Narrator:
    """Writes the log of one game for one seat in one language."""

    def __init__(self, book: RuleBook, players: Sequence[str], me: int, language: Language) -> None:
        self.book = book
        self.players = players
        self.me = me
        self.language: Language = language

    def line(self, happened: Happened) -> str | None:
        """A line about an event, or None where there is nothing to say."""
        event, before = happened.event, happened.before
        match event:
            case ev.StarterChosen():
                return self._starter(event)
            case ev.Dealt():
                return self._text("dealt", tiles=_count(len(event.racks[self.me])), pool=len(event.pool))
            case ev.PoolExhausted():
                names = tuple(self._name(seat) for seat in event.order)
                return self._text("last_turns" if names else "pool_empty", names=names)
            case ev.Reshuffled():
                return self._text("reshuffled", tiles=_count(len(event.stock)))
            case ev.Corrected() | ev.GameEnded() | ev.ShuffleRevealed() | ev.GameCreated() | ev.TurnBegan():
                return None
            case ev.Laid():
                key = "laid" if before.melded[event.seat] else "opened"
                left = before.rack_sizes[event.seat] - len(event.tiles)
                return self._did(event.seat, key, event.tiles, left=left)
            case ev.Played():
                return self._played(event, before)
            case ev.Penalised():
                return self._penalised(event)
            case ev.Drew():
                return self._did(event.seat, "drew", (event.tile,))
            case ev.Took():
                return self._did(event.seat, f"took_{event.source}", (event.tile,))
            case ev.Discarded():
                return self._did(event.seat, "discarded", (event.tile,))
            case ev.Passed():
                return self._did(event.seat, "passed")
            case ev.TimedOut():
                return self._did(event.seat, "timed_out")
            case ev.RedealGranted():
                return self._did(event.seat, "redeal", event.tiles)
            case ev.LeftoversRuled():
                return self._did(event.seat, "leftovers", event.leftovers)
            case ev.Withdrew():
                return self._did(event.seat, "withdrew")
            case ev.Resigned():
                return self._did(event.seat, "resigned")

    def _text(self, key: str, **values: Value) -> str:
        return message(f"terminal.log.{key}", self.language, **values)

    def _name(self, seat: int) -> str:
        return message("terminal.you", self.language) if seat == self.me else self.players[seat]

    def _tiles(self, tiles: Sequence[Tile]) -> str:
        """Tiles by their faces; which of two equal ones it was is nobody's concern."""
        names, face_of = self.book.tiles.face_names, self.book.tiles.face_of
        return " ".join(names[face_of[tile]] for tile in tiles if tile != HIDDEN)

    def _did(self, seat: int, key: str, tiles: Sequence[Tile] = (), **details: int) -> str:
        who = "mine" if seat == self.me else "other"
        return self._text(
            f"{key}.{who}", name=self.players[seat], tiles=self._tiles(tiles), count=len(tiles), **details
        )

    def _starter(self, event: ev.StarterChosen) -> str:
        begins = self._did(event.seat, "begins")
        if not event.rounds:
            return begins
        turned = ", ".join(f"{self._name(seat)} {self._tiles((tile,))}" for seat, tile in event.rounds[-1])
        return self._text("turned", turned=turned, begins=begins)

    def _penalised(self, event: ev.Penalised) -> str:
        cause = self._text(f"cause.{event.cause}")
        key = "as_drawn" if as_drawn(self.book, event.cause) else "penalised"
        said = self._did(event.seat, key, event.tiles)
        return self._text("because", said=said, cause=cause)

    def _played(self, event: ev.Played, before: View) -> str:
        left = before.rack_sizes[event.seat] - len(event.tiles) - 1  # One more is discarded at once.
        said = self._did(event.seat, "played", event.tiles, left=left)
        if event.outcome in ("ON_BOARD", "OPEN_RUMMY", "FOOT", "HAND"):
            said = f"{said} {self._text('outcome.' + event.outcome)}"
        return said


def _count(tiles: int) -> Message:
    return Message("terminal.tiles", {"count": tiles})
