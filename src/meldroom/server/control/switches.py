"""Features that can be switched off: kept in the database, and looked up by every node every few seconds."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from sqlalchemy import Connection, delete, insert, select

from meldroom.api.errors import HttpError
from meldroom.i18n import Message
from meldroom.server.storage.tables import switched_off

Switch: TypeAlias = Literal["sign_up", "guest_games", "new_rooms", "puzzles", "championships", "chat"]
SWITCHES: tuple[Switch, ...] = get_args(Switch)


class Switches:
    """What is switched off now."""

    def __init__(self) -> None:
        self.off: frozenset[str] = frozenset()

    def check(self, *names: Switch) -> None:
        """Raises HttpError if one of these is switched off."""
        for name in names:
            if name in self.off:
                raise HttpError(403, "switched_off", what=Message(f"server.switch.{name}"))


def all_off(connection: Connection) -> frozenset[str]:
    """Everything that is switched off."""
    return frozenset(connection.execute(select(switched_off.c.name)).scalars())


def switch(connection: Connection, name: Switch, now: int, *, on: bool) -> bool:
    """Switch something on or off; whether that changed anything."""
    if on:
        return bool(connection.execute(delete(switched_off).where(switched_off.c.name == name)).rowcount)
    if name in all_off(connection):
        return False
    connection.execute(insert(switched_off), {"name": name, "since": now})
    return True
