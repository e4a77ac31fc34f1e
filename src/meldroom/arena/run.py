"""Runs an experiment from beginning to end: what is done already, what is left, and the files at the end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import msgspec

from meldroom import __version__
from meldroom.arena.bots import check
from meldroom.arena.chunks import Finished, chunks, games_in
from meldroom.arena.errors import ArenaError
from meldroom.arena.executors import Engine, Work, engine
from meldroom.arena.experiment import Experiment, to_json
from meldroom.arena.reporting import outputs
from meldroom.arena.reporting.latency import Times
from meldroom.arena.reporting.report import report
from meldroom.arena.reporting.summary import Line, Results
from meldroom.arena.store import Store
from meldroom.errors import MissingExtraError
from meldroom.i18n import Language

Progress = Callable[[int, int], None]
"""Hears how many games are done, and how many there are, at the start and after every chunk."""

_NEEDED = ("openskill", "matplotlib", "pyarrow")


def run(
    experiment: Experiment,
    out: Path | str | None = None,
    *,
    jobs: int | None = 1,
    scheduler: str | None = None,
    records: bool = False,
    progress: Progress = lambda done, all_games: None,
    language: Language = "en",
    source: bytes | None = None,
) -> Results:
    """Play all games of an experiment and, if `out` names a folder, write everything that came of it there.

    `jobs` is the number of processes, None for one on each processor; with `scheduler`, the address of a dask
    scheduler, the work goes there instead. What an earlier run of the same experiment left in the folder is
    not played again. `source` is the configuration file as it was written, to be kept with the results.

    Raises ArenaError if the experiment cannot be played or the folder holds anything else.
    """
    if records and out is None:
        raise ArenaError("error.records_where", "records")
    if out is not None:
        _check_installed()
    workers = engine(jobs, scheduler)
    check(experiment, programs=scheduler is None)
    work = Work(to_json(experiment, __version__), records, __version__)
    store = None if out is None else Store(Path(out), work.configuration)
    if store is not None:
        store.open()
    with closing(workers):
        results = _gathered(experiment, play_all(experiment, workers, work, store, progress))
    if store is not None:
        if source is not None:
            store.write("experiment.toml", source)
        write(store, results, results.summary(), language)
    return results


def _check_installed() -> None:
    """Raises MissingExtraError, before anything is played, if the files could not be written afterwards."""
    for package in _NEEDED:
        if find_spec(package) is None:
            raise MissingExtraError("arena", package)


def play_all(
    experiment: Experiment, workers: Engine, work: Work, store: Store | None, progress: Progress
) -> list[Finished]:
    """All chunks, those kept from an earlier run among them, in any order. Raises ArenaError."""
    todo = chunks(experiment)
    numbers = {chunk: number for number, chunk in enumerate(todo)}
    kept = dict(store.kept(todo, work.records)) if store is not None else {}
    finished = list(kept.values())
    done = sum(games_in(experiment, each.chunk) for each in finished)
    progress(done, experiment.games)
    left = [number for number in range(len(todo)) if number not in kept]
    if not left:
        return finished
    with closing(workers.play(work, left)) as arriving:
        for data in arriving:
            each = msgspec.msgpack.decode(data, type=Finished)
            if store is not None:
                store.keep(numbers[each.chunk], each)
            finished.append(msgspec.structs.replace(each, records=None))
            done += games_in(experiment, each.chunk)
            progress(done, experiment.games)
    return finished


def _gathered(experiment: Experiment, finished: list[Finished]) -> Results:
    """Everything in its order, whoever came first."""
    finished.sort(key=lambda each: (each.chunk.book, each.chunk.line_up, each.chunk.first))
    times: dict[tuple[str, str], Times] = {}
    for each in finished:
        book = experiment.books[each.chunk.book].name
        for bot, taken in each.times.items():
            times.setdefault((book, bot), Times()).merge(taken)
    return Results(experiment, tuple(row for each in finished for row in each.rows), times)


def write(store: Store, results: Results, lines: tuple[Line, ...], language: Language) -> None:
    """All files of a finished experiment. Only the times in timing.csv differ from run to run."""
    rows = outputs.result_rows(results)
    store.write("results.csv", outputs.to_csv(outputs.COLUMNS, rows))
    store.write("results.parquet", outputs.to_parquet(rows))
    store.write("summary.csv", outputs.to_csv(outputs.SUMMARY_COLUMNS, outputs.summary_rows(lines)))
    store.write("summary.json", outputs.summary_json(results.experiment, lines))
    store.write("timing.csv", outputs.to_csv(outputs.TIMING_COLUMNS, outputs.timing_rows(results)))
    store.write("report.html", report(results, lines, language))
