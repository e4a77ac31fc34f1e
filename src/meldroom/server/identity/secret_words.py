"""Secrets: how they are made, and the hashes that are kept in their place."""

from __future__ import annotations

import hashlib
import secrets

SECRET_BYTES = 32
TOKEN_MARK = "meld_"
LONGEST_SECRET = 100


def new_secret() -> str:
    """256 random bits as text for a cookie or a token."""
    return secrets.token_urlsafe(SECRET_BYTES)


def new_token() -> str:
    """A personal token; the mark at its beginning says what it is wherever it turns up."""
    return TOKEN_MARK + new_secret()


def new_id() -> str:
    """An id for a player or a token: unique, and no secret."""
    return secrets.token_hex(8)


def hashed(secret: str) -> str:
    """What is stored of a secret. Random 256 bits need no slow hash: nobody can try them all."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
