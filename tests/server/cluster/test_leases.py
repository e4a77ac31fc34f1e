"""One owner for each room: whatever two nodes believe, the database lets one of them write."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import Connection, text

from meldroom.rooms.errors import ConflictError, FencedError, StorageError
from meldroom.server.storage import SqlStore, postgres
from meldroom.server.storage.leases import Leases, append_fenced
from meldroom.server.storage.postgres import PostgresDatabase
from meldroom.server.storage.writer import Append
from tests.server.storage.cards import card

Answer = TypeVar("Answer")
ROOM = "room1"


class Node:
    """A server as far as the log of one room is concerned: what it has read, and what it was told."""

    def __init__(self, store: SqlStore, leases: Leases) -> None:
        self.store = store
        self.leases = leases
        self.seq = 0
        self.acknowledged: list[tuple[int, bytes]] = []
        self.refused: list[bytes] = []

    @classmethod
    async def open(cls, folder: Path, url: str, name: str) -> Node:
        store = await SqlStore.open(folder / name, url)
        node = cls(store, await store.share(name))
        await node.leases.renew()
        return node

    async def claim(self, *, force: bool = False) -> bool:
        """Ask for the room; whoever gets it reads its log."""
        claim = await self.leases.claim(ROOM, force=force)
        if claim.owner == self.leases.node:
            self.seq = len(await self.store.events(ROOM))
        return claim.owner == self.leases.node

    async def append(self, event: bytes) -> bool:
        """Write the next event as this node knows the log; whether that was acknowledged."""
        try:
            await self.store.append(ROOM, self.seq + 1, event, card(ROOM, changed_at=self.seq))
        except (FencedError, ConflictError):
            self.refused.append(event)
            return False
        self.seq += 1
        self.acknowledged.append((self.seq, event))
        return True


def run_nodes(folder: Path, url: str, test: Any) -> None:
    """Run a test with two nodes on one database."""

    async def run() -> None:
        nodes = [await Node.open(folder, url, name) for name in ("ann", "ben")]
        try:
            await test(*nodes)
        finally:
            for node in nodes:
                await node.store.close()

    asyncio.run(run())


async def expire(node: Node) -> None:
    """For the database, a node has been silent for too long."""

    def work(connection: Connection) -> None:
        connection.execute(text("UPDATE nodes SET expires_at = 0 WHERE id = :id"), {"id": node.leases.node})

    await node.store.write(work)


def test_a_room_has_one_owner_until_that_one_is_gone(tmp_path: Path, database_url: str) -> None:
    async def test(ann: Node, ben: Node) -> None:
        assert await ann.claim()
        assert not await ben.claim()
        assert await ben.leases.owner(ROOM) == "ann"
        assert await ann.append(b"1")
        assert not await ben.append(b"stranger")
        await expire(ann)
        assert await ben.claim()
        assert not await ann.append(b"late")
        assert await ben.append(b"2")
        assert await ann.leases.renew() == frozenset()  # it was not silent for long by its own clock
        ann.leases._renewed = 0.0
        assert await ann.leases.renew() == {ROOM}
        assert ann.leases.rooms == frozenset()
        assert await ben.store.events(ROOM) == [b"1", b"2"]

    run_nodes(tmp_path, database_url, test)


def test_a_room_that_was_given_back_is_anybodys(tmp_path: Path, database_url: str) -> None:
    async def test(ann: Node, ben: Node) -> None:
        await ann.claim()
        await ann.append(b"1")
        await ann.leases.release()
        assert not await ann.append(b"2")
        claim = await ben.leases.claim(ROOM)
        assert (claim.owner, claim.last_alive is not None) == ("ben", True)
        assert await ben.leases.alive() == {"ben"}

    run_nodes(tmp_path, database_url, test)


def test_running_games_without_an_owner_are_found(tmp_path: Path, database_url: str) -> None:
    async def test(ann: Node, ben: Node) -> None:
        await ann.claim()
        await ann.append(b"1")
        assert await ben.leases.orphans() == []
        await expire(ann)
        assert await ben.leases.orphans() == [ROOM]
        await ben.claim()
        assert await ben.leases.orphans() == []

    run_nodes(tmp_path, database_url, test)


def test_taking_over_waits_for_what_is_under_way_and_then_reads_it(tmp_path: Path, database_url: str) -> None:
    """The old owner is paused between its insertion and its commit."""

    async def test(ann: Node, ben: Node) -> None:
        await ann.claim()
        await ann.append(b"1")
        inserted, commit = asyncio.Event(), asyncio.Event()
        database = PostgresDatabase(database_url)
        epoch = ann.leases.epoch(ROOM)

        async def paused() -> None:
            async with database._engine.begin() as connection:
                append = Append(ROOM, 2, b"2", card(ROOM), epoch=epoch)
                await connection.run_sync(append_fenced, [append])
                inserted.set()
                await commit.wait()

        writing = asyncio.create_task(paused())
        await inserted.wait()
        await expire(ann)
        taking = asyncio.create_task(ben.claim())
        await asyncio.sleep(0.3)
        assert not taking.done()
        commit.set()
        assert await taking
        await writing
        assert ben.seq == 2
        assert await ben.append(b"3")
        assert await ben.store.events(ROOM) == [b"1", b"2", b"3"]
        await database.close()

    run_nodes(tmp_path, database_url, test)


def test_who_sleeps_within_a_transaction_holds_nobody_up_for_long(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "IDLE_IN_TRANSACTION_MS", 200)

    async def test(ann: Node, ben: Node) -> None:
        await ann.claim()
        await ann.append(b"1")
        database = PostgresDatabase(database_url)
        inserted, wake = asyncio.Event(), asyncio.Event()

        async def sleeps() -> None:
            async with database._engine.begin() as connection:
                append = Append(ROOM, 2, b"lost", card(ROOM), epoch=ann.leases.epoch(ROOM))
                await connection.run_sync(append_fenced, [append])
                inserted.set()
                await wake.wait()

        sleeping = asyncio.create_task(sleeps())
        await inserted.wait()
        await expire(ann)
        assert await ben.claim()
        assert await ben.append(b"2")
        wake.set()
        with pytest.raises(Exception, match=r"closed|terminat"):
            await sleeping
        assert await ben.store.events(ROOM) == [b"1", b"2"]
        await database.close()

    run_nodes(tmp_path, database_url, test)


def test_one_fenced_room_does_not_hold_up_its_neighbours(tmp_path: Path, database_url: str) -> None:
    async def test(ann: Node, ben: Node) -> None:
        for room in ("room1", "room2", "room3"):
            await ann.leases.claim(room)
        await ben.leases.claim("room2", force=True)
        outcomes = await asyncio.gather(
            *(ann.store.append(room, 1, b"1", card(room)) for room in ("room1", "room2", "room3")),
            return_exceptions=True,
        )
        assert [type(one) for one in outcomes] == [type(None), FencedError, type(None)]
        assert await ben.store.events("room2") == []
        assert await ben.store.card("room2") is None

    run_nodes(tmp_path, database_url, test)


def test_a_database_that_is_gone_is_a_storage_error(tmp_path: Path, database_url: str) -> None:
    async def test(ann: Node, ben: Node) -> None:
        there = ann.store._database
        ann.store._database = ann.leases._database = PostgresDatabase("postgresql://u@127.0.0.1:1/none")
        with pytest.raises(StorageError, match="can't be reached"):
            await ann.leases.renew()
        with pytest.raises(StorageError, match="can't be reached"):
            await ann.store.events(ROOM)
        ann.store._database = there

    run_nodes(tmp_path, database_url, test)


def test_two_owners_whatever_happens(tmp_path: Path, database_url: str) -> None:
    """Claims, takeovers, silence and writing in any order: never two writers, nothing lost or doubled."""
    loop = asyncio.new_event_loop()

    def wait(work: Coroutine[Any, Any, Answer]) -> Answer:
        return loop.run_until_complete(work)

    nodes = [wait(Node.open(tmp_path, database_url, name)) for name in ("ann", "ben")]
    which = st.sampled_from(nodes)

    class TwoOwners(RuleBasedStateMachine):
        @initialize()
        def empty(self) -> None:
            def work(connection: Connection) -> None:
                for table in ("room_events", "room_cards", "room_leases", "people_in_rooms"):
                    connection.execute(text(f"TRUNCATE {table} CASCADE"))

            wait(nodes[0].store.write(work))
            for node in nodes:
                node.store._rows.forget()
                node.leases.lose(ROOM)
                node.seq = 0
                node.acknowledged, node.refused = [], []
                wait(node.leases.renew())
            self.count = 0

        @rule(node=which, force=st.booleans())
        def claim(self, node: Node, force: bool) -> None:
            wait(node.claim(force=force))

        @rule(node=which)
        def append(self, node: Node) -> None:
            self.count += 1
            event, present = self._event(node), self._epoch()
            if wait(node.append(event)):
                assert json.loads(event)[1] == present  # nobody has taken it over

        @rule()
        def append_at_once(self) -> None:
            self.count += 1
            wait(_together(*(node.append(self._event(node)) for node in nodes)))

        @rule(node=which, other=which)
        def append_while_another_claims(self, node: Node, other: Node) -> None:
            self.count += 1
            if node is not other:
                wait(_together(node.append(self._event(node)), other.claim(force=True)))

        @rule(node=which)
        def fall_silent(self, node: Node) -> None:
            wait(expire(node))

        @rule(node=which)
        def wake_up(self, node: Node) -> None:
            node.leases._renewed = 0.0
            wait(node.leases.renew())

        def _epoch(self) -> int | None:
            query = text("SELECT epoch FROM room_leases")
            return wait(nodes[0].store.read(lambda connection: connection.execute(query).scalar()))

        def _event(self, node: Node) -> bytes:
            epoch = node.leases._epochs.get(ROOM, 0)
            return json.dumps([node.leases.node, epoch, self.count]).encode()

        @invariant()
        def one_writer_at_a_time(self) -> None:
            log = wait(nodes[0].store.events(ROOM))
            told = sorted(pair for node in nodes for pair in node.acknowledged)
            assert told == list(enumerate(log, 1))  # nothing lost, nothing doubled, nothing unasked for
            epochs = [json.loads(event)[1] for event in log]
            assert epochs == sorted(epochs)  # who was overtaken writes nothing more
            owners = {json.loads(event)[1]: json.loads(event)[0] for event in log}
            assert all(owners[json.loads(event)[1]] == json.loads(event)[0] for event in log)

    try:
        run_state_machine_as_test(
            TwoOwners, settings=settings(max_examples=25, stateful_step_count=25, deadline=None)
        )
    finally:
        for node in nodes:
            wait(node.store.close())
        loop.close()


async def _together(*work: Coroutine[Any, Any, Any]) -> None:
    await asyncio.gather(*work)
