"""The files of an experiment: every seat of every game, the summary, and the times apart from both."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

import msgspec

from meldroom import __version__
from meldroom.arena.experiment import Experiment, configuration
from meldroom.arena.reporting.summary import Line, Results, won
from meldroom.errors import needs

COLUMNS = (
    "book", "table", "deal", "rotation", "seat", "place", "bot", "won", "score", "turns", "opened", "plays",
    "tiles", "left", "faults", "game_turns", "players", "end", "going_out",
    "longest_wait", "pool", "fault",
)  # fmt: skip


def result_rows(results: Results) -> list[tuple[Any, ...]]:
    """One row for every seat of every game, in order; seats, places and deals count from 0."""
    experiment = results.experiment
    made: list[tuple[Any, ...]] = []
    for row in results.rows:
        book, line_up = experiment.books[row.book].name, experiment.line_ups[row.line_up]
        game = (row.turns, len(row.seats), row.end, row.going_out)
        for number, seat in enumerate(row.seats):
            who = (book, line_up.name, row.deal, row.rotation, number, seat.place, line_up.seats[seat.place])
            did = (seat.score, seat.turns, seat.opened, seat.plays, seat.tiles, seat.left, seat.faults)
            made.append(
                (*who, round(won(row, seat), 6), *did, *game, seat.longest_wait, row.pool, seat.fault)
            )
    return made


def to_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """A table as CSV in UTF-8; what is not known is empty."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode()


def to_parquet(rows: Sequence[Sequence[Any]]) -> bytes:
    """The rows of all games as Parquet."""
    with needs("arena"):
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    words = ("book", "table", "bot", "end", "going_out", "fault")
    fields = [
        (name, arrow.string() if name in words else arrow.float64() if name == "won" else arrow.int32())
        for name in COLUMNS
    ]
    columns = list(zip(*rows, strict=True))
    table = arrow.table(
        [arrow.array(column, kind) for column, (_, kind) in zip(columns, fields, strict=True)],
        schema=arrow.schema(fields),
    )
    sink = io.BytesIO()
    parquet.write_table(table, sink, compression="zstd")
    return sink.getvalue()


SUMMARY_COLUMNS = (
    "scope", "book", "table", "bot", "deals", "games", "wins", "wins_low", "wins_high", "score", "score_low",
    "score_high", "rating", "rating_deviation", "turns_a_game", "opening_turn", "never_opens", "tiles_a_play",
    "faults_a_game", "draw_turns", "longest_wait", "longest_wait_mean", "pool_empty",
)  # fmt: skip


def summary_rows(lines: Iterable[Line]) -> list[tuple[Any, ...]]:
    """The summary as rows of numbers."""
    return [
        (
            *(line.scope, line.book, line.table, line.bot, line.deals, line.games),
            *(line.wins.mean, line.wins.low, line.wins.high),
            *(line.score.mean, line.score.low, line.score.high),
            *((line.rating.mu, line.rating.sigma) if line.rating is not None else (None, None)),
            *(line.turns, line.opening, line.never, line.tiles, line.faults),
            *(line.draw_turns, line.longest_wait, line.longest_wait_mean, line.pool_empty),
        )
        for line in lines
    ]


def summary_json(experiment: Experiment, lines: Sequence[Line]) -> bytes:
    """The summary with the configuration it belongs to."""
    made = {"experiment": configuration(experiment, __version__), "lines": lines}
    return msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n"


TIMING_COLUMNS = ("book", "bot", "moves", "mean_ms", "p99_ms", "longest_ms")


def timing_rows(results: Results) -> list[tuple[Any, ...]]:
    """Milliseconds for a move, by book and bot. These differ from run to run."""
    return [
        (
            *key,
            times.count,
            *(round(1000 * one, 3) for one in (times.mean, times.percentile(0.99), times.longest)),
        )
        for key, times in results.times.items()
    ]
