"""The solver against CP-SAT and SciPy's HiGHS on random positions: `python bench/solver_oracles.py`.

Positions have 0, 1 or 2 jokers in play, or as many as `--jokers` says; 0 to 95 tiles on the table and 1 to
20 on the rack, and both objectives take turns. CP-SAT solves a model of flows; SciPy the same model, and for
four in a hundred a model of set counts. Every answer is judged by the rule book as well. The two oracles run
in processes of their own, since CP-SAT and HiGHS do not share one; `--oracles SciPy` asks only one. With
`--store FILE` what is done is kept, and a later run goes on from there. The exit status is 1 if anything
differs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "src")]

from meldroom.rules.library import book  # noqa: E402
from meldroom.rules.verify import Turn, verify  # noqa: E402
from meldroom.solver import Objective, solve_faces  # noqa: E402
from meldroom.solver.kernel import mode  # noqa: E402
from meldroom.tiles import Face  # noqa: E402
from testkit.solver import oracles  # noqa: E402
from testkit.solver.positions import random_position  # noqa: E402

Position = tuple[tuple[tuple[Face, ...], ...], tuple[Face, ...], Objective]
TML = book("tml")
TML4 = book("tml", {"jokers": 4})
CHUNK = 100
ORACLES = ("CP-SAT", "SciPy")


def positions(seed: int, count: int, jokers: list[int]) -> list[Position]:
    """Random positions with these numbers of jokers for both objectives."""
    rng = Random(seed)
    found: list[Position] = []
    rules = TML if max(jokers) <= 2 else TML4
    for i in range(count):
        size = rng.choice((0, 10, 20, 30, 40, 50, 60, 70, 80, 95))
        wild = jokers[i % len(jokers)]
        table, rack = random_position(rules, rng, size, max(wild, rng.randint(1, 20)), wild)
        found.append((table, rack, ("tiles", "points")[i // len(jokers) % 2]))
    return found


def oracle(name: str, given: list[Position]) -> list[tuple[int, int] | str]:
    """The scores of one oracle; an error is an error, as a text."""
    scores: list[tuple[int, int] | str] = []
    for index, position in enumerate(given):
        try:
            if name == "CP-SAT":
                scores.append(oracles.by_cp_sat(TML4, *position))
            else:
                scores.append(oracles.by_milp(TML4, *position, flow=index % 25 > 0))
        except oracles.OracleError as error:
            scores.append(str(error))
    return scores


def mine(position: Position) -> tuple[int, int, float]:
    """The solver's score and its milliseconds; raises if the answer is not legal or not proven."""
    table, rack, objective = position
    start = time.process_time()
    found = solve_faces(TML4, table, rack, objective=objective)
    taken = 1000 * (time.process_time() - start)
    faults = verify(TML4, Turn(table, rack, found.table, True)) if found.played else ()
    if faults or not found.optimal:
        raise SystemExit(f"not legal or not proven: {position} {found} {faults}")
    return found.tiles, found.points, taken


def main() -> int:
    """Compares chunk by chunk; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--jokers", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--oracles", nargs="+", choices=ORACLES, default=list(ORACLES))
    parser.add_argument("--store", type=Path, help="a file that keeps what is done")
    arguments = parser.parse_args()
    mode.for_long_work(lambda told: print(told, file=sys.stderr))
    asked = {"seed": arguments.seed, "jokers": arguments.jokers, "oracles": arguments.oracles}
    state: dict[str, Any] = {**asked, "done": 0, "wrong": 0, "errors": dict.fromkeys(ORACLES, 0), "times": []}
    if arguments.store and arguments.store.exists():
        state = json.loads(arguments.store.read_text())
        if any(state[name] != value for name, value in asked.items()):
            raise SystemExit(f"{arguments.store} was begun with other settings")
    mine(positions(1, 1, [2])[0])
    spawn = multiprocessing.get_context("spawn")
    everything = positions(arguments.seed, arguments.count, arguments.jokers)
    with contextlib.ExitStack() as stack:
        pools = {
            name: stack.enter_context(ProcessPoolExecutor(1, mp_context=spawn)) for name in arguments.oracles
        }
        for at in range(state["done"], len(everything), CHUNK):
            chunk = everything[at : at + CHUNK]
            pending = {name: pool.submit(oracle, name, chunk) for name, pool in pools.items()}
            scores = [mine(position) for position in chunk]
            state["times"] += [round(taken, 4) for _, _, taken in scores]
            for name, future in pending.items():
                for position, score, other in zip(chunk, scores, future.result(), strict=True):
                    if isinstance(other, str):
                        state["errors"][name] += 1
                    elif score[:2] != other:
                        state["wrong"] += 1
                        print("MISMATCH", name, position, score, other)
            state["done"] += len(chunk)
            if arguments.store:
                arguments.store.write_text(json.dumps(state))
            if at // CHUNK % 5 == 4:
                print(f"{state['done']} positions, {state['wrong']} mismatches", flush=True)
    times = sorted(state["times"])
    print(
        f"{state['done']} positions with {arguments.jokers} jokers, {state['wrong']} mismatches; oracles "
        f"without an answer: {state['errors']}; milliseconds of processor time: median "
        f"{times[len(times) // 2]:.2f}, 99 % {times[int(0.99 * len(times))]:.2f}, worst {times[-1]:.2f}"
    )
    return 1 if state["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
