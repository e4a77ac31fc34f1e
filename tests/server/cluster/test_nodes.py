"""Two real nodes on one PostgreSQL and one NATS: every part fails once, or its connections do."""

from __future__ import annotations

from pathlib import Path

from testkit.server.cluster_trial import run_trial

FAULTS = ("pause_node", "kill_nats", "cut_postgres", "cut_clients", "kill_postgres", "cut_nats", "kill_node")


def test_no_fault_loses_or_doubles_anything(tmp_path: Path) -> None:
    outcome = run_trial(tmp_path, FAULTS, seed=1)
    assert outcome.problems == ()
    assert outcome.verdict.faults == ()
    assert outcome.acknowledged == outcome.plays > 2 * len(FAULTS)
    assert outcome.verdict.rooms == 2
