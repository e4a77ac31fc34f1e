"""Logs, exports and announcements written by version 0.1 load, verify, export, print and go on."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from meldroom.championship import (
    Adopt,
    ChampionshipLog,
    ChampionshipState,
    CorrectResult,
    EraseEntrant,
    Penalise,
    SettleDispute,
    final_ranking,
    read_lines,
    read_state,
    verify,
)
from meldroom.championship.log.entry import decode_entry
from meldroom.championship.log.export import as_csv, as_json, document_of, write_export
from meldroom.championship.log.restore import decode_document, state_of
from meldroom.championship.seating import Announcement, SeatingError, drawn
from meldroom.decode import decode_json
from meldroom.papers import KINDS, ChampionshipPapers, Order, print_pdf
from tests.championship.outside_verifier import outside

KEPT = Path(__file__).resolve().parents[1] / "fixtures" / "v0.1" / "championship"
LOGS = ("wrc", "wrc_cut", "german", "polish", "japanese", "erased", "restored")
EXPORTED = ("wrc", "wrc_cut", "german", "polish", "japanese", "erased")


def kept(name: str) -> ChampionshipState:
    return read_state(KEPT / f"{name}.jsonl")


@pytest.mark.parametrize("name", LOGS)
def test_a_log_verifies_and_is_over(name: str) -> None:
    state, faults = verify(read_lines(KEPT / f"{name}.jsonl"))
    assert faults == []
    assert state == kept(name)
    assert state.stage_of_play() is None
    assert final_ranking(state)[0][0] == 1


@pytest.mark.parametrize("name", LOGS)
def test_the_independent_verifier_confirms_it(name: str, tmp_path: Path) -> None:
    write_export(kept(name), read_lines(KEPT / f"{name}.jsonl"), tmp_path / "out")
    status, told = outside(tmp_path / "out")
    assert status == 0, told


def test_everything_that_happens_at_a_championship_is_in_the_logs() -> None:
    done = {type(decode_entry(line).action) for name in LOGS for line in read_lines(KEPT / f"{name}.jsonl")}
    assert {CorrectResult, Penalise, SettleDispute, EraseEntrant, Adopt} <= done
    assert len(done) >= 18


@pytest.mark.parametrize("name", EXPORTED)
def test_the_export_is_the_same_document(name: str) -> None:
    data = (KEPT / "exports" / f"{name}.json").read_bytes()
    assert as_json(kept(name)) == data
    assert document_of(state_of(decode_document(data))) == decode_document(data)


@pytest.mark.parametrize("name", EXPORTED)
def test_an_export_goes_on_in_a_new_log(name: str, tmp_path: Path) -> None:
    document = decode_document((KEPT / "exports" / f"{name}.json").read_bytes())
    action = Adopt(msgspec.to_builtins(document))
    with ChampionshipLog.create(tmp_path / "again.jsonl", action, author="Olga", reason="lost") as log:
        assert final_ranking(log.state) == final_ranking(kept(name))
    assert verify(read_lines(tmp_path / "again.jsonl"))[1] == []


@pytest.mark.parametrize("name", LOGS)
def test_tables_of_csv_hold_every_game(name: str) -> None:
    state = kept(name)
    played = sum(score is not None for result in state.results.values() for score in result.scores)
    assert len(as_csv(state)["games.csv"].splitlines()) == played + 1


def test_an_erased_person_stays_erased() -> None:
    before, after = kept("wrc"), kept("erased")
    name = before.name_of(3)
    assert after.name_of(3) == "Entrant 3"
    assert name not in (KEPT / "erased.jsonl").read_text(encoding="utf-8")
    assert final_ranking(before) == final_ranking(after)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_papers_are_printed(language: str) -> None:
    papers = ChampionshipPapers(document_of(kept("erased")), Order(language, blank=1))
    made = dict(papers.all())
    assert {name for kind in KINDS for name, _ in papers.all([kind])} == set(made)
    for name in ("sheets-round1-1", "blank-sheets", "penalties", "disputes", "certificates"):
        assert print_pdf(papers.occasion(), made[name]).startswith(b"%PDF")


def test_a_log_is_written_on(tmp_path: Path) -> None:
    shutil.copy(KEPT / "german.jsonl", tmp_path / "log.jsonl")
    with ChampionshipLog.open(tmp_path / "log.jsonl") as log:
        before = log.state.entries
        log.append(Penalise(1, "late"), author="Rita", role="referee")
        log.erase(2, author="Dana", role="director", reason="request")
        assert log.state.entries == before + 2
    state, faults = verify(read_lines(tmp_path / "log.jsonl"))
    assert faults == []
    assert state.name_of(2) == "Entrant 2"


def test_an_announced_draw_is_held() -> None:
    data = (KEPT / "draw.json").read_bytes()
    announced = decode_json(data, Announcement)
    found = drawn(announced, "kept in version 0.1", ["dice"])
    assert (len(found.sittings), found.repeats) == (4, 0)
    with pytest.raises(SeatingError, match="commitment"):
        drawn(announced, "another seed")
    assert msgspec.json.encode(announced) + b"\n" == data
