"""Push messages go to public https addresses and nowhere else, whatever a name resolves to."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from meldroom.server.config import PushPolicy
from meldroom.server.push.delivery import deliver
from meldroom.server.push.endpoint import EndpointError, addresses_of, parse_endpoint
from tests.server.push.push_service import CERTIFICATE, push_service

PUBLIC = PushPolicy()
HERE = PushPolicy(plain_http=True, private_addresses=True)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/a",
        "ftp://push.example/a",
        "https:///a",
        "https://push.example:8443/a",
        "https://push.example:99999/a",
        "https://ada@push.example/a",
        "https://push.example/a#b",
        "https://push.example/a b",
        "https://push.example/a\r\nHost: other",
        "https://127.0.0.1/a",
        "https://10.1.2.3/a",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/a",
        "https://0.0.0.0/a",
        "https://[::1]/a",
        "https://[::ffff:127.0.0.1]/a",
        "https://[fe80::1]/a",
        "https://[fc00::1]/a",
        "https://[64:ff9b::7f00:1]/a",
        "https://[2002:7f00:1::]/a",
        "https://[::1/a",
    ],
)
def test_an_endpoint_that_no_push_service_has_is_refused(endpoint: str) -> None:
    with pytest.raises(EndpointError):
        parse_endpoint(endpoint, PUBLIC)


@pytest.mark.parametrize(
    "endpoint", ["https://push.example/a?b=c", "https://push.example:443/a", "https://9.9.9.9/"]
)
def test_an_endpoint_of_a_push_service_is_taken(endpoint: str) -> None:
    assert parse_endpoint(endpoint, PUBLIC).hostname


@pytest.mark.parametrize(
    "found", [["127.0.0.1"], ["9.9.9.9", "192.168.0.5"], ["::1"], ["::ffff:10.0.0.1"], ["fe80::1%eth0"]]
)
def test_a_name_with_one_private_address_is_refused(
    found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolve(host: str, port: int, **_: Any) -> list[tuple[Any, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(EndpointError):
        addresses_of(parse_endpoint("https://push.example/a", PUBLIC), PUBLIC)
    with pytest.raises(EndpointError):
        deliver("https://push.example/a", {}, b"", PUBLIC)


def test_a_certificate_nobody_vouches_for_is_refused_and_a_known_one_is_not() -> None:
    async def run() -> None:
        async with push_service(https=True) as service:
            address = f"{service.address}/push/1"
            with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
                await asyncio.to_thread(deliver, address, {}, b"x", PushPolicy(private_addresses=True))
            assert service.messages.empty()
            known = PushPolicy(private_addresses=True, certificate=CERTIFICATE / "certificate.pem")
            reply = await asyncio.to_thread(deliver, address, {"TTL": "5"}, b"body", known)
            assert reply.status == 201
            got = await service.next()
            assert (got.path, got.body, got.headers["ttl"]) == ("/push/1", b"body", "5")

    asyncio.run(run())


def test_redirects_are_answers_and_not_followed() -> None:
    async def run() -> None:
        async with push_service() as service:
            service.statuses = [307]
            reply = await asyncio.to_thread(deliver, f"{service.address}/a", {}, b"", HERE)
            assert reply.status == 307
            assert (await service.next()).path == "/a"
            assert service.messages.empty()

    asyncio.run(run())


def test_a_service_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    async def run() -> None:
        async with push_service() as service:
            service.silent = True
            began = time.monotonic()
            with pytest.raises(TimeoutError):
                await asyncio.to_thread(deliver, f"{service.address}/a", {}, b"", HERE, 0.3)
            assert time.monotonic() - began < 10

    asyncio.run(run())


def test_what_is_not_http_is_a_failure() -> None:
    async def run() -> None:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"SSH-2.0-hello\r\n\r\n")
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(OSError, match="not an HTTP answer"):
                await asyncio.to_thread(deliver, f"http://127.0.0.1:{port}/", {}, b"", HERE)

    asyncio.run(run())
