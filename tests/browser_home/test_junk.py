"""Whatever a page sends: a refusal in the public shape, and nothing has changed."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from meldroom.browser.home import Home
from meldroom.rooms.protocol.commands import VERSION
from tests.browser_home.js_store import MemoryJsStore
from tests.browser_home.tab import Tab

PARTS = (
    *("me", "rooms", "mine", "games", "records", "position", "check", "books", "wrc11", "page", "against"),
    *("storage", "session", "catalogue", "referee", "count", "steps", "1.svg", "record", "best", "", ".."),
)
METHODS = ("GET", "POST", "PATCH", "PUT", "", "FETCH")  # DELETE deletes: see test_keeping.py
DO = (
    *(
        "hello",
        "ping",
        "enter",
        "leave",
        "sit",
        "claim",
        "stand_up",
        "seat_bot",
        "clear_seat",
        "begin",
        "act",
    ),
    *(
        "draft",
        "extra_time",
        "hint",
        "playable",
        "odds",
        "take_back",
        "agree",
        "stand_in",
        "reclaim",
        "say",
        "dance",
    ),
)
FIELDS = (
    *("id", "room", "rev", "seat", "level", "action", "text", "phrase", "key", "step", "version"),
    *("language", "table", "since", "to"),
)
QUERIES = ("seat=9", "language=fr&seat=x", "text=%ff&book=", "dark=2", "language=xx")

junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
fields = st.dictionaries(
    st.sampled_from(
        (
            "id",
            "room",
            "rev",
            "seat",
            "level",
            "action",
            "text",
            "phrase",
            "key",
            "step",
            "version",
            "language",
        )
    ),
    junk | st.sampled_from(("abcd", "nowhere", 1, "en")),
)
frames = st.one_of(
    st.text(),
    st.binary().map(lambda data: data.decode("latin-1")),
    junk.map(json.dumps),
    st.builds(
        lambda do, name, more: json.dumps({**more, "do": do, "id": name}),
        st.sampled_from(DO),
        st.text(max_size=50),
        fields,
    ),
    st.integers(),
    st.none(),
    st.binary(),
)
paths = st.lists(st.sampled_from(PARTS) | st.text(max_size=8), max_size=5).map(
    lambda parts: "/" + "/".join(parts)
)


def kept(store: MemoryJsStore) -> tuple[Any, ...]:
    """Everything that lasts."""
    return (dict(store.logs), dict(store.room_cards), dict(store.games), dict(store.values))


@settings(max_examples=150)
@given(
    method=st.sampled_from(METHODS),
    path=paths,
    query=st.text(max_size=30)
    | st.sampled_from(("seat=9", "language=fr&seat=x", "text=%ff&book=", "dark=2")),
    body=st.none() | st.binary() | junk.map(lambda value: json.dumps(value).encode()),
)
def test_a_request_is_answered_or_refused_whatever_it_is(
    method: str, path: str, query: str, body: bytes | None
) -> None:
    async def run() -> None:
        tab = await Tab.open(MemoryJsStore())
        before = kept(tab.store)
        status, headers, answer = await tab.home.request(method, path, query, body)
        assert status != 500
        if status >= 400:
            assert headers["Content-Type"] == "application/json"
            error = json.loads(answer)["error"]
            assert error["code"]
            assert error["message"]
            assert kept(tab.store) == before
        await tab.close()

    asyncio.run(run())


@settings(max_examples=60)
@given(sent=st.lists(frames, max_size=8))
def test_a_frame_is_answered_or_refused_whatever_it_is(sent: list[Any]) -> None:
    async def run() -> None:
        store = MemoryJsStore()
        tab = await Tab.guest(store)
        before = kept(store)
        answered = len(tab.frames)
        for frame in sent:
            tab.connection.receive(frame)
        await tab.next(lambda: len(tab.frames) - answered >= len(sent))
        for text in tab.frames[answered:]:
            assert json.loads(text)["type"] in ("refused", "done", "welcome")
        assert kept(store) == before
        assert (await tab.do("ping"))["type"] == "done"  # It still listens.
        await tab.close()

    asyncio.run(run())


def test_nobody_plays_before_hello_or_without_a_session() -> None:
    async def run() -> None:
        tab = await Tab.open()
        assert (await tab.do("ping"))["error"]["code"] == "hello_first"
        assert (await tab.do("hello", version=VERSION))["error"]["code"] == "no_session"
        assert (await tab.do("hello", version=VERSION + 1))["error"]["code"] == "version"
        await tab.ask("POST", "/session", {"name": "Ada"})
        welcome = await tab.do("hello", version=VERSION)
        assert (welcome["type"], welcome["name"]) == ("welcome", "Ada")
        tab.connection.receive(b"bytes")
        await tab.next(lambda: any('"binary"' in text for text in tab.frames))
        await tab.close()

    asyncio.run(run())


def test_a_page_that_cannot_hear_does_not_stop_the_game() -> None:
    async def run() -> None:
        tab = await Tab.guest()

        def deaf(text: str) -> None:
            raise RuntimeError("the page is gone")

        home: Home = tab.home
        other = home.connect(deaf)
        room = await tab.play()
        for do in ("hello", "enter"):
            other.receive(json.dumps({"do": do, "id": do, "version": VERSION, "room": room}))
        await tab.finish(room, "wrc11")
        other.close()
        other.close()
        await tab.close()

    asyncio.run(run())


def test_a_bot_that_fails_does_not_stop_the_game(monkeypatch: Any) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RecursionError("a bot lost its head")

    monkeypatch.setattr("meldroom.rooms.worker.worker.make_bot", broken)

    async def run() -> None:
        tab = await Tab.guest()
        room = await tab.play("tml")
        await tab.finish(room, "tml", "club")
        await tab.close()

    asyncio.run(run())
