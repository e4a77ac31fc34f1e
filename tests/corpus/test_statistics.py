"""Games in numbers: compared with what the arena counts while they are played, and with hand-made games."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from meldroom import __version__
from meldroom.arena import read
from meldroom.arena.chunks import Finished, fixtures, play_chunk, record_name
from meldroom.arena.experiment import Experiment, to_json
from meldroom.corpus import facts
from meldroom.corpus.chunks import Counted, play_and_count
from meldroom.corpus.statistics import _changes
from meldroom.record import loads
from meldroom.rules.library import BOOK_IDS, book
from meldroom.tiles import Tile

WRC = book("wrc11")


def experiment(of: str) -> Experiment:
    return read(
        {
            "format": "tables",
            "books": [of],
            "bots": ["club", "tournament", "patient"],
            "tables": [["tournament", "patient", "club"]],
            "deals": 2,
            "seed": "counted",
        }
    )


@pytest.mark.parametrize("of", BOOK_IDS)
def test_the_record_says_what_the_arena_saw(of: str) -> None:
    played = experiment(of)
    configuration = to_json(played, __version__)
    chunk = msgspec.msgpack.decode(play_chunk(configuration, 0, True, __version__), type=Finished)
    counted = msgspec.msgpack.decode(play_and_count(configuration, 0, True, __version__), type=Counted)
    assert chunk.records is not None
    assert counted.records == [
        chunk.records[record_name(played, each)] for each in fixtures(played, chunk.chunk)
    ]
    assert len(counted.games) == len(chunk.rows) == 6
    for game, row in zip(counted.games, chunk.rows, strict=True):
        assert (game.deal, game.rotation, game.facts.game.end) == (row.deal, row.rotation, row.end)
        assert game.facts.game.going_out == row.going_out
        assert game.bots == tuple(("tournament", "patient", "club")[seat.place] for seat in row.seats)
        for player, seat in zip(game.facts.players, row.seats, strict=True):
            assert (player.won > 0, player.score, player.tiles_left) == (seat.winner, seat.score, seat.left)
            assert (player.opened, player.plays, player.tiles) == (seat.opened, seat.plays, seat.tiles)
            assert player.turns - player.draw_turns == player.plays
            if seat.opened is not None:
                assert (player.opening_points or 0) >= book(of).opening.points or game.facts.game.going_out
        for turn in game.facts.turns:
            assert (turn.action == "lay") == (turn.tiles > 0)


MATCHBOX = Path("examples/records/matchbox.meld").read_text(encoding="utf-8")


def test_a_game_that_can_be_counted_by_hand() -> None:
    found = facts(loads(MATCHBOX))
    ada, bo = found.players
    assert [(turn.seat, turn.action, turn.tiles) for turn in found.turns] == [
        (0, "draw", 0),
        (1, "draw", 0),
        (0, "none", 0),
        (1, "lay", 7),
    ]
    assert (ada.turns, ada.draw_turns, ada.longest_wait, ada.faults, ada.tiles_left) == (2, 2, 2, 1, 10)
    assert (ada.opened, ada.opening_points) == (None, None)
    assert (bo.opened, bo.opening_points, bo.opening_tiles, bo.most_tiles) == (1, 6 + 10, 7, 7)
    assert (bo.won, bo.score, ada.won, ada.score) == (1.0, 100, 0.0, -100)
    game = found.game
    assert (game.turns, game.draw_turns, game.winners, game.pool_left) == (4, 3, (1,), 14)
    assert (game.tiles_on_table, game.pool_exhausted) == (7, False)


def tiles_of(text: str) -> tuple[tuple[Tile, ...], ...]:
    """Sets of physical tiles: the first copy of each face, `'` for the second."""
    tiles = WRC.tiles
    made = []
    for part in text.split("|"):
        row = []
        for word in part.split():
            copies = [
                t for t in range(len(tiles.face_of)) if tiles.face_names[tiles.face_of[t]] == word.rstrip("'")
            ]
            row.append(Tile(copies[word.count("'")]))
        made.append(tuple(row))
    return tuple(made)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("R1 R2 R3", "R1 R2 R3 | K9 B9 O9", (0, 0, 0)),
        ("R1 R2 R3", "R1 R2 R3 R4", (1, 0, 0)),
        ("R1 R2 R3 R4", "R2 R3 R4 | R1 B1 K1", (1, 1, 0)),
        ("R5 B5 K5 *", "R5 B5 K5 O5 | K9 B9 *", (1, 1, 1)),
        ("R5 B5 K5 | R1 R2 R3", "R1 R2 R3 | R4 R5 R6 | B4 B5 B6 | K5 K6 K7", (1, 2, 0)),
        ("R1 R2 R3 | R4 R5 R6", "R1 R2 R3 R4 R5 R6", (2, 0, 0)),
    ],
)
def test_how_much_of_the_table_changed(old: str, new: str, expected: tuple[int, int, int]) -> None:
    assert _changes(WRC, tiles_of(old), tiles_of(new)) == expected
