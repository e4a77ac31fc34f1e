"""Counts the games kept on a device: each of them once, and a few at a time, while nobody plays."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from meldroom.browser.store import DeviceStore
from meldroom.rooms.errors import WorkerError
from meldroom.rooms.ports import FinishedGame

if TYPE_CHECKING:
    from meldroom.api.profiles.statistics import PlayedGame

Run = Callable[[str, bytes], Awaitable[bytes]]
GAMES_AT_ONCE = 3
KEY = "played"
"""With the id of a game: what was counted of it."""


async def counted_games(store: DeviceStore, run: Run, player: str) -> tuple[list[PlayedGame], int]:
    """The player's games, oldest first, and how many are still to be counted. Raises StorageError."""
    from meldroom.api.profiles.statistics import PlayedGame

    found: list[PlayedGame] = []
    counted = pending = 0
    for game in reversed(await store.finished_of(player)):
        if player not in game.people:
            continue  # Opened from a file.
        kept = await store.get(f"{KEY} {game.id}")
        if kept is not None:
            found.append(msgspec.json.decode(kept, type=PlayedGame))
        elif counted < GAMES_AT_ONCE:
            counted += 1
            one = await _count(run, game, game.people.index(player))
            await store.put(f"{KEY} {game.id}", msgspec.json.encode(one).decode())
            found.append(one)
        else:
            pending += 1
    return found, pending


async def _count(run: Run, game: FinishedGame, seat: int) -> PlayedGame:
    """A game in numbers; one whose record cannot be read does not count."""
    from meldroom.api.profiles.statistics import COUNT, JUDGE, Judged, JudgeQuestion, PlayedGame

    try:
        answered = await run(COUNT, game.record.encode())
        one = msgspec.json.decode(answered, type=tuple[PlayedGame, ...])[seat]
        asked = JudgeQuestion(game.record, seat, 0, len(game.record))
        judged = msgspec.json.decode(await run(JUDGE, msgspec.json.encode(asked)), type=Judged)
    except WorkerError:
        return PlayedGame(seat=seat, book=game.book, counts=False, judged=0)
    return replace(
        one, book=game.book, ended_at=game.ended_at, judged=judged.judged, missed=judged.missed, people=0
    )
