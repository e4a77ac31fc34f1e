"""What a server has left in its database: every log folded again, every shuffle computed again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from meldroom.game.events import ShuffleRevealed
from meldroom.game.state import conserved
from meldroom.record import Record, loads, verify
from meldroom.rooms.domain.state import Room, fold
from meldroom.rooms.protocol.events import RoomEvent, decode


class Verdict(msgspec.Struct, frozen=True):
    """What the logs amount to."""

    rooms: int
    events: int
    finished: int
    faults: tuple[str, ...]


def room_logs(database: Path) -> Iterator[tuple[str, list[RoomEvent]]]:
    """Each room with its events in order. Fails where a number of the log is missing."""
    with closing(sqlite3.connect(database)) as connection:
        rooms = [room for (room,) in connection.execute("select distinct room from room_events")]
        for room in rooms:
            rows = connection.execute(
                "select seq, event from room_events where room = ? order by seq", (room,)
            )
            numbered = list(rows)
            assert [seq for seq, _ in numbered] == list(range(1, len(numbered) + 1)), f"{room} has gaps"
            yield room, [decode(event) for _, event in numbered]


def records(database: Path) -> Iterator[tuple[str, str]]:
    """Each finished game with its record."""
    with closing(sqlite3.connect(database)) as connection:
        yield from connection.execute("select id, record from finished_games")


def check_logs(database: Path) -> Verdict:
    """Fold every log, weigh every game on a table, and compute its shuffle and every kept record again."""
    faults: list[str] = []
    rooms = events = finished = 0
    for code, log in room_logs(database):
        rooms, events = rooms + 1, events + len(log)
        faults += [f"{code}: {fault}" for fault in _faults_of_room(fold(log))]
    for game, text in records(database):
        finished += 1
        faults += [f"{game}: {fault}" for fault in _faults_of_record(loads(text))]
    return Verdict(rooms, events, finished, tuple(faults))


def _faults_of_room(room: Room) -> list[str]:
    """What is wrong with the game on the table, over or not."""
    if room.game is None or room.shuffle is None:
        return []
    faults = [] if conserved(room.game) else ["tiles were lost or made"]
    played = [event for event in room.game_events if not isinstance(event, ShuffleRevealed)]
    revealed = ShuffleRevealed(room.shuffle.secret, room.shuffle.contributions)
    return faults + _faults_of_record(Record.of([*played, revealed]))


def _faults_of_record(record: Record) -> list[str]:
    """What does not hold, or could not be checked, of what a record tells."""
    report = verify(record)
    missing = {"commitment", "shuffle", "legality", "conservation"} - {check.code for check in report.checked}
    return [problem.message() for problem in report.problems] + [f"not checked: {each}" for each in missing]
