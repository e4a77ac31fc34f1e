"""What the bot to move does: asked of the workers, with a share of the clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from meldroom.bots.answers import MOST_ANSWERS
from meldroom.game.actions import Action
from meldroom.game.views import view
from meldroom.rooms.domain.playing import is_move, needs_search
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import WorkerError
from meldroom.rooms.ports import BotKey, Workers
from meldroom.rooms.protocol.settings import BotSpeed

SHARE_OF_CLOCK = 0.7
UNWATCHED_PACE = 50
"""What a bot takes at least, in ms, when no person plays any more and nobody is watching."""


class BotTurn(NamedTuple):
    """A turn of a bot or a stand-in; it is the same one as long as these are the same."""

    rev: int
    seat: int
    level: str

    @classmethod
    def of(cls, room: Room) -> BotTurn | None:
        """The turn that a bot is to play now; None for a person's."""
        level, seat = room.bot_to_act, room.to_act
        return None if level is None or seat is None else cls(room.rev, seat, level)


async def bot_action(workers: Workers, room: Room, turn: BotTurn, now: int) -> Action | None:
    """What the bot does; None if it has no answer."""
    assert room.game is not None
    seconds = None
    if room.deadline is not None:
        seconds = max(0.1, (room.deadline - now) / 1000 * SHARE_OF_CLOCK)
    # A bot's chance follows from what is published: a seed with the secret in it would tell the pool.
    seed = f"{room.game.commitment} {room.game.game} {turn.seat}"
    key = BotKey(room.code, room.number, turn.seat)
    seen = view(room.game, turn.seat)
    return await workers.bot_action(key, turn.level, room.book.ref, seed, seen, seconds)


async def can_lay(workers: Workers, room: Room, action: Action | None) -> bool | None:
    """Where only those may pass who cannot lay, whether the player to move can; None where nobody asks."""
    if not needs_search(room, action):
        return None
    assert room.game is not None
    try:
        return await workers.can_lay(room.book.ref, view(room.game, room.game.seat))
    except WorkerError:
        return False  # Past the budget the answer is no: nobody is forced.


async def answered(
    workers: Workers, room: Room, turn: BotTurn, clock: Callable[[], int]
) -> tuple[Action | None, bool | None]:
    """What the bot does, and whether it can lay where that must be known.

    An answer that is no move is asked for again, a bounded number of times (R68).
    """
    for _ in range(MOST_ANSWERS):
        action = await bot_action(workers, room, turn, clock())
        able = await can_lay(workers, room, action)
        if is_move(room, action, able):
            break
    return action, able


SPEEDS: dict[BotSpeed, float] = {"slow": 3.0, "normal": 1.0, "fast": 0.3}
"""How much longer than usual a bot takes at least."""


def pace(room: Room, watched: bool, usual: int) -> int:
    """How long a bot takes at least: its pace for people to follow, less where there are none.

    After the last person has withdrawn the bots play on to the end (R50).
    """
    game = room.game
    people = any(
        chair.kind == "person" and game is not None and not game.withdrawn[seat]
        for seat, chair in enumerate(room.chairs)
    )
    shown = int(usual * SPEEDS[room.settings.bot_speed])
    return shown if people or watched else min(usual, UNWATCHED_PACE)
