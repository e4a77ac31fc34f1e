"""Deadlines by the server's clock: time-outs, the buzzer's rulings, extra time, restarts, stand-ins."""

from __future__ import annotations

import time

import pytest

from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.legal.actions import legal
from meldroom.rooms.domain.clocks import restored_deadline
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Done, Refused
from meldroom.rooms.protocol.events import ClockRestored, GamePlayed, StoodIn, decode
from meldroom.rooms.protocol.settings import TurnClock
from meldroom.rooms.runtime.rooms import now_ms
from meldroom.tiles import Tile
from tests.rooms.evening import evening
from tests.rooms.house import START, Guest, House

FORTY = 40_000
"""The clock of the book, in ms."""


def last_batch(house: House, code: str) -> list[type]:
    """The kinds of game events of the last action."""
    played = [decode(data) for data in house.store.logs[code]]
    batch = [event for event in played if isinstance(event, GamePlayed)][-1]
    return [type(event) for event in batch.events]


def own_sets(house: House, code: str) -> tuple[Tile, ...]:
    """Three tiles of the rack of the player to move that are no set."""
    state = house.state(code)
    rack = state.racks[state.seat]
    for i in range(len(rack) - 2):
        three = rack[i : i + 3]
        if not state.book.reader.is_set(state.faces(three)):
            return three
    raise AssertionError("a rack of sets only")


@evening
async def test_an_untouched_turn_draws_at_the_buzzer_and_says_so(house: House) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben")
    room = house.room(code)
    assert room.deadline == START + FORTY
    assert ada.view.deadline == room.deadline
    await house.advance(FORTY - 1)
    assert house.room(code).rev == room.rev
    await house.advance(1)
    assert last_batch(house, code) == [ev.TimedOut, ev.Drew, ev.TurnBegan]
    name = ("Ada", "Ben")[room.to_act or 0]
    assert ada.view.notice == f"{name} ran out of time."
    assert house.room(code).deadline == START + 2 * FORTY
    assert [seat.timeouts for seat in ben.view.seats].count(1) == 1


@evening
async def test_wrc11_r25_an_illegal_draft_at_the_buzzer_is_put_back_for_three_tiles(
    house: House,
) -> None:
    code, guests = await house.table("Ada", "Ben")
    room, state = house.room(code), house.state(code)
    mover = guests[state.seat]
    answer = await mover.done(do.Draft, code, rev=room.rev, table=(own_sets(house, code),))
    assert answer.judgement is not None
    assert not answer.judgement.legal
    assert answer.judgement.marks == (False,)
    assert {fault.code for fault in answer.judgement.faults} >= {"SET_INVALID"}
    await house.advance(FORTY)
    assert last_batch(house, code) == [ev.TimedOut, ev.Penalised, ev.TurnBegan]
    assert len(house.state(code).racks[state.seat]) == 17
    assert house.state(code).table == ()
    assert "penalty" in mover.view.notice
    assert "WRC 11" in mover.view.notice
    assert mover.view.notice_clause.startswith("WRC 11 ")


@evening
async def test_r68_where_a_table_chose_it_an_illegal_draft_at_the_buzzer_is_a_draw(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", options={"conduct": "competition"})
    room, state = house.room(code), house.state(code)
    mover = guests[state.seat]
    assert mover.view.settings.options == {"conduct": "competition"}
    for _ in range(25):  # As often as they like, until the clock ends (R27).
        refused = await mover.do(
            do.Act, code, rev=room.rev, action=act.Lay(state.seat, table=(own_sets(house, code),))
        )
        assert isinstance(refused, Refused)
    assert [seat.infringements for seat in mover.view.seats] == [0, 0]
    await mover.done(do.Draft, code, rev=room.rev, table=(own_sets(house, code),))
    await house.advance(FORTY)
    assert last_batch(house, code) == [ev.TimedOut, ev.Penalised, ev.TurnBegan]
    assert len(house.state(code).racks[state.seat]) == 15
    assert "counts as a draw (R68)" in mover.view.notice
    assert (mover.view.notice_clause, mover.view.notice_ruling) == ("", "R68")
    for guest in guests:
        counted = [seat.infringements for seat in guest.view.seats]
        assert counted == [int(seat == state.seat) for seat in range(2)]


@evening
async def test_wrc11_r26_a_legal_draft_at_the_buzzer_stands(house: House) -> None:
    code, guests = await house.table("Ada", "Ben")
    for _ in range(60):
        state, room = house.state(code), house.room(code)
        action = next((a for a in legal(state) if isinstance(a, act.Lay)), None)
        mover = guests[state.seat]
        if action is not None:
            answer = await mover.done(do.Draft, code, rev=room.rev, table=action.table)
            assert answer.judgement is not None
            assert answer.judgement.legal
            await house.advance(FORTY)
            assert last_batch(house, code)[:2] == [ev.TimedOut, ev.Laid]
            return
        await mover.done(do.Act, code, rev=room.rev, action=act.Draw(state.seat))
    raise AssertionError("nobody could open in sixty turns")


@evening
async def test_a_draft_taken_back_leaves_an_untouched_table(house: House) -> None:
    code, guests = await house.table("Ada", "Ben")
    room, state = house.room(code), house.state(code)
    mover = guests[state.seat]
    await mover.done(do.Draft, code, rev=room.rev, table=(own_sets(house, code),))
    await mover.done(do.Draft, code, rev=room.rev)
    await house.advance(FORTY)
    assert last_batch(house, code) == [ev.TimedOut, ev.Drew, ev.TurnBegan]


@evening
async def test_what_arrives_before_the_deadline_counts_even_if_it_is_seen_to_after_it(house: House) -> None:
    code, guests = await house.table("Ada", "Ben")
    room = house.room(code)
    mover = guests[house.state(code).seat]
    command = do.Act(id="late", room=code, rev=room.rev, action=act.Draw(house.state(code).seat))
    house.time.now += FORTY + 30  # The alarm has not been heard yet.
    answer = await house.rooms.handle(mover, command, arrived=START + FORTY - 1)
    assert isinstance(answer, Done)
    assert last_batch(house, code) == [ev.Drew, ev.TurnBegan]


@evening
async def test_what_arrives_after_the_deadline_is_too_late_even_if_no_alarm_has_rung(
    house: House,
) -> None:
    code, guests = await house.table("Ada", "Ben")
    room = house.room(code)
    mover = guests[house.state(code).seat]
    house.time.now += FORTY
    action = act.Draw(house.state(code).seat)
    answer = await mover.do(do.Act, code, rev=room.rev, action=action)
    assert isinstance(answer, Refused)
    assert answer.error.code == "too_late"
    assert answer.error.rev == house.room(code).rev
    assert last_batch(house, code) == [ev.TimedOut, ev.Drew, ev.TurnBegan]


@evening
async def test_extra_time_is_taken_once_a_turn(house: House) -> None:
    clock = TurnClock("seconds", 30, extra=20)
    code, guests = await house.table("Ada", "Ben", clock=clock)
    seat = house.state(code).seat
    mover, other = guests[seat], guests[1 - seat]
    rev = house.room(code).rev
    assert await other.refused(do.ExtraTime, code, rev=rev) == "not_your_turn"
    await mover.done(do.ExtraTime, code, rev=rev)
    assert house.room(code).deadline == START + 50_000
    assert mover.view.extra_used
    assert await mover.refused(do.ExtraTime, code, rev=rev) == "extra_time_used"
    await house.advance(49_000)
    assert house.room(code).rev == rev
    await house.advance(1_000)
    assert house.room(code).rev > rev
    await other.done(do.ExtraTime, code, rev=house.room(code).rev)


@evening
async def test_no_extra_time_where_none_was_agreed(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=TurnClock("off", extra=20))
    mover = guests[house.state(code).seat]
    assert await mover.refused(do.ExtraTime, code, rev=house.room(code).rev) == "no_extra_time"
    assert house.room(code).deadline is None


@evening
async def test_the_silent_get_a_stand_in_and_take_their_seat_back(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", stand_in_after=2, stand_in="beginner")
    first = house.state(code).seat
    for _ in range(2):
        await house.advance(FORTY)  # the silent one
        if house.room(code).chairs[first].stand_in is None:
            other = guests[1 - first]
            rev = house.room(code).rev
            await other.done(do.Act, code, rev=rev, action=act.Draw(1 - first))
    assert any(isinstance(decode(data), StoodIn) for data in house.store.logs[code])
    assert house.room(code).chairs[first].stand_in == "beginner"
    silent, other = guests[first], guests[1 - first]
    assert silent.view.seats[first].stand_in == "beginner"
    rev = house.room(code).rev
    assert house.state(code).seat == 1 - first
    await other.done(do.Act, code, rev=rev, action=act.Draw(1 - first))
    await house.settle()
    assert house.state(code).seat == 1 - first, "the bot has played for the silent one"
    draw = act.Draw(first)
    assert await silent.refused(do.Act, code, rev=house.room(code).rev, action=draw) == "stood_in"
    await silent.done(do.Reclaim, code)
    assert await silent.refused(do.Reclaim, code) == "nobody_stands_in"
    assert house.room(code).chairs[first].timeouts == 0
    await other.done(do.Act, code, rev=house.room(code).rev, action=act.Draw(1 - first))
    await house.settle()
    assert house.state(code).seat == first, "nobody plays for them any more"
    await silent.done(do.Act, code, rev=house.room(code).rev, action=act.Draw(first))


@evening
async def test_an_own_action_between_two_time_outs_starts_the_count_again(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", stand_in_after=2)
    for _ in range(3):
        seat = house.state(code).seat
        await house.advance(FORTY)
        assert house.room(code).chairs[seat].timeouts == 1
        other = house.state(code).seat
        await guests[other].done(do.Act, code, rev=house.room(code).rev, action=act.Draw(other))
        await guests[seat].done(do.Act, code, rev=house.room(code).rev, action=act.Draw(seat))
        await guests[other].done(do.Act, code, rev=house.room(code).rev, action=act.Draw(other))
    assert all(chair.stand_in is None for chair in house.room(code).chairs)


@evening
async def test_rummyo_a_turn_of_two_steps_has_one_deadline(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", book="rummyo", clock=TurnClock("seconds", 60))
    state = house.state(code)
    starter = state.seat
    await guests[starter].done(
        do.Act, code, rev=house.room(code).rev, action=act.Discard(starter, tile=state.racks[starter][0])
    )
    deadline = house.room(code).deadline
    await house.advance(10_000)
    other = house.state(code).seat
    await guests[other].done(do.Act, code, rev=house.room(code).rev, action=act.Take(other, source="stock"))
    assert house.room(code).deadline == deadline
    await house.advance(50_000)
    assert last_batch(house, code) == [ev.TimedOut, ev.Discarded, ev.TurnBegan]


@evening
async def test_a_turn_keeps_the_time_it_had_left_when_the_server_was_away(house: House) -> None:
    code, guests = await house.table("Ada", "Ben")
    await house.advance(1_000)
    await house.advance(14_000)
    assert house.store.alive_at == START + 15_000
    house.time.now += 3_600_000
    again = House(house.store.copy(), house.time)
    await again.rooms.start()
    assert again.room(code).deadline == house.time.now + FORTY - 15_000
    assert isinstance(decode(again.store.logs[code][-1]), ClockRestored)
    mover = Guest(again, "x", player=guests[again.state(code).seat].player)
    await mover.done(do.Enter, code)
    await mover.done(do.Act, code, rev=again.room(code).rev, action=act.Draw(again.state(code).seat))
    await again.rooms.close()


@evening
async def test_after_a_restart_a_turn_has_at_least_ten_seconds(house: House) -> None:
    code, _ = await house.table("Ada", "Ben")
    for _ in range(39):
        await house.advance(1_000)
    again = House(house.store.copy(), house.time)
    await again.rooms.start()
    assert again.room(code).deadline == house.time.now + 10_000
    await again.advance(10_000)
    assert last_batch(again, code) == [ev.TimedOut, ev.Drew, ev.TurnBegan]
    await again.rooms.close()


@pytest.mark.parametrize(
    ("deadline", "length", "alive", "now", "expected"),
    [
        (50_000, 40_000, 30_000, 100_000, 120_000),
        (50_000, 40_000, 49_000, 100_000, 110_000),
        (50_000, 40_000, 60_000, 100_000, 110_000),
        (50_000, 5_000, 50_000, 100_000, 105_000),
    ],
)
def test_restored_deadlines(deadline: int, length: int, alive: int, now: int, expected: int) -> None:
    assert restored_deadline(deadline, length, alive, now) == expected


@evening
async def test_a_move_may_take_hours_and_the_room_need_not_stay_in_memory(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=TurnClock("hours", 24))
    for guest in guests:
        house.rooms.disconnected(guest)
    await house.advance(60_000)
    await house.advance(600_000)
    assert code not in house.rooms.in_memory
    rev = len(house.store.logs[code])
    await house.advance(24 * 3_600_000)
    assert len(house.store.logs[code]) > rev
    assert last_batch(house, code) == [ev.TimedOut, ev.Drew, ev.TurnBegan]


def test_a_time_sync_moves_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    before = now_ms()
    wall = time.time_ns
    for jump in (3_600, -3_600):
        moved = jump * 1_000_000_000
        monkeypatch.setattr(time, "time_ns", lambda moved=moved: wall() + moved)
        assert 0 <= now_ms() - before < 60_000
