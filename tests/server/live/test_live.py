"""One socket a client: hello, order, refusals with a sentence, limits, and the end of a connection."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import websockets

from meldroom.rooms.errors import TRY_AGAIN, StorageError
from meldroom.rooms.rate_limit import Allowance
from meldroom.server.config import Limits
from meldroom.server.live import clients as live_clients
from meldroom.server.live import socket
from meldroom.server.live.connection import MOST_QUEUED_BYTES
from meldroom.server.storage import SqlStore
from tests.server.api.near import Near, Talk, with_server

ROOM = {"settings": {"book": "wrc11"}, "chairs": ["me", "open"]}


async def ended(talk: Talk) -> tuple[dict[str, Any] | None, int]:
    """The goodbye, if one came, and the code with which the connection was closed."""
    goodbye = None
    try:
        while True:
            message = await talk.hear()
            if message["type"] == "bye":
                goodbye = message
    except websockets.ConnectionClosed as closed:
        return goodbye, closed.rcvd.code if closed.rcvd else 1006


def test_hello_comes_first_and_says_who_one_is(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest("Ada")
        async with near.socket(browser) as talk:
            early = await talk.ask("ping")
            assert early["error"]["code"] == "hello_first"
            for version in (1, 99):
                other = await talk.hello(version=version)
                assert (other["error"]["code"], other["error"]["place"]) == ("version", "version")
            welcome = await talk.hello(language="fr")
            assert welcome["type"] == "welcome"
            assert (welcome["version"], welcome["name"]) == (2, "Ada")
            assert welcome["player"] == (await browser.get("/api/v1/me")).json()["id"]
            pong = await talk.ask("ping")
            assert pong["type"] == "done"
            assert pong["now"] >= welcome["now"]
            refused = await talk.ask("enter", room="zzzzzz")
            assert refused["type"] == "refused"

    with_server(tmp_path, test)


def test_without_a_session_or_with_a_forged_one_nobody_is_welcomed(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        async with near.socket() as talk:
            assert (await talk.hello())["error"]["code"] == "no_session"
            assert (await talk.hello(token="meld_forged"))["error"]["code"] == "bad_token"
        async with near.socket(cookie="meldroom_session=forged") as talk:
            refused = await talk.hello(language="fr")
            assert refused["error"]["message"].startswith("Vous n’avez pas encore de session")
            assert (await talk.ask("enter", room="abcdef"))["error"]["code"] == "hello_first"

    with_server(tmp_path, test)


@pytest.mark.parametrize("proof", ["cookie", "handshake", "hello"])
def test_while_the_database_is_away_one_is_told_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proof: str
) -> None:
    """Not that the session is gone: a client would get itself another one, and lose its seat."""

    async def away(*_: object) -> None:
        raise StorageError("locked", path="x")

    async def test(near: Near) -> None:
        owner = await near.guest("Ada")
        secret = (await owner.post("/api/v1/tokens", json={"label": "bot"})).json()["secret"]
        headers = {"authorization": f"Bearer {secret}"} if proof == "handshake" else {}
        token = {"token": secret} if proof == "hello" else {}
        with monkeypatch.context() as outage:
            outage.setattr(SqlStore, "read", away)
            async with near.socket(owner if proof == "cookie" else None, **headers) as talk:
                for _ in range(2):
                    error = (await talk.hello(**token))["error"]
                    assert (error["code"], error["retry_ms"]) == ("storage", TRY_AGAIN)
                outage.undo()
                assert (await talk.hello(**token))["name"] == "Ada"
                assert (await talk.ask("ping"))["type"] == "done"

    with_server(tmp_path, test)


def test_a_session_that_ends_between_handshake_and_hello_is_not_welcomed(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest("Ada")
        async with near.socket(browser) as talk:
            assert (await browser.post("/api/v1/sign-out")).status_code == 204
            assert (await talk.hello())["error"]["code"] == "no_session"

    with_server(tmp_path, test)


def test_a_token_serves_in_hello_and_in_the_handshake(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        owner = await near.guest("Ada")
        token = (await owner.post("/api/v1/tokens", json={"label": "bot"})).json()
        async with near.socket() as talk:
            assert (await talk.hello(token=token["secret"]))["name"] == "Ada"
        async with near.socket(authorization=f"Bearer {token['secret']}") as talk:
            assert (await talk.hello())["name"] == "Ada"
            await owner.delete(f"/api/v1/tokens/{token['id']}")
            goodbye, code = await ended(talk)
            assert goodbye is not None
            assert (goodbye["code"], code) == ("signed_out", 4001)

    with_server(tmp_path, test)


BAD_FRAMES: list[tuple[str | bytes, str, str]] = [
    ("", "", ""),
    ("{", "", ""),
    ("hello", "", ""),
    ("[]", "", ""),
    ("null", "", ""),
    ("[" * 5000, "", ""),
    ('{"a":' * 3000, "", ""),
    ("{}", "", ""),
    ('{"do": "dance", "id": "a"}', "a", "do"),
    ('{"do": 7, "id": "a"}', "a", "do"),
    ('{"do": "ping"}', "", ""),
    ('{"do": "ping", "id": ""}', "", "id"),
    ('{"do": "ping", "id": 7}', "", "id"),
    ('{"do": "enter", "id": "a"}', "a", ""),
    ('{"do": "enter", "id": "a", "room": "../x"}', "a", "room"),
    ('{"do": "sit", "id": "a", "room": "abcdef", "seat": "first"}', "a", "seat"),
    ('{"do": "act", "id": "a", "room": "abcdef", "rev": 1, "action": {"action": "x"}}', "a", "action.action"),
    ('{"do": "act", "id": "a", "room": "abcdef", "rev": 1, "action": {"action": "lay", "seat": 0, '
     '"table": [[1, "x"]]}}', "a", "action.table[0][1]"),
    ('{"do": "say", "id": "a", "room": "abcdef", "text": "' + "x" * 301 + '"}', "a", "text"),
    ('{"do": "say", "id": "a", "room": "abcdef", "text": "\\ud800"}', "", ""),
    (b"\x00\x01\x02", "", ""),
]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_cannot_be_read_is_refused_with_its_place(tmp_path: Path, language: str) -> None:
    async def test(near: Near) -> None:
        async with near.socket(await near.guest()) as talk:
            await talk.hello(language=language)
            for frame, name, place in BAD_FRAMES:
                await talk.say(frame)
                refused = await talk.hear()
                assert refused["type"] == "refused", frame[:60]
                assert (refused["id"], refused["error"].get("place", "")) == (name, place), frame[:60]
                assert len(refused["error"]["message"]) > 8
            assert (await talk.ask("ping"))["type"] == "done"

    with_server(tmp_path, test)


def test_too_many_unreadable_frames_end_the_connection(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        async with near.socket(await near.guest()) as talk:
            await talk.hello()
            for _ in range(socket.MOST_UNREADABLE):
                await talk.say("{")
            goodbye, code = await ended(talk)
            assert goodbye is not None
            assert (goodbye["code"], code) == ("too_many_faults", 1008)

    with_server(tmp_path, test)


def test_a_frame_that_is_too_large_closes_the_connection(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest()
        async with near.socket(browser) as talk:
            await talk.hello()
            await talk.say('{"do": "ping", "id": "' + "x" * 20_000 + '"}')
            assert (await ended(talk))[1] == 1009
        async with near.socket(browser) as talk:
            assert (await talk.hello())["type"] == "welcome"

    with_server(tmp_path, test)


def test_a_flood_is_refused_then_cut_off_and_nobody_else_notices(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        async with near.socket(await near.guest()) as calm, near.socket(await near.guest("Eve")) as talk:
            await calm.hello()
            await talk.hello()
            for number in range(socket.MOST_REFUSED + 20):
                await talk.say(json.dumps({"do": "ping", "id": str(number)}))
            goodbye, code = await ended(talk)
            assert goodbye is not None
            assert (goodbye["code"], code) == ("flood", 1008)
            refused = [one for one in talk.heard if one["type"] == "refused"]
            assert {one["error"]["code"] for one in refused} == {"too_many"}
            assert all(one["error"]["retry_ms"] > 0 for one in refused)
            assert (await calm.ask("ping"))["type"] == "done"

    with_server(tmp_path, test, usual=Limits(messages_of_client=Allowance(5, 0.01)))


def test_two_connections_of_one_player_share_the_allowance(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest()
        async with near.socket(browser) as one, near.socket(browser) as other:
            await one.hello()
            await other.hello()
            kinds = [(await talk.ask("ping"))["type"] for _ in range(5) for talk in (one, other)]
            assert kinds == ["done"] * 6 + ["refused"] * 4

    with_server(tmp_path, test, usual=Limits(messages_of_client=Allowance(6, 0.0001)))


def test_another_site_cannot_open_a_socket(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest()
        for origin in ("https://evil.example", "null", near.url.replace("http", "https")):
            with pytest.raises(websockets.InvalidStatus) as refused:
                async with near.socket(browser, origin=origin):
                    raise AssertionError("it was let in")
            assert refused.value.response.status_code == 403
        async with near.socket(browser, origin=near.url) as talk:
            assert (await talk.hello())["type"] == "welcome"

    with_server(tmp_path, test)


def test_only_so_many_sockets_an_address(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest()
        async with near.socket(browser), near.socket(browser):
            with pytest.raises(websockets.InvalidStatus):
                async with near.socket(browser):
                    raise AssertionError("it was let in")
        async with asyncio.timeout(20):
            while near.container.clients.count:
                await asyncio.sleep(0.01)
        async with near.socket(browser) as talk:
            assert (await talk.hello())["type"] == "welcome"

    with_server(tmp_path, test, usual=Limits(clients_of_address=2))


def test_who_never_says_hello_is_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_clients, "HELLO_SECONDS", 0)
    monkeypatch.setattr(live_clients, "SWEEP_SECONDS", 0.02)

    async def test(near: Near) -> None:
        async with near.socket(await near.guest()) as talk:
            goodbye, _ = await ended(talk)
            assert goodbye is not None
            assert goodbye["code"] == "hello_late"

    with_server(tmp_path, test)


def test_who_falls_silent_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_clients, "SWEEP_SECONDS", 0.02)

    async def test(near: Near) -> None:
        async with near.socket(await near.guest()) as talk:
            await talk.hello()
            (connection,) = near.container.clients._open
            connection.heard_at -= live_clients.IDLE_MINUTES * 60
            goodbye, code = await ended(talk)
            assert goodbye is not None
            assert (goodbye["code"], code) == ("idle", 4002)

    with_server(tmp_path, test)


def test_a_client_that_does_not_read_is_cut_off(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        async with near.socket(await near.guest()) as talk:
            await talk.hello()
            (connection,) = near.container.clients._open
            talk.connection.transport.pause_reading()
            async with asyncio.timeout(20):
                while not connection.is_ending:
                    connection.send(b"x" * (MOST_QUEUED_BYTES // 8))
                    await asyncio.sleep(0)
                while near.container.clients.count:
                    await asyncio.sleep(0.01)
            assert near.container.counters.cuts == {"too_slow": 1}
            talk.connection.transport.abort()

    with_server(tmp_path, test)


def test_the_server_says_goodbye_when_it_stops(tmp_path: Path) -> None:
    heard: list[asyncio.Task[tuple[dict[str, Any] | None, int]]] = []

    async def test(near: Near) -> None:
        browser = await near.guest()
        socket = near.socket(browser)
        talk = await socket.__aenter__()
        await talk.hello(language="fr")
        heard.append(asyncio.create_task(ended(talk)))
        near.container.clients.sign_out(session="somebody else's")
        await near.container.clients.close()
        goodbye, code = await heard[0]
        assert goodbye is not None
        assert (goodbye["code"], code) == ("shutting_down", 1012)
        assert "redémarre" in goodbye["message"]
        await socket.__aexit__(None, None, None)

    with_server(tmp_path, test)


def test_signing_out_ends_the_sockets_of_that_session(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser, other = await near.guest("Ada"), await near.guest("Bo")
        async with near.socket(browser) as talk, near.socket(other) as stays:
            await talk.hello()
            await stays.hello()
            await browser.post("/api/v1/sign-out")
            goodbye, _ = await ended(talk)
            assert goodbye is not None
            assert goodbye["code"] == "signed_out"
            assert (await stays.ask("ping"))["type"] == "done"

    with_server(tmp_path, test)


def test_a_guest_who_makes_an_account_stays_connected_until_they_sign_out(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest("Ada")
        async with near.socket(browser) as talk:
            await talk.hello()
            made = await browser.post("/api/v1/account", json={"account": "ada", "password": "correct horse"})
            assert made.status_code == 201
            assert (await talk.ask("ping"))["type"] == "done"
            await browser.post("/api/v1/sign-out")
            goodbye, _ = await ended(talk)
            assert goodbye is not None
            assert goodbye["code"] == "signed_out"

    with_server(tmp_path, test)
