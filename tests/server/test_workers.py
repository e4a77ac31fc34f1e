"""Worker processes: bots answer, hints climb, the dead and the slow are replaced."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import time

import msgspec
import pytest

from meldroom.api.profiles.statistics import COUNT, JUDGE
from meldroom.api.referee import ANSWER
from meldroom.api.tasks import ANALYSE, FIND_BEST, REASONS, REPORT
from meldroom.game import Shuffle, apply, new_game, view
from meldroom.game.actions import Draw
from meldroom.rooms.ports import BotKey
from meldroom.rooms.worker import outlook
from meldroom.rooms.worker.task_client import encode_task
from meldroom.rooms.worker.tasks import BotTask, CanLayTask, Reply
from meldroom.rooms.worker.worker import FUNCTIONS, Worker, function_of
from meldroom.rules.library import book
from meldroom.server.workers import WorkerError, WorkerPool, processes
from meldroom.server.workers.frames import frame, read_frame
from meldroom.server.workers.worker import serve
from testkit.server.process_tree import is_running

WRC11 = book("wrc11")
STATE, _ = new_game(WRC11, ["Ada", "Ben"], Shuffle("worker"), starter=0)
KEY = BotKey("room", 1, 0)


def test_bots_hints_and_replacement_of_a_dead_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlook, "SECONDS", 120.0)  # in this process, where kernels may still be loading

    async def evening() -> None:
        pool = WorkerPool(1)
        try:
            action = await pool.bot_action(KEY, "beginner", WRC11.ref, "seed", view(STATE, 0), 5.0)
            assert action is not None
            apply(STATE, action, Shuffle("worker"))
            first = await pool.hint(WRC11.ref, view(STATE, 0), 1, "en")
            french = await pool.hint(WRC11.ref, view(STATE, 0), 1, "fr")
            assert first.text != french.text
            last = await pool.hint(WRC11.ref, view(STATE, 0), 20, "en")
            assert last.step == last.steps
            assert not await pool.can_lay(WRC11.ref, view(STATE, 0))
            assert await pool.playable(WRC11.ref, view(STATE, 0)) is False
            assert await pool.odds(WRC11.ref, view(STATE, 0)) == outlook.odds(WRC11, view(STATE, 0))
            assert await pool.bot_action(KEY, "genius", WRC11.ref, "seed", view(STATE, 0), 5.0) is None
            pool.forget("room", 1)
            process = pool.processes.workers[0]._process
            assert process is not None
            os.kill(process.pid, signal.SIGKILL)
            again = await pool.bot_action(KEY, "beginner", WRC11.ref, "seed", view(STATE, 0), 5.0)
            assert again == action
        finally:
            await pool.close()

    asyncio.run(evening())


def test_tables_go_before_bots_and_bots_before_analyses() -> None:
    async def priorities() -> list[int]:
        pool = WorkerPool(1)
        try:
            await pool.can_lay(WRC11.ref, view(STATE, 0))
            with pytest.raises(WorkerError):
                await pool.run("os:getcwd", b"")
            started = [one._process for one in (*pool.processes.workers, *pool.processes.analysts)]
            return [os.getpriority(os.PRIO_PROCESS, one.pid) for one in started if one is not None]
        finally:
            await pool.close()

    mine = os.getpriority(os.PRIO_PROCESS, 0)  # a server that gives way itself has no worker that does not
    assert asyncio.run(priorities()) == [max(mine, processes.BOTS), max(mine, processes.ANALYSTS)]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_a_worker_ends_with_its_server_though_its_input_stays_open() -> None:
    reading, writing = os.pipe()
    start = (
        "import subprocess, sys, time; print(subprocess.Popen(sys.argv[1:]).pid, flush=True); time.sleep(600)"
    )
    worker = [sys.executable, "-m", "meldroom.server.workers.worker"]
    with subprocess.Popen(
        [sys.executable, "-c", start, *worker], stdin=reading, stdout=subprocess.PIPE
    ) as server:
        os.close(reading)
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        os.write(writing, frame(encode_task(CanLayTask(WRC11.ref, view(STATE, 0)))))
        assert server.stdout.read(4)  # it is there, and waits for more
        server.kill()
    began = time.monotonic()
    while is_running(pid) and time.monotonic() - began < 30:
        time.sleep(0.02)
    try:
        assert not is_running(pid)
    finally:
        os.close(writing)


def test_a_worker_closes_though_an_answer_arrives_at_that_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11 forgets that a task was cancelled when what it waits for is done in the same breath."""

    async def evening() -> None:
        arrived: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        worker = processes.WorkerProcess()

        async def exchange(task: bytes) -> Reply:
            return await arrived

        monkeypatch.setattr(worker, "_exchange", exchange)
        asking = asyncio.create_task(worker.ask(b"", 60.0))
        for _ in range(5):
            await asyncio.sleep(0)
        arrived.set_result(Reply(value=b"done"))
        await asyncio.wait_for(worker.close(), 10)
        await asyncio.wait([asking], timeout=10)
        assert asking.done()  # with the answer, or told that the worker closes
        asking.exception()

    asyncio.run(evening())


def test_a_question_that_takes_too_long_ends_its_worker_and_no_other_question() -> None:
    async def evening() -> None:
        pool = WorkerPool(1)
        (worker,) = pool.processes.analysts
        try:
            with pytest.raises(WorkerError):
                await pool.run("os:getcwd", b"")
            slow = asyncio.create_task(worker.ask(encode_task(CanLayTask(WRC11.ref, view(STATE, 0))), 0.0))
            with pytest.raises(WorkerError):
                await slow
            assert not worker.running
            with pytest.raises(WorkerError, match="no function of ours"):
                await pool.run("os:getcwd", b"")
        finally:
            await pool.close()

    asyncio.run(evening())


def test_closing_fails_whoever_still_waits() -> None:
    async def evening() -> None:
        pool = WorkerPool(1)
        asked = asyncio.create_task(pool.bot_action(KEY, "beginner", WRC11.ref, "s", view(STATE, 0), 5.0))
        await asyncio.sleep(0)
        await pool.close()
        assert await asked is None
        with pytest.raises(WorkerError, match="shutting down"):
            await pool.can_lay(WRC11.ref, view(STATE, 0))

    asyncio.run(evening())


def test_a_worker_answers_what_it_reads_until_the_end() -> None:
    question = BotTask(KEY.text(), "beginner", WRC11.ref, "seed", view(STATE, 0), None)
    encoded = msgspec.msgpack.encode(question)
    answers = io.BytesIO()
    serve(io.BytesIO(frame(encoded) + frame(b"nonsense") + b"\x00\x00"), answers)
    answers.seek(0)
    replies = []
    while (data := read_frame(answers)) is not None:
        replies.append(msgspec.msgpack.decode(data, type=Reply))
    assert [bool(reply.failure) for reply in replies] == [False, True]
    assert msgspec.msgpack.decode(replies[0].value, type=Draw).seat == 0


def test_a_worker_keeps_few_bots_and_forgets_those_of_a_game() -> None:
    worker = Worker()
    for room in ("a", "b"):
        key = BotKey(room, 1, 0).text()
        question = BotTask(key, "beginner", WRC11.ref, "seed", view(STATE, 0), None)
        worker.answer(msgspec.msgpack.encode(question))
    assert len(worker._bots) == 2


@pytest.mark.parametrize("path", ["os:getcwd", "meldroom.rules.library:book", "meldroom.api.tasks:loads", ""])
def test_only_functions_that_are_listed_are_called(path: str) -> None:
    with pytest.raises(ValueError, match="no function of ours"):
        function_of(path)


def test_everything_that_is_asked_of_workers_is_listed() -> None:
    asked = {ANALYSE, FIND_BEST, REPORT, REASONS, COUNT, JUDGE, ANSWER}
    assert asked == FUNCTIONS
    assert all(callable(function_of(path)) for path in FUNCTIONS)
