"""Games that are ended from outside: ordered in the database, done by the server that has the room."""

from __future__ import annotations

import secrets

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from meldroom.rooms.errors import Refusal
from meldroom.rooms.runtime.rooms import Rooms
from meldroom.server.logs import note
from meldroom.server.storage.tables import games_to_end

LONGEST_REASON = 200
KEPT_MS = 24 * 3600 * 1000
FORGOTTEN_MS = 60_000
"""An order that no server has taken up for so long is none any more: whoever gave it was told so."""


class Order(msgspec.Struct, frozen=True):
    """A game to end, and why."""

    id: str
    room: str
    reason: str


def order(connection: Connection, room: str, reason: str, now: int) -> str:
    """Order the end of a room's game; the id of the order."""
    connection.execute(delete(games_to_end).where(games_to_end.c.created_at < now - KEPT_MS))
    id = secrets.token_hex(8)
    row = {"id": id, "room": room, "reason": reason[:LONGEST_REASON], "created_at": now}
    connection.execute(insert(games_to_end), row)
    return id


def outcome(connection: Connection, id: str) -> str | None:
    """What became of an order: None so far, empty if it was done, else the code of the refusal."""
    row = connection.execute(select(games_to_end).where(games_to_end.c.id == id)).one()
    return None if row.done_at is None else str(row.outcome or "")


def withdraw(connection: Connection, id: str) -> None:
    """Forget an order that nobody has taken up."""
    connection.execute(delete(games_to_end).where(games_to_end.c.id == id, games_to_end.c.done_at.is_(None)))


def waiting(connection: Connection, now: int) -> list[Order]:
    """Orders that nobody has carried out."""
    recent = games_to_end.c.created_at > now - FORGOTTEN_MS
    query = select(games_to_end).where(games_to_end.c.done_at.is_(None), recent)
    return [Order(row.id, row.room, row.reason) for row in connection.execute(query)]


def carried_out(connection: Connection, id: str, now: int, code: str) -> None:
    """Note what became of an order."""
    done = update(games_to_end).where(games_to_end.c.id == id, games_to_end.c.done_at.is_(None))
    connection.execute(done.values(done_at=now, outcome=code))


async def end_game(rooms: Rooms, room: str, reason: str) -> str:
    """End a room's game; empty, or the code of the refusal."""
    try:
        await rooms.end_game(room, reason)
    except Refusal as refusal:
        return refusal.code
    note("game_ended", room=room, reason=reason)
    return ""
