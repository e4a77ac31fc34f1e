"""The committed examples and the specification: read, verified, and recomputed by a script of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from meldroom.game import Discard, RequestRedeal, Shuffle, Take, apply, new_game
from meldroom.game import events as ev
from meldroom.record import NotationError, Record, load, loads, to_json, to_text, verify
from meldroom.record.load import JSON_READERS, TEXT_READERS
from meldroom.record.model import VERSION
from meldroom.rules.library import BOOK_IDS, book, house_book

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples" / "records").iterdir())
PAGE = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def blocks(kind: str, beginning: str) -> list[str]:
    return [text for language, text in BLOCKS if language == kind and text.startswith(beginning)]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_a_record_of_version_1_loads_forever(path: Path) -> None:
    data = path.read_bytes()
    assert b"meldroom-record" in data[:20]
    record = load(path)
    assert loads(to_text(record)) == record
    assert loads(to_json(record)) == record
    report = verify(record)
    assert [problem.message() for problem in report.problems] == []


def test_there_is_a_whole_game_of_each_book_and_one_sheet_by_hand() -> None:
    whole = {
        record.headers.book.id
        for record in map(load, EXAMPLES)
        if isinstance(record.events[-1], ev.GameEnded) and record.headers.secret
    }
    assert set(BOOK_IDS) <= whole
    assert any("?" in to_text(load(path)) for path in EXAMPLES)
    assert {path.suffix for path in EXAMPLES} == {".meld", ".json"}


def test_every_version_ever_written_has_a_reader() -> None:
    assert set(TEXT_READERS) == set(JSON_READERS) == set(range(1, VERSION + 1))
    assert f"**version {VERSION}**" in PAGE


def test_the_records_on_the_page_verify() -> None:
    found = [loads(text) for text in blocks("text", "meldroom-record")]
    assert len(found) == 2
    assert all(verify(record).ok for record in found)
    assert {check.code for check in verify(found[0]).checked} >= {"shuffle", "commitment", "scores"}
    plain = (ROOT / "examples" / "records" / "matchbox.meld").read_text(encoding="utf-8")
    assert found[0] == loads(plain)


def test_the_json_on_the_page_is_a_record() -> None:
    (text,) = blocks("json", "{")
    record = loads(text)
    assert record.headers.tags == {"event": "Club night"}
    assert record.comments[0].text == "a fine start"


def test_every_event_and_word_of_the_notation_is_on_the_page() -> None:
    for kind in ev.Event.__args__:
        tag = kind.__struct_config__.tag
        assert tag in ("game_created", "shuffle_revealed") or f"`{tag}`" in PAGE


def run_script(tmp_path: Path, record: Record) -> list[str]:
    """What the page's own script says of a record; it cannot see this package."""
    (script,) = blocks("python", "import hashlib")
    assert "meldroom" not in script
    (tmp_path / "check.py").write_text(script, encoding="utf-8")
    (tmp_path / "game.meld").write_text(to_text(record), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "check.py", "game.meld"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.splitlines()


def test_the_script_on_the_page_recomputes_every_shuffle(tmp_path: Path) -> None:
    labels: set[str] = set()
    for path in EXAMPLES:
        if (record := load(path)).headers.secret is not None:
            lines = run_script(tmp_path, record)
            assert all(line.endswith(" ok") for line in lines), (path, lines)
            assert "game 1 deal 1 ok" in lines
            labels.update(line.split()[2] for line in lines)
    assert labels >= {"start", "deal"}


def test_the_script_follows_a_redeal_and_odd_names(tmp_path: Path) -> None:
    rules = house_book({"id": "doubles", "version": "1", "base": "wrc9", "redeal": {"doubles": 1}})
    shuffle = Shuffle("s 1", ("é", '"'))
    state, events = new_game(rules, ["R5", "end; of"], shuffle)
    doubles = (tile for tile in state.racks[0] if tile ^ 1 in state.racks[0])
    state, more = apply(state, RequestRedeal(0, tiles=tuple(doubles)), shuffle)
    record = Record.of((*events, *more, ev.ShuffleRevealed(shuffle.secret, shuffle.contributions)))
    assert run_script(tmp_path, record) == [f"game 1 {label} ok" for label in ("start 1", "deal 1", "deal 2")]


def test_the_script_follows_a_renewed_stock(tmp_path: Path) -> None:
    shuffle = Shuffle("s")
    state, events = new_game(book("rummyo"), ["Ada", "Bo"], shuffle, 0, 2)
    while not state.reshuffles:
        seat, taking = state.seat, state.phase == "take"
        action = Take(seat, source="stock") if taking else Discard(seat, tile=state.racks[seat][0])
        state, more = apply(state, action, shuffle)
        events += more
    record = Record.of((*events, ev.ShuffleRevealed("s")))
    assert verify(record).ok
    assert run_script(tmp_path, record) == ["game 2 deal 1 ok", "game 2 deal 1 stock 1 ok"]


def test_the_script_sees_a_changed_deal(tmp_path: Path) -> None:
    text = to_text(load(ROOT / "examples" / "records" / "matchbox.meld")).replace("B5 B3 K4'", "B3 B5 K4'")
    assert "game 1 deal 1 WRONG" in run_script(tmp_path, loads(text))


def test_a_missing_file_is_no_record(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        load(tmp_path / "none.meld")
    (tmp_path / "empty.meld").touch()
    with pytest.raises(NotationError):
        load(tmp_path / "empty.meld")
