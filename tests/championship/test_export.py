"""The exported document: its schema, back to a log and out again, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from meldroom.championship import (
    Adopt,
    ChampionshipError,
    ChampionshipLog,
    CloseStage,
    Penalise,
    SettleDispute,
    read_lines,
    verify,
)
from meldroom.championship.log.export import Document, as_json, document_of, schema, write_export
from meldroom.championship.log.restore import decode_document, state_of
from tests.championship.championship_play import Played, whole_championship
from tests.championship.test_championship_command import verifier

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "championship.schema.json"


def some_championship(players: int = 13, until: int = 3) -> Played:
    """An event with a penalty and a dispute, some stages played."""
    event = Played()
    event.enter(players)
    for stage in event.state.format.stages[:until]:
        event.play_stage(stage.id, Random(5))
        event.do(Penalise(1, "late", note="x"))
        event.do(SettleDispute("May they?", "No.", parties=(1, 2)))
    return event


def test_the_published_schema_is_this_one() -> None:
    published = SCHEMA.read_text(encoding="utf-8")
    assert published == json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("until", [0, 1, 3])
def test_an_export_fits_the_schema(until: int) -> None:
    jsonschema_rs.validate(schema(), json.loads(as_json(some_championship(until=until).state)))


@pytest.mark.parametrize("name", ["wrc", "wrc_cut", "german", "polish", "japanese"])
def test_export_import_export_is_the_same(name: str, tmp_path: Path) -> None:
    event = whole_championship(33, name)
    first = as_json(event.state)
    action = Adopt(msgspec.to_builtins(decode_document(first)))
    with ChampionshipLog.create(tmp_path / "again.jsonl", action, author="Olga", reason="laptop lost") as log:
        assert as_json(log.state) == first
    lines = read_lines(tmp_path / "again.jsonl")
    state, faults = verify(lines)
    assert faults == []
    assert as_json(state) == first
    write_export(state, lines, tmp_path / "export")
    assert verifier().check(tmp_path / "export").faults == []


def test_an_adopted_event_goes_on(tmp_path: Path) -> None:
    event = some_championship(until=1)
    action = Adopt(msgspec.to_builtins(document_of(event.state)))
    with ChampionshipLog.create(tmp_path / "again.jsonl", action, author="Olga", reason="laptop lost") as log:
        again = Played()
        again.state, again.lines = log.state, read_lines(tmp_path / "again.jsonl")
    for stage in again.state.format.stages[1:]:
        again.play_stage(stage.id, Random(6))
    assert verify(again.lines)[1] == []
    assert again.state.stage_of_play() is None


def test_a_document_that_does_not_hold_together_is_refused() -> None:
    plain = json.loads(as_json(some_championship().state))
    changes: list[Callable[[Any], object]] = [
        lambda doc: doc["ranking"].reverse(),
        lambda doc: doc["games"][0]["result"]["scores"].__setitem__(0, 1),
        lambda doc: doc["entrants"].pop(),
        lambda doc: doc["seating"].pop(0),
        lambda doc: doc["standings"][0]["rows"][0].__setitem__("score", 9999),
        lambda doc: doc["event"]["format"]["stages"].pop(),
        lambda doc: doc.__setitem__("format", "something-else/1"),
        lambda doc: doc.pop("event"),
        lambda doc: doc["closings"][0]["ranking"].__setitem__(0, 99),
    ]
    for change in changes:
        changed = json.loads(json.dumps(plain))
        change(changed)
        with pytest.raises(ChampionshipError):
            state_of(decode_document(json.dumps(changed).encode()))


def test_text_that_is_no_document_is_refused() -> None:
    for text in (b"", b"{}", b"[]", b"\xff"):
        with pytest.raises(ChampionshipError, match="not an exported championship"):
            decode_document(text)


def test_an_event_is_adopted_only_at_the_beginning() -> None:
    event = some_championship(until=0)
    with pytest.raises(ChampionshipError) as refused:
        event.do(Adopt(msgspec.to_builtins(document_of(event.state))), "again", role="organiser")
    assert refused.value.code == "founded"
    assert isinstance(document_of(event.state), Document)
    assert CloseStage("round1").stage == "round1"
