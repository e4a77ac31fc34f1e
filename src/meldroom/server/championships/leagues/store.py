"""The leagues of a data folder: a definition, the codes of the events, and what opens it for changes."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec
from msgspec.structs import replace

from meldroom.decode import DecodeError, parse_toml
from meldroom.league import League, LeagueError, read_league
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.storage.jsonl import replace_file

FOLDER = "leagues"
MOST_EVENTS = 60
_CODE = re.compile(r"[a-z2-9]{8}\Z")
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


class Leagues:
    """Leagues on the disk; one file each, replaced whole."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._changing = Lock()

    def create(self, toml: str) -> tuple[str, str]:
        """A new league: its code, and the key that changes it. Raises HallError and OSError."""
        defined(toml)
        self._folder.mkdir(parents=True, exist_ok=True)
        code = "".join(secrets.choice(_SIGNS) for _ in range(8))
        key = secrets.token_urlsafe(24)
        self._write(code, KeptLeague(toml, _lock(key), datetime.now(UTC).replace(microsecond=0)))
        return code, key

    def load(self, code: str) -> KeptLeague:
        """A league by its code. Raises HallError."""
        if not _CODE.match(code):
            raise HallError(404, "no_such_league", "league", league=code[:12])
        try:
            return msgspec.json.decode((self._folder / f"{code}.json").read_bytes(), type=KeptLeague)
        except FileNotFoundError:
            raise HallError(404, "no_such_league", "league", league=code) from None
        except (OSError, msgspec.DecodeError):
            raise HallError(503, "unreadable") from None

    def unlock(self, code: str, key: str) -> KeptLeague:
        """A league for whoever may change it. Raises HallError."""
        kept = self.load(code)
        if not hmac.compare_digest(_lock(key), kept.lock):
            raise HallError(401, "wrong_league_key")
        return kept

    def change(self, code: str, key: str, event: str, *, there: bool) -> KeptLeague:
        """Add an event, or take it out. Raises HallError and OSError."""
        with self._changing:
            kept = self.unlock(code, key)
            others = tuple(one for one in kept.events if one != event)
            if there and len(others) >= MOST_EVENTS:
                raise HallError(409, "too_many_events", most=MOST_EVENTS)
            changed = replace(kept, events=(*others, event) if there else others)
            self._write(code, changed)
            return changed

    def _write(self, code: str, kept: KeptLeague) -> None:
        replace_file(self._folder / f"{code}.json", msgspec.json.encode(kept))


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
