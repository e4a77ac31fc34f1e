"""The same questions however the kernels run: positions, games and published cases, their answers as digests.

    python -m testkit.equality MODE FOLDERS < requests

A request is one line, `positions 12` or `games 7`; the answer is one line of JSON. FOLDERS, written like a
search path, hold the published cases. It needs nothing but meldroom and the standard library, so that it runs
in a browser's Python too. Nothing in it looks at a clock but to say how long it took: an answer must not
depend on the machine.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, cast

from meldroom.bots import LEVELS as LADDER
from meldroom.bots import bot
from meldroom.bots.game_loop import Observer, Step, play
from meldroom.record import to_text
from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.requests import check, ruling, score_racks
from meldroom.solver.best import Objective, solve_faces
from meldroom.solver.kernel import mode
from meldroom.solver.lay_off import best_play, position_on
from meldroom.solver.request import answer as solve
from testkit.solver.positions import random_position

POSITIONS = 100
"""Positions in one request."""
LEVELS = tuple(LADDER)


class Timed:
    """How long each answer took, in milliseconds, by kind."""

    def __init__(self) -> None:
        self.taken: dict[str, list[float]] = {}

    def __call__(self, kind: str, seconds: float) -> None:
        self.taken.setdefault(kind, []).append(round(1000 * seconds, 3))


def positions(number: int, timed: Timed) -> Iterator[str]:
    """A hundred random positions, twenty of each book, solved."""
    for place in range(number * POSITIONS, (number + 1) * POSITIONS):
        chance = Random(f"position {place}")
        rules = book(BOOK_IDS[place % len(BOOK_IDS)])
        table, rack = random_position(
            rules, chance, chance.randint(0, 60), chance.randint(1, 14), chance.choice((0, 0, 1, 1, 2))
        )
        objective: Objective = "tiles" if chance.random() < 0.5 else "points"
        melded, neat = chance.random() < 0.85, chance.random() < 0.1
        start = time.perf_counter()
        if rules.family == "laying_off":
            owners = [chance.choice("AB") for _ in table]
            position = position_on(rules, table, owners, "A", rack[:14], melded)
            start = time.perf_counter()
            found = repr(best_play(rules, position, objective))
        else:
            found = repr(solve_faces(rules, table, rack, melded, objective, neat=neat))
        timed(rules.family, time.perf_counter() - start)
        yield f"{place} {found}"


class Turns(Observer):
    """Notes how long each level took for its turns."""

    def __init__(self, family: str, levels: list[str], timed: Timed) -> None:
        self.family, self.levels, self.timed = family, levels, timed

    def step(self, step: Step) -> None:
        """One turn, or one part of it."""
        self.timed(f"{self.family} {self.levels[step.before.seat]}", step.seconds)


def games(number: int, timed: Timed) -> Iterator[str]:
    """One whole game of bots, every book and every level in turn."""
    chance = Random(f"game {number}")
    rules = book(BOOK_IDS[number % len(BOOK_IDS)])
    first = LEVELS[number // len(BOOK_IDS) % len(LEVELS)]
    levels = [first, *(chance.choice(LEVELS) for _ in range(chance.choice((1, 1, 1, 2, 3))))]
    aims = [{"aim": "score"} if level == "master" and chance.random() < 0.5 else {} for level in levels]
    bots = [bot(level, **aim) for level, aim in zip(levels, aims, strict=True)]
    record = play(rules, bots, seed=f"equality {number}", observers=[Turns(rules.family, levels, timed)])
    yield to_text(record)


def _solved(case: dict[str, Any]) -> list[Any]:
    """A position for most tiles and for most points."""
    return [solve({**case, "objective": goal, "neat": False}) for goal in ("tiles", "points")]


def cases(folders: str, timed: Timed) -> Iterator[str]:
    """Every published case of some folders: turns, scores, rulings, positions and puzzles."""
    ways: dict[str, Callable[[dict[str, Any]], Any]] = {
        "rule_cases.json": check,
        "scoring_cases.json": score_racks,
        "procedure_cases.json": ruling,
        "positions.jsonl": _solved,
        "puzzles.json": _solved,
    }
    for name, way in ways.items():
        path = next(path for folder in folders.split(os.pathsep) if (path := Path(folder) / name).exists())
        text = path.read_text(encoding="utf-8")
        found = map(json.loads, text.splitlines()) if name.endswith("l") else json.loads(text)
        for case in found:
            start = time.perf_counter()
            answered = json.dumps(way(case), sort_keys=True)
            timed(name, time.perf_counter() - start)
            yield f"{name} {case['id']} {answered}"


def answered(kind: str, number: int, folders: str) -> dict[str, Any]:
    """The digest of one request's answers, how many there are, and how long each took."""
    timed, digest, count = Timed(), hashlib.sha256(), 0
    ways = {"positions": positions, "games": games}
    for answer in cases(folders, timed) if kind == "cases" else ways[kind](number, timed):
        digest.update(answer.encode() + b"\n")
        count += 1
    found = {"mode": mode.current(), "kind": kind, "number": number, "count": count}
    return {**found, "digest": digest.hexdigest(), "ms": timed.taken}


def answer_line(line: str, folders: str) -> str:
    """The answer to one request, as a line of JSON."""
    kind, number = line.split()
    return json.dumps(answered(kind, int(number), folders))


def main(wish: mode.Wish, folders: str) -> None:
    """Answers requests from standard input."""
    mode.choose(wish)
    for line in sys.stdin:
        sys.stdout.write(answer_line(line, folders) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(cast(mode.Wish, sys.argv[1]), sys.argv[2])
