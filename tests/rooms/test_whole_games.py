"""Whole games through the rooms, in every book: they verify, and nobody gets a tile that they may not see."""

from __future__ import annotations

import asyncio
import random

import pytest

from meldroom.game.actions import Lay, MeldPlay
from meldroom.game.events import Discarded, Took
from meldroom.game.legal.actions import legal
from meldroom.game.state import conserved
from meldroom.record import loads, verify
from meldroom.rooms.domain.state import fold
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Drafted
from meldroom.rooms.protocol.events import decode
from meldroom.rules.library import BOOK_IDS
from tests.rooms.house import Guest, House
from tests.rooms.seeing import check_frame


@pytest.mark.parametrize("book", BOOK_IDS)
def test_a_game_of_people_verifies_with_their_words_in_the_shuffle(book: str) -> None:
    async def evening() -> None:
        house = House()
        code, guests = await house.table("Ada", "Ben", "Cleo", book=book)
        await house.play_on(code, guests, random.Random(book))
        assert house.room(code).stage == "over"
        record = loads(house.store.games[f"{code}-1"].record)
        assert verify(record).ok
        assert record.headers.contributions == ("", "word of Ben", "word of Cleo")
        assert guests[0].view.secret == record.headers.secret
        assert guests[0].view.record == f"{code}-1"
        await house.rooms.close()

    asyncio.run(evening())


@pytest.mark.parametrize("book", BOOK_IDS)
def test_no_frame_of_a_game_tells_a_tile_that_its_receiver_may_not_see(book: str) -> None:
    async def evening() -> None:
        house = House()
        chance = random.Random(f"leaks {book}")
        ada, ben = house.guest("Ada"), house.guest("Ben", "fr")
        eve, zoe = house.guest("Eve"), house.guest("Zoe")
        code = await house.open(
            ada, "me", "open", "club", book=book, word="the word of Ada", spectators="live"
        )
        closed = await house.open(zoe, "me", "club", book=book, spectators="off")
        for guest in (ada, ben, eve):
            await guest.done(do.Enter, code)
        for guest in (zoe, eve):
            await guest.done(do.Enter, closed)
        await ben.done(do.Sit, code, seat=1, word="the word of Ben")
        await ada.done(do.Begin, code)
        await zoe.done(do.Begin, closed)
        watch = _Watch(house, code, {ada: 0, ben: 1, eve: None})
        await house.settle()
        await watch.look()
        while house.room(code).stage == "playing":
            room = house.room(code)
            assert room.to_act is not None
            mover = (ada, ben)[room.to_act]
            await watch.plan(ben if mover is ada else ada, chance)
            await watch.draft(mover, chance)
            if chance.random() < 0.1 and room.deadline is not None:
                await house.advance(room.deadline - house.time.now)
            else:
                await mover.done(do.Act, code, rev=room.rev, action=legal(house.state(code)).sample(chance))
            await eve.done(do.Say, code, phrase="nice") if chance.random() < 0.05 else None
            if chance.random() < 0.2:  # Comes back: a snapshot with the whole history.
                await chance.choice((ada, ben, eve)).done(do.Enter, code)
            house.time.now += 5_000
            await house.settle()
            await watch.look()
        assert ada.view.game is not None
        assert ada.view.game.racks is not None
        assert watch.planned > 4
        assert ada.view.contributions == ("the word of Ada", "the word of Ben", "")
        for seed in house.thinker.seeds:
            assert not any(secret in seed for secret in ("secret-",))
        await house.rooms.close()

    asyncio.run(evening())


class _Watch:
    """Looks at every frame once, against the truth at that time."""

    def __init__(self, house: House, code: str, seats: dict[Guest, int | None]) -> None:
        self.house = house
        self.code = code
        self.seats = seats
        self.seen = dict.fromkeys(seats, 0)
        self.shown: set[int] = set()
        self.discarded: set[int] = set()
        self.told = 0
        self.planned = 0

    async def look(self) -> None:
        """Check what came since the last look; conservation and the log as well."""
        room = self.house.room(self.code)
        # A discard lay open to all, even if somebody has taken it meanwhile: the history tells of it.
        self.discarded |= {
            event.tile
            for event in room.game_events[self.told :]
            if isinstance(event, Discarded) or (isinstance(event, Took) and event.source == "discard")
        }
        self.told = len(room.game_events)
        for guest, seat in self.seats.items():
            for frame in guest.frames[self.seen[guest] :]:
                if f'"room":"{self.code}"'.encode() in frame:
                    check_frame(frame, room, seat, self.shown | self.discarded)
                else:
                    self._closed(frame)
            self.seen[guest] = len(guest.frames)
        self.shown = set()
        assert conserved(self.house.state(self.code))
        assert fold([decode(data) for data in self.house.store.logs[self.code]]) == room

    def _closed(self, frame: bytes) -> None:
        """Who looks on where nobody may sees seats and no game."""
        assert b'"game":{' not in frame
        assert b'"events":[{"event"' not in frame

    async def plan(self, waiting: Guest, chance: random.Random) -> None:
        """Somebody arranges tiles off turn: they get a judgement, and nobody hears a thing."""
        state, room = self.house.state(self.code), self.house.room(self.code)
        seat = self.seats[waiting]
        assert seat is not None
        assert seat != state.seat
        if room.chairs[seat].stand_in is not None:
            return
        some = tuple(chance.sample(state.racks[seat], min(3, len(state.racks[seat]))))
        before = {guest: len(guest.frames) for guest in self.seats}
        if state.book.family == "rearranging":
            done = await waiting.done(do.Plan, self.code, rev=room.rev, table=(*state.table, some))
        else:
            kept = [MeldPlay(m.tiles, m.owner, m.reading.kind) for m in state.melds]
            done = await waiting.done(
                do.Plan, self.code, rev=room.rev, melds=(*kept, MeldPlay(some, seat)), discard=None
            )
        assert done.judgement is not None
        assert done.judgement.laid == len(some)
        await self.house.settle()
        assert {guest: len(guest.frames) for guest in self.seats} == before
        assert self.house.room(self.code) == room
        self.planned += 1

    async def draft(self, mover: Guest, chance: random.Random) -> None:
        """The player to move shows some tiles of their own rack."""
        state, room = self.house.state(self.code), self.house.room(self.code)
        rack = list(state.racks[state.seat])
        some = tuple(chance.sample(rack, min(3, len(rack))))
        before = {guest: len(guest.messages(Drafted)) for guest in self.seats}
        if state.book.family == "rearranging":
            table = Lay(state.seat, table=(*state.table, some)).table
            await mover.done(do.Draft, self.code, rev=room.rev, table=table)
        else:
            kept = [MeldPlay(m.tiles, m.owner, m.reading.kind) for m in state.melds]
            await mover.done(do.Draft, self.code, rev=room.rev, melds=(*kept, MeldPlay(some, state.seat)))
        self.shown |= set(some)
        for guest in self.seats:
            told = len(guest.messages(Drafted)) - before[guest]
            assert told == (0 if guest is mover else 1)
