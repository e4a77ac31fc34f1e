"""Kernels give the same answers compiled and interpreted, and a process goes from one to the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from meldroom.rules.library import book
from meldroom.solver import Solution, solve_faces
from meldroom.solver.kernel import mode
from meldroom.tiles import parse_set, parse_table

TML = book("tml")
POSITIONS = [
    ("R1 R2 R3 | K9 R9 B9", "R4 O9 K1"),
    ("R5 B5 K5 *", "O5 O6 O7"),
    ("O11 * O13", "O12 R13 B13"),
    ("", "R10 R11 R12 K1 K2 K3 B7 O7 K7 *"),
    ("R1 R2 R3 | R1 R2 R3 | K5 R5 B5 O5", "R4 R4 * *"),
]


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    before = mode.current()
    yield
    mode.choose(before)


def solved(wish: mode.Mode) -> list[Solution]:
    """All positions."""
    assert mode.choose(wish) == wish
    return [solve_faces(TML, parse_table(t, TML.tiles), parse_set(r, TML.tiles)) for t, r in POSITIONS]


def test_interpreted_kernels_give_the_same_tables() -> None:
    pytest.importorskip("numba")
    compiled = solved("compiled")
    assert compiled == solved("interpreted")
    assert compiled == solved("compiled")
