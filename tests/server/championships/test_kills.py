"""`kill -9` again and again while clerks work: nothing acknowledged is lost, nothing is done twice."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from meldroom.server.championships.commands.answers import Done
from meldroom.server.championships.commands.perform import perform
from meldroom.server.championships.commands.requests import CommandRequest
from meldroom.server.championships.storage.files import FolderFiles
from meldroom.server.championships.storage.running import RunningChampionship
from testkit.server.clerk_kill_trial import broken_promises, ids_of_log, run_trial
from testkit.server.clerks import Promises
from tests.server.championships.at_hall import Hall, scores

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
        assert promises.note(request, hall.scorer.ask("POST", "/commands", json=request)) == ""
    return promises


@pytest.mark.parametrize("name", ["log.jsonl", "ids.jsonl", "hall.jsonl"])
def test_the_trial_notices_a_line_that_is_lost(hall: Hall, name: str) -> None:
    """What it looks at after every kill is enough to see that one command is gone."""
    promises = promised(hall)
    assert broken_promises(promises, hall.files) == []
    path = hall.files / name
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert len(broken_promises(promises, hall.files)) == 1


def test_the_trial_notices_a_line_that_is_there_twice_and_another_answer(hall: Hall) -> None:
    """A command done twice is a fault, and so is a repeat that is answered otherwise."""
    promises = promised(hall)
    path = hall.files / "hall.jsonl"
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[-1])
    assert len(broken_promises(promises, hall.files)) == 1
    request, answer = next(iter(promises.commands.values()))
    assert promises.note(request, {**answer, "version": 0})


def test_a_restart_within_the_second_does_not_mix_up_two_ids(
    tmp_path: Path, prepared: tuple[Path, dict[str, str]]
) -> None:
    """The first id was noted, its entry was not; another command takes its number in the same second."""
    folder = tmp_path / prepared[0].name
    shutil.copytree(prepared[0], folder)
    log, before = folder / "log.jsonl", (folder / "log.jsonl").read_bytes()
    numbers: dict[str, int] = {}
    for id in ("command-first", "command-other", "command-first"):
        championship = RunningChampionship(FolderFiles(folder), lambda: datetime(2099, 1, 1, tzinfo=UTC))
        command = {"do": "penalise", "number": 1, "kind": "late", "note": id}
        request = msgspec.convert({"id": id, "command": command}, CommandRequest)
        done = perform(championship, championship.now.access.keys[1], request, "en")
        championship.close()
        assert isinstance(done, Done)
        assert done.log is not None
        if not numbers:
            log.write_bytes(before)
        numbers[id] = done.log
    championship = RunningChampionship(FolderFiles(folder))
    assert {id: championship.known[id].log for id in numbers} == numbers
    championship.close()
    assert numbers["command-first"] == numbers["command-other"] + 1
    assert {id: ids_of_log(folder)[id] for id in numbers} == {id: [n] for id, n in numbers.items()}
