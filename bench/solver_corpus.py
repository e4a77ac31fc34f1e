"""Makes `bench/solver_positions.jsonl`: positions from games and random ones. Deterministic; run once.

Openings and most middles come from games between players who always lay most tiles; the late, full and
two-joker positions are random tables, which are harder than those of games. `--seed 7 --out FILE` makes
others, on which nothing was tuned.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "src")]

from meldroom.rules.library import book  # noqa: E402
from meldroom.solver import solve_faces  # noqa: E402
from meldroom.tiles import Face  # noqa: E402
from testkit.solver.positions import random_position  # noqa: E402

TML = book("tml")
Position = tuple[str, tuple[tuple[Face, ...], ...], tuple[Face, ...], bool]


def game_positions(rng: Random) -> list[Position]:
    """Every position of one game of two to four players."""
    pool = list(TML.tiles.face_of)
    rng.shuffle(pool)
    players = rng.choice((2, 3, 4))
    racks = [[pool.pop() for _ in range(14)] for _ in range(players)]
    opened = [False] * players
    table: tuple[tuple[Face, ...], ...] = ()
    found: list[Position] = []
    for turn in range(200):
        seat = turn % players
        rack = tuple(racks[seat])
        if opened[seat]:
            kind = "opening" if not table else "game"
            found.append((kind, table, rack, True))
        else:
            found.append(("opening", (), rack, False))
        play = solve_faces(TML, table, rack, opened[seat])
        if play.played:
            opened[seat] = True
            table = play.table
            for face in play.played:
                racks[seat].remove(face)
        elif pool:
            racks[seat].append(pool.pop())
        if not racks[seat] or not pool:
            break
    return found


def main() -> None:
    """Writes the corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=106)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "solver_positions.jsonl")
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    wanted = {"opening": 70, "game": 250}
    chosen: list[Position] = []
    while any(wanted.values()):
        everything = game_positions(rng)
        for position in rng.sample(everything, min(8, len(everything))):
            if wanted.get(position[0], 0):
                wanted[position[0]] -= 1
                chosen.append(position)
    for name, count, tables, jokers in (
        ("middle", 60, (25, 35, 45, 55), (0, 1, 2)),
        ("late", 60, (60, 70, 80), (0, 1, 2)),
        ("two jokers", 60, (20, 40, 60, 80), (2,)),
        ("full", 40, (96, 100), (0, 1, 2)),
    ):
        made = 0
        while made < count:
            table, rack = random_position(
                TML, rng, rng.choice(tables), rng.randint(4, 20), rng.choice(jokers)
            )
            if name != "full" or sum(map(len, table)) >= 90:
                chosen.append((name, table, rack, True))
                made += 1
    names = TML.tiles.face_names
    lines = [
        json.dumps(
            {
                "id": index,
                "kind": kind,
                "rulebook": "tml",
                "table": [[names[face] for face in faces] for faces in table],
                "rack": [names[face] for face in rack],
                "has_melded": melded,
            }
        )
        for index, (kind, table, rack, melded) in enumerate(chosen, 1)
    ]
    arguments.out.write_text("\n".join(lines) + "\n")
    print(len(lines), "positions")


if __name__ == "__main__":
    main()
