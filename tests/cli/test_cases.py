"""Every published case through the real command line, and lines that cannot be answered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases"
Command = Literal["check", "score", "ruling"]
Case = dict[str, Any]


def run(command: Command, lines: bytes) -> tuple[list[Case], int, str]:
    """The answers of `meldroom COMMAND --jsonl`, its exit status and what it said on standard error."""
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    done = subprocess.run(
        [sys.executable, "-m", "meldroom", command, "--jsonl"],
        input=lines,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path},
        timeout=120,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return answers, done.returncode, done.stderr.decode()


def read(name: str) -> list[Case]:
    found: list[Case] = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return found


def lines_of(requests: list[Case]) -> bytes:
    return b"".join(json.dumps(request).encode() + b"\n" for request in requests)


def under(case: Case, book: str) -> Case:
    """A turn asked again under a book that must judge it alike."""
    return {**case, "id": f"{case['id']} {book}", "rulebook": book}


def rule_requests() -> list[Case]:
    """Turns: those of WRC 11 also under its sister text and under WRC 9, which judges turns alike."""
    cases = read("rule_cases")
    wrc11 = [case for case in cases if case["rulebook"] == "wrc11"]
    return [*cases, *(under(case, book) for book in ("nzrc2024", "wrc9") for case in wrc11)]


def procedure_requests() -> list[Case]:
    """Procedures: as they are, and under each of the books they name."""
    cases = read("procedure_cases")
    each = [
        {**case, "id": f"{case['id']} {book}", "rulebook": book, "input": {**case["input"], "book": book}}
        for case in cases
        for book in case["rulebooks"]
    ]
    return [*cases, *each]


def score_requests() -> list[Case]:
    """Finished games: those of WRC 11 also under its sister text."""
    cases = read("scoring_cases")
    return [*cases, *(under(case, "nzrc2024") for case in cases if case["rulebook"] == "wrc11")]


REQUESTS: dict[Command, list[Case]] = {
    "check": rule_requests(),
    "score": score_requests(),
    "ruling": procedure_requests(),
}


@cache
def answers(command: Command) -> dict[str, Case]:
    """All answers of one run, by id."""
    requests = REQUESTS[command]
    found, status, said = run(command, lines_of(requests))
    assert (status, said) == (0, "")
    assert [answer["id"] for answer in found] == [request["id"] for request in requests]
    return {answer["id"]: answer for answer in found}


def ids(command: Command) -> list[str]:
    return [str(request["id"]) for request in REQUESTS[command]]


@pytest.mark.parametrize("case", REQUESTS["check"], ids=ids("check"))
def test_turn_is_judged_as_expected(case: Case) -> None:
    answer = answers("check")[case["id"]]
    codes = [fault["code"] for fault in answer["violations"]]
    assert answer["legal"] is (case["expected"] == "legal"), answer
    if case["expected"] == "legal":
        assert codes == []
        assert answer["outcome"] == (case["code"] if case["rulebook"] == "rummyo" else None)
    else:
        assert case["code"] in codes
        assert answer["outcome"] is None
    for fault in answer["violations"]:
        assert fault["clause"]
        assert fault["ruling"]
        assert fault["message"]


@pytest.mark.parametrize("case", REQUESTS["score"], ids=ids("score"))
def test_game_is_scored_as_expected(case: Case) -> None:
    answer = answers("score")[case["id"]]
    assert (answer["scores"], answer["winners"]) == (case["scores"], case["winners"])


@pytest.mark.parametrize("case", REQUESTS["score"], ids=ids("score"))
def test_charge_is_found_from_the_rack_when_nobody_says(case: Case) -> None:
    """The 100/200 question needs no `could_have_melded`: the rack and the last draw decide it (R43)."""
    answer = silent_answers()[case["id"]]
    assert (answer["scores"], answer["winners"]) == (case["scores"], case["winners"])


@cache
def silent_answers() -> dict[str, Case]:
    """The finished games again, without the answer to whether somebody could have melded."""
    requests = [
        {
            **case,
            "players": [
                {key: value for key, value in player.items() if key != "could_have_melded"}
                for player in case["players"]
            ],
        }
        for case in REQUESTS["score"]
    ]
    found, status, _ = run("score", lines_of(requests))
    assert status == 0
    return {answer["id"]: answer for answer in found}


@pytest.mark.parametrize("case", REQUESTS["ruling"], ids=ids("ruling"))
def test_procedure_is_answered_as_expected(case: Case) -> None:
    answer = answers("ruling")[case["id"]]
    assert answer["answer"] == case["expected"]
    assert answer["clause"] or answer["ruling"]


@pytest.mark.parametrize(
    "case", [case for case in read("procedure_cases") if case["check"] in ("end_of_time", "leftover")]
)
def test_time_and_leftovers_cite_what_decided(case: Case) -> None:
    """Untouched R24, legal at the buzzer R26, a short pool R28: not always the same."""
    found, _, _ = run("ruling", lines_of([case]))
    assert found[0]["ruling"].split(", ") == case["rulings"]


def test_time_in_a_book_without_a_clock_cites_that_it_has_none() -> None:
    asked = next(case for case in read("procedure_cases") if case["check"] == "end_of_time")
    found, _, _ = run("ruling", lines_of([{**asked, "input": {**asked["input"], "book": "tml"}}]))
    assert (found[0]["clause"], found[0]["ruling"]) == ("The Mahjong Line l.25-31", "R31")


@pytest.mark.parametrize("id", ["wrc11-im-02", "wrc11-im-10"])
def test_a_short_opening_cites_the_value_of_its_joker(id: str) -> None:
    case = next(case for case in read("rule_cases") if case["id"] == id)
    fault = answers("check")[id]["violations"][0]
    assert fault["code"] == "MELD_LT_30"
    assert fault["ruling"].split(", ") == case["rulings"]


def test_all_published_cases_are_here() -> None:
    assert [len(read(name)) for name in ("rule_cases", "scoring_cases", "procedure_cases")] == [95, 30, 25]


# Lines that cannot be answered

TURN: Case = {
    "id": "good",
    "rulebook": "wrc11",
    "table_before": [["R1", "R2", "R3"]],
    "rack": ["R4", "K9"],
    "table_after": [["R1", "R2", "R3", "R4"]],
    "has_melded": True,
}
GAME: Case = {
    "id": "good",
    "rulebook": "wrc11",
    "players": [{"rack": []}, {"rack": ["R5"]}],
    "end": "out",
    "winner": 0,
}
QUESTION: Case = {"id": "good", "check": "three_doubles", "input": {"rack": ["R3", "R3"]}}


def turn(**changes: Any) -> tuple[Command, bytes]:
    return "check", json.dumps({**TURN, "id": "bad", **changes}).encode()


def game(**changes: Any) -> tuple[Command, bytes]:
    return "score", json.dumps({**GAME, "id": "bad", **changes}).encode()


def ask(procedure: str, **given: Any) -> tuple[Command, bytes]:
    return "ruling", json.dumps({"id": "bad", "check": procedure, "input": given}).encode()


DEEP = b"[" * 100_000 + b"]" * 100_000
BAD: dict[str, tuple[tuple[Command, bytes], str]] = {
    "not JSON": (("check", b'{"id": 1,'), "bad_json"),
    "not JSON at all": (("check", b"R1 R2 R3"), "bad_json"),
    "broken UTF-8": (("check", b'{"id": "\xff\xfe"}'), "bad_json"),
    "deep nesting": (("check", DEEP), "bad_json"),
    "deep nesting inside": (("check", b'{"id": "bad", "extra": ' + DEEP + b"}"), "bad_json"),
    "a number": (("check", b"7"), "bad_request"),
    "a list": (("check", b"[]"), "bad_request"),
    "null": (("score", b"null"), "bad_request"),
    "nothing in it": (("check", b'{"id": "bad"}'), "bad_request"),
    "unknown tile": (turn(rack=["Z4"]), "bad_tile"),
    "no such number": (turn(rack=["R14"]), "bad_tile"),
    "zero": (turn(rack=["R0"]), "bad_tile"),
    "an endless number": (turn(rack=["R" + "9" * 5000]), "bad_tile"),
    "no tile": (turn(rack=[""]), "bad_tile"),
    "two tiles in one": (turn(rack=["R4 K9"]), "bad_tile"),
    "unknown tile on the table": (turn(table_after=[["R1", "?"]]), "bad_tile"),
    "third copy": (turn(rack=["R4", "R4", "R4"]), "too_many_copies"),
    "third copy on the table": (turn(table_before=[["R4"], ["R4"]]), "too_many_copies"),
    "third joker": (turn(rack=["*", "*", "*"]), "too_many_copies"),
    "unknown book": (turn(rulebook="wrc12"), "unknown_book"),
    "unknown option": (turn(options={"speed": 3}), "bad_option"),
    "option of another book": (turn(options={"jokers": 4}), "bad_option"),
    "no such choice": (turn(options={"joker_reuse": "never"}), "bad_option"),
    "1 for true": (turn(options={"strict_declare": 1}), "bad_option"),
    "option of the wrong type": (turn(options={"joker_reuse": ["any_set"]}), "bad_request"),
    "wrong type of table": (turn(table_before="R1 R2 R3"), "bad_request"),
    "wrong type of rack": (turn(rack=[4]), "bad_request"),
    "wrong type of has_melded": (turn(has_melded="yes"), "bad_request"),
    "book is a number": (turn(rulebook=11), "bad_request"),
    "stated set that is not there": (turn(stated={"7": ["R1"]}), "bad_request"),
    "too many sets": (turn(table_after=[[]] * 10_001), "too_many_sets"),
    "owners that do not fit": (turn(rulebook="rummyo", extra={"owners_before": []}), "bad_request"),
    "discard is no tile": (turn(rulebook="rummyo", extra={"discard": "X"}), "bad_tile"),
    "no winner": (game(winner=None), "bad_request"),
    "winner not seated": (game(winner=2), "bad_request"),
    "winner with tiles": (game(winner=1), "bad_request"),
    "a huge number": (game(winner=10**40), "bad_request"),
    "a number with a fraction": (game(winner=0.5), "bad_request"),
    "nobody": (game(players=[]), "bad_request"),
    "five players": (game(players=[{"rack": []}] * 5), "bad_request"),
    "no such end": (game(end="draw"), "bad_request"),
    "third copy at the end": (game(players=[{"rack": []}, {"rack": ["R5"] * 3}]), "too_many_copies"),
    "no way of going out": (game(rulebook="rummyo"), "bad_request"),
    "unknown procedure": (ask("coin_toss"), "unknown_check"),
    "no input": (("ruling", b'{"id": "bad", "check": "three_doubles"}'), "bad_request"),
    "book is no text": (ask("three_doubles", book=3), "bad_request"),
    "no leftovers there": (ask("leftover", book="tml", leftovers=["R5"], pool=3), "no_such_ruling"),
    "a negative pool": (ask("declared", table_legal=False, pool=-1), "bad_request"),
    "a stranger draws": (ask("final_turns", seats=["a"], drawer="z"), "bad_request"),
    "no seats": (ask("after_pool_empty", actions=[], seats=[]), "bad_request"),
    "an unknown action": (ask("after_pool_empty", actions=["sing"], seats=["a"]), "bad_request"),
    "no draws": (ask("first_player", draws=[]), "bad_request"),
    "a million games": (ask("starters", players=4, games=10**6), "bad_request"),
    "a bad option in the input": (
        ask("declared", strict_declare="maybe", table_legal=False, pool=3),
        "bad_option",
    ),
    "drawn and not there": (ask("charge_flag", rack_at_end=["R1"], drawn_in_last_turn=["R2"]), "bad_request"),
}
GOOD: dict[Command, Case] = {"check": TURN, "score": GAME, "ruling": QUESTION}


@cache
def bad_answers(command: Command) -> tuple[list[str], list[Case], int, str]:
    """Each bad line of a command between two good ones, in one run."""
    good = json.dumps(GOOD[command]).encode()
    names = [name for name, ((where, _), _) in BAD.items() if where == command]
    lines = [good]
    for name in names:
        lines += [BAD[name][0][1], good]
    return names, *run(command, b"\n".join(lines) + b"\n")


@pytest.mark.parametrize("name", BAD)
def test_bad_line_spoils_only_itself(name: str) -> None:
    (command, line), code = BAD[name]
    names, found, status, said = bad_answers(command)
    assert (status, said) == (1, "")
    assert len(found) == 2 * len(names) + 1
    place = 1 + 2 * names.index(name)
    answer = found[place]
    assert answer["error"]["code"] == code
    assert answer["id"] == ("bad" if b'"bad"' in line and code != "bad_json" else None)
    assert 0 < len(answer["error"]["message"]) < 400
    for beside in (found[place - 1], found[place + 1]):
        assert beside["id"] == "good"
        assert "error" not in beside


def test_ids_of_any_kind_are_echoed_and_unknown_fields_ignored() -> None:
    asked = ["x", 7, None, [1, 2], {"a": 1}, 1.5, True]
    requests = [{**TURN, "id": one, "colour_of_the_room": "green"} for one in asked]
    found, status, _ = run("check", lines_of(requests))
    assert status == 0
    assert [answer["id"] for answer in found] == asked
    assert all(answer["legal"] for answer in found)


def test_empty_input_and_empty_lines() -> None:
    assert run("check", b"") == ([], 0, "")
    found, status, _ = run("check", b"\n  \n" + json.dumps(TURN).encode())
    assert ([answer["id"] for answer in found], status) == (["good"], 0)


def test_a_line_that_never_ends_is_refused_and_the_next_is_answered() -> None:
    endless = b'{"id": "' + b"x" * 1_500_000 + b'"}\n'
    found, status, _ = run("check", endless + json.dumps(TURN).encode() + b"\n")
    assert [answer["id"] for answer in found] == [None, "good"]
    assert (found[0]["error"]["code"], status) == ("bad_json", 1)
