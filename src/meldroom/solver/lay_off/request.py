"""`solve` requests for laying-off books, in the public shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from meldroom.game.state import Phase
from meldroom.i18n import Language
from meldroom.rules.book import RuleBook
from meldroom.rules.library import OptionValue
from meldroom.rules.requests import RequestError, read_book, read_faces, read_shape, read_table
from meldroom.rules.verify import FaceTable
from meldroom.solver.errors import SolverError
from meldroom.solver.explanation.movements import TakeTile
from meldroom.solver.lay_off.best import LayOffPlay, Objective, best_play
from meldroom.solver.lay_off.explanation import explain_turn
from meldroom.solver.lay_off.hints import ladder_on, what_to_take
from meldroom.solver.lay_off.position import LayOffPosition, position_on


class LayOffRequestExtra(msgspec.Struct):
    """What a Rummy-O position needs besides, as in `check`: who plays and whose each meld is.

    `holders_before` may say of each tile in front of whom it counts. With `last_discard` no tile has been
    taken yet: the answer says in `take` which one to take, and plays on only with the discard.
    """

    player: str = "A"
    owners_before: list[str] | None = None
    holders_before: list[list[str]] | None = None
    last_discard: str | None = None


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
    explain: bool = False
    hint: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    language: Language = "en"
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
        return {"id": asked.id, **_answer(rules, table, position, asked)}
    except SolverError as error:
        raise RequestError.of(error, error.kind) from None


def _answer(
    rules: RuleBook, table: FaceTable, position: LayOffPosition, asked: LayOffRequest
) -> dict[str, Any]:
    """The best play with what was asked for besides, or a hint instead."""
    discard = asked.extra.last_discard
    offered = None if discard is None else read_faces(rules, [discard], "last_discard")[0]
    if asked.hint:
        phase: Phase = "play" if offered is None else "take"
        rungs = ladder_on(rules, position, phase, offered, asked.language, asked.time_limit)
        rung = min(asked.hint, len(rungs))
        return {"hint": {"rung": rung, "of": len(rungs), "sentence": rungs[rung - 1]}}
    take: TakeTile | None = None
    if offered is None:
        play = best_play(rules, position, asked.objective, time_limit=asked.time_limit)
    else:
        take, play = what_to_take(rules, position, offered, asked.time_limit)
    shape = _nothing_yet(rules, table, position) if take is not None and take.source == "stock" else None
    shape = shape or _as_json(rules, table, position, play)
    if take is not None:
        shape["take"] = take.source
    if asked.explain:
        shape["explanation"] = explain_turn(rules, position, play, take).as_json(asked.language)
    return shape


def _nothing_yet(rules: RuleBook, table: FaceTable, position: LayOffPosition) -> dict[str, Any]:
    """The public shape before a tile from the stock is seen: nothing is played yet."""
    names = rules.tiles.face_names
    return {
        "played": [],
        "tiles": 0,
        "points": 0,
        "table": [[names[face] for face in faces] for faces in table],
        "optimal": True,
        "outcome": None,
        "discard": None,
        "bonus": 0,
        "score": 0,
        "owners": [meld.owner for meld in position.melds],
    }


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
