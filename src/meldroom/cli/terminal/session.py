"""One game between a person and bots. The person sees views only; the record comes at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from meldroom.bots import Bot, Clock, Game
from meldroom.game import Abandon, Action, Shuffle, View, event_view, reveal
from meldroom.game.actions import Draw, Pass
from meldroom.game.events import Event
from meldroom.game.score_sheet import score_sheet
from meldroom.record import Record
from meldroom.rules.book import RuleBook
from meldroom.rules.scoring import ScoreSheet

MakeBot: TypeAlias = Callable[[str, RuleBook, str], Bot]
"""Makes a bot of a level for a book, from a seed."""


class Chair(msgspec.Struct, frozen=True):
    """Who sits where: a name, and a bot's level; the person has none."""

    name: str
    level: str | None = None


class Happened(msgspec.Struct, frozen=True):
    """An event as the person may see it, and their view just before the action that led to it."""

    event: Event
    before: View


class Session:
    """A game that is being played. The person sits at `me` and is shown `view()` and nothing else."""

    def __init__(
        self,
        book: RuleBook,
        chairs: Sequence[Chair],
        secret: str,
        make: MakeBot,
        *,
        game: int = 1,
        starter: int | None = None,
        seconds: int = 0,
    ) -> None:
        self.book = book
        self.chairs = tuple(chairs)
        self.me = next(seat for seat, chair in enumerate(chairs) if chair.level is None)
        self.seconds = seconds
        names = [chair.name for chair in chairs]
        self._game = Game(book, names, Shuffle(secret), starter=starter, game=game)
        # A bot's chance follows from what is published: a seed with the secret in it would tell the pool.
        self._bots = {
            seat: make(chair.level, book, f"{self._game.state.commitment} {game} {seat}")
            for seat, chair in enumerate(chairs)
            if chair.level is not None
        }

    def view(self) -> View:
        """The game as the person sees it."""
        return self._game.view(self.me)

    def opening_events(self) -> tuple[Event, ...]:
        """What has happened so far, as the person may learn of it."""
        return tuple(event_view(event, self.me) for event in self._game.events)

    @property
    def over(self) -> bool:
        """True when the game has ended."""
        return self._game.over

    @property
    def bot_to_act(self) -> int | None:
        """The seat of the bot whose turn it is, or None."""
        return None if self.over or self._game.state.seat == self.me else self._game.state.seat

    def think(self) -> Action | None:
        """What the bot to act answers; None if it fails. Slow: never called where a screen is drawn."""
        seat = self.bot_to_act
        if seat is None:
            return None
        clock = Clock(float(self.seconds)) if self.seconds else Clock()
        try:
            return self._bots[seat].act(self._game.view(), clock)
        except Exception:  # A bot's failure costs it the turn; it must not cost the person the game.
            return None

    def answer(self, action: Action | None) -> tuple[Happened, ...]:
        """Carry out what a bot answered. A bot that has no answer draws, or what stands for it."""
        if action is None and self.book.family == "rearranging":
            state = self._game.state
            action = Draw(state.seat) if state.pool else Pass(state.seat)
        before = self.view()
        return self._happened(before, self._game.apply_answer(action))

    def play(self, action: Action) -> tuple[Happened, ...]:
        """Carry out what the person does. Raises ActionError; nothing has happened then."""
        before = self.view()
        return self._happened(before, self._game.apply(action))

    def abandon(self, reason: str) -> None:
        """End an unfinished game without a result, so that its shuffle can be revealed."""
        if not self.over:
            self._game.apply(Abandon(self.me, reason=reason))

    @property
    def secret(self) -> str:
        """What the shuffle came from. Raises ActionError before the game is over."""
        return reveal(self._game.state, self._game.shuffle).secret

    def record(self) -> Record:
        """The finished game written down, with its shuffle revealed. Raises ActionError before."""
        bots = ", ".join(f"{chair.name} ({chair.level})" for chair in self.chairs if chair.level)
        return self._game.record(clock=self.seconds, tags={"bots": bots})

    def sheet(self) -> ScoreSheet | None:
        """Why each score is what it is; None for a game without a result."""
        return score_sheet(self._game.state)

    def _happened(self, before: View, events: tuple[Event, ...]) -> tuple[Happened, ...]:
        return tuple(Happened(event_view(event, self.me), before) for event in events)
