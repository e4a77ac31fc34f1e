"""Six times `kill -9` in running games: nothing acknowledged is lost, nothing is stuck."""

from __future__ import annotations

from pathlib import Path

import pytest

from testkit.server.kill_trial import run_trial

KILLS = 6
"""`bench/server_kills.py` does a thousand."""


@pytest.mark.timeout(600)
@pytest.mark.xdist_group("server kills")
def test_six_kills_lose_nothing_and_stop_no_game(tmp_path: Path) -> None:
    """Every promise is kept, every clock is right, every player is back, every game goes on."""
    outcome = run_trial(tmp_path / "data", KILLS, seed=5, longest_pause=0.25)
    assert outcome.faults == ()
    assert outcome.verdict.faults == ()
    assert outcome.acknowledged > KILLS
