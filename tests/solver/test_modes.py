"""Compiled or interpreted: how that is decided, and that the answers are the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from meldroom.bots import Clock, bot, make_bot, play
from meldroom.errors import MissingExtraError
from meldroom.game import Shuffle, new_game, view
from meldroom.record import to_text
from meldroom.rules.library import BOOK_IDS, book
from meldroom.solver.kernel import compilation, mode
from meldroom.solver.kernel.interpreted import arrays
from testkit.equality import answered

ROOT = Path(__file__).resolve().parents[2]
CASES = os.pathsep.join([str(ROOT / "tests" / "cases"), str(ROOT / "tests" / "solver" / "data")])
LEVELS = (("beginner", "club", "tournament"), ("patient", "master"))


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    before = mode.current()
    yield
    mode.choose(before)


def game(book_id: str, levels: tuple[str, ...]) -> str:
    """A whole game as text; master thinks less than usual, for time's sake."""
    bots = [bot(level, effort=0.1) if level == "master" else bot(level) for level in levels]
    return to_text(play(book_id, bots, seed=f"{book_id} {levels}"))


def everything() -> dict[str, Any]:
    """Answers of every kind: a hundred positions, and a game of each book with each level."""
    found: dict[str, Any] = {"positions": answered("positions", 0, CASES)["digest"]}
    for book_id in BOOK_IDS:
        for levels in LEVELS:
            found[f"{book_id} {levels}"] = game(book_id, levels)
    return found


WITHOUT = """
import json, sys
sys.modules["numpy"] = sys.modules["numba"] = None
from meldroom.solver.kernel import mode
from tests.solver.test_modes import everything
found = everything()
print(json.dumps([mode.current(), found]))
"""


def test_without_numpy_and_numba_everything_is_answered_the_same() -> None:
    pytest.importorskip("numba")
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    with subprocess.Popen(
        [sys.executable, "-c", WITHOUT],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": paths, mode.VARIABLE: "auto"},
    ) as process:
        mode.choose("compiled")
        compiled = everything()
        said, _ = process.communicate()
    assert json.loads(said) == ["interpreted", compiled]


def test_published_cases_are_answered_the_same() -> None:
    pytest.importorskip("numba")
    digests = set()
    for wish in ("compiled", "interpreted"):
        mode.choose(wish)
        found = answered("cases", 0, CASES)
        assert found["count"] > 250
        digests.add(found["digest"])
    assert len(digests) == 1


def test_a_bot_goes_on_when_the_mode_changes_under_it() -> None:
    """Its memory is its own: after every turn in another mode it acts as one that never changed."""
    pytest.importorskip("numba")
    for book_id in ("wrc11", "rummyo"):
        rules = book(book_id)
        acted = []
        for modes in (("compiled", "compiled"), ("interpreted", "compiled")):
            state, _ = new_game(rules, ["Ada", "Bo"], Shuffle("modes"), starter=0)
            master, actions = make_bot("master", rules, seed="m", effort=0.1), []
            for turn in range(2):
                mode.choose(modes[turn])
                actions.append(master.act(view(state, 0), Clock()))
            acted.append(actions)
        assert acted[0] == acted[1]


def test_the_environment_and_the_stamp_decide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not mode.is_compiled_on_disk()
    assert mode.choose("auto") == "interpreted"
    told: list[str] = []
    monkeypatch.setattr(compilation, "_CALLS", {"nothing": lambda: None})
    monkeypatch.setattr(compilation, "forget_compiled", lambda: told.append("anew"))
    assert mode.compile_all(told.append) >= 0
    assert told == ["anew", "1/1 nothing"]
    assert mode.current() == "compiled"
    assert mode.is_compiled_on_disk()
    assert mode.choose("auto") == "compiled"
    monkeypatch.setattr(compilation, "_processor", lambda: "another machine")
    assert not mode.is_compiled_on_disk()
    assert mode.choose("auto") == "interpreted"
    assert mode.for_long_work(told.append) == "compiled"
    assert told == ["anew", "1/1 nothing"] * 2
    mode.compile_all(told.append)
    assert told == ["anew", "1/1 nothing"] * 2, "a fresh compilation is kept"
    monkeypatch.setenv(mode.VARIABLE, "interpreted")
    assert mode.for_long_work() == "interpreted"


def test_without_numba_compiling_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not mode.can_compile()
    assert mode.choose("auto") == "interpreted"
    assert mode.for_long_work() == "interpreted"
    with pytest.raises(MissingExtraError, match="numba"):
        mode.compile_all()
    assert mode.current() == "interpreted"


def test_an_interpreted_solve_loads_no_numeric_library() -> None:
    program = (
        "import sys; from meldroom.solver import solve; "
        "play = solve('tml@1 / table R1 R2 R3 / racks R4 K9, ?x14 / pool 87 / turn 1 / melded 1'); "
        "sys.exit(play.tiles != 1 or 'numba' in sys.modules or 'numpy' in sys.modules)"
    )
    environment = {**os.environ, mode.VARIABLE: "interpreted"}
    assert subprocess.run([sys.executable, "-c", program], check=False, env=environment).returncode == 0


def test_words_of_64_bits_wrap_as_a_processor_s_do() -> None:
    most = (1 << 64) - 1
    assert arrays.word(most + 1) == 0
    assert arrays.word(most * 3) == most - 2


def test_one_answer_is_interpreted_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.delenv(mode.VARIABLE, raising=False)
    mode.choose("compiled")
    assert mode.for_one_answer() == "interpreted"
    monkeypatch.setenv(mode.VARIABLE, "compiled")
    mode.choose("compiled")
    assert mode.for_one_answer() == "compiled"


@pytest.mark.parametrize(("words", "loads"), [(["--rack", "R1 R2 R3"], False), (["--jsonl"], True)])
def test_only_a_batch_of_positions_loads_numba(words: list[str], loads: bool) -> None:
    pytest.importorskip("numba")
    if not mode.is_compiled_on_disk():
        mode.compile_all()
    code = (
        "import sys; from meldroom.cli.app import app; "
        f"app(['solve'])(['solve', *{words}], standalone_mode=False); print('numba' in sys.modules)"
    )
    environment = {name: text for name, text in os.environ.items() if name != mode.VARIABLE}
    done = subprocess.run(
        [sys.executable, "-c", code], input='{"rack": ["R10", "R11", "R12"]}', env=environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == str(loads), done.stderr
