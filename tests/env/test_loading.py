"""Nothing is loaded before it is asked for, and what is missing is named."""

from __future__ import annotations

import subprocess
import sys

import pytest

FRAMEWORKS = ("gymnasium", "pettingzoo", "pyspiel")


def run(program: str) -> str:
    """What a fresh Python prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def test_the_package_loads_no_framework() -> None:
    heavy = ("numpy", "numba", *FRAMEWORKS)
    program = f"import sys, meldroom.env; print([name for name in {heavy!r} if name in sys.modules])"
    assert run(program) == "[]"


def test_each_environment_loads_only_its_own_framework() -> None:
    def loaded(module: str) -> str:
        listed = f"[name for name in {FRAMEWORKS!r} if name in sys.modules]"
        return run(f"import sys, meldroom.env.{module}; print({listed})")

    assert loaded("gym") == "['gymnasium']"
    assert loaded("petting_zoo") == "['gymnasium', 'pettingzoo']"
    assert loaded("open_spiel") == "['pyspiel']"


@pytest.mark.parametrize(
    ("call", "missing"),
    [
        ("aec_env", "pettingzoo"),
        ("aec_env", "gymnasium"),
        ("gym_env", "gymnasium"),
        ("open_spiel_game", "pyspiel"),
    ],
)
def test_a_missing_framework_is_named_with_the_way_to_get_it(call: str, missing: str) -> None:
    program = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from meldroom.env import *\n"
        f"try:\n    {call}()\nexcept MissingExtraError as error:\n    print(error)"
    )
    told = run(program)
    assert missing in told
    assert 'pip install "meldroom[env]"' in told
