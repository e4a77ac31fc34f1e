"""How somebody plays, in numbers: each finished game counted from its record, and all of them together.

Counting takes milliseconds, comparing turns with the best play takes longer; both run off the event loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from meldroom.api.profiles.schemas import BookStatistics, Statistics
from meldroom.api.replay.analysis import best_of
from meldroom.coach.turns import turns_of
from meldroom.game import events as ev
from meldroom.game.state import State
from meldroom.record import Record, loads, replay
from meldroom.rooms.views.cards import take_backs_of
from meldroom.solver import SolverError

COUNT = f"{__name__}:count"
JUDGE = f"{__name__}:judge"
TURNS_AT_ONCE = 6


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat did in a game. `people` are the other persons at the table.

    `opened` is the own turn of the opening, from 1. Of the `judged` turns, `missed` tiles could have been
    laid and were not; `judged` is None until somebody has looked. What does not count has no winner, or turns
    that were taken back.
    """

    seat: int
    book: str
    ended_at: int = 0
    counts: bool = True
    people: int = 0
    won: bool = False
    score: int = 0
    turns: int = 0
    opened: int | None = None
    missed: int = 0
    judged: int | None = None


class Judged(msgspec.Struct, frozen=True):
    """Some turns compared with the best play; with fewer `seen` than asked for there are no more."""

    seen: int
    judged: int
    missed: int


class JudgeQuestion(msgspec.Struct, frozen=True):
    """Some turns of a seat: `count` of them from the turn `first` (from 0) on."""

    record: str
    seat: int
    first: int
    count: int = TURNS_AT_ONCE


def count(payload: bytes) -> bytes:
    """A record's text answered with a JSON list of PlayedGame by seat."""
    return msgspec.json.encode(counted(loads(payload.decode())))


def judge(payload: bytes) -> bytes:
    """A JudgeQuestion answered with Judged."""
    asked = msgspec.json.decode(payload, type=JudgeQuestion)
    return msgspec.json.encode(judged(loads(asked.record), asked.seat, asked.first, asked.count))


def counted(record: Record) -> tuple[PlayedGame, ...]:
    """A finished game by seat."""
    seats = len(record.headers.players)
    turns, opened = [0] * seats, [0] * seats
    state: State | None = None
    for step in replay(record):
        before, state = state, step.state
        if isinstance(step.event, ev.Dealt):
            turns, opened = [0] * seats, [0] * seats
        elif isinstance(step.event, ev.TurnBegan):
            turns[step.event.seat] += 1
        if before is not None:
            for seat in range(seats):
                if state.melded[seat] and not before.melded[seat]:
                    opened[seat] = turns[seat]
    result = None if state is None else state.result
    return tuple(
        PlayedGame(
            seat=seat,
            book=record.headers.book.id,
            counts=result is not None and bool(result.winners) and not take_backs_of(record),
            won=result is not None and seat in result.winners,
            score=0 if result is None else result.scores[seat],
            turns=turns[seat],
            opened=opened[seat] or None,
        )
        for seat in range(seats)
    )


def judged(record: Record, seat: int, first: int = 0, count: int | None = None) -> Judged:
    """How many tiles were missed in some turns of a seat; turns that nobody could solve do not count."""
    seen = solved = missed = 0
    for number, turn in enumerate(turns_of(record, seat)):
        if number < first:
            continue
        if count is not None and seen == count:
            break
        seen += 1
        if turn.state.phase == "opening_discard":
            continue
        laid = sum(len(m.event.tiles) for m in turn.steps if isinstance(m.event, ev.Laid | ev.Played))
        try:
            best = best_of(turn.state)
        except SolverError:
            continue
        solved += 1
        missed += max(0, best.tiles - laid)
    return Judged(seen, solved, missed)


def statistics(games: Iterable[PlayedGame], *, private: bool) -> Statistics:
    """All games together, oldest first. What is `private` is for the player alone."""
    played = [game for game in games if game.counts]
    with_people = [game for game in played if game.people]
    openings = [game.opened for game in played if game.opened is not None]
    looked_at = [game for game in played if game.judged is not None]
    run, longest = 0, 0
    for game in played:
        run = run + 1 if game.won else 0
        longest = max(longest, run)
    books = sorted({game.book for game in played})
    return Statistics(
        games=len(played),
        wins=_wins(played),
        people_games=len(with_people),
        people_wins=_wins(with_people),
        longest_run=longest,
        books=tuple(_book(book, [game for game in played if game.book == book], private) for book in books),
        opened=_mean(openings) if private else None,
        missed=_mean_of(sum(game.missed for game in looked_at), sum(game.judged or 0 for game in looked_at))
        if private
        else None,
        judged_games=len(looked_at) if private else 0,
    )


def _book(book: str, played: Sequence[PlayedGame], private: bool) -> BookStatistics:
    openings = [game.opened for game in played if game.opened is not None]
    return BookStatistics(
        book=book,
        games=len(played),
        wins=_wins(played),
        score=_mean([game.score for game in played]) if private else None,
        opened=_mean(openings) if private else None,
    )


def _wins(played: Iterable[PlayedGame]) -> int:
    return sum(game.won for game in played)


def _mean(values: Sequence[int]) -> float | None:
    return _mean_of(sum(values), len(values))


def _mean_of(total: int, number: int) -> float | None:
    """A mean to two places; None of nothing."""
    return float(round(Fraction(total, number), 2)) if number else None
