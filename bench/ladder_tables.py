"""The tables of `docs/bots.md` from experiments: Markdown on standard output.

meldroom arena examples/experiments/ladder.toml --out results/ladder
python bench/ladder_tables.py results/ladder

Or in one go, with fewer deals or books if you like; what was played before is not played again:

python bench/ladder_tables.py examples/experiments/ladder.toml --out results/small --deals 50 --book wrc11

A ladder's table also says how long a move takes: processor time, from a few games that are played for that
alone. `--write` puts the tables of ladders into `docs/bots.md`, and their ratings where the coach looks for
them. `--so-far` plays nothing, and makes the tables of an experiment from the games that are there.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from bench.marked_page import fill  # noqa: E402
from meldroom import __version__  # noqa: E402
from meldroom.arena import Results, load, run  # noqa: E402
from meldroom.arena.chunks import chunks  # noqa: E402
from meldroom.arena.experiment import to_json  # noqa: E402
from meldroom.arena.reporting.outputs import summary_json  # noqa: E402
from meldroom.arena.store import Store  # noqa: E402
from meldroom.bots import Bot, Clock, make_bot, play_game  # noqa: E402
from meldroom.game import Shuffle, View  # noqa: E402
from meldroom.game.actions import Action  # noqa: E402
from meldroom.rules.library import book  # noqa: E402

Line = dict[str, Any]
PAGE = ROOT / "docs" / "bots.md"
RATINGS = ROOT / "src" / "meldroom" / "coach" / "ladder.json"
"""What people are matched to: the ratings of the page."""

ZERO = "beginner"
"""The level whose Elo is 0, where it plays."""
POINTS = 400 / math.log(10)
ROUNDS = 2000
TIMED_DEALS = 5
"""Games in which moves are timed: so many of each bot with the one before it, from both seats."""


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


def neighbours(lines: list[Line], bots: list[str], moves: dict[str, list[float]]) -> list[str]:
    """The bots in order: Elo, wins against the one before, what their games are like, and their times."""
    made = [
        row(
            [
                *(
                    "level",
                    "Elo",
                    "wins against the one before, %",
                    "deals",
                    "turns a game",
                    "turns that only draw, %",
                ),
                *("longest wait in a row: mean, most", "pool ran out, %", "ms a move: mean / 99 %"),
            ]
        ),
        row(["---"] * 9),
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
                    "" if found is None else str(found["deals"]),
                    *(f"{line['turns']:.0f}", f"{100 * line['draw_turns']:.0f}"),
                    f"{line['longest_wait_mean']:.1f}, {line['longest_wait']}",
                    f"{100 * line['pool_empty']:.0f}",
                    "{:.1f} / {:.0f}".format(*moves[bot]) if bot in moves else "",
                ]
            )
        )
    return made


class Timed:
    """A bot whose moves are timed."""

    def __init__(self, bot: Bot, spent: list[float]) -> None:
        self.bot, self.spent = bot, spent

    def act(self, view: View, clock: Clock) -> Action:
        """What the bot does, and how long it took."""
        start = process_time()
        action = self.bot.act(view, clock)
        self.spent.append(1000 * (process_time() - start))
        return action


def move_times(folder: Path, book_id: str, bots: list[str]) -> dict[str, list[float]]:
    """Milliseconds of processor time a move by level, mean and 99th percentile; kept in the folder."""
    kept = folder / f"moves-{book_id}.json"
    if kept.exists():
        found: dict[str, list[float]] = json.loads(kept.read_text(encoding="utf-8"))
        return found
    rules = book(book_id)
    spent: dict[str, list[float]] = {bot: [] for bot in bots}
    for warm in (True, False):
        for one, other in pairwise([bots[0], *bots]):
            for deal in range(1 if warm else TIMED_DEALS):
                for pair in ((one, other), (other, one)):
                    seats = [
                        Timed(make_bot(level, rules, seed=f"{deal} {seat}"), [] if warm else spent[level])
                        for seat, level in enumerate(pair)
                    ]
                    play_game(rules, seats, Shuffle(f"times {deal}"), starter=0)
    made = {}
    for bot, times in spent.items():
        times.sort()
        made[bot] = [sum(times) / len(times), times[int(0.99 * len(times))]]
    kept.write_text(json.dumps(made), encoding="utf-8")
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


def write_ratings(book_id: str, lines: list[Line]) -> None:
    """Ratings of a ladder for the coach, who matches people to them."""
    known = json.loads(RATINGS.read_text(encoding="utf-8"))
    known[book_id] = {bot: round(elo) for bot, elo in ratings(lines).items()}
    RATINGS.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8", newline="\n")


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
    experiment: Path,
    out: Path | None,
    deals: int | None,
    books: list[str],
    without: list[str],
    so_far: bool,
) -> Path:
    """The folder of an experiment after the games that were still missing, or with those it has so far."""
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
    found = msgspec.structs.replace(found, books=tuple(chosen))
    if so_far:
        store = Store(folder, to_json(found, __version__))
        kept = sorted(store.kept(chunks(found), False), key=lambda each: each[0])
        results = Results(found, tuple(row for _, each in kept for row in each.rows), {})
        store.write("summary.json", summary_json(found, results.summary()))
    else:
        run(found, folder)
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
    parser.add_argument("--so-far", action="store_true", help="play nothing; what was played until now")
    parser.add_argument("--write", action="store_true", help="write tables of ladders into docs/bots.md")
    asked = parser.parse_args()
    for given in asked.given:
        folder = given
        if given.suffix == ".toml":
            folder = played(given, asked.out, asked.deals, asked.book, asked.without, asked.so_far)
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        experiment = summary["experiment"]
        bots = list(experiment["bots"])
        ladder = is_ladder(experiment)
        for entry in experiment["books"]:
            name = entry["name"]
            lines = [line for line in summary["lines"] if line["book"] == name]
            moves = move_times(folder, name, bots) if ladder and not asked.so_far else {}
            if experiment["format"] == "pairs":
                made = pairs(lines, bots)
            else:
                made = neighbours(lines, bots, moves) if ladder else tables(lines)
            head = f"**{name}**, mirrored deals: each from every seat"
            text = "\n".join([head, "", *made])
            print(text, end="\n\n")
            if ladder and asked.write:
                fill(PAGE, f"ladder-{name}", text)
                write_ratings(name, lines)
        if not ladder:
            print("\n".join(times(folder)), end="\n\n")


if __name__ == "__main__":
    main()
