"""One worker: keeps bots, books and hints, and answers one task after another."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from importlib import import_module

import msgspec

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.levels import make_bot
from meldroom.game.from_view import state_from_view
from meldroom.game.legal.arrange import find_lay
from meldroom.rooms.worker.hints import HintCache
from meldroom.rooms.worker.outlook import odds, playable
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
    UseCompiledTask,
    WarmUpTask,
)
from meldroom.rules.book import BookRef, RuleBook
from meldroom.rules.library import resolve
from meldroom.solver.kernel import mode

MOST_BOTS = 500
MOST_BOOKS = 64

_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = msgspec.msgpack.Decoder(Task).decode


class Worker:
    """Bots with their memories, books and hints, kept warm."""

    def __init__(self) -> None:
        self._bots: OrderedDict[str, Bot] = OrderedDict()
        self._books: OrderedDict[bytes, RuleBook] = OrderedDict()
        self._hints = HintCache()

    def answer(self, data: bytes) -> bytes:
        """The encoded reply to an encoded task; a failure is a reply too."""
        try:
            return _ENCODE(Reply(self._value(_DECODE(data))))
        except Exception as error:  # Whatever a bot does wrong, the worker lives on.
            return _ENCODE(Reply(failure=f"{type(error).__name__}: {error}"))

    def _value(self, task: Task) -> bytes:
        match task:
            case BotTask():
                bot = self._bot(task)
                return _ENCODE(bot.act(task.view, Clock(task.seconds)))
            case HintTask():
                book = self._book(task.book)
                return _ENCODE(self._hints.step(book, task.view, task.step, task.language))
            case CanLayTask():
                return _ENCODE(find_lay(state_from_view(self._book(task.book), task.view)) is not None)
            case PlayableTask():
                return _ENCODE(playable(self._book(task.book), task.view))
            case OddsTask():
                return _ENCODE(odds(self._book(task.book), task.view))
            case RunTask():
                return function_of(task.function)(task.payload)
            case ForgetTask():
                for key in [key for key in self._bots if key.startswith(task.prefix)]:
                    del self._bots[key]
                return b""
            case WarmUpTask():
                self._hints.warm_up()
                return b""
            case UseCompiledTask():
                mode.choose("auto")
                self._hints.warm_up()
                return b""

    def _bot(self, task: BotTask) -> Bot:
        key = f"{task.key}/{task.level}"
        if key not in self._bots:
            book = self._book(task.book)
            self._bots[key] = make_bot(task.level, book, seed=task.seed)
        self._bots.move_to_end(key)
        while len(self._bots) > MOST_BOTS:
            self._bots.popitem(last=False)
        return self._bots[key]

    def _book(self, ref: BookRef) -> RuleBook:
        key = _ENCODE(ref)
        if key not in self._books:
            self._books[key] = resolve(ref)
        self._books.move_to_end(key)
        while len(self._books) > MOST_BOOKS:
            self._books.popitem(last=False)
        return self._books[key]


FUNCTIONS = frozenset(
    {
        "meldroom.api.profiles.statistics:count",
        "meldroom.api.profiles.statistics:judge",
        "meldroom.api.referee:answer",
        "meldroom.api.tasks:analyse",
        "meldroom.api.tasks:find_best",
        "meldroom.api.tasks:report",
        "meldroom.api.tasks:reasons",
    }
)
"""What may be run: a task comes over a network, and nothing else of ours must answer it."""


def function_of(path: str) -> Callable[[bytes], bytes]:
    """One of our own functions by `module:name`. Raises ValueError for any other."""
    if path not in FUNCTIONS:
        raise ValueError(f"“{path}” is no function of ours that workers run")
    module, _, name = path.partition(":")
    function: Callable[[bytes], bytes] = getattr(import_module(module), name)
    return function
