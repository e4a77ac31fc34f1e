"""Cards and games for the tests of storage."""

from __future__ import annotations

from typing import Any

from meldroom.rooms.ports import FinishedGame, RoomCard


def card(room: str, **changes: Any) -> RoomCard:
    """A card of a running public room, with what a test cares about changed."""
    fields: dict[str, Any] = {
        "room": room,
        "host": "ada",
        "stage": "playing",
        "public": True,
        "book": "wrc11",
        "seats": 2,
        "names": ("Ada", "Bo"),
        "players": ("ada", "bo"),
        "opened_at": 1,
        "changed_at": 2,
    }
    return RoomCard(**{**fields, **changes})


def finished(game_id: str, **changes: Any) -> FinishedGame:
    """A finished game between Ada and a bot."""
    fields: dict[str, Any] = {
        "id": game_id,
        "room": "room1",
        "game": 1,
        "book": "wrc11",
        "players": ("Ada", "Club player"),
        "people": ("ada", ""),
        "scores": (10, -10),
        "winners": (0,),
        "ended_at": 5,
        "record": "a record\n",
    }
    return FinishedGame(**{**fields, **changes})
