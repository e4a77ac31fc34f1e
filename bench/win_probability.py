"""Are win probabilities true? Games of all levels are played, and what the coach says of them is checked.

python bench/win_probability.py play --games 200            games to check with, and others to fit with
python bench/win_probability.py fit                         the figures in src/meldroom/coach/fitted.json
python bench/win_probability.py check --write               reliability and Brier score: docs/coach.md
python bench/win_probability.py time                        processor time for an interval of ±2 %

Games lie in results/win_probability; the same command goes on where it was interrupted. What is fitted is
fitted on the games of one set, and checked on those of the other, whose deals it has never seen.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec

from meldroom.bots import LEVELS, play
from meldroom.record import to_text
from meldroom.rules.library import BOOK_IDS
from meldroom.solver.kernel import mode

SETS = ("fit", "held-out")
PLAYERS = (2, 3, 4)
OUT = Path("results/win_probability")
NEAR = 4
"""At half of the tables levels are no more than so many rungs apart, at the others they are anything."""


class Played(msgspec.Struct, frozen=True):
    """A game of bots: its number in its set, the level of each seat, the record as text."""

    game: int
    levels: tuple[str, ...]
    record: str


def levels_of(chance: Random, players: int) -> tuple[str, ...]:
    """Who sits at a table."""
    every = list(LEVELS)
    base, near = chance.randrange(len(every)), chance.random() < 0.5
    low, high = (max(0, base - NEAR), min(len(every), base + NEAR + 1)) if near else (0, len(every))
    seats = [every[base], *(every[chance.randrange(low, high)] for _ in range(players - 1))]
    chance.shuffle(seats)
    return tuple(seats)


def file_of(book: str, players: int, which: str) -> Path:
    """Where games of a kind lie."""
    return OUT / f"{book}-{players}-{which}.jsonl"


def read(book: str, players: int, which: str) -> Iterator[Played]:
    """The games of a kind that are there."""
    path = file_of(book, players, which)
    lines = path.read_bytes().splitlines() if path.exists() else []
    return (msgspec.json.decode(line, type=Played) for line in lines)


def play_games(books: list[str], which: list[str], games: int) -> None:
    """Plays what is missing, a little of everything at a time."""
    OUT.mkdir(parents=True, exist_ok=True)
    began = time.process_time()
    for upto in range(20, games + 20, 20):
        for kind in which:
            for book in books:
                for players in PLAYERS:
                    done = sum(1 for _ in read(book, players, kind))
                    with file_of(book, players, kind).open("ab") as out:
                        for game in range(done, min(upto, games)):
                            seed = f"win probability {kind} {book} {players} {game}"
                            levels = levels_of(Random(seed), players)
                            record = play(book, list(levels), seed=seed)
                            line = msgspec.json.encode(Played(game, levels, to_text(record)))
                            out.write(line + b"\n")
        print(f"{min(upto, games)} games of each kind, {time.process_time() - began:.0f} s", flush=True)


def main() -> None:
    """What is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("play", "fit", "check", "time"))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--book", action="append", choices=BOOK_IDS)
    parser.add_argument("--set", action="append", choices=SETS)
    asked = parser.parse_args()
    mode.for_long_work()
    if asked.what == "play":
        play_games(asked.book or list(BOOK_IDS), asked.set or list(SETS), asked.games)


if __name__ == "__main__":
    main()
