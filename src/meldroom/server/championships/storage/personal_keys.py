"""Personal keys: what an entrant claims their seat with.

They follow from one secret of the championship, so that a link that was lost can be sent again.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from pathlib import Path

import msgspec

from meldroom.server.championships.storage.jsonl import replace_file

FILE = "players.json"


class PersonalKeys(msgspec.Struct, frozen=True):
    """The secret that all personal keys follow from, and how often each entrant got a new one."""

    secret: str
    renewed: dict[int, int] = {}

    def key_of(self, number: int) -> str:
        """The key of an entrant: 256 bits that nobody finds without the secret."""
        text = f"entrant {number} key {self.renewed.get(number, 0)}"
        made = hmac.digest(self.secret.encode(), text.encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(made).decode().rstrip("=")

    def with_new_key(self, number: int) -> PersonalKeys:
        """The same with another key for one entrant."""
        return PersonalKeys(self.secret, {**self.renewed, number: self.renewed.get(number, 0) + 1})


def read_personal(folder: Path) -> PersonalKeys:
    """The personal keys of a championship; a new secret where there is none yet. Raises ChampionshipError."""
    path = folder / FILE
    if path.exists():
        return msgspec.json.decode(path.read_bytes(), type=PersonalKeys)
    made = PersonalKeys(secrets.token_urlsafe(32))
    write_personal(folder, made)
    return made


def write_personal(folder: Path, keys: PersonalKeys) -> None:
    """All of them, replaced at once. Raises ChampionshipError."""
    replace_file(folder / FILE, msgspec.json.encode(keys))
