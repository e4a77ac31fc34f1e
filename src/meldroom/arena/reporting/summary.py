"""What an experiment says: for every bot, in each book and at each table, means with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

import msgspec

from meldroom.arena.experiment import Experiment
from meldroom.arena.game import GameRow, SeatRow
from meldroom.arena.reporting.latency import Times
from meldroom.arena.reporting.ratings import Rating, ratings
from meldroom.arena.reporting.statistics import Estimate, clustered, share

DIGITS = 6


class Line(msgspec.Struct, frozen=True):
    """One bot over all its games in a book, or at one table (`table` is empty for the whole book).

    `games` counts games it took part in; the means are over its seats, where it may have several in a game.
    `opening` is the mean own turn of its opening, 0 the first; `never` the share of seats that never opened.
    `draw_turns` is the share of its turns in which it laid nothing, `longest_wait` the most of them in a row,
    `longest_wait_mean` the mean of that over games, `pool_empty` the share of games whose pool ran out.
    """

    scope: Literal["book", "table"]
    book: str
    table: str
    bot: str
    deals: int
    games: int
    wins: Estimate
    score: Estimate
    rating: Rating | None
    turns: float
    opening: float | None
    never: float
    tiles: float | None
    faults: float
    draw_turns: float
    longest_wait: int
    longest_wait_mean: float
    pool_empty: float


class Results(msgspec.Struct, frozen=True, dict=True):
    """All games of an experiment in order, and how long answers took by book and bot."""

    experiment: Experiment
    rows: tuple[GameRow, ...]
    times: dict[tuple[str, str], Times]

    def summary(self) -> tuple[Line, ...]:
        """For every book, each bot over all its games, then each bot at each table. Needs openskill."""
        return self._summary

    @cached_property
    def _summary(self) -> tuple[Line, ...]:
        experiment = self.experiment
        lines: list[Line] = []
        for number, entry in enumerate(experiment.books):
            rows = [row for row in self.rows if row.book == number]
            rated = ratings(experiment, number, rows)
            for bot in experiment.bots:
                found = _line(experiment, rows, entry.name, "", bot.name, rated.get(bot.name))
                lines += [found] if found is not None else []
            for place, line_up in enumerate(experiment.line_ups):
                there = [row for row in rows if row.line_up == place]
                for name in dict.fromkeys(line_up.seats):
                    found = _line(experiment, there, entry.name, line_up.name, name, None)
                    lines += [found] if found is not None else []
        return tuple(lines)


def _line(
    experiment: Experiment, rows: Sequence[GameRow], book: str, table: str, bot: str, rating: Rating | None
) -> Line | None:
    """A bot's games in some rows; None if it has none there."""
    seats = [(row, seat) for row in rows for seat in row.seats if _bot(experiment, row, seat) == bot]
    if not seats:
        return None
    games = {(row.line_up, row.deal, row.rotation): row.turns for row, _ in seats}
    opened = [seat.opened for _, seat in seats if seat.opened is not None]
    plays, turns = sum(seat.plays for _, seat in seats), sum(seat.turns for _, seat in seats)
    waits = [seat.longest_wait for _, seat in seats]
    return Line(
        scope="table" if table else "book",
        book=book,
        table=table,
        bot=bot,
        deals=len({row.deal for row, _ in seats}),
        games=len(games),
        wins=_rounded(share(_by_deal((row.deal, won(row, seat)) for row, seat in seats))),
        score=_rounded(clustered(_by_deal((row.deal, float(seat.score)) for row, seat in seats))),
        rating=rating,
        turns=round(sum(games.values()) / len(games), DIGITS),
        opening=round(sum(opened) / len(opened), DIGITS) if opened else None,
        never=round(1 - len(opened) / len(seats), DIGITS),
        tiles=round(sum(seat.tiles for _, seat in seats) / plays, DIGITS) if plays else None,
        faults=round(sum(seat.faults for _, seat in seats) / len(seats), DIGITS),
        draw_turns=round(1 - plays / max(1, turns), DIGITS),
        longest_wait=max(waits),
        longest_wait_mean=round(sum(waits) / len(waits), DIGITS),
        pool_empty=round(sum(row.pool == 0 for row, _ in seats) / len(seats), DIGITS),
    )


def _bot(experiment: Experiment, row: GameRow, seat: SeatRow) -> str:
    return experiment.line_ups[row.line_up].seats[seat.place]


def won(row: GameRow, seat: SeatRow) -> float:
    """A seat's share of a game's win."""
    return 1 / row.winners if seat.winner else 0.0


def lost_games(results: Results, place: int) -> dict[str, tuple[int, str]]:
    """How many games of a book each bot lost for its answers, and what was wrong the first time (R68)."""
    lost: dict[str, tuple[int, str]] = {}
    for row in results.rows:
        for seat in row.seats:
            if row.book == place and seat.fault:
                bot = _bot(results.experiment, row, seat)
                count, why = lost.get(bot, (0, seat.fault))
                lost[bot] = (count + 1, why)
    return lost


def _by_deal(values: Iterable[tuple[int, float]]) -> list[tuple[float, int]]:
    """Sum and number of the values of each deal."""
    deals: dict[int, tuple[float, int]] = {}
    for deal, value in values:
        total, count = deals.get(deal, (0.0, 0))
        deals[deal] = (total + value, count + 1)
    return list(deals.values())


def _rounded(found: Estimate) -> Estimate:
    """To six decimals: no machine's last bit shall be seen in a file."""
    low, high = (None if one is None else round(one, DIGITS) for one in (found.low, found.high))
    return Estimate(round(found.mean, DIGITS), low, high)
