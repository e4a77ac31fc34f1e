"""A chunk of the work: games played by the arena, then counted from their records where they were played."""

from __future__ import annotations

import msgspec

from meldroom.arena.chunks import Chunk, Finished, fixtures, play_chunk, record_name
from meldroom.arena.config import loads
from meldroom.arena.game import rotated
from meldroom.arena.reporting.latency import Times
from meldroom.corpus.statistics import facts
from meldroom.corpus.tables import Game
from meldroom.record import loads as read_record

TASK = "meldroom.corpus.chunks:play_and_count"


class Counted(msgspec.Struct, frozen=True):
    """A chunk that was played and counted: the games in order, their records as text, times by bot."""

    chunk: Chunk
    games: list[Game]
    records: list[str]
    times: dict[str, Times]


def play_and_count(configuration: bytes, number: int, records: bool, asked: str) -> bytes:
    """Everything that came of a chunk, as bytes; it depends on the arguments alone, but for the times.

    Raises ArenaError if this process has another version of the program than the one `asked` for.
    """
    finished = msgspec.msgpack.decode(play_chunk(configuration, number, True, asked), type=Finished)
    experiment = loads(configuration.decode(), json=True)
    chunk = finished.chunk
    line_up = experiment.line_ups[chunk.line_up]
    texts = finished.records or {}
    games, written = [], []
    for fixture in fixtures(experiment, chunk):
        name = record_name(experiment, fixture)
        places = rotated(len(line_up.seats), fixture.rotation)
        games.append(
            Game(
                name=name.removesuffix(".meld"),
                book=experiment.books[chunk.book].name,
                table=line_up.name,
                deal=fixture.deal,
                rotation=fixture.rotation,
                bots=tuple(line_up.seats[place] for place in places),
                facts=facts(read_record(texts[name])),
            )
        )
        written.append(texts[name])
    return msgspec.msgpack.encode(Counted(chunk, games, written, finished.times))
