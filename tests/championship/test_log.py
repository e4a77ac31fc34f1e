"""The log: chained, replayed to the same bytes, safe from kills, closed to a second writer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import date
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meldroom.championship import (
    AddEntrant,
    ChampionshipError,
    ChampionshipLog,
    Entrant,
    Found,
    ImportEntrants,
    preset,
    read_lines,
    read_state,
    replay,
    verify,
)
from meldroom.championship.fold import fold
from meldroom.championship.log.audit import chain
from meldroom.championship.log.entry import BEGINNING, decode_entry, hash_of, line_of
from meldroom.championship.log.export import as_csv, as_json
from meldroom.championship.state import ChampionshipState
from tests.championship.championship_play import Played, whole_championship

ROOT = Path(__file__).resolve().parents[2]
KILLS = 50

NURSERY = """
import os, sys
from pathlib import Path
from meldroom.championship import AddEntrant, Entrant, ChampionshipLog

def write():
    with ChampionshipLog.open(Path(sys.argv[1])) as log:
        while True:
            number = len(log.state.participants) + 1
            log.append(AddEntrant(Entrant(f"Player {number}" + "x" * 40)), author="Chris", role="check_in")
            os.write(1, f"{number}\\n".encode())

for _ in sys.stdin:
    child = os.fork()
    if not child:
        os.write(1, f"{os.getpid()}\\n".encode())
        write()
    os.waitpid(child, 0)
    os.write(1, b"ended\\n")
"""
"""Starts a writer for every line that it reads, and says when the writer has ended."""


@pytest.fixture(scope="module")
def played() -> Played:
    """A whole event of 33, played once for these tests."""
    return whole_championship(33)


def found(path: Path) -> None:
    """A log with its first entry."""
    ChampionshipLog.create(
        path, Found("Open", 1, date(2026, 11, 15), preset("german")), author="Olga"
    ).close()


def test_replay_gives_the_same_bytes(played: Played) -> None:
    again = replay(decode_entry(line) for line in played.lines)
    assert again == played.state
    assert as_json(again) == as_json(played.state)
    assert as_csv(again) == as_csv(played.state)


def test_an_untouched_log_has_no_fault(played: Played) -> None:
    state, faults = verify(played.lines)
    assert faults == []
    assert state == played.state


def test_every_changed_line_is_found_and_named(played: Played) -> None:
    """Each line but the last, changed in one letter of its author, breaks the chain right after it."""
    for place in range(len(played.lines) - 1):
        lines = list(played.lines)
        lines[place] = lines[place].replace(b'"author":"Dana"', b'"author":"Dane"')
        assert lines[place] != played.lines[place]
        assert [fault.line for fault in chain(lines)[1]] == [place + 2]


def test_lines_taken_away_added_or_exchanged_are_found(played: Played) -> None:
    lines = played.lines
    for wrong in (
        lines[:5] + lines[6:],
        [*lines[:5], lines[4], *lines[5:]],
        [lines[1], lines[0], *lines[2:]],
    ):
        assert chain(wrong)[1]


def rechained(lines: list[bytes]) -> list[bytes]:
    """Lines chained anew by somebody who knows how."""
    previous, fresh = BEGINNING, []
    for line in lines:
        entry = msgspec.structs.replace(decode_entry(line), previous=previous)
        fresh.append(line_of(entry))
        previous = hash_of(fresh[-1])
    return fresh


def test_a_forged_computation_is_found_though_the_chain_is_mended(played: Played) -> None:
    place = next(n for n, line in enumerate(played.lines) if b'"do":"reveal"' in line)
    entry = msgspec.json.decode(played.lines[place])
    tables = entry["action"]["sittings"][0]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
    lines = list(played.lines)
    lines[place] = msgspec.json.encode(entry)
    _, faults = verify(rechained(lines))
    assert [(fault.line, fault.error.code) for fault in faults] == [(place + 1, "other_computation")]


def test_a_line_that_cannot_be_read_is_named(played: Played) -> None:
    _, faults = chain([*played.lines[:3], b'{"number":4', *played.lines[4:]])
    assert [(fault.line, fault.error.code) for fault in faults] == [(4, "bad_line")]


@given(st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_the_fold_has_no_memory_but_the_state(cut: int) -> None:
    """Folding a log in two parts is folding it at once, and no earlier state is changed by going on."""
    event = _SMALL
    place = cut % len(event.lines)
    entries = [decode_entry(line) for line in event.lines]
    first = replay(entries[:place])
    kept = repr(first)
    state: ChampionshipState = first
    for entry in entries[place:]:
        state = fold(state, entry.action)
    assert state == event.state
    assert repr(first) == kept
    assert first.entries == place


_SMALL = whole_championship(9, "german", 3)


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "open.jsonl"
    found(path)
    with ChampionshipLog.open(path), pytest.raises(ChampionshipError) as caught:
        ChampionshipLog.open(path)
    assert caught.value.code == "locked"
    ChampionshipLog.open(path).close()


def test_an_event_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "open.jsonl"
    found(path)
    before = path.read_bytes()
    with pytest.raises(ChampionshipError, match="never overwritten"):
        found(path)
    assert path.read_bytes() == before


def test_a_torn_last_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "open.jsonl"
    found(path)
    whole = path.read_bytes()
    for torn in (b"{", b'{"number":2,"time":"2026', whole[:-1]):
        path.write_bytes(whole + torn)
        assert read_state(path).entries == 1
        with ChampionshipLog.open(path) as log:
            assert log.state.entries == 1
        assert path.read_bytes() == whole


def test_a_refused_action_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "open.jsonl"
    found(path)
    before = path.read_bytes()
    with ChampionshipLog.open(path) as log:
        with pytest.raises(ChampionshipError):
            log.append(AddEntrant(Entrant("")), author="Chris", role="check_in")
        with pytest.raises(ChampionshipError):
            log.append(AddEntrant(Entrant("Ada")), author="Chris", role="public")
    assert path.read_bytes() == before


def test_a_full_disk_leaves_the_log_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "open.jsonl"
    found(path)
    before = path.read_bytes()
    with ChampionshipLog.open(path) as log:
        monkeypatch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left")))
        with pytest.raises(ChampionshipError, match="No space left"):
            log.append(AddEntrant(Entrant("Ada")), author="Chris", role="check_in")
        monkeypatch.undo()
        assert path.read_bytes() == before
        log.append(AddEntrant(Entrant("Bo")), author="Chris", role="check_in")
    assert verify(read_lines(path))[1] == []


def test_kills_at_random_moments_lose_nothing_acknowledged(tmp_path: Path) -> None:
    """A writer killed again and again: all that it said was written is there, and the chain holds."""
    path = tmp_path / "open.jsonl"
    found(path)
    random = Random(6)
    nursery = subprocess.Popen(
        [sys.executable, "-c", NURSERY, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    acknowledged = 0
    for _ in range(KILLS):
        nursery.stdin.write(b"\n")
        nursery.stdin.flush()
        writer = int(nursery.stdout.readline())
        for _ in range(random.randrange(1, 6)):
            acknowledged = int(nursery.stdout.readline())
        for _ in range(random.randrange(3000)):  # a moment of no particular length
            pass
        os.kill(writer, signal.SIGKILL)
        while (line := nursery.stdout.readline()) != b"ended\n":
            acknowledged = int(line)
        assert len(read_state(path).participants) >= acknowledged
    nursery.communicate()
    assert verify(read_lines(path))[1] == []
    assert acknowledged > KILLS


def test_a_list_of_one_line_is_one_entry() -> None:
    event = Played()
    event.do(ImportEntrants((Entrant("Ada"), Entrant("Bo"))))
    assert len(event.lines) == 2
