"""Planning off turn: judged like a draft, told to nobody, switched off per table and at championships."""

from __future__ import annotations

from meldroom.game.actions import Draw
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.settings import TurnClock
from meldroom.rooms.runtime.bots import pace
from meldroom.rooms.views.cards import record_of
from tests.rooms.evening import evening
from tests.rooms.house import House

OFF = TurnClock("off")


@evening
async def test_a_plan_is_judged_off_turn_and_on_turn(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    room, state = house.room(code), house.state(code)
    waiting = 1 - state.seat
    loose = state.racks[waiting][:1]
    done = await guests[waiting].done(do.Plan, code, rev=room.rev, table=(loose,))
    assert done.judgement is not None
    assert (done.judgement.legal, done.judgement.marks, done.judgement.laid) == (False, (False,), 1)
    assert await guests[waiting].refused(do.Draft, code, rev=room.rev, table=(loose,)) == "not_your_turn"
    mine = state.racks[state.seat][:1]
    assert (await guests[state.seat].done(do.Plan, code, rev=room.rev, table=(mine,))).judgement is not None
    assert house.live(code).draft is None


@evening
async def test_a_plan_is_made_of_ones_own_tiles_on_the_present_table(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    room, state = house.room(code), house.state(code)
    waiting = guests[1 - state.seat]
    theirs = state.racks[state.seat][:1]
    assert await waiting.refused(do.Plan, code, rev=room.rev, table=(theirs,)) == "tile_not_on_rack"
    assert await waiting.refused(do.Plan, code, rev=room.rev, melds=()) == "wrong_draft"
    await guests[state.seat].done(do.Act, code, rev=room.rev, action=Draw(state.seat))
    assert await waiting.refused(do.Plan, code, rev=room.rev, table=()) == "stale"
    eve = house.guest("Eve")
    assert await eve.refused(do.Plan, code, rev=room.rev, table=()) == "not_seated"


@evening
async def test_planning_can_be_switched_off(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF, planning=False)
    room = house.room(code)
    assert guests[0].view.settings.planning is False
    for guest in guests:
        assert await guest.refused(do.Plan, code, rev=room.rev, table=()) == "no_planning"


@evening
async def test_a_record_says_that_its_table_allows_puzzles(house: House) -> None:
    allowed, _ = await house.table("Ada", "Ben", clock=OFF, puzzles=True)
    usual, _ = await house.table("Cleo", "Dan", clock=OFF)
    tags = [record_of(house.room(code)).headers.tags.get("puzzles") for code in (allowed, usual)]
    assert tags == ["yes", None]


@evening
async def test_who_has_resigned_plans_no_more(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", "Cleo", clock=OFF)
    await guests[2].done(do.Resign, code)
    assert await guests[2].refused(do.Plan, code, rev=house.room(code).rev, table=()) == "withdrawn"


@evening
async def test_the_host_chooses_how_fast_bots_are(house: House) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", clock=OFF)
    assert await ben.refused(do.SetBotSpeed, code, speed="slow") == "not_host"
    await ada.done(do.SetBotSpeed, code, speed="slow")
    assert ben.view.settings.bot_speed == "slow"
    assert pace(house.room(code), True, 700) == 2100
    await ada.done(do.SetBotSpeed, code, speed="fast")
    assert pace(house.room(code), True, 700) == 210
