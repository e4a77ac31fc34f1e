"""Finished games between bots in every book, and a store that holds them."""

from __future__ import annotations

import asyncio
from functools import cache
from importlib import import_module

from meldroom.bots.game_loop import play_game
from meldroom.bots.levels import make_bot
from meldroom.game.events import GameEnded
from meldroom.game.shuffle import Shuffle
from meldroom.record import to_text
from meldroom.rooms.ports import FinishedGame
from meldroom.rules.library import book

SEATS = {"wrc9": 4, "wrc11": 3, "nzrc2024": 4, "tml": 2, "rummyo": 4}
NAMES = ("Ada", "Bo", "Chi", "Dov")
LEVELS = ("club", "tournament", "beginner", "club")
SECRET = "5e" * 32


@cache
def finished(book_id: str) -> FinishedGame:
    """A whole game with its shuffle revealed, as the server keeps it."""
    rules, seats = book(book_id), SEATS[book_id]
    shuffle = Shuffle(SECRET, tuple(f"word {seat}" for seat in range(seats)))
    bots = [make_bot(level, rules, seed="games") for level in LEVELS[:seats]]
    game = play_game(rules, bots, shuffle, players=NAMES[:seats])
    end = next(event for event in game.events if isinstance(event, GameEnded))
    return FinishedGame(
        id=f"game-{book_id}",
        room="k3f9qz",
        game=1,
        book=book_id,
        players=NAMES[:seats],
        people=("p-ada", *[""] * (seats - 1)),
        scores=end.scores,
        winners=end.winners,
        ended_at=1_700_000_000_000,
        record=to_text(game.record()),
    )


class FinishedGames:
    """As much of a store as these pages ask for."""

    def __init__(self, *more: FinishedGame) -> None:
        self.more = {game.id: game for game in more}

    async def finished(self, game: str) -> FinishedGame | None:
        """A finished game by id."""
        book_id = game.removeprefix("game-")
        return self.more.get(game) or (finished(book_id) if book_id in SEATS else None)


class WorkersHere:
    """A worker in this process; counts what it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def run(self, function: str, payload: bytes) -> bytes:
        """The answer of `module:function`."""
        self.asked += 1
        module, name = function.split(":")
        answer = await asyncio.to_thread(getattr(import_module(module), name), payload)
        assert isinstance(answer, bytes)
        return answer
