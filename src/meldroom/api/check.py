"""A turn checked in the public shape of `meldroom check`, with its standing where somebody plays along."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from meldroom.api.schemas import TurnStanding
from meldroom.i18n import Language
from meldroom.rules.book import RuleBook
from meldroom.rules.requests import (
    CheckRequest,
    check,
    check_size,
    read_book,
    read_faces,
    read_shape,
    read_table,
)
from meldroom.rules.verify import FaceSet, FaceTable, Turn, opening_points, set_points


def checked(request: Mapping[str, Any], language: Language, standing: bool) -> dict[str, Any]:
    """The answer to a request; raises RequestError."""
    asked = read_shape(request, CheckRequest)
    check_size(asked.table_before, asked.table_after, [asked.rack], list(asked.stated.values()))
    answer = check(request, language)
    if standing:
        answer["standing"] = _standing(request)
    return answer


def _standing(request: Mapping[str, Any]) -> TurnStanding:
    """Each set of the table after, and how far an opening has come."""
    asked = read_shape(request, CheckRequest)
    rules = read_book(asked.rulebook, asked.options)
    before = read_table(rules, asked.table_before, "table_before")
    after = read_table(rules, asked.table_after, "table_after")
    rack = read_faces(rules, asked.rack, "rack")
    marks = tuple(rules.reader.is_set(faces) for faces in after)
    if asked.has_melded:
        return TurnStanding(marks, 0, 0)
    points = opening_reached(rules, before, rack, after)
    return TurnStanding(marks, points, rules.opening.points)


def opening_reached(rules: RuleBook, before: FaceTable, rack: FaceSet, after: FaceTable) -> int:
    """What a turn's new sets count towards an opening."""
    if rules.family == "rearranging":
        return opening_points(rules, Turn(before, rack, after, False))
    fresh = [faces for faces in after[len(before) :] if rules.reader.is_set(faces)]
    return sum(set_points(rules, faces) for faces in fresh)
