"""Kernels compiled in the background: what is said, and that bots go on where they were."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from meldroom.game import Shuffle, new_game, view
from meldroom.rooms.ports import BotKey
from meldroom.rooms.worker.tasks import BotTask, Reply, UseCompiledTask
from meldroom.rooms.worker.worker import Worker
from meldroom.rules.library import book
from meldroom.server.background import kernels
from meldroom.server.background.child import Ending
from meldroom.server.background.kernels import compile_for
from meldroom.server.workers import WorkerPool
from meldroom.solver.kernel import compilation, mode

WRC11 = book("wrc11")
STATE, _ = new_game(WRC11, ["Ada", "Ben"], Shuffle("worker"), starter=0)


class Pool(WorkerPool):
    """Notes that its workers were told."""

    told = 0

    async def use_compiled(self) -> None:
        self.told += 1


@pytest.fixture(autouse=True)
def _to_be_compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = mode.current()
    monkeypatch.setenv(mode.VARIABLE, "auto")
    monkeypatch.setattr(mode, "is_compiled_on_disk", lambda: False)
    yield
    mode.choose(before)


def said(monkeypatch: pytest.MonkeyPatch, ending: Ending | None = None) -> tuple[list[str], int]:
    """What is said when the compilation ends so, and how often the workers were told of it."""

    async def ended() -> Ending:
        assert ending is not None, "nothing was to be compiled"
        return ending

    monkeypatch.setattr(kernels, "compile_beside", ended)
    lines: list[str] = []
    pool = Pool(1)
    asyncio.run(compile_for(pool, lambda code, **values: lines.append(" ".join([code, *values.values()]))))
    return lines, pool.told


def test_the_workers_are_told_once_the_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, Ending(True)) == (["compiling", "compiled"], 1)


def test_a_failure_is_one_line_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, Ending(False, "no room")) == (["compiling", "not_compiled no room"], 0)


def test_without_numba_it_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mode, "can_compile", lambda: False)
    assert said(monkeypatch) == (["no_numba"], 0)


def test_nothing_is_done_where_kernels_are_compiled_or_somebody_chose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(mode.VARIABLE, "interpreted")
    assert said(monkeypatch) == ([], 0)
    monkeypatch.setenv(mode.VARIABLE, "auto")
    monkeypatch.setattr(mode, "is_compiled_on_disk", lambda: True)
    assert said(monkeypatch) == ([], 0)


def test_a_worker_changes_its_kernels_and_its_bots_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    mode.choose("interpreted")
    worker = Worker()
    question = BotTask(BotKey("room", 1, 0).text(), "club", WRC11.ref, "seed", view(STATE, 0), None)
    first = worker.answer(msgspec.msgpack.encode(question))
    bots = list(worker._bots.values())
    monkeypatch.setattr(mode, "is_compiled_on_disk", lambda: True)
    told = msgspec.msgpack.decode(worker.answer(msgspec.msgpack.encode(UseCompiledTask())), type=Reply)
    assert not told.failure
    assert mode.current() == "compiled"
    assert list(worker._bots.values()) == bots
    assert worker.answer(msgspec.msgpack.encode(question)) == first


def test_of_several_that_want_to_compile_one_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiled: list[float] = []

    def compile_something() -> None:
        time.sleep(0.3)
        compiled.append(time.monotonic())

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compilation, "_CALLS", {"something": compile_something})
    with ThreadPoolExecutor(3) as several:
        list(several.map(compilation.compile_kernels, [None] * 3))
    assert len(compiled) == 1
    assert compilation.is_fresh()
