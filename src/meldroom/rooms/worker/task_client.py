"""The `Workers` of ports.py in terms of tasks: what is asked, how it is encoded, what the answers are.

Whoever can get a task answered (processes of this server, workers on other machines, a browser's own thread)
says so in `ask`; nothing else differs between them.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from hashlib import blake2b

import msgspec

from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rooms.errors import WorkerError
from meldroom.rooms.ports import BotKey
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

_LOG = logging.getLogger(__name__)
_ACTION = msgspec.msgpack.Decoder(Action)
_HINT = msgspec.msgpack.Decoder(HintStep)
_ODDS = msgspec.msgpack.Decoder(Odds)
_YES_OR_NO = msgspec.msgpack.Decoder(bool)
_MAYBE: msgspec.msgpack.Decoder[bool | None] = msgspec.msgpack.Decoder(bool | None)

encode_task = msgspec.msgpack.Encoder().encode
decode_reply = msgspec.msgpack.Decoder(Reply).decode


def home_of(room: str) -> str:
    """What a worker knows a room by: it needs to tell rooms apart, and must not be able to enter one."""
    return blake2b(room.encode(), digest_size=9).hexdigest()


def value_of(reply: Reply) -> bytes:
    """The encoded value. Raises WorkerError if there is none."""
    if reply.failure:
        raise WorkerError("failed", reason=reply.failure)
    return reply.value


class TaskWorkers(ABC):
    """Bots, hints and searches for rooms, each asked for as a task."""

    @abstractmethod
    async def ask(self, task: Task, home: str = "") -> bytes:
        """The encoded answer of a task; those of one `home` find its bots again. Raises WorkerError."""

    @abstractmethod
    def let_go(self, task: ForgetTask, home: str) -> None:
        """Have the bots of a game forgotten, some time."""

    async def bot_action(
        self, key: BotKey, level: str, book: BookRef, seed: str, view: View, seconds: float | None
    ) -> Action | None:
        """What a bot does now; None if it fails or takes too long."""
        home = home_of(key.room)
        task = BotTask(f"{home}-{key.game}-{key.seat}", level, book, seed, view, seconds)
        try:
            action: Action = _ACTION.decode(await self.ask(task, home))
        except (WorkerError, msgspec.MsgspecError) as error:
            _LOG.warning("a bot of level %s had no answer: %s", level, error)
            return None
        return action

    async def hint(self, book: BookRef, view: View, step: int, language: Language) -> HintStep:
        """A hint. Raises WorkerError."""
        return _HINT.decode(await self.ask(HintTask(book, view, step, language)))

    async def can_lay(self, book: BookRef, view: View) -> bool:
        """Whether the player to move can lay anything (R12). Raises WorkerError."""
        return _YES_OR_NO.decode(await self.ask(CanLayTask(book, view)))

    async def playable(self, book: BookRef, view: View) -> bool | None:
        """Whether anything can be played in this turn, None if that cannot be said. Raises WorkerError."""
        return _MAYBE.decode(await self.ask(PlayableTask(book, view)))

    async def odds(self, book: BookRef, view: View) -> Odds:
        """The odds of opening and of going out. Raises WorkerError."""
        return _ODDS.decode(await self.ask(OddsTask(book, view)))

    async def run(self, function: str, payload: bytes) -> bytes:
        """The answer of `module:function`, called with the payload behind all bots. Raises WorkerError."""
        return await self.ask(RunTask(function, payload))

    def forget(self, room: str, game: int) -> None:
        """A game is over: its bots are no longer needed."""
        home = home_of(room)
        self.let_go(ForgetTask(f"{home}-{game}-"), home)
