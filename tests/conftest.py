"""Settings for all tests: hypothesis repeats itself, and what is too slow for daily work is marked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ["LC_ALL"] = "C.UTF-8"  # the commands answer in the language of the system: here English

if find_spec("numba") is not None:  # thousands of solves: compiled kernels, unless a test says otherwise
    os.environ.setdefault("MELDROOM_KERNELS", "compiled")

# A run today and a run tomorrow agree.
settings.register_profile(
    "meldroom", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", settings.get_profile("meldroom"), max_examples=10)
settings.load_profile("meldroom")

SLOW = (
    "tests/arena/test_command.py",
    "tests/arena/test_dask_executor.py",
    "tests/arena/test_report.py",
    "tests/arena/test_respond.py",
    "tests/arena/test_run.py",
    "tests/coach/test_report.py",
    "tests/corpus/test_corpus.py",
    "tests/bots/laying_off/test_games.py",
    "tests/bots/rearranging/test_last_draws.py",
    "tests/bots/rearranging/test_playouts.py",
    "tests/bots/rearranging/test_whole_games.py",
    "tests/bots/stdio/",
    "tests/bots/test_chances.py",
    "tests/browser/",
    "tests/browser_home/test_pyodide.py",
    "tests/browser_home/test_same_answers.py",
    "tests/browser_home/test_survival.py",
    "tests/browser_home/test_whole_games.py",
    "tests/championship/test_championship_command.py",
    "tests/championship/test_seating_fields.py",
    "tests/cli/terminal/test_games_at_speed.py",
    "tests/cli/terminal/test_screens.py",
    "tests/cli/terminal/test_whole_game.py",
    "tests/cli/test_command_line_page.py",
    "tests/cli/test_endings.py",
    "tests/cli/test_house_books.py",
    "tests/cli/test_solve_command.py",
    "tests/documents/",
    "tests/env/test_gym.py",
    "tests/env/test_open_spiel.py",
    "tests/env/test_training_examples.py",
    "tests/env/test_whole_games.py",
    "tests/i18n/test_catalogue.py",
    "tests/i18n/test_third_language.py",
    "tests/laws/test_hostile_actions.py",
    "tests/laws/test_judges_agree.py",
    "tests/laws/test_legal_actions.py",
    "tests/laws/test_opening_and_scoring.py",
    "tests/laws/test_random_games.py",
    "tests/laws/test_verify_speed.py",
    "tests/laws/test_wild_games.py",
    "tests/papers/test_papers.py",
    "tests/record/test_bad_input.py",
    "tests/record/test_round_trip.py",
    "tests/rooms/test_whole_games.py",
    "tests/server/api/test_serve_command.py",
    "tests/server/championships/test_kills.py",
    "tests/server/cluster/",
    "tests/server/championships/test_online.py",
    "tests/server/championships/test_restart.py",
    "tests/server/championships/test_whole_championship.py",
    "tests/server/games/test_finished_games.py",
    "tests/server/live/",
    "tests/server/push/test_turns.py",
    "tests/server/test_workers.py",
    "tests/server/trials/",
    "tests/solver/test_against_oracles.py",
    "tests/solver/test_counting.py",
    "tests/solver/test_explain.py",
    "tests/solver/test_modes.py",
    "tests/solver/test_indices.py",
    "tests/solver/test_lay_off.py",
    "tests/solver/test_tiny_books.py",
    "tests/test_core_alone.py",
    "tests/test_locks.py",
    "tests/trees/",
)
"""Files and folders that `python3 run.py test --quick` leaves out: long games, oracles, servers, browsers."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even load what the quick lane leaves out."""
    path = collection_path.relative_to(config.rootpath).as_posix()
    quick = config.getoption("markexpr") == "not slow"
    return True if quick and f"{path}/".startswith(SLOW) else None


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Mark the slow tests."""
    for item in items:
        if item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(params=["compiled", "interpreted"])
def kernels(request: pytest.FixtureRequest) -> Iterator[str]:
    """The test runs twice, with compiled kernels and with interpreted ones."""
    from meldroom.solver.kernel import mode

    if request.param == "compiled":
        pytest.importorskip("numba")
    before = mode.current()
    mode.choose(request.param)
    yield request.param
    mode.choose(before)
