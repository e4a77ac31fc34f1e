"""The line to a running bot: messages both ways, numbered requests, and the handshake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from meldroom.bots.stdio import messages as wire
from meldroom.bots.stdio.answers import decode_line
from meldroom.bots.stdio.failure import AnswerError, BotFailure
from meldroom.bots.stdio.process import BotProcess, TooLong
from meldroom.bots.stdio.views import TileStyle
from meldroom.i18n import Language, Message

LONGEST_NAME = 60

Trace = Callable[[Literal["to", "from"], bytes], None]
"""Hears every line that goes to the bot or comes from it."""


class Link:
    """A bot that is running. `request` is the number of the one question it may answer now."""

    def __init__(
        self, process: BotProcess, limits: wire.Limits, language: Language, trace: Trace | None
    ) -> None:
        self.process = process
        self.limits = limits
        self.language: Language = language
        self.request = 0
        self.name = ""
        self.style: TileStyle = "faces"
        self._trace = trace

    def shake_hands(self, deadline: float) -> None:
        """The versioned greeting. Raises BotFailure if the bot does not give it."""
        self.request += 1
        self.send(wire.Hello(id=self.request, limits=self.limits))
        errors = 0
        while True:
            try:
                ready = self.hear(deadline)
            except AnswerError as error:
                errors += 1
                self.complain(error, errors)
                continue
            if ready is None:
                raise BotFailure("late", f"{self.limits.start_seconds:g}", written=self.process.written)
            if isinstance(ready, wire.Ready):
                if ready.protocol != wire.PROTOCOL:
                    versions = {"here": str(wire.PROTOCOL), "there": str(ready.protocol)}
                    raise BotFailure("start", Message("bots.failure.protocol", versions))
                self.name, self.style = ready.name[:LONGEST_NAME], ready.tiles
                return

    def send(self, message: wire.FromHost) -> None:
        """Send a message. Raises BotFailure for a bot that reads nothing any more."""
        line = msgspec.json.encode(message)
        if self._trace is not None:
            self._trace("to", line)
        self.process.send(line)

    def hear(self, deadline: float) -> wire.FromBot | None:
        """The answer to the open request, or None when time is up; answers to older ones are passed over.

        Raises AnswerError for a line that is none, BotFailure for a bot that has ended or floods.
        """
        while True:
            line = self.process.receive(deadline)
            if line is None:
                return None
            if isinstance(line, TooLong):
                raise AnswerError("too_long", str(self.limits.line_bytes))
            if self._trace is not None:
                self._trace("from", line)
            answer = decode_line(line)
            if answer.id > self.request:
                raise AnswerError("bad_id", str(self.request))
            if answer.id == self.request:
                return answer

    def complain(self, error: AnswerError, count: int) -> None:
        """Tell the bot what was wrong with a line. Raises BotFailure when there were too many."""
        if count > self.limits.errors:
            raise BotFailure("errors", str(count), written=self.process.written)
        self.send(wire.Error(id=self.request, code=error.code, message=error.message(self.language)))
