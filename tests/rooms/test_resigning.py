"""Resigning: it ends a game of two, the others of more play on, and records hold it."""

from __future__ import annotations

import random

import pytest

from meldroom.game.actions import Draw, Pass
from meldroom.game.events import GameEnded, Resigned
from meldroom.record import loads, to_text, verify
from meldroom.rooms.domain.state import fold
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.events import decode
from meldroom.rooms.protocol.settings import TurnClock
from meldroom.rules.library import BOOK_IDS
from tests.rooms.evening import evening
from tests.rooms.house import House

OFF = TurnClock("off")


@pytest.mark.parametrize("book", BOOK_IDS)
def test_resigning_a_game_of_two_makes_the_other_win(book: str) -> None:
    evening(lambda house: _other_wins(house, book))()


async def _other_wins(house: House, book: str) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", book=book, clock=OFF)
    await house.play_on(code, [ada, ben], random.Random(book), most=6)
    await ada.done(do.Resign, code)
    view = ben.view
    assert view.stage == "over"
    assert view.game is not None
    assert view.game.result is not None
    assert (view.game.result.end, view.game.result.winners) == ("resigned", (1,))
    assert view.sheet is not None
    assert view.sheet[0].score < 0 <= view.sheet[1].score
    assert view.game.result.scores == tuple(line.score for line in view.sheet)
    if house.room(code).book.scoring.winner == "opponents":
        assert view.sheet[1].score == -view.sheet[0].score
    assert view.notice == "Ada has resigned."
    assert view.match.wins == (0, 1)


@pytest.mark.parametrize("book", BOOK_IDS)
def test_the_record_of_a_resigned_game_verifies(book: str) -> None:
    evening(lambda house: _record_verifies(house, book))()


async def _record_verifies(house: House, book: str) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", book=book, clock=OFF)
    await house.play_on(code, [ada, ben], random.Random(f"record {book}"), most=9)
    await ben.done(do.Resign, code)
    text = house.store.games[f"{code}-1"].record
    record = loads(text)
    assert "Ben resigns" in text
    assert "end resigned: " in text
    assert verify(record).ok
    assert to_text(record) == text
    seen = record.events
    assert any(isinstance(event, Resigned) and event.seat == 1 for event in seen)
    wrong = text.replace("winner Ada", "winner Ben")
    assert wrong != text
    assert not verify(loads(wrong)).ok


@evening
async def test_three_play_on_without_who_resigned_until_one_is_left(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", "Cleo", clock=OFF)
    mover = house.room(code).to_act
    assert mover is not None
    rack = house.state(code).racks[mover]
    await guests[mover].done(do.Resign, code)
    room = house.room(code)
    assert room.stage == "playing"
    assert room.to_act != mover
    assert house.state(code).withdrawn[mover]
    assert house.state(code).racks[mover] == rack
    assert await guests[mover].refused(do.Resign, code) == "withdrawn"
    assert await guests[mover].refused(do.Agree, code, to="end") == "withdrawn"
    last, other = [seat for seat in range(3) if seat != mover]
    await guests[other].done(do.Resign, code)
    result = house.state(code).result
    assert result is not None
    assert (result.end, result.winners) == ("resigned", (last,))
    assert fold([decode(data) for data in house.store.logs[code]]) == house.room(code)


@evening
async def test_who_resigned_cannot_win_when_the_tiles_run_out(house: House) -> None:
    for attempt in range(3):
        code, guests = await house.table("Ada", "Ben", "Cleo", clock=OFF)
        await guests[1].done(do.Resign, code)
        while house.room(code).stage == "playing":
            await house.settle()
            room, state = house.room(code), house.state(code)
            assert room.to_act is not None
            action = Draw(room.to_act) if state.pool else Pass(room.to_act)
            await guests[room.to_act].done(do.Act, code, rev=room.rev, action=action)
        ended = next(event for event in house.room(code).game_events if isinstance(event, GameEnded))
        assert ended.end == "exhausted"
        assert ended.winners, attempt
        assert 1 not in ended.winners
        assert verify(loads(house.store.games[f"{code}-1"].record)).ok


@evening
async def test_resigning_needs_a_seat_and_a_game_and_is_answered_again(house: House) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", clock=OFF)
    eve = house.guest("Eve")
    assert await eve.refused(do.Resign, code) == "not_seated"
    command = do.Resign(id="once", room=code)
    first = await house.rooms.handle(ada, command)
    assert await house.rooms.handle(ada, command) == first
    assert await ben.refused(do.Resign, code) == "not_playing"
    await ada.done(do.Agree, code, to="next")
    await ben.done(do.Agree, code, to="next")
    assert house.room(code).stage == "playing"
    assert house.state(code).withdrawn == (False, False)


@evening
async def test_resigning_against_a_bot(house: House) -> None:
    ada = house.guest("Ada")
    code = await house.open(ada, "me", "club", begin=True, clock=OFF)
    await ada.done(do.Enter, code)
    await house.settle()
    await ada.done(do.Resign, code)
    result = house.state(code).result
    assert result is not None
    assert result.winners == (1,)


@evening
async def test_resigning_while_a_bot_stands_in(house: House) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", clock=OFF)
    await ada.done(do.Leave, code)
    await house.advance(60_000)
    await ben.done(do.StandIn, code, seat=0)
    await house.settle()
    assert house.room(code).chairs[0].stand_in is not None
    await ada.done(do.Resign, code)
    result = house.state(code).result
    assert result is not None
    assert result.winners == (1,)
