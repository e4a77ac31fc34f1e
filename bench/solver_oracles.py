"""The solver against CP-SAT and SciPy's HiGHS on random positions: `python bench/solver_oracles.py`.

Positions have 0, 1 or 2 jokers in play, 0 to 95 tiles on the table and 1 to 20 on the rack, and both
objectives take turns. CP-SAT solves a model of flows; SciPy the same model, and for four in a hundred a
model of set counts. Every answer is judged by the rule book as well. The two oracles run in processes of
their own, since CP-SAT and HiGHS do not share one. The exit status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "src")]

from meldroom.rules.library import book  # noqa: E402
from meldroom.rules.verify import Turn, verify  # noqa: E402
from meldroom.solver import Objective, solve_faces  # noqa: E402
from meldroom.tiles import Face  # noqa: E402
from testkit.solver import oracles  # noqa: E402
from testkit.solver.positions import random_position  # noqa: E402

Position = tuple[tuple[tuple[Face, ...], ...], tuple[Face, ...], Objective]
TML = book("tml")
CHUNK = 100


def positions(seed: int, count: int) -> list[Position]:
    """Random positions with 0, 1 and 2 jokers for both objectives."""
    rng = Random(seed)
    found: list[Position] = []
    for i in range(count):
        size = rng.choice((0, 10, 20, 30, 40, 50, 60, 70, 80, 95))
        table, rack = random_position(TML, rng, size, rng.randint(1, 20), i % 3)
        found.append((table, rack, ("tiles", "points")[i // 3 % 2]))
    return found


def oracle(name: str, given: list[Position]) -> list[tuple[int, int] | str]:
    """The scores of one oracle; an error is an error, as a text."""
    scores: list[tuple[int, int] | str] = []
    for index, position in enumerate(given):
        try:
            if name == "CP-SAT":
                scores.append(oracles.by_cp_sat(TML, *position))
            else:
                scores.append(oracles.by_milp(TML, *position, flow=index % 25 > 0))
        except oracles.OracleError as error:
            scores.append(str(error))
    return scores


def mine(position: Position) -> tuple[int, int]:
    """The solver's score; raises if the answer is not legal or not proven."""
    table, rack, objective = position
    found = solve_faces(TML, table, rack, objective=objective)
    faults = verify(TML, Turn(table, rack, found.table, True)) if found.played else ()
    if faults or not found.optimal:
        raise SystemExit(f"not legal or not proven: {position} {found} {faults}")
    return found.tiles, found.points


def main() -> int:
    """Compares chunk by chunk; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=2026)
    arguments = parser.parse_args()
    spawn = multiprocessing.get_context("spawn")
    start = time.monotonic()
    wrong, errors, done = 0, {"CP-SAT": 0, "SciPy": 0}, 0
    with (
        ProcessPoolExecutor(1, mp_context=spawn) as first,
        ProcessPoolExecutor(1, mp_context=spawn) as second,
    ):
        everything = positions(arguments.seed, arguments.count)
        for at in range(0, len(everything), CHUNK):
            chunk = everything[at : at + CHUNK]
            pending = {
                name: pool.submit(oracle, name, chunk)
                for name, pool in (("CP-SAT", first), ("SciPy", second))
            }
            scores = [mine(position) for position in chunk]
            for name, future in pending.items():
                for position, score, other in zip(chunk, scores, future.result(), strict=True):
                    if isinstance(other, str):
                        errors[name] += 1
                    elif score != other:
                        wrong += 1
                        print("MISMATCH", name, position, score, other)
            done += len(chunk)
            if at // CHUNK % 10 == 9:
                print(f"{done} positions, {wrong} mismatches, {time.monotonic() - start:.0f} s", flush=True)
    print(f"{done} positions, {wrong} mismatches; oracles without an answer: {errors}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
