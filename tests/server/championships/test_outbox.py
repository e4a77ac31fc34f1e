"""Devices off the network: in whatever order and however often commands arrive, the result is the same."""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meldroom.championship.actions import Found
from meldroom.championship.formats.format import Format, read_format
from meldroom.championship.log.file import ChampionshipLog
from meldroom.server.championships.commands.perform import perform
from meldroom.server.championships.commands.requests import CommandRequest
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.storage.files import LOG, FolderFiles
from meldroom.server.championships.storage.keys import Key
from meldroom.server.championships.storage.running import RunningChampionship
from tests.server.championships.at_hall import CLUB, NAMES, Hall, scores

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
TABLES = (1, 2)


def key(id: str, role: str = "director", table: int | None = None) -> Key:
    return msgspec.convert(
        {"id": id, "hash": "", "role": role, "label": id, "created": NOON, "table": table}, Key
    )


def club() -> Format:
    return read_format(tomllib.loads(CLUB))


def asked(id: str, do: str, sent_by: str = "", **command: Any) -> CommandRequest:
    return msgspec.convert({"id": id, "command": {"do": do, **command}, "device": sent_by}, CommandRequest)


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a championship with two tables, and a device bound to each."""
    folder = tmp_path_factory.mktemp("ready")
    ChampionshipLog.create(folder / LOG, Found("Club", 1, date(2026, 11, 15), club()), author="Olga").close()
    championship = RunningChampionship(FolderFiles(folder), lambda: NOON)
    dana = key("dana")
    perform(
        championship, dana, asked("import-1", "import_entrants", entrants=[{"name": n} for n in NAMES]), "en"
    )
    for number in range(1, 9):
        perform(championship, dana, asked(f"check-in-{number}", "check_in", number=number), "en")
    perform(championship, dana, asked("announce-1", "announce_draw", seed="an example"), "en")
    perform(championship, dana, asked("reveal-01", "reveal"), "en")
    for table in TABLES:
        bind = asked(f"binding-{table}", "bind_table", table=table, device=f"device-{table}-{table}")
        perform(championship, device_key(table), bind, "en")
    championship.close()
    return folder


def device_key(table: int) -> Key:
    return key(f"table{table}", "referee", table)


def outbox_of(table: int) -> list[CommandRequest]:
    """A sitting as a device plays it: calls, positions, results, signatures."""
    device = f"device-{table}-{table}"
    place: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": table}
    return [
        asked(f"t{table}-position", "record_position", device, **place, game=1, sets=[["R1", "R2", "R3"]]),
        asked(f"t{table}-game-one", "enter_result", device, **place, game=1, scores=scores(table)),
        asked(f"t{table}-call-ref", "call_referee", device, table=table),
        asked(f"t{table}-game-two", "enter_result", device, **place, game=2, scores=scores(7 * table)),
        asked(f"t{table}-signature", "sign_sheet", device, **place),
    ]


def delivered(championship: RunningChampionship, commands: list[tuple[int, CommandRequest]]) -> set[str]:
    """Ids that are done after these commands arrived in this order."""
    done = set()
    for table, command in commands:
        try:
            done.add(perform(championship, device_key(table), command, "en").id)
        except HallError as refusal:
            if refusal.code != "not_entered":
                raise
    return done


ALL = [(table, command) for table in TABLES for command in outbox_of(table)]


@given(early=st.lists(st.integers(0, len(ALL) - 1), max_size=15), order=st.permutations(range(len(ALL))))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_order_and_any_repetition_ends_in_the_same_event(
    ready: Path, early: list[int], order: list[int]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(ready, name, dirs_exist_ok=True)
        championship = RunningChampionship(FolderFiles(Path(name)), lambda: NOON)
        before = len(championship.entries)
        delivered(championship, [ALL[place] for place in (*early, *order)])
        delivered(championship, ALL)  # a device sends what was not answered with done until it is
        state, hall = championship.now.state, championship.now.hall
        assert set(state.sheets) == {("evening", 1, 1), ("evening", 1, 2)}
        assert {key: list(result.scores) for key, result in state.results.items()} == {
            ("evening", 1, table, game): scores(table if game == 1 else 7 * table)
            for table in TABLES
            for game in (1, 2)
        }
        assert len(championship.entries) - before == 6
        assert len(hall.calls) == 2
        assert not hall.clashes
        lines = (Path(name) / LOG).read_bytes()
        championship.close()
        again = RunningChampionship(FolderFiles(Path(name)), lambda: NOON)
        assert again.now == championship.now
        assert delivered(again, ALL) == {command.id for _, command in ALL}
        assert (Path(name) / LOG).read_bytes() == lines
        again.close()


def test_an_outbox_sent_twice_in_order_gives_the_same_log_and_the_same_answers(hall: Hall) -> None:
    place: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1}
    commands = [
        hall.referee.request_of("enter_result", **place, game=1, scores=scores(1)),
        hall.referee.request_of("enter_result", **place, game=2, scores=[1, 2, 3, 4]),
        hall.referee.request_of("enter_result", **place, game=2, scores=scores(2)),
        hall.referee.request_of("sign_sheet", **place),
    ]
    first = hall.referee.outbox(commands)
    assert [answer["status"] for answer in first] == [200, 400, 200, 200]
    log = (hall.files / "log.jsonl").read_bytes()
    again = hall.referee.outbox(commands)
    assert again[0] == first[0]
    assert again[2:] == first[2:]
    assert again[1]["status"] == 409  # the wrong sheet meets the right one now
    assert (hall.files / "log.jsonl").read_bytes() == log


def test_one_bad_act_does_not_hold_up_the_others(hall: Hall) -> None:
    commands = [
        hall.scorer.request_of("close_stage"),
        hall.scorer.request_of("call_referee", table=2, about="count"),
    ]
    assert [answer["status"] for answer in hall.scorer.outbox(commands)] == [403, 200]


def test_many_devices_at_once_each_act_is_there_once(hall: Hall) -> None:
    commands = [hall.scorer.request_of("call_referee", table=1, text=str(number)) for number in range(24)]
    with ThreadPoolExecutor(8) as devices:
        answers = list(
            devices.map(
                lambda command: hall.scorer.ask("POST", "/commands", json=command), commands + commands
            )
        )
    assert answers[:24] == answers[24:]
    assert len({answer["hall"] for answer in answers}) == 24
    assert len({answer["version"] for answer in answers}) == 24
