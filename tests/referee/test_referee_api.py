"""The referee's tools as the pages ask them: the published cases, strict bodies, both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldroom.api import referee
from meldroom.api.errors import Problem
from meldroom.api.referee.schemas import (
    BookForTable,
    ChargeAnswer,
    CountedSheet,
    LeftoversAnswer,
    PositionAnswer,
)
from meldroom.decode import DecodeError
from meldroom.errors import MeldroomError
from meldroom.i18n import Language
from meldroom.referee import RefereeError, proof_meld
from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.requests import RequestError, check, ruling, score_racks
from meldroom.rules.verify import Turn, verify
from meldroom.tiles import parse_set

CASES = Path(__file__).resolve().parents[1] / "cases"
Case = dict[str, Any]


def read(name: str) -> list[Case]:
    found: list[Case] = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return found


def asked(body: object) -> bytes:
    return msgspec.json.encode(body)


def position(body: Case, language: Language = "en") -> PositionAnswer:
    return msgspec.json.decode(referee.position(asked(body), language), type=PositionAnswer)


def charge(body: Case, language: Language = "en") -> ChargeAnswer:
    return msgspec.json.decode(referee.charge(asked(body), language), type=ChargeAnswer)


def count(body: Case, language: Language = "en") -> CountedSheet:
    return msgspec.json.decode(referee.count(asked(body), language), type=CountedSheet)


def leftovers(body: Case, language: Language = "en") -> LeftoversAnswer:
    return msgspec.json.decode(referee.leftovers(asked(body), language), type=LeftoversAnswer)


def rule_case(case: Case) -> Case:
    """A published turn as the page asks it."""
    extra = case.get("extra", {})
    player = extra.get("player", "A")
    owners = extra.get("owners_before") or []
    turn = {
        "table": case["table_before"],
        "rack": case["rack"],
        "melded": case["has_melded"],
        "own": [place for place, owner in enumerate(owners) if owner == player],
        "discard": extra.get("discard"),
    }
    jokers = extra.get("jokers_in_play")
    options = {"jokers": jokers} if jokers and "jokers" in book(case["rulebook"]).option_list else {}
    options |= case.get("options", {})
    return {"rulebook": case["rulebook"], "options": options, "table": case["table_after"], "turn": turn}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_published_turns_are_judged_as_by_meldroom_check(language: Language) -> None:
    judged = 0
    for case in read("rule_cases"):
        if case.get("stated"):
            continue
        public, found = check(case, language), position(rule_case(case), language)
        assert found.legal == public["legal"] == (case["expected"] != "illegal"), case["id"]
        assert found.outcome == public["outcome"], case["id"]
        shown = [
            {"code": f.code, "clause": f.clause, "ruling": f.ruling, "message": f.message}
            | ({} if f.set is None else {"set": f.set})
            for f in found.faults
        ]
        assert shown == public["violations"], case["id"]
        assert len(found.sets) == len(case["table_after"])
        judged += 1
    assert judged >= 80


def test_published_games_are_counted_as_by_meldroom_score() -> None:
    for case in read("scoring_cases"):
        racks = [
            {
                "tiles": player["rack"],
                "melded": player["melded"],
                "drawn_in_last_turn": [
                    tile for tile in [player.get("enabling_tile_drawn_last_turn")] if tile is not None
                ],
                "last_draw": "" if player.get("enabling_tile_drawn_last_turn") else "nothing",
            }
            for player in case["players"]
        ]
        body: Case = {
            key: case[key] for key in ("rulebook", "winner", "going_out", "winner_tiles") if key in case
        }
        found = count({**body, "racks": racks})
        # Where a case states that somebody could have opened, the page has to find it out.
        public = score_racks(case)
        assert [line.score for line in found.lines] == public["scores"] == case["scores"], case["id"]
        assert [line.seat for line in found.lines if line.won] == case["winners"], case["id"]
        for line, told in zip(found.lines, public["lines"], strict=True):
            assert (line.clause, line.ruling) == (told["clause"], told["ruling"])
            assert line.reason


def test_published_procedures_are_answered_as_by_meldroom_ruling() -> None:
    tried = 0
    for case in read("procedure_cases"):
        given = case["input"]
        for name in case["rulebooks"]:
            public = ruling({**case, "rulebook": name, "input": {**given, "book": name}})
            if case["check"] == "leftover":
                found = leftovers({"rulebook": name, **{k: given[k] for k in ("leftovers", "pool")}})
                answer: Any = {
                    "to_rack_from_table": found.to_rack,
                    "to_rack_from_pool": found.draws,
                    "pool_after": found.pool_after,
                }
                assert (found.clause, found.ruling) == (public["clause"], public["ruling"])
            elif case["check"] == "charge_flag":
                answer = charge(
                    {
                        "rulebook": name,
                        "rack": given["rack_at_end"],
                        "drawn_last": given.get("drawn_in_last_turn", []),
                        "had_turn": given.get("had_turn", True),
                    }
                ).able
            else:
                continue
            assert answer == public["answer"] == case["expected"], (case["id"], name)
            tried += 1
    assert tried >= 10


def test_a_table_alone_shows_how_each_set_reads() -> None:
    found = position(
        {"rulebook": "wrc11", "table": [["R5", "*", "R7"], ["K9", "R9", "*"], ["B1", "B2", "B4"]]}
    )
    run, group, wrong = found.sets
    assert (run.kinds, run.stands_for, run.points) == (("run",), (("R5", "R6", "R7"),), 18)
    assert (group.kinds, group.points) == (("group",), 27)
    assert (wrong.legal, wrong.points) == (False, 0)
    assert [(fault.code, fault.set, fault.clause) for fault in found.faults] == [
        ("SET_INVALID", 2, "WRC 11 #6")
    ]
    assert (found.legal, found.opening) == (False, None)
    assert found.text == "This table isn't valid: 1 problem."


def test_a_turn_says_how_far_the_opening_came() -> None:
    body = {
        "rulebook": "wrc11",
        "table": [["R9", "B9", "K9"]],
        "turn": {"rack": ["R9", "B9", "K9"], "melded": False},
    }
    found = position(body, "fr")
    assert found.opening is not None
    assert (found.opening.points, found.opening.needed) == (27, 30)
    assert [fault.code for fault in found.faults] == ["MELD_LT_30"]
    assert found.text == "Ce tour n’est pas valable : 1 problème."


def test_more_tiles_than_the_box_holds_are_a_finding_of_a_position() -> None:
    turn = {"table": [["R1", "R2", "R3"]], "rack": ["R1", "R1", "R4"]}
    found = position({"rulebook": "wrc11", "table": [["R1", "R2", "R3", "R4"]], "turn": turn})
    assert [fault.code for fault in found.faults] == ["TILE_TOO_OFTEN"]


def test_the_opening_they_had_is_shown() -> None:
    found = charge({"rulebook": "wrc11", "rack": ["R10", "B10", "K10", "O3"], "drawn_last": ["O3"]})
    assert (found.points, found.able, found.why) == (200, True, "could")
    assert found.at_last_turn is not None
    assert {*found.at_last_turn.sets[0]} == {"R10", "B10", "K10"}
    assert charge({"rulebook": "tml", "rack": ["R10", "*"]}).points == 40


def test_options_change_the_answer_and_the_book() -> None:
    rack = {"rulebook": "wrc11", "rack": ["R10", "B10", "K10"], "drawn_last": ["K10"]}
    assert charge(rack).points == 100
    assert charge({**rack, "options": {"charge_test": "final_rack"}}).points == 200
    more = {"rulebook": "tml", "options": {"jokers": 4}}
    shown = msgspec.json.decode(referee.book(asked(more), "en"), type=BookForTable)
    assert (shown.limits[-1], shown.box) == (4, book("tml", {"jokers": 4}).tiles.size)
    with pytest.raises(RequestError) as caught:
        charge({**rack, "options": {"charge_test": "never"}})
    assert caught.value.code == "bad_option"


@pytest.mark.parametrize(
    ("tool", "body", "kind", "code", "place"),
    [
        ("position", {"rulebook": "wrc12", "table": []}, RequestError, "unknown_book", ""),
        ("position", {"rulebook": "wrc11", "table": [["R1", "R14"]]}, RefereeError, "tile", "table[0][1]"),
        (
            "position",
            {"rulebook": "wrc11", "table": [], "turn": {"rack": ["X"]}},
            RefereeError,
            "tile",
            "turn.rack[0]",
        ),
        ("position", {"rulebook": "wrc11", "table": [], "tabel": 1}, DecodeError, "unknown", ""),
        ("charge", {"rulebook": "wrc11"}, DecodeError, "missing", ""),
        ("charge", {"rulebook": "wrc11", "rack": ["R1"] * 3}, RefereeError, "no_more", "rack"),
        ("charge", {"rulebook": "wrc11", "rack": ["R1"], "drawn_last": ["R2"]}, RefereeError, "drawn", ""),
        ("count", {"rulebook": "wrc11", "racks": [{"tiles": ["R1"]}]}, RefereeError, "players", ""),
        ("count", {"rulebook": "wrc11", "racks": [{}, {"tiles": ["R1"]}]}, RefereeError, "nobody_out", ""),
        ("leftovers", {"rulebook": "tml", "leftovers": ["R1"], "pool": 3}, RefereeError, "leftovers", ""),
        ("leftovers", {"rulebook": "wrc11", "leftovers": ["R1"] * 3, "pool": 3}, RefereeError, "no_more", ""),
        ("leftovers", {"rulebook": "wrc11", "leftovers": ["R1"], "pool": 106}, RefereeError, "full", ""),
        ("leftovers", {"rulebook": "wrc11", "leftovers": ["R1"], "pool": -1}, DecodeError, "least", "pool"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_its_place(
    tool: referee.Tool, body: Case, kind: type[MeldroomError], code: str, place: str
) -> None:
    with pytest.raises(kind) as caught:
        referee.TOOLS[tool](asked(body), "en", {})
    assert (caught.value.code, caught.value.where) == (code, place)
    assert caught.value.reason("fr") != caught.value.reason("en")


def test_a_large_rack_is_answered_at_once_with_an_opening_that_can_be_laid() -> None:
    """All of 1 to 7 and two jokers: the best meld of these 58 tiles takes minutes to find."""
    rules = book("wrc11")
    names = [f"{colour}{number}" for colour in "KRBO" for number in range(1, 8) for _ in range(2)]
    found = charge({"rulebook": "wrc11", "rack": [*names, "*", "*"], "last_draw": "nothing"})
    assert found.points == 200
    assert found.at_end is not None
    assert found.at_end.opens
    rack = parse_set(" ".join([*names, "*", "*"]), rules.tiles)
    sets = proof_meld(rules, rack).sets
    assert verify(rules, Turn((), rack, sets, melded=False)) == ()


TILES = st.lists(
    st.one_of(
        st.sampled_from(["R1", "B1", "K1", "O1", "R2", "R3", "R13", "*", "K10", "B10", "R10"]),
        st.text(max_size=3),
    ),
    max_size=8,
)
TEXT = st.text(max_size=6)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-5, 300), st.floats(allow_nan=False), st.text(max_size=6)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
SETS = st.lists(TILES, max_size=4)
BOOK = {
    "rulebook": st.one_of(st.sampled_from(BOOK_IDS), st.text(max_size=6)),
}
OPTIONS = st.dictionaries(
    st.sampled_from(["charge_test", "jokers", "joker_reuse", "nonsense"]),
    st.one_of(st.sampled_from(["final_rack", "any_set", 4, True]), st.text(max_size=4)),
    max_size=1,
)
BODIES: dict[referee.Tool, st.SearchStrategy[Case]] = {
    "book": st.fixed_dictionaries(BOOK, optional={"options": OPTIONS}),
    "position": st.fixed_dictionaries(
        {**BOOK, "table": SETS},
        optional={
            "options": OPTIONS,
            "turn": st.fixed_dictionaries(
                {"rack": TILES},
                optional={
                    "table": SETS,
                    "melded": st.booleans(),
                    "own": st.lists(st.integers(0, 5), max_size=3),
                    "discard": st.one_of(st.none(), st.sampled_from(["R1", "K1", "x"])),
                },
            ),
        },
    ),
    "count": st.fixed_dictionaries(
        {
            **BOOK,
            "racks": st.lists(
                st.one_of(
                    st.none(),
                    st.fixed_dictionaries(
                        {},
                        optional={
                            "tiles": TILES,
                            "melded": st.booleans(),
                            "drawn_in_last_turn": TILES,
                            "had_turn": st.booleans(),
                        },
                    ),
                ),
                max_size=6,
            ),
        },
        optional={
            "options": OPTIONS,
            "winner": st.one_of(st.none(), st.integers(0, 5)),
            "going_out": st.sampled_from(["open", "foot", "hand", None]),
            "winner_tiles": TILES,
        },
    ),
    "charge": st.fixed_dictionaries(
        {**BOOK, "rack": TILES},
        optional={"options": OPTIONS, "drawn_last": TILES, "had_turn": st.booleans()},
    ),
    "leftovers": st.fixed_dictionaries(
        {**BOOK, "leftovers": TILES, "pool": st.integers(-1, 210)}, optional={"options": OPTIONS}
    ),
}


@st.composite
def questions(draw: st.DrawFn) -> tuple[referee.Tool, bytes]:
    """A question to some tool: sound, half sound, or with any value in any field."""
    tool = draw(st.sampled_from(list(referee.TOOLS)))
    body = draw(BODIES[tool])
    if draw(st.booleans()):
        body = {**body, draw(st.sampled_from([*body, "more"])): draw(VALUES)}
    data = json.dumps(body).encode()
    return tool, data[: draw(st.integers(0, len(data)))] if draw(st.integers(0, 9)) == 0 else data


@given(questions(), st.sampled_from(["en", "fr"]))
def test_any_body_is_answered_or_refused_with_a_code(
    question: tuple[referee.Tool, bytes], language: Language
) -> None:
    tool, data = question
    payload = asked(referee.ToolQuestion(tool, data, language))
    answered = msgspec.json.decode(referee.answer(payload), type=referee.ToolAnswer)
    if answered.status == 200:
        assert answered.body == referee.TOOLS[tool](data, language, {})
        return
    refused = msgspec.json.decode(answered.body, type=Problem)
    assert answered.status == 400
    assert refused.error.code
    assert refused.error.message.strip()


def test_a_game_that_cannot_be_scored_says_why_in_one_language() -> None:
    body = {"rulebook": "rummyo", "racks": [{}, {"tiles": ["R1"]}], "winner": 0, "going_out": "open"}
    with pytest.raises(RefereeError) as caught:
        count({**body, "winner_tiles": ["R2", "R3"]})
    assert caught.value.where == "winner_tiles"
    assert "14" in caught.value.reason("en")
    assert not set(caught.value.reason("fr").split()) & {"all", "tiles", "of", "the", "are", "needed."}
