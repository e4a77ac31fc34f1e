"""Every gate lets a certified position through and keeps a counter-example out."""

from __future__ import annotations

from collections import Counter

import pytest

from meldroom.game import State
from meldroom.game.actions import Take
from meldroom.puzzles.candidate import Candidate, obvious_home, plain_opening
from meldroom.puzzles.certification import certify, needs_a_joker, recertify, rerate
from meldroom.puzzles.explaining import verdict
from meldroom.puzzles.gates import OPEN, TURN, Gate, Tally, first_failed
from meldroom.puzzles.judging import judge_action
from meldroom.puzzles.laying_off import LEAVE, OUT, TAKE, LayOffCandidate
from meldroom.puzzles.puzzle import Source
from meldroom.rules.library import book
from meldroom.tiles import parse_set, parse_table

HERE = Source("a game", 7)
GROUP = "O7 O8 O9 | O11 O12 O13 | K3 R3 B3 | K9 R9 B9 | O4 O5 O6"


def turn(table: str, rack: str, melded: str = "1 2", id: str = "wrc11") -> Candidate:
    text = f"{id}@1 / table {table or '-'} / racks {rack}, ?x9 / pool 60 / turn 1 / melded {melded}"
    return Candidate(State.from_position(text, checked=False))


def failed(candidate: Candidate, gates: tuple[Gate[Candidate], ...] = TURN) -> str | None:
    return first_failed(gates, candidate)


def test_a_certified_position_passes_every_gate_and_says_what_the_answer_is() -> None:
    candidate = turn(GROUP, "K8 K13 R1 R5 R8 B6 B13 O1 O2")
    tally: Tally = Counter()
    puzzle = certify(candidate.state, HERE, tally)
    assert puzzle is not None
    assert (puzzle.kind, puzzle.answer.tiles, puzzle.second, puzzle.margin) == ("most_tiles", "K8 R8", 0, 2)
    assert {gate for _, _, gate in tally} == {"looked_at", *(gate.name for gate in TURN)}
    assert set(tally.values()) == {1}
    assert recertify(puzzle) is None


@pytest.mark.parametrize(
    ("table", "rack", "melded", "gate"),
    [
        ("O7 O8 O10 | K3 R3 B3", "K8 R8 K13", "1 2", "legal_table"),
        (GROUP, "K8 K13 R1 R5 R8", "2", "opened"),
        (GROUP, "K8 K13 R1 R5 R8 O10", "1 2", "no_obvious_home"),
        (GROUP, "K8 R8 K13 R1 R12 B1 O1", "1 2", "no_obvious_home"),
        (GROUP, "K13 R1 B6", "1 2", "playable"),
        ("K5 R5 B5 O5", "K4 K6 R4 R6 B13", "1 2", "unique"),
        ("K5 R5 B5 O5", "K4 K6 K7 R13", "1 2", "margin"),
        ("K5 R5 B5 O5", "K4 K6 R13", "1 2", "not_club"),
    ],
)
def test_each_gate_of_a_turn_keeps_its_counter_example_out(
    table: str, rack: str, melded: str, gate: str
) -> None:
    candidate = turn(table, rack, melded)
    names = [each.name for each in TURN]
    if gate == "no_obvious_home" and "B1" in rack:
        # R1 B1 O1 is a set on the rack alone, though no tile of it fits the table.
        assert obvious_home(candidate.book, (), candidate.rack) is not None
    assert failed(candidate) == gate
    assert all(each.passes(candidate) for each in TURN[: names.index(gate)])


def test_what_the_strong_bot_does_not_find_is_no_puzzle() -> None:
    candidate = turn(GROUP, "K8 K13 R1 R5 R8 B6 B13 O1 O2")
    candidate.__dict__["strong"] = ()
    assert failed(candidate) == "tournament"


def test_a_play_that_goes_out_needs_no_margin() -> None:
    candidate = turn("K5 R5 B5 O5", "K4 K6 K7")
    assert candidate.goes_out
    assert candidate.best.tiles - candidate.second == 1
    assert failed(candidate) == "not_club"


@pytest.mark.parametrize(
    ("rack", "melded", "gate"),
    [
        ("K9 K10 K11 R1 R2", "1 2", "not_opened"),
        ("K1 K2 K3 R8", "2", "can_open"),
        ("K10 K11 K12 R1 B5", "2", "not_plain"),
        ("K10 K11 K12 R11 B11 O1 O2", "2", "unique"),
    ],
)
def test_each_gate_of_an_opening_keeps_its_counter_example_out(rack: str, melded: str, gate: str) -> None:
    candidate = turn(GROUP, rack, melded)
    if gate == "unique":
        # The run or the group: three tiles either way, and the dearer one is not what the eye takes first.
        candidate.__dict__["second"] = candidate.best.tiles
        rest = tuple(each for each in OPEN if each.name != "not_plain")
        assert failed(candidate, rest) == gate
    else:
        assert failed(candidate, OPEN) == gate


def test_the_eye_takes_the_dearest_set_without_a_joker_first() -> None:
    wrc11 = book("wrc11")
    rack = parse_set("K10 K11 K12 R11 B11 *", wrc11.tiles)
    assert wrc11.tiles.faces_text(plain_opening(wrc11, rack)) in ("K10 K11 K12", "K11 R11 B11")
    assert plain_opening(wrc11, parse_set("K2 K3 K4 *", wrc11.tiles)) == ()


def test_a_joker_is_freed_only_where_its_set_must_be_touched() -> None:
    swap = turn("R5 B5 K5 * | R1 R2 R3", "O5 K9 B9", id="tml")
    assert needs_a_joker(swap)
    assert not needs_a_joker(turn("K5 R5 B5 O5 | R1 R2 *", "K4 K6", id="tml"))
    assert not needs_a_joker(turn("K5 R5 B5 O5", "K4 K6", id="tml"))


def test_a_tile_that_can_simply_be_added_has_an_obvious_home() -> None:
    wrc11 = book("wrc11")
    table = parse_table("R1 R2 R3 | K9 B9 O9", wrc11.tiles)

    def home(rack: str) -> str | None:
        face = obvious_home(wrc11, table, parse_set(rack, wrc11.tiles))
        return None if face is None else wrc11.tiles.face_names[face]

    assert home("K1 R4") == "R4"
    assert home("R9 K1") == "R9"
    assert home("K1 *") == "*"
    assert home("K5 K6 K7") == "K5"
    assert home("K5 K6 R9 ".replace("R9 ", "")) is None


def lay_off(rack: str, moment: str, melds: str, discards: str, melded: str = "1 2") -> LayOffCandidate:
    parts = ["rummyo@1", f"melds {melds}" * bool(melds), f"racks {rack}, ?x9", "pool 50", f"turn 1 {moment}"]
    parts = [*filter(None, parts), *([f"melded {melded}"] if melded else []), f"discards {discards}"]
    return LayOffCandidate(State.from_position(" / ".join(parts), checked=False))


OUT_MELDS = "2: K13 R13 B13 | 2: R11 R12 R13' R1 | 1: K6 K7 K8 K9 | 1: O6 O7 O8 * O10"


def test_rummy_o_going_out_with_one_tile_that_can_be_left() -> None:
    candidate = lay_off("B1 B8 B9 O9", "play", OUT_MELDS, "B12 R5")
    assert first_failed(OUT, candidate) is None
    assert candidate.kind == "go_out"
    assert {candidate.book.tiles.face_names[face] for face in candidate.discards} == {"B1"}
    puzzle = certify(candidate.state, HERE)
    assert puzzle is not None
    assert (puzzle.answer.tiles, puzzle.answer.discard) == ("B8 B9 O9", "B1")
    assert recertify(puzzle) is None


@pytest.mark.parametrize(
    ("rack", "moment", "gate"),
    [
        ("B1 B8 B9 O9", "take", "tile_taken"),
        ("B1 B8 K2 O9", "play", "goes_out"),
        ("K10 K5 K11", "play", "unique"),
        ("K10 B1", "play", "not_beginner"),
    ],
)
def test_each_gate_of_going_out_keeps_its_counter_example_out(rack: str, moment: str, gate: str) -> None:
    candidate = lay_off(rack, moment, OUT_MELDS, "B12 R5")
    if gate == "not_beginner":
        gates = tuple(each for each in OUT if each.name == gate)
        candidate = lay_off("B4 B5 B6 O2", "play", OUT_MELDS, "B12 R5")
        assert first_failed(gates, candidate) == gate
    else:
        assert first_failed(OUT, candidate) == gate


def test_rummy_o_a_discard_worth_taking_and_discards_that_are_not() -> None:
    rack = "K8 K9 K13 R5 R8 R9 B9 B13 O1 O2 O4 O5 O8' O9"
    melds = "2: R1 R2 R3 | 2: O6 O7 O8 | 2: O11 O12 O13 | 2: B10 B11 B12"
    taken = lay_off(rack, "take", melds, "O4' B6 R1' B7 R11 R10", "2")
    assert first_failed(TAKE, taken) is None
    puzzle = certify(taken.state, HERE)
    assert puzzle is not None
    assert (puzzle.kind, puzzle.answer.take) == ("take", "discard")
    left = lay_off(rack, "take", melds, "O4' B6 R1' B7 R11 K2", "2")
    assert first_failed(TAKE, left) == "takes"
    assert first_failed(TAKE, lay_off(rack, "play", melds, "O4' B6", "2")) == "offered"
    plain = lay_off("R4 R5 K1", "take", melds, "R6", "1 2")
    assert first_failed(TAKE, plain) in ("unique", "margin", "not_club")


def test_rummy_o_a_discard_that_tempts_and_should_be_left() -> None:
    """It lies in a meld with the joker, but the joker lays as much without it; other tiles lay more."""
    rack = "K2 K6 K6' K7 K7' K8 K12 B6 B9 B9' B13 O10 O12 *"
    left = lay_off(rack, "take", "", "R10 K1", "")
    assert first_failed(TAKE, left) == "takes"
    assert first_failed(LEAVE, left) is None
    better, unseen = left.drawing(left.best.tiles + 2), left.drawn.total()
    assert (min(left.drawn), 0.1 * unseen <= better < unseen) == (left.best.tiles, True)
    puzzle = certify(left.state, HERE)
    assert puzzle is not None
    assert (puzzle.kind, puzzle.answer.take, puzzle.answer.tiles) == ("take", "stock", "")
    assert recertify(puzzle) is None
    assert rerate(puzzle) == puzzle
    assert judge_action(puzzle, Take(left.seat, source="stock")).solved
    assert not judge_action(puzzle, Take(left.seat, source="discard")).solved
    said = verdict(puzzle)
    assert said is not None
    assert f"{better} of the {unseen}" in said.text("en")
    # A tile that is there already tempts nobody, and one that lays more should be taken.
    assert first_failed(LEAVE, lay_off(rack, "take", "", "R10 K8'", "")) == "tempts"
    assert first_failed(LEAVE, lay_off(rack, "take", "", "R10 R12", "")) in ("tempts", "tournament")
