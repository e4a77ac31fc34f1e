"""Rummy-O: every answer of the solver against brute force on small books, and how long answers take.

    python bench/lay_off.py                          both tables
    python bench/lay_off.py --positions 5000         more positions a book
    python bench/lay_off.py --positions 0            only the times

The brute force plays every turn with the steps of the game, judges each with every discard, and counts a
winner's score by playing it in the game. Times are of the public calls, in milliseconds of processor time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from meldroom.game import actions as act  # noqa: E402
from meldroom.game.apply import apply, new_game  # noqa: E402
from meldroom.game.legal.lay_off import sample_lay_off  # noqa: E402
from meldroom.game.shuffle import Shuffle  # noqa: E402
from meldroom.game.views import view  # noqa: E402
from meldroom.rules.library import book  # noqa: E402
from meldroom.rules.opening import opening  # noqa: E402
from meldroom.solver.lay_off import (  # noqa: E402
    LayOffPosition,
    best_play,
    going_out,
    on_board,
    position_of,
    position_on,
)
from meldroom.tiles import Face  # noqa: E402
from testkit.solver.lay_off import HOUSE_BOOKS, compare, hands, random_case, random_full_rack  # noqa: E402

RUMMYO = book("rummyo")
COLUMNS = ("positions", "turns", "openings", "OPEN_RUMMY", "FOOT", "HAND", "needing a claim")


def compare_small_books(positions: int, tiles: int, seed: str) -> int:
    """Random positions of every small book; returns the number of mismatches."""
    print(
        f"{'small book':14s}" + "".join(f"{name:>17s}" for name in COLUMNS) + f"{'mismatches':>12s}{'s':>7s}"
    )
    wrong = 0
    for name in HOUSE_BOOKS:
        chance, done, bad = Random(f"{seed} {name}"), Counter[str](), 0
        start = time.process_time()
        most = tiles - 1 if name in ("pairs", "four-jokers") else tiles
        for _ in range(positions):
            case = random_case(name, chance, most_melds=3, most_tiles=most)
            try:
                done += compare(case)
            except AssertionError as error:
                bad += 1
                text = case.state.book.tiles.faces_text
                table = " | ".join(f"{text(meld.faces)} ({meld.owner})" for meld in case.position.melds)
                print(f"  {name}: {table} with {text(case.position.rack)}: {error}")
        counts = "".join(f"{done[column]:17d}" for column in COLUMNS)
        print(f"{name:14s}{counts}{bad:12d}{time.process_time() - start:7.1f}", flush=True)
        wrong += bad
    return wrong


def compare_full_racks(racks: int, seed: str) -> int:
    """Full racks before an empty table against two plain searches; returns the number of mismatches."""
    chance, wrong, opened, out = Random(f"{seed} racks"), 0, 0, 0
    for _ in range(racks):
        rack = random_full_rack(chance)
        position = position_on(RUMMYO, (), [], "A", rack, on_board=False)
        found, play = on_board(RUMMYO, position), going_out(RUMMYO, position)
        wrong += (found is None) != (opening(RUMMYO, rack) is None)
        wrong += (0 if play is None else play.bonus) != max(hands(rack), default=0)
        opened, out = opened + (found is not None), out + (play is not None)
    print(f"full racks: {racks}, {opened} can go on board, {out} are hands, mismatches {wrong}\n", flush=True)
    return wrong


def positions_of_games(count: int, seed: str) -> list[LayOffPosition]:
    """Positions of players to play in games of random legal actions."""
    found: list[LayOffPosition] = []
    chance, number = Random(f"{seed} games"), 0
    while len(found) < count:
        number += 1
        shuffle = Shuffle(f"{seed} {number}")
        state, _ = new_game(RUMMYO, ("Ada", "Bo", "Chi"), shuffle, starter=0)
        while not state.over:
            if state.phase == "play":
                found.append(position_of(RUMMYO, view(state, state.seat)))
            if state.phase == "opening_discard":
                action: act.Action = act.Discard(state.seat, tile=state.racks[state.seat][0])
            else:
                action = sample_lay_off(state, chance)
            state, _ = apply(state, action, shuffle)
    return chance.sample(found, count)


def made_position(
    chance: Random, melds: int, tiles: int, melded: bool, jokers: int, sets: int = 0
) -> LayOffPosition:
    """So many melds of four players and a rack with so many jokers; `sets` of its tiles are sets."""
    box = RUMMYO.tiles
    left = [face for face in box.every_face[:-1] for _ in range(box.copies)]
    rack: list[Face] = [box.joker] * jokers
    for _ in range(sets):
        rack += _set_from(chance, left)
    table = [_set_from(chance, left) for _ in range(melds)]
    if jokers < box.jokers:
        longest = max(table, key=len)
        longest[chance.randrange(len(longest))] = box.joker
    chance.shuffle(left)
    rack = (rack + left)[:tiles]
    owners = [chance.choice("ABCD" if melded else "BCD") for _ in table]
    return position_on(RUMMYO, tuple(map(tuple, table)), owners, "A", rack, melded)


def _set_from(chance: Random, left: list[Face]) -> list[Face]:
    """A set of three to five tiles taken from those left."""
    box = RUMMYO.tiles
    while True:
        if chance.random() < 0.5:
            number = chance.randint(1, box.numbers)
            faces = [box.face(colour, number) for colour in chance.sample(range(4), chance.choice((3, 3, 4)))]
        else:
            low, length = chance.randint(1, box.numbers - 2), chance.choice((3, 3, 4, 5))
            colour = chance.randrange(4)
            faces = [box.face(colour, n) for n in range(low, min(low + length, box.numbers + 1))]
        if not Counter(faces) - Counter(left):
            for face in faces:
                left.remove(face)
            return faces


def measure(label: str, positions: Sequence[LayOffPosition]) -> None:
    """One line a question: median, 99th percentile, slowest, and how many answers are proven."""
    questions: dict[str, Callable[[LayOffPosition], Any]] = {
        "best play": lambda position: best_play(RUMMYO, position),
        "going out": lambda position: going_out(RUMMYO, position),
    }
    if not any(position.on_board for position in positions):
        questions["on board"] = lambda position: on_board(RUMMYO, position)
    for question, ask in questions.items():
        times, proven = [], 0
        for position in positions:
            start = time.process_time_ns()
            answer = ask(position)
            times.append((time.process_time_ns() - start) / 1e6)
            proven += getattr(answer, "optimal", True)
        times.sort()
        middle, late = times[len(times) // 2], times[len(times) * 99 // 100]
        figures = f"{middle:9.2f}{late:9.2f}{times[-1]:9.2f}{100 * proven / len(times):9.1f}"
        print(f"{label:52s}{question:10s}{figures}", flush=True)


def measure_all(count: int, seed: str) -> None:
    """The table of times."""
    heads = "".join(f"{name:>9s}" for name in ("median", "p99", "slowest", "proven %"))
    print(f"{'Rummy-O, milliseconds of processor time':62s}{heads}")
    games = positions_of_games(2 * count, seed)
    measure("random games, not on board", [position for position in games if not position.on_board])
    measure("random games, on board", [position for position in games if position.on_board])
    chance = Random(f"{seed} made")
    made: dict[str, dict[str, Any]] = {
        "15 tiles, empty table": {"melds": 0, "tiles": 15, "melded": False, "jokers": 2},
        "15 tiles, 6 melds, a joker on the table": {"melds": 6, "tiles": 15, "melded": False, "jokers": 0},
        "15 tiles, 12 melds, 1 joker and 1 on the table": {
            "melds": 12,
            "tiles": 15,
            "melded": False,
            "jokers": 1,
        },
        "15 tiles, 12 melds, 2 jokers": {"melds": 12, "tiles": 15, "melded": False, "jokers": 2},
        "15 tiles of sets, 8 melds, 2 jokers": {
            "melds": 8,
            "tiles": 15,
            "melded": False,
            "jokers": 2,
            "sets": 4,
        },
        "on board, 8 tiles, 12 melds, a joker on the table": {
            "melds": 12,
            "tiles": 8,
            "melded": True,
            "jokers": 0,
        },
        "on board, 12 tiles, 12 melds, 2 jokers": {"melds": 12, "tiles": 12, "melded": True, "jokers": 2},
        "on board, 15 tiles of sets, 14 melds, 2 jokers": {
            "melds": 14,
            "tiles": 15,
            "melded": True,
            "jokers": 2,
            "sets": 3,
        },
    }
    for label, shape in made.items():
        measure(label, [made_position(chance, **shape) for _ in range(count)])


def main() -> int:
    """Both tables; the exit status is 1 if any answer differs from brute force."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=1000, help="random positions for each small book")
    parser.add_argument("--tiles", type=int, default=7, help="the largest rack of a small book")
    parser.add_argument(
        "--times", type=int, default=500, help="positions for each line of the table of times"
    )
    parser.add_argument("--seed", default="lay off")
    asked = parser.parse_args()
    wrong = 0
    if asked.positions:
        wrong = compare_small_books(asked.positions, asked.tiles, asked.seed)
        wrong += compare_full_racks(asked.positions, asked.seed)
    if asked.times:
        measure_all(asked.times, asked.seed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
