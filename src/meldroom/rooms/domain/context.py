"""What a decision is made from besides the room: who asks, when, who is there, and fresh randomness."""

from __future__ import annotations

import msgspec

from meldroom.rooms.ports import Player


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """The circumstances of a command. `secret` is used if a shuffle is to be sealed.

    `present` are the ids of those who are connected. `can_lay` answers, where a book asks it of a player who
    passes, whether he could have laid something (R12); None where it was not asked.
    """

    who: Player
    now: int
    present: frozenset[str] = frozenset()
    secret: str = ""
    request: str = ""
    can_lay: bool | None = None
