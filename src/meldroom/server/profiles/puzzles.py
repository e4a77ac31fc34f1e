"""Puzzles of accounts: first attempts, and the ratings that follow from them.

A player's rating is worked out here and never taken from a request. An attempt counts as fast as it came:
no slower than the time since the one before. What a guest's browser hands over counts for the player alone,
and leaves their rating provisional: nobody has seen those attempts.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Table, func, insert, select, update

from meldroom.api.puzzle_progress import (
    MOST_SHOWN,
    HandOver,
    PuzzleProgress,
    TriedPuzzle,
    day_number,
    day_text,
)
from meldroom.api.puzzles import PlayerRating
from meldroom.puzzles import Puzzle, starter_pack
from meldroom.puzzles.glicko2 import Rating
from meldroom.puzzles.ratings import (
    HANDED_OVER_DEVIATION,
    NEWCOMER,
    Attempt,
    Rated,
    after_attempt,
    of_prior,
)
from meldroom.rooms.ports import Clock
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import puzzle_attempts, puzzle_players, puzzle_ratings, puzzle_rows

DAY = 86_400_000
"""Milliseconds."""
MOST_A_DAY = 200
"""After so many attempts in one day somebody moves no puzzle any more."""
ASSUMED_SECONDS = 30.0
"""For an attempt whose time nobody has measured."""


class Counted(msgspec.Struct, frozen=True):
    """A player's rating before and after an attempt; `first` is false for a puzzle tried before."""

    before: Rated
    after: Rated
    first: bool


class AccountPuzzles:
    """What accounts have tried, in the store."""

    def __init__(self, store: SqlStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def strength(self, puzzle: Puzzle) -> Rated:
        """What players have made of a puzzle, or its prior."""
        return await self._store.read(lambda connection: _strength(connection, puzzle))

    async def rating(self, player: str, book: str) -> Rated:
        """Somebody's rating for a book."""
        return await self._store.read(lambda connection: _rating(connection, player, book))

    async def attempt(
        self, player: str, puzzle: Puzzle, *, solved: bool, seconds: float, day: int, daily: bool
    ) -> Counted:
        """Count somebody's attempt, if it is their first at this puzzle."""
        now = self._clock()

        def write(connection: Connection) -> Counted:
            before = _rating(connection, player, puzzle.book)
            if _tried(connection, player, puzzle.id):
                return Counted(before, before, False)
            last = connection.execute(_newest(player)).scalar()
            took = seconds if last is None else min(seconds, (now - last) / 1000)
            today = _near(day, now)
            made = Attempt(player, puzzle.id, puzzle.book, solved, max(0.0, took), today)
            asked = _strength(connection, puzzle)
            after, moved = after_attempt(before, asked, made)
            if moved != asked and _attempts_on(connection, player, today) < MOST_A_DAY:
                _keep(connection, puzzle_ratings, {"puzzle": puzzle.id}, moved)
            _add(connection, made, after, now, daily and today == day)
            return Counted(before, after, True)

        return await self._store.write(write)

    async def hand_over(self, player: str, kept: HandOver, daily: Collection[str]) -> PuzzleProgress:
        """Take over what a browser kept for a guest; puzzles that were tried before stay as they are.

        `daily` are those that were tried on their day.
        """
        now = self._clock()
        pack = {each.id: each for each in starter_pack()}

        def write(connection: Connection) -> PuzzleProgress:
            for each in kept.tried:
                puzzle, day = pack.get(each.id), day_number(each.day)
                if puzzle is None or day is None or _tried(connection, player, puzzle.id):
                    continue
                day = max(0, min(day, now // DAY + 1))
                made = Attempt(player, puzzle.id, puzzle.book, each.solved, ASSUMED_SECONDS, day)
                before = _rating(connection, player, puzzle.book)
                after, _ = after_attempt(before, of_prior(puzzle.rating), made)
                _add(connection, made, _provisional(after, before), now, puzzle.id in daily)
            _keep_rows(connection, player, kept)
            return _progress(connection, player)

        return await self._store.write(write)

    async def progress(self, player: str) -> PuzzleProgress:
        """Everything somebody has tried."""
        return await self._store.read(lambda connection: _progress(connection, player))


def _near(day: int, now: int) -> int:
    """The day of somebody's calendar: at most one away from ours."""
    today = now // DAY
    return max(today - 1, min(day, today + 1))


def _provisional(after: Rated, before: Rated) -> Rated:
    """No surer than a guess, unless it was before."""
    least = min(HANDED_OVER_DEVIATION, before.rating.deviation)
    deviation = max(after.rating.deviation, least)
    return msgspec.structs.replace(after, rating=msgspec.structs.replace(after.rating, deviation=deviation))


def _newest(player: str) -> Any:
    table = puzzle_attempts
    return select(func.max(table.c.created_at)).where(table.c.player == player)


def _tried(connection: Connection, player: str, puzzle: str) -> bool:
    table = puzzle_attempts
    found = select(table.c.puzzle).where(table.c.player == player, table.c.puzzle == puzzle)
    return connection.execute(found).first() is not None


def _attempts_on(connection: Connection, player: str, day: int) -> int:
    table = puzzle_attempts
    query = select(func.count()).select_from(table).where(table.c.player == player, table.c.day == day)
    return connection.execute(query).scalar() or 0


def _rated(row: Row[Any] | None, otherwise: Rated) -> Rated:
    if row is None:
        return otherwise
    return Rated(Rating(row.rating, row.deviation, row.volatility), row.attempts, row.day)


def _rating(connection: Connection, player: str, book: str) -> Rated:
    table = puzzle_players
    query = select(table).where(table.c.player == player, table.c.book == book)
    return _rated(connection.execute(query).first(), NEWCOMER)


def _strength(connection: Connection, puzzle: Puzzle) -> Rated:
    query = select(puzzle_ratings).where(puzzle_ratings.c.puzzle == puzzle.id)
    return _rated(connection.execute(query).first(), of_prior(puzzle.rating))


def _add(connection: Connection, made: Attempt, after: Rated, now: int, daily: bool) -> None:
    """Write an attempt and the rating after it."""
    table = puzzle_attempts
    number = connection.execute(
        select(func.max(table.c.number)).where(table.c.player == made.player)
    ).scalar()
    row = {
        "player": made.player,
        "puzzle": made.puzzle,
        "number": (number or 0) + 1,
        "book": made.book,
        "solved": made.solved,
        "daily": daily,
        "day": made.day,
        "rating": round(after.rating.rating),
        "created_at": now,
    }
    connection.execute(insert(table), row)
    _keep(connection, puzzle_players, {"player": made.player, "book": made.book}, after)


def _keep(connection: Connection, table: Table, key: dict[str, str], rated: Rated) -> None:
    now = rated.rating
    row = {
        "rating": now.rating,
        "deviation": now.deviation,
        "volatility": now.volatility,
        "attempts": rated.attempts,
        "day": rated.day,
    }
    _upsert(connection, table, key, row)


def _keep_rows(connection: Connection, player: str, kept: HandOver) -> None:
    if kept.best_streak or kept.best_round:
        streak, timed = _rows(connection, player)
        best = {"streak": max(streak, kept.best_streak), "round": max(timed, kept.best_round)}
        _upsert(connection, puzzle_rows, {"player": player}, best)


def _upsert(connection: Connection, table: Table, key: dict[str, str], row: dict[str, Any]) -> None:
    there = [table.c[name] == value for name, value in key.items()]
    if not connection.execute(update(table).where(*there).values(row)).rowcount:
        connection.execute(insert(table), {**key, **row})


def _rows(connection: Connection, player: str) -> tuple[int, int]:
    row = connection.execute(select(puzzle_rows).where(puzzle_rows.c.player == player)).first()
    return (0, 0) if row is None else (row.streak, row.round)


def _progress(connection: Connection, player: str) -> PuzzleProgress:
    table = puzzle_attempts
    newest = select(table).where(table.c.player == player).order_by(table.c.number.desc()).limit(MOST_SHOWN)
    rows = connection.execute(newest).all()[::-1]
    ratings = connection.execute(select(puzzle_players).where(puzzle_players.c.player == player))
    streak, timed = _rows(connection, player)
    return PuzzleProgress(
        ratings={row.book: PlayerRating.of(_rated(row, NEWCOMER)) for row in ratings},
        tried=tuple(
            TriedPuzzle(row.puzzle, row.book, row.solved, row.rating, day_text(row.day), row.daily)
            for row in rows
        ),
        best_streak=streak,
        best_round=timed,
    )
