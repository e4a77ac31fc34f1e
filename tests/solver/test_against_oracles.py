"""The solver against two independent exact models on random positions (10,000 of them in bench/)."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from random import Random

import pytest

from meldroom.rules.library import book
from meldroom.rules.verify import Turn, verify
from meldroom.solver import Objective, solve_faces
from meldroom.tiles import Face
from testkit.solver import oracles
from testkit.solver.positions import random_position

Position = tuple[tuple[tuple[Face, ...], ...], tuple[Face, ...], Objective]
TML = book("tml")
ALL = (0, 15, 30, 45, 60, 80, 95)


def positions(seed: int, count: int, tables: tuple[int, ...]) -> list[Position]:
    """Random positions with 0, 1 and 2 jokers for both objectives."""
    rng = Random(seed)
    found: list[Position] = []
    for i in range(count):
        table, rack = random_position(TML, rng, rng.choice(tables), rng.randint(1, 20), i % 3)
        found.append((table, rack, ("tiles", "points")[i // 3 % 2]))
    return found


def cp_sat_scores(given: list[Position]) -> list[tuple[int, int]]:
    """In a process of its own: CP-SAT and HiGHS do not share one."""
    return [oracles.by_cp_sat(TML, *position) for position in given]


def mine(position: Position) -> tuple[int, int]:
    table, rack, objective = position
    found = solve_faces(TML, table, rack, objective=objective)
    assert found.optimal
    if found.played:
        assert not verify(TML, Turn(table, rack, found.table, True))
    return found.tiles, found.points


def some(given: list[Position], kernels: str) -> list[Position]:
    """All of them, or a sixth where kernels are interpreted, jokers and objectives still mixed."""
    return given if kernels == "compiled" else given[: len(given) // 6]


@pytest.mark.parametrize("seed", range(3))
def test_equal_to_a_milp_of_flows(seed: int, kernels: str) -> None:
    for position in some(positions(seed, 60, ALL), kernels):
        assert mine(position) == oracles.by_milp(TML, *position, flow=True), position


def test_equal_to_a_milp_of_sets(kernels: str) -> None:
    for position in some(positions(50, 60, (0, 15, 30)), kernels):
        assert mine(position) == oracles.by_milp(TML, *position), position


def test_equal_to_cp_sat(kernels: str) -> None:
    given = some(positions(100, 200, ALL), kernels)
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        expected = pool.submit(cp_sat_scores, given).result()
    assert [mine(position) for position in given] == expected
