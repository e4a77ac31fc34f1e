"""Rooms, cards and finished games come back as they were written, and each place of a log is written once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from meldroom.rooms.errors import ConflictError
from meldroom.rooms.ports import Store
from meldroom.server.storage import SqlStore, StorageError
from tests.server.conftest import Place
from tests.server.storage.cards import card, finished


@asynccontextmanager
async def opened(place: Place) -> AsyncIterator[SqlStore]:
    """A store at a place, closed afterwards."""
    store = await SqlStore.open(place.folder, place.url)
    try:
        yield store
    finally:
        await store.close()


def test_it_is_a_store_of_the_rooms() -> None:
    kind: type[Store] = SqlStore
    assert kind is SqlStore


def test_events_come_back_in_order_after_a_restart(place: Place) -> None:
    async def run() -> None:
        async with opened(place) as store:
            for seq in range(1, 12):
                await store.append("room1", seq, b"event %d" % seq, card("room1", changed_at=seq))
            await store.append("room2", 1, b"other", card("room2"))
        async with opened(place) as store:
            assert await store.events("room1") == [b"event %d" % seq for seq in range(1, 12)]
            assert await store.events("room1", after=9) == [b"event 10", b"event 11"]
            assert await store.events("nowhere") == []

    asyncio.run(run())


def test_one_commit_serves_everybody_who_waits(place: Place) -> None:
    async def run() -> None:
        async with opened(place) as store:
            await asyncio.gather(
                *(store.append(f"room{n}", 1, b"first", card(f"room{n}")) for n in range(200))
            )
            assert store.counters.appends == 200
            assert store.counters.commits < 10

    asyncio.run(run())


def test_who_lost_their_place_is_told_and_their_neighbours_are_not_touched(place: Place) -> None:
    async def run() -> None:
        async with opened(place) as store:
            await store.append("room1", 1, b"mine", card("room1"))
            outcomes = await asyncio.gather(
                store.append("room2", 1, b"before", card("room2", players=("chi",))),
                store.append("room1", 1, b"too late", card("room1", players=("eve",))),
                store.append("room3", 1, b"after", card("room3", players=("dev",))),
                return_exceptions=True,
            )
            assert [type(one) for one in outcomes] == [type(None), ConflictError, type(None)]
            assert await store.events("room1") == [b"mine"]
            assert await store.events("room2") == [b"before"]
            assert [one.room for one in await store.cards(player="dev")] == ["room3"]
            assert await store.cards(player="eve") == []
            assert store.counters.conflicts == 1

    asyncio.run(run())


def test_two_writers_of_one_place_in_the_same_group(place: Place) -> None:
    async def run() -> None:
        async with opened(place) as store:
            outcomes = await asyncio.gather(
                *(store.append("room1", 1, b"%d" % n, card("room1")) for n in range(5)),
                return_exceptions=True,
            )
            assert sorted(str(type(one).__name__) for one in outcomes) == ["ConflictError"] * 4 + ["NoneType"]
            assert await store.events("room1") == [b"0"]

    asyncio.run(run())


def test_cards_are_found_by_stage_and_player(place: Place) -> None:
    async def run() -> None:
        async with opened(place) as store:
            await store.append("room1", 1, b"1", card("room1", stage="waiting", players=("ada",)))
            await store.append("room2", 1, b"1", card("room2", changed_at=9))
            await store.append("room3", 1, b"1", card("room3", public=False, changed_at=5))
            assert [one.room for one in await store.cards()] == ["room2", "room3", "room1"]
            assert [one.room for one in await store.cards("playing")] == ["room2", "room3"]
            assert [one.room for one in await store.cards("waiting", player="ada")] == ["room1"]
            assert [one.room for one in await store.cards(player="bo")] == ["room2", "room3"]
            assert [one.room for one in await store.public_cards("playing")] == ["room2"]
            await store.append("room2", 2, b"2", card("room2", stage="over", players=("bo",), changed_at=10))
            assert [one.room for one in await store.cards(player="ada")] == ["room3", "room1"]
            assert await store.card("room2") == card("room2", stage="over", players=("bo",), changed_at=10)
            assert await store.card("nowhere") is None

    asyncio.run(run())


def test_a_finished_game_is_kept_with_the_event_that_ended_it(place: Place) -> None:
    async def run() -> None:
        async with opened(place) as store:
            await store.append("room1", 1, b"1", card("room1"))
            await store.append("room1", 2, b"2", card("room1", stage="over"), finished("room1-1"))
            await store.append("room1", 3, b"3", card("room1"), finished("room1-2", game=2, ended_at=9))
            assert await store.finished("room1-1") == finished("room1-1")
            assert await store.finished("room1-9") is None
            listed = await store.finished_of("ada")
            assert [one.id for one in listed] == ["room1-2", "room1-1"]
            assert {one.record for one in listed} == {""}
            assert await store.finished_of("ada", limit=1) == listed[:1]
            assert await store.finished_of("") == []

    asyncio.run(run())


def test_a_game_that_is_there_already_refuses_the_whole_event(place: Place) -> None:
    async def run() -> None:
        async with opened(place) as store:
            await store.append("room1", 1, b"1", card("room1"), finished("game"))
            with pytest.raises(ConflictError):
                await store.append("room2", 1, b"1", card("room2", players=("eve",)), finished("game"))
            assert await store.events("room2") == []
            assert await store.cards(player="eve") == []
            await store.append("room2", 1, b"1", card("room2", players=("eve",)))
            assert [one.room for one in await store.cards(player="eve")] == ["room2"]

    asyncio.run(run())


def test_the_last_sign_of_life_is_kept(place: Place) -> None:
    async def run() -> None:
        async with opened(place) as store:
            assert await store.last_alive() is None
            await store.alive(1000)
            await store.alive(2000)
        async with opened(place) as store:
            assert await store.last_alive() == 2000

    asyncio.run(run())


def test_what_waits_is_written_before_the_store_closes(place: Place) -> None:
    async def run() -> None:
        store = await SqlStore.open(place.folder, place.url)
        waiting = [asyncio.create_task(store.append(f"room{n}", 1, b"1", card(f"room{n}"))) for n in range(9)]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*waiting)
        with pytest.raises(StorageError, match="shutting down"):
            await store.append("room1", 2, b"2", card("room1"))
        async with opened(place) as store:
            assert len(await store.cards()) == 9

    asyncio.run(run())


def test_a_name_that_no_database_knows_is_found_nowhere(place: Place) -> None:
    async def run() -> None:
        async with opened(place) as store:
            await store.append("room1", 1, b"1\0", card("room1"))
            assert await store.card("\0") is None
            assert await store.cards(player="a\0b") == []
            assert await store.events("room1") == [b"1\0"]

    asyncio.run(run())
