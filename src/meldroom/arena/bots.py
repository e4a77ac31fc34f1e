"""Seats the bots of an experiment for one game: levels from the ladder, Python classes, and programs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib import import_module

from meldroom.arena.errors import ArenaError
from meldroom.arena.experiment import Entrant, Experiment
from meldroom.bots import Bot, BotError, Clock, make_bot
from meldroom.bots.game_loop import NO_CLOCK
from meldroom.errors import MissingExtraError
from meldroom.rules.book import RuleBook


def seated(entrant: Entrant, book: RuleBook, seed: str) -> tuple[Bot, Clock]:
    """A bot for one seat of one game, and the clock it plays by.

    Levels of the ladder and classes play without a clock: what they answer must not depend on how busy a
    machine is. Raises ArenaError for a class that cannot be seated.
    """
    if entrant.command:
        return _program(entrant, book, seed), Clock(entrant.seconds)
    if entrant.python:
        return _made(entrant, book, seed), NO_CLOCK
    return make_bot(entrant.level, book, seed=seed, **entrant.parameters), NO_CLOCK


@lru_cache(maxsize=64)
def python_class(reference: str, place: str) -> Callable[..., object]:
    """The class that `module:Class` names. Raises ArenaError, which says what is missing."""
    module, _, name = reference.partition(":")
    try:
        found: object = import_module(module)
    except Exception as error:  # A module may fail in any way while it is loaded.
        raise ArenaError("error.no_module", place, module=module, reason=_reason(error)) from error
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise ArenaError("error.no_class", place, module=module, name=name)
    return found


def _made(entrant: Entrant, book: RuleBook, seed: str) -> Bot:
    """A bot of somebody's own class."""
    place = f"bots.{entrant.name}"
    make = python_class(entrant.python, place)
    named = "".join(f", {key}={value!r}" for key, value in entrant.parameters.items())
    call = f"{entrant.python.partition(':')[2]}(book, seed{named})"
    try:
        inspect.signature(make).bind(book, seed, **entrant.parameters)
        bot = make(book, seed, **entrant.parameters)
    except Exception as error:
        raise ArenaError("error.class_failed", place, call=call, reason=_reason(error)) from error
    if not callable(getattr(bot, "act", None)):
        raise ArenaError("error.no_act", place, call=call)
    return bot  # type: ignore[return-value]


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _program(entrant: Entrant, book: RuleBook, seed: str) -> Bot:
    """A bot in any language, in a process of its own for this one game.

    One that does not start is out of time at every turn; that is its own loss and no one else's.
    """
    from meldroom.bots.stdio import BotFailure, StdioBot

    bot = StdioBot(entrant.command, book, seconds=entrant.seconds, seed=seed)
    with suppress(BotFailure):
        bot.__enter__()  # Starting it is no part of its first move.
    return bot


def check(experiment: Experiment, programs: bool = True) -> None:
    """Seat every bot in every book once, as a trial. Raises ArenaError naming the one that cannot play.

    Programs and classes are left out where only the workers of a cluster have them.
    """
    for entry in experiment.books:
        book = entry.book()
        for entrant in experiment.bots:
            if programs or entrant.level:
                _try(entrant, entry.name, book)


def _try(entrant: Entrant, name: str, book: RuleBook) -> None:
    place = f"bots.{entrant.name}"
    try:
        if entrant.command:
            from meldroom.bots.stdio import BotFailure, StdioBot

            try:
                with StdioBot(entrant.command, book, seconds=entrant.seconds, seed="trial"):
                    return
            except BotFailure as failure:
                raise ArenaError("error.cannot_play", place, book=name, reason=str(failure)) from None
        seated(entrant, book, "trial")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("meldroom."):
            raise ArenaError("error.no_level", place, book=name) from None
        raise MissingExtraError("arena", error.name or "?") from None
    except ArenaError:
        raise
    except (BotError, ValueError, TypeError) as error:
        raise ArenaError("error.cannot_play", place, book=name, reason=str(error)) from None
