"""Lists that pages follow: sent at once and when they have changed, to those who may see them, and seldom."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast, get_args

import httpx
import msgspec
import pytest

from meldroom.api.profiles.schemas import FriendCard, PersonCard, Presence
from meldroom.rooms.errors import StorageError
from meldroom.rooms.ports import Player, RoomCard
from meldroom.rooms.protocol.commands import Topic
from meldroom.server.config import Limits
from meldroom.server.identity import Known
from meldroom.server.live.connection import MOST_QUEUED_BYTES
from meldroom.server.profiles.people import FriendLists, Someone
from meldroom.server.topics import MOST_FOLLOWED, Topics, Values, hub
from meldroom.server.topics.values import LobbyCards, Value
from tests.server.api.near import Near, Talk, with_server

ROOM = {"settings": {"book": "wrc11", "public": True}, "chairs": ["me", "open"]}
TOPICS: tuple[Topic, ...] = get_args(Topic)


# The mechanism, with values in the hand


def card(room: str, host: str = "ada", **more: Any) -> RoomCard:
    names, players = (host.title(), ""), (host, "")
    return RoomCard(room, host, "waiting", True, "wrc11", 2, names, players, 1, 1, **more)


def person(name: str) -> Someone:
    return Someone(name, PersonCard(name, name.title(), "", name), 0)


class Shelf:
    """Values that a test puts there; reads are counted."""

    def __init__(self) -> None:
        self.lobby = LobbyCards((card("aaaaaa"),), ())
        self.friends = FriendLists([person("ben")], [], [], [], [], {"ben": ""})
        self.here: dict[str, Presence] = {}
        self.reads: list[str] = []
        self.fails = False

    async def read(self, topic: Topic, of: str, known: Known | None) -> Value:
        """What the test has put there."""
        self.reads.append(topic)
        await asyncio.sleep(0)
        if self.fails:
            raise StorageError("locked", path="x")
        return self.lobby if topic == "lobby" else self.friends

    def presence(self, players: Iterable[str]) -> dict[str, Presence]:
        """Who is here, of those who are asked for."""
        return {one: self.here[one] for one in players if one in self.here}


class Page:
    """A page that keeps what it is sent."""

    def __init__(self, player: str = "") -> None:
        self.known = Known(Player(player, player.title()), None, "en", session=player) if player else None
        self.heard: list[bytes] = []

    def send(self, data: bytes) -> None:
        """Noted."""
        self.heard.append(data)

    def shows(self) -> list[str]:
        """The rooms with a free seat in the latest lobby."""
        return [room["room"] for room in msgspec.json.decode(self.heard[-1])["value"]["open"]]


@asynccontextmanager
async def topics(shelf: Shelf, blocked: dict[str, set[str]]) -> AsyncIterator[Topics]:
    """Topics whose own task never gets to do anything: the test sends the news."""

    async def apart(player: str) -> frozenset[str]:
        return frozenset(blocked.get(player, ()))

    made = Topics(cast("Values", shelf), apart)
    made._start = lambda: None  # type: ignore[method-assign]
    made._refreshed_at = time.monotonic()
    try:
        yield made
    finally:
        await made.close()


def by_hand(test: Callable[[Topics, Shelf, dict[str, set[str]]], Awaitable[None]]) -> None:
    async def run() -> None:
        shelf, blocked = Shelf(), dict[str, set[str]]()
        async with topics(shelf, blocked) as made:
            await test(made, shelf, blocked)

    asyncio.run(run())


def test_many_changes_are_one_message_read_and_encoded_once_for_all() -> None:
    async def test(topics: Topics, shelf: Shelf, _: object) -> None:
        pages = [Page() for _ in range(20)]
        for page in pages:
            await topics.follow(page, "lobby")
        assert shelf.reads == ["lobby"]
        assert {page.heard[0] is pages[0].heard[0] for page in pages} == {True}
        for number in range(50):
            shelf.lobby = LobbyCards((card(f"room{number}"),), ())
            topics.changed("lobby")
        assert shelf.reads == ["lobby"]
        await topics.send_news()
        assert shelf.reads == ["lobby"] * 2
        assert [len(page.heard) for page in pages] == [2] * 20
        assert {page.heard[1] is pages[0].heard[1] for page in pages} == {True}
        assert pages[0].shows() == ["room49"]

    by_hand(test)


def test_nothing_is_sent_when_nothing_has_changed_and_nothing_done_when_nobody_follows() -> None:
    async def test(topics: Topics, shelf: Shelf, _: object) -> None:
        topics.changed("lobby")
        await topics.send_news()
        assert shelf.reads == []
        page = Page()
        await topics.follow(page, "lobby")
        topics.changed("games", ("ada",))  # concerns nobody here
        await topics.send_news()
        assert shelf.reads == ["lobby"]
        # A turn was played at a table: the lobby does not show that.
        played = msgspec.structs.replace(shelf.lobby.open[0], changed_at=99, waiting_for=1)
        shelf.lobby = LobbyCards((played,), ())
        topics.changed("lobby")
        await topics.send_news()
        assert shelf.reads == ["lobby"] * 2
        assert len(page.heard) == 1
        topics.unfollow(page, "lobby")
        topics.changed("lobby")
        await topics.send_news()
        assert shelf.reads == ["lobby"] * 2

    by_hand(test)


def test_the_task_ends_with_the_last_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "EVERY", 0.0)
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.01)

    async def run() -> None:
        made = Topics(cast("Values", Shelf()), _nobody)
        page = Page()
        await made.follow(page, "lobby")
        task = made._task
        assert task is not None
        made.gone(page)
        async with asyncio.timeout(20):
            await task
        assert made.count == 0

    asyncio.run(run())


async def _nobody(player: str) -> frozenset[str]:
    return frozenset()


def test_blocked_hosts_are_hidden_from_those_who_have_to_do_with_them_alone() -> None:
    async def test(topics: Topics, shelf: Shelf, blocked: dict[str, set[str]]) -> None:
        shelf.lobby = LobbyCards((card("aaaaaa"), card("eeeeee", "eve")), ())
        stranger, ben, cleo = Page(), Page("ben"), Page("cleo")
        blocked["ben"] = {"eve"}
        for page in (stranger, ben, cleo):
            await topics.follow(page, "lobby")
        assert [page.shows() for page in (stranger, ben, cleo)] == [
            ["aaaaaa", "eeeeee"],
            ["aaaaaa"],
            ["aaaaaa", "eeeeee"],
        ]
        assert b'"eve"' not in b"".join(stranger.heard + ben.heard + cleo.heard)  # no ids of people
        blocked["cleo"] = {"ada"}
        topics.changed(hub.APART, ("cleo", "ada"))
        await topics.send_news()
        assert [len(page.heard) for page in (stranger, ben, cleo)] == [1, 1, 2]
        assert cleo.shows() == ["eeeeee"]

    by_hand(test)


def test_friends_who_come_and_go_are_shown_without_asking_the_database() -> None:
    async def test(topics: Topics, shelf: Shelf, _: object) -> None:
        ada, eve = Page("ada"), Page("eve")
        await topics.follow(ada, "friends")
        shelf.here["ben"] = "playing"
        topics._look_who_is_here()
        await topics.send_news()
        assert shelf.reads == ["friends"]
        latest = msgspec.json.decode(ada.heard[-1])["value"]["friends"]
        assert msgspec.convert(latest, list[FriendCard])[0].presence == "playing"
        assert eve.heard == []
        topics._look_who_is_here()
        await topics.send_news()
        assert len(ada.heard) == 2
        topics.changed(hub.NAMES, ("ben",))
        await topics.send_news()
        assert shelf.reads == ["friends"] * 2

    by_hand(test)


def test_a_list_that_cannot_be_read_is_read_again() -> None:
    async def test(topics: Topics, shelf: Shelf, _: object) -> None:
        page, late = Page(), Page()
        await topics.follow(page, "lobby")
        shelf.fails = True
        topics.everything_changed()
        await topics.send_news()
        topics._feeds["lobby", "", ""].read_at = 0.0
        with pytest.raises(StorageError):
            await topics.follow(late, "lobby")
        shelf.fails, shelf.lobby = False, LobbyCards((card("bbbbbb"),), ())
        await topics.send_news()
        assert page.shows() == ["bbbbbb"]
        assert late.heard == []

    by_hand(test)


def test_who_comes_within_the_second_gets_what_the_others_have() -> None:
    async def test(topics: Topics, shelf: Shelf, _: object) -> None:
        await topics.follow(Page(), "lobby")
        topics.changed("lobby")
        for _again in range(10):
            page = Page()
            await topics.follow(page, "lobby")
            topics.gone(page)
        assert shelf.reads == ["lobby"]
        await topics.send_news()
        assert shelf.reads == ["lobby"] * 2

    by_hand(test)


def test_while_other_nodes_cannot_be_heard_everything_is_read_now_and_then() -> None:
    async def test(topics: Topics, shelf: Shelf, _: object) -> None:
        stranger, ada = Page(), Page("ada")
        await topics.follow(stranger, "lobby")
        await topics.follow(ada, "friends")
        for cut_off, read in ((False, ["lobby"]), (True, ["lobby", "friends"])):
            topics.is_cut_off = lambda cut_off=cut_off: cut_off  # type: ignore[misc]
            shelf.reads.clear()
            topics._look_at_clock()
            await topics.send_news()
            assert shelf.reads == []  # not so often
            topics._refreshed_at -= hub.REFRESH_SECONDS + 1
            topics._look_at_clock()
            await topics.send_news()
            assert shelf.reads == read
        shelf.reads.clear()
        topics.everything_changed()  # they are heard again
        await topics.send_news()
        assert shelf.reads == ["lobby", "friends"]
        assert (len(stranger.heard), len(ada.heard)) == (1, 1)

    by_hand(test)


def test_other_nodes_are_told_once_of_many_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "TELL_SECONDS", 0.0)

    async def test(topics: Topics, shelf: Shelf, _: object) -> None:
        told: list[Any] = []
        topics.announce = told.append
        for player in ("ada", "ben", "ada"):
            topics.changed("games", (player,))
        topics.changed("games", ())
        topics.changed("lobby")
        async with asyncio.timeout(20):
            while not told:
                await asyncio.sleep(0)
        assert told == [{"games": {"ada", "ben"}, "lobby": {hub.ALL}}]

    by_hand(test)


# Over a real socket


async def value_of(talk: Talk, topic: str, **fields: Any) -> Any:
    """Follow a topic; what it is now."""
    answer = await talk.ask("follow", topic=topic, **fields)
    assert answer["type"] == "done", answer
    news = [one for one in talk.heard if one["type"] == "news" and one["topic"] == topic]
    return news[-1]["value"]


async def next_value(talk: Talk, topic: str) -> Any:
    """The next value of a topic."""
    while True:
        news = await talk.until("news")
        if news["topic"] == topic:
            return news["value"]


ROUTES = {
    "lobby": "/rooms",
    "games": "/rooms/mine",
    "friends": "/friends",
    "invitations": "/invitations",
    "profile": "/profile",
    "championships": "/championships",
}
MINE = {"games", "friends", "invitations", "profile"}


def test_everybody_at_every_topic(tmp_path: Path) -> None:
    """Whoever is let in gets what the topic's route answers them; the lobby is a stranger's."""

    async def test(near: Near) -> None:
        owner = await near.guest("Ada")
        await owner.post("/api/v1/rooms", json=ROOM)
        secrets = {
            scope: (await owner.post("/api/v1/tokens", json={"label": scope, "scopes": [scope]})).json()
            for scope in ("read", "play", "social")
        }
        stranger = near.browser()
        league = (await stranger.post("/api/v1/championships/leagues", json={"toml": LEAGUE})).json()["code"]
        roles: dict[str, dict[str, Any]] = {"stranger": {"visitor": True}, "guest": {"visitor": True}}
        roles |= {scope: {"token": made["secret"]} for scope, made in secrets.items()}
        for role, hello in roles.items():
            async with near.socket(owner if role == "guest" else None) as talk:
                assert (await talk.hello(**hello))["player"] == (
                    "" if role == "stranger" else await me(owner)
                )
                for topic in TOPICS:
                    of = {"of": league} if topic == "league" else {}
                    if role == "social" or (role == "stranger" and topic in MINE):
                        refused = await talk.ask("follow", topic=topic, **of)
                        expected = "token_scope" if role == "social" else "no_session"
                        assert refused["error"]["code"] == expected, (role, topic)
                        continue
                    client = owner if topic in MINE else stranger
                    path = f"/championships/leagues/{league}" if topic == "league" else ROUTES[topic]
                    shown = (await client.get(f"/api/v1{path}")).json()
                    assert await value_of(talk, topic, **of) == shown, (role, topic)
                if role == "stranger":
                    for command in ("enter", "sit", "say"):
                        fields: dict[str, Any] = {"seat": 0} if command == "sit" else {}
                        refused = await talk.ask(command, room="abcdef", **fields)
                        assert refused["error"]["code"] == "no_session"
                assert not [one for one in talk.heard if one["type"] == "update"]

    with_server(tmp_path, test)


LEAGUE = 'name = "Winter"\nby = "score"\n'


async def me(browser: httpx.AsyncClient) -> str:
    return str((await browser.get("/api/v1/me")).json()["id"])


def test_what_is_no_topic_is_refused_and_topics_are_counted(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        async with near.socket(await near.guest()) as talk:
            await talk.hello()
            for wrong, place in (
                ({"topic": "gossip"}, "topic"),
                ({}, ""),
                ({"topic": "lobby", "of": 7}, "of"),
            ):
                refused = await talk.ask("follow", **wrong)
                error = refused["error"]
                assert (error["code"], error.get("place", "")) == ("unreadable", place)
            for of, topic in (("x", "lobby"), ("", "league"), ("zzzzzzzz", "league"), ("../x", "league")):
                refused = await talk.ask("follow", topic=topic, of=of)
                assert refused["error"]["code"] == "nothing_to_follow", (topic, of)
            (connection,) = near.container.clients._open
            near.container.clients.topics._of[id(connection)] = {
                ("league", str(number), "") for number in range(MOST_FOLLOWED)
            }
            refused = await talk.ask("follow", topic="lobby")
            assert refused["error"]["code"] == "followed_too_many"
            assert (await talk.ask("unfollow", topic="league", of="0"))["type"] == "done"
            assert (await talk.ask("follow", topic="lobby"))["type"] == "done"
            assert (await talk.ask("unfollow", topic="lobby"))["type"] == "done"

    with_server(tmp_path, test)


def test_guessing_leagues_is_as_dear_as_guessing_rooms(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        async with near.socket() as talk:
            await talk.hello(visitor=True)
            codes = [
                (await talk.ask("follow", topic="league", of=f"zzzzzz{one}{two}"))["error"]["code"]
                for one in "abcdef"
                for two in "abcdefgh"
            ]
            assert codes[0] == "nothing_to_follow"
            assert codes[-1] == "too_many"

    with_server(tmp_path, test, usual=Limits())


def test_what_happens_is_pushed_to_those_it_concerns_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "EVERY", 0.05)

    async def test(near: Near) -> None:
        ada, ben, eve = [await near.guest(name) for name in ("Ada", "Ben", "Eve")]
        profile = (await ben.get("/api/v1/me")).json()["profile"]
        async with near.socket(ben) as talk, near.socket(eve) as other, near.socket() as stranger:
            await talk.hello()
            await other.hello()
            await stranger.hello(visitor=True)
            assert (await value_of(stranger, "lobby"))["open"] == []
            for each in (talk, other):
                for topic in ("games", "friends", "invitations"):
                    await value_of(each, topic)
            room = (await ada.post("/api/v1/rooms", json=ROOM)).json()["room"]
            assert [one["room"] for one in (await next_value(stranger, "lobby"))["open"]] == [room]
            await ada.post("/api/v1/friends", json={"person": profile})
            asks = (await next_value(talk, "friends"))["asks"]
            assert [one["name"] for one in asks] == ["Ada"]
            await ben.post("/api/v1/friends", json={"person": asks[0]["profile"]})
            while not (friends := (await next_value(talk, "friends"))["friends"]):
                pass
            assert friends[0]["person"]["name"] == "Ada"
            await ada.post(f"/api/v1/rooms/{room}/invitations", json={"person": profile})
            (invited,) = await next_value(talk, "invitations")
            assert invited["room"]["room"] == room
            await talk.ask("sit", room=room, seat=1)
            assert await next_value(talk, "invitations") == []
            while (await next_value(stranger, "lobby"))["open"]:
                pass  # no seat is free any more
            heard = [one["topic"] for one in other.heard if one["type"] == "news"]
            await other.ask("ping")
            assert heard == ["games", "friends", "invitations"]
            assert [one["topic"] for one in other.heard if one["type"] == "news"] == heard
            mine = [one["value"] for one in talk.heard if one["type"] == "news" and one["topic"] == "games"]
            assert [room] == [one["room"] for one in (mine[-1]["running"] or await running(talk))]

    with_server(tmp_path, test)


def test_championships_and_leagues_are_pushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "EVERY", 0.05)
    root = "/api/v1/championships"

    async def test(near: Near) -> None:
        host = near.browser()
        league = (await host.post(f"{root}/leagues", json={"toml": LEAGUE})).json()
        async with near.socket() as talk:
            await talk.hello(visitor=True)
            assert await value_of(talk, "championships") == []
            assert (await value_of(talk, "league", of=league["code"]))["events"] == []
            night = {"name": "Night", "by": "Olga", "names": "Ada, Ben, Chi, Dev", "date": "2026-11-16"}
            code = (await host.post(f"{root}/club-night", json=night | {"listed": True})).json()["code"]
            assert [one["code"] for one in await next_value(talk, "championships")] == [code]
            key = {"X-Championship-Key": league["key"]}
            await host.post(f"{root}/leagues/{league['code']}/events", json={"code": code}, headers=key)
            assert [one["code"] for one in (await next_value(talk, "league"))["events"]] == [code]

    with_server(tmp_path, test)


async def running(talk: Talk) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await next_value(talk, "games"))["running"]
    return found


def test_signing_out_ends_it_and_who_does_not_read_is_cut_off(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest()
        async with near.socket(browser) as talk:
            await talk.hello()
            await value_of(talk, "games")
            await browser.post("/api/v1/sign-out")
            assert (await talk.until("bye"))["code"] == "signed_out"
        async with near.socket() as talk:
            await talk.hello(visitor=True)
            await value_of(talk, "lobby")
            (connection,) = near.container.clients._open
            feed = near.container.clients.topics._feeds["lobby", "", ""]
            talk.connection.transport.pause_reading()
            async with asyncio.timeout(20):
                number = 0
                while not connection.is_ending:
                    number += 1
                    big = card(f"r{number}", avatars=("x" * (MOST_QUEUED_BYTES // 8),))
                    feed.value = LobbyCards((big,), ())
                    feed.deliver()
                    await asyncio.sleep(0)
            talk.connection.transport.abort()
        async with asyncio.timeout(20):
            while near.container.clients.topics._of:
                await asyncio.sleep(0.01)

    with_server(tmp_path, test)
