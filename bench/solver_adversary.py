"""Looks for positions on which the solver is slow: `python bench/solver_adversary.py --store FILE`.

Hill climbing from the slowest of some random positions: a tile of the rack is added, taken away or
exchanged, a set is laid on the table or taken off, a joker changes its place; what is slower is kept. A climb
ends after so many steps without a slower one, and the next begins somewhere else. Time is processor time, the
best of three calls, so that a busy machine changes little. Everything random follows from `--seed`; times do
not, so a climb can turn out differently on another machine. With `--store` the slowest positions are kept,
and a later run goes on with the next climb. `--shape 48 43` begins every climb with 48 tiles on the rack and
43 on the table. The exit status is 1 if a position took longer than `--limit` milliseconds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "src")]

from meldroom.rules.library import book  # noqa: E402
from meldroom.solver import Objective, solve_faces  # noqa: E402
from meldroom.solver.kernel import mode  # noqa: E402
from meldroom.tiles import Face, parse_set, parse_table  # noqa: E402
from testkit.solver.positions import random_position  # noqa: E402

Table = tuple[tuple[Face, ...], ...]
Position = tuple[Table, tuple[Face, ...]]
TML = {2: book("tml"), 4: book("tml", {"jokers": 4})}
KEPT = 20
STARTS = 60


def milliseconds(position: Position, objective: Objective, jokers: int) -> float:
    """Processor time of a call, the best of three; slow ones are not called again."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        found = solve_faces(TML[jokers], *position, objective=objective)
        best = min(best, 1000 * (time.process_time() - start))
        assert found.optimal
        if best > 1000:
            break
    return best


def changed(position: Position, rng: Random, jokers: int) -> Position | None:
    """A neighbour of a position, or None if the change cannot be made."""
    tiles = TML[jokers].tiles
    table, rack = list(position[0]), list(position[1])
    for _ in range(rng.choice((1, 1, 2, 4))):
        kind = rng.random()
        if kind < 0.25 and rack:
            rack.pop(rng.randrange(len(rack)))
        if kind < 0.6:
            rack.append(rng.choice(tiles.every_face))
        elif kind < 0.7 and table:
            rack += table.pop(rng.randrange(len(table)))
        elif kind < 0.8 and table:
            table.pop(rng.randrange(len(table)))
        else:
            left = Counter(dict(zip(tiles.every_face, tiles.limits, strict=True)))
            left -= Counter(face for faces in table for face in faces)
            new, _ = random_position(TML[jokers], rng, 3, 0, left[tiles.joker], swap=0.15)
            for face in new[0] if new else ():
                if face in rack:
                    rack.remove(face)
            table += new[:1]
    counts = Counter(rack) + Counter(face for faces in table for face in faces)
    if not rack or any(count > tiles.limits[face] for face, count in counts.items()):
        return None
    return tuple(table), tuple(sorted(rack))


def climb(seed: str, arguments: argparse.Namespace, until: float) -> dict[str, Any]:
    """One climb; the slowest position it found, in text."""
    jokers, patience, shape = arguments.jokers, arguments.patience, arguments.shape
    rng = Random(seed)
    objective: Objective = rng.choice(("tiles", "points"))
    slowest, tried, since = 0.0, STARTS, 0
    for _ in range(STARTS):
        rack, table = shape or (rng.randint(20, 75), rng.choice((0, 10, 20, 30, 40, 50, 60)))
        start = random_position(TML[jokers], rng, table, rack, jokers)
        taken = milliseconds(start, objective, jokers)
        if taken > slowest:
            here, slowest = start, taken
    while since < patience and time.process_time() < until:
        there = changed(here, rng, jokers)
        if there is None:
            continue
        taken, tried, since = milliseconds(there, objective, jokers), tried + 1, since + 1
        if taken > slowest:
            # A second look, since even processor time has its moments.
            taken = min(taken, milliseconds(there, objective, jokers))
        if taken >= slowest:
            since = since if taken < 1.02 * slowest else 0
            here, slowest = there, taken
    tiles = TML[jokers].tiles
    return {
        "milliseconds": round(slowest, 3),
        "objective": objective,
        "table": " | ".join(tiles.faces_text(faces) for faces in here[0]),
        "rack": tiles.faces_text(here[1]),
        "tried": tried,
    }


def main() -> int:
    """Climbs until the time is up; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600, help="processor time to spend")
    parser.add_argument("--jokers", type=int, choices=tuple(TML), default=2)
    parser.add_argument("--patience", type=int, default=400, help="steps without a slower position")
    parser.add_argument("--shape", type=int, nargs=2, metavar=("RACK", "TABLE"), help="tiles to begin with")
    parser.add_argument("--seed", default="adversary")
    parser.add_argument("--limit", type=float, default=40.0, help="milliseconds that are too many")
    parser.add_argument("--store", type=Path, help="a file that keeps the slowest positions")
    parser.add_argument("--again", action="store_true", help="only measure the positions of the store again")
    arguments = parser.parse_args()
    mode.for_long_work(lambda told: print(told, file=sys.stderr))
    state: dict[str, Any] = {"climbs": 0, "tried": 0, "seconds": 0.0, "slowest": []}
    if arguments.store and arguments.store.exists():
        state = json.loads(arguments.store.read_text())
    if arguments.again:
        rules = TML[arguments.jokers]
        for kept in state["slowest"]:
            table = parse_table(kept["table"], rules.tiles) if kept["table"] else ()
            position = table, parse_set(kept["rack"], rules.tiles)
            kept["milliseconds"] = round(milliseconds(position, kept["objective"], arguments.jokers), 3)
    until = time.process_time() + arguments.seconds
    while time.process_time() < until and not arguments.again:
        start = time.process_time()
        seed = f"{arguments.seed} {arguments.jokers} {state['climbs']}"
        found = climb(seed, arguments, until)
        state["climbs"] += 1
        state["tried"] += found["tried"]
        state["seconds"] += time.process_time() - start
        ranked = sorted([*state["slowest"], found], key=lambda kept: -kept["milliseconds"])
        state["slowest"] = ranked[:KEPT]
        if arguments.store:
            arguments.store.write_text(json.dumps(state, indent=1))
        print(f"climb {state['climbs']}: {found['milliseconds']:.2f} ms, {state['tried']} tried", flush=True)
    ranked = sorted(state["slowest"], key=lambda kept: -kept["milliseconds"])
    print(f"{state['climbs']} climbs, {state['tried']} positions, {state['seconds']:.0f} s of processor time")
    for kept in ranked[:5]:
        print(f"{kept['milliseconds']:8.2f} ms  {kept['objective']:6}  {kept['table']} / {kept['rack']}")
    return int(bool(ranked) and ranked[0]["milliseconds"] > arguments.limit)


if __name__ == "__main__":
    sys.exit(main())
