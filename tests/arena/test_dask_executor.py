"""The same experiment on a real dask cluster: a scheduler and two workers, one of them killed midway."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from meldroom.arena import ArenaError, run
from meldroom.arena.respond import Budget, Question, respond, search
from meldroom.arena.respond.space import PRESETS
from tests.arena.small import contents, small

SECONDS = 60


@contextmanager
def started(log: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """One of dask's own programs, ended with the test."""
    with log.open("wb") as written:
        process = subprocess.Popen(
            [sys.executable, "-m", *words],
            stdout=written,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def wait_for(log: Path, words: str) -> None:
    """Until a program says that it is ready."""
    end = time.monotonic() + SECONDS
    while words not in log.read_text(errors="replace"):
        assert time.monotonic() < end, log.read_text(errors="replace")
        time.sleep(0.05)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler that has no workers yet."""
    address = f"tcp://127.0.0.1:{free_port()}"
    log = tmp_path_factory.mktemp("dask") / "scheduler.log"
    where = ("--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard")
    with started(log, "distributed.cli.dask_scheduler", *where):
        wait_for(log, "Scheduler at")
        yield address


@pytest.fixture
def workers(scheduler: str, tmp_path: Path) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """Two workers by name, each a process of its own without a nanny."""
    with ExitStack() as stack:
        made = {}
        for name in ("a", "b"):
            how = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--name", name)
            words = (
                "distributed.cli.dask_worker",
                scheduler,
                *how,
                "--local-directory",
                str(tmp_path / name),
            )
            made[name] = stack.enter_context(started(tmp_path / f"{name}.log", *words))
        for name in made:
            wait_for(tmp_path / f"{name}.log", "Registered to")
        yield made


def test_a_scheduler_without_workers_is_said_so(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("meldroom.arena.executors.SECONDS_TO_ANSWER", 1)
    with pytest.raises(ArenaError, match="has no workers; start some with: dask worker"):
        run(small(), tmp_path / "out", scheduler=scheduler)


def busiest(address: str) -> tuple[str, int]:
    """The name of the worker that has most chunks in hand, and how many."""
    client: Any = import_module("distributed").Client
    with client(address, set_as_default=False) as watcher:
        names = {place: told["name"] for place, told in watcher.scheduler_info()["workers"].items()}
        return max((len(chunks), names[place]) for place, chunks in watcher.processing().items())[::-1]


def test_a_killed_worker_changes_no_byte(
    scheduler: str, workers: dict[str, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    lost: list[int] = []

    def kill_one(done: int, games: int) -> None:
        if done and not lost:
            name, in_hand = busiest(scheduler)
            workers[name].send_signal(signal.SIGKILL)
            assert workers.pop(name).wait() == -signal.SIGKILL
            lost.append(in_hand)

    run(small(), tmp_path / "cluster", scheduler=scheduler, records=True, progress=kill_one)
    assert lost[0] > 0
    assert [worker.poll() for worker in workers.values()] == [None]
    run(small(), tmp_path / "here", records=True)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "here")


def test_a_python_class_plays_on_the_workers(
    scheduler: str, workers: dict[str, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    bots = {"own": {"python": "tests.arena.own_bots:Moody", "lays": 0.9}, "tournament": {}}
    run(small(bots=bots), tmp_path / "cluster", scheduler=scheduler)
    run(small(bots=bots), tmp_path / "here")
    assert contents(tmp_path / "cluster") == contents(tmp_path / "here")
    missing = {"own": {"python": "no_such_module:Bot"}, "tournament": {}}
    with pytest.raises(ArenaError, match="“no_such_module” can't be imported"):
        run(small(bots=missing), tmp_path / "missing", scheduler=scheduler)


def test_a_search_for_a_best_response_plays_on_the_workers(
    scheduler: str, workers: dict[str, subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "LEVELS_TRIED", ("tournament",))
    monkeypatch.setattr(search, "PRESETS", {"waits with sets": PRESETS["waits with sets"]})
    monkeypatch.setattr(search, "SELECTION_DEALS", 1)
    monkeypatch.setattr(search, "FINAL_DEALS", 2)
    question = Question({"level": "beginner"}, "wrc11", seed="cluster", width=4)
    there = respond(question, Budget(games=1), scheduler=scheduler)
    here = respond(question, Budget(games=1))
    assert (there.best, there.fresh, there.spent.games) == (here.best, here.fresh, here.spent.games)
    assert there.spent.seconds > 0


def test_a_scheduler_that_is_not_there_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meldroom.arena.executors.SECONDS_TO_ANSWER", 0.3)
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(ArenaError, match=f"no dask scheduler answers at {address}"):
        run(small(), tmp_path / "out", scheduler=address)
