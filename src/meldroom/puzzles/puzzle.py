"""A puzzle as data: a position as its player sees it, what is asked, and the proven answer.

One puzzle is one line of JSON; `docs/puzzles.md` describes every field.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

import msgspec

from meldroom.decode import DecodeError, decode_json
from meldroom.game.notation.errors import NotationError
from meldroom.game.notation.position import Position, parse_position
from meldroom.game.state import State
from meldroom.puzzles.errors import PuzzleError
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.tiles import HIDDEN, TileTextError, parse_set, parse_table

Kind = Literal["go_out", "most_tiles", "open", "joker", "hold", "take", "foot_hand"]
"""What a puzzle asks for."""

KINDS: tuple[Kind, ...] = get_args(Kind)

Theme = Literal[
    "fourth_tile",
    "run_end",
    "split_run",
    "join_runs",
    "take_apart",
    "swap_joker",
    "lift_joker",
    "run_to_group",
    "group_to_run",
    "long_chain",
    "one_tile",
    "many_tiles",
    "many_sets",
    "crowded_table",
    "last_turns",
    "hold_on",
    "lay_now",
]
"""What its solution is about."""

THEMES: tuple[Theme, ...] = get_args(Theme)
ANSWERS: tuple[Theme, ...] = ("hold_on", "lay_now")
"""Themes that are the answer: nobody should choose puzzles by them."""

LONGEST_LINE = 8_000
_ID_LENGTH = 8


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game a puzzle stood in, and the turn: 1 for the first turn of the game."""

    game: str
    turn: int


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The rack tiles to lay, and a table that holds them; nothing and the old table where one should hold.

    `take` and `discard` are Rummy-O's: where the turn's tile comes from, and the tile that is left.
    """

    tiles: str
    table: str
    take: Literal["stock", "discard"] | None = None
    discard: str | None = None


class Chances(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How likely the player wins by holding and by laying, on average over others of three kinds."""

    hold: float
    lay: float
    games: int


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One puzzle. `second` is how many tiles the best play of other tiles lays; `margin` how many fewer.

    `rating` is the prior: what it takes to find the answer, on the scale of players' ratings.
    """

    id: str
    book: str
    kind: Kind
    position: str
    answer: Answer
    second: int
    margin: int
    rating: int
    themes: tuple[Theme, ...]
    source: Source
    chances: Chances | None = None

    def read(self) -> PuzzlePosition:
        """The position and the answer in tiles. Raises PuzzleError for a puzzle that contradicts itself."""
        return _read(self)

    def line(self) -> bytes:
        """The puzzle as a line of JSON, without its end."""
        return msgspec.json.encode(self)


class PuzzlePosition(msgspec.Struct, frozen=True):
    """A puzzle's position and answer as faces."""

    position: Position
    state: State
    seat: int
    table: FaceTable
    rack: FaceSet
    melded: bool
    played: FaceSet
    after: FaceTable


def puzzle_id(position: str, kind: Kind) -> str:
    """The id of a puzzle follows from what it shows and asks: the same position is the same puzzle."""
    digest = hashlib.sha256(f"{kind} {position}".encode()).digest()
    return base64.b32encode(digest)[:_ID_LENGTH].decode().lower()


def decode_puzzle(line: bytes | str) -> Puzzle:
    """A puzzle from a line of JSON, its shape checked. Raises PuzzleError.

    `Puzzle.read` checks the rest.
    """
    if len(line) > LONGEST_LINE:
        raise PuzzleError("long", count=LONGEST_LINE)
    try:
        return decode_json(line, Puzzle)
    except DecodeError as error:
        raise PuzzleError("shape", error.where, reason=error.as_message()) from None


def read_puzzles(lines: Iterable[bytes | str]) -> Iterator[Puzzle]:
    """All puzzles of a file, each checked against its own position. Raises PuzzleError with the line."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            puzzle = decode_puzzle(line)
            puzzle.read()
        except PuzzleError as error:
            raise PuzzleError("line", number=number, reason=error.as_message()) from None
        yield puzzle


def _read(puzzle: Puzzle) -> PuzzlePosition:
    try:
        position = parse_position(puzzle.position)
        tiles = position.book.tiles
        played, after = parse_set(puzzle.answer.tiles, tiles), parse_table(puzzle.answer.table, tiles)
    except (NotationError, TileTextError) as error:
        raise PuzzleError("notation", reason=error.message()) from None
    seat = position.seat
    if position.book.id != puzzle.book:
        raise PuzzleError("book", "book", book=puzzle.book, other=position.book.id)
    if seat < 0 or HIDDEN in position.racks[seat]:
        raise PuzzleError("rack", "position")
    if puzzle.id != puzzle_id(puzzle.position, puzzle.kind):
        raise PuzzleError("id", "id", id=puzzle.id)
    if puzzle.kind != "hold" and puzzle.margin != len(played) - puzzle.second:
        raise PuzzleError("margin", "margin", tiles=len(played), second=puzzle.second)
    state = position.state()
    sets = position.table or tuple(meld.tiles for meld in position.melds)
    return PuzzlePosition(
        position=position,
        state=state,
        seat=seat,
        table=state.face_table(sets),
        rack=state.faces(position.racks[seat]),
        melded=position.melded[seat],
        played=played,
        after=after,
    )
