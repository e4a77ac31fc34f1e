"""Rummy-O solved: the rulings one by one, and every answer against turns enumerated with the judge itself."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import exposed
from meldroom.rules.library import book, house_book
from meldroom.rules.opening import opening
from meldroom.rules.requests import RequestError, check
from meldroom.solver.errors import PositionError, TooLargeError
from meldroom.solver.lay_off import (
    LayOffPlay,
    LayOffPosition,
    best_play,
    going_out,
    on_board,
    position_on,
)
from meldroom.solver.lay_off.request import solve_lay_off
from meldroom.tiles import parse_set, parse_table
from testkit.solver.lay_off import (
    HOUSE_BOOKS,
    OBJECTIVES,
    RUMMYO,
    Turn,
    _fitting,
    _random_meld,
    _random_rack,
    canonical,
    compare,
    compare_with,
    every_table,
    every_turn,
    hands,
    house,
    random_case,
    random_full_rack,
)


@pytest.mark.parametrize("name", HOUSE_BOOKS)
def test_every_answer_equals_brute_force_on_random_positions(name: str) -> None:
    chance = Random(f"lay off {name}")
    done: Counter[str] = Counter()
    pairs = name == "pairs"  # where nearly everything fits everywhere
    for _ in range(120 if pairs else 180):
        done += compare(random_case(name, chance, most_melds=3, most_tiles=5 if pairs else 6))
    assert min(done["plays"], done["openings"], done["OPEN_RUMMY"], done["HAND"] + done["FOOT"]) > 5
    assert name == "no-jokers" or done["needing a claim"]


@pytest.mark.parametrize("name", ["six", "three-colours", "no-threshold", "four-jokers", "pairs"])
def test_every_answer_equals_what_the_judge_allows_of_all_tables(name: str) -> None:
    """An oracle that knows no moves; melds as written, so that a joker may be read in more than one way."""
    chance = Random(f"all tables {name}")
    rules = house(name)
    most = (1, 3) if name == "four-jokers" else (2, 4)
    for _ in range(25):
        case = random_case(name, chance, *most)
        turns = every_table(rules, case.position)
        assert reached(rules, case.position, turns) == reached(rules, case.position, every_turn(case))
        melds = tuple(exposed(rules, meld.faces, meld.owner) for meld in case.position.melds)
        position = msgspec.structs.replace(case.position, melds=melds)
        compare_with(rules, position, every_table(rules, position))


def test_full_racks_go_on_board_and_out_as_plain_searches_say() -> None:
    chance = Random("full racks")
    done: Counter[str] = Counter()
    for _ in range(200):
        rack = random_full_rack(chance)
        position = position_on(RUMMYO, (), [], "A", rack, on_board=False)
        found, out = on_board(RUMMYO, position), going_out(RUMMYO, position)
        assert (found is None) == (opening(RUMMYO, rack) is None)
        bonuses = hands(rack)
        assert (0 if out is None else out.bonus) == max(bonuses, default=0)
        done.update(on_board=found is not None, hands=out is not None)
    assert min(done["on_board"], done["hands"]) > 10


def reached(rules: RuleBook, position: LayOffPosition, turns: list[Turn]) -> set[Any]:
    """The ends of some turns."""
    return {
        (canonical(rules, position, turn.melds), tuple(sorted(turn.left)), turn.discard, turn.outcome)
        for turn in turns
    }


def position_text(table: str, owners: str, rack: str, on_board: bool = True) -> LayOffPosition:
    """A Rummy-O position of player A as text; one letter for the owner of each meld."""
    tiles = RUMMYO.tiles
    return position_on(RUMMYO, parse_table(table, tiles), list(owners), "A", parse_set(rack, tiles), on_board)


def shown(play: LayOffPlay | None) -> tuple[str, str, str]:
    """The table, the discard and the outcome of a play as text."""
    assert play is not None
    names = RUMMYO.tiles.face_names
    table = " | ".join(RUMMYO.tiles.faces_text(meld.faces) for meld in play.melds)
    return table, names[play.discard], play.outcome


@pytest.mark.parametrize(
    ("table", "owners", "rack", "after", "discard", "outcome"),
    [
        pytest.param("R5 R6 R7", "B", "R9 R8 K2", "R5 R6 R7 R8 R9", "K2", "OPEN_RUMMY", id="R56-chain"),
        pytest.param("R5 R6 R7", "B", "R4 R8 K2", "R4 R5 R6 R7 R8", "K2", "OPEN_RUMMY", id="R56-both-ends"),
        pytest.param("R11 R12 R13", "B", "R1 R2 K9", "R11 R12 R13 R1", "K9", "OK", id="R53-one-after-13"),
        pytest.param("R2 R3 R4", "B", "R1 R13 K5", "R1 R2 R3 R4", "R13", "OK", id="R53-13-not-before-1"),
        pytest.param(
            "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12",
            "B",
            "R13 K5",
            "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12",
            "R13",
            "DISCARD_ONLY",
            id="R53-longest-run",
        ),
        pytest.param("R7 B7 K7", "B", "O7 R7 K2", "R7 B7 K7 O7", "R7", "OK", id="R56-fourth-colour"),
        pytest.param(
            "R5 B5 *", "B", "K5 O2 O3 O9", "R5 B5 K5 | O2 O3 *", "O9", "OPEN_RUMMY", id="R56-either-colour"
        ),
        pytest.param(
            "R5 R6 *", "B", "R7 K2 O2", "R5 R6 *", "R7", "DISCARD_ONLY", id="R57-not-to-an-opponent"
        ),
        pytest.param("R5 R6 *", "A", "R7 K2", "R5 R6 R7 *", "K2", "OPEN_RUMMY", id="R57-into-own-old-meld"),
        pytest.param(
            "R5 R6 * | K1 K2 K3",
            "BA",
            "R7 K5 O9",
            "R5 R6 R7 | K1 K2 K3 * K5",
            "O9",
            "OPEN_RUMMY",
            id="R57-joker-bridges-own-run",
        ),
        pytest.param(
            "R5 R6 R7", "B", "* R9 K2", "R5 R6 R7 * R9", "K2", "OPEN_RUMMY", id="R56-joker-then-chain"
        ),
        pytest.param("", "", "R4", "", "R4", "OPEN_RUMMY", id="R58-last-tile"),
        pytest.param("B3 B4 B5", "B", "B6", "B3 B4 B5", "B6", "OPEN_RUMMY", id="R58-discard-must-remain"),
    ],
)
def test_rummyo_best_play(table: str, owners: str, rack: str, after: str, discard: str, outcome: str) -> None:
    play = best_play(RUMMYO, position_text(table, owners, rack))
    assert shown(play) == (after, discard, outcome)
    assert play.optimal


FULL_RACK = "R2 R3 R4 B5 B6 B7 K8 K9 K10 R11 B11 K11 O1 O2 "


@pytest.mark.parametrize(
    ("table", "rack", "outcome", "bonus", "discard"),
    [
        pytest.param("", FULL_RACK.replace("O1 O2", "R1 R5") + "O13", "HAND", 500, "O13", id="R59-hand"),
        pytest.param("", FULL_RACK.replace("O1 O2", "R1 *") + "O13", "HAND", 400, "O13", id="R59-hand-joker"),
        pytest.param("", FULL_RACK.replace("O1 O2", "* *") + "O13", "HAND", 300, "O13", id="R59-hand-two"),
        pytest.param(
            "", FULL_RACK.replace("O1 O2", "R1 R5") + "*", "HAND", 500, "*", id="R59-discards-a-joker"
        ),
        pytest.param("O3 O4 O5", FULL_RACK + "O13", "FOOT", 200, "O13", id="R59-foot-by-adding"),
        pytest.param(
            "O3 O4 *", FULL_RACK.replace("O1", "O5") + "R13", "FOOT", 200, "R13", id="R59-foot-by-claim"
        ),
    ],
)
def test_rummyo_going_out_in_one_turn(table: str, rack: str, outcome: str, bonus: int, discard: str) -> None:
    play = going_out(RUMMYO, position_text(table, "B" if table else "", rack, on_board=False))
    assert play is not None
    assert shown(play)[1:] == (discard, outcome)
    assert play.bonus == bonus


def test_r60_a_tile_given_for_a_joker_does_not_count_and_the_joker_does() -> None:
    position = position_text("R9 R10 * | B2 B3 B4", "BA", "R11 K2 K3 O9")
    play = going_out(RUMMYO, position)
    assert play is not None
    # In front of A: B2 B3 B4, then K2 K3 and the joker; R11 lies with B.
    assert (play.bonus, play.score) == (100, 100 + 9 + 5 + 15)


def test_r60_of_two_ways_out_the_one_that_keeps_the_dearer_tile() -> None:
    """There is room for one claimed joker: the 7 is given for it, the 13 is added and counts."""
    table = "R5 R6 * | R4 R5 R6 | K11 K12 * | K10 K11 K12"
    play = going_out(RUMMYO, position_text(table, "BBBB", "R7 K13 O2 B2 K2 B9"))
    after = "R5 R6 R7 | R4 R5 R6 | K11 K12 * | K10 K11 K12 K13 | K2 B2 O2 *"
    assert shown(play) == (after, "B9", "OPEN_RUMMY")
    assert play is not None
    assert play.score == 100 + 10 + 6 + 15


def test_r55_the_50_with_a_run() -> None:
    position = position_text("", "", "R10 R11 R12 B8 K8 O8 K1 K2 K3 B13 O5 O13 B2 R7 K6", on_board=False)
    found = on_board(RUMMYO, position)
    assert found is not None
    assert (found.most_points.value, found.most_points.tiles) == (69, 9)
    assert (found.most_tiles.value, found.most_tiles.tiles) == (69, 9)
    assert (found.smallest.value, found.smallest.tiles) == (54, 6)
    groups = position_text("", "", "R10 B10 K10 B13 K13 O13 R2 R3 O5", on_board=False)
    assert on_board(RUMMYO, groups) is None
    assert shown(best_play(RUMMYO, groups))[2] == "DISCARD_ONLY"


def test_r57_a_claimed_joker_counts_15_towards_the_50() -> None:
    rack = "R7 R2 R3 B10 K10 O10 R9 R12 B1 B6 K4 K8 O3 O8 O13"
    found = on_board(RUMMYO, position_text("R5 R6 *", "B", rack, on_board=False))
    assert found is not None
    assert shown(found.smallest)[0].startswith("R5 R6 R7 | ")
    assert (found.smallest.value, found.smallest.tiles, found.smallest.outcome) == (50, 6, "ON_BOARD")
    assert on_board(RUMMYO, position_text("", "", rack, on_board=False)) is None


def test_a_player_on_board_cannot_go_on_board() -> None:
    with pytest.raises(PositionError, match="on board"):
        on_board(RUMMYO, position_text("", "", "R1 R2"))


@pytest.mark.parametrize(
    ("table", "owners", "rack", "reason"),
    [
        ("R1 R2 R4", "B", "K1", "not a legal meld"),
        ("", "", "K1 K1 K1", "there are only 2"),
        ("R1 R2 R3", "B", "", "empty"),
    ],
)
def test_positions_that_cannot_be_are_refused(table: str, owners: str, rack: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        best_play(RUMMYO, position_text(table, owners, rack))


def test_a_rearranging_book_is_refused() -> None:
    with pytest.raises(PositionError, match="wrc11"):
        best_play(book("wrc11"), position_text("", "", "R1"))


def test_a_rack_full_of_jokers_is_refused_not_hung_on() -> None:
    rules = house_book(
        {
            "id": "jokers",
            "version": "1",
            "base": "rummyo",
            "tiles": {"jokers": 60, "numbers": 40},
            "scoring": {"hand_bonus": [1] * 61},
        }
    )
    rack = [*range(40), *(rules.tiles.joker,) * 60]
    with pytest.raises(TooLargeError):
        best_play(rules, position_on(rules, (), [], "A", rack, on_board=True))


HARD = position_text(
    "R5 R6 R7 | B2 B3 B4 | K10 K11 K12 | O7 R7 B7 | K4 K5 K6 | O1 O2 O3",
    "BABABA",
    "R8 R9 R10 B5 B6 B7 K7 K8 K9 O4 O5 O6 * * R4",
)


@pytest.mark.parametrize("nodes", [0, 1, 10, 50, 100, 200, 400, 800, 1600, 3200])
def test_with_few_steps_a_legal_play_that_may_not_be_best(nodes: int) -> None:
    best = best_play(RUMMYO, HARD)
    play = best_play(RUMMYO, HARD, nodes=nodes)
    assert 0 < play.tiles <= best.tiles
    assert play.tiles == best.tiles or not play.optimal
    assert best.optimal
    assert nodes > 0 or not play.optimal


def test_a_time_limit_of_nothing_still_gives_a_play() -> None:
    play = best_play(RUMMYO, HARD, time_limit=0.0)
    assert play.tiles
    assert not play.optimal


def test_an_undecided_question_is_refused() -> None:
    rack = "R8 R9 R10 B5 B6 B7 K7 K8 K9 O4 O5 O6 * * R4"
    position = position_text("R5 R6 R7 | B2 B3 B4", "BB", rack, on_board=False)
    with pytest.raises(TooLargeError):
        on_board(RUMMYO, position, nodes=5)
    stuck = position_text("", "", "R8 R9 R10 B5 B6 B7 R1 B1 K3 O12 B13 K9 O6 * *", on_board=False)
    assert going_out(RUMMYO, stuck) is None
    with pytest.raises(TooLargeError):
        going_out(RUMMYO, stuck, nodes=1)


def random_request(chance: Random) -> dict[str, Any]:
    """A Rummy-O request as people and programs send it; now and then a run written out of order."""
    rules = RUMMYO
    left = list(rules.tiles.every_tile)
    chance.shuffle(left)
    melded = chance.random() < 0.6
    melds = [
        _random_meld(rules, chance, left, chance.randint(0 if melded else 1, 2), melded) for _ in range(6)
    ]
    table = [
        list(rules.tiles.names(meld.tiles).replace("'", "").split()) for meld in melds if meld is not None
    ]
    for names in table:
        if chance.random() < 0.1:
            chance.shuffle(names)
    fitting = [face for meld in melds if meld is not None for face in _fitting(rules, meld)]
    rack = _random_rack(rules, chance, left, chance.randint(1, 15), fitting)
    owners = ["ABC"[meld.owner] for meld in melds if meld is not None]
    return {
        "id": chance.randint(0, 9),
        "rulebook": "rummyo",
        "table": table,
        "rack": rules.tiles.names(rack).replace("'", "").split(),
        "has_melded": melded,
        "objective": chance.choice(OBJECTIVES),
        "extra": {"player": "A", "owners_before": owners},
    }


def test_every_answer_passes_check() -> None:
    chance = Random("check")
    outcomes: Counter[str] = Counter()
    for _ in range(400):
        request = random_request(chance)
        answer = solve_lay_off(request)
        extra = request["extra"] | {"owners_after": answer["owners"], "discard": answer["discard"]}
        verdict = check(
            {
                "rulebook": "rummyo",
                "table_before": request["table"],
                "rack": request["rack"],
                "table_after": answer["table"],
                "has_melded": request["has_melded"],
                "extra": extra,
            }
        )
        assert verdict["legal"], (request, answer, verdict)
        assert verdict["outcome"] == answer["outcome"]
        assert answer["id"] == request["id"]
        assert answer["tiles"] == len(answer["played"])
        assert answer["optimal"]
        if not answer["played"]:
            assert answer["table"] == request["table"]
        outcomes[answer["outcome"]] += 1
    assert len(outcomes) >= 4


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rack": ["Q9"]}, "bad_tile"),
        ({"rack": 7}, "bad_request"),
        ({"rulebook": "rummikub"}, "unknown_book"),
        ({"rulebook": "wrc11"}, "bad_position"),
        ({"table": [["R1", "R2"]]}, "bad_position"),
        ({"extra": {"owners_before": ["B", "C"]}}, "bad_position"),
        ({"extra": {"owners_before": ["B"], "holders_before": [["B"]]}}, "bad_position"),
    ],
)
def test_requests_that_cannot_be_answered_say_why(change: dict[str, Any], code: str) -> None:
    request = {"rulebook": "rummyo", "table": [["R1", "R2", "R3"]], "rack": ["R4", "K5"]}
    with pytest.raises(RequestError) as error:
        solve_lay_off(request | change)
    assert error.value.code == code
