"""Keys to a championship: whoever holds one acts in its role, a table's device at that table only."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from meldroom.championship.roles import Role
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.storage.jsonl import replace_file

KEY_BYTES = 32
LONGEST_KEY = 100
MOST_KEYS = 2_000


class Key(msgspec.Struct, frozen=True, omit_defaults=True):
    """A key as it is kept: never itself, only its hash."""

    id: str
    hash: str
    role: Role
    label: str
    created: datetime
    table: int | None = None
    by: str = ""
    """Who made it."""
    revoked: datetime | None = None


NOBODY = Key("", "", "public", "", datetime.min.replace(tzinfo=UTC))
"""Who comes without a key."""


class Access(msgspec.Struct, frozen=True):
    """All keys of a championship, in the order they were made."""

    keys: tuple[Key, ...] = ()

    def holder(self, secret: str) -> Key:
        """The key that a secret is; nobody's without one. Raises HallError."""
        if not secret:
            return NOBODY
        wanted = hashed(secret[:LONGEST_KEY])
        for key in self.keys:
            if key.hash == wanted:
                if key.revoked is not None:
                    raise HallError(401, "key_revoked")
                return key
        raise HallError(401, "wrong_key")

    def key(self, number: str) -> Key:
        """A key by its id. Raises HallError."""
        for key in self.keys:
            if key.id == number:
                return key
        raise HallError(404, "no_such_key", "id")

    def with_key(self, key: Key) -> Access:
        """One key more. Raises HallError if there are too many."""
        if len(self.keys) >= MOST_KEYS:
            raise HallError(409, "too_many_keys", most=MOST_KEYS)
        return Access((*self.keys, key))

    def without(self, number: str, at: datetime) -> Access:
        """With one key revoked; the championship's last organiser's key stays. Raises HallError."""
        gone = self.key(number)
        if gone.revoked is not None:
            return self
        organisers = [key for key in self.keys if key.role == "organiser" and key.revoked is None]
        if organisers == [gone]:
            raise HallError(409, "last_key")
        return Access(tuple(replace(key, revoked=at) if key is gone else key for key in self.keys))


def hashed(secret: str) -> str:
    """What is kept of a key. 256 random bits need no slow hash: nobody can try them all."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def new_key(
    role: Role, label: str, table: int | None, by: str, at: datetime, taken: Iterable[Key] = ()
) -> tuple[str, Key]:
    """A new secret, which is shown once, and the key that is kept of it."""
    secret = secrets.token_urlsafe(KEY_BYTES)
    ids = {key.id for key in taken}
    number = secrets.token_hex(4)
    while number in ids:
        number = secrets.token_hex(4)
    return secret, Key(number, hashed(secret), role, label, at, table, by)


def read_access(path: Path) -> Access:
    """The keys of a championship; none if there is no such file."""
    return msgspec.json.decode(path.read_bytes(), type=Access) if path.exists() else Access()


def write_access(path: Path, access: Access) -> None:
    """All keys, replaced at once. Raises ChampionshipError."""
    replace_file(path, msgspec.json.encode(access))
