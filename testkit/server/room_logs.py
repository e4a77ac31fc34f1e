"""What a server has left in its database, whichever it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from meldroom.rooms.protocol.events import RoomEvent
from meldroom.server.storage import replay_check
from meldroom.server.storage.copying import reading
from meldroom.server.storage.replay_check import Verdict as Verdict


def room_logs(database: Path | str) -> Iterator[tuple[str, list[RoomEvent]]]:
    """Each room with its events in order. Fails where a number of the log is missing."""
    for room, numbers, events in reading(database, lambda one: list(replay_check.room_logs(one))):
        assert numbers == list(range(1, len(numbers) + 1)), f"{room} has gaps"
        yield room, events


def records(database: Path | str) -> list[tuple[str, str]]:
    """Each finished game with its record."""
    return reading(database, lambda one: list(replay_check.records(one)))


def check_logs(database: Path | str) -> Verdict:
    """Fold every log, weigh every game on a table, and compute its shuffle and every kept record again."""
    return reading(database, replay_check.check_logs)
