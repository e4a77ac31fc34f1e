"""The one list of everything that is due."""

from __future__ import annotations

import asyncio
from functools import partial

from meldroom.rooms.runtime.scheduler import MOST_CANCELLED, Scheduler
from tests.rooms.house import Time


def test_alarms_ring_in_the_order_of_their_times_and_not_when_called_off() -> None:
    async def evening() -> None:
        time, rung = Time(0), list[int]()
        scheduler = Scheduler(time)
        for due in (30, 10, 20, 10):
            scheduler.at(due, partial(rung.append, due))
        off = scheduler.at(15, lambda: rung.append(15))
        off.cancel()
        off.cancel()
        assert scheduler.ring_due() == 0
        time.now = 20
        assert scheduler.ring_due() == 3
        time.now = 30
        assert scheduler.ring_due() == 1
        assert rung == [10, 10, 20, 30]
        scheduler.close()

    asyncio.run(evening())


def test_alarms_called_off_do_not_pile_up() -> None:
    async def evening() -> None:
        scheduler = Scheduler(Time(0))
        for _ in range(5 * MOST_CANCELLED):
            scheduler.at(1_000_000_000, lambda: None).cancel()
        assert len(scheduler._heap) <= 2 * MOST_CANCELLED
        scheduler.close()

    asyncio.run(evening())


def test_the_event_loop_wakes_it_in_time() -> None:
    async def evening() -> None:
        loop = asyncio.get_running_loop()
        scheduler = Scheduler(lambda: int(loop.time() * 1000))
        rang = asyncio.Event()
        scheduler.at(int(loop.time() * 1000) + 5, rang.set)
        scheduler.at(int(loop.time() * 1000) + 1, lambda: None)
        await asyncio.wait_for(rang.wait(), 5)
        scheduler.close()

    asyncio.run(evening())
