"""The solver against CP-SAT and SciPy's HiGHS on random positions: `python bench/solver_oracles.py`.

Positions have 0, 1 or 2 jokers in play, or as many as `--jokers` says; 0 to 95 tiles on the table and 1 to
20 on the rack, and both objectives take turns. CP-SAT solves a model of flows; SciPy the same model, and for
four in a hundred a model of set counts. Every answer is judged by the rule book as well. The two oracles run
in processes of their own, since CP-SAT and HiGHS do not share one; `--oracles SciPy` asks only one. With
`--store FILE` what the oracles answered is kept: a later run compares the solver with those answers anew and
goes on from there, for `--seconds` at most. The exit status is 1 if anything differs.
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

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "src")]

from meldroom.rules.library import book  # noqa: E402
from meldroom.rules.verify import Turn, verify  # noqa: E402
from meldroom.solver import Objective, solve_faces  # noqa: E402
from meldroom.solver.kernel import mode  # noqa: E402
from meldroom.tiles import Face  # noqa: E402
from testkit.solver import oracles  # noqa: E402
from testkit.solver.positions import random_position  # noqa: E402

Position = tuple[tuple[tuple[Face, ...], ...], tuple[Face, ...], Objective]
Answer = tuple[int, int] | str
TML = book("tml")
TML4 = book("tml", {"jokers": 4})
CHUNK = 20
ORACLES = ("CP-SAT", "SciPy")
SETTINGS = ("seed", "jokers", "oracles")


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


def oracle(name: str, first: int, given: list[Position]) -> list[Answer]:
    """The scores of one oracle; an error is an error, as a text. `first` is the place of the first one."""
    scores: list[Answer] = []
    for index, position in enumerate(given, first):
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


def ask(arguments: argparse.Namespace, given: list[Position], answers: dict[str, list[Answer]]) -> None:
    """Adds the oracles' answers to the first positions that have none, chunk by chunk."""
    until = time.monotonic() + arguments.seconds
    spawn = multiprocessing.get_context("spawn")
    with contextlib.ExitStack() as stack:
        pools = {name: stack.enter_context(ProcessPoolExecutor(1, mp_context=spawn)) for name in answers}
        while time.monotonic() < until:
            done = min(map(len, answers.values()))
            chunk = given[done : done + CHUNK]
            if not chunk:
                break
            pending = {name: pool.submit(oracle, name, done, chunk) for name, pool in pools.items()}
            for name, future in pending.items():
                answers[name] += future.result()
            if arguments.store:
                asked = {name: getattr(arguments, name) for name in SETTINGS}
                arguments.store.write_text(json.dumps({**asked, "answers": answers}))


def main() -> int:
    """Asks the oracles, then compares everything; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--jokers", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--oracles", nargs="+", choices=ORACLES, default=list(ORACLES))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop asking after so long")
    parser.add_argument("--store", type=Path, help="a file that keeps what the oracles answered")
    arguments = parser.parse_args()
    mode.for_long_work(lambda told: print(told, file=sys.stderr))
    answers: dict[str, list[Answer]] = {name: [] for name in arguments.oracles}
    if arguments.store and arguments.store.exists():
        state = json.loads(arguments.store.read_text())
        if any(state[name] != getattr(arguments, name) for name in SETTINGS):
            raise SystemExit(f"{arguments.store} was begun with other settings")
        answers = state["answers"]
    given = positions(arguments.seed, arguments.count, arguments.jokers)
    ask(arguments, given, answers)
    done = min(map(len, answers.values()))
    mine(positions(1, 1, [2])[0])
    scores = [mine(position) for position in given[:done]]
    wrong = 0
    for name, others in answers.items():
        for position, score, other in zip(given[:done], scores, others[:done], strict=True):
            if not isinstance(other, str) and score[:2] != tuple(other):
                wrong += 1
                print("MISMATCH", name, position, score, other)
    silent = {name: sum(isinstance(other, str) for other in others) for name, others in answers.items()}
    times = sorted(taken for _, _, taken in scores)
    print(
        f"{done} positions with {arguments.jokers} jokers, {wrong} mismatches; oracles without an answer: "
        f"{silent}; milliseconds of processor time: median {times[len(times) // 2]:.2f}, 99 % "
        f"{times[int(0.99 * len(times))]:.2f}, worst {times[-1]:.2f}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
