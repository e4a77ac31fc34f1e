"""Measure how long the referee's 30-point ruling takes; the tests compare it with brute force.

python bench/referee.py                    # 10,000 random racks of 10 to 30 tiles
python bench/referee.py --racks 500 --seed 7
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from random import Random

from meldroom.referee import rule_charge
from meldroom.rules.library import book
from meldroom.rules.opening import sets_within

ALLOWED = 0.005


def quantile(seconds: list[float], part: float) -> float:
    """The time that this part of the rulings stays below."""
    return sorted(seconds)[min(len(seconds) - 1, int(part * len(seconds)))]


def measure(racks: int, seed: int) -> tuple[Counter[str], list[float]]:
    """How the rulings went, and the time of each with nothing remembered."""
    rules, random = book("wrc11"), Random(seed)
    seen: Counter[str] = Counter()
    seconds: list[float] = []
    for _ in range(racks):
        rack = tuple(random.sample(rules.tiles.face_of, random.randint(10, 30)))
        sets_within.cache_clear()
        start = time.perf_counter()
        ruled = rule_charge(rules, rack, melded=False, drawn_last=rack[-1:])
        seconds.append(time.perf_counter() - start)
        seen[ruled.why] += 1
    return seen, seconds


def main() -> None:
    """Print the times."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("--racks", type=int, default=10_000)
    asked.add_argument("--seed", type=int, default=1)
    chosen = asked.parse_args()
    seen, seconds = measure(chosen.racks, chosen.seed)
    print(f"{chosen.racks} racks of 10 to 30 tiles")
    print(", ".join(f"{why} {count}" for why, count in sorted(seen.items())))
    shown = {"median": 0.5, "99th percentile": 0.99, "99.9th percentile": 0.999}
    print(
        ", ".join(f"{name} {1000 * quantile(seconds, part):.2f} ms" for name, part in shown.items()), end=""
    )
    print(f", longest {1000 * max(seconds):.2f} ms")
    print(f"99th percentile allowed: {1000 * ALLOWED:.0f} ms")
    if quantile(seconds, 0.99) > ALLOWED:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
