"""A push service and a browser on this machine: it takes messages over HTTP or HTTPS and decrypts them."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from meldroom.server.push.encryption import from_base64url, to_base64url

CERTIFICATE = Path(__file__).resolve().parents[1] / "api" / "certificate"
SECONDS = 20.0


class Browser:
    """The keys of one subscribed browser."""

    def __init__(self, private: ec.EllipticCurvePrivateKey | None = None, auth: bytes = b"0123456789abcdef"):
        self.private = private or ec.generate_private_key(ec.SECP256R1())
        self.auth = auth
        self.point: bytes = self.private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )

    def subscription(self, endpoint: str) -> dict[str, Any]:
        """What the browser hands to the page, and the page to the server."""
        keys = {"p256dh": to_base64url(self.point), "auth": to_base64url(self.auth)}
        return {"endpoint": endpoint, "keys": keys}

    def decrypt(self, body: bytes) -> bytes:
        """A message as the browser reads it (RFC 8291, one record)."""
        salt, rest = body[:16], body[21:]
        assert int.from_bytes(body[16:20], "big") >= len(rest)
        point, sealed = rest[: body[20]], rest[body[20] :]
        sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        secret = self.private.exchange(ec.ECDH(), sender)
        shared = derive(secret, self.auth, b"WebPush: info\0" + self.point + point, 32)
        key = derive(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(shared, salt, b"Content-Encoding: nonce\0", 12)
        padded: bytes = AESGCM(key).decrypt(nonce, sealed, None)
        text = padded.rstrip(b"\0")
        assert text.endswith(b"\x02"), "the last record"
        return text[:-1]


def derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """HKDF with SHA-256."""
    derived: bytes = HKDF(hashes.SHA256(), length, salt, info).derive(secret)
    return derived


class Received(msgspec.Struct, frozen=True):
    """A message as it arrived."""

    path: str
    headers: dict[str, str]
    body: bytes

    def claims(self) -> dict[str, Any]:
        """Who says to have sent it; the signature is checked. Raises InvalidSignature."""
        scheme, _, rest = self.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        fields = dict(part.strip().split("=", 1) for part in rest.split(","))
        text, _, signature = fields["t"].rpartition(".")
        raw = from_base64url(signature)
        r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        point = from_base64url(fields["k"])
        signer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        signer.verify(encode_dss_signature(r, s), text.encode(), ec.ECDSA(hashes.SHA256()))
        claims: dict[str, Any] = msgspec.json.decode(from_base64url(text.partition(".")[2]))
        return claims


class PushService:
    """Takes messages and answers with the next of `statuses`, then 201."""

    def __init__(self) -> None:
        self.address = ""
        self.statuses: list[int] = []
        self.silent = False
        self.messages: asyncio.Queue[Received] = asyncio.Queue()
        self._serving: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def next(self) -> Received:
        """The next message."""
        async with asyncio.timeout(SECONDS):
            return await self.messages.get()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Noted before its task begins: a task that is cancelled sooner would end nothing.
        self._serving[asyncio.create_task(self._serve(reader, writer))] = writer

    async def close(self) -> None:
        """End what is under way."""
        for task, writer in self._serving.items():
            task.cancel()
            writer.close()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.strip().split("\r\n")
            headers = {
                name.lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)
            }
            body = await reader.readexactly(int(headers["content-length"]))
            self.messages.put_nowait(Received(first.split(" ")[1], headers, body))
            if self.silent:
                await reader.read()
                return
            status = self.statuses.pop(0) if self.statuses else 201
            writer.write(
                f"HTTP/1.1 {status} Said\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".encode()
            )
            await writer.drain()
        finally:
            writer.close()


@asynccontextmanager
async def push_service(*, https: bool = False) -> AsyncIterator[PushService]:
    """A push service that runs."""
    service = PushService()
    context = None
    if https:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE / "certificate.pem", CERTIFICATE / "key.pem")
    server = await asyncio.start_server(service._accept, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    service.address = f"{'https' if https else 'http'}://127.0.0.1:{port}"
    try:
        yield service
    finally:
        server.close()
        await service.close()


__all__ = ["Browser", "InvalidSignature", "PushService", "Received", "push_service"]
