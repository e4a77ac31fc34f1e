"""What a referee might be asked next: positions on either side of every line, decided from the rulings.

The published cases leave gaps; these fill them. Every fault of a turn is expected, not only the first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from meldroom.rules.library import BOOK_IDS
from meldroom.rules.requests import RequestError, check, ruling, score_racks

CHAMPIONSHIPS = ("wrc11", "nzrc2024", "wrc9")
REARRANGING = (*CHAMPIONSHIPS, "tml")
TWELVE = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12"


def table(text: str) -> list[list[str]]:
    return [part.split() for part in text.split("|")] if text else []


# Opening: id, before, rack, after, faults.
OPENINGS: list[tuple[str, str, str, str, str]] = [
    ("two sets of 30 together", "", "R3 R4 R5 B6 K6 O6 O1", "R3 R4 R5 | B6 K6 O6", ""),
    ("four sets", "", "R1 R2 R3 B1 B2 B3 K2 K3 K4 O2 O3 O4", "R1 R2 R3 | B1 B2 B3 | K2 K3 K4 | O2 O3 O4", ""),
    (
        "four sets of 27",
        "",
        "R1 R2 R3 B1 B2 B3 K1 K2 K3 O2 O3 O4",
        "R1 R2 R3 | B1 B2 B3 | K1 K2 K3 | O2 O3 O4",
        "MELD_LT_30",
    ),
    ("far more than 30", "", "R10 R11 R12 R13 B13 K13 O13", "R10 R11 R12 | R13 B13 K13 O13", ""),
    ("31 with a joker between", "", "R4 R5 * R7 B3 K3 O3", "R4 R5 * R7 | B3 K3 O3", ""),
    ("two jokers in two sets", "", "R10 B10 * K1 K2 *", "R10 B10 * | K1 K2 *", ""),
    ("low jokers count low", "", "R1 R2 * B8 K8 O1", "R1 R2 * | B8 K8 O1", "SET_INVALID MELD_LT_30"),
    ("joker below 12 and 13", "", "R12 R13 *", "R12 R13 *", ""),
    ("joker reads high: 9-10-11", "", "* R9 R10", "* R9 R10", ""),
    ("8-9-joker is 27", "", "R8 R9 *", "R8 R9 *", "MELD_LT_30"),
    ("8 with two jokers is 27", "", "R8 * *", "R8 * *", "MELD_LT_30"),
    ("a group of 7 and two jokers is 28", "", "R7 B7 * *", "R7 B7 * *", "MELD_LT_30"),
    ("a group of 8 and two jokers is 32", "", "R8 B8 * *", "R8 B8 * *", ""),
    ("30 and a loose pair", "", "R10 B10 K10 R5 R6", "R10 B10 K10 | R5 R6", "SET_INVALID"),
    ("an illegal set gives no points", "", "R10 B11 K12", "R10 B11 K12", "SET_INVALID MELD_LT_30"),
    ("nothing laid", "B3 B4 B5", "R10 B10 K10", "B3 B4 B5", "NO_RACK_TILE MELD_LT_30"),
    (
        "old sets in another order",
        "B3 B4 B5 | K7 R7 O7",
        "R10 B10 K10",
        "O7 K7 R7 | R10 B10 K10 | B5 B4 B3",
        "",
    ),
    (
        "an old set gone",
        "B3 B4 B5",
        "R10 B10 K10",
        "R10 B10 K10",
        "TILE_LEFT_TABLE TABLE_TOUCHED_BEFORE_MELD",
    ),
    (
        "an equal set beside the old one",
        "R10 B10 K10",
        "R10 B10 K10 O10",
        "R10 B10 K10 O10 | R10 B10 K10",
        "",
    ),
    (
        "only the fourth tile to an old group",
        "R10 B10 K10",
        "O10",
        "R10 B10 K10 O10",
        "TABLE_TOUCHED_BEFORE_MELD MELD_LT_30",
    ),
    (
        "30 and one added tile",
        "B3 B4 B5",
        "R10 B10 K10 B2",
        "B2 B3 B4 B5 | R10 B10 K10",
        "TABLE_TOUCHED_BEFORE_MELD",
    ),
    (
        "30 and an old run split",
        "B3 B4 B5 B6 B7 B8",
        "R10 B10 K10",
        "B3 B4 B5 | B6 B7 B8 | R10 B10 K10",
        "TABLE_TOUCHED_BEFORE_MELD",
    ),
    (
        "30 and a joker retrieved",
        "R7 R8 *",
        "R9 B10 K10 O10 K4 K5",
        "R7 R8 R9 | B10 K10 O10 | K4 K5 *",
        "TABLE_TOUCHED_BEFORE_MELD",
    ),
    ("a tile from nowhere", "", "R10 B10", "R10 B10 K10", "TILE_NOT_ON_RACK MELD_LT_30"),
]

# Turns of a melded player that WRC 9, WRC 11, NZRC and The Mahjong Line judge alike.
TURNS: list[tuple[str, str, str, str, str]] = [
    ("add to a run", "R4 R5 R6", "R7", "R4 R5 R6 R7", ""),
    ("add to both ends", "R4 R5 R6", "R3 R7", "R3 R4 R5 R6 R7", ""),
    ("add the fourth colour", "R4 B4 K4", "O4", "R4 B4 K4 O4", ""),
    ("a new set of 6 points", "", "R1 R2 R3", "R1 R2 R3", ""),
    ("take the end of a run of four", "R4 R5 R6 R7", "B7 K7", "R4 R5 R6 | R7 B7 K7", ""),
    ("take the end of a run of three", "R4 R5 R6", "B6 K6", "R4 R5 | R6 B6 K6", "SET_INVALID"),
    (
        "take from the middle of five",
        "R4 R5 R6 R7 R8",
        "B6 K6",
        "R4 R5 | R6 B6 K6 | R7 R8",
        "SET_INVALID SET_INVALID",
    ),
    ("take from the middle of seven", "R3 R4 R5 R6 R7 R8 R9", "B6 K6", "R3 R4 R5 | R6 B6 K6 | R7 R8 R9", ""),
    ("take from a group of three", "R4 B4 K4", "R5 R6", "B4 K4 | R4 R5 R6", "SET_INVALID"),
    ("two taken from two groups", "R4 B4 K4 O4 | R5 B5 K5 O5", "R6", "B4 K4 O4 | B5 K5 O5 | R4 R5 R6", ""),
    ("everything anew", "R1 R2 R3 | B1 B2 B3 | K1 K2 K3", "O3", "R1 B1 K1 | R2 B2 K2 | R3 B3 K3 O3", ""),
    (
        "anew without a rack tile",
        "R1 R2 R3 | B1 B2 B3 | K1 K2 K3",
        "O3",
        "R1 B1 K1 | R2 B2 K2 | R3 B3 K3",
        "NO_RACK_TILE",
    ),
    ("two equal runs", "R4 R5 R6", "R4 R5 R6", "R4 R5 R6 | R4 R5 R6", ""),
    ("two equal groups", "R4 B4 K4", "R4 B4 K4", "R4 B4 K4 | R4 B4 K4", ""),
    ("swapping equal tiles is nothing", "R4 R5 R6", "R4", "R4 R5 R6", "NO_RACK_TILE"),
    ("a tile taken and another laid", "R4 R5 R6 R7", "R3", "R3 R4 R5 R6", "TILE_LEFT_TABLE"),
    ("a whole set taken", "R4 R5 R6 | B1 B2 B3", "R7", "R4 R5 R6 R7", "TILE_LEFT_TABLE TILE_LEFT_TABLE"),
    ("two tiles in a new set", "", "R4 R5", "R4 R5", "SET_INVALID"),
    ("one loose tile", "R4 R5 R6", "B9", "R4 R5 R6 | B9", "SET_INVALID"),
    ("thirteen in a run", TWELVE, "R13", f"{TWELVE} R13", ""),
    ("thirteen with a joker", TWELVE.replace("R7", "*"), "R13", f"{TWELVE.replace('R7', '*')} R13", ""),
    ("fourteen in a run", f"{TWELVE} R13", "*", f"{TWELVE} R13 *", "SET_INVALID"),
    ("1 after 13", "R11 R12 R13", "R1", "R11 R12 R13 R1", "SET_INVALID"),
    ("13 before 1", "R1 R2 R3", "R13", "R13 R1 R2 R3", "SET_INVALID"),
    ("a joker between 13 and 1", "", "R13 * R1", "R13 * R1", "SET_INVALID"),
    ("1 with two jokers", "", "R1 * *", "R1 * *", ""),
    ("13 with two jokers", "", "R13 * *", "R13 * *", ""),
    ("a group of 1", "", "R1 B1 K1", "R1 B1 K1", ""),
    ("a gap of two for two jokers", "", "R4 * * R7", "R4 * * R7", ""),
    ("a gap of three for two jokers", "", "R4 * * R8", "R4 * * R8", "SET_INVALID"),
    ("two gaps for two jokers", "", "R4 * R6 * R8", "R4 * R6 * R8", ""),
    ("two gaps for one joker", "", "R4 * R6 R8", "R4 * R6 R8", "SET_INVALID"),
    ("five in a group", "R4 B4 K4 O4", "R4", "R4 B4 K4 O4 R4", "SET_INVALID"),
    ("a group with a joker and one colour twice", "", "R5 B5 R5 *", "R5 B5 R5 *", "SET_INVALID"),
    ("three jokers' room in a group", "", "R5 * *", "R5 * *", ""),
    ("two jokers alone", "", "* *", "* *", "SET_INVALID"),
    ("three colours in sequence", "", "R4 B5 K6", "R4 B5 K6", "SET_INVALID"),
    ("an empty set", "R4 R5 R6", "R7", "R4 R5 R6 R7 |", "SET_INVALID"),
    # Jokers that stay where they are, or come free and form a set that was not there.
    ("add to a set with a joker", "R7 R8 *", "R10", "R7 R8 * R10", ""),
    ("add beside a joker: it is read anew", "R7 R8 *", "R9", "R7 R8 R9 *", ""),
    ("split at a joker in the middle", "R4 R5 * R7 R8", "R3", "R3 R4 R5 | * R7 R8", ""),
    ("split and leave the joker alone", "R4 R5 R6 *", "R7 R8", "R4 R5 R6 | R7 R8 *", ""),
    ("the joker of a group of four lifted out", "R2 B2 K2 *", "R5 R6", "R2 B2 K2 | R5 R6 *", ""),
    ("both missing colours laid", "R2 B2 *", "K2 O2 R5 R6", "R2 B2 K2 O2 | R5 R6 *", ""),
    ("replaced from the table", "R7 R8 * | R9 B9 K9 O9", "B4 B5", "R7 R8 R9 | B9 K9 O9 | B4 B5 *", ""),
    ("replaced by a tile that does not fit", "R7 R8 *", "B9 B4 B5", "R7 R8 B9 | B4 B5 *", "SET_INVALID"),
    ("replaced, and no joker on the table", "R7 R8 *", "R9", "R7 R8 R9", "TILE_LEFT_TABLE"),
    ("replaced, and the joker loose", "R7 R8 *", "R9", "R7 R8 R9 | *", "SET_INVALID"),
    (
        "freed without a rack tile",
        "R2 B2 K2 * | B4 B5 B6 B7 B8",
        "O9",
        "R2 B2 K2 | B4 B5 B6 | B7 B8 *",
        "NO_RACK_TILE",
    ),
    ("two jokers into one new set", "R5 * *", "R6 R7 K9", "R5 R6 R7 | K9 * *", ""),
    ("two jokers into two new sets", "R5 * *", "R6 R7 K9 B9 O3 O4", "R5 R6 R7 | K9 B9 * | O3 O4 *", ""),
    ("one of two jokers replaced", "R5 * *", "R6 K9 B9", "R5 R6 * | K9 B9 *", ""),
    ("the same joker in a new set of its colour", "R7 R8 *", "R9 R11 R12", "R7 R8 R9 | * R11 R12", ""),
]

# Freed jokers that only lengthen an old set: refused by R20, allowed in The Mahjong Line (R22) or by option.
LENGTHENED: list[tuple[str, str, str, str]] = [
    ("at the end of a run", "R7 R8 * | B3 B4 B5", "R9", "R7 R8 R9 | B3 B4 B5 *"),
    ("as the fourth colour", "R7 R8 * | B4 K4 O4", "R9", "R7 R8 R9 | B4 K4 O4 *"),
    ("with rack tiles beyond", "R7 R8 * | B3 B4 B5", "R9 B7", "R7 R8 R9 | B3 B4 B5 * B7"),
    ("between two old runs", "R7 R8 * | B3 B4 B5 | B7 B8 B9", "R9", "R7 R8 R9 | B3 B4 B5 * B7 B8 B9"),
    (
        "between an old run and a broken one",
        "R7 R8 * | B3 B4 B5 | B7 B8 B9 B10",
        "R9 K10 O10",
        "R7 R8 R9 | B3 B4 B5 * B7 B8 B9 | B10 K10 O10",
    ),
    (
        "from a joined run",
        "B1 B2 B3 B4 | * B5 B6 B7 | R3 R4 R5",
        "R7",
        "B1 B2 B3 B4 B5 B6 B7 | R3 R4 R5 * R7",
    ),
    ("into another joker's set", "R7 R8 * | B3 B4 *", "R9", "R7 R8 R9 | B3 B4 * *"),
    ("one of two jokers", "R5 * * | B3 B4 B5", "R6 R7 K9 O9", "R5 R6 R7 | K9 O9 * | B3 B4 B5 *"),
    ("both jokers", "R5 * * | B3 B4 B5", "R6 R7", "R5 R6 R7 | * B3 B4 B5 *"),
    ("lifted out of a group", "R2 B2 K2 * | B3 B4 B5", "B6", "R2 B2 K2 | B3 B4 B5 B6 *"),
]

# Freed jokers that look like that and are not.
NOT_LENGTHENED: list[tuple[str, str, str, str]] = [
    ("the old run lost a tile", "R7 R8 * | B3 B4 B5 B6", "R9 K3 O3", "R7 R8 R9 | B3 K3 O3 | B4 B5 B6 *"),
    ("the old group lost a tile", "R7 R8 * | B4 K4 O4 R4", "R9 R5 R6", "R7 R8 R9 | R4 R5 R6 | B4 K4 O4 *"),
    ("an equal tile breaks the run", "R7 R8 * | B3 B4 B5", "R9 B3 K3 O3", "R7 R8 R9 | B3 B4 B5 * | B3 K3 O3"),
    ("two equal runs mixed", "R7 R8 * | B3 B4 B5 | B3 B4 B5", "R9", "R7 R8 R9 | B3 B4 B5 | B3 B4 B5 *"),
    ("the rack's joker lengthens", "R7 R8 * | B3 B4 B5", "R9 * K9 O9", "R7 R8 R9 | B3 B4 B5 * | K9 O9 *"),
    ("the jokers change places", "R7 R8 * | B3 B4 *", "R9 B5", "R7 R8 R9 * | B3 B4 B5 *"),
    ("its own set joins the old run", "R6 R7 * | R9 R10 R11", "R5", "R5 R6 R7 * R9 R10 R11"),
    (
        "a legal remnant joins the old run",
        "R5 R6 R7 * | R9 R10 R11",
        "B5 K5",
        "R5 B5 K5 | R6 R7 * R9 R10 R11",
    ),
    ("a set of two old halves", "R7 R8 * | B4 B5 B6 B7 B8", "R9", "R7 R8 R9 | B4 B5 B6 | B7 B8 *"),
    (
        "a group out of broken runs",
        "R7 R8 * | B4 B5 B6 B7 | K4 K5 K6 K7",
        "R9",
        "R7 R8 R9 | B5 B6 B7 | K5 K6 K7 | B4 K4 *",
    ),
]


def codes(book: str, before: str, rack: str, after: str, melded: bool, **more: Any) -> list[str]:
    answer = check(
        {
            "rulebook": book,
            "table_before": table(before),
            "rack": rack.split(),
            "table_after": table(after),
            "has_melded": melded,
            **more,
        }
    )
    found = [fault["code"] for fault in answer["violations"]]
    assert answer["legal"] is (not found)
    assert all(fault["clause"] and fault["ruling"] for fault in answer["violations"])
    return found


def names(rows: Sequence[tuple[str, ...]]) -> list[str]:
    return [row[0] for row in rows]


@pytest.mark.parametrize("row", OPENINGS, ids=names(OPENINGS))
def test_openings(row: tuple[str, str, str, str, str]) -> None:
    _, before, rack, after, expected = row
    for book in REARRANGING:
        assert codes(book, before, rack, after, False) == expected.split(), book


@pytest.mark.parametrize("row", TURNS, ids=names(TURNS))
def test_turns(row: tuple[str, str, str, str, str]) -> None:
    _, before, rack, after, expected = row
    for book in REARRANGING:
        found = codes(book, before, rack, after, True)
        assert sorted(set(found)) == sorted(set(expected.split())), book


@pytest.mark.parametrize("row", LENGTHENED, ids=names(LENGTHENED))
def test_freed_joker_only_lengthens(row: tuple[str, str, str, str]) -> None:
    _, before, rack, after = row
    for book in CHAMPIONSHIPS:
        assert codes(book, before, rack, after, True) == ["JOKER_NOT_IN_NEW_SET"], book
        assert codes(book, before, rack, after, True, options={"joker_reuse": "any_set"}) == []
    assert codes("tml", before, rack, after, True) == []
    assert codes("tml", before, rack, after, True, options={"joker_reuse": "new_set"}) == [
        "JOKER_NOT_IN_NEW_SET"
    ]


@pytest.mark.parametrize("row", NOT_LENGTHENED, ids=names(NOT_LENGTHENED))
def test_freed_joker_in_a_new_set(row: tuple[str, str, str, str]) -> None:
    _, before, rack, after = row
    for book in REARRANGING:
        assert codes(book, before, rack, after, True) == [], book


# Rummy-O: id, melds before with owners, rack, melds after, discard, on board, outcome or faults.
OWN = "A: B10 B11 B12"
LAY_OFFS: list[tuple[str, str, str, str, str | None, bool, str]] = [
    ("only a discard", "", "R1 O9", "", "O9", False, "DISCARD_ONLY"),
    ("only a discard, on board", OWN, "R1 O9", OWN, "O9", True, "DISCARD_ONLY"),
    ("no discard", OWN, "R1 O9", OWN, None, True, "NO_DISCARD"),
    ("discard of a tile one has not", OWN, "R1 O9", OWN, "K5", True, "DISCARD_NOT_ON_RACK"),
    ("discard of a tile just laid", OWN, "B13 O9 O1", f"{OWN} B13", "B13", True, "DISCARD_NOT_ON_RACK"),
    ("discard of the other copy", OWN, "B13 B13 O1", f"{OWN} B13", "B13", True, "OK"),
    (
        "30 by a run, 20 by a group",
        "",
        "R11 R12 R13 B7 K7 O7 O1 O2",
        "A: R11 R12 R13 | A: B7 K7 O7",
        "O1",
        False,
        "ON_BOARD",
    ),
    ("49 in one run", "", "R9 R10 R11 R12 R13 O1 O2", "A: R9 R10 R11 R12 R13", "O1", False, "MELD_LT_50"),
    ("50 in one run", "", "R10 R11 R12 R13 R1 O1 O2", "A: R10 R11 R12 R13 R1", "O1", False, "ON_BOARD"),
    ("57 in one run", "", "R8 R9 R10 R11 R12 R13 O1 O2", "A: R8 R9 R10 R11 R12 R13", "O1", False, "ON_BOARD"),
    (
        "60 without a run",
        "",
        "R10 B10 K10 R13 B13 K13 O1 O2",
        "A: R10 B10 K10 | A: R13 B13 K13",
        "O1",
        False,
        "NO_RUN",
    ),
    ("20 without a run", "", "R7 B7 K7 O1 O2", "A: R7 B7 K7", "O1", False, "MELD_LT_50 NO_RUN"),
    (
        "a run of three aces' worth",
        "",
        "R12 R13 R1 B10 K10 O1 O2",
        "A: R12 R13 R1",
        "O1",
        False,
        "MELD_LT_50",
    ),
    ("two jokers are 30", "", "R2 * * B10 K10 O10 O1", "A: R2 * * | A: B10 K10 O10", "O1", False, "HAND"),
    (
        "two jokers are 30, not out",
        "",
        "R2 * * B6 K6 O6 O1 O3",
        "A: R2 * * | A: B6 K6 O6",
        "O1",
        False,
        "ON_BOARD",
    ),
    (
        "on board and adding at once",
        "B: K3 K4 K5",
        "R10 R11 R12 R13 R1 K6 O1 O2",
        "B: K3 K4 K5 K6 | A: R10 R11 R12 R13 R1",
        "O1",
        False,
        "ADD_ON_SAME_TURN",
    ),
    (
        "on board with an added tile's points",
        "B: K10 K11 K12",
        "R9 R10 R11 R12 K13 O1 O2",
        "B: K10 K11 K12 K13 | A: R9 R10 R11 R12",
        "O1",
        False,
        "ADD_ON_SAME_TURN MELD_LT_50",
    ),
    (
        "adding before going on board",
        "B: K3 K4 K5",
        "K6 O1 O2",
        "B: K3 K4 K5 K6",
        "O1",
        False,
        "ADD_ON_SAME_TURN MELD_LT_50 NO_RUN",
    ),
    (
        "adding to an opponent",
        f"B: K3 K4 K5 | {OWN}",
        "K6 O1 O2",
        f"B: K3 K4 K5 K6 | {OWN}",
        "O1",
        True,
        "OK",
    ),
    ("adding at the front", f"B: K3 K4 K5 | {OWN}", "K2 O1 O2", f"B: K2 K3 K4 K5 | {OWN}", "O1", True, "OK"),
    (
        "adding two at both ends",
        f"B: K3 K4 K5 | {OWN}",
        "K2 K6 O1 O2",
        f"B: K2 K3 K4 K5 K6 | {OWN}",
        "O1",
        True,
        "OK",
    ),
    (
        "adding with a gap",
        f"B: K3 K4 K5 | {OWN}",
        "K7 O1 O2",
        f"B: K3 K4 K5 K7 | {OWN}",
        "O1",
        True,
        "SET_INVALID",
    ),
    (
        "adding a joker to an opponent",
        f"B: K3 K4 K5 | {OWN}",
        "* O1 O2",
        f"B: K3 K4 K5 * | {OWN}",
        "O1",
        True,
        "OK",
    ),
    (
        "adding a joker and a tile beyond",
        f"B: K3 K4 K5 | {OWN}",
        "* K7 O1 O2",
        f"B: K3 K4 K5 * K7 | {OWN}",
        "O1",
        True,
        "OK",
    ),
    ("a new meld without minimum", OWN, "R2 R3 R4 O1 O2", f"{OWN} | A: R2 R3 R4", "O1", True, "OK"),
    ("a new group without minimum", OWN, "R2 B2 K2 O1 O2", f"{OWN} | A: R2 B2 K2", "O1", True, "OK"),
    ("1 above 13 added", "A: B11 B12 B13", "B1 O1 O2", "A: B11 B12 B13 B1", "O1", True, "OK"),
    ("2 after that 1", "A: B11 B12 B13 B1", "B2 O1 O2", "A: B11 B12 B13 B1 B2", "O1", True, "SET_INVALID"),
    ("13 before 1-2-3", "A: B1 B2 B3", "B13 O1 O2", "A: B13 B1 B2 B3", "O1", True, "SET_INVALID"),
    ("a joker above 13 is the 1", "A: B11 B12 B13", "* O1 O2", "A: B11 B12 B13 *", "O1", True, "OK"),
    (
        "splitting a run",
        f"B: R4 R5 R6 R7 R8 | {OWN}",
        "R6 O1 O2",
        f"B: R4 R5 R6 | {OWN} | A: R6 R7 R8",
        "O1",
        True,
        "MELD_CHANGED",
    ),
    (
        "borrowing the fourth colour",
        f"B: R4 B4 K4 O4 | {OWN}",
        "R5 R6 O1 O2",
        f"B: B4 K4 O4 | {OWN} | A: R4 R5 R6",
        "O1",
        True,
        "MELD_CHANGED",
    ),
    (
        "taking a tile away",
        f"B: R4 R5 R6 R7 | {OWN}",
        "O1 O2",
        f"B: R4 R5 R6 | {OWN}",
        "O1",
        True,
        "TILE_LEFT_TABLE MELD_CHANGED",
    ),
    ("laying a tile one has not", OWN, "O1 O2", f"{OWN} B13", "O1", True, "TILE_NOT_ON_RACK"),
    (
        "claim for a new meld",
        f"B: R5 R6 * | {OWN}",
        "R7 K2 K3 O9 O1",
        f"B: R5 R6 R7 | {OWN} | A: K2 K3 *",
        "O9",
        True,
        "OK",
    ),
    ("claim for an own meld", f"B: R5 R6 * | {OWN}", "R7 O9 O1", f"B: R5 R6 R7 | {OWN} *", "O9", True, "OK"),
    (
        "claim and lengthen in one go",
        f"B: R5 R6 * | {OWN}",
        "R7 R8 O9 O1",
        f"B: R5 R6 R7 R8 | {OWN} *",
        "O9",
        True,
        "OK",
    ),
    ("claim from the middle", f"B: R5 * R7 | {OWN}", "R6 O9 O1", f"B: R5 R6 R7 | {OWN} *", "O9", True, "OK"),
    ("claim from the front", f"B: * R6 R7 | {OWN}", "R5 O9 O1", f"B: R5 R6 R7 | {OWN} *", "O9", True, "OK"),
    (
        "claim of a joker that is the high 1",
        f"B: R12 R13 * | {OWN}",
        "R1 O9 O1",
        f"B: R12 R13 R1 | {OWN} *",
        "O9",
        True,
        "OK",
    ),
    (
        "11 for a joker that is the high 1",
        f"B: R12 R13 * | {OWN}",
        "R11 O9 O1",
        f"B: R11 R12 R13 | {OWN} *",
        "O9",
        True,
        "MELD_CHANGED",
    ),
    (
        "claim of one's own joker",
        "A: R5 R6 * | A: B10 B11 B12",
        "R7 O9 O1",
        "A: R5 R6 R7 | A: B10 B11 B12 *",
        "O9",
        True,
        "OK",
    ),
    ("claim from a group", f"B: R5 B5 * | {OWN}", "O5 O9 O1", f"B: R5 B5 O5 | {OWN} *", "O9", True, "OK"),
    (
        "claim from a full group",
        f"B: R5 B5 K5 * | {OWN}",
        "O5 O9 O1",
        f"B: R5 B5 K5 O5 | {OWN} *",
        "O9",
        True,
        "OK",
    ),
    (
        "lifting the joker out of a full group",
        f"B: R5 B5 K5 * | {OWN}",
        "O9 O1",
        f"B: R5 B5 K5 | {OWN} *",
        "O9",
        True,
        "MELD_CHANGED",
    ),
    (
        "claim with another number",
        f"B: R5 R6 * | {OWN}",
        "R4 O9 O1",
        f"B: R4 R5 R6 | {OWN} *",
        "O9",
        True,
        "MELD_CHANGED",
    ),
    (
        "claim and keep the joker",
        f"B: R5 R6 * | {OWN}",
        "R7 O9 O1",
        f"B: R5 R6 R7 | {OWN}",
        "O9",
        True,
        "TILE_LEFT_TABLE JOKER_CLAIM",
    ),
    (
        "claim and discard the joker",
        f"B: R5 R6 * | {OWN}",
        "R7 O9 O1",
        f"B: R5 R6 R7 | {OWN}",
        "*",
        True,
        "TILE_LEFT_TABLE JOKER_CLAIM DISCARD_NOT_ON_RACK",
    ),
    (
        "claim for an opponent's meld",
        f"B: R5 R6 * | {OWN} | C: K4 K5 K6",
        "R7 O9 O1",
        f"B: R5 R6 R7 | {OWN} | C: K4 K5 K6 *",
        "O9",
        True,
        "JOKER_CLAIM",
    ),
    (
        "claim into the same opponent's meld",
        f"B: R5 R6 * | {OWN}",
        "R7 O9 O1",
        f"B: R5 R6 R7 * | {OWN}",
        "O9",
        True,
        "JOKER_CLAIM",
    ),
    ("claim into one's own same meld", "A: R5 R6 *", "R7 O9 O1", "A: R5 R6 R7 *", "O9", True, "OK"),
    (
        "claim, and the rack's joker to an opponent",
        f"B: R5 R6 * | {OWN} | C: K4 K5 K6",
        "R7 * O9 O1",
        f"B: R5 R6 R7 | {OWN} * | C: K4 K5 K6 *",
        "O9",
        True,
        "OK",
    ),
    (
        "two claims",
        f"B: R5 R6 * | C: K5 K6 * | {OWN}",
        "R7 K7 O9 O1",
        "B: R5 R6 R7 | C: K5 K6 K7 | A: * B10 B11 B12 *",
        "O9",
        True,
        "OK",
    ),
    (
        "claim when not on board",
        "B: R5 R6 *",
        "R7 K2 K3 O9 O1",
        "B: R5 R6 R7 | A: K2 K3 *",
        "O9",
        False,
        "MELD_LT_50 JOKER_CLAIM",
    ),
    (
        "claim in the turn of going on board",
        "B: R5 R6 *",
        "R7 R2 R3 B10 K10 O10 O9 O1",
        "B: R5 R6 R7 | A: R2 R3 * | A: B10 K10 O10",
        "O9",
        False,
        "ON_BOARD",
    ),
    (
        "claim in the turn of going out",
        "B: R5 R6 *",
        "R7 K2 K3 O9",
        "B: R5 R6 R7 | A: K2 K3 *",
        "O9",
        False,
        "FOOT",
    ),
    (
        "open rummy by adding",
        f"B: K3 K4 K5 | {OWN}",
        "K6 O1",
        f"B: K3 K4 K5 K6 | {OWN}",
        "O1",
        True,
        "OPEN_RUMMY",
    ),
    (
        "open rummy by a claim",
        f"B: R5 R6 * | {OWN}",
        "R7 O9",
        f"B: R5 R6 R7 | {OWN} *",
        "O9",
        True,
        "OPEN_RUMMY",
    ),
    (
        "open rummy without a discard",
        f"B: K3 K4 K5 | {OWN}",
        "K6",
        f"B: K3 K4 K5 K6 | {OWN}",
        None,
        True,
        "NO_DISCARD",
    ),
    (
        "a hand of groups",
        "",
        "R2 B2 K2 R3 B3 K3 R4 B4 K4 O4 R5 B5 K5 O5 O9",
        "A: R2 B2 K2 | A: R3 B3 K3 | A: R4 B4 K4 O4 | A: R5 B5 K5 O5",
        "O9",
        False,
        "HAND",
    ),
    (
        "a hand with a joker",
        "",
        "R2 B2 * R3 B3 K3 R4 B4 K4 O4 R5 B5 K5 O5 O9",
        "A: R2 B2 * | A: R3 B3 K3 | A: R4 B4 K4 O4 | A: R5 B5 K5 O5",
        "O9",
        False,
        "HAND",
    ),
    (
        "a hand with an illegal meld",
        "",
        "R2 B2 K2 R3 B3 K3 R4 B4 K4 O4 R5 B5 K5 O6 O9",
        "A: R2 B2 K2 | A: R3 B3 K3 | A: R4 B4 K4 O4 | A: R5 B5 K5 O6",
        "O9",
        False,
        "SET_INVALID",
    ),
    (
        "a foot by one added tile",
        "B: O6 O7 O8",
        "R2 B2 K2 R3 B3 K3 R4 B4 K4 R5 B5 K5 O5 O9 K13",
        "B: O5 O6 O7 O8 O9 | A: R2 B2 K2 | A: R3 B3 K3 | A: R4 B4 K4 | A: R5 B5 K5",
        "K13",
        False,
        "FOOT",
    ),
    (
        "everything laid, nothing to discard",
        "B: O6 O7 O8",
        "R2 B2 K2 R3 B3 K3 R4 B4 K4 R5 B5 K5 O5 O9",
        "B: O5 O6 O7 O8 O9 | A: R2 B2 K2 | A: R3 B3 K3 | A: R4 B4 K4 | A: R5 B5 K5",
        None,
        False,
        "NO_DISCARD",
    ),
]
OUTCOMES = ("DISCARD_ONLY", "OK", "ON_BOARD", "OPEN_RUMMY", "FOOT", "HAND")


@pytest.mark.parametrize("row", LAY_OFFS, ids=[row[0] for row in LAY_OFFS])
def test_rummyo_turns(row: tuple[str, str, str, str, str | None, bool, str]) -> None:
    _, before, rack, after, discard, on_board, expected = row
    old, new = split(before), split(after)
    answer = check(
        {
            "rulebook": "rummyo",
            "table_before": [tiles for _, tiles in old],
            "rack": rack.split(),
            "table_after": [tiles for _, tiles in new],
            "has_melded": on_board,
            "extra": {
                "player": "A",
                "owners_before": [owner for owner, _ in old],
                "owners_after": [owner for owner, _ in new],
                "discard": discard,
            },
        }
    )
    found = answer["outcome"] or " ".join(fault["code"] for fault in answer["violations"])
    assert found == expected
    assert answer["legal"] is (expected in OUTCOMES)


def split(text: str) -> list[tuple[str, list[str]]]:
    parts = [part.split(":") for part in text.split("|")] if text else []
    return [(owner.strip(), tiles.split()) for owner, tiles in parts]


def test_every_outcome_and_code_is_met() -> None:
    met = {word for row in (*OPENINGS, *TURNS) for word in row[4].split()}
    met |= {word for row in LAY_OFFS for word in row[6].split()} | {"JOKER_NOT_IN_NEW_SET"}
    every = {
        "TILE_NOT_ON_RACK",
        "TILE_LEFT_TABLE",
        "NO_RACK_TILE",
        "SET_INVALID",
        "TABLE_TOUCHED_BEFORE_MELD",
    }
    every |= {
        "MELD_LT_30",
        "MELD_LT_50",
        "JOKER_NOT_IN_NEW_SET",
        "NO_RUN",
        "ADD_ON_SAME_TURN",
        "MELD_CHANGED",
    }
    every |= {"JOKER_CLAIM", "NO_DISCARD", "DISCARD_NOT_ON_RACK", *OUTCOMES}
    assert met == every


# Finished games: id, book, racks (a leading - marks an unmelded player), winner, scores, winners.
GAMES: list[tuple[str, str, str, int | None, list[int], list[int]]] = [
    ("a plain win", "wrc11", "/R5/K2/O9", 0, [16, -5, -2, -9], [0]),
    ("two players", "wrc9", "R13 B13/", 1, [-26, 26], [1]),
    ("a joker among tiles", "wrc9", "/* R3", 0, [53, -53], [0]),
    ("both jokers with one player", "nzrc2024", "/* * R3", 0, [203, -203], [0]),
    ("a joker each", "tml", "/* R3/* K1", 0, [64, -33, -31], [0]),
    ("unmelded and able by the rack", "wrc11", "/-R10 B10 K10", 0, [200, -200], [0]),
    ("unmelded and able by two small sets", "wrc9", "/-R3 R4 R5 B6 K6 O6", 0, [200, -200], [0]),
    ("unmelded and not able", "wrc11", "/-R9 B9 K9", 0, [100, -100], [0]),
    ("unmelded with two jokers and no 9", "wrc11", "/-* * R8", 0, [100, -100], [0]),
    ("unmelded with two jokers and a 9", "wrc11", "/-* * R9", 0, [200, -200], [0]),
    ("unmelded with an empty rack cannot be", "wrc11", "/-K1", 0, [100, -100], [0]),
    ("all others unmelded", "wrc11", "/-K1/-R10 B10 K10/-O1", 0, [400, -100, -200, -100], [0]),
    ("exhausted", "nzrc2024", "R12/B5/K13 K12 K5/O9", None, [-7, 0, -25, -4], [1]),
    ("exhausted, three level", "wrc11", "R5/B5/K5/O9", None, [0, 0, 0, -4], [0, 1, 2]),
    ("exhausted, all level", "wrc9", "R5/B5", None, [0, 0], [0, 1]),
    ("exhausted, a joker", "wrc11", "*/B5", None, [-95, 0], [1]),
    ("exhausted, an unmelded player with less", "wrc11", "R12/-B1", None, [0, -88], [0]),
    ("exhausted, an able unmelded player", "wrc11", "R12/-R10 B10 K10", None, [0, -188], [0]),
    (
        "exhausted, an unmelded player level after deduction",
        "wrc11",
        "* R5/-B1/K5",
        None,
        [-100, -95, 0],
        [2],
    ),
    ("exhausted, the charge below an opened rack", "wrc11", "* R5/-B1", None, [-5, 0], [1]),
    ("exhausted, version 1: the winner's rack above the charge", "wrc11@1", "* R5/-B1", None, [0, 0], [0]),
    ("exhausted under TML, an unmelded winner", "tml", "*/-B12", None, [-18, 18], [1]),
    ("exhausted, nobody entered", "wrc11", "-R12/-R10 B10 K10", None, [0, -100], [0]),
    ("exhausted, nobody entered, both level", "nzrc2024", "-R12/-B1", None, [0, 0], [0, 1]),
    ("exhausted under WRC 9 with an unmelded player", "wrc9", "R12/B5/-K1", None, [-7, 102, -95], [1]),
    ("exhausted under WRC 9, two winners and an odd plus", "wrc9", "R5/B5/K12", None, [3, 3, -7], [0, 1]),
    ("exhausted under TML, two winners", "tml", "R5/B5/K12/*", None, [16, 16, -7, -25], [0, 1]),
    ("exhausted under TML, an unmelded loser", "tml", "R5/-B12", None, [7, -7], [0]),
]


@pytest.mark.parametrize("row", GAMES, ids=[row[0] for row in GAMES])
def test_finished_games(row: tuple[str, str, str, int | None, list[int], list[int]]) -> None:
    _, book, racks, winner, scores, winners = row
    players = [
        {"rack": rack.removeprefix("-").split(), "melded": not rack.startswith("-")}
        for rack in racks.split("/")
    ]
    end = "exhausted" if winner is None else "out"
    answer = score_racks({"rulebook": book, "players": players, "end": end, "winner": winner})
    assert (answer["scores"], answer["winners"]) == (scores, winners)
    if winner is not None:
        assert sum(scores) == 0


FOURTEEN = "R2 B2 K2 R3 B3 K3 R4 B4 K4 O4 R5 B5 K5 O5"
ROUNDS: list[tuple[str, str, str, str, list[int]]] = [
    ("open rummy", FOURTEEN, "open", "/R10 K9/-K13", [151, -19, -100]),
    ("foot", FOURTEEN, "foot", "/R1/K2", [251, -10, -2]),
    ("hand", FOURTEEN, "hand", "/*/K2", [551, -15, -2]),
    ("hand with a joker", FOURTEEN.replace("K2", "*"), "hand", "/R1", [464, -10]),
    ("hand with two jokers", FOURTEEN.replace("K2", "*").replace("K3", "*"), "hand", "/R1", [376, -10]),
    ("foot with two jokers", FOURTEEN.replace("K2", "*").replace("K3", "*"), "foot", "/R1", [276, -10]),
    (
        "court tiles and aces",
        "R1 R10 R11 R12 R13 B1 B10 B11 B12 B13 K1 K10 K11 K12",
        "open",
        "/-R2",
        [240, -100],
    ),
    (
        "not on board with a rich rack",
        FOURTEEN,
        "open",
        "/-R10 B10 K10 O10 R11 B11 K11 O11 R12 B12 K12",
        [151, -100],
    ),
    (
        "on board with a rich rack",
        FOURTEEN,
        "open",
        "/R10 B10 K10 O10 R11 B11 K11 O11 R12 B12 K12",
        [151, -110],
    ),
]


@pytest.mark.parametrize("row", ROUNDS, ids=[row[0] for row in ROUNDS])
def test_finished_rounds(row: tuple[str, str, str, str, list[int]]) -> None:
    _, tiles, way, racks, scores = row
    players = [
        {"rack": rack.removeprefix("-").split(), "melded": not rack.startswith("-")}
        for rack in racks.split("/")
    ]
    answer = score_racks(
        {
            "rulebook": "rummyo",
            "players": players,
            "end": "out",
            "winner": 0,
            "going_out": way,
            "winner_tiles": tiles.split(),
        }
    )
    assert (answer["scores"], answer["winners"]) == (scores, [0])


def test_round_without_a_winner() -> None:
    players: list[Any] = [{"rack": ["*", "R1"]}, {"rack": ["K9"], "melded": False}, {"rack": []}]
    answer = score_racks({"rulebook": "rummyo", "players": players, "end": "exhausted"})
    assert (answer["scores"], answer["winners"]) == ([-25, -100, 0], [])


# Procedures: id, books, procedure, input, answer.
Question = tuple[str, Sequence[str], str, dict[str, Any], Any]
ONE_TEXT = ("wrc11", "nzrc2024")
PAIRS = ["R3", "R3", "B8", "B8", "O10", "O10"]
SEATS = ["a", "b", "c", "d"]
QUESTIONS: list[Question] = [
    ("three doubles", CHAMPIONSHIPS, "three_doubles", {"rack": PAIRS}, True),
    ("four doubles", CHAMPIONSHIPS, "three_doubles", {"rack": [*PAIRS, "K1", "K1"]}, True),
    ("two doubles and the jokers", CHAMPIONSHIPS, "three_doubles", {"rack": [*PAIRS[:4], "*", "*"]}, False),
    ("two doubles", CHAMPIONSHIPS, "three_doubles", {"rack": PAIRS[:5]}, False),
    ("no fresh start there", ("tml", "rummyo"), "three_doubles", {"rack": PAIRS}, False),
    (
        "untouched",
        CHAMPIONSHIPS,
        "end_of_time",
        {"touched": False, "table_legal": True, "rack_tile_laid": False, "pool": 20},
        {"result": "draw", "draw": 1},
    ),
    (
        "untouched, one left",
        CHAMPIONSHIPS,
        "end_of_time",
        {"touched": False, "table_legal": True, "rack_tile_laid": False, "pool": 1},
        {"result": "draw", "draw": 1},
    ),
    (
        "unfinished, two left",
        CHAMPIONSHIPS,
        "end_of_time",
        {"touched": True, "table_legal": False, "rack_tile_laid": True, "pool": 2},
        {"result": "restore and penalty", "draw": 2},
    ),
    (
        "unfinished, none left",
        CHAMPIONSHIPS,
        "end_of_time",
        {"touched": True, "table_legal": False, "rack_tile_laid": True, "pool": 0},
        {"result": "restore and penalty", "draw": 0},
    ),
    (
        "illegal and nothing laid",
        CHAMPIONSHIPS,
        "end_of_time",
        {"touched": True, "table_legal": False, "rack_tile_laid": False, "pool": 9},
        {"result": "restore and penalty", "draw": 3},
    ),
    (
        "complete, none left",
        CHAMPIONSHIPS,
        "end_of_time",
        {"touched": True, "table_legal": True, "rack_tile_laid": True, "pool": 0},
        {"result": "turn stands", "draw": 0},
    ),
    (
        "declared legal",
        REARRANGING,
        "declared",
        {"table_legal": True, "pool": 20},
        {"result": "turn stands", "draw": 0},
    ),
    (
        "declared illegal",
        CHAMPIONSHIPS,
        "declared",
        {"table_legal": False, "pool": 20},
        {"result": "go on (clock runs)", "draw": 0},
    ),
    (
        "declared illegal, strict",
        REARRANGING,
        "declared",
        {"table_legal": False, "pool": 20, "strict": True},
        {"result": "restore and penalty", "draw": 3},
    ),
    (
        "declared illegal, strict by option",
        CHAMPIONSHIPS,
        "declared",
        {"table_legal": False, "pool": 2, "strict_declare": True},
        {"result": "restore and penalty", "draw": 2},
    ),
    (
        "declared illegal at home, one left",
        ("tml",),
        "declared",
        {"table_legal": False, "pool": 1},
        {"result": "restore and penalty", "draw": 1},
    ),
    (
        "leftovers to the rack",
        ONE_TEXT,
        "leftover",
        {"leftovers": ["R5", "*"], "pool": 20},
        {"to_rack_from_table": 2, "to_rack_from_pool": 3, "pool_after": 17},
    ),
    (
        "leftovers to the rack, short pool",
        ONE_TEXT,
        "leftover",
        {"leftovers": ["R5"], "pool": 2},
        {"to_rack_from_table": 1, "to_rack_from_pool": 2, "pool_after": 0},
    ),
    (
        "leftovers under the pool",
        ("wrc9",),
        "leftover",
        {"leftovers": ["R5", "B9"], "pool": 20},
        {"to_rack_from_table": 0, "to_rack_from_pool": 5, "pool_after": 17},
    ),
    (
        "leftovers under an empty pool",
        ("wrc9",),
        "leftover",
        {"leftovers": ["R5", "B9"], "pool": 0},
        {"to_rack_from_table": 0, "to_rack_from_pool": 2, "pool_after": 0},
    ),
    (
        "leftovers under a pool of three",
        ("wrc9",),
        "leftover",
        {"leftovers": ["R5"], "pool": 3},
        {"to_rack_from_table": 0, "to_rack_from_pool": 4, "pool_after": 0},
    ),
    (
        "last turns after the last seat",
        ONE_TEXT,
        "final_turns",
        {"seats": SEATS, "drawer": "d"},
        ["a", "b", "c", "d"],
    ),
    ("last turns of two", ONE_TEXT, "final_turns", {"seats": ["a", "b"], "drawer": "a"}, ["b", "a"]),
    (
        "last turns from the drawer",
        ONE_TEXT,
        "final_turns",
        {"seats": SEATS, "drawer": "b", "final_turns_start": "drawer"},
        ["b", "c", "d", "a"],
    ),
    (
        "all last turns played",
        ONE_TEXT,
        "after_pool_empty",
        {"actions": ["lay", "pass", "lay", "lay"], "seats": SEATS},
        {"over_after": 3, "why": "final turns"},
    ),
    (
        "one last turn to come",
        ONE_TEXT,
        "after_pool_empty",
        {"actions": ["pass", "pass", "pass"], "seats": SEATS},
        {"over_after": None, "why": None},
    ),
    (
        "out in the very last turn",
        ONE_TEXT,
        "after_pool_empty",
        {"actions": ["pass", "pass", "pass", "out"], "seats": SEATS},
        {"over_after": 3, "why": "out"},
    ),
    (
        "all pass at once",
        ("wrc9", "tml"),
        "after_pool_empty",
        {"actions": ["pass"] * 4, "seats": SEATS},
        {"over_after": 3, "why": "all passed"},
    ),
    (
        "a lay begins the count anew",
        ("wrc9", "tml"),
        "after_pool_empty",
        {"actions": ["pass", "pass", "pass", "lay", "pass", "pass", "pass"], "seats": SEATS},
        {"over_after": None, "why": None},
    ),
    (
        "out after a round of passes less one",
        ("wrc9", "tml"),
        "after_pool_empty",
        {"actions": ["pass", "pass", "pass", "out"], "seats": SEATS},
        {"over_after": 3, "why": "out"},
    ),
    ("highest begins", BOOK_IDS, "first_player", {"draws": ["R5", "B12", "K11", "O2"]}, {"first": 1}),
    (
        "level players draw again",
        BOOK_IDS,
        "first_player",
        {"draws": ["R13", "B12", "K13"]},
        {"draw_again": [0, 2]},
    ),
    ("a joker above a 13", BOOK_IDS, "first_player", {"draws": ["R13", "*"]}, {"first": 1}),
    ("starters of two", BOOK_IDS, "starters", {"players": 2, "games": 4, "first": 1}, [1, 0, 1, 0]),
    ("starters of four", BOOK_IDS, "starters", {"players": 4, "games": 4, "first": 0}, [0, 1, 2, 3]),
    (
        "equal wins, better score",
        CHAMPIONSHIPS,
        "ranking",
        {"results": {"a": [[1, 50]], "b": [[1, 51]]}},
        [["b"], ["a"]],
    ),
    (
        "equal score, better single game",
        CHAMPIONSHIPS,
        "ranking",
        {"results": {"a": [[1, 50], [0, -10]], "b": [[1, 60], [0, -20]]}},
        [["b"], ["a"]],
    ),
    (
        "equal best game, better next",
        CHAMPIONSHIPS,
        "ranking",
        {"results": {"a": [[1, 60], [0, -5], [0, -35]], "b": [[1, 60], [0, -20], [0, -20]]}},
        [["a"], ["b"]],
    ),
    ("one highest total", ("rummyo",), "rummyo_ranking", {"totals": {"a": 310, "b": 311}}, ["b"]),
    ("all totals below zero", ("rummyo",), "rummyo_ranking", {"totals": {"a": -310, "b": -311}}, ["a"]),
    (
        "able long before",
        CHAMPIONSHIPS,
        "charge_flag",
        {"rack_at_end": ["R10", "B10", "K10", "R1"], "drawn_in_last_turn": ["R1"]},
        True,
    ),
    (
        "able by a second copy",
        CHAMPIONSHIPS,
        "charge_flag",
        {"rack_at_end": ["R10", "B10", "K10", "K10"], "drawn_in_last_turn": ["K10"]},
        True,
    ),
    (
        "able by three penalty tiles",
        CHAMPIONSHIPS,
        "charge_flag",
        {"rack_at_end": ["R10", "B10", "K10", "O1", "O2"], "drawn_in_last_turn": ["K10", "O1", "O2"]},
        False,
    ),
    (
        "able by the final rack",
        CHAMPIONSHIPS,
        "charge_flag",
        {"rack_at_end": ["R10", "B10", "K10"], "drawn_in_last_turn": ["K10"], "charge_test": "final_rack"},
        True,
    ),
    (
        "eligible after a pause",
        ("wrc9",),
        "eligible",
        {"citizen": True, "editions_played": [7], "edition": 9},
        True,
    ),
    ("a first time", ("wrc9",), "eligible", {"citizen": True, "editions_played": [], "edition": 9}, True),
    (
        "no condition there",
        ("wrc11", "nzrc2024", "tml", "rummyo"),
        "eligible",
        {"citizen": False, "editions_played": [8], "edition": 9},
        True,
    ),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=[question[0] for question in QUESTIONS])
def test_procedures(question: Question) -> None:
    _, books, procedure, given, expected = question
    for book in books:
        answer = ruling({"id": 1, "rulebook": book, "check": procedure, "input": given})
        assert answer["answer"] == expected, book
        assert answer["clause"] or answer["ruling"]


@pytest.mark.parametrize(
    ("given", "answer", "clause", "met"),
    [
        ({"citizen": False, "editions_played": []}, False, "WRC 9 G1", [False, True]),
        ({"citizen": True, "editions_played": [8]}, False, "WRC 9 G2", [True, False]),
        ({"citizen": False, "editions_played": [8]}, False, "WRC 9 G1, WRC 9 G2", [False, False]),
        ({"citizen": True, "editions_played": [7]}, True, "WRC 9 G1, WRC 9 G2", [True, True]),
        ({"editions_played": []}, False, "WRC 9 G1", [None, True]),
        ({"citizen": None, "editions_played": [8]}, False, "WRC 9 G1, WRC 9 G2", [None, False]),
        ({"citizen": True}, False, "WRC 9 G2", [True, None]),
    ],
)
def test_eligibility_cites_the_condition_that_fails(
    given: dict[str, Any], answer: bool, clause: str, met: list[bool | None]
) -> None:
    """G1, G2; R70: what is not known is not met, and all conditions stand beside the answer."""
    found = ruling({"rulebook": "wrc9", "check": "eligible", "input": {**given, "edition": 9}})
    assert (found["answer"], found["clause"], found["ruling"]) == (answer, clause, "R49")
    assert [one["met"] for one in found["conditions"]] == met
    assert [(one["condition"], one["clause"]) for one in found["conditions"]] == [
        ("citizens_only", "WRC 9 G1"),
        ("not_twice_running", "WRC 9 G2"),
    ]
    free = ruling({"rulebook": "tml", "check": "eligible", "input": {**given, "edition": 9}})
    assert (free["answer"], free["conditions"]) == (True, [])


@pytest.mark.parametrize(
    ("books", "procedure", "given", "cited"),
    [
        (("wrc9", "tml"), "final_turns", {"seats": ["a", "b"], "drawer": "a"}, "(R35)"),
        (("rummyo",), "final_turns", {"seats": ["a", "b"], "drawer": "a"}, "(R61)"),
        (("tml",), "charge_flag", {"rack_at_end": ["R10", "B10", "K10"]}, "(R45)"),
        (("rummyo",), "charge_flag", {"rack_at_end": ["R10", "B10", "K10"]}, "(R60)"),
        (("tml", "rummyo"), "leftover", {"leftovers": ["R5"], "pool": 3}, "(R31)"),
    ],
)
def test_a_procedure_that_a_book_does_not_have_is_refused(
    books: tuple[str, ...], procedure: str, given: dict[str, Any], cited: str
) -> None:
    for book in books:
        with pytest.raises(RequestError, match=re.escape(cited)) as refused:
            ruling({"rulebook": book, "check": procedure, "input": given})
        assert refused.value.code == "no_such_ruling"
        assert "“" not in str(refused.value)
