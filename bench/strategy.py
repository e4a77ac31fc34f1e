"""The figures of docs/strategy.md: one habit at a time, on mirrored deals, with 95 % intervals.

    python bench/strategy.py lay                  # when to lay, when to hold
    python bench/strategy.py open --deals 200
    python bench/strategy.py all --jobs 2
    python bench/strategy.py corpus --corpus data

Every question is an experiment of the arena in results/strategy/; a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import mean
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from meldroom.arena import Estimate, Experiment, read, run  # noqa: E402
from meldroom.corpus.tables import from_parquet  # noqa: E402
from meldroom.record import parse_position, to_svg  # noqa: E402
from meldroom.rules.library import book  # noqa: E402
from meldroom.solver.counting import estimate_opening_chance, opening_chance  # noqa: E402

PLAYER = "bench.strategy_players:Player"


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


def answer(question: str, deals: int, jobs: int, out: Path) -> None:
    """Play what has not been played yet, and print the table of the page."""
    asked = experiment(question, deals)
    results = run(asked, out / f"{question}-{deals}", jobs=jobs)
    print(f"\n**{question}**: {deals} deals, each from every seat\n")
    print("| table | bot | wins, % | mean score |\n| --- | --- | --- | --- |")
    for line in results.summary():
        if line.table:
            wins, score = _shown(line.wins, 100, ".1f"), _shown(line.score, 1, "+.1f")
            print(f"| {line.table} | {line.bot} | {wins} | {score} |")


def _shown(value: Estimate, scale: int, form: str) -> str:
    """A mean and how far the interval reaches."""
    if value.low is None or value.high is None:
        return format(scale * value.mean, form)
    return f"{scale * value.mean:{form}} ± {scale * (value.high - value.low) / 2:.1f}"


def chances(racks: int) -> None:
    """How likely a rack can open: exact, and for Rummy-O from a sample."""
    print("\n| tiles | can open with 30 | … without a joker on the rack |\n| --- | --- | --- |")
    for tiles in (14, 16, 18, 20, 22):
        found = opening_chance(book("wrc11"), tiles)
        print(f"| {tiles} | {float(found.chance):.3f} | {float(found.given(0)):.3f} |")
    print("\n| tiles | Rummy-O: can go on board with 50 and a run |\n| --- | --- |")
    for tiles in (14, 16, 18, 20, 22):
        seen = estimate_opening_chance(book("rummyo"), tiles, racks=racks, seed="strategy")
        print(f"| {tiles} | {seen.chance:.3f} ({seen.low:.3f} to {seen.high:.3f}) |")


def corpus(folder: Path) -> None:
    """What the tables of a corpus say of each level, in the rearranging books and in Rummy-O."""
    rows: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for path in sorted((folder / "players").glob("*.parquet")):
        family = "Rummy-O" if "rummyo" in path.name else "WRC, NZRC, TML"
        for row in from_parquet(path):
            rows.setdefault((family, row["bot"]), []).append(row)
    columns = (
        "books | bot | seats | turns without laying | mean longest wait | opens on own turn | tiles a play"
    )
    print(f"\n| {columns} |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for (family, bot), seats in sorted(rows.items(), reverse=True):
        turns, plays = sum(row["turns"] for row in seats), sum(row["plays"] for row in seats)
        opened = [row["opened"] for row in seats if row["opened"] is not None]
        print(
            f"| {family} | {bot} | {len(seats)} | {sum(row['draw_turns'] for row in seats) / turns:.0%} "
            f"| {mean(row['longest_wait'] for row in seats):.1f} | {mean(opened):.1f} "
            f"| {sum(row['tiles'] for row in seats) / plays:.1f} |"
        )


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
    asked = parser.parse_args()
    if asked.question in ("chances", "all"):
        chances(asked.racks)
    for question in QUESTIONS:
        if asked.question in (question, "all"):
            answer(question, asked.deals, asked.jobs, asked.out)
    if asked.question == "corpus":
        corpus(asked.corpus)
    if asked.question in ("pictures", "all"):
        pictures()


if __name__ == "__main__":
    main()
