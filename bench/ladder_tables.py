"""The tables of `docs/bots.md` from experiments: Markdown on standard output.

meldroom arena examples/experiments/ladder.toml --out results/ladder
python bench/ladder_tables.py results/ladder

Or in one go, with fewer deals or books if you like; what was played before is not played again:

python bench/ladder_tables.py examples/experiments/ladder.toml --out results/small --deals 50 --book wrc11
"""

from __future__ import annotations

import argparse
import csv
import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from meldroom.arena import load, run

Line = dict[str, Any]

ZERO = "beginner"
"""The level whose Elo is 0, where it plays."""
POINTS = 400 / math.log(10)
ROUNDS = 2000


def percent(line: Line) -> str:
    """A share of wins with half its interval."""
    wins = line["wins"]
    if wins["high"] is None:
        return f"{100 * wins['mean']:.0f}"
    half = 50 * (wins["high"] - wins["low"])
    return f"{100 * wins['mean']:.1f} ± {half:.1f}" if 0 < wins["mean"] < 1 else f"{100 * wins['mean']:.0f}"


def score(line: Line) -> str:
    """A mean score with half its interval."""
    points = line["score"]
    return f"{points['mean']:+.1f} ± {(points['high'] - points['low']) / 2:.1f}"


def row(cells: list[str]) -> str:
    """A line of a Markdown table."""
    return "| " + " | ".join(cells) + " |"


def pairs(lines: list[Line], bots: list[str]) -> list[str]:
    """Wins of the row against the column in per cent, and each one's mean score over all its games."""
    made = [row(["", *bots, "mean score"]), row(["---"] * (len(bots) + 2))]
    whole = {line["bot"]: line for line in lines if line["scope"] == "book"}
    met = {(line["table"], line["bot"]): line for line in lines if line["scope"] == "table"}
    for bot in bots:
        cells = []
        for other in bots:
            found = met.get((f"{bot} / {other}", bot)) or met.get((f"{other} / {bot}", bot))
            cells.append("" if bot == other or found is None else percent(found))
        made.append(row([bot, *cells, score(whole[bot])]))
    return made


def tables(lines: list[Line]) -> list[str]:
    """Line by line what everybody at a table won and scored."""
    made = [row(["table", "bot", "wins, %", "mean score"]), row(["---"] * 4)]
    return made + [
        row([line["table"], line["bot"], percent(line), score(line)])
        for line in lines
        if line["scope"] == "table"
    ]


def neighbours(lines: list[Line], bots: list[str]) -> list[str]:
    """The bots in order: Elo, wins against the one before, and what their games are like."""
    made = [
        row(
            [
                *(
                    "level",
                    "Elo",
                    "wins against the one before, %",
                    "turns a game",
                    "turns that only draw, %",
                ),
                *("longest wait in a row: mean, most", "pool ran out, %"),
            ]
        ),
        row(["---"] * 7),
    ]
    met = {(line["table"], line["bot"]): line for line in lines if line["scope"] == "table"}
    whole = {line["bot"]: line for line in lines if line["scope"] == "book"}
    elo = ratings(lines)
    for before, bot in zip([None, *bots], bots, strict=False):
        if bot not in whole:
            continue
        found = met.get((f"{before} / {bot}", bot))
        line = whole[bot]
        made.append(
            row(
                [
                    *(bot, f"{elo[bot]:.0f}", "" if found is None else percent(found)),
                    *(f"{line['turns']:.0f}", f"{100 * line['draw_turns']:.0f}"),
                    f"{line['longest_wait_mean']:.1f}, {line['longest_wait']}",
                    f"{100 * line['pool_empty']:.0f}",
                ]
            )
        )
    return made


def ratings(lines: list[Line]) -> dict[str, float]:
    """Elo by bot from all tables of two: Bradley and Terry's model, fitted to all pairs at once.

    Every pair counts half a game more for each side, so that a bot that never won has a rating too.
    """
    pairs: dict[str, list[Line]] = {}
    for line in lines:
        if line["scope"] == "table":
            pairs.setdefault(line["table"], []).append(line)
    games: list[tuple[str, str, float, float]] = []
    for table in pairs.values():
        if len(table) == 2:
            count = table[0]["games"] + 1
            games.append(
                (table[0]["bot"], table[1]["bot"], table[0]["wins"]["mean"] * (count - 1) + 0.5, count)
            )
    rating = dict.fromkeys([name for game in games for name in game[:2]], 0.0)
    for _ in range(ROUNDS):
        slope, weight = dict.fromkeys(rating, 0.0), dict.fromkeys(rating, 0.0)
        for one, other, wins, count in games:
            expected = 1 / (1 + math.exp(rating[other] - rating[one]))
            for name, sign in ((one, 1), (other, -1)):
                slope[name] += sign * (wins - count * expected)
                weight[name] += count * expected * (1 - expected)
        for name in rating:
            rating[name] += 0.5 * slope[name] / weight[name]
    zero = rating.get(ZERO, min(rating.values(), default=0.0))
    return {name: POINTS * (found - zero) for name, found in rating.items()}


def times(folder: Path) -> list[str]:
    """Milliseconds a move by book and bot."""
    made = [row(["book", "bot", "moves", "mean ms", "99 % ms", "longest ms"]), row(["---"] * 6)]
    with (folder / "timing.csv").open(newline="", encoding="utf-8") as file:
        return made + [row(list(entry.values())) for entry in csv.DictReader(file)]


def is_ladder(experiment: dict[str, Any]) -> bool:
    """True if every bot plays the one after it at a table of two."""
    bots = list(experiment["bots"])
    tables = [table["seats"] if isinstance(table, dict) else table for table in experiment.get("tables", [])]
    return len(bots) > 2 and all([one, other] in tables for one, other in pairwise(bots))


def played(
    experiment: Path, out: Path | None, deals: int | None, books: list[str], without: list[str]
) -> Path:
    """The folder of an experiment after the games that were still missing."""
    found = load(experiment)
    found = msgspec.structs.replace(
        found,
        bots=tuple(bot for bot in found.bots if bot.name not in without),
        line_ups=tuple(each for each in found.line_ups if not set(each.seats) & set(without)),
    )
    chosen = [entry for entry in found.books if not books or entry.name in books]
    if deals is not None:
        chosen = [msgspec.structs.replace(entry, deals=deals) for entry in chosen]
    folder = out or Path("results") / experiment.stem
    run(msgspec.structs.replace(found, books=tuple(chosen)), folder)
    return folder


def main() -> None:
    """Prints every folder's tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("given", nargs="+", type=Path, help="folders with results, or experiments to play")
    parser.add_argument("--out", type=Path, help="the folder of an experiment")
    parser.add_argument("--deals", type=int, help="so many deals instead of those of the experiment")
    parser.add_argument("--book", action="append", default=[], help="only this book; may be repeated")
    parser.add_argument("--without", action="append", default=[], help="leave this bot out; may be repeated")
    asked = parser.parse_args()
    for given in asked.given:
        folder = given
        if given.suffix == ".toml":
            folder = played(given, asked.out, asked.deals, asked.book, asked.without)
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        experiment = summary["experiment"]
        bots = list(experiment["bots"])
        for entry in experiment["books"]:
            lines = [line for line in summary["lines"] if line["book"] == entry["name"]]
            print(f"**{entry['name']}**, {entry['deals']} deals, each from every seat\n")
            if experiment["format"] == "pairs":
                made = pairs(lines, bots)
            else:
                made = neighbours(lines, bots) if is_ladder(experiment) else tables(lines)
            print("\n".join(made), end="\n\n")
        print("\n".join(times(folder)), end="\n\n")


if __name__ == "__main__":
    main()
