"""How long it takes to correct any result of a large event, with everything that the correction changes.

    python bench/corrections.py                 # a sample of 200 of about 2,000 results
    python bench/corrections.py --every 1       # all of them

An event of 1,000 players in the WRC format is simulated. Each chosen result is corrected by giving its scores
to the next seats; what is timed is the list of everything that changes (places, cuts, ties, later seatings)
and the new state. Before that the log is replayed twice: the standings of both must be the same bytes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from meldroom.championship import ChampionshipState, CorrectResult, GameResult, consequences, read_state
from meldroom.championship.fold import fold
from meldroom.championship.standings import standings

ALLOWED = 0.5


def simulated(players: int, folder: Path) -> Path:
    """The log of a whole championship without hall faults."""
    command = [sys.executable, "-m", "meldroom", "championship", "simulate", str(folder)]
    options = ["--players", str(players), "--no-faults", "--no-papers"]
    subprocess.run([*command, *options], check=True, stdout=subprocess.DEVNULL)
    (log,) = folder.glob("*.jsonl")
    return log


def turned(result: GameResult) -> GameResult:
    """The same game with every score one seat further on."""
    seats = len(result.scores)
    scores = (*result.scores[-1:], *result.scores[:-1])
    return GameResult(scores, tuple(sorted((seat + 1) % seats for seat in result.winners)), result.end)


def standings_bytes(state: ChampionshipState) -> bytes:
    """The standings of every stage as bytes."""
    return msgspec.json.encode([standings(state, stage.id) for stage in state.format.stages])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and say it. The status is 1 if a correction took longer than is allowed."""
    parser = argparse.ArgumentParser(description="Correct results of a large championship.")
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--every", type=int, default=10, help="correct every so-manieth result")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        log = simulated(options.players, Path(folder) / "event")
        state = read_state(log)
        same = standings_bytes(state) == standings_bytes(read_state(log))
    times = []
    changed = 0
    for key, result in list(state.results.items())[:: options.every]:
        began = time.perf_counter()
        action = CorrectResult(*key, turned(result))
        found = consequences(state, action)
        fold(state, action)
        times.append(time.perf_counter() - began)
        changed += len(found.places)
    times.sort()
    print(f"{options.players} players, {len(state.results)} results, {len(times)} corrected")
    print(f"{changed / len(times):.0f} places changed by each on average")
    print(f"median {times[len(times) // 2]:.3f} s, longest {times[-1]:.3f} s (allowed: {ALLOWED} s)")
    print(f"the log replayed twice gives {'the same' if same else 'DIFFERENT'} standings, byte for byte")
    return int(times[-1] > ALLOWED or not same)


if __name__ == "__main__":
    sys.exit(main())
