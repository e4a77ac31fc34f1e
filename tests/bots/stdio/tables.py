"""What the tests of bots in other processes share: commands, small bots of our own, and a whole game."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from meldroom.bots import Bot, Clock, play_game
from meldroom.bots.stdio import BotFailure
from meldroom.game import Draw, Event, Pass, Shuffle, State, reveal
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.record import Record, verify
from meldroom.rules.book import RuleBook
from meldroom.rules.library import house_book

ROOT = Path(__file__).resolve().parents[3]
BAD_BOTS = Path(__file__).resolve().parent / "bad_bots.py"
GREEDY = [sys.executable, "-I", str(ROOT / "examples/bots/greedy_bot.py")]

MATCHBOX = house_book(
    {
        "id": "matchbox",
        "version": "1",
        "base": "wrc11",
        "tiles": {"colours": ["K", "R", "B"], "numbers": 5, "jokers": 1},
        "deal": {"tiles": 6, "starter_tiles": 6},
        "opening": {"points": 8},
    }
)


def bad_bot(name: str) -> list[str]:
    """The command that starts one of the bad bots."""
    return [sys.executable, "-I", str(BAD_BOTS), name]


class Waits:
    """Draws, or passes."""

    def act(self, view: View, clock: Clock) -> Action:
        """The answer that is always possible."""
        assert view.me is not None
        return Draw(view.me) if view.pool_size else Pass(view.me)


class Fails:
    """Gives no answer in any turn."""

    def act(self, view: View, clock: Clock) -> Action:
        """Never."""
        raise BotFailure("late", "0")


def verified_game(
    book: RuleBook, bots: Sequence[Bot], *, seed: str = "a game", clock: Clock | None = None
) -> tuple[State, list[Event]]:
    """A whole game whose record passes verification."""
    shuffle = Shuffle(seed)
    game = play_game(book, bots, shuffle, starter=0, clock=clock or Clock())
    state, events = game.state, game.events
    report = verify(Record.of([*events, reveal(state, shuffle)]))
    assert report.ok, [problem.message() for problem in report.problems]
    return state, events


def of_seat(events: Sequence[Event], seat: int, *kinds: type) -> list[Event]:
    """The events of some kinds about one seat."""
    return [event for event in events if isinstance(event, kinds) and getattr(event, "seat", None) == seat]
