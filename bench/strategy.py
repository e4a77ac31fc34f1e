"""The figures of docs/strategy.md: one habit at a time, on mirrored deals, with 95 % intervals.

    python bench/strategy.py lay                  # when to lay, when to hold
    python bench/strategy.py open --deals 200
    python bench/strategy.py all --jobs 2 --write
    python bench/strategy.py corpus --corpus data

Every question is an experiment of the arena in results/strategy/; a run that was stopped goes on. With
`--write` the tables go into docs/strategy.md, each between its own two comments.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from bench.marked_page import fill  # noqa: E402
from meldroom.arena import Estimate, Experiment, Line, read, run  # noqa: E402
from meldroom.corpus.tables import from_parquet  # noqa: E402
from meldroom.record import parse_position, to_svg  # noqa: E402
from meldroom.rules.library import book  # noqa: E402
from meldroom.solver.counting import estimate_opening_chance, opening_chance  # noqa: E402

PLAYER = "bench.strategy_players:Player"
PAGE = ROOT / "docs" / "strategy.md"


def habit(**parameters: Any) -> dict[str, Any]:
    """A player with habits of its own."""
    return {"python": PLAYER, **parameters}


def against(other: str, players: dict[str, dict[str, Any]], of: str = "wrc11") -> dict[str, Any]:
    """Each player against the same opponent, two at a table."""
    return {
        "books": [of],
        "bots": {**players, other: {"level": other}},
        "tables": [[name, other] for name in players],
    }


QUESTIONS: dict[str, dict[str, Any]] = {
    "lay": against(
        "tournament",
        {
            "anything": habit(lay_at=1),
            **{f"at-least-{n}": habit(lay_at=n) for n in (3, 6, 10, 14, 20)},
            "whole-rack": habit(),
        },
    ),
    "open": against(
        "patient",
        {
            "at-once-large": habit(),
            "at-once-small": habit(small=True),
            **{f"pool-{n}-small": habit(small=True, open_pool=n) for n in (60, 40, 20, 8)},
        },
    ),
    "last": against(
        "patient",
        {
            "no-fight": habit(small=True, open_pool=20),
            **{f"last-{n}-draws": habit(small=True, open_pool=20, wait=n) for n in (2, 4, 8)},
        },
    ),
    "jokers": against(
        "tournament",
        {
            "lays-jokers": habit(lay_at=1),
            "keeps-jokers": habit(lay_at=1, keep_jokers=True),
            "keeps-jokers-lays-6": habit(lay_at=6, keep_jokers=True),
            "lays-6": habit(lay_at=6),
        },
    ),
    "tables": {
        "books": ["wrc11"],
        "bots": ["tournament", "patient"],
        "tables": [
            ["patient", "tournament"],
            ["patient", "tournament", "tournament"],
            ["patient", "tournament", "tournament", "tournament"],
            ["tournament", "patient", "patient", "patient"],
        ],
    },
    "rummyo": {
        "books": ["rummyo"],
        "bots": ["club", "tournament", "patient"],
        "tables": [
            ["patient", "tournament"],
            ["tournament", "club"],
            ["patient", "tournament", "tournament"],
            ["patient", "tournament", "tournament", "tournament"],
        ],
    },
}


def experiment(question: str, deals: int) -> Experiment:
    """The experiment that answers a question."""
    asked = {"format": "tables", "title": f"strategy: {question}", "deals": deals, "seed": "strategy"}
    return read({**asked, **QUESTIONS[question]}, ROOT)


LABELS: dict[str, dict[str, str]] = {
    "lay": {
        "": "lays at least",
        "anything": "anything",
        "at-least-3": "3 tiles",
        **{f"at-least-{n}": str(n) for n in (6, 10, 14, 20)},
        "whole-rack": "the whole rack",
    },
    "open": {
        "": "opens",
        "at-once-large": "at once, with most tiles",
        "at-once-small": "at once, with the fewest",
        "pool-60-small": "60 left, with the fewest",
        **{f"pool-{n}-small": str(n) for n in (40, 20, 8)},
    },
    "last": {
        "": "waits over the last",
        "no-fight": "0 draws",
        **{f"last-{n}-draws": str(n) for n in (2, 4, 8)},
    },
    "jokers": {
        "": "lays",
        "lays-jokers": "anything, jokers too",
        "keeps-jokers": "anything, jokers kept",
        "lays-6": "6 tiles or more, jokers too",
        "keeps-jokers-lays-6": "6 tiles or more, jokers kept",
    },
}
"""What the page calls the players of a question, in its order; the first entry heads the column."""


def answer(question: str, deals: int, jobs: int, out: Path) -> str:
    """The table of a question; plays what has not been played yet."""
    results = run(experiment(question, deals), out / f"{question}-{deals}", jobs=jobs)
    lines = [line for line in results.summary() if line.table]
    labels = LABELS.get(question)
    if labels is None:
        made = ["| table | bot | wins, % | mean score |", "| --- | --- | --- | --- |"]
        made += [f"| {line.table} | {line.bot} | {_measured(line)} |" for line in lines]
    else:
        by_bot = {line.bot: line for line in lines}
        made = [f"| {labels['']} | wins, % | mean score |", "| --- | --- | --- |"]
        made += [f"| {label} | {_measured(by_bot[bot])} |" for bot, label in labels.items() if bot]
    command = f"`python bench/strategy.py {question} --deals {deals}`"
    return "\n".join([*made, "", f"{command}: {deals} deals, each from every seat."])


def _measured(line: Line) -> str:
    return f"{_shown(line.wins, 100, '.1f')} | {_shown(line.score, 1, '+.1f')}"


def _shown(value: Estimate, scale: int, form: str) -> str:
    """A mean and how far the interval reaches."""
    if value.low is None or value.high is None:
        return format(scale * value.mean, form)
    return f"{scale * value.mean:{form}} ± {scale * (value.high - value.low) / 2:.1f}"


SIZES = (14, 16, 18, 20, 22)


def chances() -> str:
    """How likely a rack can open, exactly."""
    made = ["| tiles | can open with 30 | … without a joker on the rack |", "| --- | --- | --- |"]
    for tiles in SIZES:
        found = opening_chance(book("wrc11"), tiles)
        made.append(f"| {tiles} | {float(found.chance):.3f} | {float(found.given(0)):.3f} |")
    return "\n".join(made)


def chances_on_board(racks: int) -> str:
    """How likely a rack can go on board in Rummy-O, from a sample."""
    made = ["| tiles | Rummy-O: can go on board with 50 and a run |", "| --- | --- |"]
    for tiles in SIZES:
        seen = estimate_opening_chance(book("rummyo"), tiles, racks=racks, seed="strategy")
        made.append(f"| {tiles} | {seen.chance:.3f} ({seen.low:.3f} to {seen.high:.3f}) |")
    return "\n".join(made)


def corpus(folder: Path) -> str:
    """What the tables of a corpus say of each level, in the rearranging books and in Rummy-O."""
    rows: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for path in sorted((folder / "players").glob("*.parquet")):
        family = "Rummy-O" if "rummyo" in path.name else "WRC, NZRC, TML"
        for row in from_parquet(path):
            rows.setdefault((family, row["bot"]), []).append(row)
    columns = (
        "books | bot | seats | turns without laying | mean longest wait | opens on own turn | tiles a play"
    )
    made = [f"| {columns} |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for (family, bot), seats in sorted(rows.items(), reverse=True):
        turns, plays = sum(row["turns"] for row in seats), sum(row["plays"] for row in seats)
        opened = [row["opened"] for row in seats if row["opened"] is not None]
        made.append(
            f"| {family} | {bot} | {len(seats)} | {sum(row['draw_turns'] for row in seats) / turns:.0%} "
            f"| {mean(row['longest_wait'] for row in seats):.1f} | {mean(opened):.1f} "
            f"| {sum(row['tiles'] for row in seats) / plays:.1f} |"
        )
    return "\n".join(made)


PICTURES = {
    "waiting": "wrc11@1 / table R4 R5 R6 | K9 B9 O9 | B1 B2 B3 / racks R7 K2 K3 K4 O12 B12, ?x9 "
    "/ pool 2 / turn 1 / melded 1 2",
    "rummyo": "rummyo@1 / melds 2: R5 R6 * / racks R7 R8 K2 K3 O9, ?x11 / pool 40 / discards B4 "
    "/ turn 1 play / melded 1 2",
}


TITLES = {
    "waiting": "Two tiles left in the pool, and it is your turn",
    "rummyo": "A joker to claim in Rummy-O",
}


def pictures() -> None:
    """The positions that the page shows, drawn."""
    for name, text in PICTURES.items():
        path = ROOT / "docs" / "images" / f"strategy-{name}.svg"
        path.write_text(to_svg(parse_position(text), names=("You", "Opponent"), title=TITLES[name]), "utf-8")
        print(path)


def main() -> None:
    """Answer the questions that are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("question", choices=[*QUESTIONS, "chances", "corpus", "pictures", "all"])
    parser.add_argument("--deals", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "strategy")
    parser.add_argument("--corpus", type=Path, default=Path("data"), help="the folder of a corpus")
    parser.add_argument("--racks", type=int, default=10_000)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/strategy.md")
    asked = parser.parse_args()
    tables: dict[str, Callable[[], str]] = {
        "chances": chances,
        "chances-on-board": lambda: chances_on_board(asked.racks),
        **{each: partial(answer, each, asked.deals, asked.jobs, asked.out) for each in QUESTIONS},
        "corpus": lambda: corpus(asked.corpus),
    }
    for part, table in tables.items():
        question = part.split("-")[0]
        if asked.question in (question, "all" if question != "corpus" else ""):
            text = table()
            print(f"\n**{part}**\n\n{text}", flush=True)
            if asked.write:
                fill(PAGE, part, text)
    if asked.question in ("pictures", "all"):
        pictures()


if __name__ == "__main__":
    main()
