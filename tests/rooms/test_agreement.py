"""Ending by agreement, the next game, rematches, matches, stand-ins that the others ask for, withdrawal."""

from __future__ import annotations

import random

from meldroom.game import actions as act
from meldroom.record import loads, verify
from meldroom.rooms.domain.state import fold
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.events import decode
from meldroom.rooms.protocol.settings import TurnClock
from tests.rooms.evening import evening
from tests.rooms.house import House

OFF = TurnClock("off")


@evening
async def test_a_game_ends_without_a_result_when_all_who_are_there_agree(house: House) -> None:
    code, (ada, ben, cleo) = await house.table("Ada", "Ben", "Cleo", clock=OFF)
    await ada.done(do.Agree, code, to="end")
    assert ben.view.agreed_end == (0,)
    await ben.done(do.Agree, code, to="end")
    await ben.done(do.Agree, code, to="end", yes=False)
    assert cleo.view.agreed_end == (0,)
    await cleo.done(do.Agree, code, to="end")
    assert house.room(code).stage == "playing"
    await ben.done(do.Agree, code, to="end")
    assert house.room(code).stage == "over"
    kept = house.store.games[f"{code}-1"]
    assert kept.scores == (0, 0, 0)
    assert verify(loads(kept.record)).ok
    assert ada.view.sheet is None
    assert ada.view.match.played == 0
    assert await ada.refused(do.Agree, code, to="end") == "not_playing"


@evening
async def test_who_is_away_is_not_asked_and_who_looks_on_has_no_say(house: House) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", clock=OFF)
    eve = house.guest("Eve")
    await eve.done(do.Enter, code)
    assert await eve.refused(do.Agree, code, to="end") == "not_seated"
    house.rooms.disconnected(ben)
    assert not ada.view.seats[1].present or ada.messages()[-1].present == (True, False)
    await ada.done(do.Agree, code, to="end")
    assert house.room(code).stage == "playing"  # they may be back in a moment
    await house.advance(59_000)
    await ada.done(do.Agree, code, to="end")
    assert house.room(code).stage == "playing"
    await house.advance(1_000)
    await ada.done(do.Agree, code, to="end")
    assert house.room(code).stage == "over"


@evening
async def test_a_rematch_is_one_yes_of_everybody_and_the_start_passes_on(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    assert await guests[0].refused(do.Agree, code, to="next") == "game_not_over"
    first = house.state(code).starter
    await house.play_on(code, guests, random.Random(3))
    first_secret = guests[0].view.secret
    seal = guests[0].view.commitment
    assert seal
    await guests[0].done(do.Agree, code, to="next")
    assert guests[1].view.agreed_next == (0,)
    assert house.room(code).stage == "over"
    await guests[1].done(do.Agree, code, to="next")
    assert house.room(code).stage == "playing"
    assert house.state(code).starter == 1 - first
    assert house.state(code).commitment == seal
    assert guests[0].view.secret is None
    assert guests[0].view.match.played == 0
    await house.play_on(code, guests, random.Random(4))
    assert guests[0].view.secret != first_secret
    assert set(house.store.games) == {f"{code}-1", f"{code}-2"}


@evening
async def test_with_bots_only_the_next_game_begins_at_once(house: House) -> None:
    ada = house.guest("Ada")
    code = await house.open(ada, "me", "club", "beginner", begin=True, clock=OFF)
    await ada.done(do.Enter, code)
    await ada.done(do.Agree, code, to="end")
    await ada.done(do.Agree, code, to="next")
    assert house.room(code).stage == "playing"
    assert house.room(code).number == 2


@evening
async def test_rummyo_a_match_of_four_rounds_adds_up_and_is_followed_by_another(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", book="rummyo", games=None)
    totals = [0, 0]
    starters = []
    for number in range(1, 5):
        starters.append(house.state(code).starter)
        assert house.state(code).game == number
        await house.play_on(code, guests, random.Random(number))
        result = house.state(code).result
        assert result is not None
        totals = [total + score for total, score in zip(totals, result.scores, strict=True)]
        match = guests[0].view.match
        assert (match.games, match.played, list(match.totals)) == (4, number, totals)
        assert (match.winners is not None) == (number == 4)
        for guest in guests:
            await guest.done(do.Agree, code, to="next")
    assert starters == [starters[0], 1 - starters[0]] * 2
    assert house.state(code).game == 1
    assert guests[0].view.match.played == 0
    assert fold(map(decode, house.store.logs[code])) == house.room(code)


@evening
async def test_somebody_new_at_the_table_ends_the_old_match(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", book="rummyo", games=None)
    await house.play_on(code, guests, random.Random(1))
    ada, ben = guests
    cleo = house.guest("Cleo")
    await cleo.done(do.Enter, code)
    await ben.done(do.StandUp, code)
    assert await ada.refused(do.Agree, code, to="next") == "seats_open"
    await cleo.done(do.Sit, code, seat=1)
    assert ada.view.match.played == 0
    for guest in (ada, cleo):
        await guest.done(do.Agree, code, to="next")
    assert house.state(code).players == ("Ada", "Cleo")
    assert house.state(code).game == 1


@evening
async def test_the_others_may_have_a_bot_stand_in_for_who_is_not_there(house: House) -> None:
    code, (ada, ben, cleo) = await house.table("Ada", "Ben", "Cleo", clock=OFF)
    assert await ada.refused(do.StandIn, code, seat=2) == "is_there"
    assert await ada.refused(do.StandIn, code, seat=0) == "no_stand_in_for"
    assert await ada.refused(do.StandIn, code, seat=9) == "no_such_seat"
    house.rooms.disconnected(cleo)
    await house.advance(60_000)
    await ada.done(do.StandIn, code, seat=2)
    assert house.room(code).chairs[2].stand_in is None
    assert ben.view.asked_stand_in == {2: (0,)}
    await ben.done(do.StandIn, code, seat=2)
    assert house.room(code).chairs[2].stand_in == "club"
    assert await ada.refused(do.StandIn, code, seat=2) == "stands_in_already"
    await house.settle()
    assert house.state(code).seat != 2
    await cleo.done(do.Enter, code)
    assert cleo.view.seats[2].stand_in == "club"
    await cleo.done(do.Reclaim, code)
    assert cleo.view.seats[2].stand_in is None


@evening
async def test_who_withdraws_is_skipped_and_the_game_goes_on(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", "Cleo", clock=OFF)
    await guests[1].done(do.Act, code, rev=house.room(code).rev, action=act.Withdraw(1))
    assert house.state(code).withdrawn == (False, True, False)
    assert guests[0].view.notice == "Ben has withdrawn from the game."
    assert await guests[1].refused(do.Agree, code, to="end") == "withdrawn"
    await house.play_on(code, guests, random.Random(1))
    assert verify(loads(house.store.games[f"{code}-1"].record)).ok


@evening
async def test_a_redeal_needs_its_proof(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    state, room = house.state(code), house.room(code)
    some = state.racks[0][:6]
    proof = act.RequestRedeal(0, tiles=some)
    assert await guests[0].refused(do.Act, code, rev=room.rev, action=proof) in ("no_doubles", "illegal_turn")
    theirs = act.RequestRedeal(0, tiles=state.racks[1][:6])
    assert await guests[0].refused(do.Act, code, rev=room.rev, action=theirs) == "tile_not_on_rack"
