"""`kill -9` again and again while clerks enter acts: nothing acknowledged is lost, nothing is done twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.event_kills import run_trial

KILLS = 12


@pytest.mark.timeout(300)
@pytest.mark.xdist_group("server kills")
def test_a_dozen_kills_lose_no_act_and_do_none_twice(tmp_path: Path) -> None:
    """Every promise is in the files once, every chain holds, every repeat is answered as the first time."""
    outcome = run_trial(tmp_path / "data", KILLS, seed=5)
    assert outcome.faults == ()
    assert outcome.acknowledged > KILLS
    assert outcome.repeats > KILLS
