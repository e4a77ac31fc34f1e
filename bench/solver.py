"""Meldroom's solver beside the others, on one corpus: `python bench/solver.py --peers-python PATH`.

Each solver runs in a process of its own, one after the other, and is timed through its public Python call
with the position already in its own form. The table of results is printed and written into docs/solver.md.

`--peers-python` is a Python that has rummikub-solver==1.0.0, cvxopt and highspy; the others need this
project's own development environment. `--only` names some solvers, `--limit` takes the first positions.
`--positions FILE` measures others (`bench/solver_corpus.py --seed 7 --out FILE`).
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "src")]
CORPUS = HERE / "solver_positions.jsonl"
PAGE = HERE.parent / "docs" / "solver.md"
START, END = "<!-- speed: start -->", "<!-- speed: end -->"
OURS = "Meldroom, `solve_faces`"
STRICT = "Meldroom, `solve_faces`, printed joker rule"
WHOLE = "Meldroom, `solve`"
WHOLE_STRICT = "Meldroom, `solve`, printed joker rule"
MINE = (OURS, STRICT, WHOLE, WHOLE_STRICT)
PEERS = ("rummikub-solver 1.0.0, GLPK", "rummikub-solver 1.0.0, HiGHS")
MODELS = ("SciPy MILP, set model", "CP-SAT, set model")
REPEATS = {**dict.fromkeys(MINE, 3), PEERS[0]: 3}
OTHERS = 8
"""So many other positions are asked about before each call that is timed, where a solver keeps anything."""
SECONDS = 10.0
Call = Callable[[], int | None]


def corpus(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The positions to solve."""
    return [json.loads(line) for line in arguments.positions.read_text().splitlines()][: arguments.limit]


def meldroom_calls(positions: list[dict[str, Any]], rulebook: str) -> list[Call]:
    """Our solver: most tiles, then most points."""
    from meldroom.rules.library import book
    from meldroom.solver import solve_faces
    from meldroom.tiles import parse_tile

    rules = book(rulebook)

    def call(position: dict[str, Any]) -> Call:
        table = tuple(tuple(parse_tile(x, rules.tiles) for x in faces) for faces in position["table"])
        rack = tuple(parse_tile(x, rules.tiles) for x in position["rack"])
        melded = position["has_melded"]
        return lambda: solve_faces(rules, table, rack, melded).tiles

    return [call(position) for position in positions]


def states(positions: list[dict[str, Any]], rulebook: str) -> list[Any]:
    """The positions as states."""
    import meldroom

    found = []
    for position in positions:
        table = " | ".join(map(" ".join, position["table"])) or "-"
        melded = " / melded 1" if position["has_melded"] else ""
        racks = f"{' '.join(position['rack'])}, -"
        found.append(
            meldroom.State.from_position(f"{rulebook} / table {table} / racks {racks} / turn 1{melded}")
        )
    return found


def state_calls(positions: list[dict[str, Any]], rulebook: str) -> list[Call]:
    """The call people make: the best play of a state, with few old sets changed, and its action."""
    import meldroom

    def call(state: Any) -> Call:
        return lambda: meldroom.solve(state).tiles

    return [call(state) for state in states(positions, rulebook)]


def peer_calls(positions: list[dict[str, Any]], backend: str) -> list[Call]:
    """rummikub-solver: most tiles. For an opening only whether there is one is compared."""
    from rummikub_solver import (  # type: ignore[import-not-found,unused-ignore]
        GameState,
        MILPSolver,
        RuleSet,
        SolverMode,
    )

    chosen = MILPSolver.GLPK_MI if backend == "GLPK" else MILPSolver.HIGHS
    rules = RuleSet(solver_backend=chosen)
    colours = {"K": 0, "B": 1, "O": 2, "R": 3}
    number = {"*": 53} | {f"{c}{n}": colours[c] * 13 + n for c in colours for n in range(1, 14)}

    def call(position: dict[str, Any]) -> Call:
        table = [number[x] for faces in position["table"] for x in faces]
        melded = position["has_melded"]
        state = GameState((*rules._tiles,), table, [number[x] for x in position["rack"]], not melded)
        mode = SolverMode.TILE_COUNT if melded else SolverMode.INITIAL

        def run() -> int:
            found = rules.solve(state, mode)
            return len(found.tiles) if found is not None else 0

        return run

    return [call(position) for position in positions]


def model_calls(positions: list[dict[str, Any]], name: str) -> list[Call]:
    """A set-count model built for each position, one solve for most tiles; None when not proven in time."""
    from meldroom.rules.library import book
    from meldroom.tiles import parse_tile
    from testkit.solver import oracles

    rules = book("tml")
    oracles.CP_SAT_SECONDS = SECONDS
    maximum = oracles._scipy if name.startswith("SciPy") else partial(oracles._cp_sat, presolve=True)

    def call(position: dict[str, Any]) -> Call:
        old = Counter(parse_tile(x, rules.tiles) for faces in position["table"] for x in faces)
        have = old + Counter(parse_tile(x, rules.tiles) for x in position["rack"])

        def run() -> int | None:
            model = oracles.set_model(rules, old, have)
            try:
                return maximum(model, dict.fromkeys(model.laid.values(), 1))
            except oracles.OracleError:
                return None

        return run

    return [call(position) for position in positions]


def calls(name: str, positions: list[dict[str, Any]]) -> list[Call]:
    """The calls of one solver."""
    if name in (OURS, STRICT):
        return meldroom_calls(positions, "tml" if name == OURS else "wrc11")
    if name in (WHOLE, WHOLE_STRICT):
        return state_calls(positions, "tml" if name == WHOLE else "wrc11")
    if name in PEERS:
        return peer_calls(positions, name.rsplit(" ", 1)[1])
    return model_calls(positions, name)


def work(name: str, positions: list[dict[str, Any]], start: int) -> None:
    """Times one solver; prints a line of JSON for each position from `start` on, then its peak memory."""
    everything = calls(name, positions)
    for call in everything[:3]:
        call()
    for place, (position, call) in list(enumerate(zip(positions, everything, strict=True)))[start:]:
        if name in MODELS and not position["has_melded"]:
            print("[null, null]", flush=True)
            continue
        best = float("inf")
        for _ in range(REPEATS.get(name, 1)):
            if name in MINE:
                # What is kept from asking about the very same position would flatter us.
                for other in (everything[-OTHERS:] + everything)[place : place + OTHERS]:
                    other()
            begun = time.process_time()
            answer = call()
            best = min(best, time.process_time() - begun)
        print(json.dumps([best * 1000, answer]), flush=True)
    print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def measure(name: str, python: str, arguments: argparse.Namespace) -> dict[str, Any] | None:
    """Runs one solver over the corpus; a position that kills its process has no answer."""
    count = len(corpus(arguments))
    lines: list[Any] = []
    while True:
        command = [python, __file__, "--worker", name, "--start", str(len(lines))]
        command += ["--positions", str(arguments.positions)]
        if arguments.limit:
            command += ["--limit", str(arguments.limit)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        read = [json.loads(line) for line in run.stdout.splitlines() if line[:1] in "[0123456789"]
        if run.returncode and not read and not lines:
            print(f"{name}: {run.stderr.strip()[-300:]}", file=sys.stderr)
            return None
        lines += [line for line in read if isinstance(line, list)]
        if not run.returncode:
            times, answers = zip(*lines, strict=True)
            return {"times": times, "answers": answers, "memory": read[-1]}
        lines.append([None, None])
        if len(lines) == count:
            times, answers = zip(*lines, strict=True)
            return {"times": times, "answers": answers, "memory": 0}


def percentile(values: list[float], share: float) -> float:
    """The value that this share of values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def compare(positions: list[dict[str, Any]], mine: dict[str, Any], other: dict[str, Any]) -> tuple[int, int]:
    """How many answers differ, and how many there are none of."""
    wrong = missing = 0
    for position, ours, theirs in zip(positions, mine["answers"], other["answers"], strict=True):
        if theirs is None:
            missing += 1
        elif position["has_melded"]:
            wrong += ours != theirs
        else:
            wrong += bool(ours) != bool(theirs)
    return wrong, missing


def report(positions: list[dict[str, Any]], results: dict[str, dict[str, Any]]) -> str:
    """The table of results, in Markdown."""
    kinds = Counter(position["kind"] for position in positions)
    lines = [
        f"{len(positions)} positions ({', '.join(f'{n} {kind}' for kind, n in kinds.items())}); milliseconds "
        f"of processor time a call.",
        "",
        "| solver | median | 95 % | 99 % | worst | answers that differ | no answer | peak MB |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, result in results.items():
        times = [t for t in result["times"] if t is not None]
        wrong, missing = compare(positions, results[OURS], result)
        differ = "–" if name in (STRICT, WHOLE_STRICT) else str(wrong)
        numbers = (statistics.median(times), percentile(times, 0.95), percentile(times, 0.99), max(times))
        shown = " | ".join(f"{n:.3f}" if n < 10 else f"{n:.0f}" for n in numbers)
        lines.append(f"| {name} | {shown} | {differ} | {missing} | {result['memory']:.0f} |")
    for name in PEERS[:1]:
        if name in results and WHOLE in results:
            both = zip(results[WHOLE]["times"], results[name]["times"], strict=True)
            ours, theirs = zip(*((o, t) for o, t in both if t is not None), strict=True)
            median = statistics.median(theirs) / statistics.median(ours)
            tail = percentile(list(theirs), 0.99) / percentile(list(ours), 0.99)
            ratios = statistics.median(t / o for t, o in zip(theirs, ours, strict=True))
            lines += [
                "",
                f"`solve` against {name}: median {median:.0f} times, 99th percentile {tail:.0f} times "
                f"faster; the median of the ratios position by position is {ratios:.0f}.",
            ]
    return "\n".join(lines)


def write_page(text: str) -> None:
    """Puts the table between its marks in the documentation."""
    page = PAGE.read_text()
    before, rest = page.split(START)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{START}\n\n{text}\n\n{END}{after}")


def tidiness(positions: list[dict[str, Any]], rulebook: str) -> str:
    """How many old sets plays change, and how often fewer are proven impossible."""
    import meldroom
    from meldroom.rules.library import book
    from meldroom.tiles import parse_tile

    tiles = book(rulebook).tiles
    lines = [f"{rulebook}: answer, fewest proven, old sets changed (mean), plays"]
    for neat in (False, True, "thorough"):
        proven: list[bool] = []
        changed: list[int] = []
        for position, state in zip(positions, states(positions, rulebook), strict=True):
            play = meldroom.solve(state, neat=neat)
            if play.tiles and position["table"]:
                after = Counter(tuple(sorted(faces)) for faces in play.table)
                before = Counter(
                    tuple(sorted(parse_tile(x, tiles) for x in old)) for old in position["table"]
                )
                changed.append((before - after).total())
                proven.append(bool(play.fewest))
        share = sum(proven) / len(proven)
        lines.append(f"neat={neat!r}: {share:.0%}, {statistics.mean(changed):.1f}, {len(changed)}")
    return "\n".join(lines)


def main() -> int:
    """Runs every solver and reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers-python", default=sys.executable)
    parser.add_argument("--only", nargs="*", default=None)
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--positions", type=Path, default=CORPUS)
    parser.add_argument("--write", action="store_true", help="write the table into docs/solver.md")
    parser.add_argument("--fewest", action="store_true", help="count the old sets that plays change instead")
    parser.add_argument("--worker", default=None, help=argparse.SUPPRESS)
    parser.add_argument("--start", type=int, default=0, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        work(arguments.worker, corpus(arguments), arguments.start)
        return 0
    if arguments.fewest:
        print("\n".join(tidiness(corpus(arguments), book) for book in ("tml", "wrc11")))
        return 0
    results: dict[str, dict[str, Any]] = {}
    for name in (*MINE, *PEERS, *MODELS):
        if arguments.only and name != OURS and not any(word in name for word in arguments.only):
            continue
        python = arguments.peers_python if name in PEERS else sys.executable
        result = measure(name, python, arguments)
        if result is None:
            continue
        results[name] = result
        print(f"{name}: done", file=sys.stderr)
    text = report(corpus(arguments), results)
    print(text)
    if arguments.write:
        write_page(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
