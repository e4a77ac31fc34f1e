"""A bot in another process, in any language: JSON Lines over its standard input and output.

`docs/bot-protocol.md` is the page for those who write such a bot.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from meldroom.bots.interface import Clock
from meldroom.bots.stdio import messages as wire
from meldroom.bots.stdio.connection import Link, Trace
from meldroom.bots.stdio.failure import BotFailure, FailureCode
from meldroom.bots.stdio.messages import Limits
from meldroom.bots.stdio.process import BotProcess, split_command
from meldroom.bots.stdio.turn import ask
from meldroom.bots.stdio.views import format_tiles
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rules.book import RuleBook

DEFAULT_SECONDS = 40.0
QUIT_SECONDS = 1.0


class StdioBot:
    """A program that plays by the protocol. It is started once and plays any number of games, one by one.

    Use it in a `with` statement, or call `close`; nothing of the process is left then. `seconds` is the time
    for a turn where the caller's clock gives none: without it the book's, or 40. `failures` counts what
    went wrong, by reason.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        book: RuleBook,
        *,
        seconds: float | None = None,
        seed: str = "",
        language: Language = "en",
        limits: Limits = Limits(),  # noqa: B008
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        memory_bytes: int | None = None,
        cpu_seconds: int | None = None,
        trace: Trace | None = None,
    ) -> None:
        """Nothing is started yet. Raises BotFailure for a command that is none."""
        self.command = split_command(command)
        self.book = book
        self.seconds = float(book.clock.seconds or DEFAULT_SECONDS) if seconds is None else seconds
        self.language: Language = language
        self.limits = limits
        self.failures: Counter[FailureCode] = Counter()
        self._seed = seed
        self._trace = trace
        self._surroundings = (folder, environment, memory_bytes, cpu_seconds)
        self._link: Link | None = None
        self._game: object = None
        self._progress = (0, 0)
        self._told = False
        self._starts_left = limits.restarts + 1
        self._late_turns = 0

    def __enter__(self) -> Self:
        """Starts the bot and shakes hands. Raises BotFailure if that cannot be done."""
        if self._link is None:
            self._launch(time.monotonic() + self.limits.start_seconds)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def name(self) -> str:
        """What the bot calls itself, once it runs."""
        return "" if self._link is None else self._link.name

    @property
    def pid(self) -> int | None:
        """The number of the bot's process, while there is one."""
        return None if self._link is None else self._link.process.pid

    def close(self) -> None:
        """Tell the bot to quit, and end it if it does not within a second. It can be started again."""
        try:
            if self._link is not None:
                with contextlib.suppress(BotFailure):
                    self._link.send(wire.Quit())
        finally:
            self._end(QUIT_SECONDS)

    def begin_game(self, seed: str = "") -> None:
        """The next view belongs to a new game; everything random in the bot shall follow from the seed.

        Not needed where games differ in players, shuffle or number, or `game_over` is called between them.
        """
        self._seed = seed
        self._game = None

    def act(self, view: View, clock: Clock) -> Action:
        """The bot's action, legal by the book or one that its book penalises. Raises BotFailure."""
        if view.me is None or view.book != self.book.ref:
            raise ValueError(f"this bot was made for a seat in games of {self.book.id}")
        self._notice(view)
        seconds = self.seconds if clock.seconds is None else clock.seconds
        try:
            if self._link is None and self._starts_left > self.limits.restarts:
                self._launch(time.monotonic() + self.limits.start_seconds)
            deadline = time.monotonic() + seconds
            # Started again in the middle of a game, a bot does so in its own time.
            link = self._link or self._launch(deadline)
            if not self._told:
                link.send(self._new_game(view, view.me, seconds, link))
                self._told = True
            action = ask(link, self.book, view, deadline)
        except BotFailure as failure:
            self._failed(failure)
            raise
        self._late_turns = 0
        return action

    def game_over(self, view: View) -> None:
        """Tell the bot how its game ended; the next view belongs to another."""
        if self._link is not None and self._told and view.result is not None and view.racks is not None:
            style = self._link.style
            over = wire.GameOver(
                game=view.game,
                end=view.result.end,
                scores=view.result.scores,
                winners=view.result.winners,
                going_out=view.result.going_out,
                racks=tuple(format_tiles(self.book.tiles, rack, style) for rack in view.racks),
            )
            try:
                self._link.send(over)
            except BotFailure as failure:
                self._failed(failure)
        self._game = None

    def _notice(self, view: View) -> None:
        """A view of another game than the last begins a new count of failures."""
        game = (view.commitment, view.game, view.players, view.me)
        progress = (view.deals, sum(view.turns))
        if game != self._game or progress < self._progress:
            self._game = game
            self._told = False
            self._late_turns = 0
            self._starts_left = self.limits.restarts + (self._link is None)
        self._progress = progress

    def _new_game(self, view: View, me: int, seconds: float, link: Link) -> wire.NewGame:
        return wire.NewGame(
            game=view.game,
            book=self.book.ref,
            family=self.book.family,
            rules=wire.Rules.of(self.book),
            players=view.players,
            seat=me,
            seconds=seconds,
            seed=self._seed,
            commitment=view.commitment,
            stand_ins=format_tiles(self.book.tiles, view.stand_ins, link.style),
        )

    def _failed(self, failure: BotFailure) -> None:
        """Count it; a process that ended, floods or is late again and again is ended."""
        self.failures[failure.code] += 1
        self._late_turns = self._late_turns + 1 if failure.code == "late" else 0
        if failure.code in ("ended", "flood") or self._late_turns >= self.limits.late_turns:
            self._end(0)

    def _end(self, grace: float) -> None:
        if self._link is not None:
            self._link.process.close(grace)
        self._link = None
        self._told = False
        self._late_turns = 0

    def _launch(self, deadline: float) -> Link:
        """Start the process and shake hands with it. Raises BotFailure."""
        if self._starts_left <= 0:
            raise BotFailure("given_up")
        self._starts_left -= 1
        self._told = False
        folder, environment, memory_bytes, cpu_seconds = self._surroundings
        process = BotProcess(
            self.command,
            self.limits,
            folder=folder,
            environment=environment,
            memory_bytes=memory_bytes,
            cpu_seconds=cpu_seconds,
        )
        link = Link(process, self.limits, self.language, self._trace)
        try:
            link.shake_hands(deadline)
        except BotFailure as failure:
            process.close(0)
            if failure.code == "start":
                raise
            raise BotFailure("start", failure.as_message(), written=failure.written) from None
        except BaseException:
            process.close(0)
            raise
        self._link = link
        return link
