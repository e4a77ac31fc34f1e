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

import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench import kill_trials  # noqa: E402
from testkit.server.clerk_kill_trial import run_trial  # noqa: E402


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trial and print what was found."""
    outcome = kill_trials.run(__doc__, run_trial, arguments)
    print(
        f"{outcome.kills} kills, {outcome.championships} championships, "
        f"{outcome.acknowledged} commands acknowledged, "
        f"{outcome.repeats} repeats answered as the first time\n"
        f"{outcome.interrupted} requests broke off, "
        f"{outcome.unanswered} commands were on the disk unanswered, "
        f"{outcome.torn} torn lines; {kill_trials.readiness(outcome.restarts)}"
    )
    return kill_trials.print_faults(outcome.faults)


if __name__ == "__main__":
    sys.exit(main())
