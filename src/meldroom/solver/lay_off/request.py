"""`solve` requests for laying-off books, in the public shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.library import OptionValue
from meldroom.rules.requests import RequestError, read_book, read_faces, read_shape, read_table
from meldroom.rules.verify import FaceTable
from meldroom.solver.errors import SolverError
from meldroom.solver.lay_off.best import LayOffPlay, Objective, best_play
from meldroom.solver.lay_off.position import LayOffPosition, position_on


class LayOffRequestExtra(msgspec.Struct):
    """What a Rummy-O position needs besides, as in `check`: who plays and whose each meld is.

    `holders_before` may say of each tile in front of whom it counts.
    """

    player: str = "A"
    owners_before: list[str] | None = None
    holders_before: list[list[str]] | None = None


class LayOffRequest(msgspec.Struct):
    """One position in the public shape of `solve`."""

    rack: list[str]
    table: list[list[str]] = []
    rulebook: str = "rummyo"
    has_melded: bool = True
    objective: Objective = "tiles"
    options: dict[str, OptionValue] = {}
    extra: LayOffRequestExtra = msgspec.field(default_factory=LayOffRequestExtra)
    time_limit: float | None = None
    id: Any = None


def solve_lay_off(request: Mapping[str, Any], rules: RuleBook | None = None) -> dict[str, Any]:
    """The answer to a `solve` request for a laying-off book: the best play, its outcome, discard and bonus.

    `rules` takes the place of the book that the request names.

    >>> asked = {"rulebook": "rummyo", "table": [["R5", "R6", "*"]], "rack": ["R7", "K2", "K3", "O9"],
    ...          "has_melded": True, "extra": {"player": "A", "owners_before": ["B"]}}
    >>> answer = solve_lay_off(asked)
    >>> answer["table"], answer["discard"], answer["outcome"]
    ([['R5', 'R6', 'R7'], ['K2', 'K3', '*']], 'O9', 'OPEN_RUMMY')

    Raises RequestError.
    """
    asked = read_shape(request, LayOffRequest)
    rules = rules or read_book(asked.rulebook, asked.options)
    table, rack = read_table(rules, asked.table, "table"), read_faces(rules, asked.rack, "rack")
    owners = asked.extra.owners_before if asked.extra.owners_before is not None else ["?"] * len(table)
    try:
        position = position_on(rules, table, owners, asked.extra.player, rack, asked.has_melded)
        if asked.extra.holders_before is not None:
            holders = tuple(tuple(each) for each in asked.extra.holders_before)
            position = msgspec.structs.replace(position, holders=holders)
        play = best_play(rules, position, asked.objective, time_limit=asked.time_limit)
    except SolverError as error:
        raise RequestError.of(error, error.kind) from None
    return {"id": asked.id, **_as_json(rules, table, position, play)}


def _as_json(rules: RuleBook, table: FaceTable, position: LayOffPosition, play: LayOffPlay) -> dict[str, Any]:
    """A play in the public shape; melds that were not changed as they were written."""
    names = rules.tiles.face_names
    after = [meld.faces for meld in play.melds]
    for index, (old, written) in enumerate(zip(position.melds, table, strict=True)):
        if after[index] == old.faces:
            after[index] = written
    return {
        "played": [names[face] for face in play.played],
        "tiles": play.tiles,
        "points": play.points,
        "table": [[names[face] for face in faces] for faces in after],
        "optimal": play.optimal,
        "outcome": play.outcome,
        "discard": names[play.discard],
        "bonus": play.bonus,
        "score": play.score,
        "owners": [meld.owner for meld in play.melds],
    }
