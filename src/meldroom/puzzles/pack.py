"""The starter pack: puzzles that come with the program, and files of them."""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from meldroom.puzzles.errors import PuzzleError
from meldroom.puzzles.puzzle import Puzzle, read_puzzles

STARTER = "starter.jsonl.gz"
LARGEST_FILE = 256 * 1024 * 1024
"""Bytes of a file of puzzles once it is unpacked."""

_GZIP = zlib.MAX_WBITS | 16
_LINES = msgspec.json.Decoder(Puzzle)


@cache
def starter_pack() -> tuple[Puzzle, ...]:
    """The puzzles of the package, easiest first; checked when they were packed, and again by tests."""
    data = zlib.decompress(files("meldroom.puzzles").joinpath(STARTER).read_bytes(), _GZIP)
    return tuple(_LINES.decode_lines(data))


def load_puzzles(path: Path) -> tuple[Puzzle, ...]:
    """The puzzles of a JSON Lines file, compressed or not, strictly read. Raises PuzzleError, OSError."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        unpacking = zlib.decompressobj(_GZIP)
        try:
            data = unpacking.decompress(data, LARGEST_FILE)
        except zlib.error as error:
            raise PuzzleError("unpack", str(path), reason=str(error)) from None
        if not unpacking.eof:
            raise PuzzleError("unpack", str(path), reason="cut off, or too large")
    return tuple(read_puzzles(data.splitlines()))


def choose_pack(puzzles: Iterable[Puzzle], count: int) -> tuple[Puzzle, ...]:
    """A mixed pack: every book, kind and level in turn, one puzzle a game, easiest first in the end.

    Puzzles in which nothing is laid take turns with the others of their kind.
    The same puzzles give the same pack.
    """
    shelves: dict[tuple[str, str, bool, int], list[Puzzle]] = defaultdict(list)
    for puzzle in sorted(puzzles, key=lambda each: hashlib.sha256(each.id.encode()).digest()):
        shelves[puzzle.book, puzzle.kind, bool(puzzle.answer.tiles), puzzle.rating // 200].append(puzzle)
    chosen: list[Puzzle] = []
    games: Counter[str] = Counter()
    most = 1
    while len(chosen) < count and any(shelves.values()):
        for key in sorted(shelves):
            fitting = next((each for each in shelves[key] if games[each.source.game] < most), None)
            if fitting is not None and len(chosen) < count:
                shelves[key].remove(fitting)
                games[fitting.source.game] += 1
                chosen.append(fitting)
        if not any(games[each.source.game] < most for shelf in shelves.values() for each in shelf):
            most += 1
    return tuple(sorted(chosen, key=lambda each: (each.rating, each.id)))
