"""`kill -9` again and again while clerks enter acts: nothing acknowledged is lost, nothing is done twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench.event_kills import broken_promises, run_trial
from tests.server.events.at_hall import Hall, scores
from tests.server.events.clerks import Promises

KILLS = 10


@pytest.mark.timeout(300)
@pytest.mark.xdist_group("server kills")
def test_ten_kills_lose_no_act_and_do_none_twice(tmp_path: Path) -> None:
    """Every promise is in the files once, every chain holds, every repeat is answered as the first time."""
    outcome = run_trial(tmp_path / "data", KILLS, seed=5)
    assert outcome.faults == ()
    assert outcome.acknowledged > KILLS
    assert outcome.repeats > KILLS


def promised(hall: Hall) -> Promises:
    """A result and a call that were acknowledged."""
    promises = Promises(hall.public.code, "")
    game: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1, "game": 1}
    for request in (
        hall.scorer.request_of("enter_result", **game, scores=scores(1)),
        hall.scorer.request_of("call_referee", table=2),
    ):
        assert promises.note(request, hall.scorer.ask("POST", "/acts", json=request)) == ""
    return promises


@pytest.mark.parametrize("name", ["log.jsonl", "ids.jsonl", "hall.jsonl"])
def test_the_trial_notices_a_line_that_is_lost(hall: Hall, name: str) -> None:
    """What it looks at after every kill is enough to see that one act is gone."""
    promises = promised(hall)
    assert broken_promises(promises, hall.files) == []
    path = hall.files / name
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert len(broken_promises(promises, hall.files)) == 1


def test_the_trial_notices_a_line_that_is_there_twice_and_another_answer(hall: Hall) -> None:
    """An act done twice is a fault, and so is a repeat that is answered otherwise."""
    promises = promised(hall)
    path = hall.files / "hall.jsonl"
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[-1])
    assert len(broken_promises(promises, hall.files)) == 1
    request, answer = next(iter(promises.acts.values()))
    assert promises.note(request, {**answer, "version": 0})
