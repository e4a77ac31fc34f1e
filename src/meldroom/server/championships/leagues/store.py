"""The leagues of a server: a definition, the codes of the events, and what opens it for changes."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from meldroom.decode import DecodeError, parse_toml
from meldroom.league import League, LeagueError, read_league
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.storage.jsonl import replace_file

FOLDER = "leagues"
MOST_EVENTS = 60
LEAGUE_CODE = re.compile(r"[a-z2-9]{8}\Z")
_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"
_UNSAID = "–"
_GIVEN = ("events", "before")
"""What a definition must not say here: events are added by their codes."""


class KeptLeague(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A league as its file keeps it."""

    toml: str
    lock: str
    """The SHA-256 of the key that changes it."""
    made: datetime
    events: tuple[str, ...] = ()

    def league(self) -> League:
        """The definition, with the codes of its events."""
        return defined(self.toml, self.events)


class LeagueFiles(Protocol):
    """Where leagues are kept, each as one piece of JSON."""

    def get(self, code: str) -> bytes | None:
        """What is kept under a code. Raises OSError."""
        ...

    def put(self, code: str, data: bytes, before: bytes | None) -> bool:
        """Replace what was there before, all at once; False if it has changed meanwhile. Raises OSError."""
        ...


class LeagueFolder:
    """Leagues on the disk, one file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._changing = Lock()

    def get(self, code: str) -> bytes | None:
        """See LeagueFiles."""
        try:
            return (self._folder / f"{code}.json").read_bytes()
        except FileNotFoundError:
            return None

    def put(self, code: str, data: bytes, before: bytes | None) -> bool:
        """See LeagueFiles."""
        with self._changing:
            if self.get(code) != before:
                return False
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._folder / f"{code}.json", data)
            return True


class Leagues:
    """The leagues of a server."""

    def __init__(self, files: LeagueFiles) -> None:
        self._files = files
        self.changed: Callable[[str], None] = lambda code: None
        """Called, on the event loop, when a league has got or lost an event."""

    def create(self, toml: str) -> tuple[str, str]:
        """A new league: its code, and the key that changes it. Raises HallError and OSError."""
        defined(toml)
        key = secrets.token_urlsafe(24)
        kept = KeptLeague(toml, _lock(key), datetime.now(UTC).replace(microsecond=0))
        while True:
            code = "".join(secrets.choice(_SIGNS) for _ in range(8))
            if self._files.put(code, msgspec.json.encode(kept), None):
                return code, key

    def load(self, code: str) -> KeptLeague:
        """A league by its code. Raises HallError."""
        return self._load(code)[0]

    def _load(self, code: str) -> tuple[KeptLeague, bytes]:
        if not LEAGUE_CODE.match(code):
            raise HallError(404, "no_such_league", "league", league=code[:12])
        try:
            data = self._files.get(code)
            if data is None:
                raise HallError(404, "no_such_league", "league", league=code)
            return msgspec.json.decode(data, type=KeptLeague), data
        except (OSError, msgspec.DecodeError):
            raise HallError(503, "unreadable") from None

    def unlock(self, code: str, key: str) -> KeptLeague:
        """A league for whoever may change it. Raises HallError."""
        return self._unlock(code, key)[0]

    def _unlock(self, code: str, key: str) -> tuple[KeptLeague, bytes]:
        kept, data = self._load(code)
        if not hmac.compare_digest(_lock(key), kept.lock):
            raise HallError(401, "wrong_league_key")
        return kept, data

    def change(self, code: str, key: str, event: str, *, there: bool) -> KeptLeague:
        """Add an event, or take it out. Raises HallError and OSError."""
        while True:
            kept, before = self._unlock(code, key)
            others = tuple(one for one in kept.events if one != event)
            if there and len(others) >= MOST_EVENTS:
                raise HallError(409, "too_many_events", most=MOST_EVENTS)
            changed = replace(kept, events=(*others, event) if there else others)
            if self._files.put(code, msgspec.json.encode(changed), before):
                return changed


def defined(toml: str, events: tuple[str, ...] = ()) -> League:
    """A league as `meldroom league` reads it, with events by code. Raises HallError."""
    try:
        raw: dict[str, Any] = parse_toml(toml)
        for key in _GIVEN:
            if key in raw:
                raise HallError(400, "events_by_code", key)
        return read_league(raw | {"events": events or (_UNSAID,)})
    except DecodeError as error:
        why = error.details["reason"] if error.code == "toml" else error.as_message()
        raise HallError(400, "bad_toml", "toml", why=why) from None
    except LeagueError as error:
        raise HallError(400, "bad_league", error.where, why=error.as_message()) from None


def _lock(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
