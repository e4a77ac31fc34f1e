"""The same seed gives the same bytes however the work is done, and a run that was stopped goes on."""

from __future__ import annotations

import csv
import io
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import meldroom
from meldroom.arena import ArenaError, Results, run
from meldroom.arena.chunks import Finished, play_chunk
from meldroom.arena.executors import MOST_DEATHS, Processes, Work, engine
from meldroom.arena.experiment import to_json
from meldroom.record import load, verify
from tests.arena.small import contents, small

FILES = {"experiment.json", "report.html", "results.csv", "results.parquet", "summary.csv", "summary.json"}


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Results]:
    """The small experiment, played in one process, with records."""
    folder = tmp_path_factory.mktemp("arena") / "one"
    return folder, run(small(), folder, records=True)


def test_everything_is_written(one: tuple[Path, Results]) -> None:
    folder, results = one
    assert set(contents(folder)) > FILES
    assert (folder / "timing.csv").is_file()
    assert len(results.rows) == small().games
    rows = list(csv.DictReader(io.StringIO((folder / "results.csv").read_text(encoding="utf-8"))))
    assert len(rows) == 2 * small().games
    assert sum(float(row["won"]) for row in rows) == small().games
    assert not list(folder.rglob("*.part"))


def test_parquet_and_csv_say_the_same(one: tuple[Path, Results]) -> None:
    parquet = import_module("pyarrow.parquet")
    table = parquet.read_table(one[0] / "results.parquet").to_pylist()
    rows = list(csv.DictReader(io.StringIO((one[0] / "results.csv").read_text(encoding="utf-8"))))
    assert [{key: "" if value is None else str(value) for key, value in row.items()} for row in table] == rows


def test_the_summary_says_the_same_in_both_forms(one: tuple[Path, Results]) -> None:
    lines = msgspec.json.decode((one[0] / "summary.json").read_bytes())["lines"]
    rows = list(csv.DictReader(io.StringIO((one[0] / "summary.csv").read_text(encoding="utf-8"))))
    assert [(line["bot"], str(line["wins"]["mean"]), str(line["score"]["mean"])) for line in lines] == [
        (row["bot"], row["wins"], row["score"]) for row in rows
    ]


def test_every_record_passes_the_verification_of_meldroom_replay(one: tuple[Path, Results]) -> None:
    records = sorted((one[0] / "records").rglob("*.meld"))
    assert len(records) == small().games
    for path in records:
        report = verify(load(path))
        assert report.ok, path
        assert not report.unchecked


def test_two_processes_give_the_same_bytes(one: tuple[Path, Results], tmp_path: Path) -> None:
    results = run(small(), tmp_path / "two", jobs=2, records=True)
    assert contents(tmp_path / "two") == contents(one[0])
    assert results.rows == one[1].rows


def test_nothing_is_written_without_a_folder(one: tuple[Path, Results]) -> None:
    assert run(small()).rows == one[1].rows
    with pytest.raises(ArenaError, match="a folder to write them to"):
        run(small(), records=True)


class Stop(Exception):  # noqa: N818
    """Somebody pulled the plug."""


def test_a_stopped_run_goes_on_and_ends_in_the_same_bytes(one: tuple[Path, Results], tmp_path: Path) -> None:
    folder, heard = tmp_path / "stopped", []

    def stop(done: int, games: int) -> None:
        heard.append(done)
        if done >= 8:
            raise Stop

    with pytest.raises(Stop):
        run(small(), folder, records=True, progress=stop)
    assert not (folder / "results.csv").exists()
    # A chunk that was torn by the fall of the machine is played again.
    torn = sorted((folder / "chunks").iterdir())[0]
    torn.write_bytes(torn.read_bytes()[:20])
    again: list[int] = []
    run(small(), folder, records=True, progress=lambda done, games: again.append(done))
    assert 0 < again[0] < heard[-1]
    assert again[-1] == small().games
    assert contents(folder) == contents(one[0])


def test_a_finished_run_plays_nothing_again(
    one: tuple[Path, Results], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(one[0])
    monkeypatch.setattr("meldroom.arena.chunks.play_chunk", None)
    run(small(), one[0], records=True)
    assert contents(one[0]) == before


def test_records_wanted_later_are_written_then(one: tuple[Path, Results], tmp_path: Path) -> None:
    run(small(), tmp_path / "later")
    assert not (tmp_path / "later" / "records").exists()
    run(small(), tmp_path / "later", records=True)
    assert contents(tmp_path / "later") == contents(one[0])


def test_another_experiment_in_the_folder_is_refused_and_nothing_changes(one: tuple[Path, Results]) -> None:
    before = contents(one[0])
    with pytest.raises(ArenaError, match=r"holds another experiment: deals differs \(2 there, 3 here\)"):
        run(small(deals=3), one[0])
    with pytest.raises(ArenaError, match=r"seed differs \(\"small\" there, \"other\" here\)"):
        run(small(seed="other"), one[0])
    assert contents(one[0]) == before


def test_another_version_in_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "experiment.json").write_bytes(to_json(small(), "0.0.9"))
    with pytest.raises(ArenaError, match=r"begun by meldroom 0\.0\.9"):
        run(small(), tmp_path)


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ada")
    with pytest.raises(ArenaError, match="not the arena’s"):
        run(small(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_folder_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ArenaError, match="cannot be written"):
        run(small(), tmp_path / "file" / "out")


def test_another_seed_gives_other_games(one: tuple[Path, Results]) -> None:
    assert run(small(seed="other", books=["wrc11"])).rows != one[1].rows[:12]


def test_a_worker_process_that_is_killed_is_replaced(one: tuple[Path, Results], tmp_path: Path) -> None:
    work = Work(to_json(small(), meldroom.__version__), False, meldroom.__version__)
    arriving = Processes(1).play(work, range(6))
    finished = [next(arriving)]
    (worker,) = multiprocessing.active_children()
    worker.kill()
    finished += list(arriving)
    rows = [row for data in finished for row in msgspec.msgpack.decode(data, type=Finished).rows]
    assert sorted(rows, key=lambda row: (row.book, row.line_up, row.deal, row.rotation)) == list(one[1].rows)


@pytest.mark.skipif(sys.platform == "win32", reason="processes are looked up in /proc")
def test_workers_end_with_a_run_that_is_killed(tmp_path: Path) -> None:
    from testkit.server.process_tree import family, is_running

    file, chunks = tmp_path / "long.json", tmp_path / "out" / "chunks"
    file.write_bytes(to_json(small(deals=10_000), meldroom.__version__))
    command = [sys.executable, "-m", "meldroom", "arena", str(file), "--out", str(tmp_path / "out")]
    with subprocess.Popen([*command, "--jobs", "2"], stderr=subprocess.DEVNULL) as running:
        wait_until(lambda: any(chunks.glob("*.msgpack")))
        workers = family(running.pid)[1:]
        running.kill()
    assert len(workers) >= 2
    wait_until(lambda: not any(map(is_running, workers)))


def wait_until(met: Callable[[], bool]) -> None:
    """Waits for something that takes seconds at the most, also on a busy machine."""
    end = time.monotonic() + 60
    while not met():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_workers_that_always_die_end_the_run_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meldroom.arena.chunks.play_chunk", die)
    work = Work(b"", False, meldroom.__version__)
    with pytest.raises(ArenaError, match=f"died {MOST_DEATHS} times"):
        list(Processes(1).play(work, range(2)))


def die(*arguments: object) -> bytes:
    """What a worker does that runs out of memory."""
    os._exit(9)


def test_an_error_in_a_worker_process_keeps_its_words() -> None:
    work = Work(to_json(small(), "9.9"), False, "9.9")
    with pytest.raises(ArenaError) as refused:
        list(Processes(1).play(work, range(1)))
    assert refused.value.message("fr").startswith("un processus a meldroom")


def test_no_processes_and_no_address_are_refused() -> None:
    with pytest.raises(ArenaError, match="at least one process"):
        engine(0, None)
    with pytest.raises(ArenaError, match="tcp://host:8786"):
        engine(None, "localhost")


def test_play_chunk_can_be_sent_to_another_process() -> None:
    assert f"{play_chunk.__module__}.{play_chunk.__qualname__}" == "meldroom.arena.chunks.play_chunk"


def test_importing_the_arena_loads_nothing_heavy() -> None:
    heavy = {"dask", "distributed", "matplotlib", "pyarrow", "openskill", "numba", "numpy", "rich", "typer"}
    code = f"import sys, meldroom.arena; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
