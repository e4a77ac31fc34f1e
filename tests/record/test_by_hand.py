"""Records as people write them: no marks, no deal, names of every kind, and every line of the notation."""

from __future__ import annotations

import pytest

from meldroom.game import Move, fold
from meldroom.game import events as ev
from meldroom.game.state import Meld
from meldroom.record import Record, loads, to_text, verify
from meldroom.rules.library import book
from meldroom.rules.sets import Reading
from meldroom.tiles import HIDDEN, Tile, parse_marked

TILES = book("wrc11").tiles


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(TILES.tile(*parse_marked(word, TILES)) for word in text.split())


def record(*lines: str, book_id: str = "wrc11", players: tuple[str, ...] = ("Ada", "Bo")) -> Record:
    seats = [f"seat {seat}: {name}" for seat, name in enumerate(players, start=1)]
    return loads("\n".join(["meldroom-record 1", f"book: {book_id} 1", *seats, "", *lines]) + "\n")


def test_a_record_without_a_deal_begins_with_whoever_acts_first() -> None:
    found = record("Bo draws", "Ada draws R5")
    assert found.events[0] == ev.StarterChosen(1)
    dealt = found.events[1]
    assert isinstance(dealt, ev.Dealt)
    assert [len(rack) for rack in dealt.racks] == [14, 14]
    assert set(dealt.pool) == {HIDDEN}
    assert found.events[2:] == (
        ev.TurnBegan(1),
        ev.Drew(1, HIDDEN),
        ev.TurnBegan(0),
        ev.Drew(0, tiles("R5")[0]),
        ev.TurnBegan(1),
    )
    assert verify(found).ok


def test_racks_unknown_is_the_same_written_out() -> None:
    assert record("starter Bo", "racks unknown", "Bo draws") == record("Bo draws")
    assert record("racks unknown", "Bo draws") == record("Bo draws")
    assert "racks unknown" in to_text(record("Bo draws"))


def test_the_rummyo_starter_has_a_tile_more() -> None:
    found = record("Ada discards K9", "Bo takes stock", "Bo discards K9", book_id="rummyo")
    dealt = found.events[1]
    assert isinstance(dealt, ev.Dealt)
    assert [len(rack) for rack in dealt.racks] == [15, 14]
    assert verify(found).ok


def test_a_plain_tile_is_the_lowest_copy_that_can_be_there() -> None:
    found = record(
        "Ada draws R5", "Bo draws R5", "Ada lays R5 R6 R7 | K9 B9 O9", "Bo lays R5 R6 R7 | K10 B10 O10"
    )
    laid = [event for event in found.events if isinstance(event, ev.Laid)]
    assert laid[0].table[0] == tiles("R5 R6 R7")
    assert laid[1].table[2] == tiles("R5' R6' R7'")
    assert verify(found).ok


def test_marks_say_which_copy() -> None:
    found = record("Ada draws R5'", "Bo draws R5!")
    assert [event.tile for event in found.events if isinstance(event, ev.Drew)] == list(tiles("R5' R5"))


def test_new_sets_may_be_written_alone() -> None:
    short = record("Ada lays R10 R11 R12", "Bo lays K10 B10 O10")
    long = record("Ada lays R10 R11 R12 -> R10 R11 R12", "Bo lays K10 B10 O10 -> R10 R11 R12 | K10 B10 O10")
    assert short.events == long.events


def test_tiles_are_read_in_any_case() -> None:
    assert record("Ada DRAWS r5", "bo draws".replace("b", "B")).events[3] == ev.Drew(0, tiles("R5")[0])


def test_the_empty_pool_is_understood() -> None:
    lines = [f"{name} draws" for name in ("Ada", "Bo") * 39]
    written = record(*lines, "pool empty: final turns Ada, Bo", "Ada passes")
    assert record(*lines, "Ada passes") == written
    assert verify(written).ok


def test_a_known_pool_gives_the_tile_drawn() -> None:
    found = record("starter Ada", "deal 1: pool R5 K7 ?x76", "Ada draws", "Bo draws", "Ada draws")
    drawn = [event.tile for event in found.events if isinstance(event, ev.Drew)]
    assert drawn == [*tiles("R5 K7"), HIDDEN]


def test_an_unfinished_turn_can_be_told() -> None:
    assert not isinstance(record("Ada draws", "turn nobody").events[-1], ev.TurnBegan)
    assert record("Ada draws", "turn Ada").events[-1] == ev.TurnBegan(0)


LINES = {
    "starter Bo: Ada R5, Bo K5 / Ada B9, Bo K13": ev.StarterChosen(
        1, (((0, tiles("R5")[0]), (1, tiles("K5")[0])), ((0, tiles("B9")[0]), (1, tiles("K13")[0])))
    ),
    "Bo shows R1 R1 B4 B4 O9 O9": ev.RedealGranted(1, tiles("R1 R1' B4 B4' O9 O9'")),
    "Bo passes": ev.Passed(1),
    "Bo times out": ev.TimedOut(1, False),
    "Bo times out (touched)": ev.TimedOut(1, True),
    "Bo is penalised 2 (time, SET_INVALID, NO_RACK_TILE): R1 ?": ev.Penalised(
        1, "time", (*tiles("R1"), HIDDEN), ("SET_INVALID", "NO_RACK_TILE")
    ),
    "Bo is penalised 3 (declared)": ev.Penalised(1, "declared", (HIDDEN,) * 3),
    "Bo is penalised 0 (leftovers)": ev.Penalised(1, "leftovers", ()),
    "Bo leaves R5 (under pool) -> -": ev.LeftoversRuled(1, (), tiles("R5"), "under_pool"),
    "Bo leaves R5 K2 (to rack) -> R1 R2 R3": ev.LeftoversRuled(
        1, (tiles("R1 R2 R3"),), tiles("R5 K2"), "rack"
    ),
    "Bo withdraws": ev.Withdrew(1),
    "Bo lays * -> R1 R2 * = R1 R2 R3": ev.Laid(
        1, (tiles("R1 R2 *"),), tiles("*"), {0: tuple(TILES.face_of[t] for t in tiles("R1 R2 R3"))}
    ),
    'referee "a tile fell; sorry": turn Ada, R5 to rack Bo, K2 to table 3, ? to pool top, B1 to pool bottom, '
    "O1 to discards, Bo melded, Ada not melded": ev.Corrected(
        0,
        "a tile fell; sorry",
        (
            Move(tiles("R5")[0], "rack", 1),
            Move(tiles("K2")[0], "table", 2),
            Move(HIDDEN, "pool_top"),
            Move(tiles("B1")[0], "pool_bottom"),
            Move(tiles("O1")[0], "discards"),
        ),
        {1: True, 0: False},
    ),
    "referee: turn Bo": ev.Corrected(1, ""),
    "pool empty": ev.PoolExhausted(),
    "pool empty: final turns Bo, Ada": ev.PoolExhausted((1, 0)),
    "end out: Ada -57, Bo 57, winner Bo": ev.GameEnded("out", (-57, 57), (1,)),
    "end out (hand): Bo 1, Ada 0, winner Bo": ev.GameEnded("out", (0, 1), (1,), "hand"),
    "end exhausted: Ada 0, Bo 0, winner Ada, winner Bo": ev.GameEnded("exhausted", (0, 0), (0, 1)),
    'end abandoned "fire": Ada 0, Bo 0': ev.GameEnded("abandoned", (0, 0), (), reason="fire"),
    "Bo takes stock ?": ev.Took(1, "stock", HIDDEN),
    "Bo takes discard K3": ev.Took(1, "discard", tiles("K3")[0]),
    "Bo discards K3": ev.Discarded(1, tiles("K3")[0]),
    "reshuffle 2: R1 ?x2 B1": ev.Reshuffled(2, (*tiles("R1"), HIDDEN, HIDDEN, *tiles("B1"))),
    "Bo plays R1 * (on board) -> Bo: R1 * R3 | Ada: K1 (Bo) B1 O1": ev.Played(
        1,
        (
            Meld(tiles("R1 * R3"), 1, (1, 1, 1), Reading("run", 1, 3, 1)),
            Meld(tiles("K1 B1 O1"), 0, (1, 1, 1), Reading("group", 1, 1, -1)),
        ),
        tiles("R1 *"),
        "ON_BOARD",
    ),
    "Bo plays R1 R2 R3 (hand)": ev.Played(
        1, (Meld(tiles("R1 R2 R3"), 1, (1, 1, 1), Reading("run", 1, 3, 1)),), tiles("R1 R2 R3"), "HAND"
    ),
    "Bo plays - -> Bo: R5 * *' = group": ev.Played(
        1, (Meld(tiles("R5 * *'"), 1, (1, 1, 1), Reading("group", 5, 5, -1)),), (), "OK"
    ),
}


@pytest.mark.parametrize("line", LINES)
def test_every_line_of_the_notation(line: str) -> None:
    before = () if line.startswith("starter") else ("starter Ada", "racks unknown", "Ada draws")
    found = record(*before, line)
    at = len(before) + 2 if before else 0
    assert LINES[line] in found.events[at - 1 if before else 0 :]
    assert loads(to_text(found)) == found


@pytest.mark.parametrize(
    "name", ["end", "Pool", "R5", "a b", 'x"y', "K13'", "; no", "Zoë", "O'Neil", "?", "-"]
)
def test_names_that_need_quotes_get_them(name: str) -> None:
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    found = record(f'"{quoted}" draws', "Bo draws", players=(f'"{quoted}"', "Bo"))
    assert found.headers.players == (name, "Bo")
    assert loads(to_text(found)) == found


def test_headers_are_kept() -> None:
    text = (
        "meldroom-record 1\r\nevent: Open; Lyon\r\nbook: wrc11 1\r\noptions: strict_declare=true\r\n"
        'seat 2: Bo\r\nseat 1: Ada\r\nmotto:  " two words "\r\nclock: 0\r\n\r\nAda draws\r\n'
    )
    found = loads("\ufeff" + text)
    assert found.headers.tags == {"event": "Open; Lyon", "motto": " two words "}
    assert found.headers.players == ("Ada", "Bo")
    assert found.headers.book.options == {"strict_declare": True}
    assert found.headers.clock == 0
    assert fold(found.log()).book.penalty.strict_declare
    assert loads(to_text(found)) == found
