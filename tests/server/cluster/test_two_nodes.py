"""Two nodes in one process on one PostgreSQL and one NATS: who is here, the lobby, and rooms that move."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from meldroom.api.profiles.schemas import Presence
from meldroom.i18n import Language
from meldroom.rooms.ports import Player
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Done
from meldroom.rooms.protocol.commands import Topic
from meldroom.rooms.protocol.settings import OpenRoom, Settings, TurnClock
from meldroom.server.cluster import ClusterRooms, presence
from meldroom.server.cluster.messages import People, WhoIsHere
from meldroom.server.cluster.presence import ClusterPresence
from meldroom.server.config import Config
from meldroom.server.container import Container, opened
from meldroom.server.identity import Known
from testkit.server.nats import Nats

ADA, BEN = Player("ada", "Ada"), Player("ben", "Ben")


@pytest.fixture
def nats() -> Iterator[Nats]:
    server = Nats()
    try:
        yield server
    finally:
        server.close()


class Browser:
    """A client that counts what it is sent."""

    language: Language = "en"

    def __init__(self, player: Player) -> None:
        self.player = player
        self.known: Known | None = Known(player, None, "en", session=player.id)
        self.heard: list[bytes] = []

    def shown(self, topic: Topic) -> Any:
        """The latest list of a topic."""
        told = [msgspec.json.decode(one) for one in self.heard]
        return [one["value"] for one in told if one["type"] == "news" and one["topic"] == topic][-1]

    def send(self, message: bytes) -> None:
        """Noted."""
        self.heard.append(message)


async def until(true: Callable[[], object]) -> None:
    """Wait for something that takes its time."""
    async with asyncio.timeout(30):
        while not true():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def a_node(folder: Path, database: str, nats: Nats) -> AsyncIterator[tuple[Container, ClusterRooms]]:
    config = Config(
        data=folder, pages=folder, database=database, bus=nats.url, trusted_load=True, start_phase=0
    )
    async with opened(config) as container:
        rooms = container.rooms
        assert isinstance(rooms, ClusterRooms)
        await until(lambda: rooms.bus_connected)
        yield container, rooms


async def a_table(rooms: ClusterRooms, *, begin: bool = False) -> str:
    settings = Settings(book="wrc11", seats=2, public=True, clock=TurnClock(kind="off"))
    return await rooms.open(ADA, OpenRoom(settings, ("me", "open"), word="ivory", begin=begin))


def test_people_rooms_and_an_orderly_end(tmp_path: Path, database_url: str, nats: Nats) -> None:
    async def evening() -> None:
        async with a_node(tmp_path / "b", database_url, nats) as (second, there):
            ben, visitor = Browser(BEN), Browser(Player("", ""))
            visitor.known = None
            async with a_node(tmp_path / "a", database_url, nats) as (first, here):
                await until(lambda: not here.is_alone)
                topics = second.clients.topics
                await topics.follow(visitor, "lobby")
                await topics.follow(ben, "games")
                assert (visitor.shown("lobby")["open"], ben.shown("games")["running"]) == ([], [])
                code = await a_table(here)
                # The first node tells the second, which has followers of the lobby.
                await until(lambda: [one["room"] for one in visitor.shown("lobby")["open"]] == [code])
                (card,) = await second.store.public_cards("waiting", 10)
                assert card.room == code
                sat = do.Sit(id="1", room=code, seat=1, word="oak")
                assert isinstance(await there.handle(ben, do.Enter(id="0", room=code)), Done)
                assert isinstance(await there.handle(ben, sat), Done)
                await until(lambda: [one["room"] for one in ben.shown("games")["running"]] == [code])
                await until(lambda: not visitor.shown("lobby")["open"])
                assert there.owned == 0
                first.clients.seen("cleo")
                assert second.clients.presence(["ada", "ben"]) == {}
                await until(lambda: second.clients.presence(["cleo"]) == {"cleo": "online"})
                ada = Browser(ADA)
                assert isinstance(await here.handle(ada, do.Enter(id="0", room=code)), Done)
                assert isinstance(await here.handle(ada, do.Begin(id="1", room=code)), Done)
                # Ben is connected to the second node and plays in a room of the first.
                await until(lambda: second.clients.presence(["ben"]) == {"ben": "playing"})
                heard = len(ben.heard)
            await until(lambda: there.owned == 1)
            await until(lambda: len(ben.heard) > heard)
            assert there.in_memory[code].room.stage == "playing"
            assert second.clients.presence(["cleo"]) == {}
            topics.gone(visitor)
            topics.gone(ben)
            assert (await there.handle(ben, do.Say(id="2", room=code, text="still here"))).id == "2"

    asyncio.run(evening())


def test_a_room_that_nobody_uses_goes_to_the_node_that_is_asked_for_it(
    tmp_path: Path, database_url: str, nats: Nats
) -> None:
    async def evening() -> None:
        async with (
            a_node(tmp_path / "a", database_url, nats) as (_, here),
            a_node(tmp_path / "b", database_url, nats) as (_, there),
        ):
            code = await a_table(here)
            running = await a_table(here, begin=False)
            ada, ben = Browser(ADA), Browser(BEN)
            assert isinstance(await there.handle(ben, do.Enter(id="0", room=code)), Done)
            assert isinstance(await there.handle(ben, do.Sit(id="1", room=running, seat=1, word="oak")), Done)
            assert isinstance(await here.handle(ada, do.Begin(id="1", room=running)), Done)
            assert (here.owned, there.owned) == (2, 0)
            await there.handle(ben, do.Leave(id="2", room=code))
            for live in here.in_memory.values():
                live.used_at = 0
            here._put_away()
            await until(lambda: here.owned == 1)
            await until(lambda: code not in there._elsewhere)
            assert isinstance(await there.handle(ben, do.Enter(id="3", room=code)), Done)
            assert code in there.in_memory
            assert isinstance(await here.handle(ada, do.Enter(id="2", room=code)), Done)
            assert (here.owned, there.owned) == (1, 1)

    asyncio.run(evening())


def test_a_node_that_overslept_says_once_that_it_is_alive(
    tmp_path: Path, database_url: str, nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a renewal for each command that waits, hundreds took every connection and kept the node dead."""

    async def evening() -> None:
        async with a_node(tmp_path / "a", database_url, nats) as (_, rooms):
            codes = [await a_table(rooms) for _ in range(3)]
            renewals, renew = list[None](), rooms._leases.renew

            async def counted() -> frozenset[str]:
                renewals.append(None)
                return await renew()

            monkeypatch.setattr(rooms._leases, "renew", counted)
            assert rooms._beat is not None
            rooms._beat.cancel()
            rooms._leases._renewed -= 60
            browsers = [Browser(ADA) for _ in range(20)]
            entered = (
                rooms.handle(browser, do.Enter(id="1", room=code)) for browser in browsers for code in codes
            )
            assert all(isinstance(each, Done) for each in await asyncio.gather(*entered))
            assert 1 <= len(renewals) < 10

    asyncio.run(evening())


class Bus:
    """Everything that was sent, and a clock in the hand."""

    def __init__(self) -> None:
        self.sent: list[People | WhoIsHere] = []
        self.now = 1000.0

    def node(self, name: str) -> ClusterPresence:
        """A node that sends here."""
        return ClusterPresence(name, self.sent.append, lambda: self.now)


def test_changes_are_batched_gaps_are_filled_and_dead_nodes_age_out() -> None:
    bus = Bus()
    people: dict[str, Presence] = {"ada": "online", "ben": "playing"}
    told, hearer = bus.node("a"), bus.node("b")
    told.here = lambda: people

    def passed_on() -> None:
        for message in bus.sent:
            if isinstance(message, People):
                hearer.hear(message)
        bus.sent.clear()

    told.tell()
    passed_on()
    assert hearer.of(["ada", "ben", "cleo"]) == {"ada": "online", "ben": "playing"}
    people.update(ben="online")
    del people["ada"]
    told.tell()
    assert bus.sent == [People("a", 2, False, {"ben": "online", "ada": "away"})]
    passed_on()
    assert hearer.of(["ada", "ben"]) == {"ben": "online"}
    told.tell()
    assert bus.sent == [People("a", 3, False, {})]
    bus.sent.clear()  # lost
    people["cleo"] = "playing"
    told.tell()
    passed_on()
    assert hearer.of(["cleo"]) == {}
    told.tell_everything()
    passed_on()
    assert hearer.of(["cleo", "ben"]) == {"cleo": "playing", "ben": "online"}
    bus.now += presence.SILENCE_SECONDS + 1
    assert hearer.of(["cleo", "ben"]) == {}


def test_a_gap_is_asked_about() -> None:
    bus = Bus()
    hearer = bus.node("b")
    hearer.hear(People("a", 5, False, {"ada": "online"}))
    assert bus.sent == [WhoIsHere("b")]
    hearer.hear(People("a", 6, True, {"ada": "playing"}))
    hearer.hear(People("a", 7, False, {}))
    assert hearer.of(["ada"]) == {"ada": "playing"}
    hearer.gone("a")
    assert hearer.of(["ada"]) == {}
