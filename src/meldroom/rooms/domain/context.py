"""What a decision is made from besides the room, and what it comes to."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from meldroom.game.state import State
from meldroom.rooms.ports import Player
from meldroom.rooms.protocol.events import RoomEvent


class Context(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The circumstances of a command: who sent it, when, who is connected, who was a moment ago.

    `secret` is fresh randomness for a shuffle. `can_lay` answers, where a book asks it of a player who
    passes, whether they could have laid something (R12); None where it was not asked. Whoever is `barred`
    was blocked by the host. `start_phase` is how long, in ms, a deal waits for its players.
    """

    player: Player
    now: int
    present: frozenset[str] = frozenset()
    just_left: frozenset[str] = frozenset()
    secret: str = ""
    start_phase: int = 0
    can_lay: bool | None = None
    barred: bool = False


class Decision(NamedTuple):
    """The events that a command leads to, in order, and the game after the last one if they change it."""

    events: tuple[RoomEvent, ...] = ()
    game: State | None = None
