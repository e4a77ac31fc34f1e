"""`meldroom worker` over a real NATS: jobs are answered, done again where a worker dies, and bounded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from meldroom.cli.app import app
from meldroom.game import Shuffle, new_game, view
from meldroom.game.actions import Action
from meldroom.i18n import Language
from meldroom.rooms.errors import WorkerError
from meldroom.rooms.ports import BotKey, Player
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Done
from meldroom.rooms.protocol.settings import OpenRoom, Settings
from meldroom.rooms.worker import task_client
from meldroom.rooms.worker.worker import Worker
from meldroom.rules.library import book
from meldroom.server.cluster import NatsBus, RemoteWorkers, jobs, remote_workers, worker
from meldroom.server.cluster.health import watched
from meldroom.server.cluster.worker import WorkerService
from meldroom.server.config import Config
from meldroom.server.container import opened
from meldroom.server.routes.metrics import metrics_text
from meldroom.server.run import bind
from meldroom.server.workers import processes
from meldroom.server.workers.pool import EMBEDDED
from meldroom.server.workers.processes import WorkerProcesses
from testkit.server.nats import Nats
from testkit.server.worker import WorkerProcess

WRC11 = book("wrc11")
STATE, _ = new_game(WRC11, ["Ada", "Ben"], Shuffle("worker"), starter=0)
KEY = BotKey("room", 1, 0)
REMOTE = remote_workers.REMOTE


@pytest.fixture(scope="module")
def nats() -> Iterator[Nats]:
    """One server for all tests here; each of them leaves nobody behind."""
    server = Nats()
    try:
        yield server
    finally:
        server.close()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks are answered in this process: starting others takes most of the time."""
    answering = Worker()

    async def ask(self: WorkerProcesses, task: bytes, patience: float) -> bytes:
        await asyncio.sleep(0)
        return task_client.value_of(task_client.decode_reply(answering.answer(task)))

    monkeypatch.setattr(processes.WorkerProcess, "ask", ask)


async def until(true: Callable[[], object]) -> None:
    """Wait for something that other processes do."""
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.01)


def test_a_worker_tells_how_it_is(nats: Nats) -> None:
    async def test() -> None:
        with bind("127.0.0.1", 0) as bound:
            address = f"http://127.0.0.1:{bound.getsockname()[1]}"
            async with httpx.AsyncClient(base_url=address) as watcher:
                lost = WorkerService(NatsBus("nats://127.0.0.1:1", "lost"), "lost", 1, 0)
                async with watched(lost, bound.dup()):
                    assert (await watcher.get("/healthz")).text == "ok\n"
                    answer = await watcher.get("/readyz")
                    assert (answer.status_code, answer.text) == (503, "not ready: the bus can't be reached\n")
                    assert (await watcher.post("/readyz")).status_code == 405
                    assert (await watcher.get("/")).status_code == 404
                await lost.close()
                async with worker_side(nats, "ready") as service, watched(service, bound.dup()):
                    await until(lambda: service.connected)
                    service.done["play"] += 2
                    assert (await watcher.get("/readyz")).text == "ready\n"
                    told = await watcher.get("/metrics")
                    assert 'meldroom_worker_jobs_total{outcome="play"} 2' in told.text
                    assert "meldroom_bus_connected 1" in told.text
                    service._draining = True
                    assert (await watcher.get("/readyz")).text == "not ready: draining\n"

    asyncio.run(test())


@asynccontextmanager
async def server_side(nats: Nats) -> AsyncIterator[RemoteWorkers]:
    """The workers of a server, connected."""
    bus = NatsBus(nats.url, "server")
    workers = RemoteWorkers(bus, "server", 1)
    workers.start()
    try:
        await until(lambda: bus.connected)
        yield workers
    finally:
        await workers.close()
        await bus.close()


@asynccontextmanager
async def worker_side(
    nats: Nats, name: str, play: int = 1, analysis: int = 1
) -> AsyncIterator[WorkerService]:
    """A worker in this process, whose jobs are done in processes of its own."""
    service = WorkerService(NatsBus(nats.url, name), name, play, analysis)
    service.start()
    try:
        yield service
    finally:
        await service.close()


async def a_move(workers: RemoteWorkers) -> Action | None:
    return await workers.bot_action(KEY, "beginner", WRC11.ref, "seed", view(STATE, 0), 30.0)


class Held:
    """Processes that answer when they are told to."""

    def __init__(self, service: WorkerService, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = 0
        self.go = asyncio.Event()
        self.answer = service.processes.answer
        monkeypatch.setattr(service.processes, "answer", self._answer)

    async def _answer(self, task: bytes, home: str, patience: float) -> bytes:
        self.begun += 1
        await self.go.wait()
        return await self.answer(task, home, patience)


@pytest.mark.usefixtures("at_once")
def test_a_worker_answers_as_the_server_itself_would_and_without_one_the_server_does(nats: Nats) -> None:
    async def evening() -> None:
        async with server_side(nats) as workers:
            alone = await a_move(workers)
            assert alone is not None
            assert workers.figures.answered == {EMBEDDED: 1}
            async with worker_side(nats, "w1"):
                await until(lambda: workers.there)
                assert await a_move(workers) == alone
                assert (await workers.hint(WRC11.ref, view(STATE, 0), 1, "fr")).text
                with pytest.raises(WorkerError, match="no function of ours"):
                    await workers.run("os:getcwd", b"")
                assert workers.figures.answered == {EMBEDDED: 1, REMOTE: 2}
                assert workers.figures.failed == 1
            await until(lambda: not workers.there)
            assert await a_move(workers) == alone
            assert workers.figures.answered[EMBEDDED] == 2

    asyncio.run(evening())


@pytest.mark.usefixtures("at_once")
def test_bots_stay_with_their_worker_and_go_to_another_one_when_it_dies(
    nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening() -> None:
        async with server_side(nats) as workers, worker_side(nats, "w1") as first:
            await until(lambda: workers.there)
            assert await a_move(workers) is not None
            async with worker_side(nats, "w2") as second:
                await until(lambda: workers.there == 2)
                for _ in range(4):
                    await a_move(workers)
                assert (first.done["play"], second.done["play"]) == (5, 0)
                held = Held(first, monkeypatch)
                asked = asyncio.create_task(a_move(workers))
                await until(lambda: held.begun)
                await first._bus.close()  # as if it were dead
                workers._there["w1"].heard_at -= 2 * jobs.SILENCE_SECONDS
                assert await asked is not None
                assert second.done["play"] == 1
                assert workers.figures.repeated == 1
                held.go.set()

    asyncio.run(evening())


@pytest.mark.usefixtures("at_once")
def test_a_full_worker_declines_and_the_server_does_it_itself(
    nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "NEW_WAITING", 2)

    async def evening() -> None:
        async with server_side(nats) as workers, worker_side(nats, "w1") as service:
            await until(lambda: workers.there)
            held = Held(service, monkeypatch)
            seen = view(STATE, 0)
            asked = [asyncio.create_task(workers.can_lay(WRC11.ref, seen)) for _ in range(5)]
            await until(lambda: workers.figures.answered[EMBEDDED] == 3)
            assert held.begun == 2
            assert service.done["declined (busy)"] == 3 * remote_workers.TRIES
            held.go.set()
            assert await asyncio.gather(*asked) == [False] * 5
            assert workers.figures.answered == {EMBEDDED: 3, REMOTE: 2}

    asyncio.run(evening())


@pytest.mark.usefixtures("at_once")
def test_a_worker_of_another_version_is_given_nothing_and_refuses(
    nats: Nats, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def evening() -> None:
        monkeypatch.setattr(worker, "VERSION", "0.0.1")
        async with server_side(nats) as workers, worker_side(nats, "old") as service:
            await until(lambda: "it gives no work here" in caplog.text)
            assert "worker old is of version 0.0.1" in caplog.text
            assert not workers.there
            job = jobs.Job(jobs.VERSION, "server", 7, "play", "", 1.0, b"")
            assert service._objection(job) == "version"
            assert service._objection(replace(job, version="0.0.1")) is None

    asyncio.run(evening())


@pytest.mark.usefixtures("at_once")
def test_a_worker_that_ends_finishes_what_it_has_and_takes_nothing_more(
    nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening() -> None:
        async with server_side(nats) as workers, worker_side(nats, "w1") as service:
            await until(lambda: workers.there)
            held = Held(service, monkeypatch)
            asked = asyncio.create_task(workers.can_lay(WRC11.ref, view(STATE, 0)))
            await until(lambda: held.begun)
            ending = asyncio.create_task(service.close())
            await until(lambda: not workers.there)
            assert not await workers.can_lay(WRC11.ref, view(STATE, 0))
            assert workers.figures.answered == {EMBEDDED: 1}
            held.go.set()
            assert not await asked
            assert workers.figures.answered == {EMBEDDED: 1, REMOTE: 1}
            await ending

    asyncio.run(evening())


@pytest.mark.usefixtures("at_once")
def test_losing_the_bus_loses_no_job(nats: Nats, monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening() -> None:
        async with server_side(nats) as workers, worker_side(nats, "w1") as service:
            await until(lambda: workers.there)
            held = Held(service, monkeypatch)
            asked = asyncio.create_task(a_move(workers))
            await until(lambda: held.begun)
            nats.kill()
            assert await asked is not None
            assert workers.figures.answered == {EMBEDDED: 1}
            nats.start()
            held.go.set()
            await until(lambda: workers.there)

    asyncio.run(evening())


def test_what_a_worker_gets_tells_it_neither_the_room_nor_the_racks_of_others() -> None:
    sent: list[bytes] = []

    class Noted(task_client.TaskWorkers):
        async def ask(self, task: object, home: str = "") -> bytes:
            sent.append(task_client.encode_task(task) + home.encode())
            raise WorkerError("closing")

        def let_go(self, task: object, home: str) -> None:
            sent.append(task_client.encode_task(task) + home.encode())

    async def evening() -> None:
        workers = Noted()
        await workers.bot_action(BotKey("s3cr3t", 1, 0), "beginner", WRC11.ref, "seed", view(STATE, 0), 5.0)
        workers.forget("s3cr3t", 1)

    asyncio.run(evening())
    others = " ".join(str(one) for one in STATE.racks[1]).encode()
    assert len(sent) == 2
    assert not any(b"s3cr3t" in each or others in each for each in sent)
    assert view(STATE, 0).racks is None


def test_a_game_goes_on_when_its_worker_process_is_killed(tmp_path: Path, nats: Nats) -> None:
    few = ("--jobs", "1", "--analyses", "0")
    started = [WorkerProcess(tmp_path, nats.url, *few, name=name) for name in ("a", "b")]
    try:
        names = {process.wait_until_ready().split()[1]: process for process in started}
        left = asyncio.run(_a_game(tmp_path, nats, names))
        status, said = left.stop()
        assert status == 0
        assert "0 waiting" in said
        assert "play)" in said
    finally:
        for process in started:
            process.kill()


class Visitor:
    """Somebody who listens to nothing."""

    player = Player("host", "Ada")
    language: Language = "en"

    def send(self, message: bytes) -> None:
        """Nothing is kept."""


async def _a_game(tmp_path: Path, nats: Nats, processes: dict[str, WorkerProcess]) -> WorkerProcess:
    """Kill the worker that has the bots of a game; the one that has them then."""
    config = Config(
        data=tmp_path / "data", pages=tmp_path, bot_pace=20, start_phase=0, bus=nats.url, remote_workers=True
    )
    async with opened(config) as container:
        assert isinstance(container.workers, RemoteWorkers)
        workers = container.workers
        await until(lambda: workers.there == 2)
        host = Visitor()
        container.rooms.services.new_secret = lambda: "the same game every time"
        settings = Settings(book="wrc11", seats=3)
        chairs = ("me", "beginner", "beginner")
        code = await container.rooms.open(host.player, OpenRoom(settings, chairs, begin=True))
        live = await container.rooms.room(code)
        resigned = await container.rooms.handle(host, do.Resign(id="1", room=code))
        assert isinstance(resigned, Done)  # the bots play on to the end
        await until(lambda: workers.figures.answered[REMOTE] >= 6)
        (home,) = workers._homes_of.values()
        processes.pop(home).kill()
        before = live.room.rev
        await until(lambda: live.room.stage == "over" or live.room.rev > before + 6)
        (left,) = processes
        assert [*workers._homes_of.values()] == [left]
        assert workers.figures.failed == 0
        said = metrics_text(container)
        assert 'meldroom_jobs_total{place="remote"}' in said
        assert "meldroom_workers 1" in said
        return processes[left]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["worker"], "--bus nats://"),
        (["serve", "--workers", "remote"], "--bus nats://"),
    ],
)
def test_the_bus_must_be_named(words: list[str], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MELDROOM_BUS", raising=False)
    done = CliRunner().invoke(app([words[0]]), words)
    assert done.exit_code == 1
    assert told in done.stderr
