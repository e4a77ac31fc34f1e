"""The work of an experiment, cut into chunks that may be done anywhere, in any order, and more than once."""

from __future__ import annotations

import os
import threading
from functools import lru_cache

import msgspec

from meldroom import __version__
from meldroom.arena.config import loads
from meldroom.arena.errors import ArenaError
from meldroom.arena.experiment import Entrant, Experiment
from meldroom.arena.game import Fixture, GameRow, PlayedGame, play
from meldroom.arena.reporting.latency import Times
from meldroom.bots import LEVELS
from meldroom.record import to_text
from meldroom.rules.book import RuleBook
from meldroom.solver.kernel import mode

SECONDS_A_CHUNK = 1.5

# Rough seconds that one seat of a game costs. They only decide how much work travels together.
_COST = {"beginner": 0.005, "club": 0.01, "tournament": 0.005, "patient": 0.01, "master": 1.0}
_COST_OF_LEVEL = 0.02
_COST_OF_PROGRAM = 5.0
_COST_OF_CLASS = 0.2

TURNS_TO_WARM_UP = 8
_WARM: set[tuple[str, str]] = set()

# The solver keeps scratch memory: the threads of one worker take turns.
_ONE_AT_A_TIME = threading.Lock()


class Chunk(msgspec.Struct, frozen=True, array_like=True):
    """The deals from `first` up to, not including, `last`, of one line-up in one book."""

    book: int
    line_up: int
    first: int
    last: int


class Finished(msgspec.Struct, frozen=True):
    """A chunk that was played: its games in order, times by bot, and the records if they were asked for.

    `processor` is the processor time of it all, in seconds, with that of programs that took part.
    """

    chunk: Chunk
    rows: list[GameRow]
    times: dict[str, Times]
    records: dict[str, str] | None = None
    processor: float = 0.0


def chunks(experiment: Experiment) -> tuple[Chunk, ...]:
    """All the work, in the order in which it is begun.

    Books and line-ups take turns, so that the time which is left can be told from the time that has passed.
    """
    made: list[tuple[float, Chunk]] = []
    for book, entry in enumerate(experiment.books):
        for line_up in range(len(experiment.line_ups)):
            size = _deals_a_chunk(experiment, line_up)
            for first in range(0, entry.deals, size):
                last = min(first + size, entry.deals)
                made.append((last / entry.deals, Chunk(book, line_up, first, last)))
    return tuple(
        chunk for _, chunk in sorted(made, key=lambda each: (each[0], each[1].book, each[1].line_up))
    )


def _deals_a_chunk(experiment: Experiment, number: int) -> int:
    line_up = experiment.line_ups[number]
    bots = [experiment.entrant(name) for name in line_up.seats]
    game = sum(map(_cost, bots))
    return max(1, round(SECONDS_A_CHUNK / (game * experiment.rotations(line_up))))


def _cost(bot: Entrant) -> float:
    if bot.command:
        return _COST_OF_PROGRAM
    if bot.python:
        return _COST_OF_CLASS
    usual = _COST_OF_LEVEL if bot.level in LEVELS and not LEVELS[bot.level].heavy else 1.0
    return _COST.get(bot.level, usual)


def games_in(experiment: Experiment, chunk: Chunk) -> int:
    """How many games a chunk holds."""
    return (chunk.last - chunk.first) * experiment.rotations(experiment.line_ups[chunk.line_up])


def fixtures(experiment: Experiment, chunk: Chunk) -> list[Fixture]:
    """The games of a chunk in order. Unmirrored, the seats move on from deal to deal."""
    seats = len(experiment.line_ups[chunk.line_up].seats)
    return [
        Fixture(chunk.book, chunk.line_up, deal, rotation)
        for deal in range(chunk.first, chunk.last)
        for rotation in (range(seats) if experiment.mirrored else (deal % seats,))
    ]


@lru_cache(maxsize=4)
def _known(configuration: bytes) -> tuple[Experiment, tuple[Chunk, ...], tuple[RuleBook, ...]]:
    """An experiment as it came to this process, its chunks and its books: read once for many chunks."""
    experiment = loads(configuration.decode(), json=True)
    return experiment, chunks(experiment), tuple(entry.book() for entry in experiment.books)


def play_chunk(configuration: bytes, number: int, records: bool, asked: str) -> bytes:
    """Everything that came of a chunk, as bytes. It depends on the arguments alone, but for the times.

    Raises ArenaError if this process has another version of the program than the one `asked` for.
    """
    if asked != __version__:
        raise ArenaError("error.worker_version", here=asked, there=__version__)
    mode.for_long_work()
    with _ONE_AT_A_TIME:
        experiment, all_chunks, books = _known(configuration)
        before = sum(os.times()[:4])
        finished = _played(experiment, all_chunks[number], books, records)
        spent = sum(os.times()[:4]) - before
    return msgspec.msgpack.encode(msgspec.structs.replace(finished, processor=spent))


def _played(experiment: Experiment, chunk: Chunk, books: tuple[RuleBook, ...], records: bool) -> Finished:
    rows: list[GameRow] = []
    times: dict[str, Times] = {}
    written: dict[str, str] = {}
    names = experiment.line_ups[chunk.line_up].seats
    _warm_up(experiment, books[chunk.book], fixtures(experiment, chunk)[0])
    for fixture in fixtures(experiment, chunk):
        game = play(experiment, books[chunk.book], fixture)
        rows.append(game.row)
        for seat, seconds in zip(game.row.seats, game.seconds, strict=True):
            times.setdefault(names[seat.place], Times()).add(seconds)
        if records:
            written[record_name(experiment, fixture)] = _record(experiment, fixture, game)
    return Finished(chunk, rows, times, written if records else None)


def _warm_up(experiment: Experiment, book: RuleBook, fixture: Fixture) -> None:
    """A few turns that nobody counts, the first time a bot plays here: loading is no part of a move."""
    bots = [experiment.entrant(name) for name in experiment.line_ups[fixture.line_up].seats]
    new = {(book.family, bot.level or bot.python) for bot in bots if not bot.command} - _WARM
    if new:
        play(experiment, book, fixture, most_turns=TURNS_TO_WARM_UP)
        _WARM.update(new)


def record_name(experiment: Experiment, fixture: Fixture) -> str:
    """Where a game's record lies, from the folder of all records: book, table, deal and rotation."""
    book = _slug(fixture.book, experiment.books[fixture.book].name)
    table = _slug(fixture.line_up, experiment.line_ups[fixture.line_up].name)
    return f"{book}/{table}/{fixture.deal:06}-{fixture.rotation}.meld"


def _slug(number: int, name: str) -> str:
    """A name that every file system takes; its number keeps it apart from others like it."""
    plain = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in name)
    return "-".join([f"{number + 1:02}", *plain.split()])


def _record(experiment: Experiment, fixture: Fixture, played: PlayedGame) -> str:
    """A finished game as the text of its record, with the secret that lets anyone check the shuffle."""
    tags = {
        **({"event": experiment.title} if experiment.title else {}),
        "seed": experiment.seed,
        "deal": str(fixture.deal),
        "rotation": str(fixture.rotation),
    }
    names = experiment.line_ups[fixture.line_up].players
    faults = [f"{names[seat.place]}: {seat.fault}" for seat in played.row.seats if seat.fault]
    if faults:  # A bot that resigned because its answers were no moves (R68).
        tags["faults"] = "; ".join(faults)
    return to_text(played.game.record(tags=tags))
