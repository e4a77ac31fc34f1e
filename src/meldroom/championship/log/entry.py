"""Entries of the log: one JSON line each, chained by the hash of the line before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec

from meldroom.championship.actions import Action
from meldroom.championship.fold import fold
from meldroom.championship.roles import Role
from meldroom.championship.state import ChampionshipState

BEGINNING = "0" * 64
"""Stands where the hash of the line before would: the first entry has none."""


class LogEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who did what, when and why; `previous` is the SHA-256 of the line before, without its line end."""

    number: int
    time: datetime
    author: str
    role: Role
    action: Action
    reason: str
    previous: str
    original: str | msgspec.UnsetType = msgspec.UNSET
    """Only in a line that was rewritten to erase somebody: the hash of the line as it was first written."""
    confirmed: str | msgspec.UnsetType = msgspec.UNSET
    """The referee who confirmed it at a table's device with their PIN."""


_decoder = msgspec.json.Decoder(LogEntry)


def line_of(entry: LogEntry) -> bytes:
    """An entry as a line, without the line end."""
    return msgspec.json.encode(entry)


def hash_of(line: bytes) -> str:
    """What the next entry is chained by."""
    return hashlib.sha256(line).hexdigest()


def link_of(line: bytes) -> str:
    """What the next entry names as its previous: the hash of the line as it was first written.

    Raises msgspec.DecodeError.
    """
    original = decode_entry(line).original
    return hash_of(line) if original is msgspec.UNSET else original


def decode_entry(line: bytes) -> LogEntry:
    """An entry from its line. Raises msgspec.DecodeError."""
    return _decoder.decode(line)


def replay(entries: Iterable[LogEntry]) -> ChampionshipState:
    """The state after some entries."""
    state = ChampionshipState()
    for entry in entries:
        state = fold(state, entry.action)
    return state


def states(entries: Iterable[LogEntry]) -> Iterator[tuple[ChampionshipState, LogEntry]]:
    """Each entry with the state before it."""
    state = ChampionshipState()
    for entry in entries:
        yield state, entry
        state = fold(state, entry.action)
