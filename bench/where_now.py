"""Random championships in which every page must say the same as the log about who plays where now.

    python bench/where_now.py                 # 200 events
    python bench/where_now.py --events 20 --first 7

After every entry of each event (late guests, leavers, tables ahead of the others, 4 to 60 players, club
nights, World Championships, formats seated by the standings) the log is read again, plainly, and compared
with the public page, the projector's, the desk, every player's own page with its way to an online table,
every table's device, the wall list and `meldroom championship status`. Ends with 1 at the
first entry where one of them differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from testkit.championship.random_events import RandomEvent  # noqa: E402
from testkit.championship.where_now import Reader, disagreements  # noqa: E402


def run(seed: int, done: Counter[str]) -> list[str]:
    """One event to its end; what the first entry with a difference shows."""
    event, reader, read = RandomEvent(seed), Reader(), 0
    for step in event.steps():
        lines = event.running.lines()
        for line in lines[read:]:
            reader.read(line)
        read, reader.rooms = len(lines), dict(event.running.now.hall.rooms)
        done[step] += 1
        if found := list(disagreements(event, reader, reader.status)):
            return [
                f"event {seed}, entry {read} ({step}), {event.format.id}, {event.players} players",
                *found,
            ]
    done["events"] += 1
    done["over"] += event.state.stage_of_play() is None
    return []


def main() -> None:
    """Run the events and say how many entries were compared."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--events", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first event")
    asked = parser.parse_args()
    done: Counter[str] = Counter()
    start = time.perf_counter()
    for seed in range(asked.first, asked.first + asked.events):
        if wrong := run(seed, done):
            print("\n".join(wrong))
            raise SystemExit(1)
    events, over = done.pop("events"), done.pop("over")
    print(f"{events} events, {over} played to their end, {sum(done.values())} entries, all pages alike")
    print(", ".join(f"{count} {step}" for step, count in done.most_common()))
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
