"""The Parquet tables of a corpus: their columns, and rows to and from files."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from meldroom.corpus.statistics import Facts
from meldroom.errors import needs

TABLES = ("games", "players", "turns")

# The type and the meaning of every column, in order.
_GAME = {"game": ("string", "The game's name, unique in the corpus: book, table, deal and rotation.")}
COLUMNS: dict[str, dict[str, tuple[str, str]]] = {
    "games": {
        **_GAME,
        "book": ("string", "The rule book, by the name it has in the experiment."),
        "table": ("string", "The line-up."),
        "deal": (
            "int32",
            "The deal: the same tiles in the same order for every game of this number and book.",
        ),
        "rotation": ("int32", "How many seats the line-up has moved on."),
        "bots": ("list<string>", "The bots by seat."),
        "record_file": ("string", "The file in records/ that holds the record."),
        "record_number": ("int32", "Its place in that file, from 0."),
        "players": ("int32", "How many played."),
        "end": ("string", "out, exhausted or abandoned."),
        "going_out": ("string", "Rummy-O: open, foot or hand; else null."),
        "winners": ("list<int32>", "The seats that won, from 0; none if the game was abandoned."),
        "turns": ("int32", "Turns of all players together."),
        "draw_turns": ("int32", "Turns in which nothing was laid."),
        "longest_wait": ("int32", "The most turns in a row in which one player laid nothing."),
        "pool_exhausted": ("bool", "True if the last tile of the pool was taken."),
        "pool_left": ("int32", "Tiles left in the pool."),
        "tiles_on_table": ("int32", "Tiles on the table at the end."),
    },
    "players": {
        **_GAME,
        "bot": ("string", "Who played: a bot of the experiment."),
        "seat": ("int32", "The seat, from 0; seat 0 began."),
        "won": ("float64", "1 for a win, a share for a shared one, else 0."),
        "score": ("int32", "The book's score."),
        "turns": ("int32", "Own turns."),
        "draw_turns": ("int32", "Own turns in which nothing was laid."),
        "longest_wait": ("int32", "The most own turns in a row in which nothing was laid."),
        "opened": ("int32", "The own turn of the opening, from 0; null if there was none."),
        "opening_points": ("int32", "What the opening counted by the book; null if there was none."),
        "opening_tiles": ("int32", "Tiles laid in the turn of the opening; null if there was none."),
        "plays": ("int32", "Turns that laid something."),
        "tiles": ("int32", "Tiles laid from the rack."),
        "most_tiles": ("int32", "The most tiles laid in one turn."),
        "sets_touched": ("int32", "Sets on the table that the player changed, each time they did."),
        "tiles_moved": ("int32", "Tiles on the table that left the set which holds most of their old set."),
        "jokers_moved": ("int32", "The jokers among them."),
        "tiles_left": ("int32", "Tiles on the rack at the end."),
        "faults": ("int32", "Turns that ran out of time or were penalised."),
    },
    "turns": {
        **_GAME,
        "turn": ("int32", "The number of the turn in the game, from 1."),
        "seat": ("int32", "Who had it."),
        "own_turn": ("int32", "The number among the player's own turns, from 0."),
        "action": ("string", "lay, draw, discard (Rummy-O, without laying), pass or none."),
        "took": ("string", "Rummy-O: stock or discard; else empty."),
        "tiles": ("int32", "Tiles laid from the rack."),
        "points": ("int32", "What they would have cost on the rack."),
        "opening_points": ("int32", "What the new sets counted, in the turn that opened; else 0."),
        "rack_before": ("int32", "Tiles on the rack when the turn began."),
        "rack_after": ("int32", "… and when it ended."),
        "pool": ("int32", "Tiles in the pool when the turn began."),
        "sets": ("int32", "Sets on the table when the turn began."),
        "sets_touched": ("int32", "Those of them that were changed."),
        "tiles_moved": ("int32", "Tiles that left the set which holds most of their old set."),
        "jokers_moved": ("int32", "The jokers among them."),
        "fault": ("bool", "True if time ran out or the turn was penalised."),
    },
}

Row = tuple[Any, ...]


class Game(msgspec.Struct, frozen=True, array_like=True):
    """A game of a corpus: what it is called, who sat where, and everything counted of it."""

    name: str
    book: str
    table: str
    deal: int
    rotation: int
    bots: tuple[str, ...]
    facts: Facts


def rows_of(games: Sequence[Game], record_file: str) -> dict[str, list[Row]]:
    """The rows of all three tables for the games whose records lie in one file, in that order."""
    made: dict[str, list[Row]] = {table: [] for table in TABLES}
    for number, game in enumerate(games):
        who = (game.name, game.book, game.table, game.deal, game.rotation, list(game.bots))
        counted = msgspec.structs.astuple(game.facts.game)
        made["games"].append(
            (*who, record_file, number, *(list(v) if isinstance(v, tuple) else v for v in counted))
        )
        for player in game.facts.players:
            made["players"].append((game.name, game.bots[player.seat], *msgspec.structs.astuple(player)))
        for turn in game.facts.turns:
            made["turns"].append((game.name, *msgspec.structs.astuple(turn)))
    return made


def to_parquet(table: str, rows: Sequence[Row]) -> bytes:
    """Rows of a table as a Parquet file; the same rows give the same bytes."""
    arrow, parquet = _libraries()
    kinds = {
        "string": arrow.string(),
        "int32": arrow.int32(),
        "float64": arrow.float64(),
        "bool": arrow.bool_(),
        "list<string>": arrow.list_(arrow.string()),
        "list<int32>": arrow.list_(arrow.int32()),
    }
    fields = [arrow.field(name, kinds[kind]) for name, (kind, _) in COLUMNS[table].items()]
    columns: Sequence[Sequence[Any]] = list(zip(*rows, strict=True)) if rows else [()] * len(fields)
    arrays = [arrow.array(column, field.type) for column, field in zip(columns, fields, strict=True)]
    sink = io.BytesIO()
    parquet.write_table(arrow.table(arrays, schema=arrow.schema(fields)), sink, compression="zstd")
    return sink.getvalue()


def from_parquet(path: Path) -> list[Mapping[str, Any]]:
    """The rows of a Parquet file, by column. Raises OSError, and ValueError for what is no such file."""
    _, parquet = _libraries()
    found: list[Mapping[str, Any]] = parquet.read_table(path).to_pylist()
    return found


def _libraries() -> tuple[Any, Any]:
    with needs("arena"):
        return import_module("pyarrow"), import_module("pyarrow.parquet")


def pyarrow_version() -> str:
    """The version of the library that writes the tables. Raises MissingExtraError."""
    return str(_libraries()[0].__version__)
