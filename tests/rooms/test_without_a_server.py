"""Rooms need no network, no database and no processes: they also run where there are none."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from typing import TypeVar

from meldroom.game.actions import Withdraw
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.settings import TurnClock
from tests.rooms.house import House

Value = TypeVar("Value")

FOREIGN = (
    "meldroom.server",
    "sqlalchemy",
    "sqlite3",
    "alembic",
    "litestar",
    "uvicorn",
    "websockets",
    "argon2",
)


def test_importing_the_rooms_loads_nothing_of_the_server() -> None:
    check = (
        "import sys, meldroom.rooms.runtime.rooms, meldroom.rooms.protocol.schema\n"
        f"print([name for name in {FOREIGN} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_whole_game_is_played_without_threads() -> None:
    slow: list[str] = []

    async def at_once(function: Callable[..., Value], /, *arguments: object) -> Value:
        slow.append(function.__name__)
        return function(*arguments)

    async def run() -> None:
        house = House()
        house.rooms.services.offload = at_once
        ada = house.guest("Ada")
        code = await house.open(ada, "me", "beginner", begin=True, clock=TurnClock("off"))
        await ada.done(do.Enter, code)
        await house.settle()
        await ada.done(do.Act, code, rev=house.room(code).rev, action=Withdraw(0))
        await house.settle()
        assert house.store.games[f"{code}-1"].record
        await house.rooms.close()

    asyncio.run(run())
    assert slow == ["finished_game"]
