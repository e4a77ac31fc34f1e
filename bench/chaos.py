"""Faults in every part of several nodes while people play: is anything lost, doubled or stuck?

    python bench/chaos.py                               # 1,000 random faults
    python bench/chaos.py --faults 40 --seed 7 --tables 4 --nodes 3

Two nodes, one PostgreSQL and one NATS, all of them real; at each table sit people of both nodes. A random
fault at a time: `kill -9` of a node, of NATS or of PostgreSQL with a restart, SIGSTOP of a node beyond its
lease and then SIGCONT, or a restart of a node in order. Once the parts are back, every table must have gone
on within ten seconds. In the end every action that was acknowledged and every event that anybody was told of
must be in the log, once, and every shuffle is computed again.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from testkit.server.cluster_trial import FAULTS, run_trial  # noqa: E402

PLAYABLE_WITHIN = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trial and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--faults", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=2)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--only", choices=FAULTS, nargs="+", default=list(FAULTS))
    options = parser.parse_args(arguments)
    chance = random.Random(options.seed)
    chosen = [chance.choice(options.only) for _ in range(options.faults)]
    times: list[float] = []

    def tell(number: int, fault: str, still: float) -> None:
        times.append(still)
        print(f"{number:5d} {fault:14s} all tables went on after {still:5.2f} s", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        outcome = run_trial(
            Path(folder),
            chosen,
            options.seed,
            nodes=options.nodes,
            tables=options.tables,
            playable_within=PLAYABLE_WITHIN,
            tell=tell,
        )
    times.sort()
    counted = ", ".join(f"{count} {fault}" for fault, count in sorted(outcome.faults.items()))
    print(
        f"{len(chosen)} faults ({counted}); {outcome.plays} plays, {outcome.acknowledged} acknowledged\n"
        f"all tables went on after {times[len(times) // 2]:.2f} s in the median, {times[-1]:.2f} s at worst\n"
        f"{outcome.verdict.rooms} rooms, {outcome.verdict.events} events, "
        f"{outcome.verdict.finished} games finished"
    )
    problems = (*outcome.problems, *outcome.verdict.faults)
    for problem in problems[:40]:
        print(f"    {problem}")
    print(f"{len(problems)} problems")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
