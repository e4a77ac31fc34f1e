"""Messages that only the subscribed browser can read (RFC 8291), signed as ours (VAPID, RFC 8292).

`cryptography` does the arithmetic and is loaded when the first message is made.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

POINT_BYTES = 65
AUTH_BYTES = 16
RECORD_BYTES = 4_096
PADDED_TO = 512
"""Every message has the same length, so that it says nothing."""
TOKEN_SECONDS = 12 * 3600


class BadKeyError(ValueError):
    """These are no keys of a subscription."""


class BrowserKeys(msgspec.Struct, frozen=True):
    """The keys of a subscription: a point of P-256, and a shared secret."""

    p256dh: bytes
    auth: bytes

    @classmethod
    def parse(cls, p256dh: str, auth: str) -> BrowserKeys:
        """The keys as base64url, with or without padding. Raises BadKeyError."""
        from cryptography.hazmat.primitives.asymmetric import ec

        keys = cls(from_base64url(p256dh), from_base64url(auth))
        if len(keys.p256dh) != POINT_BYTES or len(keys.auth) != AUTH_BYTES:
            raise BadKeyError
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), keys.p256dh)
        except ValueError:
            raise BadKeyError from None
        return keys


class SigningKey:
    """The server's own key pair. The private half is stored and never shown."""

    def __init__(self, private: str) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        number = int.from_bytes(from_base64url(private), "big")
        self._key: EllipticCurvePrivateKey = ec.derive_private_key(number, ec.SECP256R1())

    @staticmethod
    def generate() -> str:
        """A fresh private key, as text to store."""
        from cryptography.hazmat.primitives.asymmetric import ec

        number: int = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        return to_base64url(number.to_bytes(32, "big"))

    @property
    def public(self) -> str:
        """The public key, base64url."""
        return to_base64url(_point(self._key))

    def authorization(self, audience: str, subject: str, now: int) -> str:
        """The Authorization header for a push service. `audience` is its origin, `now` in seconds."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

        claims = {"aud": audience, "exp": now + TOKEN_SECONDS, "sub": subject}
        parts = ({"typ": "JWT", "alg": "ES256"}, claims)
        text = ".".join(to_base64url(msgspec.json.encode(part)) for part in parts)
        r, s = decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        signature = to_base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={text}.{signature}, k={self.public}"


def encrypt(
    text: bytes,
    keys: BrowserKeys,
    *,
    own: EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
    padded_to: int = PADDED_TO,
) -> bytes:
    """The body of a push message. `own` and `salt` are fresh unless a test gives those of an example."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    browser = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), keys.p256dh)
    own = ec.generate_private_key(ec.SECP256R1()) if own is None else own
    salt = secrets.token_bytes(16) if salt is None else salt
    point = _point(own)
    shared = _hkdf(own.exchange(ec.ECDH(), browser), keys.auth, b"WebPush: info\0" + keys.p256dh + point, 32)
    key = _hkdf(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _hkdf(shared, salt, b"Content-Encoding: nonce\0", 12)
    padded = (text + b"\x02").ljust(padded_to, b"\0")
    sealed: bytes = AESGCM(key).encrypt(nonce, padded, None)
    return salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(point)]) + point + sealed


def _point(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point: bytes = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return point


def _hkdf(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    derived: bytes = HKDF(hashes.SHA256(), length, salt, info).derive(secret)
    return derived


def to_base64url(data: bytes) -> str:
    """Bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """The bytes of base64url, with or without padding. Raises BadKeyError."""
    try:
        bare = text.rstrip("=").encode("ascii")
        return base64.b64decode(bare + b"=" * (-len(bare) % 4), altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise BadKeyError from None
