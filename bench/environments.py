"""How fast the environments are: steps a second, and how long one decision takes.

    python bench/environments.py [--games 30] [--write]
    python bench/environments.py --steps [--seconds 10] [--before CHECKOUT] [--write]

Plays random allowed numbers in every book under both codecs and prints a table; with `--steps` it counts the
steps of every environment in a second, beside OpenSpiel's gin rummy and, where it is installed, RLCard's.
With a checkout of an earlier revision (`git worktree add`) its environments are measured in the same run;
otherwise its column is kept. `--write` puts the table into `docs/environments.md`. Times are processor time
on one core, the kernels compiled beforehand; with two threads they are those of the clock, so that both cores
must have nothing else to do.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path(os.environ.get("MELDROOM_BENCH_SOURCE", ROOT)) / "src"
if sys.path[0] != str(SOURCE):
    sys.path.insert(0, str(SOURCE))

from meldroom.env import aec_env, gym_env, open_spiel_game  # noqa: E402
from meldroom.env.codecs.codec import Decision, make_codec  # noqa: E402
from meldroom.env.episode import Episode, settings  # noqa: E402
from meldroom.rules.library import BOOK_IDS  # noqa: E402
from meldroom.solver.kernel import mode  # noqa: E402

PAGE = ROOT / "docs" / "environments.md"
DECISIONS, STEPS = "speed", "steps"
PLAYERS = 3


class Times(NamedTuple):
    """Milliseconds of every decision of some games: its choices, and its observation."""

    choices: list[float]
    observations: list[float]


def measure(book_id: str, codec: str, games: int, first: int = 0) -> Times:
    """Plays games by chance and measures each decision as if it were the first time it is met."""
    made = settings(book_id, PLAYERS, codec=codec)
    times = Times([], [])
    for number in range(first, first + games):
        episode, chance = Episode(made, f"bench {book_id} {number}"), random.Random(number)
        while episode.decision is not None:
            decision: Decision = episode.decision
            started = time.process_time()
            if not decision.chosen and decision.stage != "discard":
                decision = make_codec(codec, made.book).begin(episode.view())
            mask, _ = decision.mask, decision.features
            times.choices.append((time.process_time() - started) * 1000)
            started = time.process_time()
            episode.observe(episode.seat)
            times.observations.append((time.process_time() - started) * 1000)
            episode.step(chance.choice(np.flatnonzero(mask).tolist()))
    return times


def row(book_id: str, codec: str, games: int) -> str:
    """A line of the table."""
    measure(book_id, codec, 2, first=1_000_000)  # loads and compiles what the first games would pay for
    times = measure(book_id, codec, games)
    spread = " | ".join(f"{np.percentile(times.choices, share):.2f}" for share in (50, 95, 99, 100))
    seen = f"{np.percentile(times.observations, 50):.2f}"
    return f"| {book_id} | {codec} | {len(times.choices):,} | {spread} | {seen} |"


def table(games: int) -> str:
    """The whole table."""
    lines = [
        f"{games} random games of {PLAYERS} players each; milliseconds of processor time for one decision.",
        "",
        "| book | codec | decisions | median | 95 % | 99 % | worst | observation |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    return "\n".join(
        [*lines, *(row(book, codec, games) for book in BOOK_IDS for codec in ("candidates", "tiles"))]
    )


Steps = Iterator[int]
"""Takes a step at a time for ever; each item is how many decisions it was."""


def gym_steps(book_id: str, opponents: str) -> Steps:
    """One learner, random numbers."""
    env, chance = gym_env(book_id, 2, opponents=opponents), random.Random(1)
    _, info = env.reset(seed=1)
    while True:
        number = chance.choice(np.flatnonzero(info["action_mask"]).tolist())
        _, _, terminated, truncated, info = env.step(number)
        yield 1
        if terminated or truncated:
            _, info = env.reset()


def vector_steps(book_id: str, opponents: str, threads: int, games: int = 128) -> Steps:
    """Many games at once, random numbers; steps that only deal are not counted."""
    vector_env = import_module("meldroom.env").vector_env  # an earlier revision has none
    env, chance = (
        vector_env(games, book_id, 2, opponents=opponents, threads=threads),
        np.random.default_rng(1),
    )
    _, info = env.reset(seed=1)
    over = np.zeros(games, bool)
    while True:
        mask = info["action_mask"]
        played = games - int(over.sum())
        _, _, over, _, info = env.step((chance.random(mask.shape) * mask).argmax(axis=1))
        yield played


def aec_steps(book_id: str) -> Steps:
    """Every seat an agent, random numbers."""
    env, chance = aec_env(book_id, 2), random.Random(1)
    env.reset(seed=1)
    while True:
        _, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.reset()
            continue
        env.step(chance.choice(np.flatnonzero(info["action_mask"]).tolist()))
        yield 1


def spiel_steps(game: Any) -> Steps:
    """An OpenSpiel game, random numbers; chance is not counted."""
    chance, state = random.Random(1), game.new_initial_state()
    while True:
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            yield 1


def own_spiel_steps(book_id: str) -> Steps:
    """Our game in OpenSpiel."""
    return spiel_steps(open_spiel_game(book_id, 2))


def peer_spiel_steps() -> Steps:
    """OpenSpiel's gin rummy, which is written in C++."""
    return spiel_steps(import_module("pyspiel").load_game("gin_rummy"))


def rlcard_steps() -> Steps:
    """RLCard's gin rummy, random numbers."""
    env, chance = import_module("rlcard").make("gin-rummy", config={"seed": 1}), random.Random(1)
    while True:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(chance.choice(list(state["legal_actions"])))
            yield 1


SINGLE: dict[str, Callable[[], Steps]] = {
    **{
        f"Gymnasium, {book_id}, against {level}": partial(gym_steps, book_id, level)
        for level in ("beginner", "club", "tournament", "patient")
        for book_id in ("wrc11", "tml")
    },
    **{f"PettingZoo, {book_id}": partial(aec_steps, book_id) for book_id in ("wrc11", "tml")},
    **{f"OpenSpiel, {book_id}": partial(own_spiel_steps, book_id) for book_id in ("wrc11", "tml")},
}
"""Environments of one game, which earlier revisions had too."""
VECTORISED: dict[str, Callable[[int], Steps]] = {
    f"Gymnasium, tml, against {level}": partial(vector_steps, "tml", level)
    for level in ("beginner", "tournament", "patient")
}
"""The same tables, many games at once, on so many threads."""
PEERS: dict[str, Callable[[], Steps]] = {
    "OpenSpiel's gin rummy, C++": peer_spiel_steps,
    "RLCard's gin rummy": rlcard_steps,
}


def steps_in_a_second(
    make: Callable[[], Steps], seconds: float, now: Callable[[], float] = time.process_time
) -> float | None:
    """Decisions in a second, of processor time unless told; None where something is not installed."""
    try:
        steps = make()
        next(steps)
    except ImportError:
        return None
    started = now()
    while now() - started < min(1, seconds / 2):  # whatever is loaded or compiled late
        next(steps)
    count, started = 0, now()
    while (spent := now() - started) < seconds:
        count += next(steps)
    return count / spent


def answer_lines(seconds: float) -> None:
    """Measures the environments of one game whose names are read, for another process."""
    for line in sys.stdin:
        print(steps_in_a_second(SINGLE[line.strip()], seconds), flush=True)


def earlier_revision(folder: Path, seconds: float) -> Callable[[str], float]:
    """Measures environments of an earlier revision, checked out in a folder, in a process of its own."""
    variables = {**os.environ, "MELDROOM_BENCH_SOURCE": str(folder), "MELDROOM_KERNELS": "compiled"}
    process = subprocess.Popen(
        [sys.executable, __file__, "--answer", "--seconds", str(seconds)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=variables,
    )  # fmt: skip
    asked, answers = process.stdin, process.stdout
    assert asked is not None
    assert answers is not None

    def measure(name: str) -> float:
        asked.write(f"{name}\n")
        asked.flush()
        return float(answers.readline())

    return measure


def written_before() -> dict[str, float]:
    """The column of the earlier revision as the page has it."""
    rows = [line.split("|")[1:3] for line in PAGE.read_text(encoding="utf-8").splitlines()]
    names = [(cells[0].strip(), cells[1].strip().replace(",", "")) for cells in rows if len(cells) == 2]
    return {name: float(value) for name, value in names if name in SINGLE and value}


def steps_table(seconds: float, earlier: Path | None) -> str:
    """Steps a second of everything, in one run; each environment right after its earlier revision."""
    if mode.current() == "interpreted":
        mode.for_long_work()
    measure = earlier_revision(earlier, seconds) if earlier else written_before().__getitem__
    lines = [
        "| environment, two players | before | now | vectorised | to before | on two threads | to before |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, make in {**SINGLE, **PEERS}.items():
        before = measure(name) if name in SINGLE else None
        now = steps_in_a_second(make, seconds)
        cells = [f"{before:,.0f}" if before else "", f"{now:,.0f}" if now else "not installed"]
        for threads, clock in ((1, time.process_time), (2, time.perf_counter)):
            many = None
            if name in VECTORISED:
                many = steps_in_a_second(partial(VECTORISED[name], threads), seconds, clock)
            cells += [f"{many:,.0f}" if many else "", f"{many / before:.1f}×" if many and before else ""]
        lines.append(f"| {name} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def main() -> int:
    """Print a table, and write it into the page if asked; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=30, help="games of each book under each codec (30)")
    parser.add_argument("--steps", action="store_true", help="count steps a second instead")
    parser.add_argument("--seconds", type=float, default=10, help="processor time for each environment (10)")
    parser.add_argument(
        "--before", type=Path, help="a checkout of an earlier revision, measured in the same run"
    )
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help="write the table into docs/environments.md")
    chosen = parser.parse_args()
    if chosen.answer:
        answer_lines(chosen.seconds)
        return 0
    found = steps_table(chosen.seconds, chosen.before) if chosen.steps else table(chosen.games)
    print(found)
    if chosen.write:
        part = STEPS if chosen.steps else DECISIONS
        start, end = f"<!-- {part}: start -->", f"<!-- {part}: end -->"
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(start)
        _, _, after = rest.partition(end)
        PAGE.write_text(f"{before}{start}\n\n{found}\n\n{end}{after}", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
