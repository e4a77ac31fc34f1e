"""Faults in every part of several nodes while people play: is anything lost, doubled or stuck?

    python bench/chaos.py --keep chaos.jsonl            # up to 1,000 random faults, 25 at a time
    python bench/chaos.py --keep chaos.jsonl            # … and on from there, if it was ended
    python bench/chaos.py --faults 40 --seed 7 --tables 4 --nodes 3

Two nodes, one PostgreSQL and one NATS, all of them real; at each table sit people of both nodes. A random
fault at a time: `kill -9` of a node, of NATS or of PostgreSQL with a restart, SIGSTOP of a node beyond its
lease and then SIGCONT, a restart of a node in order; the connections of a node to its clients, to NATS or to
PostgreSQL are cut, delayed, or stand still for up to two seconds beyond the lease. Once the parts are back,
every table must have gone on within ten seconds. In the end every action that was acknowledged and every
event that anybody was told of must be in the log, once, and every shuffle is computed again.

Faults come in batches, each with fresh parts and a seed of its own. With `--keep`, each batch adds a line to
a file, and the verdict is that of all lines.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

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
    parser.add_argument("--batch", type=int, default=25, help="faults with the same parts")
    parser.add_argument("--keep", type=Path, help="a file for the results, to go on from")
    options = parser.parse_args(arguments)
    done = _kept(options.keep)
    if done:
        _tell(done)
    while (missing := options.faults - sum(sum(one.faults.values()) for one in done)) > 0:
        batch = _run(options, options.seed + len(done), min(missing, options.batch))
        done.append(batch)
        if options.keep is not None:
            with options.keep.open("ab") as file:
                file.write(msgspec.json.encode(batch) + b"\n")
        _tell(done)
    return int(any(batch.problems for batch in done))


class Batch(msgspec.Struct):
    """What some faults led to. Times are in seconds."""

    seed: int
    faults: dict[str, int]
    plays: int
    acknowledged: int
    times: list[float]
    events: int
    finished: int
    problems: list[str]


def _kept(path: Path | None) -> list[Batch]:
    """The batches of earlier runs."""
    if path is None or not path.exists():
        return []
    return [msgspec.json.decode(line, type=Batch) for line in path.read_bytes().splitlines()]


def _run(options: argparse.Namespace, seed: int, count: int) -> Batch:
    """One batch."""
    chance = random.Random(seed)
    chosen = [chance.choice(options.only) for _ in range(count)]
    times: list[float] = []

    def tell(number: int, fault: str, still: float) -> None:
        times.append(round(still, 2))
        print(f"{seed:5d} {number:5d} {fault:14s} all tables went on after {still:5.2f} s", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        outcome = run_trial(
            Path(folder),
            chosen,
            seed,
            nodes=options.nodes,
            tables=options.tables,
            playable_within=PLAYABLE_WITHIN,
            tell=tell,
        )
    return Batch(
        seed,
        dict(outcome.faults),
        outcome.plays,
        outcome.acknowledged,
        times,
        outcome.verdict.events,
        outcome.verdict.finished,
        [*outcome.problems, *outcome.verdict.faults],
    )


def _tell(done: Sequence[Batch]) -> None:
    """The verdict on all batches so far."""
    faults = sum((Counter(one.faults) for one in done), Counter[str]())
    times = sorted(time for one in done for time in one.times)
    problems = [f"seed {one.seed}: {problem}" for one in done for problem in one.problems]
    counted = ", ".join(f"{count} {fault}" for fault, count in sorted(faults.items()))
    print(
        f"{faults.total()} faults ({counted}); {sum(one.plays for one in done)} plays, "
        f"{sum(one.acknowledged for one in done)} acknowledged\n"
        f"all tables went on after {times[len(times) // 2]:.2f} s in the median, {times[-1]:.2f} s at worst\n"
        f"{sum(one.events for one in done)} events, {sum(one.finished for one in done)} games finished"
    )
    for problem in problems[:40]:
        print(f"    {problem}")
    print(f"{len(problems)} problems", flush=True)


if __name__ == "__main__":
    sys.exit(main())
