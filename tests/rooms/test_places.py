"""The room knows where sets lie and what happened: whoever comes back finds both as they were."""

from __future__ import annotations

import random

from meldroom.game.events import Dealt, Laid
from meldroom.rooms.domain.set_places import in_place
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Update
from meldroom.rooms.protocol.settings import TurnClock
from meldroom.tiles import Tile
from tests.rooms.evening import evening
from tests.rooms.house import House

OFF = TurnClock("off")


def sets(text: str) -> tuple[tuple[Tile, ...], ...]:
    """Sets of numbered tiles, `1 2 3 | 7 8 9`."""
    return tuple(tuple(Tile(int(word)) for word in part.split()) for part in text.split("|") if part.strip())


def test_old_sets_keep_their_places_and_new_ones_come_last() -> None:
    shown = sets("1 2 3 | 10 11 12 | 20 21 22")
    laid = sets("20 21 22 | 30 31 32 | 1 2 3 4 | 10 11 12")
    assert in_place(shown, laid) == sets("1 2 3 4 | 10 11 12 | 20 21 22 | 30 31 32")


def test_a_table_in_its_order_stays_as_its_player_arranged_it() -> None:
    shown = sets("1 2 3 4 5 6 | 10 11 12")
    halves = sets("1 2 3 | 4 5 6 7 | 10 11 12")
    assert in_place(shown, halves) == halves
    assert in_place((), sets("5 6 7 | 1 2 3")) == sets("5 6 7 | 1 2 3")


@evening
async def test_a_snapshot_has_the_places_and_the_history(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    await house.play_on(code, guests, random.Random(3), most=40)
    seen = guests[0].view
    again = house.guest("Ada")
    await again.done(do.Enter, code)
    snapshot = again.messages(Update)[0]
    assert snapshot.snapshot
    assert snapshot.view.game == seen.game
    assert seen.game is not None
    assert sorted(map(sorted, seen.game.table)) == sorted(map(sorted, house.state(code).table))
    laid = [event for event in house.room(code).game_events if isinstance(event, Laid)]
    assert laid, "nobody laid anything"
    assert [event for event in snapshot.history if isinstance(event, Laid)] == laid
    (dealt,) = [event for event in snapshot.history if isinstance(event, Dealt)]
    assert set(dealt.racks[1]) == {-1}
    assert not any(update.history for update in guests[0].messages(Update) if not update.snapshot)
