"""Nonsense of every kind over the socket: the server lives, explains itself, and nobody else notices."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meldroom.rooms.protocol import commands
from meldroom.rooms.protocol.answers import Message, Refused, Update
from meldroom.rooms.protocol.settings import OpenRoom, Settings, TurnClock
from testkit.server.client import Live, Visitor, open_room, visit
from testkit.server.process import ServerProcess
from tests.server.trials import nonsense

pytestmark = pytest.mark.xdist_group("server trials")

EXAMPLES = 250


class Bystanders:
    """Two people in the middle of a private game, and a third with a game of their own who talks nonsense."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.heard: list[Message] = []

    async def open(self) -> None:
        """Sit everybody down."""
        self.people = [await visit(self.server, name) for name in ("Ada", "Bo")]
        self.talker = await visit(self.server, "Talker")
        quiet = Settings(book="wrc11", seats=2, clock=TurnClock(kind="off"))
        request = OpenRoom(settings=quiet, chairs=("me", "open"))
        self.room = await open_room(self.server, self.people[0], request)
        self.lives = [Live(self.server, each, hear=self.heard.append, ids="b") for each in self.people]
        for live in self.lives:
            await live.open()
            await live.do(commands.Enter(id=live.next_id(), room=self.room))
        await self.lives[1].do(commands.Sit(id="sit", room=self.room, seat=1))
        await self.lives[0].do(commands.Begin(id="begin", room=self.room))
        own = OpenRoom(settings=quiet, chairs=("me", "beginner"), begin=True)
        self.own_room = await open_room(self.server, self.talker, own)
        await self.still_well()
        self.heard.clear()

    async def still_well(self) -> None:
        """Both are connected and answered."""
        for live in self.lives:
            await live.do(commands.Ping(id=live.next_id()))

    async def close(self) -> None:
        """Everybody goes home."""
        for live in self.lives:
            await live.close()


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """One event loop for all examples."""
    with asyncio.Runner() as running:
        yield running


@pytest.fixture(scope="module")
def bystanders(server: ServerProcess, runner: asyncio.Runner) -> Iterator[Bystanders]:
    """People who have nothing to do with it."""
    people = Bystanders(server)
    runner.run(people.open())
    yield people
    runner.run(people.close())


async def talk(server: ServerProcess, visitor: Visitor, frames: list[nonsense.Frame]) -> list[Message]:
    """Say it all on one connection, which the server may end; whatever was answered."""
    heard: list[Message] = []
    live = Live(server, visitor, hear=heard.append, ids="talk-")
    await live.open()
    try:
        for frame in frames:
            await live.send_text(frame)
        await live.do(commands.Ping(id="last"))
    except ConnectionError:
        pass
    finally:
        await live.close()
    return heard


def test_nonsense_gets_a_sentence_and_troubles_nobody(
    server: ServerProcess, runner: asyncio.Runner, bystanders: Bystanders
) -> None:
    """Each refusal has a code and a sentence; the others stay connected and hear nothing of it."""
    rooms = [bystanders.room, bystanders.own_room]

    @settings(max_examples=EXAMPLES)
    @given(st.lists(nonsense.frames(rooms), min_size=1, max_size=6))
    def one(frames: list[nonsense.Frame]) -> None:
        for message in runner.run(talk(server, bystanders.talker, frames)):
            if isinstance(message, Refused):
                assert message.error.code
                assert len(message.error.message.split()) > 2, message
                assert len(message.error.message) < 400, message
            if isinstance(message, Update) and message.room != bystanders.own_room:
                assert message.view.game is None, "nobody may look on there"
                assert not message.events

    one()
    runner.run(bystanders.still_well())
    assert not [message for message in bystanders.heard if isinstance(message, Update)]
    assert server.process is not None
    assert server.process.poll() is None
    assert "Traceback" not in server.read_log()


def test_nonsense_before_hello_is_refused(
    server: ServerProcess, runner: asyncio.Runner, bystanders: Bystanders
) -> None:
    """Whoever does not say hello first is told so, or is cut off; the server goes on."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed

    async def barge_in(frame: nonsense.Frame) -> bytes | None:
        headers = {"Cookie": bystanders.talker.cookie}
        async with connect(server.live, additional_headers=headers, compression=None) as socket:
            try:
                await socket.send(frame)
                return await asyncio.wait_for(socket.recv(decode=False), 30)
            except ConnectionClosed:
                return None

    @settings(max_examples=EXAMPLES // 5)
    @given(nonsense.frames([bystanders.room]))
    def one(frame: nonsense.Frame) -> None:
        answer = runner.run(barge_in(frame))
        if answer is not None:
            told = msgspec.json.decode(answer)
            assert told["type"] in ("refused", "bye", "welcome"), told

    one()
    runner.run(bystanders.still_well())
    assert "Traceback" not in server.read_log()
