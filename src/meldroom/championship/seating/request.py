"""`seat` requests and answers as plain JSON values, the shape that others build on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from meldroom.championship.seating.errors import SeatingError
from meldroom.championship.seating.generate import Seating, seating
from meldroom.championship.seating.raffle import USUAL_SITTINGS, ApartIn
from meldroom.championship.seating.types import FOURS, TableSize
from meldroom.rules.requests import RequestError, read_shape

Answer = dict[str, Any]


class SeatRequest(msgspec.Struct):
    """Seat a number of players, or a list of names."""

    players: int | list[str]
    sittings: int = USUAL_SITTINGS
    seed: str | int = ""
    id: Any = None
    apart: list[list[int | str]] = []
    apart_in: ApartIn = "all"
    words: list[str] = []
    table_size: int | None = None
    """Players at a full table, if not as many as the rule book has."""


def answer(request: Mapping[str, Any], size: TableSize = FOURS) -> Answer:
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
            size=size if asked.table_size is None else TableSize.at_most(asked.table_size),
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
        "most_tables_of_three": found.most_short_tables,
        "sitting_out": [[found.players[player] for player in each] for each in out] if named else out,
        "order": [found.players[player] for player in found.order] if named else found.order,
    }
