"""Bots, hints and searches in the same thread: a browser's worker is the process that they run in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rooms.errors import WorkerError
from meldroom.rooms.ports import BotKey, Value
from meldroom.rooms.protocol.answers import HintStep, Odds
from meldroom.rooms.worker.tasks import (
    BotTask,
    CanLayTask,
    ForgetTask,
    HintTask,
    OddsTask,
    PlayableTask,
    Reply,
    RunTask,
    Task,
)
from meldroom.rules.book import BookRef

if TYPE_CHECKING:
    from meldroom.rooms.worker.worker import Worker

TURNS_TO_WAIT = 8
"""Rounds of the event loop in which what was answered leaves before a computation holds everything up."""

_LOG = logging.getLogger(__name__)
_encode = msgspec.msgpack.Encoder().encode
_REPLY = msgspec.msgpack.Decoder(Reply)
_ACTION = msgspec.msgpack.Decoder(Action)
_HINT = msgspec.msgpack.Decoder(HintStep)


async def at_once(function: Callable[..., Value], /, *arguments: object) -> Value:
    """Call a slow function where there are no threads."""
    return function(*arguments)


class LocalWorkers:
    """The Workers of ports.py: one worker, one task at a time. It is loaded with the first task."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._closed = False

    async def bot_action(
        self, key: BotKey, level: str, book: BookRef, seed: str, view: View, seconds: float | None
    ) -> Action | None:
        """What a bot does now; None if it fails."""
        try:
            data = await self._ask(BotTask(key.text(), level, book, seed, view, seconds))
            action: Action = _ACTION.decode(data)
        except (WorkerError, msgspec.MsgspecError) as error:
            _LOG.warning("a bot of level %s had no answer: %s", level, error)
            return None
        return action

    async def hint(self, book: BookRef, view: View, step: int, language: Language) -> HintStep:
        """A hint. Raises WorkerError."""
        return _HINT.decode(await self._ask(HintTask(book, view, step, language)))

    async def can_lay(self, book: BookRef, view: View) -> bool:
        """Whether the player to move can lay anything (R12). Raises WorkerError."""
        return msgspec.msgpack.decode(await self._ask(CanLayTask(book, view)), type=bool)

    async def playable(self, book: BookRef, view: View) -> bool | None:
        """Whether anything can be played in this turn, None if that cannot be said. Raises WorkerError."""
        data = await self._ask(PlayableTask(book, view))
        return msgspec.msgpack.decode(data, type=bool | None)

    async def odds(self, book: BookRef, view: View) -> Odds:
        """The odds of opening and of going out. Raises WorkerError."""
        data = await self._ask(OddsTask(book, view))
        return msgspec.msgpack.decode(data, type=Odds)

    async def run(self, function: str, payload: bytes) -> bytes:
        """The answer of `module:function`. Raises WorkerError."""
        return await self._ask(RunTask(function, payload))

    def forget(self, room: str, game: int) -> None:
        """A game is over: its bots are no longer needed."""
        if self._worker is not None:
            self._worker.answer(_encode(ForgetTask(f"{room}-{game}-")))

    async def close(self) -> None:
        """Answer nothing more."""
        self._closed = True
        self._worker = None

    async def _ask(self, task: Task) -> bytes:
        """The encoded answer. Raises WorkerError."""
        for _ in range(TURNS_TO_WAIT):
            await asyncio.sleep(0)
        if self._closed:
            raise WorkerError("closing")
        if self._worker is None:
            from meldroom.rooms.worker.worker import Worker

            self._worker = Worker()
        reply = _REPLY.decode(self._worker.answer(_encode(task)))
        if reply.failure:
            raise WorkerError("failed", reason=reply.failure)
        return reply.value
