"""Those who look on: never a rack before the end, late where that was agreed, nothing where it was not."""

from __future__ import annotations

import random

from meldroom.game import actions as act
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Drafted, Presence, Update
from meldroom.rooms.protocol.settings import TurnClock
from meldroom.rooms.runtime.publisher import DELAY
from tests.rooms.evening import evening
from tests.rooms.house import Guest, House

OFF = TurnClock("off")


def turns_seen(guest: Guest) -> int:
    """How many turns somebody has seen completed."""
    game = guest.view.game
    assert game is not None
    return sum(game.turns)


def visible_at(guest: Guest) -> int | None:
    """When somebody will see the game that has begun."""
    return guest.view.visible_at


@evening
async def test_a_live_spectator_sees_the_table_and_no_rack_until_the_end(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF, spectators="live")
    eve = house.guest("Eve")
    await eve.done(do.Enter, code)
    assert eve.view.game is not None
    assert eve.view.game.rack == ()
    assert guests[0].messages(Presence)[-1].spectators == 1
    await eve.done(do.Say, code, text="good evening")
    assert guests[0].view.chat[-1].seat is None
    await house.play_on(code, guests, random.Random(1))
    assert eve.view.game.racks is not None


@evening
async def test_where_nobody_may_look_on_a_stranger_sees_who_plays_and_no_game(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    eve = house.guest("Eve")
    await eve.done(do.Enter, code)
    assert eve.view.game is None
    assert [seat.name for seat in eve.view.seats] == ["Ada", "Ben"]
    await guests[0].done(do.Say, code, text="among us")
    assert eve.view.chat == ()
    await house.play_on(code, guests, random.Random(1))
    assert eve.view.game is None
    assert eve.view.secret is None
    assert eve.view.sheet is None
    assert not any(hasattr(event, "events") for update in eve.messages(Update) for event in update.events)


@evening
async def test_a_delayed_spectator_sees_everything_a_minute_late(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF, spectators="delayed")
    eve = house.guest("Eve")
    await eve.done(do.Enter, code)
    assert eve.view.game is None, "a minute ago there was no game"
    assert visible_at(eve) == house.time.now + DELAY
    seat, rev = house.state(code).seat, house.room(code).rev
    await house.advance(10_000)
    tile = house.state(code).racks[seat][0]
    await guests[seat].done(do.Draft, code, rev=rev, table=((tile,),))
    await guests[seat].done(do.Act, code, rev=rev, action=act.Draw(seat))
    assert not eve.messages(Drafted)
    await house.advance(DELAY - 10_000)
    assert turns_seen(eve) == 0
    assert visible_at(eve) is None
    await house.advance(10_000)
    assert turns_seen(eve) == 1
    assert len(eve.messages(Drafted)) == 1
    late = house.guest("Late")
    await guests[1 - seat].done(do.Act, code, rev=house.room(code).rev, action=act.Draw(1 - seat))
    await late.done(do.Enter, code)
    assert turns_seen(late) == 1
    assert turns_seen(guests[0]) == 2


@evening
async def test_who_watched_the_seats_fill_is_told_when_the_delayed_game_can_be_seen(house: House) -> None:
    ada, ben, eve, late = (house.guest(name) for name in ("Ada", "Ben", "Eve", "Late"))
    code = await house.open(ada, "me", "open", clock=OFF, spectators="delayed")
    for guest in (ada, ben, eve):
        await guest.done(do.Enter, code)
    await ben.done(do.Sit, code, seat=1)
    await house.advance(5 * DELAY)
    assert visible_at(eve) is None
    await ada.done(do.Begin, code)
    due = house.time.now + DELAY
    assert (eve.view.stage, visible_at(eve)) == ("waiting", due)
    assert [seat.name for seat in eve.view.seats] == ["Ada", "Ben"]
    await house.advance(10_000)
    await late.done(do.Enter, code)
    assert (late.view.stage, visible_at(late)) == ("waiting", due), "a minute ago they still waited"
    assert visible_at(ada) is None
    await house.advance(DELAY - 10_000)
    for guest in (eve, late):
        assert guest.view.game is not None
        assert visible_at(guest) is None


@evening
async def test_what_happened_within_the_last_minute_is_kept_for_a_delayed_spectator_who_comes_now(
    house: House,
) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF, spectators="delayed")

    async def draw() -> None:
        seat = house.state(code).seat
        await guests[seat].done(do.Act, code, rev=house.room(code).rev, action=act.Draw(seat))

    async def newcomer(name: str) -> Guest:
        guest = house.guest(name)
        await guest.done(do.Enter, code)
        return guest

    await house.advance(20_000)
    await draw()
    await house.advance(39_999)
    assert (await newcomer("Early")).view.game is None, "the deal was 59.999 seconds ago"
    await draw()
    await house.advance(1)
    assert turns_seen(await newcomer("Eve")) == 0, "the deal, of a minute ago"
    await house.advance(15_000)
    assert turns_seen(await newcomer("Kim")) == 0, "still the deal: the first turn was 55 seconds ago"
    await house.advance(5_000)
    assert turns_seen(await newcomer("Late")) == 1


@evening
async def test_drafts_are_shown_at_most_twenty_times_a_second_and_the_last_one_always(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    state, rev = house.state(code), house.room(code).rev
    mover, other = guests[state.seat], guests[1 - state.seat]
    for tile in state.racks[state.seat][:10]:
        await mover.done(do.Draft, code, rev=rev, table=((tile,),))
        await house.advance(10)
    await house.advance(100)
    seen = other.messages(Drafted)
    assert len(seen) <= 4
    assert seen[-1].table == ((state.racks[state.seat][9],),)
    assert not mover.messages(Drafted)
    newcomer = house.guest("Ben")
    newcomer.player = other.player
    await newcomer.done(do.Enter, code)
    assert newcomer.view.draft == seen[-1].table
    await mover.done(do.Draft, code, rev=rev)
    await house.advance(100)
    assert other.messages(Drafted)[-1].table is None


@evening
async def test_people_before_the_game_see_each_other_and_hear_the_chat(house: House) -> None:
    ada, ben = house.guest("Ada"), house.guest("Ben")
    code = await house.open(ada, "me", "open")
    await ada.done(do.Enter, code)
    await ben.done(do.Enter, code)
    await ben.done(do.Say, code, text="is this seat free?")
    assert ada.view.chat[0].name == "Ben"
    await ben.done(do.Leave, code)
    assert ada.messages(Presence)[-1].spectators == 0
    count = len(ben.frames)
    await ada.done(do.Say, code, text="it was")
    assert len(ben.frames) == count
