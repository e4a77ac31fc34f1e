"""Opening a room, sitting down, bots, the host's rights, beginning."""

from __future__ import annotations

import asyncio

import pytest

from meldroom.rooms.errors import Refusal
from meldroom.rooms.ports import Player
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.settings import OpenRoom, Settings, TurnClock
from tests.rooms.evening import evening
from tests.rooms.house import Guest, House


@evening
async def test_a_new_opponent_has_a_new_name(house: House) -> None:
    ada = house.guest("Guest")
    wanted = OpenRoom(Settings("wrc11", seats=3), ("me", "club", "club"), other_names=("Ada", "chi"))
    code = await house.rooms.open(ada.player, wanted)
    assert [chair.name for chair in house.room(code).chairs] == ["Guest", "Bo", "Dev"]


@evening
async def test_a_newcomer_opens_a_room_with_a_bot_and_plays_at_once(house: House) -> None:
    ada = house.guest("Ada")
    code = await house.open(ada, "me", "club", begin=True)
    await ada.done(do.Enter, code)
    assert ada.view.stage == "playing"
    assert [seat.kind for seat in ada.view.seats] == ["person", "bot"]
    assert ada.view.game is not None
    assert len(ada.view.game.rack) >= 14


@evening
async def test_friends_come_by_the_link_and_two_of_a_name_are_told_apart(house: House) -> None:
    ada, other = house.guest("Ada"), Guest(house, "ada", player=Player("another", " ada "))
    code = await house.open(ada, "me", "open")
    await ada.done(do.Enter, code)
    await other.done(do.Enter, code)
    await other.done(do.Sit, code, seat=1)
    assert [seat.name for seat in ada.view.seats] == ["Ada", "ada 2"]
    assert other.view.me == 1
    assert all(seat.present for seat in ada.view.seats)
    assert not other.view.host
    assert ada.view.host


@evening
async def test_a_name_of_html_is_only_text_and_a_name_with_signs_that_cannot_be_printed_is_refused(
    house: House,
) -> None:
    markup = Guest(house, "x", player=Player("m", "<b>Bo</b>"))
    code = await house.open(markup, "me", "open")
    bad = Guest(house, "y", player=Player("n", "Bo\u202eb"))
    assert await bad.refused(do.Sit, code, seat=1) == "bad_name"
    assert house.room(code).chairs[0].name == "<b>Bo</b>"


@evening
async def test_sitting_down_again_takes_a_new_name_until_the_first_game(house: House) -> None:
    ada = house.guest("Ada")
    code = await house.open(ada, "me", "club")
    renamed = Guest(house, "ada", player=Player(ada.player.id, "Grace"))
    await renamed.done(do.Enter, code)
    await renamed.done(do.Sit, code, seat=0)
    assert house.room(code).chairs[0].name == "Grace"


@evening
async def test_seats_are_taken_once_and_freed(house: House) -> None:
    ada, ben, cleo = house.guest("Ada"), house.guest("Ben"), house.guest("Cleo")
    code = await house.open(ada, "me", "open", "open")
    await ben.done(do.Sit, code, seat=1)
    assert await cleo.refused(do.Sit, code, seat=1) == "seat_taken"
    assert await cleo.refused(do.Sit, code, seat=7) == "no_such_seat"
    assert await cleo.refused(do.Sit, code, seat=-1) == "no_such_seat"
    assert await ben.refused(do.Sit, code, seat=2) == "already_seated"
    assert await ben.refused(do.SeatBot, code, seat=2, level="club") == "not_host"
    assert await ada.refused(do.SeatBot, code, seat=2, level="genius") == "no_such_level"
    assert await ada.refused(do.SeatBot, code, seat=1, level="club") == "seat_taken"
    assert await ada.refused(do.Begin, code) == "seats_open"
    assert await ben.refused(do.Begin, code) == "not_host"
    await ada.done(do.SeatBot, code, seat=2, level="club")
    await ada.done(do.ClearSeat, code, seat=2)
    assert await ada.refused(do.ClearSeat, code, seat=2) == "seat_is_open"
    await cleo.done(do.Sit, code, seat=2)
    await cleo.done(do.StandUp, code)
    assert await cleo.refused(do.StandUp, code) == "not_seated"
    await ada.done(do.SeatBot, code, seat=2, level="beginner")
    await ada.done(do.Begin, code)
    assert await ben.refused(do.StandUp, code) == "game_running"
    assert await cleo.refused(do.Sit, code, seat=2) == "game_running"
    assert await ada.refused(do.Begin, code) == "begun_already"


@evening
async def test_when_the_host_stands_up_the_next_who_sits_may_begin(house: House) -> None:
    ada, ben = house.guest("Ada"), house.guest("Ben")
    code = await house.open(ada, "me", "open")
    await ben.done(do.Enter, code)
    await ben.done(do.Sit, code, seat=1)
    await ada.done(do.StandUp, code)
    assert ben.view.host
    await ben.done(do.SeatBot, code, seat=0, level="club")
    await ben.done(do.Begin, code)


@evening
async def test_the_seal_of_the_first_shuffle_is_public_before_anybody_gives_a_word(house: House) -> None:
    ada = house.guest("Ada")
    code = await house.open(ada, "me", "club")
    await ada.done(do.Enter, code)
    sealed = ada.view.commitment
    assert len(sealed) == 64
    await ada.done(do.Sit, code, seat=0, word="mine")
    await ada.done(do.Begin, code)
    assert ada.view.game is not None
    assert ada.view.game.commitment == sealed
    assert house.room(code).shuffle is not None
    assert house.room(code).shuffle.contributions == ("mine", "")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (OpenRoom(Settings("chess"), ("me", "open")), "no_such_book"),
        (OpenRoom(Settings("wrc11", {"joker_reuse": "always"}), ("me", "open")), "bad_option"),
        (OpenRoom(Settings("wrc11", {"nonsense": True}), ("me", "open")), "bad_option"),
        (OpenRoom(Settings("wrc11"), ("me",)), "bad_chairs"),
        (OpenRoom(Settings("wrc11"), ("open", "open")), "bad_chairs"),
        (OpenRoom(Settings("wrc11"), ("me", "me")), "bad_chairs"),
        (OpenRoom(Settings("wrc11"), ("me", "genius")), "no_such_level"),
        (OpenRoom(Settings("wrc11", stand_in="genius"), ("me", "open")), "no_such_level"),
        (OpenRoom(Settings("wrc11", clock=TurnClock("seconds", 5)), ("me", "open")), "bad_seconds"),
        (OpenRoom(Settings("wrc11", clock=TurnClock("hours", 200)), ("me", "open")), "bad_hours"),
        (OpenRoom(Settings("wrc11"), ("me", "open"), begin=True), "seats_open"),
        (OpenRoom(Settings("wrc11"), ("me", "open"), word="a\nb"), "bad_word"),
    ],
)
def test_a_room_that_cannot_be_is_refused_with_the_place(request_: OpenRoom, code: str) -> None:
    async def attempt() -> None:
        house = House()
        with pytest.raises(Refusal) as refused:
            await house.rooms.open(Player("p", "Ada"), request_)
        assert refused.value.code == code
        assert refused.value.error("fr").message != refused.value.error("en").message
        assert not house.store.logs

    asyncio.run(attempt())
