"""A server that is stopped or killed: what was acknowledged is there, torn lines are not, ids are known."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from meldroom.championship import read_lines, verify
from meldroom.server.championships.commands.perform import perform
from meldroom.server.championships.commands.requests import CommandRequest
from meldroom.server.championships.storage.files import FolderFiles
from meldroom.server.championships.storage.running import RunningChampionship
from tests.server.championships.at_hall import Person, scores, serving

GAME: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1, "game": 1}
Prepared = tuple[Path, dict[str, str]]


@pytest.fixture
def folder(tmp_path: Path, prepared: Prepared) -> Path:
    """A data folder with a copy of the prepared championship."""
    source, _ = prepared
    shutil.copytree(source, tmp_path / "championships" / source.name)
    return tmp_path / "championships"


def test_after_a_restart_everything_is_there_and_ids_are_known(folder: Path, prepared: Prepared) -> None:
    code, keys = prepared[0].name, prepared[1]
    with serving(folder) as client:
        scorer = Person(client, code, keys["scorer"])
        first = scorer.command("enter_result", id="result-one", **GAME, scores=scores(1))
        call = scorer.command("call_referee", id="call-one1", table=2, about="time")
        desk = scorer.get("/desk")
    log = (folder / code / "log.jsonl").read_bytes()
    with serving(folder) as client:
        scorer = scorer.again(client)
        assert scorer.get("/desk") == desk
        assert scorer.command("enter_result", id="result-one", **GAME, scores=scores(1)) == first
        assert scorer.command("call_referee", id="call-one1", table=2, about="time") == call
        refused = scorer.command("call_referee", 409, id="result-one", table=2)
        assert refused["error"]["code"] == "id_used"
    assert (folder / code / "log.jsonl").read_bytes() == log
    assert not verify(read_lines(folder / code / "log.jsonl"))[1]


@pytest.mark.parametrize("name", ["log.jsonl", "hall.jsonl", "ids.jsonl"])
def test_a_torn_last_line_is_cut_off(folder: Path, prepared: Prepared, name: str) -> None:
    code, keys = prepared[0].name, prepared[1]
    path = folder / code / name
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[-1][:40])
    with serving(folder) as client:
        scorer = Person(client, code, keys["scorer"])
        scorer.command("enter_result", **GAME, scores=scores(1))
        scorer.command("call_referee", table=2)
    assert path.read_bytes().startswith(whole)
    assert all(msgspec.json.decode(line) for line in path.read_bytes().splitlines())


@pytest.mark.parametrize(
    ("do", "fails_at", "file"),
    [("enter_result", 1, "ids.jsonl"), ("enter_result", 2, "log.jsonl"), ("call_referee", 1, "hall.jsonl")],
)
def test_a_full_disk_is_reported_and_changes_nothing(
    folder: Path, prepared: Prepared, monkeypatch: pytest.MonkeyPatch, do: str, fails_at: int, file: str
) -> None:
    """The command is refused wherever the disk is full first, and works under its id when there is room."""
    code, keys = prepared[0].name, prepared[1]
    path, fsync, calls = folder / code / file, os.fsync, count(1)

    def full(handle: int) -> None:
        if next(calls) == fails_at:
            raise OSError(28, "No space left on device")
        fsync(handle)

    command: dict[str, Any] = {**GAME, "scores": scores(1)} if do == "enter_result" else {"table": 2}
    with serving(folder) as client:
        scorer = Person(client, code, keys["scorer"])
        desk, before = scorer.get("/desk"), path.read_bytes()
        monkeypatch.setattr(os, "fsync", full)
        refused = scorer.command(do, 503, id="full-disk", **command)
        monkeypatch.undo()
        assert refused["error"]["code"] == "not_written"
        assert path.read_bytes() == before
        assert scorer.get("/desk") == desk
        done = scorer.command(do, id="full-disk", **command)
    with serving(folder) as client:
        assert scorer.again(client).command(do, id="full-disk", **command) == done
    assert not verify(read_lines(folder / code / "log.jsonl"))[1]


def test_an_id_whose_entry_was_never_written_is_free(folder: Path, prepared: Prepared) -> None:
    """The server died between noting the id and writing the entry: the command was never acknowledged."""
    code, keys = prepared[0].name, prepared[1]
    log, ids = folder / code / "log.jsonl", folder / code / "ids.jsonl"
    before = log.read_bytes()
    with serving(folder) as client:
        scorer = Person(client, code, keys["scorer"])
        scorer.command("enter_result", id="result-one", **GAME, scores=scores(1))
    assert ids.read_bytes().count(b"result-one") == 1
    log.write_bytes(before)
    with serving(folder) as client:
        scorer = scorer.again(client)
        other = scorer.command("enter_result", id="other-one", **GAME, scores=scores(2))
        assert other["action"]["result"]["scores"] == scores(2)
        refused = scorer.command("enter_result", 409, id="result-one", **GAME, scores=scores(1))
        assert refused["error"]["code"] == "result_there"
    with serving(folder) as client:
        scorer = scorer.again(client)
        assert scorer.command("enter_result", id="other-one", **GAME, scores=scores(2)) == other
        assert scorer.command("enter_result", 409, id="result-one", **GAME, scores=scores(1))["conflict"]


def test_a_log_that_was_tampered_with_is_not_served(folder: Path, prepared: Prepared) -> None:
    code = prepared[0].name
    path = folder / code / "log.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Ada Lovelace", b"Eve Lovelace", 1))
    with serving(folder) as client:
        refused = Person(client, code).get("", 503)
        assert refused["error"]["code"] == "broken_chain"
        assert str(folder) not in refused["error"]["message"]


def test_a_log_that_another_program_writes_is_not_opened(folder: Path, prepared: Prepared) -> None:
    code = prepared[0].name
    championship = RunningChampionship(FolderFiles(folder / code))
    with serving(folder) as client:
        refused = Person(client, code).get("", 503)
        assert refused["error"]["code"] == "locked"
        assert str(folder) not in refused["error"]["message"]
        championship.close()
        assert Person(client, code).get()["name"] == "Club Open"


WRITER = """
import sys
from pathlib import Path
import msgspec
from meldroom.server.championships.commands.perform import perform
from meldroom.server.championships.commands.requests import CommandRequest
from meldroom.server.championships.storage.keys import Key
from meldroom.server.championships.storage.files import FolderFiles
from meldroom.server.championships.storage.running import RunningChampionship

championship = RunningChampionship(FolderFiles(Path(sys.argv[1])))
key = championship.now.access.keys[1]
for number in range(10_000):
    if number % 2:
        command = {"do": "call_referee", "table": 1, "text": str(number)}
    else:
        command = {"do": "penalise", "number": 1, "kind": "late", "note": str(number)}
    request = msgspec.convert({"id": f"writer-{number:05d}", "command": command}, CommandRequest)
    perform(championship, key, request, "en")
    print(number, flush=True)
"""


def test_killed_at_any_moment_nothing_acknowledged_is_lost_and_nothing_is_done_twice(
    folder: Path, prepared: Prepared
) -> None:
    """The writer is killed three times; each time all it told of is there, and its ids are known."""
    event_folder = folder / prepared[0].name
    for round_ in range(3):
        run = [sys.executable, "-c", WRITER, str(event_folder)]
        with subprocess.Popen(run, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            told = [writer.stdout.readline() for _ in range(20 + 7 * round_)]
            os.kill(writer.pid, signal.SIGKILL)
            told += writer.stdout.readlines()
        last = max(int(line) for line in told if line.endswith("\n"))
        championship = RunningChampionship(FolderFiles(event_folder))
        try:
            assert all(f"writer-{number:05d}" in championship.known for number in range(last + 1))
            for number in range(0, last + 1, 2):
                command = {"do": "penalise", "number": 1, "kind": "late", "note": str(number)}
                request = msgspec.convert({"id": f"writer-{number:05d}", "command": command}, CommandRequest)
                before = len(championship.entries)
                perform(championship, championship.now.access.keys[1], request, "en")
                assert len(championship.entries) == before
            notes = [given.penalty.note for given in championship.now.state.penalties]
            assert len(notes) == len(set(notes))
        finally:
            championship.close()
        assert not verify(read_lines(event_folder / "log.jsonl"))[1]
