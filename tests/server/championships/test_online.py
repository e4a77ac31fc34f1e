"""A championship on Meldroom's own tables: rooms from seats, results from games, each exactly once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from meldroom.championship import read_lines, verify
from meldroom.championship.formats.format import preset
from meldroom.championship.results import check_result
from meldroom.championship.standings import final_ranking
from meldroom.game.actions import Withdraw
from meldroom.record import loads
from meldroom.rooms.domain.clocks import BREAK
from meldroom.rooms.protocol import commands as do
from meldroom.rules.library import BOOK_IDS
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.online.results import result_of_game
from meldroom.server.championships.pages.desk import desk_of
from tests.rooms.house import Guest, House
from tests.server.championships.online_hall import FORMAT, NAMES, OnlineHall, online

TWO_GAMES = FORMAT.replace("games = 1\n", "games = 2\n")
LONG = {"name": "Wolfeschlegelsteinhausenbergerdorff"}


@contextmanager
def refused(code: str) -> Iterator[None]:
    """A command that is refused with this code."""
    with pytest.raises(HallError) as caught:
        yield
    assert caught.value.code == code


def entered(hall: OnlineHall) -> list[str]:
    """What the engine has done, in order."""
    desk = desk_of(hall.championship._championship, hall.championship.now, hall.key, "en")
    return [line.do for line in reversed(desk.log) if line.author == "engine"]


def sound(hall: OnlineHall) -> bool:
    """Whether the championship's verifier finds the log in order."""
    return not verify(read_lines(hall.folder / hall.code / "log.jsonl"))[1]


def next_of(hall: OnlineHall) -> list[tuple[str, str]]:
    desk = desk_of(hall.championship._championship, hall.championship.now, hall.key, "en")
    return [(step.do, step.text) for step in desk.next]


@online
async def test_a_whole_event_from_the_draw_to_the_ranking(hall: OnlineHall) -> None:
    await hall.seated()
    done = await hall.command("open_rooms", stage="evening", sitting=1)
    assert set(done.action.rooms) == {1, 2}  # type: ignore[union-attr]
    for table in (1, 2):
        guests = await hall.sit("evening", table)
        assert hall.house.room(hall.room_of("evening", table)).stage == "playing"
        await hall.play("evening", table, guests, seed=table)
    assert entered(hall) == ["enter_result", "sign_sheet"] * 2
    await hall.command("close_stage")
    await hall.command("announce_draw", seed="another")
    await hall.command("reveal")
    assert ("open_rooms", "Open the online tables of sitting 1: Final") in next_of(hall)
    await hall.command("open_rooms", stage="final", sitting=1)
    guests = await hall.sit("final")
    # Two games at a table of four: who starts was drawn by lot, and the room begins with them (R66).
    first, second = hall.state.starters(("final", 1, 1))
    assert (first, second) == (2, 3)
    assert hall.house.state(hall.room_of("final")).starter == first
    await hall.play("final", 1, guests, seed=3)
    assert ("final", 1, 1) not in hall.state.sheets
    await hall.house.advance(BREAK)
    assert hall.house.state(hall.room_of("final")).starter == second
    await hall.play("final", 1, guests, seed=4)
    assert hall.state.sheets["final", 1, 1].referee == "engine"
    await hall.command("close_stage", stage="final")
    assert hall.state.stage_of_play() is None
    ranking = final_ranking(hall.state)
    assert len(ranking) == len(NAMES)
    assert {number for _, number in ranking[:4]} == set(hall.table("final"))
    assert sound(hall)


@online
async def test_a_result_is_what_the_game_was_with_the_racks_that_were_counted(hall: OnlineHall) -> None:
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    await hall.play("evening", 1, await hall.sit("evening", 1))
    code = hall.room_of("evening", 1)
    room, kept = hall.house.room(code), hall.house.store.games[f"{code}-1"]
    result = hall.state.results["evening", 1, 1, 1]
    assert room.game is not None
    assert result.scores == kept.scores
    assert result.winners == kept.winners
    assert [len(rack.tiles) for rack in result.racks if rack is not None] == [
        len(rack) for rack in room.game.racks
    ]
    names = tuple(hall.state.name_of(number) for number in hall.table("evening", 1))
    assert kept.players == names
    assert loads(kept.record).headers.tags["event"] == f"{hall.code}, evening, sitting 1, table 1"
    assert room.settings.spectators == "off"
    assert not room.settings.hints
    assert room.settings.stand_in_after == 0
    assert room.settings.options == {"conduct": "competition"}  # R68: no referee sits there.
    assert room.game.book.penalty.conduct == "competition"


@online
async def test_somebody_else_cannot_sit_and_an_old_link_opens_nothing(hall: OnlineHall) -> None:
    await hall.seated()
    await hall.command("set_options", spectators="live", stand_in_after=3)
    await hall.command("open_rooms", stage="evening", sitting=1)
    code = hall.room_of("evening", 1)
    stranger = Guest(hall.house, "stranger")
    await stranger.done(do.Enter, code)
    other = hall.table("evening", 2)[0]
    assert await stranger.refused(do.Sit, code, seat=0) == "seat_reserved"
    assert await stranger.refused(do.Claim, code, key=await hall.key_of(other)) == "wrong_key"
    assert stranger.view.settings.spectators == "live"
    assert stranger.view.settings.stand_in_after == 3
    number = hall.table("evening", 1)[0]
    old = await hall.key_of(number)
    await hall.championship.change(lambda running: running.renew_personal_key(number))
    assert await stranger.refused(do.Claim, code, key=old) == "wrong_key"
    await stranger.done(do.Claim, code, key=await hall.key_of(number))
    assert stranger.view.me == 0


@online
async def test_rooms_are_opened_once_and_only_where_games_are_to_be_played(hall: OnlineHall) -> None:
    await hall.seated()
    with refused("no_room"):
        await hall.command("begin_game", stage="evening", sitting=1, table=1)
    with refused("not_seated"):
        await hall.command("open_rooms", stage="final", sitting=1)
    with refused("no_such_table"):
        await hall.command("open_rooms", stage="evening", sitting=1, tables=[3])
    await hall.command("open_rooms", stage="evening", sitting=1, tables=[2])
    assert list(hall.hall.rooms) == [("evening", 1, 2)]
    await hall.command("open_rooms", stage="evening", sitting=1)
    with refused("rooms_open"):
        await hall.command("open_rooms", stage="evening", sitting=1)
    first = hall.room_of("evening", 2)
    guests = await hall.sit("evening", 2)
    await hall.command("open_rooms", stage="evening", sitting=1, tables=[2])
    assert hall.room_of("evening", 2) != first
    await hall.house.play_on(first, guests, random.Random(1))
    await hall.rest()
    assert not hall.state.results, "a room that was replaced counts no more"
    await hall.play("evening", 2, await hall.sit("evening", 2))
    assert len(hall.state.results) == 1
    with refused("already_entered"):
        await hall.command("begin_game", stage="evening", sitting=1, table=2)


@online
async def test_a_restart_in_the_middle_of_a_game_loses_nothing(hall: OnlineHall) -> None:
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    guests = await hall.sit("evening", 1)
    code = hall.room_of("evening", 1)
    await hall.house.play_on(code, guests, random.Random(1), most=20)
    again = await hall.reopened()
    try:
        assert again.house.room(code).stage == "playing"
        for guest in guests:
            guest.house = again.house
            await guest.done(do.Enter, code)
        await again.play("evening", 1, guests, seed=2)
        assert entered(again) == ["enter_result", "sign_sheet"]
        assert sound(again)
    finally:
        await again.close()


@online
async def test_a_stop_between_the_games_log_and_the_events_log(hall: OnlineHall) -> None:
    """The game is over in its room but not in the log: it is entered at the start, and once."""
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    guests = await hall.sit("evening", 1)
    before, _ = hall.killed()
    await hall.play("evening", 1, guests)
    again = await hall.reopened((before, hall.house.store.copy()))
    assert entered(again) == ["enter_result", "sign_sheet"]
    assert again.state.results == hall.state.results
    once_more = await again.reopened()
    try:
        await once_more.online.start()
        assert entered(once_more) == ["enter_result", "sign_sheet"]
        assert once_more.state == again.state
        assert sound(once_more)
    finally:
        await again.close()
        await once_more.close()


@online
async def test_a_stop_between_the_halls_file_and_the_rooms(hall: OnlineHall) -> None:
    await hall.seated()
    rooms = hall.house.store.copy()
    await hall.command("open_rooms", stage="evening", sitting=1)
    folder, _ = hall.killed()
    again = await hall.reopened((folder, rooms))
    try:
        await again.sit("evening", 1)
        assert again.house.room(again.room_of("evening", 1)).stage == "playing"
    finally:
        await again.close()


@online
async def test_a_stop_between_the_result_and_its_signature(hall: OnlineHall) -> None:
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    await hall.play("evening", 1, await hall.sit("evening", 1))
    folder, store = hall.killed()
    log = folder / hall.code / "log.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    again = await hall.reopened((folder, store))
    try:
        assert entered(again) == ["enter_result", "sign_sheet"]
        assert sound(again)
    finally:
        await again.close()


@online
async def test_an_abandoned_game_waits_for_the_director_who_lets_it_be_played_again(
    hall: OnlineHall,
) -> None:
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    guests = await hall.sit("evening", 1)
    code = hall.room_of("evening", 1)
    for guest in guests:
        await guest.done(do.Agree, code, to="end")
    await hall.rest()
    assert not hall.state.results
    (step,) = [text for name, text in next_of(hall) if name == "begin_game"]
    assert step.startswith("Table 1, game 1 was abandoned")
    await hall.command("begin_game", stage="evening", sitting=1, table=1)
    assert hall.house.room(code).stage == "playing"
    assert not [text for name, text in next_of(hall) if name == "begin_game"]
    await hall.play("evening", 1, guests)
    assert entered(hall) == ["enter_result", "sign_sheet"]
    await hall.command("set_notice", text="Lunch")
    assert hall.house.room(code).stage == "over"


@online
async def test_who_leaves_a_game_is_ruled_on_and_then_the_sitting_goes_on(hall: OnlineHall) -> None:
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    for table in (1, 2):
        await hall.play("evening", table, await hall.sit("evening", table), seed=table)
    await hall.command("close_stage")
    await hall.command("announce_draw", seed="another")
    await hall.command("reveal")
    await hall.command("open_rooms", stage="final", sitting=1)
    guests = await hall.sit("final")
    code = hall.room_of("final")
    await guests[2].done(do.Act, code, rev=hall.house.room(code).rev, action=Withdraw(2))
    await hall.play("final", 1, guests)
    desk = desk_of(hall.championship._championship, hall.championship.now, hall.key, "en")
    (stopped,) = desk.stopped
    assert stopped.game.why == "withdrawn"
    assert stopped.game.withdrawn == (2,)
    assert stopped.game.record == f"{code}-1"
    assert len(stopped.game.scores) == 4
    await hall.house.advance(BREAK)
    assert hall.house.room(code).stage == "over"
    place: dict[str, Any] = {"stage": "final", "sitting": 1, "table": 1, "game": 1}
    await hall.command("enter_result", **place, scores=[60, -10, -20, -30])
    assert hall.house.state(code).game == 2
    assert hall.house.state(code).starter == hall.state.starters(("final", 1, 1))[1]
    await hall.play("final", 1, guests)
    assert ("final", 1, 1) not in hall.state.sheets, "who ruled signs"
    await hall.command("sign_sheet", stage="final", sitting=1, table=1)
    assert sound(hall)


@online
async def test_a_withdrawal_from_the_event_is_one_from_the_game(hall: OnlineHall) -> None:
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    guests = await hall.sit("evening", 1, but=(3,))
    number, code = hall.table("evening", 1)[3], hall.room_of("evening", 1)
    await hall.command("begin_game", stage="evening", sitting=1, table=1)
    assert hall.house.state(code).withdrawn == (False,) * 4
    await hall.command("withdraw", number=number, reason="not seen")
    assert hall.house.state(code).withdrawn == (False, False, False, True)
    late = Guest(hall.house, "late")
    assert await late.refused(do.Claim, code, key=await hall.key_of(number)) == "wrong_key"
    await hall.play("evening", 1, guests)
    assert not hall.state.results
    place: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1, "game": 1}
    await hall.command("enter_result", **place, scores=[30, -10, -20, None])
    assert not desk_of(hall.championship._championship, hall.championship.now, hall.key, "en").stopped
    assert sound(hall)


@online
async def test_who_leaves_the_event_between_two_games_is_out_of_the_next(hall: OnlineHall) -> None:
    await hall.seated(TWO_GAMES)
    await hall.command("open_rooms", stage="evening", sitting=1)
    await hall.play("evening", 1, await hall.sit("evening", 1))
    code = hall.room_of("evening", 1)
    await hall.command("withdraw", number=hall.table("evening", 1)[1], reason="ill")
    await hall.command("begin_game", stage="evening", sitting=1, table=1)
    await hall.rest()
    assert hall.house.state(code).game == 2
    assert hall.house.state(code).withdrawn == (False, True, False, False)


@online
async def test_asked_by_many_at_once_a_game_is_entered_once(hall: OnlineHall) -> None:
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    guests = await hall.sit("evening", 1)
    await hall.house.play_on(hall.room_of("evening", 1), guests, random.Random(1))
    await asyncio.gather(*(hall.online.see_to(hall.championship) for _ in range(5)))
    await hall.rest()
    assert entered(hall) == ["enter_result", "sign_sheet"]


@online
async def test_at_the_table_everybody_has_the_name_that_the_public_knows(hall: OnlineHall) -> None:
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    first, second, *_ = hall.table("evening", 1)
    guests = await hall.sit("evening", 1, but=(3,))
    for number in (first, second):
        await hall.command("show_name", number=number, how="hidden")
    await hall.command("amend_entrant", number=hall.table("evening", 1)[2], entrant=LONG, reason="in full")
    assert [seat.name for seat in guests[0].view.seats[:3]] == ["–", "– 2", "Wolfeschlegelsteinhause…"]
    assert [seat.kind for seat in guests[0].view.seats] == ["person"] * 3 + ["open"]


@online
async def test_a_substitute_has_their_own_key_for_the_chair(hall: OnlineHall) -> None:
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    number = hall.table("evening", 1)[0]
    old = await hall.key_of(number)
    await hall.command("substitute", number=number, by={"name": "Zoe"}, reason="ill")
    assert hall.table("evening", 1)[0] == len(NAMES) + 1
    code = hall.room_of("evening", 1)
    guest = Guest(hall.house, "zoe")
    await guest.done(do.Enter, code)
    assert await guest.refused(do.Claim, code, key=old) == "wrong_key"
    await guest.done(do.Claim, code, key=await hall.key_of(len(NAMES) + 1))
    assert guest.view.seats[0].name == "Zoe"


@online
async def test_what_the_director_entered_before_stays_and_the_game_is_a_clash(hall: OnlineHall) -> None:
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    guests = await hall.sit("evening", 1)
    place: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1, "game": 1}
    await hall.command("enter_result", **place, scores=[60, -10, -20, -30])
    await hall.play("evening", 1, guests)
    assert hall.state.results["evening", 1, 1, 1].scores == (60, -10, -20, -30)
    (met,) = hall.hall.open_clashes()
    assert met.clash.command["do"] == "enter_result"
    assert met.by == "engine"
    assert not entered(hall)


@online
async def test_a_correction_is_the_directors_as_ever(hall: OnlineHall) -> None:
    await hall.seated()
    await hall.command("open_rooms", stage="evening", sitting=1)
    await hall.play("evening", 1, await hall.sit("evening", 1))
    place: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1, "game": 1}
    await hall.command("correct_result", **place, scores=[60, -10, -20, -30], reason="a ruling")
    await hall.online.see_to(hall.championship)
    assert hall.state.results["evening", 1, 1, 1].scores == (60, -10, -20, -30)
    assert sound(hall)


@pytest.mark.parametrize("book", BOOK_IDS)
def test_a_game_of_every_book_is_a_result_that_its_championship_takes(book: str) -> None:
    async def games() -> None:
        made = replace(preset("wrc"), book=book, book_version=UNSET, book_options={})
        for seed in range(2):
            house = House()
            code, guests = await house.table("Ada", "Ben", "Cleo", "Dan", book=book)
            await house.play_on(code, guests, random.Random(f"{book} {seed}"))
            game = house.state(code)
            result = result_of_game(made, game)
            assert check_result(made, result, 4) == result
            assert game.result is not None
            assert (result.scores, result.winners) == (game.result.scores, game.result.winners)
            assert len(result.racks) == 4
            await house.rooms.close()

    asyncio.run(games())
