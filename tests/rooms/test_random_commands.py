"""Random people who send anything at any time are answered or refused, and the log stays the truth."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from meldroom.game import actions as act
from meldroom.game.legal.actions import legal
from meldroom.game.state import conserved
from meldroom.rooms.domain.state import fold
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Done, Refused
from meldroom.rooms.protocol.events import decode, encode
from meldroom.rooms.protocol.settings import TurnClock
from meldroom.rooms.views.cards import card_of
from meldroom.rooms.views.censor import Audience, Company, Portrait
from meldroom.rules.library import BOOK_IDS
from meldroom.tiles import Face, Tile
from tests.rooms.house import Guest, House
from tests.rooms.seeing import check_frame

CLOCKS = (TurnClock(), TurnClock("off"), TurnClock("seconds", 15, extra=5), TurnClock("hours", 1))


def some_command(house: House, code: str, chance: random.Random) -> tuple[type[Any], dict[str, Any]]:
    """A command that may or may not make sense now."""
    room = house.room(code)
    seat = chance.randint(-1, 4)
    rev = room.rev if chance.random() < 0.8 else chance.randint(0, 50)
    tiles = tuple(Tile(chance.randint(-1, 110)) for _ in range(chance.randint(0, 4)))
    choices: list[tuple[type[Any], dict[str, Any]]] = [
        (do.Enter, {"since": chance.choice([None, 0, room.seq, 9999])}),
        (do.Leave, {}),
        (do.Sit, {"seat": seat, "word": chance.choice(["", "a secret word", "x\ty"])}),
        (do.StandUp, {}),
        (do.SeatBot, {"seat": seat, "level": chance.choice(["beginner", "genius"])}),
        (do.ClearSeat, {"seat": seat}),
        (do.Begin, {}),
        (do.Ready, {"rev": rev}),
        (do.Agree, {"to": chance.choice(["end", "next"]), "yes": chance.random() < 0.8}),
        (do.StandIn, {"seat": seat}),
        (do.Reclaim, {}),
        (do.Say, {"text": chance.choice(["", "hi", "\x07"]), "phrase": chance.choice([None, "hello"])}),
        (do.React, {"reaction": chance.choice(["applause", "smile"])}),
        (do.ExtraTime, {"rev": rev}),
        (do.Hint, {"rev": rev, "step": 1}),
        (do.Playable, {"rev": rev}),
        (do.AskOdds, {"rev": rev}),
        (do.TakeBack, {"rev": rev}),
        (do.Draft, {"rev": rev, "table": (tiles,)}),
        (do.Draft, {"rev": rev, "melds": (act.MeldPlay(tiles, seat),), "discard": chance.randint(-1, 107)}),
        (do.Act, {"rev": rev, "action": chance.choice(wild_actions(seat, tiles))}),
    ]
    if room.stage == "playing" and chance.random() < 0.6:
        return do.Act, {"rev": rev, "action": legal(house.state(code)).sample(chance)}
    return chance.choice(choices)


def wild_actions(seat: int, tiles: tuple[Tile, ...]) -> list[Any]:
    """Actions of every kind with whatever tiles."""
    first = tiles[0] if tiles else Tile(5)
    return [
        act.Draw(seat),
        act.Pass(seat),
        act.Lay(seat, table=(tiles,), stated={0: tuple(map(Face, tiles))}),
        act.RequestRedeal(seat, tiles=tiles),
        act.Withdraw(seat),
        act.Take(seat, source="stock"),
        act.Take(seat, source="discard"),
        act.Play(seat, melds=(act.MeldPlay(tiles, seat),), discard=first),
        act.Discard(seat, tile=first),
    ]


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 1 << 30),
    book=st.sampled_from(BOOK_IDS),
    clock=st.sampled_from(CLOCKS),
    start_phase=st.sampled_from([0, 15_000]),
)
def test_whatever_people_send_is_done_or_refused_and_the_log_gives_the_room(
    seed: int, book: str, clock: TurnClock, start_phase: int
) -> None:
    asyncio.run(_wild_evening(seed, book, clock, start_phase))


async def _wild_evening(seed: int, book: str, clock: TurnClock, start_phase: int) -> None:
    chance = random.Random(seed)
    house = House(start_phase=start_phase)
    await house.rooms.start()
    guests = [house.guest(name) for name in ("Ada", "Ben", "Eve")]
    spectators = chance.choice(["off", "live", "delayed"])
    code = await house.open(
        guests[0], "me", "open", "beginner", book=book, clock=clock, spectators=spectators
    )
    for guest in guests:
        await guest.done(do.Enter, code)
    looked = dict.fromkeys(guests, 0)
    for _ in range(50):
        kind, fields = some_command(house, code, chance)
        guest = chance.choice(guests)
        before = house.room(code)
        answer = await guest.do(kind, code, **fields)
        assert isinstance(answer, Done | Refused)
        if isinstance(answer, Refused):
            assert answer.error.code != "failed"
            assert answer.error.message
            assert house.room(code).seq == before.seq or (
                answer.error.code == "too_late" or before.starts_at is not None
            )
        if chance.random() < 0.1:
            await house.advance(chance.choice([1_000, 15_000, 40_000]))
        else:
            house.time.now += 500
            await house.settle()
        _check(house, code, guests, looked)
    await house.rooms.close()


def _check(house: House, code: str, guests: list[Guest], looked: dict[Guest, int]) -> None:
    room = house.room(code)
    log = [decode(data) for data in house.store.logs[code]]
    assert fold(log) == room
    assert [event.seq for event in log] == list(range(1, room.seq + 1))
    assert all(decode(encode(event)) == event for event in log[-3:])
    if room.game is not None:
        assert conserved(room.game)
    if room.starts_at is not None:
        assert room.game is not None
        assert (room.stage, sum(room.game.turns), room.deadline) == ("playing", 0, None)
    for guest in guests:
        fresh = guest.frames[looked[guest] :]
        looked[guest] = len(guest.frames)
        if room.stage == "playing":
            drafts = {t for each in log[-40:] for t in _open_tiles(each)}
            seat = room.seat_of(guest.player.id)
            live = house.live(code).draft
            shown = set() if live is None else {t for tiles in live.table or () for t in tiles}
            shown |= set() if live is None else {t for m in live.melds or () for t in m.tiles}
            for frame in fresh:
                check_frame(frame, room, seat, drafts | shown)


def _open_tiles(event: Any) -> set[int]:
    """Tiles that an event laid open to all."""
    found: set[int] = set()
    for each in getattr(event, "events", ()):
        if type(each).__name__ in ("Discarded", "RedealGranted"):
            found |= {each.tile} if hasattr(each, "tile") else set(each.tiles)
    return found


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 1 << 30), book=st.sampled_from(BOOK_IDS))
def test_a_restart_at_every_event_gives_everybody_the_same_view(seed: int, book: str) -> None:
    async def evening() -> None:
        house = House()
        code, guests = await house.table("Ada", "Ben", book=book, clock=TurnClock("off"), spectators="live")
        chance = random.Random(seed)
        await house.play_on(code, guests, chance, most=12)
        log = [decode(data) for data in house.store.logs[code]]
        for count in range(1, len(log) + 1):
            store = house.store.copy()
            store.logs[code] = store.logs[code][:count]
            store.room_cards[code] = card_of(fold(log[:count]))
            again = House(store, house.time)
            await again.rooms.start()
            truth = fold(log[:count])
            for guest in (*guests, house.guest("Eve")):
                back = Guest(again, "x", player=guest.player)
                await back.done(do.Enter, code)
                audience = Audience.of(truth, guest.player.id)
                seated = audience.seat is not None
                company = Company(frozenset({guest.player.id} if seated else ()), 0 if seated else 1)
                assert back.view == Portrait(truth, company).view(audience, "en")
                again.rooms.disconnected(back)
            await again.rooms.close()

    asyncio.run(evening())
