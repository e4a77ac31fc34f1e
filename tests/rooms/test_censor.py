"""The censor fails closed: what nobody has decided about is not shown."""

from __future__ import annotations

from typing import Any

import pytest

from meldroom.game.events import Drew
from meldroom.rooms.domain.state import opened
from meldroom.rooms.protocol import events as room_events
from meldroom.rooms.protocol.events import Chair, GamePlayed, RoomOpened, SeatTaken, ShuffleSealed
from meldroom.rooms.protocol.settings import Settings
from meldroom.rooms.views.censor import Audience, event_for
from meldroom.tiles import Tile

OPENED = RoomOpened(
    at=1,
    player="me",
    request="r",
    room="abc",
    settings=Settings("wrc11"),
    chairs=(Chair("person", "Ada", "me", "a word"), Chair()),
)
ROOM = opened(OPENED)


def test_an_unknown_kind_of_event_is_never_shown() -> None:
    class Whispered(room_events._RoomEvent, frozen=True, tag="whispered", kw_only=True):
        tile: int

    unknown: Any = Whispered(at=1, tile=3)
    with pytest.raises(TypeError, match="nobody has decided"):
        event_for(unknown, ROOM, Audience(0))


def test_ids_words_and_secrets_are_taken_out() -> None:
    assert event_for(OPENED, ROOM, Audience(0)) == RoomOpened(
        at=1, room="abc", settings=Settings("wrc11"), chairs=(Chair("person", "Ada"), Chair())
    )
    taken = SeatTaken(at=1, player="you", request="x", seat=1, name="Ben", word="hidden")
    assert event_for(taken, ROOM, Audience(0)) == SeatTaken(at=1, seat=1, name="Ben")
    sealed = ShuffleSealed(at=1, commitment="c", secret="s")
    assert event_for(sealed, ROOM, Audience(None)) == ShuffleSealed(at=1, commitment="c")


def test_a_draw_is_known_to_its_player_alone() -> None:
    played = GamePlayed(at=1, by="player", seat=0, events=(Drew(0, Tile(7)),))
    shown: list[Any] = [event_for(played, ROOM, Audience(seat)) for seat in (0, 1)]
    assert [event.events[0].tile for event in shown] == [7, -1]
    assert event_for(played, ROOM, Audience(None)) is None, "nobody looks on here"
