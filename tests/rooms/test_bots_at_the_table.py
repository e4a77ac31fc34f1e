"""Bots at a table of people: their pace, their seeds, and that they are forgotten after the game."""

from __future__ import annotations

import asyncio
import random
from typing import Any, cast

from meldroom.bots.answers import MOST_ANSWERS
from meldroom.game import actions as act
from meldroom.rooms.ports import Workers
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.settings import TurnClock
from meldroom.rooms.runtime.bots import UNWATCHED_PACE
from meldroom.rooms.runtime.bus import LocalBus
from meldroom.rooms.runtime.rooms import Rooms, room_code
from meldroom.tiles import Tile
from tests.rooms.evening import evening
from tests.rooms.house import House

OFF = TurnClock("off")


@evening
async def test_a_bot_takes_its_time_so_that_people_can_follow(house: House) -> None:
    slow = Rooms(house.store, LocalBus(), house.thinker, clock=house.time, bot_pace=700, start_phase=0)
    house.rooms = slow
    ada = house.guest("Ada")
    code = await house.open(ada, "me", "beginner", begin=True, clock=OFF)
    await ada.done(do.Enter, code)
    if house.state(code).seat == 1:
        house.time.now += 700
        slow.scheduler.ring_due()
        while house.state(code).seat == 1:
            await _breathe()
    await ada.done(do.Act, code, rev=house.room(code).rev, action=act.Draw(0))
    for _ in range(20):
        await _breathe()
    assert house.state(code).seat == 1
    house.time.now += 699
    slow.scheduler.ring_due()
    for _ in range(20):
        await _breathe()
    assert house.state(code).seat == 1
    house.time.now += 1
    slow.scheduler.ring_due()
    for _ in range(20):
        await _breathe()
    assert house.state(code).seat == 0
    await slow.close()


@evening
async def test_left_alone_a_bot_keeps_its_pace_while_somebody_looks_on_and_hurries_when_nobody_does(
    house: House,
) -> None:
    slow = Rooms(house.store, LocalBus(), house.thinker, clock=house.time, bot_pace=700, start_phase=0)
    house.rooms = slow
    ada = house.guest("Ada")
    code = await house.open(ada, "me", "beginner", begin=True, clock=OFF)
    await ada.done(do.Enter, code)
    await ada.done(do.Act, code, rev=house.room(code).rev, action=act.Withdraw(0))
    for _ in range(5):
        assert await _turns_within(house, code, 699) == 0
        assert await _turns_within(house, code, 1) == 1
    told = len(ada.frames)
    await ada.done(do.Leave, code)
    await _turns_within(house, code, 700)  # The turn that was begun for her eyes.
    turns = 0
    while house.room(code).stage == "playing":
        made = await _turns_within(house, code, UNWATCHED_PACE)
        assert made <= 1
        turns += made
    assert turns < 200, "so many turns at that pace are a few seconds"
    assert len(ada.frames) <= told + 1
    await slow.close()


async def _turns_within(house: House, code: str, milliseconds: int) -> int:
    """How many times the game goes on while so much time passes at once."""
    before = len(house.store.logs[code])
    house.time.now += milliseconds
    house.rooms.scheduler.ring_due()
    for _ in range(30):
        await _breathe()
    return sum(b'"game_played"' in event for event in house.store.logs[code][before:])


async def _breathe() -> None:
    await asyncio.sleep(0)


@evening
async def test_a_game_of_one_person_and_three_bots_ends_and_the_bots_are_forgotten(house: House) -> None:
    ada = house.guest("Ada")
    code = await house.open(ada, "me", "beginner", "club", "tournament", begin=True, clock=OFF)
    await ada.done(do.Enter, code)
    await house.play_on(code, [ada], random.Random(2))
    assert house.thinker.forgotten == [(code, 1)]
    assert len(house.thinker.seeds) == 3
    secret = ada.view.secret
    assert secret is not None
    assert not any(secret in seed for seed in house.thinker.seeds)
    kept = house.store.games[f"{code}-1"]
    assert kept.people == (ada.player.id, "", "", "")
    assert "Ada" in kept.players


@evening
async def test_one_broken_room_does_not_keep_the_others_from_coming_back(house: House) -> None:
    good, _ = await house.table("Ada", "Ben", clock=OFF)
    bad, _ = await house.table("Cleo", "Dan", clock=OFF)
    store = house.store.copy()
    store.logs[bad][3] = b"{}"
    again = House(store, house.time)
    await again.rooms.start()
    assert again.room(good).stage == "playing"
    await again.rooms.close()


def test_codes_are_easy_to_read_out() -> None:
    codes = {room_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(len(code) == 6 and not set(code) & set("ilo01") for code in codes)


class Muddled:
    """Workers whose bots answer with what is no move, and are counted."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self.asked = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._workers, name)

    async def bot_action(self, *task: Any) -> act.Action:
        """A table with one tile of the pool."""
        self.asked += 1
        return act.Lay(task[0].seat, table=((Tile(0),),))


@evening
async def test_r68_a_bot_that_answers_illegally_is_asked_again_and_then_loses(house: House) -> None:
    muddled = Muddled(house.thinker)
    workers = cast("Workers", muddled)
    house.rooms = Rooms(house.store, LocalBus(), workers, clock=house.time, bot_pace=0, start_phase=0)
    ada = house.guest("Ada")
    code = await house.open(ada, "me", "beginner", begin=True, clock=OFF)
    await ada.done(do.Enter, code)
    if house.state(code).seat == 0:
        await ada.done(do.Act, code, rev=house.room(code).rev, action=act.Draw(0))
    while house.room(code).stage == "playing":
        await _breathe()
    result = house.state(code).result
    assert result is not None
    assert (result.end, result.winners) == ("resigned", (0,))
    assert muddled.asked == MOST_ANSWERS
    await house.rooms.close()
