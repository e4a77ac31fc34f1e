"""Kill the server without warning while clerks enter results, and see whether anything is lost.

    python bench/championship_kills.py                     # 1,000 kills
    python bench/championship_kills.py --kills 100 --seed 7

Two championships at a time have a clerk at each of three tables, who enters results, corrections, penalties,
calls and positions, one by one and in outboxes, and repeats old commands. At a random moment the server is
killed with `kill -9`. Each time the files are read as they are: every command ever acknowledged is in the log
or in the hall's file, exactly once, and the chain holds. Then the server starts again on the same port and
folder, and the clerks go on with the same ids; a repeat gets its first answer.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from testkit.server.clerk_kill_trial import run_trial  # noqa: E402


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trial and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    began = time.monotonic()

    def tell(kill: int) -> None:
        if kill % 50 == 0:
            print(f"{kill} kills, {time.monotonic() - began:.0f} s", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        outcome = run_trial(Path(folder) / "data", options.kills, options.seed, tell)
    restarts = sorted(outcome.restarts)
    print(
        f"{outcome.kills} kills, {outcome.championships} championships, "
        f"{outcome.acknowledged} commands acknowledged, "
        f"{outcome.repeats} repeats answered as the first time\n"
        f"{outcome.interrupted} requests broke off, "
        f"{outcome.unanswered} commands were on the disk unanswered, "
        f"{outcome.torn} torn lines; ready again in {restarts[len(restarts) // 2]:.2f} s (median), "
        f"{restarts[-1]:.2f} s (worst)"
    )
    print(f"{len(outcome.faults)} faults", *outcome.faults[:40], sep="\n    ")
    return int(bool(outcome.faults))


if __name__ == "__main__":
    sys.exit(main())
