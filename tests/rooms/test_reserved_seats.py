"""Rooms of a championship: chairs kept for its entrants, no host, no bots, games that begin by themselves."""

from __future__ import annotations

import random

import pytest

from meldroom.game.actions import Withdraw
from meldroom.rooms.domain.clocks import BREAK, next_game_at
from meldroom.rooms.domain.reserved_seats import lock_of
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.events import Reservation, RoomOpened, decode
from meldroom.rooms.protocol.settings import ChampionshipTable, Settings
from meldroom.rooms.runtime.rooms import TO_COME_BACK
from tests.rooms.evening import evening
from tests.rooms.house import Guest, House

CODE = "eventtable"
PLACE = ChampionshipTable("k3f9qz", "evening", 1, 2)
NAMES = ("Ada", "Ben", "Cleo")


async def opened(house: House, games: int = 2, spectators: str = "off", stand_in_after: int = 0) -> None:
    settings = Settings(
        "wrc11",
        seats=len(NAMES),
        games=games,
        hints=False,
        spectators=spectators,  # type: ignore[arg-type]
        stand_in_after=stand_in_after,
    )
    reserved = [Reservation(name, lock_of(f"key of {name}")) for name in NAMES]
    await house.rooms.championships.open(CODE, settings, PLACE, reserved)


async def seated(house: House, *names: str) -> list[Guest]:
    guests = [house.guest(name) for name in names]
    for guest in guests:
        await guest.done(do.Enter, CODE)
        await guest.done(do.Claim, CODE, key=f"key of {guest.player.name}", word=f"w {guest.player.name}")
    await house.settle()
    return guests


def rack(guest: Guest) -> int | None:
    """How many tiles somebody sees on their rack; None if they do not see the game."""
    game = guest.view.game
    return len(game.rack) if game is not None else None


@evening
async def test_each_sits_with_their_own_key_and_then_the_game_begins_by_itself(house: House) -> None:
    await opened(house)
    first = decode(house.store.logs[CODE][0])
    assert isinstance(first, RoomOpened)
    assert first.championship == PLACE
    ada, _ = await seated(house, "Ada", "Ben")
    assert rack(ada) is None
    assert [(seat.kind, seat.name, seat.reserved) for seat in ada.view.seats] == [
        ("person", "Ada", True),
        ("person", "Ben", True),
        ("open", "Cleo", True),
    ]
    assert ada.view.championship == PLACE
    assert not ada.view.host
    await seated(house, "Cleo")
    assert rack(ada)
    assert house.state(CODE).players == NAMES
    assert house.state(CODE).starter == 0
    assert house.room(CODE).shuffle.contributions == ("w Ada", "w Ben", "w Cleo")  # type: ignore[union-attr]


@evening
async def test_nobody_else_can_sit_and_nobody_is_the_host(house: House) -> None:
    await opened(house)
    eve = house.guest("Eve")
    await eve.done(do.Enter, CODE)
    assert await eve.refused(do.Sit, CODE, seat=0) == "seat_reserved"
    assert await eve.refused(do.Claim, CODE, key="key of Eve") == "wrong_key"
    assert await eve.refused(do.Claim, CODE, key="key of Ada", word="a\nb") == "bad_word"
    (ada,) = await seated(house, "Ada")
    assert await ada.refused(do.Claim, CODE, key="key of Ben") == "already_seated"
    assert await ada.refused(do.SeatBot, CODE, seat=1, level="club") == "not_host"
    assert await ada.refused(do.ClearSeat, CODE, seat=0) == "not_host"
    assert await ada.refused(do.Begin, CODE) == "not_host"
    assert await ada.refused(do.StandUp, CODE) == "seat_is_yours"
    renamed = Guest(house, "ada", player=ada.player)
    await renamed.done(do.Sit, CODE, seat=0, word="another word")
    assert house.room(CODE).chairs[0].name == "Ada"
    for guest in (eve, ada):
        assert all(b"key of" not in frame for frame in guest.frames)
        assert all(lock_of("key of Ada").encode() not in frame for frame in guest.frames)


@evening
async def test_coming_again_adds_nothing_and_another_device_takes_over_in_the_middle(house: House) -> None:
    await opened(house)
    ada, ben, cleo = await seated(house, *NAMES)
    before = house.room(CODE).seq
    await ada.done(do.Claim, CODE, key="key of Ada")
    assert house.room(CODE).seq == before
    phone = Guest(house, "phone")
    await phone.done(do.Enter, CODE)
    assert rack(phone) is None
    await phone.done(do.Claim, CODE, key="key of Ada")
    assert phone.view.me == 0
    assert rack(phone)
    assert ada.view.me is None
    assert rack(ada) is None
    await house.play_on(CODE, [phone, ben, cleo], random.Random(1))
    assert house.room(CODE).stage == "over"


@evening
async def test_the_start_passes_on_and_after_the_last_game_there_is_no_rematch(house: House) -> None:
    await opened(house)
    guests = await seated(house, *NAMES)
    await house.play_on(CODE, guests, random.Random(2))
    due = house.room(CODE).acted_at + BREAK
    assert guests[0].view.next_at == due
    await house.advance(due - 1 - house.time.now)
    assert house.room(CODE).stage == "over"
    await house.advance(1)
    assert house.state(CODE).game == 2
    assert house.state(CODE).starter == 1
    await house.play_on(CODE, guests, random.Random(3))
    assert house.room(CODE).match_over
    assert next_game_at(house.room(CODE)) is None
    assert guests[0].view.match.played == 2
    assert await guests[0].refused(do.Agree, CODE, to="next") == "sitting_over"
    await house.advance(10 * BREAK)
    assert house.room(CODE).stage == "over"


@evening
async def test_those_who_are_there_may_go_on_before_the_break_is_over(house: House) -> None:
    await opened(house)
    guests = await seated(house, *NAMES)
    await house.play_on(CODE, guests, random.Random(2))
    house.rooms.disconnected(guests[2])
    for guest in guests[:2]:
        await guest.done(do.Agree, CODE, to="next")
    assert house.state(CODE).game == 2


@evening
async def test_the_break_goes_on_after_a_restart(house: House) -> None:
    await opened(house)
    guests = await seated(house, *NAMES)
    await house.play_on(CODE, guests, random.Random(2))
    again = House(house.store.copy(), house.time)
    await again.rooms.start()
    assert (await again.rooms.championships.room(CODE)).stage == "over"  # type: ignore[union-attr]
    await again.advance(BREAK)
    assert again.state(CODE).game == 2
    await again.rooms.close()


@evening
async def test_after_a_long_stop_everybody_has_time_to_come_back(house: House) -> None:
    await opened(house)
    guests = await seated(house, *NAMES)
    await house.play_on(CODE, guests, random.Random(2))
    house.time.now += 10 * BREAK
    again = House(house.store.copy(), house.time)
    await again.rooms.start()
    assert (await again.rooms.championships.room(CODE)).stage == "over"  # type: ignore[union-attr]
    await again.advance(TO_COME_BACK - 1)
    assert again.room(CODE).stage == "over"
    await again.advance(1)
    assert again.state(CODE).game == 2
    await again.rooms.close()


@evening
async def test_the_director_begins_without_who_is_late_and_they_come_in_the_middle(house: House) -> None:
    await opened(house)
    ada, ben = await seated(house, "Ada", "Ben")
    await house.rooms.championships.begin(CODE, 1)
    assert [seat.kind for seat in ada.view.seats] == ["person"] * 3
    assert not ada.view.seats[2].present
    await house.rooms.championships.begin(CODE, 1)
    assert house.room(CODE).number == 1
    (cleo,) = await seated(house, "Cleo")
    assert cleo.view.me == 2
    await house.play_on(CODE, [ada, ben, cleo], random.Random(4))
    assert house.room(CODE).stage == "over"


@evening
async def test_who_never_comes_is_played_for_by_the_clock_alone(house: House) -> None:
    await opened(house)
    ada, _ = await seated(house, "Ada", "Ben")
    await house.rooms.championships.begin(CODE, 1)
    while house.state(CODE).seat != 2:
        await house.advance(40_000)
    for _ in range(12):
        await house.advance(40_000)
    assert house.room(CODE).chairs[2].timeouts > 2
    assert house.room(CODE).chairs[2].stand_in is None
    assert await ada.refused(do.StandIn, CODE, seat=2) == "no_stand_ins"


@evening
async def test_a_game_is_not_abandoned_behind_the_back_of_one_who_is_away(house: House) -> None:
    await opened(house)
    ada, ben, cleo = await seated(house, *NAMES)
    house.rooms.disconnected(cleo)
    await ada.done(do.Agree, CODE, to="end")
    await ben.done(do.Agree, CODE, to="end")
    assert house.room(CODE).stage == "playing"
    await cleo.done(do.Agree, CODE, to="end")
    assert house.room(CODE).stage == "over"
    assert house.room(CODE).to_be_ruled
    assert await ada.refused(do.Agree, CODE, to="next") == "director_next"
    await house.advance(10 * BREAK)
    assert house.room(CODE).stage == "over"
    await house.rooms.championships.begin(CODE, 1)
    assert house.state(CODE).game == 1
    assert house.state(CODE).starter == 0


@evening
async def test_after_a_withdrawal_the_director_has_the_next_word(house: House) -> None:
    await opened(house)
    guests = await seated(house, *NAMES)
    await guests[1].done(do.Act, CODE, rev=house.room(CODE).rev, action=Withdraw(1))
    await house.play_on(CODE, guests, random.Random(5))
    assert house.room(CODE).to_be_ruled
    await house.advance(BREAK)
    assert house.room(CODE).stage == "over"


@evening
async def test_a_chair_for_somebody_else_waits_for_the_end_of_the_game(house: House) -> None:
    await opened(house)
    guests = await seated(house, *NAMES)
    dan = Reservation("Dan", lock_of("key of Dan"))
    await house.rooms.championships.reserve_seat(CODE, 2, dan)
    assert house.room(CODE).chairs[2].name == "Cleo"
    await house.play_on(CODE, guests, random.Random(2))
    await house.rooms.championships.reserve_seat(CODE, 2, dan)
    assert house.room(CODE).chairs[2].kind == "open"
    assert await guests[2].refused(do.Claim, CODE, key="key of Cleo") == "wrong_key"
    (late,) = await seated(house, "Dan")
    await house.advance(BREAK)
    assert house.state(CODE).players == ("Ada", "Ben", "Dan")
    assert late.view.me == 2


@evening
async def test_a_new_key_locks_the_old_one_out_at_once(house: House) -> None:
    await opened(house)
    ada, *_ = await seated(house, *NAMES)
    await house.rooms.championships.reserve_seat(CODE, 0, Reservation("Ada", lock_of("a new key")))
    assert rack(ada) is None
    assert await ada.refused(do.Claim, CODE, key="key of Ada") == "wrong_key"
    await ada.done(do.Claim, CODE, key="a new key")
    assert (ada.view.me, bool(rack(ada))) == (0, True)


@pytest.mark.parametrize("spectators", ["off", "live"])
def test_spectators_as_the_event_says(spectators: str) -> None:
    @evening
    async def look(house: House) -> None:
        await opened(house, spectators=spectators)
        eve = house.guest("Eve")
        await eve.done(do.Enter, CODE)
        await seated(house, *NAMES)
        assert rack(eve) == (0 if spectators == "live" else None)

    look()


@evening
async def test_opening_a_room_again_changes_nothing(house: House) -> None:
    await opened(house)
    await seated(house, "Ada")
    await opened(house)
    assert house.room(CODE).chairs[0].name == "Ada"
    assert await house.rooms.championships.room("nowhere") is None


@evening
async def test_resigning_is_a_withdrawal_and_nobody_plans(house: House) -> None:
    await opened(house)
    ada, ben, cleo = await seated(house, *NAMES)
    assert await ben.refused(do.Plan, CODE, rev=house.room(CODE).rev, table=()) == "no_planning"
    rev = house.room(CODE).rev
    assert ben.view.aids == ()
    for kind, code in ((do.TakeBack, "no_take_back"), (do.Playable, "no_playable"), (do.AskOdds, "no_odds")):
        assert await ben.refused(kind, CODE, rev=rev) == code
    await ada.done(do.Resign, CODE)
    await ben.done(do.Resign, CODE)
    assert house.room(CODE).stage == "playing"
    assert house.state(CODE).resigned == frozenset()
    assert await cleo.refused(do.SetBotSpeed, CODE, speed="fast") == "not_host"
    await cleo.done(do.Resign, CODE)
    assert house.room(CODE).to_be_ruled
