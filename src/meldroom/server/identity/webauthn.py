"""WebAuthn: what a browser's answer with a passkey must say to be believed.

Attestation is not asked for: which make of device somebody uses is none of our business. So the browser hands
over the public key itself, and nothing but client data and authenticator data has to be taken apart.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import msgspec

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
"""Flags of authenticator data: somebody was there, and proved who they are; a credential follows."""
HEAD = 37
"""Bytes before the credential: the site's hash, the flags, the counter."""
SMALLEST_RSA = 2048

Ceremony = Literal["webauthn.create", "webauthn.get"]


class PasskeyError(Exception):
    """An answer that proves nothing; the text is for the log, and tells strangers nothing."""


class ClientData(msgspec.Struct, frozen=True):
    """What the browser signed besides: for which site, and which challenge it answers."""

    type: str
    challenge: str
    origin: str
    crossOrigin: bool = False  # noqa: N815  (the name in the standard)


class AuthenticatorData(msgspec.Struct, frozen=True):
    """What the device signed: for which site, that somebody was there, and how often it has signed."""

    site_hash: bytes
    flags: int
    uses: int
    credential: bytes


def site_of(origin: str) -> str:
    """The id of a site: the host of its origin."""
    return urlsplit(origin).hostname or ""


def encode(data: bytes) -> str:
    """Bytes as base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Bytes from base64url without padding. Raises PasskeyError."""
    try:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise PasskeyError("not base64url") from None
    if encode(data) != text:
        raise PasskeyError("not base64url as browsers write it")
    return data


def check_client_data(raw: bytes, ceremony: Ceremony, origin: str) -> str:
    """The challenge that the browser answers, for this site and this purpose. Raises PasskeyError."""
    try:
        data = msgspec.json.decode(raw, type=ClientData)
    except msgspec.DecodeError as error:
        raise PasskeyError(f"client data: {error}") from None
    if data.type != ceremony:
        raise PasskeyError(f"made for {data.type!r}")
    if not origin or data.origin != origin:
        raise PasskeyError(f"made at {data.origin!r}")
    if data.crossOrigin:
        raise PasskeyError("made in a frame of another site")
    return data.challenge


def check_authenticator_data(raw: bytes, origin: str) -> AuthenticatorData:
    """What the device says, which must be about this site and a person it has recognised."""
    if len(raw) < HEAD:
        raise PasskeyError("authenticator data too short")
    flags, credential = raw[32], b""
    if flags & ATTESTED:
        length = int.from_bytes(raw[HEAD + 16 : HEAD + 18])
        credential = raw[HEAD + 18 : HEAD + 18 + length]
        if len(credential) != length:
            raise PasskeyError("credential cut short")
    if raw[:32] != hashlib.sha256(site_of(origin).encode()).digest():
        raise PasskeyError("made for another site")
    if not flags & PRESENT or not flags & VERIFIED:
        raise PasskeyError("nobody was recognised")
    return AuthenticatorData(raw[:32], flags, int.from_bytes(raw[33:HEAD]), credential)


def check_public_key(spki: bytes) -> None:
    """A key of a kind that we asked for. Raises PasskeyError."""
    _public_key(spki)


def check_signature(spki: bytes, signature: bytes, authenticator_data: bytes, client_data: bytes) -> None:
    """The device signed exactly this. Raises PasskeyError."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding
    from cryptography.hazmat.primitives.hashes import SHA256

    signed = authenticator_data + hashlib.sha256(client_data).digest()
    key = _public_key(spki)
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, signed, ec.ECDSA(SHA256()))
        elif isinstance(key, ed25519.Ed25519PublicKey):
            key.verify(signature, signed)
        else:
            key.verify(signature, signed, padding.PKCS1v15(), SHA256())
    except InvalidSignature:
        raise PasskeyError("wrong signature") from None


def _public_key(spki: bytes) -> EllipticCurvePublicKey | Ed25519PublicKey | RSAPublicKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    try:
        key = load_der_public_key(spki)
    except (ValueError, UnsupportedAlgorithm):
        raise PasskeyError("no public key") from None
    if isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1):
        return key
    if isinstance(key, ed25519.Ed25519PublicKey):
        return key
    if isinstance(key, rsa.RSAPublicKey) and key.key_size >= SMALLEST_RSA:
        return key
    raise PasskeyError("a kind of key that was not asked for")
