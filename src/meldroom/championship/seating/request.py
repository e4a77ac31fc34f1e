"""`seat` requests and answers as plain JSON values, the shape that others build on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from meldroom.championship.seating.errors import SeatingError
from meldroom.championship.seating.generate import Seating, seating
from meldroom.championship.seating.raffle import ApartIn
from meldroom.championship.seating.types import FULL
from meldroom.rules.requests import RequestError, read_shape

Answer = dict[str, Any]


class SeatRequest(msgspec.Struct):
    """Seat a number of players, or a list of names."""

    players: int | list[str]
    sittings: int = FULL
    seed: str | int = ""
    id: Any = None
    apart: list[list[int | str]] = []
    apart_in: ApartIn = "all"
    words: list[str] = []


def answer(request: Mapping[str, Any]) -> Answer:
    """The answer to a `seat` request. Players are names where names were given, otherwise 0, 1, 2 …

    >>> found = answer({"id": 1, "players": 16, "sittings": 5, "seed": "any text"})
    >>> len(found["sittings"]), found["repeats"], found["bound"], found["seat_deviation"]
    (5, 0, 0, 0)

    Raises RequestError.
    """
    asked = read_shape(request, SeatRequest)
    try:
        found = seating(
            asked.players,
            asked.sittings,
            str(asked.seed),
            apart=[[_name(member) for member in group] for group in asked.apart],
            apart_in=asked.apart_in,
            words=asked.words,
        )
    except SeatingError as error:
        raise RequestError.of(error, error.code) from None
    return {"id": asked.id, **as_json(found, named=isinstance(asked.players, list))}


def _name(member: int | str) -> str:
    """How `seating` calls a player whom a request calls 0, 1, 2 …"""
    return str(member + 1) if isinstance(member, int) else member


def as_json(found: Seating, *, named: bool) -> Answer:
    """A seating in its public shape."""
    out = found.sitting_out()
    return {
        "sittings": found.named() if named else found.sittings,
        "repeats": found.repeats,
        "bound": found.bound,
        "seat_deviation": found.seat_deviation,
        "table_revisits": found.table_revisits,
        "most_tables_of_three": found.most_tables_of_three,
        "sitting_out": [[found.players[player] for player in each] for each in out] if named else out,
        "order": [found.players[player] for player in found.order] if named else found.order,
    }
