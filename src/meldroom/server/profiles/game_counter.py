"""Counts finished games once, off the event loop: at their end, and at the start those that were not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence

import msgspec
from sqlalchemy import Connection, delete, exists, insert, select, update

from meldroom.api.profiles.statistics import (
    COUNT,
    JUDGE,
    TURNS_AT_ONCE,
    Judged,
    JudgeQuestion,
    PlayedGame,
)
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import WorkerError
from meldroom.rooms.ports import FinishedGame
from meldroom.server.storage.errors import StorageError
from meldroom.server.storage.rooms import game_of
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import finished_games, people_in_games, played_games

Run = Callable[[str, bytes], Awaitable[bytes]]
PAUSE = 1.0
"""Seconds after the end of a game: whoever looks at its analysis at once goes first."""

_LOG = logging.getLogger(__name__)


class GameCounter:
    """One task that counts one game after another, the newest first, and each of them once."""

    def __init__(self, store: SqlStore, run: Run, pause: float = PAUSE) -> None:
        self._store = store
        self._run = run
        self._pause = pause
        self.counted: Callable[[Collection[str]], None] = lambda people: None
        """Called when a game of some people was counted, and when it was compared with the best play."""
        self._waiting: list[str] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin; what was not counted before is found beside."""
        self._wake.set()
        self._looking = asyncio.ensure_future(self._store.read(_uncounted))
        self._task = asyncio.create_task(self._work(), name="game-counter")

    async def close(self) -> None:
        """Stop; the rest is counted after the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, self._looking, return_exceptions=True)

    def turned(self, room: Room, new_turn: bool, present: Collection[str]) -> None:
        """Something was played in a room; a game that is over is counted soon."""
        if room.record is not None and room.game is not None:
            self._waiting.append(room.record)
            self._wake.set()

    async def _work(self) -> None:
        try:
            self._waiting = [*await asyncio.shield(self._looking), *self._waiting]
        except StorageError as error:
            _LOG.warning("games that were not counted could not be looked for: %s", error)
        while True:
            await self._wake.wait()
            await asyncio.sleep(self._pause)
            self._wake.clear()
            while self._waiting:
                game = self._waiting.pop()
                try:
                    await self.count(game)
                except (WorkerError, StorageError, msgspec.MsgspecError) as error:
                    # It is tried again after the next start.
                    _LOG.warning("game %s was not counted: %s", game, error)

    async def count(self, game: str) -> None:
        """Count a game, from its record alone; doing it again changes nothing. Raises WorkerError."""
        found = await self._store.finished(game)
        if found is None or not any(found.people):
            return
        try:
            answered = await self._run(COUNT, found.record.encode())
            by_seat = msgspec.json.decode(answered, type=tuple[PlayedGame, ...])
        except WorkerError as error:
            if error.code != "failed":
                raise
            by_seat = _unreadable(found)
        await self._store.write(lambda connection: _write(connection, found, by_seat))
        self.counted(found.people)
        for one in by_seat:
            if one.counts and found.people[one.seat]:
                await self._judge(found, one.seat)
        self.counted(found.people)

    async def _judge(self, found: FinishedGame, seat: int) -> None:
        """Compare a seat's turns with the best play, a few in each question."""
        seen = solved = missed = 0
        while True:
            asked = JudgeQuestion(found.record, seat, seen)
            try:
                answered = await self._run(JUDGE, msgspec.json.encode(asked))
            except WorkerError as error:
                if error.code != "failed":
                    raise
                break
            some = msgspec.json.decode(answered, type=Judged)
            seen, solved, missed = seen + some.seen, solved + some.judged, missed + some.missed
            if some.seen < TURNS_AT_ONCE:
                break
        mine = (played_games.c.game == found.id) & (played_games.c.seat == seat)
        await self._store.change(update(played_games).where(mine).values(judged=solved, missed=missed))


def _unreadable(found: FinishedGame) -> tuple[PlayedGame, ...]:
    """A game whose record cannot be read does not count, and is not tried again."""
    return tuple(
        PlayedGame(seat=seat, book=found.book, counts=False, judged=0) for seat in range(len(found.people))
    )


def _uncounted(connection: Connection) -> list[str]:
    """Games of people that were not counted, or not compared with the best play; the oldest first."""
    here = played_games.c.game == finished_games.c.id
    counted = exists(select(played_games.c.game).where(here))
    unjudged = exists(
        select(played_games.c.game).where(here, played_games.c.counts, played_games.c.judged.is_(None))
    )
    played = exists(select(people_in_games.c.game).where(people_in_games.c.game == finished_games.c.id))
    query = select(finished_games.c.id).where(played, ~counted | unjudged).order_by(finished_games.c.ended_at)
    return list(connection.execute(query).scalars())


def _write(connection: Connection, found: FinishedGame, by_seat: Sequence[PlayedGame]) -> None:
    """The rows of a game, under the people its guests have become by now."""
    summary = connection.execute(
        select(finished_games.c.summary).where(finished_games.c.id == found.id)
    ).scalar_one()
    people = game_of(summary).people
    connection.execute(delete(played_games).where(played_games.c.game == found.id))
    rows = []
    for one in by_seat:
        player = people[one.seat]
        if not player or player in people[: one.seat]:
            continue  # A bot; or somebody who sat at two seats, and counts once.
        rows.append(
            {
                "game": found.id,
                "seat": one.seat,
                "player": player,
                "book": found.book,
                "ended_at": found.ended_at,
                "counts": one.counts,
                "people": len({each for each in people if each} - {player}),
                "won": one.won,
                "score": one.score,
                "turns": one.turns,
                "opened": one.opened,
                "missed": one.missed,
                "judged": one.judged,
            }
        )
    if rows:
        connection.execute(insert(played_games), rows)
