"""Writes a corpus: the games of an experiment as records, and beside them what was counted of each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import groupby
from pathlib import Path

import msgspec

from meldroom import __version__
from meldroom.arena.bots import check as check_bots
from meldroom.arena.chunks import Chunk, chunks, games_in
from meldroom.arena.executors import Work, engine
from meldroom.arena.experiment import Experiment, to_json
from meldroom.arena.reporting.latency import Times
from meldroom.arena.reporting.outputs import TIMING_COLUMNS, to_csv
from meldroom.arena.store import CHUNKS, CONFIGURATION, Store
from meldroom.corpus.card import Totals, data_card
from meldroom.corpus.chunks import TASK, Counted
from meldroom.corpus.records import compressed
from meldroom.corpus.tables import TABLES, Game, pyarrow_version, rows_of, to_parquet

Progress = Callable[[int, int], None]
"""Hears how many games are done, and how many there are, at the start and after every chunk."""

GAMES_A_FILE = 1000
CARD = "README.md"
SUMS = "SHA256SUMS"
TIMING = "timing.csv"
LICENCE = "CC0-1.0"


class Corpus(msgspec.Struct, frozen=True):
    """A corpus that is written: its folder, its games, and its files with their SHA-256."""

    folder: Path
    games: int
    sums: dict[str, str]


def write(
    experiment: Experiment,
    out: Path | str,
    *,
    jobs: int | None = 1,
    scheduler: str | None = None,
    licence: str = LICENCE,
    progress: Progress = lambda done, all_games: None,
) -> Corpus:
    """Play all games of an experiment and write them, with their statistics and a data card, to a folder.

    `jobs` and `scheduler` as for the arena. A run that was stopped anywhere goes on where it was; the same
    experiment gives the same files, byte for byte, but for timing.csv. Raises ArenaError if the experiment
    cannot be played or the folder holds anything else, MissingExtraError without pyarrow.
    """
    pyarrow_version()
    workers = engine(jobs, scheduler)
    check_bots(experiment, programs=scheduler is None)
    work = Work(to_json(experiment, __version__), True, __version__, TASK)
    store = Store(Path(out), work.configuration)
    store.open()
    if not (store.folder / CARD).exists():
        try:
            _play(experiment, store, lambda left: workers.play(work, left), progress)
        finally:
            workers.close()
        _assemble(experiment, store, licence)
    _forget_chunks(store.folder)
    progress(experiment.games, experiment.games)
    return Corpus(store.folder, experiment.games, read_sums(store.folder))


def _play(
    experiment: Experiment,
    store: Store,
    play: Callable[[Sequence[int]], Iterator[bytes]],
    progress: Progress,
) -> None:
    """Every chunk that is not in the folder yet."""
    todo = chunks(experiment)
    numbers = {chunk: number for number, chunk in enumerate(todo)}
    left = [number for number, chunk in enumerate(todo) if _kept(store, number, chunk) is None]
    done = experiment.games - sum(games_in(experiment, todo[number]) for number in left)
    progress(done, experiment.games)
    if not left:
        return
    with closing(play(left)) as arriving:  # type: ignore[type-var]
        for data in arriving:
            chunk = msgspec.msgpack.decode(data, type=Counted).chunk
            store.write(_name(numbers[chunk]), data)
            done += games_in(experiment, chunk)
            progress(done, experiment.games)


def _name(number: int) -> str:
    return f"{CHUNKS}/{number:06}.msgpack"


def _kept(store: Store, number: int, chunk: Chunk) -> Counted | None:
    """A chunk that is done; None if it is not, or torn."""
    try:
        found = msgspec.msgpack.decode((store.folder / _name(number)).read_bytes(), type=Counted)
    except (OSError, msgspec.DecodeError):
        return None
    return found if found.chunk == chunk else None


def _in_order(experiment: Experiment, store: Store) -> Iterator[Counted]:
    """All chunks, by book, table and deal, one at a time."""
    numbered = sorted(
        enumerate(chunks(experiment)), key=lambda each: (each[1].book, each[1].line_up, each[1].first)
    )
    for number, chunk in numbered:
        found = _kept(store, number, chunk)
        assert found is not None, "all chunks are played before they are put together"
        yield found


def _assemble(experiment: Experiment, store: Store, licence: str) -> None:
    """All files from the chunks: those that do not depend on time first, the data card last."""
    sums: dict[str, str] = {}
    totals = Totals()
    times: dict[tuple[str, str], Times] = {}

    def put(name: str, data: bytes) -> None:
        store.write(name, data)
        sums[name] = hashlib.sha256(data).hexdigest()

    put(CONFIGURATION, store.configuration)
    for book, counted in groupby(_in_order(experiment, store), key=lambda each: each.chunk.book):
        name = experiment.books[book].name
        for number, (games, texts) in enumerate(_files(counted, name, times)):
            file = f"{_slug(book, name)}-{number:05}"
            put(f"records/{file}.meld.gz", compressed(texts))
            rows = rows_of(games, f"{file}.meld.gz")
            for table in TABLES:
                put(f"{table}/{file}.parquet", to_parquet(table, rows[table]))
            totals.add(games)
    moves = [
        (*key, t.count, *(round(1000 * one, 3) for one in (t.mean, t.percentile(0.99), t.longest)))
        for key, t in times.items()
    ]
    store.write(TIMING, to_csv(TIMING_COLUMNS, moves))
    lines = [f"{digest}  {name}\n" for name, digest in sorted(sums.items())]
    store.write(SUMS, "".join(lines).encode())
    store.write(CARD, data_card(experiment, totals, sums, licence).encode())


def _files(
    counted: Iterator[Counted], book: str, times: dict[tuple[str, str], Times]
) -> Iterator[tuple[list[Game], list[str]]]:
    """The games and records of each file; meanwhile times are added up."""
    games: list[Game] = []
    texts: list[str] = []
    for each in counted:
        games += each.games
        texts += each.records
        for bot, taken in each.times.items():
            times.setdefault((book, bot), Times()).merge(taken)
        while len(games) >= GAMES_A_FILE:
            yield games[:GAMES_A_FILE], texts[:GAMES_A_FILE]
            games, texts = games[GAMES_A_FILE:], texts[GAMES_A_FILE:]
    if games:
        yield games, texts


def _slug(number: int, name: str) -> str:
    plain = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in name)
    return "-".join([f"{number + 1:02}", *plain.split()])


def _forget_chunks(folder: Path) -> None:
    """The chunks are needed no more once everything is written."""
    here = folder / CHUNKS
    for path in here.glob("*"):
        path.unlink(missing_ok=True)
    with suppress(OSError):
        here.rmdir()


def read_sums(folder: Path) -> dict[str, str]:
    """The files of a corpus and their SHA-256. Raises OSError."""
    lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
