"""The tables of `docs/bots.md` from finished experiments: Markdown on standard output.

meldroom arena examples/experiments/ladder.toml --out results/ladder
python bench/ladder_tables.py results/ladder
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

Line = dict[str, Any]


def percent(line: Line) -> str:
    """A share of wins with half its interval."""
    wins = line["wins"]
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


def times(folder: Path) -> list[str]:
    """Milliseconds a move by book and bot."""
    made = [row(["book", "bot", "moves", "mean ms", "99 % ms", "longest ms"]), row(["---"] * 6)]
    with (folder / "timing.csv").open(newline="", encoding="utf-8") as file:
        return made + [row(list(entry.values())) for entry in csv.DictReader(file)]


def main() -> None:
    """Prints every folder's tables."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for folder in map(Path, sys.argv[1:]):
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        experiment = summary["experiment"]
        for entry in experiment["books"]:
            lines = [line for line in summary["lines"] if line["book"] == entry["name"]]
            print(f"**{entry['name']}**, {entry['deals']} deals, each from every seat\n")
            made = (
                pairs(lines, list(experiment["bots"])) if experiment["format"] == "pairs" else tables(lines)
            )
            print("\n".join(made), end="\n\n")
        print("\n".join(times(folder)), end="\n\n")


if __name__ == "__main__":
    main()
