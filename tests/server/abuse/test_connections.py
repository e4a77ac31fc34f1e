"""Connections of strangers: how many, how long they may be silent, and what they leave behind."""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldroom.server.championships.runtime.live import Championships
from meldroom.server.config import Limits
from meldroom.server.web import http_protocol
from meldroom.server.web.asgi import PIECE, network_of, respond
from meldroom.server.web.http_protocol import Connections, OnceAMinute, allow_many_files
from tests.server.api.near import Near, with_server

STRANGER = "127.0.0.2"
POST = b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs a second address of this machine")


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits ten seconds in a test."""
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(http_protocol, "BODY_SECONDS", 0.3)
    monkeypatch.setattr(http_protocol, "STALLED_SECONDS", 0.3)


async def connect(near: Near) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection from a stranger's address."""
    host, port = near.url.removeprefix("http://").split(":")
    return await asyncio.open_connection(host, int(port), local_addr=(STRANGER, 0))


async def rest(reader: asyncio.StreamReader) -> bytes:
    """Everything until the server closes the connection; it must."""
    with suppress(ConnectionError):
        return await asyncio.wait_for(reader.read(), 20)
    return b""


@linux_only
@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        POST + b"Content-Length: 50\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_whoever_does_not_finish_a_request_is_dropped(tmp_path: Path, said: bytes) -> None:
    async def test(near: Near) -> None:
        reader, writer = await connect(near)
        writer.write(said)
        assert await rest(reader) == b""
        writer.close()

    with_server(tmp_path, test)


@linux_only
def test_one_address_cannot_take_every_connection(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        held = [await connect(near) for _ in range(12)]
        turned_away = [asyncio.create_task(rest(reader)) for reader, _ in held[5:]]
        assert await asyncio.gather(*turned_away) == [b""] * 7
        assert (await near.browser().get("/healthz")).text == "ok\n"
        for _, writer in held:
            writer.close()
        for reader, _ in held[:5]:
            await rest(reader)
        reader, writer = await connect(near)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert (await rest(reader)).endswith(b"ok\n")
        writer.close()

    with_server(tmp_path, test, usual=Limits(connections_of_address=5))


def test_a_proxy_is_not_counted_but_the_whole_is() -> None:
    connections = Connections(4, 2, "127.0.0.1, 10.0.0.1")
    assert [connections.take("127.0.0.1") for _ in range(3)] == [True] * 3
    assert connections.take("192.0.2.1")
    assert not connections.take("192.0.2.2")
    connections.free("127.0.0.1")
    assert connections.take("2001:db8::1")
    connections.free("192.0.2.1")
    assert connections.take("2001:db8::2")
    connections.free("127.0.0.1")
    assert not connections.take("2001:db8::3")
    assert connections.take("2001:db8:0:1::3")


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=60))
def test_connections_are_counted_exactly(steps: list[tuple[int, bool]]) -> None:
    connections, held = Connections(6, 3), list[str]()
    for number, ends in steps:
        address = f"192.0.2.{number}"
        if ends and address in held:
            held.remove(address)
            connections.free(address)
        elif not ends:
            room = len(held) < 6 and held.count(address) < 3
            assert connections.take(address) == room
            held += [address] * room
    assert connections.count == len(held)


def test_limits_count_a_subscriber_of_ipv6_once() -> None:
    assert network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert network_of("2001:db8:1:3::9") != network_of("2001:db8:1:2::9")
    assert network_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert network_of("fe80::1%eth0") == "fe80::/64"
    assert network_of("not:an:address") == "not:an:address"


@linux_only
def test_a_body_of_two_lengths_closes_the_connection(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        reader, writer = await connect(near)
        writer.write(
            POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
            b"GET /healthz HTTP/1.1\r\n\r\n"
        )
        answered = await rest(reader)
        assert answered.startswith(b"HTTP/1.1 400 ")
        assert answered.count(b"HTTP/1.1") == 1
        assert b"connection: close" in answered.lower()
        writer.close()

    with_server(tmp_path, test)


@linux_only
def test_a_large_body_that_is_refused_is_not_read(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        reader, writer = await connect(near)
        head = b"POST /api/v1/championships/adopt HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        writer.write(head + b"Content-Length: 9000000\r\n\r\n" + b"[" * 100_000)
        answer = await rest(reader)
        assert answer.startswith(b"HTTP/1.1 413")
        assert b"connection: close" in answer.lower()
        writer.close()

    with_server(tmp_path, test)


def test_a_file_is_handed_over_in_pieces() -> None:
    async def run(size: int) -> list[int]:
        sent: list[bytes] = []

        async def send(message: object) -> None:
            assert isinstance(message, dict)
            if message["type"] == "http.response.body":
                sent.append(message["body"])
                last.append(not message.get("more_body", False))

        last: list[bool] = []
        body = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
        await respond(send, 200, body, [])
        assert b"".join(sent) == body
        assert last == [False] * (len(last) - 1) + [True]
        return [len(piece) for piece in sent]

    for size in (0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + 5):
        assert max(asyncio.run(run(size))) <= PIECE


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_the_limit_of_open_files_is_raised() -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        assert allow_many_files(300) == 300
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, hard)
        assert allow_many_files(200) == 200
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_log_says_the_same_once_a_minute() -> None:
    now = [0.0]
    once = OnceAMinute(lambda: now[0])

    def says(text: str) -> bool:
        return once.filter(logging.LogRecord("asyncio", logging.ERROR, "", 1, text, (), None))

    assert [says("no more files"), says("no more files"), says("another")] == [True, False, True]
    now[0] = 61.0
    assert says("no more files")


def test_championships_that_nobody_uses_are_closed(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        codes = []
        for number in range(3):
            new = {"name": f"Cup {number}", "by": "B", "date": "2026-11-15"}
            codes.append((await browser.post("/api/v1/championships", json=new)).json()["code"])
            assert (await browser.get(f"/api/v1/championships/{codes[-1]}")).status_code == 200
        championships: Championships = near.container.championships
        assert championships.open_count == 3
        waiting = asyncio.create_task(
            browser.get(f"/api/v1/championships/{codes[0]}/changes?since=9&wait=20")
        )
        while (await championships.championship(codes[0])).is_idle:
            await asyncio.sleep(0.01)
        await championships.close_idle(600)
        assert championships.open_count == 3
        await championships.close_idle(0)
        assert championships.open_count == 1
        together = await asyncio.gather(*(browser.get(f"/api/v1/championships/{codes[1]}") for _ in range(5)))
        assert [one.json()["name"] for one in together] == ["Cup 1"] * 5
        championships.let_go()
        assert (await waiting).status_code == 200

    with_server(tmp_path, test)
