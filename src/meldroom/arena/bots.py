"""Seats the bots of an experiment for one game: levels from the ladder, programs over standard input."""

from __future__ import annotations

from contextlib import suppress

from meldroom.arena.errors import ArenaError
from meldroom.arena.experiment import Entrant, Experiment
from meldroom.bots import Bot, BotError, Clock, make_bot
from meldroom.bots.game_loop import NO_CLOCK
from meldroom.errors import MissingExtraError
from meldroom.rules.book import RuleBook


def seated(entrant: Entrant, book: RuleBook, seed: str) -> tuple[Bot, Clock]:
    """A bot for one seat of one game, and the clock it plays by.

    Levels of the ladder play without a clock: what they answer must not depend on how busy a machine is.
    """
    if entrant.command:
        return _program(entrant, book, seed), Clock(entrant.seconds)
    return make_bot(entrant.level, book, seed=seed, **entrant.parameters), NO_CLOCK


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

    Programs are left out where only the workers of a cluster have them.
    """
    for entry in experiment.books:
        book = entry.book()
        for entrant in experiment.bots:
            if programs or not entrant.command:
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
