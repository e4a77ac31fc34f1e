"""Puzzles from the games of an experiment, or from records: in chunks, anywhere, resumed where it stopped."""

from __future__ import annotations

import gzip
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import msgspec

from meldroom import __version__
from meldroom.arena.bots import check as check_bots
from meldroom.arena.chunks import Chunk, Finished, chunks, fixtures, games_in, play_chunk, record_name
from meldroom.arena.config import loads
from meldroom.arena.executors import Work, engine
from meldroom.arena.experiment import Experiment, to_json
from meldroom.arena.game import Fixture
from meldroom.arena.store import CHUNKS, Store
from meldroom.corpus.records import allowed_in, texts_in
from meldroom.puzzles.gates import LOOKED_AT, Tally, gate_names
from meldroom.puzzles.mining import mine
from meldroom.puzzles.puzzle import Puzzle
from meldroom.record import loads as read_record

TASK = "meldroom.corpus.puzzles:play_and_mine"
PUZZLES = "puzzles.jsonl.gz"
REPORT = "REPORT.md"
HOLD_SHARE = 3
"""Every second deal of the first third is searched for *hold or lay?* as well: imagined games take long."""

AGAIN = ("leave", "lay", "hold")
"""Tracks of positions that another one has looked at before."""

Progress = Callable[[int, int], None]
Counts = list[tuple[str, str, str, int]]


class Mined(msgspec.Struct, frozen=True):
    """A chunk that was played and searched: its puzzles, and how many moments passed each gate."""

    chunk: Chunk
    puzzles: list[Puzzle]
    counts: Counts
    processor: float


class Collection(msgspec.Struct, frozen=True):
    """Puzzles that were written, with what the gates counted."""

    folder: Path
    games: int
    puzzles: int
    tally: Tally


def play_and_mine(configuration: bytes, number: int, records: bool, asked: str) -> bytes:
    """Everything that came of a chunk, as bytes; it depends on the arguments alone, but for the times.

    Raises ArenaError if this process has another version of the program than the one `asked` for.
    """
    finished = msgspec.msgpack.decode(play_chunk(configuration, number, True, asked), type=Finished)
    experiment = loads(configuration.decode(), json=True)
    texts = finished.records or {}
    puzzles: list[Puzzle] = []
    tally: Tally = Counter()
    for fixture in fixtures(experiment, finished.chunk):
        name = record_name(experiment, fixture)
        game = f"{experiment.seed}/{name.removesuffix('.meld')}"
        found = mine(read_record(texts[name]), game, hold=_for_holding(experiment, fixture))
        puzzles += found.puzzles
        tally += found.tally
    return msgspec.msgpack.encode(Mined(finished.chunk, puzzles, _listed(tally), finished.processor))


def _for_holding(experiment: Experiment, fixture: Fixture) -> bool:
    deals = experiment.books[fixture.book].deals
    return fixture.deal % 2 == 1 and HOLD_SHARE * fixture.deal < deals


def mine_experiment(
    experiment: Experiment,
    out: Path | str,
    *,
    jobs: int | None = 1,
    scheduler: str | None = None,
    most_games: int | None = None,
    progress: Progress = lambda done, all_games: None,
) -> Collection:
    """Play all games of an experiment and write their puzzles and a report to a folder.

    A run that was stopped goes on where it was, and the same experiment gives the same puzzles. With
    `most_games` it stops after about so many games more; what is there by then is written. Raises ArenaError
    if the experiment cannot be played or the folder holds anything else.
    """
    workers = engine(jobs, scheduler)
    check_bots(experiment, programs=scheduler is None)
    work = Work(to_json(experiment, __version__), True, __version__, TASK)
    store = Store(Path(out), work.configuration)
    store.open()
    todo = chunks(experiment)
    numbers = {chunk: number for number, chunk in enumerate(todo)}
    left = [number for number, chunk in enumerate(todo) if _kept(store, number, chunk) is None]
    done = experiment.games - sum(games_in(experiment, todo[number]) for number in left)
    if most_games is not None:
        left = list(_first(left, lambda number: games_in(experiment, todo[number]), most_games))
    progress(done, experiment.games)
    try:
        if left:
            with closing(workers.play(work, left)) as arriving:
                for data in arriving:
                    chunk = msgspec.msgpack.decode(data, type=Mined).chunk
                    store.write(_name(numbers[chunk]), data)
                    done += games_in(experiment, chunk)
                    progress(done, experiment.games)
    finally:
        workers.close()
    return _assemble(store, todo, done)


def _first(numbers: Iterable[int], games: Callable[[int], int], most: int) -> Iterator[int]:
    for number in numbers:
        if most <= 0:
            return
        most -= games(number)
        yield number


def mine_records(paths: Iterable[Path], progress: Progress = lambda done, all_files: None) -> Mined:
    """The puzzles of recorded games: files of one record, of many (`records/*.meld.gz` of a corpus), or the
    database of a server, of which only games are read whose table allows it.

    Raises NotationError, OSError, EOFError.
    """
    puzzles: dict[str, Puzzle] = {}
    tally: Tally = Counter()
    files = list(paths)
    for place, path in enumerate(files):
        progress(place, len(files))
        for number, text in enumerate(_texts(path), 1):
            found = mine(read_record(text), f"{path.name}#{number}")
            puzzles |= {puzzle.id: puzzle for puzzle in found.puzzles}
            tally += found.tally
    progress(len(files), len(files))
    return Mined(Chunk(0, 0, 0, 0), list(puzzles.values()), _listed(tally), 0.0)


def _texts(path: Path) -> Iterable[str]:
    if path.suffix == ".db":
        return allowed_in(path)
    return texts_in(path) if path.suffix == ".gz" else [path.read_text(encoding="utf-8")]


def compressed(puzzles: Iterable[Puzzle]) -> bytes:
    """Puzzles as compressed JSON Lines; the same puzzles give the same bytes."""
    sink = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=sink, mtime=0) as file:
        for puzzle in puzzles:
            file.write(puzzle.line() + b"\n")
    return sink.getvalue()


def _name(number: int) -> str:
    return f"{CHUNKS}/{number:06}.msgpack"


def _kept(store: Store, number: int, chunk: Chunk) -> Mined | None:
    """A chunk that is done; None if it is not, or torn."""
    try:
        found = msgspec.msgpack.decode((store.folder / _name(number)).read_bytes(), type=Mined)
    except (OSError, msgspec.DecodeError):
        return None
    return found if found.chunk == chunk else None


def _assemble(store: Store, todo: tuple[Chunk, ...], games: int) -> Collection:
    """One file of puzzles and the report from all chunks that are done, in their order."""
    puzzles: dict[str, Puzzle] = {}
    tally: Tally = Counter()
    for number, chunk in enumerate(todo):
        found = _kept(store, number, chunk)
        if found is not None:
            puzzles |= {puzzle.id: puzzle for puzzle in found.puzzles}
            tally += tally_of(found.counts)
    store.write(PUZZLES, compressed(puzzles.values()))
    store.write(REPORT, report(list(puzzles.values()), tally, games).encode())
    return Collection(store.folder, games, len(puzzles), tally)


def _listed(tally: Tally) -> Counts:
    return [(*key, count) for key, count in sorted(tally.items())]


def tally_of(counts: Counts) -> Tally:
    """Counts as they travel, as a tally again."""
    return Counter({(book, track, gate): count for book, track, gate, count in counts})


def report(puzzles: list[Puzzle], tally: Tally, games: int) -> str:
    """How many positions passed each gate, and what the puzzles are, as Markdown."""
    looked = sum(
        count for (_, track, gate), count in tally.items() if gate == LOOKED_AT and track not in AGAIN
    )
    parts = [
        "# Puzzles",
        f"{len(puzzles)} puzzles from {looked} positions of {games} games.",
        *gate_tables(tally),
        _counted("kind", Counter(puzzle.kind for puzzle in puzzles)),
        _counted("book", Counter(puzzle.book for puzzle in puzzles)),
        _counted("theme", Counter(theme for puzzle in puzzles for theme in puzzle.themes)),
        _counted("rating", Counter(f"{puzzle.rating // 200 * 200:4}" for puzzle in puzzles)),
    ]
    return "\n\n".join(parts) + "\n"


def gate_tables(tally: Tally) -> Iterator[str]:
    """A table for each track: how many positions came through each gate, by book."""
    weighed = ("two_choices", "promising", "clear_difference")
    tracks: Mapping[str, tuple[str, ...]] = {**gate_names(), "lay": weighed, "hold": weighed}
    for track, names in tracks.items():
        books = sorted({book for book, there, _ in tally if there == track})
        if not books:
            continue
        lines = [f"## Gates: {track}", "", "| passed | all | " + " | ".join(books) + " |"]
        lines.append("| --- " * (len(books) + 2) + "|")
        for gate in (LOOKED_AT, *names):
            row = [tally[book, track, gate] for book in books]
            lines.append(f"| `{gate}` | {sum(row)} | " + " | ".join(map(str, row)) + " |")
        yield "\n".join(lines)


def _counted(name: str, counts: Mapping[str, int]) -> str:
    lines = [f"## By {name}", "", f"| {name} | puzzles |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {key} | {count} |" for key, count in sorted(counts.items()))])
