"""How much two threads bring: `python bench/solver_threads.py`.

`solve_many` solves the positions of games in `bench/solver_positions.jsonl`, and play-outs go on from one of
them; with one thread and with several in turn, the best of some rounds by the clock. The share of processor
time that is spent before and after the threads is told as well. On a busy machine the ratio says little.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "src")]

from meldroom.bots import Playouts  # noqa: E402
from meldroom.rules.library import book  # noqa: E402
from meldroom.solver import solve_many  # noqa: E402
from meldroom.solver.kernel import mode, threads  # noqa: E402
from meldroom.tiles import parse_tile  # noqa: E402

CORPUS = Path(__file__).parent / "solver_positions.jsonl"
POSITION = (
    "wrc11@1 / table R1 R2 R3 | K9 B9 O9 / racks R4 K5 B1 B7 O8, ?x6, ?x9 / pool 30 / turn 1 / melded 1 2 3"
)


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes by the clock."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def share_outside(call: Callable[[], object]) -> float:
    """The share of a call's processor time that is spent outside the work that threads share."""
    inside = [0.0]
    on_threads = threads.on_threads

    def timed(work, shares, count):  # type: ignore[no-untyped-def]
        start = time.process_time()
        found = on_threads(work, shares, count)
        inside[0] += time.process_time() - start
        return found

    from meldroom.bots import chances
    from meldroom.solver.kernel import engine

    engine.on_threads = chances.on_threads = timed  # type: ignore[attr-defined]
    start = time.process_time()
    call()
    taken = time.process_time() - start
    engine.on_threads = chances.on_threads = on_threads  # type: ignore[attr-defined]
    return 1 - inside[0] / taken


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    mode.for_long_work(lambda told: print(told, file=sys.stderr))
    rules = book("tml")
    given = []
    for line in CORPUS.read_text().splitlines():
        position = json.loads(line)
        if position["kind"] == "game":
            table = tuple(tuple(parse_tile(x, rules.tiles) for x in faces) for faces in position["table"])
            given.append((table, tuple(parse_tile(x, rules.tiles) for x in position["rack"])))
    given *= 8
    tasks: dict[str, tuple[int, Callable[[int], object]]] = {
        "solve_many": (len(given), lambda count: solve_many(rules, given, threads=count)),
        "play-outs": (400, lambda count: Playouts(POSITION, seed="threads").more(400, threads=count)),
    }
    for name, (count, task) in tasks.items():
        task(arguments.threads)
        best = {1: float("inf"), arguments.threads: float("inf")}
        for _ in range(arguments.rounds):
            for number in best:
                best[number] = min(best[number], seconds(lambda n=number, t=task: t(n)))  # type: ignore[misc]
        start = time.process_time()
        task(1)
        each = (time.process_time() - start) / count
        outside = share_outside(lambda t=task: t(1))  # type: ignore[misc]
        print(
            f"{name}: {1e6 * each:.0f} µs of processor time each, {100 * outside:.0f} % outside the "
            f"threads; {count / best[1]:.0f} a second with one thread, "
            f"{count / best[arguments.threads]:.0f} with {arguments.threads}: "
            f"{best[1] / best[arguments.threads]:.2f} times"
        )


if __name__ == "__main__":
    main()
