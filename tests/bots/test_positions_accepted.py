"""What can be asked about a game can be asked of its state, a view, a position or its text."""

from __future__ import annotations

from typing import Any

import pytest

from meldroom import NotationError, State, solve
from meldroom.bots import win_chances
from meldroom.coach import win_probability
from meldroom.game.notation.position import parse_position
from meldroom.solver import PositionError

TEXT = "tml@1 / table R1 R2 R3 / racks R4 K5, ?x3 / pool 12 / turn 1 / melded 1 2"
STATE = State.from_position(TEXT)


@pytest.mark.parametrize("given", [STATE, STATE.position, STATE.view(0)], ids=["state", "position", "view"])
def test_chances_of_a_position_in_every_form(given: Any) -> None:
    assert win_chances(given, games=20) == win_chances(TEXT, games=20)
    assert win_probability(given, games=5).games == 5


def test_something_else_is_refused_with_a_sentence() -> None:
    with pytest.raises(PositionError, match="int"):
        win_chances(7)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "place", "faces"),
    [
        ("wrc11 / table R1 R2 R3 | R1 B5 K5 / racks R2, ?x5 / turn 1", "table: set 2", "B5"),
        ("rummyo / melds 1: R1 R2 R3 | 1: R1 B5 K5 / racks R2, ?x5 / turn 1 play", "melds: set 2", "B5"),
    ],
)
def test_a_table_that_cannot_lie_there_is_refused(text: str, place: str, faces: str) -> None:
    with pytest.raises(NotationError) as refused:
        State.from_position(text)
    assert refused.value.message("en").startswith(place)
    assert faces in refused.value.message("en")
    assert refused.value.message("fr") != refused.value.message("en")
    with pytest.raises(NotationError):
        State.from_position(parse_position(text))
    with pytest.raises((NotationError, PositionError)):
        solve(text)
    assert State.from_position(text, checked=False).racks
