"""Puzzles: the gates' table, the pack proven again by two oracles, the prior, the ratings.

    python bench/puzzles.py gates --games 2500 --store FOLDER    how many positions pass each gate
    python bench/puzzles.py oracles --store FILE --seconds 280   the pack by CP-SAT and HiGHS, resumable
    python bench/puzzles.py prior --sample 300                   the prior against simulated solvers
    python bench/puzzles.py prior --fit FILE                     weights for the prior, from other puzzles
    python bench/puzzles.py ratings                              10,000 solvers and 2,000 puzzles

The exit status is 1 if something does not hold.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from math import exp, log2
from pathlib import Path
from statistics import fmean

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "src")]

from meldroom.arena import load  # noqa: E402
from meldroom.corpus.puzzles import mine_experiment, report  # noqa: E402
from meldroom.game import View  # noqa: E402
from meldroom.puzzles import Puzzle, load_puzzles, starter_pack  # noqa: E402
from meldroom.puzzles.candidate import WEAK, laid_by  # noqa: E402
from meldroom.puzzles.features import Features, study  # noqa: E402
from meldroom.puzzles.gates import LEAST_MARGIN  # noqa: E402
from meldroom.puzzles.prior import prior, terms  # noqa: E402
from meldroom.puzzles.puzzle import PuzzlePosition  # noqa: E402
from meldroom.puzzles.ratings import Attempt, Ledger  # noqa: E402
from meldroom.rules.verify import Turn, verify  # noqa: E402
from meldroom.solver.kernel import mode  # noqa: E402
from testkit.puzzles.solvers import STRENGTHS, shifts_needed  # noqa: E402
from testkit.solver import oracles  # noqa: E402

EXPERIMENT = Path(__file__).parents[1] / "examples" / "experiments" / "puzzles.toml"
ORACLES = ("CP-SAT", "SciPy")
BY_ORACLES = ("go_out", "most_tiles", "joker", "open")
STRICT = "free jokers do better"
RUNS = 2
"""How often a simulated solver of each strength tries a puzzle."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("gates", "oracles", "prior", "ratings"))
    parser.add_argument("--games", type=int, default=2500)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--seconds", type=float, default=280)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--fit", type=Path)
    parser.add_argument("--solvers", type=int, default=10_000)
    parser.add_argument("--puzzles", type=int, default=2_000)
    parser.add_argument("--attempts", type=int, default=60)
    args = parser.parse_args()
    if args.what in ("gates", "prior"):
        mode.for_long_work()
    match args.what:
        case "gates":
            return gates(args)
        case "oracles":
            return by_oracles(args)
        case "prior":
            return fit(args) if args.fit else against_solvers(args)
        case _:
            return recovered(args)


def gates(args: argparse.Namespace) -> int:
    """How many positions of mixed tables pass each gate."""
    folder = args.store or Path("puzzles-mined")
    begun = time.process_time()
    made = mine_experiment(load(EXPERIMENT), folder, jobs=args.jobs, most_games=args.games)
    puzzles = list(load_puzzles(folder / "puzzles.jsonl.gz"))
    print(report(puzzles, made.tally, made.games))
    print(f"processor time of this run: {time.process_time() - begun:.0f} s")
    return 0


# The pack by oracles


def check(name: str, puzzle: Puzzle) -> str | None:
    """What an oracle finds wrong with a puzzle; None if nothing.

    Oracles let jokers move freely. Where the book is stricter, that bounds from above what can be laid; the
    book's own judge says that the answer is legal. So a bound that is met is a proof under either rule.
    """
    given = puzzle.read()
    book, played = given.state.book, given.played
    if verify(book, Turn(given.table, given.rack, given.after, given.melded)):
        return "the answer is illegal"
    out = len(played) == len(given.rack)
    strict = given.melded and book.jokers.reuse == "new_set" and _has_joker(given)
    if given.melded:
        most = len(played) if out else oracles.most_tiles(name, book, given.table, given.rack)
        second = oracles.most_tiles(name, book, given.table, given.rack, played)
    else:
        if given.after[: len(given.table)] != given.table:
            return "an opening changes the table"
        most = oracles.most_in_opening(name, book, given.rack)
        second = oracles.most_in_opening(name, book, given.rack, played)
    if most < len(played) or (most > len(played) and not strict):
        return f"{most} tiles, not {len(played)}"
    if most == len(played) and second < len(played) and (out or second <= len(played) - LEAST_MARGIN):
        return None if strict or second == puzzle.second else f"second best {second}, not {puzzle.second}"
    return STRICT if strict else f"second best {second}, not {puzzle.second}"


def _has_joker(given: PuzzlePosition) -> bool:
    return any(given.state.book.tiles.joker in faces for faces in given.table)


def checked(name: str, puzzles: list[Puzzle]) -> list[tuple[str, str]]:
    """The id and what is wrong (or "") of some puzzles."""
    found = []
    for puzzle in puzzles:
        try:
            found.append((puzzle.id, check(name, puzzle) or ""))
        except oracles.OracleError as error:
            found.append((puzzle.id, f"error: {error}"))
    return found


def by_oracles(args: argparse.Namespace) -> int:
    """Unique and by enough, by two oracles in processes of their own; not found by `club`."""
    pack = [each for each in starter_pack() if each.kind in BY_ORACLES and each.book != "rummyo"]
    store = args.store or Path("puzzle-oracles.json")
    kept: dict[str, dict[str, str]] = json.loads(store.read_text()) if store.exists() else {}
    until = time.monotonic() + args.seconds
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        while time.monotonic() < until:
            asked = {}
            for name in ORACLES:
                left = [each for each in pack if each.id not in kept.setdefault(name, {})][:20]
                if left:
                    asked[name] = pool.submit(checked, name, left)
            for name, future in asked.items():
                kept[name] |= dict(future.result())
            store.write_text(json.dumps(kept))
            if not asked:
                break
    failed = 0
    for name in ORACLES:
        faults = {id: fault for id, fault in kept.get(name, {}).items() if fault}
        strict = sum(fault == STRICT for fault in faults.values())
        failed += len(faults) - strict
        print(f"{name}: {len(kept.get(name, {}))} of {len(pack)} puzzles, {len(faults) - strict} fail")
        print(f"  {strict} where only the printed joker rule makes the answer unique: beyond these oracles")
        for id, fault in faults.items():
            if fault != STRICT:
                print(f"  {id}: {fault}")
    turns = [each for each in pack if each.kind != "open"]
    found = sum(laid_by(each.read().state.book, WEAK, _view(each)) == each.read().played for each in turns)
    print(f"club finds {found} of {len(turns)}")
    return int(failed > 0 or found > 0)


def _view(puzzle: Puzzle) -> View:
    given = puzzle.read()
    return given.state.view(given.seat)


# The prior


def hardness(puzzle: Puzzle) -> float:
    """How much simulated solvers have to shift, in doublings; giving up counts four times its limit."""
    given = puzzle.read()
    tries = [
        (shifts_needed(given, strength, f"{puzzle.id} {run}") or 4 * strength.shifts)
        for strength in STRENGTHS
        for run in range(RUNS)
    ]
    return fmean(map(log2, tries))


def sampled(puzzles: tuple[Puzzle, ...], count: int) -> list[Puzzle]:
    """Puzzles that simulated solvers can try: rearranging books, players who have opened."""
    fitting = [each for each in puzzles if each.kind in ("go_out", "most_tiles", "joker")]
    fitting = [each for each in fitting if each.book != "rummyo"]
    return random.Random("prior").sample(fitting, min(count, len(fitting)))


def _features(puzzle: Puzzle) -> Features:
    given = puzzle.read()
    return study(
        given.state.book, given.table, given.rack, given.after, given.melded, len(given.played)
    ).features


def against_solvers(args: argparse.Namespace) -> int:
    """Spearman's rank correlation of the prior with what simulated solvers need."""
    puzzles = sampled(starter_pack(), args.sample)
    hard = [hardness(each) for each in puzzles]
    found = spearman([prior(_features(each)) for each in puzzles], hard)
    print(f"{len(puzzles)} puzzles, {len(STRENGTHS)} strengths, {RUNS} tries each: Spearman {found:.3f}")
    for strength in STRENGTHS:
        solved = sum(shifts_needed(each.read(), strength, f"{each.id} 0") is not None for each in puzzles)
        print(f"  {strength.name}: solves {100 * solved / len(puzzles):.0f} %")
    return int(found < 0.6)


def fit(args: argparse.Namespace) -> int:
    """Weights by least squares on half of some puzzles, tried on the other half."""
    import numpy as np

    puzzles = sampled(load_puzzles(args.fit), args.sample)
    rows = [terms(_features(each)) for each in puzzles]
    names = list(rows[0])
    hard = np.array([hardness(each) for each in puzzles])
    matrix = np.array([[1.0, *(row[name] for name in names)] for row in rows])
    half = len(puzzles) // 2
    ridge = np.eye(matrix.shape[1])
    ridge[0, 0] = 0
    weights = np.linalg.solve(matrix[:half].T @ matrix[:half] + ridge, matrix[:half].T @ hard[:half])
    print("held out: Spearman", round(spearman(list(matrix[half:] @ weights), list(hard[half:])), 3))
    weights = np.linalg.solve(matrix.T @ matrix + ridge, matrix.T @ hard)
    for name, weight, mean in zip(("base", *names), weights, matrix.mean(axis=0), strict=True):
        print(f"  {name}: {weight:.3f} (mean {mean:.2f})")
    print(f"  hardness: mean {hard.mean():.2f}, deviation {hard.std():.2f}")
    return 0


def spearman(one: list[float], other: list[float]) -> float:
    """Rank correlation, ties sharing their ranks."""
    return _pearson(_ranks(one), _ranks(other))


def _ranks(values: list[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in range(start, end + 1):
            ranks[order[place]] = (start + end) / 2
        start = end + 1
    return ranks


def _pearson(one: list[float], other: list[float]) -> float:
    mean, mean_other = fmean(one), fmean(other)
    both = sum((a - mean) * (b - mean_other) for a, b in zip(one, other, strict=True))
    spread = sum((a - mean) ** 2 for a in one) * sum((b - mean_other) ** 2 for b in other)
    return float(both / spread**0.5)


# Ratings


def recovered(args: argparse.Namespace) -> int:
    """Solvers and puzzles of known strength: do ratings find them, and what does nonsense do?"""
    chance = random.Random("ratings")
    players = [chance.gauss(1500, 350) for _ in range(args.solvers)]
    hard = [chance.gauss(1500, 350) for _ in range(args.puzzles)]
    # A prior is right to within some two hundred points.
    priors = {str(place): round(true + chance.gauss(0, 250)) for place, true in enumerate(hard)}
    ledger = Ledger(priors)
    before = spearman([float(priors[str(place)]) for place in range(len(hard))], hard)
    order = [who for who in range(args.solvers) for _ in range(args.attempts)]
    chance.shuffle(order)
    for who in order:
        now = ledger.players.get((str(who), "wrc11"))
        target = 1500 if now is None else now.rating.rating
        tried = min(
            (chance.randrange(len(hard)) for _ in range(12)),
            key=lambda each: abs(ledger.puzzles[str(each)].rating.rating - target),
        )
        solved = chance.random() < 1 / (1 + exp(-(players[who] - hard[tried]) / 173.7178))
        ledger.add(Attempt(str(who), str(tried), "wrc11", solved, 30.0))
    rated = [who for who in range(args.solvers) if (str(who), "wrc11") in ledger.players]
    of_players = spearman(
        [ledger.players[str(who), "wrc11"].rating.rating for who in rated], [players[who] for who in rated]
    )
    of_puzzles = spearman([ledger.puzzles[str(place)].rating.rating for place in range(len(hard))], hard)
    print(f"{args.solvers} solvers, {args.puzzles} puzzles, {args.attempts} attempts each")
    print(
        f"  rank correlation: solvers {of_players:.3f}, puzzles {of_puzzles:.3f} (priors alone {before:.3f})"
    )
    worst = nonsense(ledger, len(hard))
    return int(min(of_players, of_puzzles) < 0.95 or worst > 60)


def nonsense(ledger: Ledger, puzzles: int) -> float:
    """Somebody who fails everything, somebody who solves everything, and somebody who repeats: what moves?"""
    worst = 0.0
    for name, solved, seconds in (("fails", False, 30.0), ("solves", True, 30.0), ("clicks", False, 0.5)):
        before = [ledger.puzzles[str(place)].rating.rating for place in range(puzzles)]
        counted = 0
        for _ in range(3):
            for place in range(puzzles):
                counted += ledger.add(Attempt(name, str(place), "wrc11", solved, seconds))
        moved = [abs(ledger.puzzles[str(p)].rating.rating - old) for p, old in enumerate(before)]
        own = ledger.players[name, "wrc11"].rating.rating
        print(
            f"  who {name} all {puzzles} three times: {counted} attempts count, puzzles move by "
            f"{fmean(moved):.1f} on average, {max(moved):.1f} at most; own rating {own:.0f}"
        )
        worst = max(worst, max(moved))
    return worst


if __name__ == "__main__":
    sys.exit(main())
