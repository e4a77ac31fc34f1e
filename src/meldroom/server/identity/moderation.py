"""What an operator may look up and do about people: bans, sessions, tokens. Plain work on a connection."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, or_, select

from meldroom.server.identity.people import IdentityError
from meldroom.server.storage.tables import accounts, bans, players, sessions, tokens

LONGEST_REASON = 200


class TokenLine(msgspec.Struct, frozen=True):
    """A token as an operator sees it."""

    id: str
    label: str
    scopes: str
    expires_at: int


class PersonLine(msgspec.Struct, frozen=True):
    """Somebody as an operator sees them. `banned_until` is None without a ban, 0 for good."""

    player: str
    name: str
    account: str | None
    sessions: int
    tokens: tuple[TokenLine, ...]
    banned_until: int | None
    reason: str = ""


def find(connection: Connection, who: str) -> str:
    """The id of a player, by the account's name, the public id or the id itself. Raises IdentityError."""
    query = (
        select(players.c.id)
        .select_from(players.outerjoin(accounts, accounts.c.player == players.c.id))
        .where(or_(accounts.c.key == who.lower(), players.c.profile == who, players.c.id == who))
    )
    found = connection.execute(query).scalars().first()
    if found is None:
        raise IdentityError("no_such_person", name=who)
    return str(found)


def look_up(connection: Connection, who: str) -> PersonLine:
    """Somebody, with everything that can be ended. Raises IdentityError."""
    player = find(connection, who)
    row: Any = connection.execute(select(players).where(players.c.id == player)).one()
    account = connection.execute(select(accounts.c.name).where(accounts.c.player == player)).scalar()
    open_sessions = select(func.count()).select_from(sessions).where(sessions.c.player == player)
    mine = select(tokens).where(tokens.c.player == player).order_by(tokens.c.created_at)
    ban: Any = connection.execute(select(bans).where(bans.c.player == player)).first()
    return PersonLine(
        player,
        row.name,
        account,
        connection.execute(open_sessions).scalar() or 0,
        tuple(
            TokenLine(one.id, one.label, one.scopes, one.expires_at) for one in connection.execute(mine).all()
        ),
        None if ban is None else ban.until,
        "" if ban is None else ban.reason,
    )


def ban(connection: Connection, who: str, until: int, reason: str, now: int) -> None:
    """Keep somebody out until a time, 0 for good; their sessions and tokens end. Raises IdentityError."""
    player = find(connection, who)
    connection.execute(delete(bans).where(bans.c.player == player))
    row = {"player": player, "until": until, "reason": reason[:LONGEST_REASON], "created_at": now}
    connection.execute(insert(bans), row)
    sign_out(connection, player)


def unban(connection: Connection, who: str) -> bool:
    """Let somebody in again; whether they were kept out. Raises IdentityError."""
    player = find(connection, who)
    return bool(connection.execute(delete(bans).where(bans.c.player == player)).rowcount)


def sign_out(connection: Connection, who: str) -> int:
    """End all sessions and tokens of somebody; how many there were. Raises IdentityError."""
    player = find(connection, who)
    ended = (
        connection.execute(delete(table).where(table.c.player == player)) for table in (sessions, tokens)
    )
    return sum(one.rowcount for one in ended)


def revoke(connection: Connection, token: str) -> bool:
    """Revoke a token by its id; whether there was one."""
    return bool(connection.execute(delete(tokens).where(tokens.c.id == token)).rowcount)
