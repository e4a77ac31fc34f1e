"""Killed tabs, full devices, two tabs on one store: nothing acknowledged is lost, nothing is spoilt."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from meldroom.game.fold import fold as fold_game
from meldroom.record import loads, verify
from meldroom.rooms.domain.state import fold
from meldroom.rooms.protocol.events import decode
from testkit.server.chooser import Chooser
from tests.browser_home.js_store import MemoryJsStore
from tests.browser_home.tab import Tab
from tests.rooms.house import START, Time

SECOND = 1000
DAY = 24 * 3600 * SECOND
KILLS = 8
DRAW = {"action": "draw", "seat": 0}
OLD_CHAIRS = [
    {"kind": "person", "name": "Ada", "player": "p-ada"},
    {"kind": "bot", "name": "Bo", "level": "beginner"},
]
OLD_LOG = (
    {
        **{"kind": "room_opened", "at": START, "room": "oldroom"},
        **{"settings": {"book": "wrc11"}, "chairs": OLD_CHAIRS},
    },
)
OLD_CARD = {
    **{"room": "oldroom", "host": "p-ada", "stage": "waiting", "public": False, "book": "wrc11", "seats": 2},
    **{"names": ["Ada", "Bo"], "players": ["p-ada", ""], "opened_at": START, "changed_at": START},
}


class WatchedStore(MemoryJsStore):
    """Keeps what a killed tab would leave behind at every moment, with what it had been told by then."""

    def __init__(self) -> None:
        super().__init__()
        self.told: set[str] = set()
        self.moments: list[tuple[MemoryJsStore, set[str]]] = []

    async def append(self, *event: Any) -> str:
        """A moment before the write, and one after it."""
        self.moments.append((self.copy(), set(self.told)))
        said = await super().append(*event)
        self.moments.append((self.copy(), set(self.told)))
        return said


def requests(store: MemoryJsStore, room: str) -> set[str]:
    """The ids of the commands in the log of a room."""
    return {event.request for event in map(decode, store.logs[room]) if event.request}


@pytest.mark.parametrize("book", ["wrc11", "rummyo"])
def test_no_kill_loses_anything_that_was_acknowledged(book: str) -> None:
    async def run() -> None:
        store = WatchedStore()
        tab = await Tab.guest(store)
        room = await tab.play(book, seats=3)
        chooser = Chooser(book, "beginner")
        while tab.view["stage"] != "over":
            answer = await tab.move(room, chooser)
            if answer.get("type") == "done":
                store.told.add(answer["id"])
        await tab.close()
        assert len(store.told) > 5
        begun = [moment for moment in store.moments if len(moment[0].logs.get(room, ())) > 2]
        assert len(begun) > 20
        chance = random.Random(book)
        for left, told in chance.sample(begun, KILLS):
            assert told <= requests(left, room)
            again = await Tab.again(left, room)
            assert again.view["me"] == 0
            await again.finish(room, book)
            assert told <= requests(left, room)
            _, _, record = await again.raw("GET", f"/games/{again.view['record']}/record")
            assert verify(loads(record)).ok
            await again.close()

    asyncio.run(run())


def test_a_game_goes_on_when_its_room_is_entered_and_not_before() -> None:
    async def run() -> None:
        tab = await Tab.guest(bot_pace=3_600_000)
        room = await tab.play()
        while tab.my_turn:
            await tab.move(room, Chooser("wrc11", "beginner"))
        left = tab.kill()
        await tab.close()
        events = len(left.logs[room])
        other = await Tab.open(left)
        assert other.home.device.rooms.in_memory == {}
        await asyncio.sleep(0.05)
        assert len(left.logs[room]) == events
        again = await Tab.again(left, room)  # The bot is to move, and nobody tells it so.
        await again.next(lambda: again.my_turn)
        assert len(left.logs[room]) > events
        await again.close()
        await other.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("ending", "later", "left"),
    [("close", DAY, 40 * SECOND), ("kill", DAY, 60 * SECOND), ("close", 10 * SECOND, 40 * SECOND)],
)
def test_a_clock_stands_while_the_tab_is_closed(ending: str, later: int, left: int) -> None:
    async def run() -> None:
        time = Time()
        tab = await Tab.guest(now=time)
        room = await tab.play(clock={"kind": "seconds", "amount": 60})
        await tab.next(lambda: tab.my_turn)
        assert tab.view["deadline"] == time.now + 60 * SECOND
        time.now += 20 * SECOND
        store = tab.kill()
        await tab.close()
        if ending == "close":
            store = tab.store
        time.now += later
        again = await Tab.again(store, room, now=time)
        assert again.view["deadline"] == time.now + left
        await again.close()

    asyncio.run(run())


def test_the_clock_of_one_game_does_not_run_while_another_is_played() -> None:
    async def run() -> None:
        time, clock = Time(), {"kind": "seconds", "amount": 60}
        tab = await Tab.guest(now=time)
        first = await tab.play(clock=clock)
        await tab.next(lambda: tab.my_turn)
        await tab.close()
        for _ in range(2):
            time.now += DAY
            other = await Tab.open(tab.store, now=time)
            await other.do("hello", version=2)
            await other.play(clock=clock)
            await other.close()
        again = await Tab.again(tab.store, first, now=time)
        assert again.view["deadline"] == time.now + 60 * SECOND
        assert again.view["seats"][0]["timeouts"] == 0
        await again.close()

    asyncio.run(run())


@pytest.mark.parametrize(("language", "word"), [("en", "no space"), ("fr", "plus de place")])
def test_a_full_device_is_told_so_and_the_game_goes_on_afterwards(language: str, word: str) -> None:
    async def run() -> None:
        tab = await Tab.guest()
        await tab.do("hello", version=2, language=language)
        room = await tab.play()
        chooser = Chooser("wrc11", "beginner")
        await tab.move(room, chooser)
        await tab.next(lambda: tab.my_turn)
        before = tab.store.copy()
        tab.store.full = True
        refused = await tab.move(room, chooser)
        assert (refused["type"], refused["error"]["code"]) == ("refused", "disk_full")
        assert word in refused["error"]["message"]
        assert refused["error"]["retry_ms"]
        body = {"settings": {"book": "tml"}, "chairs": ["me", "club"]}
        status, headers, answer = await tab.raw(
            "POST", "/rooms", json.dumps(body).encode(), language=language
        )
        assert (status, headers["Retry-After"]) == (503, "5")
        assert json.loads(answer)["error"]["code"] == "disk_full"
        assert word in json.loads(answer)["error"]["message"]
        status, answer_me = await tab.ask("PATCH", "/me", {"name": "Bo"})
        assert (status, answer_me["error"]["code"]) == (503, "disk_full")
        assert (await tab.ask("GET", "/me"))[1]["name"] == "Ada"
        assert (tab.store.logs, tab.store.values) == (before.logs, before.values)
        tab.store.full = False
        await tab.finish(room, "wrc11")
        await tab.close()

    asyncio.run(run())


@pytest.mark.parametrize("fault", ["fail_in", "lose_in"])
def test_a_bot_whose_write_fails_plays_on_once(fault: str) -> None:
    async def run() -> None:
        tab = await Tab.guest()
        room = await tab.play()
        await tab.next(lambda: tab.my_turn)
        setattr(tab.store, fault, 2)
        moved = await tab.move(room, Chooser("wrc11", "beginner"))
        assert moved["type"] == "done"
        assert not tab.my_turn
        await tab.next(lambda: tab.my_turn)
        await tab.finish(room, "wrc11")
        await tab.close()

    asyncio.run(run())


def test_a_write_that_nobody_was_told_of_is_not_done_twice() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        room = await tab.play()
        await tab.next(lambda: tab.my_turn)
        tab.store.lose_in = 1
        command = {"room": room, "rev": tab.view["rev"], "action": DRAW}
        lost = await tab.do("act", id="once", **command)
        assert lost["error"]["code"] == "storage"
        assert "once" in requests(tab.store, room)
        assert (await tab.do("act", id="twice", **command))["error"]["code"] == "stale"
        tab.frames.clear()
        assert (await tab.do("act", id="once", **command))["type"] == "done"
        await tab.next(lambda: tab.my_turn)
        assert [decode(event).request for event in tab.store.logs[room]].count("once") == 1
        await tab.finish(room, "wrc11")
        await tab.close()

    asyncio.run(run())


def test_the_slower_of_two_tabs_is_refused_and_follows() -> None:
    async def run() -> None:
        first = await Tab.guest()
        room = await first.play()
        await first.next(lambda: first.my_turn)
        second = await Tab.again(first.store, room)
        assert second.view["rev"] == first.view["rev"]
        assert (await first.move(room, Chooser("wrc11", "beginner")))["type"] == "done"
        await first.next(lambda: first.my_turn)
        refused = await second.move(room, Chooser("wrc11", "beginner"))
        assert refused["error"]["code"] == "conflict"
        await second.next(lambda: second.view["rev"] == first.view["rev"])
        await second.finish(room, "wrc11")
        refused = await first.move(room, Chooser("wrc11", "beginner"))
        assert refused["error"]["code"] == "conflict"
        await first.next(lambda: first.view["stage"] == "over")
        assert first.view["sheet"] == second.view["sheet"]
        folded = fold(map(decode, first.store.logs[room]))
        assert folded.game == fold_game(folded.game_events)
        await first.close()
        await second.close()

    asyncio.run(run())


def test_a_room_deleted_in_another_tab_stays_deleted() -> None:
    async def run() -> None:
        first = await Tab.guest()
        room = await first.play()
        await first.next(lambda: first.my_turn)
        second = await Tab.again(first.store, room)
        assert (await second.ask("DELETE", f"/rooms/{room}"))[0] == 204
        codes = []
        for _ in range(3):
            answer = await first.do(
                "act", room=room, rev=first.view["rev"], action={"action": "draw", "seat": 0}
            )
            codes.append(answer["error"]["code"])
            await asyncio.sleep(0.01)
        assert codes == ["conflict", "no_such_room", "no_such_room"]
        assert (await second.do("enter", room=room))["error"]["code"] == "no_such_room"
        assert room not in first.store.logs
        assert room not in first.store.room_cards
        await first.close()
        await second.close()

    asyncio.run(run())


def test_the_room_that_an_older_version_left_is_played() -> None:
    async def run() -> None:
        store = MemoryJsStore()
        store.logs["oldroom"] = [json.dumps(event).encode() for event in OLD_LOG]
        store.room_cards["oldroom"] = json.dumps(OLD_CARD).encode()
        store.values["player"] = json.dumps({"id": "p-ada", "name": "Ada", "language": "en"})
        tab = await Tab.again(store, "oldroom")
        _, mine = await tab.ask("GET", "/rooms/mine")
        assert [card["room"] for card in mine["running"]] == ["oldroom"]
        assert (await tab.do("begin", room="oldroom"))["type"] == "done"
        await tab.next(lambda: tab.view["game"])
        await tab.finish("oldroom", "wrc11")
        await tab.close()

    asyncio.run(run())


def test_what_cannot_be_read_does_not_hide_the_rest() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        room = await tab.play()
        tab.store.room_cards["broken"] = b"{"
        tab.store.games["broken"] = b"[]"
        tab.store.logs["broken"] = [b'{"kind": "teleported"}']
        _, mine = await tab.ask("GET", "/rooms/mine")
        assert [card["room"] for card in mine["running"]] == [room]
        assert (await tab.ask("GET", "/games/broken"))[0] == 404
        assert (await tab.do("enter", room="broken"))["error"]["code"] == "server_error"
        await tab.finish(room, "wrc11")
        await tab.close()
        tab.store.values["player"] = "nonsense"
        assert (await (await Tab.open(tab.store)).ask("GET", "/me"))[0] == 401

    asyncio.run(run())
