"""Players of slow games are told of their turn: the right person, in their language, nothing of the game."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, select

from meldroom.rooms.rate_limit import Allowance
from meldroom.server.config import Limits, PushPolicy
from meldroom.server.push import subscriptions as stored
from meldroom.server.push.notifier import Pace
from meldroom.server.storage.tables import meta, push_subscriptions
from tests.server.api.near import Near, Talk, with_server
from tests.server.push.push_service import Browser, PushService, push_service

HERE = PushPolicy(plain_http=True, private_addresses=True)
SLOW = {"book": "wrc11", "seats": 2, "clock": {"kind": "hours", "amount": 24}}
QUIET = 0.4
"""Seconds after which a message that was not to be sent has not been."""


def with_pushes(folder: Path, test: Any, *, pace: Pace | None = None, **config: Any) -> None:
    """Run a test against a server that may call the push service on this machine."""

    async def run(near: Near) -> None:
        pushes = near.container.pushes
        pushes._pace = pace or Pace(at_the_table=0, again=(0.01, 0.01))
        async with push_service() as service:
            await test(near, service)

    with_server(folder, run, push=HERE, **config)


async def subscribed(
    person: httpx.AsyncClient, service: PushService, path: str = "/push/1", origin: str = ""
) -> Browser:
    """Subscribe somebody's browser."""
    browser = Browser()
    headers = {"origin": origin} if origin else {}
    asked = browser.subscription(service.address + path)
    answer = await person.post("/api/v1/push/subscriptions", json=asked, headers=headers)
    assert answer.status_code == 201, answer.text
    return browser


async def opened(person: httpx.AsyncClient, **settings: Any) -> str:
    """A room that somebody sits in, with an open seat."""
    asked = {"settings": {**SLOW, **settings}, "chairs": ["me", "open"]}
    answer = await person.post("/api/v1/rooms", json=asked)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["room"])


@asynccontextmanager
async def at_table(near: Near, person: httpx.AsyncClient, room: str) -> AsyncIterator[Talk]:
    """Somebody's socket, in the room."""
    async with near.socket(person) as talk:
        await talk.hello()
        assert (await talk.ask("enter", room=room))["type"] == "done"
        yield talk


async def started(near: Near, host: httpx.AsyncClient, guest: httpx.AsyncClient, **settings: Any) -> str:
    """A game between two people who have both gone away again."""
    room = await opened(host, **settings)
    async with at_table(near, guest, room) as talk:
        assert (await talk.ask("sit", room=room, seat=1))["type"] == "done"
    async with at_table(near, host, room) as talk:
        assert (await talk.ask("begin", room=room))["type"] == "done"
    return room


async def to_move(near: Near, room: str) -> int:
    """The seat whose turn it is."""
    seat = (await near.container.rooms.room(room)).room.to_act
    assert seat is not None
    return seat


async def draw(near: Near, person: httpx.AsyncClient, room: str) -> None:
    """Draw for somebody, who comes for that and goes again."""
    live = await near.container.rooms.room(room)
    async with at_table(near, person, room) as talk:
        action = {"action": "draw", "seat": live.room.to_act}
        rev = live.room.rev
        answer = await talk.ask("act", id=f"draw-{rev}", room=room, rev=rev, action=action)
        assert answer["type"] == "done", answer


def test_the_player_to_move_is_told_in_their_language_and_of_nothing_else(tmp_path: Path) -> None:
    async def test(near: Near, service: PushService) -> None:
        people = [await near.guest("Ada"), await near.guest("Bo")]
        await people[1].patch("/api/v1/me", json={"language": "fr"})
        browsers = [
            await subscribed(person, service, f"/push/{seat}", near.url) for seat, person in enumerate(people)
        ]
        room = await started(near, people[0], people[1])
        said = {
            0: {"title": "Your turn", "body": f"It's your turn at table {room}."},
            1: {"title": "À vous de jouer", "body": f"C’est à vous de jouer à la table {room}."},
        }
        for _ in range(4):
            seat = await to_move(near, room)
            got = await service.next()
            assert got.path == f"/push/{seat}"
            text = json.loads(browsers[seat].decrypt(got.body))
            assert text == {"kind": "turn", "room": room, **said[seat]}
            assert got.headers["topic"] == room
            assert 86_000 < int(got.headers["ttl"]) <= 86_400
            claims = got.claims()
            assert claims["aud"] == service.address
            assert claims["sub"] == "mailto:postmaster@127.0.0.1"
            await draw(near, people[seat], room)
        assert near.container.counters.pushes["sent"] >= 4

    with_pushes(tmp_path, test)


def test_fast_games_bots_and_people_at_the_table_are_not_pushed(tmp_path: Path) -> None:
    async def test(near: Near, service: PushService) -> None:
        people = [await near.guest("Ada"), await near.guest("Bo")]
        for seat, person in enumerate(people):
            await subscribed(person, service, f"/push/{seat}")
        await started(near, *people, clock={"kind": "seconds", "amount": 60})
        await started(near, *people, clock={"kind": "off"})
        asked = {"settings": SLOW, "chairs": ["me", "open"]}
        room = (await people[0].post("/api/v1/rooms", json=asked)).json()["room"]
        async with at_table(near, people[0], room) as host, at_table(near, people[1], room) as guest:
            await guest.ask("sit", room=room, seat=1)
            await host.ask("begin", room=room)
            await asyncio.sleep(QUIET)
            assert service.messages.empty()

    with_pushes(tmp_path, test, pace=Pace(at_the_table=3600))


def test_who_is_at_the_table_and_does_not_play_is_told_later(tmp_path: Path) -> None:
    async def test(near: Near, service: PushService) -> None:
        people = [await near.guest("Ada"), await near.guest("Bo")]
        for seat, person in enumerate(people):
            await subscribed(person, service, f"/push/{seat}")
        room = await opened(people[0])
        async with at_table(near, people[0], room) as host, at_table(near, people[1], room) as guest:
            await guest.ask("sit", room=room, seat=1)
            await host.ask("begin", room=room)
            got = await service.next()
            assert got.path == f"/push/{await to_move(near, room)}"

    with_pushes(tmp_path, test, pace=Pace(at_the_table=0.05, again=()))


@pytest.mark.parametrize("status", [404, 410])
def test_an_endpoint_that_is_gone_is_forgotten(status: int, tmp_path: Path) -> None:
    async def test(near: Near, service: PushService) -> None:
        people = [await near.guest("Ada"), await near.guest("Bo")]
        for seat, person in enumerate(people):
            await subscribed(person, service, f"/push/{seat}")
        service.statuses = [status]
        room = await started(near, *people)
        seat = await to_move(near, room)
        await service.next()
        async with asyncio.timeout(20):
            while (await people[seat].get("/api/v1/push/subscriptions")).json():
                await asyncio.sleep(0.01)
        assert len((await people[1 - seat].get("/api/v1/push/subscriptions")).json()) == 1

    with_pushes(tmp_path, test)


def test_failures_that_may_pass_are_tried_again_and_others_are_not(tmp_path: Path) -> None:
    async def test(near: Near, service: PushService) -> None:
        people = [await near.guest("Ada"), await near.guest("Bo")]
        for person in people:
            await subscribed(person, service, f"/push/{id(person)}")
        service.statuses = [503, 429]
        room = await started(near, *people)
        for _ in range(3):
            await service.next()
        counted = near.container.counters.pushes
        async with asyncio.timeout(20):
            while not counted["sent"]:
                await asyncio.sleep(0.01)
        assert counted["failed"] == 2
        service.statuses = [403]
        await draw(near, people[await to_move(near, room)], room)
        await service.next()
        await asyncio.sleep(QUIET)
        assert service.messages.empty()
        assert counted["refused"] == 1

    with_pushes(tmp_path, test)


def test_nobody_is_told_of_a_turn_that_is_over(tmp_path: Path) -> None:
    async def test(near: Near, service: PushService) -> None:
        people = [await near.guest("Ada"), await near.guest("Bo")]
        first = await to_move(near, room := await started(near, *people))
        await subscribed(people[first], service, "/push/first")
        service.statuses = [503] * 50
        await draw(near, people[first], room)
        await draw(near, people[1 - first], room)
        await service.next()
        await draw(near, people[first], room)
        await asyncio.sleep(QUIET)
        while not service.messages.empty():
            service.messages.get_nowait()
        await asyncio.sleep(QUIET)
        assert service.messages.empty()

    with_pushes(tmp_path, test, pace=Pace(at_the_table=0, again=(0.05,) * 100))


def test_the_server_makes_its_key_once_and_shows_only_the_public_half(tmp_path: Path) -> None:
    keys: list[tuple[str, str]] = []

    async def test(near: Near) -> None:
        def private(connection: Connection) -> str:
            query = select(meta.c.value).where(meta.c.key == stored.PRIVATE_KEY)
            return str(connection.execute(query).scalar_one())

        public = (await near.browser().get("/api/v1/push/key")).json()["key"]
        keys.append((public, await near.container.store.read(private)))

    with_server(tmp_path, test)
    with_server(tmp_path, test)
    assert keys[0] == keys[1]
    assert keys[0][0] != keys[0][1]


def test_a_subscription_belongs_to_its_session(tmp_path: Path) -> None:
    async def test(near: Near, service: PushService) -> None:
        ada, bo = await near.guest("Ada"), await near.guest("Bo")
        await subscribed(ada, service)
        (card,) = (await ada.get("/api/v1/push/subscriptions")).json()
        assert set(card) == {"id", "created_at"}
        assert (await bo.delete(f"/api/v1/push/subscriptions/{card['id']}")).status_code == 404
        assert (await bo.get("/api/v1/push/subscriptions")).json() == []
        # Another person at the same browser takes it over; nobody is told twice.
        await subscribed(bo, service)
        assert (await ada.get("/api/v1/push/subscriptions")).json() == []
        made = await bo.post("/api/v1/account", json={"account": "bo1", "password": "correct horse"})
        assert made.status_code == 201
        (card,) = (await bo.get("/api/v1/push/subscriptions")).json()
        assert (await bo.post("/api/v1/sign-out")).status_code == 204
        assert await rows(near) == 0
        # A guest who signs in takes the subscription along.
        guest = await near.guest("Cy")
        await subscribed(guest, service)
        entered = await guest.post("/api/v1/sign-in", json={"account": "bo1", "password": "correct horse"})
        assert entered.status_code == 200
        (card,) = (await guest.get("/api/v1/push/subscriptions")).json()
        assert (await guest.delete(f"/api/v1/push/subscriptions/{card['id']}")).status_code == 204
        assert await rows(near) == 0

    with_pushes(tmp_path, test)


async def rows(near: Near) -> int:
    """How many subscriptions there are."""

    def count(connection: Connection) -> int:
        return len(connection.execute(select(push_subscriptions)).all())

    return await near.container.store.read(count)


def test_a_guest_who_signed_in_is_told_of_the_guests_turns(tmp_path: Path) -> None:
    async def test(near: Near, service: PushService) -> None:
        owner = await near.guest("Owner")
        await owner.post("/api/v1/account", json={"account": "owner", "password": "correct horse"})
        people = [await near.guest("Ada"), await near.guest("Bo")]
        room = await started(near, *people)
        for seat, person in enumerate(people):
            await subscribed(person, service, f"/push/{seat}")
        seat = await to_move(near, room)
        other = people[1 - seat]
        await other.post("/api/v1/sign-in", json={"account": "owner", "password": "correct horse"})
        await draw(near, people[seat], room)
        assert (await service.next()).path == f"/push/{1 - seat}"

    with_pushes(tmp_path, test)


def test_what_is_no_subscription_is_refused(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada = await near.guest("Ada")
        good = Browser().subscription("https://push.example/a")
        keys = good["keys"]
        for asked, code in (
            ({**good, "endpoint": "https://127.0.0.1/a"}, "bad_push_endpoint"),
            ({**good, "endpoint": "http://push.example/a"}, "bad_push_endpoint"),
            ({**good, "keys": {**keys, "auth": "short"}}, "bad_push_keys"),
            ({**good, "endpoint": "https://push.example/" + "a" * 1000}, "bad_request"),
            ({"endpoint": "https://push.example/a"}, "bad_request"),
        ):
            answer = await ada.post("/api/v1/push/subscriptions", json=asked)
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
        assert (await near.browser().post("/api/v1/push/subscriptions", json=good)).status_code == 401
        token = (await ada.post("/api/v1/tokens", json={"label": "bot"})).json()["secret"]
        bot = near.browser(authorization=f"Bearer {token}")
        assert (await bot.post("/api/v1/push/subscriptions", json=good)).status_code == 403
        assert await rows(near) == 0

    with_server(tmp_path, test)


def test_subscriptions_are_limited_in_number_and_in_haste(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada = await near.guest("Ada")
        for number in range(12):
            asked = Browser().subscription(f"https://push.example/{number}")
            assert (await ada.post("/api/v1/push/subscriptions", json=asked)).status_code == 201
        assert await rows(near) == stored.MOST_SUBSCRIPTIONS
        asked = Browser().subscription("https://push.example/more")
        late = await ada.post("/api/v1/push/subscriptions", json=asked)
        assert late.status_code == 429
        assert int(late.headers["retry-after"]) > 0

    with_server(tmp_path, test, usual=Limits(subscriptions_of_player=Allowance(12, 0.001)))


def test_without_cryptography_the_server_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "find_spec", lambda _: None)

    async def test(near: Near) -> None:
        answer = await near.browser().get("/api/v1/push/key")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "push_unavailable")
        people = [await near.guest("Ada"), await near.guest("Bo")]
        await draw_both(near, people)

    with_server(tmp_path, test)


async def draw_both(near: Near, people: list[httpx.AsyncClient]) -> None:
    """A slow game goes on for two turns."""
    room = await started(near, people[0], people[1])
    for _ in range(2):
        await draw(near, people[await to_move(near, room)], room)


def test_somebody_invited_is_told_and_somebody_who_blocked_is_not(tmp_path: Path) -> None:
    async def test(near: Near, service: PushService) -> None:
        ada, ben = await near.guest("Ada"), await near.guest("Ben")
        await ben.patch("/api/v1/me", json={"language": "fr"})
        browser = await subscribed(ben, service)
        names = [(await one.get("/api/v1/me")).json()["profile"] for one in (ada, ben)]
        for one, other in ((ada, names[1]), (ben, names[0])):
            assert (await one.post("/api/v1/friends", json={"person": other})).status_code == 201
        room = (await ada.post("/api/v1/rooms/again", json={"person": names[1]})).json()["room"]
        message = json.loads(browser.decrypt((await service.next()).body))
        assert message == {
            "kind": "invitation",
            "room": room,
            "title": "Ada vous invite à jouer",
            "body": f"La table {room} vous attend.",
        }
        assert (await ben.post("/api/v1/blocks", json={"person": names[0]})).status_code == 201
        path = f"/api/v1/rooms/{room}/invitations"
        assert (await ada.post(path, json={"person": names[1]})).status_code == 403, "friends no more"
        await asyncio.sleep(QUIET)
        assert service.messages.empty()

    with_pushes(tmp_path, test)
