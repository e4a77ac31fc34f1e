"""Nobody is decided about behind their back: grace, consent, steady clocks; those who leave must wait."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.settings import TurnClock
from meldroom.rooms.runtime.steady_clock import SLEPT, SteadyClock
from tests.rooms.evening import evening
from tests.rooms.house import House

OFF = TurnClock("off")
HOURS = TurnClock("hours", 24)
MS = 1_000_000
"""Nanoseconds."""


@evening
async def test_somebody_whose_line_broke_has_a_minute(house: House) -> None:
    code, (ada, ben, cleo) = await house.table("Ada", "Ben", "Cleo", clock=OFF)
    house.rooms.disconnected(cleo)
    assert await ada.refused(do.StandIn, code, seat=2) == "just_left"
    await house.advance(59_999)
    assert await ada.refused(do.StandIn, code, seat=2) == "just_left"
    await cleo.done(do.Enter, code)
    assert await ada.refused(do.StandIn, code, seat=2) == "is_there"
    house.rooms.disconnected(cleo)
    await house.advance(30_000)
    assert await ada.refused(do.StandIn, code, seat=2) == "just_left"
    await house.advance(30_000)
    await ada.done(do.StandIn, code, seat=2)
    await ben.done(do.StandIn, code, seat=2)
    assert house.room(code).chairs[2].stand_in == "club"


@evening
async def test_after_a_restart_everybody_has_a_minute_to_come_back(house: House) -> None:
    code, (ada, _) = await house.table("Ada", "Ben", clock=OFF)
    again = House(house.store, house.time)
    await again.rooms.start()
    back = again.guest("Ada")
    back.player = ada.player
    await back.done(do.Enter, code)
    assert await back.refused(do.StandIn, code, seat=1) == "just_left"
    await back.done(do.Agree, code, to="end")
    assert again.room(code).stage == "playing"
    await again.advance(60_000)
    await back.done(do.Agree, code, to="end")
    assert again.room(code).stage == "over"


@evening
async def test_with_hours_for_a_move_nothing_is_decided_without_anybody(house: House) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", clock=HOURS)
    house.rooms.disconnected(ben)
    await house.advance(3_600_000)
    assert await ada.refused(do.StandIn, code, seat=1) == "has_hours"
    await ada.done(do.Agree, code, to="end")
    assert house.room(code).stage == "playing"
    await ben.done(do.Enter, code)
    await ben.done(do.Agree, code, to="end")
    assert house.room(code).stage == "over"


@evening
async def test_who_leaves_again_and_again_waits_for_public_tables(house: House) -> None:
    eve = house.guest("Eve")

    async def leave(number: int) -> None:
        host = house.guest(f"Host {number}")
        code = await house.open(host, "me", "open", clock=OFF)
        for one in (host, eve):
            await one.done(do.Enter, code)
        await eve.done(do.Sit, code, seat=1)
        await host.done(do.Begin, code)
        await eve.done(do.Resign, code)

    host = house.guest("Ada")
    await leave(1)
    await leave(2)
    first = await house.open(host, "me", "open", clock=OFF, public=True)
    await eve.done(do.Enter, first)
    await eve.done(do.Sit, first, seat=1)
    await eve.done(do.StandUp, first)
    await leave(3)
    assert await eve.refused(do.Sit, first, seat=1) == "cool_down"
    private = await house.open(host, "me", "open", clock=OFF)
    await eve.done(do.Enter, private)
    await eve.done(do.Sit, private, seat=1)  # among friends nobody asks
    await house.advance(900_000)
    await eve.done(do.Sit, first, seat=1)


@evening
async def test_giving_up_against_bots_is_nobodys_business(house: House) -> None:
    ada = house.guest("Ada")
    for _ in range(5):
        code = await house.open(ada, "me", "club", begin=True, clock=OFF)
        await ada.done(do.Enter, code)
        await ada.done(do.Resign, code)
    await house.open(ada, "me", "open", clock=OFF, public=True)


def test_the_clock_goes_on_whatever_happens_to_the_machines() -> None:
    wall, monotonic = [5_000_000 * MS], [0]
    clock = SteadyClock(lambda: wall[0], lambda: monotonic[0])
    assert clock() == 5_000_000
    monotonic[0] += 1_000 * MS
    wall[0] -= 3_600_000 * MS  # set back by an hour
    assert (clock(), clock.slept) == (5_001_000, False)
    clock.catch_up()
    assert clock() == 5_001_000
    wall[0] = (5_001_000 + SLEPT) * MS
    assert not clock.slept
    wall[0] += 1 * MS
    assert (clock(), clock.slept) == (5_001_000, True)
    clock.catch_up()
    assert (clock(), clock.slept) == (5_001_000 + SLEPT + 1, False)


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(-(10**7), 10**7), st.booleans()), max_size=30))
def test_the_clock_never_goes_back(steps: list[tuple[int, int, bool]]) -> None:
    wall, monotonic = [10**9 * MS], [0]
    clock = SteadyClock(lambda: wall[0], lambda: monotonic[0])
    before = clock()
    for passed, jump, catches_up in steps:
        monotonic[0] += passed * MS
        wall[0] += (passed + jump) * MS
        if catches_up:
            clock.catch_up()
        assert clock() >= before + passed
        before = clock()


@evening
async def test_a_machine_that_slept_counts_as_restarted(house: House) -> None:
    """An hour of sleep: the turn has the time it had left, and ten seconds at least."""
    code, _ = await house.table("Ada", "Ben", clock=TurnClock("seconds", 60))
    wall, start = [house.time.now * MS], house.time.now
    clock = SteadyClock(lambda: wall[0], lambda: (house.time.now - start) * MS)
    again = House(house.store, house.time)
    for holder in (again.rooms, again.rooms.scheduler):
        holder._clock = clock
    again.rooms.services.clock = clock
    await again.rooms.start()
    await again.advance(58_000)
    deadline = again.room(code).deadline
    assert deadline is not None
    assert deadline - clock() <= 2_000
    wall[0] = (house.time.now + 3_600_000) * MS
    await again.advance(1_000)
    restored = again.room(code).deadline
    assert restored is not None
    assert again.room(code).stage == "playing"
    assert restored - clock() == 10_000
    assert clock() >= start + 3_600_000
