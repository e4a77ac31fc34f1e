"""Measure seating: every field by plan, simulated events seated by standings, and events with drop-outs.

python bench/seating.py                 # everything, two minutes or so
python bench/seating.py standings 33 47 --events 20
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from itertools import combinations

from meldroom.championship.seating import reseat, seat_by_standings, seating

SIZES = (32, 33, 47, 64, 128, 200)
SITTINGS = 4

Sitting = tuple[tuple[str, ...], ...]


def repeats(history: Sequence[Sitting]) -> int:
    """Meetings after the first, counted here from the tables alone."""
    met: dict[tuple[str, ...], int] = {}
    again = 0
    for sitting in history:
        for table in sitting:
            for pair in combinations(sorted(table), 2):
                again += met.get(pair, 0)
                met[pair] = met.get(pair, 0) + 1
    return again


def timed(work: Callable[[], Sitting], seconds: list[float]) -> Sitting:
    """The tables that some work gives; the time it takes is noted."""
    start = time.perf_counter()
    tables = work()
    seconds.append(time.perf_counter() - start)
    return tables


def event(players: int, number: int, seconds: list[float]) -> list[Sitting]:
    """One event: the first sitting by raffle, the others by wins, where better players win more often."""
    chance = random.Random(number)
    names = [f"player {index + 1}" for index in range(players)]
    skill = {name: chance.gauss(0, 1) for name in names}
    points = dict.fromkeys(names, 0.0)
    history = [seating(names, 1, f"event {number}").named()[0]]
    while True:
        for table in history[-1]:
            for _ in range(4):
                best = max(table, key=lambda name: skill[name] + chance.gauss(0, 1.5))
                points[best] += 1 + chance.random() / 100
        if len(history) == SITTINGS:
            return history
        standings = sorted(names, key=lambda name: -points[name])
        history.append(timed(lambda: seat_by_standings(standings, history).tables, seconds))  # noqa: B023


def every_field() -> None:
    """Every field from 13 to 400 and 2000: repeats, seats, and the slowest."""
    slowest = (0.0, 0)
    faults = 0
    for players in range(13, 401):
        start = time.perf_counter()
        found = seating(players, SITTINGS, "bench")
        slowest = max(slowest, (time.perf_counter() - start, players))
        faults += found.repeats + found.seat_deviation
    print(f"13 to 400: {faults} repeats or uneven seats; slowest {slowest[0]:.3f} s ({slowest[1]} players)")
    start = time.perf_counter()
    large = seating(2000, SITTINGS, "bench")
    print(f"2000: {large.repeats} repeats, {time.perf_counter() - start:.3f} s")


def standings(sizes: Sequence[int], events: int) -> None:
    """Events seated by standings."""
    for players in sizes:
        seconds: list[float] = []
        histories = [event(players, number, seconds) for number in range(events)]
        with_repeats = sum(repeats(history) > 0 for history in histories)
        threes = max(
            sum(name in table for sitting in history for table in sitting if len(table) == 3)
            for history in histories
            for table in history[0]
            for name in table
        )
        middle = sum(seconds) / len(seconds)
        print(
            f"{players} players, {events} events: {with_repeats} with repeats, "
            f"most tables of three {threes}, a sitting {middle:.3f} s, slowest {max(seconds):.3f} s",
            flush=True,
        )


def drop_outs(sizes: Sequence[int], events: int) -> None:
    """One to seven players leave after the second of four planned sittings."""
    for players in sizes:
        seconds: list[float] = []
        with_repeats = 0
        for number in range(events):
            chance = random.Random(number)
            planned = seating(players, SITTINGS, f"event {number}").named()
            names = [str(index + 1) for index in range(players)]
            left = set(chance.sample(names, 1 + number % 7))
            stay = [name for name in names if name not in left]
            start = time.perf_counter()
            found = reseat(stay, planned[:2], planned[2:])
            seconds.append(time.perf_counter() - start)
            kept = [tuple(tuple(n for n in table if n not in left) for table in each) for each in planned[:2]]
            with_repeats += repeats([*kept, *(sitting.tables for sitting in found)]) > 0
        print(
            f"{players} players, 1–7 leave: {with_repeats} of {events} with repeats, "
            f"slowest {max(seconds):.3f} s"
        )


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="?", choices=("all", "fields", "standings", "drop-outs"), default="all")
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--events", type=int, default=100)
    asked = parser.parse_args()
    if asked.what in ("all", "fields"):
        every_field()
    if asked.what in ("all", "standings"):
        standings(asked.sizes, asked.events)
    if asked.what in ("all", "drop-outs"):
        drop_outs(asked.sizes, asked.events)


if __name__ == "__main__":
    main()
