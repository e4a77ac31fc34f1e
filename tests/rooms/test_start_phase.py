"""R69: after a deal there is time to show three doubles; play begins when all are ready, or in 15 seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from meldroom.game import actions as act
from meldroom.game.events import RedealGranted
from meldroom.record import loads, verify
from meldroom.rooms.domain.reserved_seats import lock_of
from meldroom.rooms.domain.state import Room
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Drafted, Update
from meldroom.rooms.protocol.events import Reservation
from meldroom.rooms.protocol.settings import ChampionshipTable, Settings, TurnClock
from meldroom.rooms.views.cards import finished_game
from meldroom.rules.library import book
from meldroom.rules.procedures import doubles_on, three_doubles
from tests.rooms.house import Guest, House

PHASE = 15_000
CLOCK = TurnClock("seconds", 40)


def evening(test: Callable[[House], Awaitable[None]]) -> Callable[[], None]:
    """Run a test in a house whose deals wait for their players."""

    async def whole() -> None:
        house = House(start_phase=PHASE)
        await house.rooms.start()
        try:
            await test(house)
        finally:
            await house.rooms.close()

    def run() -> None:
        asyncio.run(whole())

    run.__name__ = test.__name__
    return run


def starts_at(house: House, code: str) -> int | None:
    """When play begins at the latest; None once it has begun."""
    return house.room(code).starts_at


async def table(house: House, *names: str, **settings: object) -> tuple[str, list[Guest], int]:
    """A table with a game dealt, its guests, and the seat of the starter."""
    code, guests = await house.table(*names, **{"clock": CLOCK, **settings})
    return code, guests, house.state(code).seat


async def dealt_doubles(house: House, book_id: str = "wrc11") -> tuple[str, list[Guest], int]:
    """A table at which somebody who does not begin was dealt three doubles, and their seat."""
    for number in range(300):
        code, guests, starter = await table(house, f"Ada {number}", "Ben", book=book_id)
        state = house.state(code)
        other = 1 - starter
        if three_doubles(state.book, state.faces(state.racks[other])):
            return code, guests, other
    raise AssertionError("nobody was dealt three doubles in 300 games")


@evening
async def test_r69_nobody_plays_and_no_clock_runs_until_everybody_is_ready(house: House) -> None:
    code, guests, starter = await table(house, "Ada", "Ben")
    began = house.time.now
    assert starts_at(house, code) == began + PHASE
    assert house.room(code).deadline is None
    assert guests[0].view.redeal
    for guest in guests:
        assert (guest.view.starts_at, guest.view.ready, guest.view.deadline) == (began + PHASE, (), None)
    rev = house.room(code).rev
    await house.advance(4_000)
    await guests[1 - starter].done(do.Ready, code, rev=rev)
    assert guests[starter].view.ready == (1 - starter,)
    assert guests[starter].view.starts_at == began + PHASE
    await house.advance(1_000)
    await guests[starter].done(do.Ready, code, rev=rev)
    view = guests[0].view
    assert (view.starts_at, view.ready, view.redeal) == (None, (), False)
    assert view.deadline == house.time.now + 40_000, "the clock of the first turn starts now"
    assert view.turn_began == house.time.now


@evening
async def test_r69_the_countdown_ends_the_start_phase(house: House) -> None:
    code, guests, starter = await table(house, "Ada", "Ben")
    await house.advance(PHASE - 1)
    assert starts_at(house, code) is not None
    await house.advance(1)
    assert starts_at(house, code) is None
    assert house.room(code).deadline == house.time.now + 40_000
    await guests[starter].done(do.Act, code, rev=house.room(code).rev, action=act.Draw(starter))


@evening
async def test_r69_a_bot_that_begins_waits_for_the_person(house: House) -> None:
    for _ in range(30):
        ada = house.guest("Ada")
        code = await house.open(ada, "me", "beginner", begin=True, clock=CLOCK)
        await ada.done(do.Enter, code)
        if house.state(code).seat == 1:
            break
    await house.advance(PHASE - 1)
    assert sum(house.state(code).turns) == 0
    assert ada.view.ready == (1,), "bots are ready at once"
    await ada.done(do.Ready, code, rev=ada.view.rev)
    await house.settle()
    assert sum(house.state(code).turns) == 1


@evening
async def test_r69_alone_against_bots_the_starter_loses_no_click(house: House) -> None:
    drawn, arranged = False, False
    for _ in range(60):
        ada = house.guest("Ada")
        code = await house.open(ada, "me", "beginner", begin=True, clock=CLOCK)
        await ada.done(do.Enter, code)
        state, rev = house.state(code), house.room(code).rev
        if state.seat != 0:
            continue
        if not arranged:
            tile = state.racks[0][0]
            judged = await ada.done(do.Draft, code, rev=rev, table=((tile,),))
            assert judged.judgement is not None
            assert (ada.view.starts_at, ada.view.deadline) == (None, house.time.now + 40_000)
            await ada.done(do.Act, code, rev=rev, action=act.Draw(0))
            arranged = True
        elif not drawn:
            await ada.done(do.Act, code, rev=rev, action=act.Draw(0))
            drawn = True
        assert house.state(code).turns[0] >= 1, "the first draw is carried out at once"
        if drawn:
            return
    raise AssertionError("Ada never began")


@evening
async def test_r69_the_starters_action_is_their_ready_while_others_are_waited_for(house: House) -> None:
    code, guests, starter = await table(house, "Ada", "Ben")
    rev, other = house.room(code).rev, 1 - starter
    await guests[starter].done(do.Act, code, rev=rev, action=act.Draw(starter))
    assert sum(house.state(code).turns) == 0
    assert guests[other].view.ready == (starter,)
    tile = house.state(code).racks[starter][0]
    await guests[starter].done(do.Draft, code, rev=rev, table=((tile,),))
    await house.advance(100)
    assert not guests[other].messages(Drafted), "before play begins nobody else sees what is arranged"
    assert await guests[other].refused(do.Act, code, rev=rev, action=act.Draw(other)) == "not_your_turn"
    assert guests[other].view.ready == (starter,), "an action that is not theirs says nothing"
    await guests[other].done(do.Ready, code, rev=rev)
    assert guests[starter].view.starts_at is None
    assert guests[starter].view.rev > rev, "a client that has acted on the deal acts again"
    await guests[starter].done(do.Act, code, rev=rev, action=act.Draw(starter))
    assert house.state(code).turns[starter] == 1, "what was decided in the start phase still holds"
    assert await guests[starter].refused(do.Act, code, rev=rev, action=act.Draw(starter)) == "stale"


@evening
async def test_r69_who_does_not_begin_shows_three_doubles_with_one_press(house: House) -> None:
    code, guests, holder = await dealt_doubles(house)
    state = house.state(code)
    shown = doubles_on(state.book, state.racks[holder])
    starter = state.seat
    await guests[starter].done(do.Act, code, rev=house.room(code).rev, action=act.Draw(starter))
    await guests[starter].done(do.Ready, code, rev=house.room(code).rev)
    await house.advance(9_000)
    await guests[holder].done(
        do.Act, code, rev=house.room(code).rev, action=act.RequestRedeal(holder, tiles=())
    )
    again = house.state(code)
    assert (again.deals, again.seat, sum(again.turns)) == (2, starter, 0)
    granted = [event for event in house.room(code).game_events if isinstance(event, RedealGranted)]
    assert [event.tiles for event in granted] == [shown]
    assert len(shown) == 6
    assert starts_at(house, code) == house.time.now + PHASE, "a new deal has a start phase of its own"
    assert guests[0].view.ready == ()
    assert house.room(code).deadline is None


@evening
async def test_r69_after_the_start_phase_the_doubles_come_too_late(house: House) -> None:
    code, guests, holder = await dealt_doubles(house)
    await house.advance(PHASE)
    rev = house.room(code).rev
    wish = act.RequestRedeal(holder, tiles=())
    assert await guests[holder].refused(do.Act, code, rev=rev, action=wish) == "play_has_begun"
    assert house.state(code).deals == 1


@evening
async def test_r69_without_three_doubles_nothing_is_granted(house: House) -> None:
    for _ in range(50):
        code, guests, _starter = await table(house, "Ada", "Ben")
        state = house.state(code)
        if not three_doubles(state.book, state.faces(state.racks[0])):
            break
    rev = house.room(code).rev
    refused = await guests[0].refused(do.Act, code, rev=rev, action=act.RequestRedeal(0, tiles=()))
    assert refused == "no_doubles"
    assert starts_at(house, code) is not None


@pytest.mark.parametrize("book_id", ["wrc9", "wrc11", "nzrc2024", "tml", "rummyo"])
def test_r69_the_phase_exists_where_the_book_has_a_redeal_whoever_holds_doubles(book_id: str) -> None:
    async def whole() -> None:
        house = House(start_phase=PHASE)
        try:
            for _ in range(12):
                code, _, _ = await table(house, "Ada", "Ben", book=book_id)
                assert (starts_at(house, code) is not None) == (book(book_id).redeal.doubles > 0)
        finally:
            await house.rooms.close()

    asyncio.run(whole())


@evening
async def test_r69_with_hours_for_a_move_doubles_may_be_shown_until_the_first_turn_is_complete(
    house: House,
) -> None:
    code, guests, starter = await table(house, "Ada", "Ben", clock=TurnClock("hours", 24))
    assert (starts_at(house, code), guests[0].view.redeal) == (None, True)
    refused = await guests[1 - starter].refused(
        do.Act, code, rev=house.room(code).rev, action=act.RequestRedeal(1 - starter, tiles=())
    )
    assert refused == "no_doubles"


@evening
async def test_r69_the_record_knows_nothing_of_the_phase(house: House) -> None:
    code, guests, starter = await table(house, "Ada", "Ben")
    before = house.room(code).game_events
    await guests[0].done(do.Ready, code, rev=house.room(code).rev)
    await guests[1].done(do.Ready, code, rev=house.room(code).rev)
    assert house.room(code).game_events == before
    await guests[starter].done(do.Act, code, rev=house.room(code).rev, action=act.Draw(starter))
    await guests[0].done(do.Resign, code)
    assert verify(loads(finished_game(house.room(code)).record)).ok


@evening
async def test_r69_everybody_sees_who_is_ready_and_nobody_what_they_hold(house: House) -> None:
    code, guests, _ = await table(house, "Ada", "Ben", "Kim", spectators="live")
    eve = house.guest("Eve")
    await eve.done(do.Enter, code)
    assert await eve.refused(do.Ready, code, rev=eve.view.rev) == "not_seated"
    await guests[2].done(do.Ready, code, rev=house.room(code).rev)
    assert eve.view.ready == (2,)
    assert eve.view.starts_at == starts_at(house, code)
    kinds = [event.__struct_config__.tag for update in eve.messages(Update) for event in update.events]
    assert kinds == ["said_ready"]
    await guests[2].done(do.Ready, code, rev=house.room(code).rev)
    assert len(eve.messages(Update)) == 2, "who has said so has nothing to add"


@evening
async def test_r69_who_resigns_or_is_replaced_by_a_bot_is_not_waited_for(house: House) -> None:
    code, guests, starter = await table(house, "Ada", "Ben", "Kim")
    other, third = [seat for seat in range(3) if seat != starter]
    await guests[starter].done(do.Resign, code)
    assert house.room(code).stage == "playing"
    assert starts_at(house, code) is not None
    assert house.room(code).deadline is None
    rev = house.room(code).rev
    await guests[other].done(do.Ready, code, rev=rev)
    await guests[third].done(do.Ready, code, rev=rev)
    assert starts_at(house, code) is None
    assert house.room(code).deadline == house.time.now + 40_000


@evening
async def test_r69_a_restart_keeps_the_time_that_was_left(house: House) -> None:
    code, guests, starter = await table(house, "Ada", "Ben")
    await guests[starter].done(do.Ready, code, rev=house.room(code).rev)
    await house.advance(3_000)
    await house.store.alive(house.time.now)
    house.time.now += 3_600_000
    again = House(house.store, house.time, start_phase=PHASE)
    await again.rooms.start()
    room: Room = again.room(code)
    assert room.starts_at == house.time.now + 12_000
    assert room.start is not None
    assert room.start.ready == (starter,)
    await again.advance(12_000)
    assert again.room(code).starts_at is None
    assert again.room(code).deadline == again.time.now + 40_000
    await again.rooms.close()


@evening
async def test_r69_what_arrives_after_the_countdown_is_played_though_its_alarm_has_not_rung(
    house: House,
) -> None:
    code, guests, starter = await table(house, "Ada", "Ben")
    rev = house.room(code).rev
    house.time.now += PHASE
    await guests[starter].done(do.Act, code, rev=rev, action=act.Draw(starter))
    assert house.state(code).turns[starter] == 1


@evening
async def test_r69_between_games_of_a_match_every_deal_has_its_phase(house: House) -> None:
    code, guests, _ = await table(house, "Ada", "Ben", games=2)
    await guests[0].done(do.Resign, code)
    await guests[0].done(do.Agree, code, to="next")
    await guests[1].done(do.Agree, code, to="next")
    assert starts_at(house, code) == house.time.now + PHASE
    await guests[0].done(do.Agree, code, to="end")
    await guests[1].done(do.Agree, code, to="end")
    assert house.room(code).stage == "over"
    assert starts_at(house, code) is None


@evening
async def test_r69_an_online_championship_table_has_it_and_waits_for_nobody_who_is_away(house: House) -> None:
    names = ("Ada", "Ben")
    reserved = [Reservation(name, lock_of(f"key of {name}")) for name in names]
    place = ChampionshipTable("k3f9qz", "evening", 1, 2)
    settings = Settings("wrc9", seats=2, games=2, clock=CLOCK)
    await house.rooms.championships.open("eventtable", settings, place, reserved)
    ada = house.guest("Ada")
    await ada.done(do.Enter, "eventtable")
    await ada.done(do.Claim, "eventtable", key="key of Ada")
    await house.rooms.championships.begin("eventtable", 1)
    assert starts_at(house, "eventtable") == house.time.now + PHASE
    await ada.done(do.Ready, "eventtable", rev=ada.view.rev)
    assert ada.view.ready == (0,)
    await house.advance(PHASE)
    assert starts_at(house, "eventtable") is None
    assert house.room("eventtable").deadline == house.time.now + 40_000
