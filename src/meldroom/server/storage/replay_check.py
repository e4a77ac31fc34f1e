"""What a database holds, checked: every log folded again, every shuffle and every record computed again."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection, select

from meldroom.championship.log.audit import chain
from meldroom.errors import MeldroomError
from meldroom.game.events import ShuffleRevealed
from meldroom.game.state import conserved
from meldroom.record import Record, loads, verify
from meldroom.rooms.domain.state import Room, fold
from meldroom.rooms.protocol.events import RoomEvent, decode
from meldroom.server.storage.tables import championship_lines, championships, finished_games, room_events

LOG = "log.jsonl"
"""The file of a championship that is chained."""
CHECKS = frozenset({"commitment", "shuffle", "legality", "conservation"})


class Verdict(msgspec.Struct, frozen=True):
    """What the logs amount to."""

    rooms: int
    events: int
    finished: int
    faults: tuple[str, ...]
    championships: int = 0


def room_logs(connection: Connection) -> Iterator[tuple[str, list[int], list[RoomEvent]]]:
    """Each room with the numbers of its log and its events, in order."""
    rooms = list(connection.execute(select(room_events.c.room).distinct()).scalars())
    for room in rooms:
        query = select(room_events.c.seq, room_events.c.event).where(room_events.c.room == room)
        rows = connection.execute(query.order_by(room_events.c.seq)).all()
        yield room, [row.seq for row in rows], [decode(row.event) for row in rows]


def records(connection: Connection) -> Iterator[tuple[str, str]]:
    """Each finished game with its record."""
    games = list(connection.execute(select(finished_games.c.id)).scalars())
    for game in games:
        query = select(finished_games.c.record).where(finished_games.c.id == game)
        yield game, str(connection.execute(query).scalar())


def championship_logs(connection: Connection) -> Iterator[tuple[str, list[bytes]]]:
    """Each championship that is kept in the database, with the lines of its log."""
    for code in list(connection.execute(select(championships.c.code)).scalars()):
        columns = championship_lines.c
        log = select(columns.line).where(columns.championship == code, columns.file == LOG)
        yield code, list(connection.execute(log.order_by(columns.seq)).scalars())


def check_logs(connection: Connection) -> Verdict:
    """Fold every log, weigh every game on a table, and compute its shuffle and every kept record again."""
    faults: list[str] = []
    rooms = events = finished = 0
    for code, numbers, log in room_logs(connection):
        rooms, events = rooms + 1, events + len(log)
        if numbers != list(range(1, len(numbers) + 1)):
            faults.append(f"{code}: the log has gaps")
            continue
        try:
            faults += [f"{code}: {fault}" for fault in _faults_of_room(fold(log))]
        except (MeldroomError, ValueError, LookupError, AssertionError) as error:
            faults.append(f"{code}: {error}")
    for game, text in records(connection):
        finished += 1
        faults += [f"{game}: {fault}" for fault in _faults_of_record(loads(text))]
    events_there = 0
    for code, lines in championship_logs(connection):
        events_there += 1
        faults += [f"{code}: {fault.error.message()}" for fault in chain(lines)[1]]
    return Verdict(rooms, events, finished, tuple(faults), events_there)


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
    missing = CHECKS - {check.code for check in report.checked}
    return [problem.message() for problem in report.problems] + [f"not checked: {each}" for each in missing]
