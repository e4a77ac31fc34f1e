"""A puzzle survives being written and read; whatever else is read is refused with a sentence."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from meldroom.puzzles import Puzzle, PuzzleError, decode_puzzle, load_puzzles, read_puzzles
from meldroom.puzzles.puzzle import Answer, Source, puzzle_id

POSITION = (
    "wrc11@1 / table O7 O8 O9 | O11 O12 O13 | K3 R3 B3 | K9 R9 B9 | O4 O5 O6 "
    "/ racks K8 K13 R1 R5 R8 B6 B13 O1 O2, ?x9 / pool 73 / turn 1 / melded 1 2"
)
PUZZLE = Puzzle(
    id=puzzle_id(POSITION, "most_tiles"),
    book="wrc11",
    kind="most_tiles",
    position=POSITION,
    answer=Answer("K8 R8", "O11 O12 O13 | K3 R3 B3 | O4 O5 O6 O7 | K8 R8 O8 | K9 R9 B9 O9"),
    second=0,
    margin=2,
    rating=1529,
    themes=("run_end",),
    source=Source("puzzles/01-wrc11/000001-0", 10),
)


def test_a_puzzle_survives_its_line() -> None:
    assert decode_puzzle(PUZZLE.line()) == PUZZLE
    assert list(read_puzzles([PUZZLE.line(), b"", PUZZLE.line()])) == [PUZZLE, PUZZLE]


def test_the_position_is_read_as_the_player_sees_it() -> None:
    given_to = PUZZLE.read()
    assert given_to.seat == 0
    assert given_to.melded
    assert given_to.state.book.tiles.faces_text(given_to.played) == "K8 R8"
    assert set(given_to.state.racks[1]) == {-1}


@pytest.mark.parametrize(
    ("puzzle", "code"),
    [
        (replace(PUZZLE, book="tml"), "book"),
        (replace(PUZZLE, id="aaaaaaaa"), "id"),
        (replace(PUZZLE, margin=3), "margin"),
        (replace(PUZZLE, answer=Answer("K8 X8", PUZZLE.answer.table)), "notation"),
        (replace(PUZZLE, position=POSITION.replace("K8 K13", "?x2")), "rack"),
        (replace(PUZZLE, position=POSITION.replace(" / turn 1", "")), "rack"),
        (replace(PUZZLE, position="nonsense"), "notation"),
    ],
)
def test_a_puzzle_that_contradicts_itself_is_refused(puzzle: Puzzle, code: str) -> None:
    with pytest.raises(PuzzleError) as refused:
        puzzle.read()
    assert refused.value.code == code
    with pytest.raises(PuzzleError) as refused:
        list(read_puzzles([PUZZLE.line(), puzzle.line()]))
    assert "line 2" in str(refused.value)


@pytest.mark.parametrize(
    "change",
    [{"kind": "chess"}, {"more": 1}, {"themes": ["other"]}, {"rating": "high"}, {"source": {"game": "x"}}],
)
def test_a_line_of_another_shape_is_refused(change: dict[str, object]) -> None:
    fields = msgspec.json.decode(PUZZLE.line()) | change
    with pytest.raises(PuzzleError) as refused:
        decode_puzzle(msgspec.json.encode(fields))
    assert refused.value.code == "shape"


def test_a_line_that_is_too_long_is_refused_unread() -> None:
    with pytest.raises(PuzzleError) as refused:
        decode_puzzle(b"[" * 100_000)
    assert refused.value.code == "long"


@given(st.data())
def test_no_line_does_anything_but_decode_or_be_refused(data: st.DataObject) -> None:
    """Bytes of a puzzle changed, cut, doubled: a puzzle, or a PuzzleError."""
    line = bytearray(PUZZLE.line())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(line) - 1))
        what = data.draw(st.sampled_from(("byte", "cut", "double")))
        if what == "byte":
            line[at] = data.draw(st.integers(0, 255))
        elif what == "cut":
            del line[at : at + data.draw(st.integers(1, 40))]
        else:
            line[at:at] = line[at : at + 20]
        line = line or bytearray(b"{")
    told = "a puzzle"
    try:
        decode_puzzle(bytes(line)).read()
    except PuzzleError as error:
        told = str(error)
    assert told


@given(st.text(max_size=300) | st.binary(max_size=300))
def test_no_text_does_anything_but_be_refused(line: str | bytes) -> None:
    with pytest.raises(PuzzleError):
        decode_puzzle(line)


def test_files_are_read_compressed_or_not_and_broken_ones_refused(tmp_path: Path) -> None:
    plain, packed, torn = (tmp_path / name for name in ("a.jsonl", "a.jsonl.gz", "b.jsonl.gz"))
    plain.write_bytes(PUZZLE.line())
    packed.write_bytes(gzip.compress(PUZZLE.line() + b"\n"))
    torn.write_bytes(packed.read_bytes()[:-20])
    assert load_puzzles(plain) == load_puzzles(packed) == (PUZZLE,)
    with pytest.raises(PuzzleError):
        load_puzzles(torn)
    torn.write_bytes(b"no gzip at all")
    with pytest.raises(PuzzleError):
        load_puzzles(torn)
