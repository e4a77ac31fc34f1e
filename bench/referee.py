"""Measure the referee's 30-point ruling: against brute force, and how long it takes.

python bench/referee.py                    # 10,000 random racks of 10 to 30 tiles
python bench/referee.py --racks 500 --seed 7
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # the brute force lies with the tests

from meldroom.referee import rule_charge
from meldroom.rules.library import book
from meldroom.rules.opening import sets_within
from meldroom.tiles import parse_set
from tests.referee.brute_melds import most_points, some_rack

ALLOWED = 0.005


def quantile(seconds: list[float], part: float) -> float:
    """The time that this part of the rulings stays below."""
    return sorted(seconds)[min(len(seconds) - 1, int(part * len(seconds)))]


def measure(racks: int, seed: int) -> tuple[Counter[str], list[float], list[str]]:
    """How the rulings went, the time of each with nothing remembered, and every difference."""
    rules, random = book("wrc11"), Random(seed)
    seen: Counter[str] = Counter()
    seconds: list[float] = []
    differences: list[str] = []
    for number in range(racks):
        names = some_rack(random)
        last = random.choice(names)
        rack = parse_set(" ".join(names), rules.tiles)
        drawn = parse_set(last, rules.tiles)
        sets_within.cache_clear()
        start = time.perf_counter()
        ruled = rule_charge(rules, rack, melded=False, drawn_last=drawn)
        seconds.append(time.perf_counter() - start)
        held = list(names)
        held.remove(last)
        at_end, before = most_points(names), most_points(held)
        assert ruled.at_end is not None
        assert ruled.at_last_turn is not None
        told = (ruled.at_end.points, ruled.at_last_turn.points, ruled.charge)
        if told != (at_end, before, 200 if before >= 30 else 100):
            differences.append(f"{' '.join(names)} (last {last}): {told}, brute force {at_end}, {before}")
        seen[ruled.why] += 1
        if number % 500 == 499:
            print(f"  {number + 1} racks, {len(differences)} differences", flush=True)
    return seen, seconds, differences


def main() -> None:
    """Print the comparison and the times."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("--racks", type=int, default=10_000)
    asked.add_argument("--seed", type=int, default=1)
    chosen = asked.parse_args()
    seen, seconds, differences = measure(chosen.racks, chosen.seed)
    print(f"{chosen.racks} racks of 10 to 30 tiles: {len(differences)} rulings differ from brute force")
    print(", ".join(f"{why} {count}" for why, count in sorted(seen.items())))
    shown = {"median": 0.5, "99th percentile": 0.99, "99.9th percentile": 0.999}
    print(
        ", ".join(f"{name} {1000 * quantile(seconds, part):.2f} ms" for name, part in shown.items()), end=""
    )
    print(f", longest {1000 * max(seconds):.2f} ms")
    print(f"99th percentile allowed: {1000 * ALLOWED:.0f} ms")
    for line in differences:
        print(line)
    if differences or quantile(seconds, 0.99) > ALLOWED:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
