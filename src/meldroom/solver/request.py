"""`solve` as plain JSON values: one request in the public shape, one answer in the public shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from meldroom.errors import MissingExtraError
from meldroom.i18n import Language
from meldroom.rules.book import RuleBook
from meldroom.rules.library import OptionValue
from meldroom.rules.requests import (
    DEFAULT_BOOK,
    NO_BOOKS,
    Books,
    RequestError,
    read_book,
    read_faces,
    read_shape,
    read_table,
)
from meldroom.solver.best import Objective, Solution, solve_faces
from meldroom.solver.errors import SolverError
from meldroom.solver.kernel.engine import FaceSet, FaceTable
from meldroom.solver.plays import best_plays


class SolveRequest(msgspec.Struct):
    """One position. `pool_empty` changes no best play; it is part of the public shape.

    `neat` changes few old sets; `alternatives` asks for so many other best plays, `explain` for
    the movements of the hands, `hint` for a rung of the ladder instead of the play. A laying-off book has
    fields of its own (`meldroom.solver.lay_off.best`).
    """

    rack: list[str]
    table: list[list[str]] = []
    rulebook: str = DEFAULT_BOOK
    has_melded: bool = True
    objective: Objective = "tiles"
    pool_empty: bool = False
    options: dict[str, OptionValue] = {}
    time_limit: float | None = None
    neat: bool = True
    alternatives: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    explain: bool = False
    hint: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    language: Language = "en"
    id: Any = None


def answer(request: Mapping[str, Any], books: Books = NO_BOOKS) -> dict[str, Any]:
    """The answer to a `solve` request.

    >>> answer({"rulebook": "tml", "table": [["R1", "R2", "R3"]], "rack": ["R4", "K9"]})["played"]
    ['R4']

    Raises RequestError.
    """
    asked = read_shape(request, SolveRequest)
    rules = read_book(asked.rulebook, asked.options, books)
    table, rack = read_table(rules, asked.table, "table"), read_faces(rules, asked.rack, "rack")
    if rules.family == "laying_off":
        from meldroom.solver.lay_off.request import solve_lay_off

        return solve_lay_off(request, rules)
    try:
        found = solve_faces(
            rules,
            table,
            rack,
            asked.has_melded,
            asked.objective,
            time_limit=asked.time_limit,
            neat="thorough" if asked.neat and (asked.explain or asked.hint) else asked.neat,
        )
    except SolverError as error:
        raise RequestError.of(error, error.kind) from None
    except MissingExtraError as error:
        raise RequestError.of(error, "no_solver") from None
    if asked.hint:
        from meldroom.solver.hints import hint

        ladder = hint(rules, table, rack, asked.has_melded, found)
        rung = min(asked.hint, len(ladder.rungs))
        return {"id": asked.id, "hint": ladder.as_json(rung, asked.language)}
    shape = {"id": asked.id, **as_json(rules, found)}
    if asked.alternatives:
        shape |= _alternatives(rules, table, rack, asked, found)
    if asked.explain:
        from meldroom.solver.explanation import explain

        shape["explanation"] = explain(rules, table, rack, found.table).as_json(asked.language)
    return shape


def _alternatives(
    rules: RuleBook, table: FaceTable, rack: FaceSet, asked: SolveRequest, found: Solution
) -> dict[str, Any]:
    """Other best plays, and whether there are none."""
    limit = asked.alternatives + 2
    plays = best_plays(rules, table, rack, asked.has_melded, asked.objective, limit=limit)
    others = [play for play in plays if play.played != found.played]
    shown = [as_json(rules, play) for play in others[: asked.alternatives]]
    return {"unique": not others, "alternatives": shown}


def as_json(rules: RuleBook, found: Solution) -> dict[str, Any]:
    """A solution in the public shape; `fewest` only in a neat one."""
    names = rules.tiles.face_names
    fewest = {} if found.fewest is None else {"fewest": found.fewest}
    return {
        "played": [names[face] for face in found.played],
        "tiles": found.tiles,
        "points": found.points,
        "table": [[names[face] for face in faces] for faces in found.table],
        "optimal": found.optimal,
        **fewest,
    }
