"""Kill the server without warning in the middle of games, again and again, and see whether anything is lost.

    python bench/server_kills.py                    # 1,000 kills
    python bench/server_kills.py --kills 100 --seed 7

Several tables play real games: people only, Rummy-O, and a table with a bot. At a random moment the server
gets `kill -9`, is started again on the same port and folder (now and then killed once more while it starts),
and the players come back by themselves. In the end every action that was acknowledged and every event that
anybody was told of must be in the log, once; no clock may have run out while the server was away; every game
must go on to its end; and every shuffle is computed again.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench import kill_trials  # noqa: E402
from testkit.server.kill_trial import run_trial  # noqa: E402


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trial and print what was found."""
    outcome = kill_trials.run(__doc__, run_trial, arguments)
    print(
        f"{outcome.kills} kills, {outcome.plays} plays, {outcome.acknowledged} acknowledged; "
        f"{kill_trials.readiness(outcome.restarts)}; "
        f"longest wait for a player to be back {outcome.longest_away:.2f} s\n"
        f"{outcome.verdict.rooms} rooms, {outcome.verdict.events} events, "
        f"{outcome.verdict.finished} games finished"
    )
    return kill_trials.print_faults((*outcome.faults, *outcome.verdict.faults))


if __name__ == "__main__":
    sys.exit(main())
