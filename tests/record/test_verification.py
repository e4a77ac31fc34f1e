"""Verifying: an honest record passes, and every kind of tampering is found at its line."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from meldroom.game import Abandon, Draw, Shuffle, apply, new_game, reveal
from meldroom.record import Record, loads, to_json, to_text, verify
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book
from tests.record import eventful_games

EXAMPLES = Path(__file__).parents[2] / "examples" / "records"
BOOKS = list(eventful_games.books())


@pytest.mark.parametrize("rules", BOOKS, ids=lambda rules: rules.id)
@pytest.mark.parametrize("players", [2, 4])
def test_every_game_of_the_engine_verifies(rules: RuleBook, players: int) -> None:
    record = eventful_games.record(rules, players, 20 + players)
    report = verify(record)
    assert [problem.message() for problem in report.problems] == []
    if record.headers.secret is not None:
        assert {"legality", "turn_order", "conservation", "commitment", "shuffle", "scores"} == {
            check.code for check in report.checked
        }


@cache
def lines(name: str) -> tuple[str, ...]:
    return tuple((EXAMPLES / name).read_text(encoding="utf-8").split("\n"))


def found_at(name: str, line: int, text: str | None) -> tuple[int, str]:
    """Line and code of the first problem when one line of an example is changed, or left out (None)."""
    changed = list(lines(name))
    changed[line - 1 : line] = [] if text is None else [text]
    report = verify(loads("\n".join(changed)))
    assert not report.ok
    assert report.problems[0].message("fr")
    return report.problems[0].line, report.problems[0].code


def line_of(name: str, begins: str) -> int:
    return next(number for number, line in enumerate(lines(name), start=1) if line.startswith(begins))


def swap(text: str, one: str, other: str) -> str:
    """The text with two of its words exchanged."""
    return " ".join(other if word == one else one if word == other else word for word in text.split(" "))


def test_a_changed_draw_is_found() -> None:
    line = line_of("matchbox.meld", "Ada draws K1'")
    assert found_at("matchbox.meld", line, "Ada draws K4") == (line, "conservation")


def test_a_changed_lay_is_found() -> None:
    line = line_of("matchbox.meld", "Bo lays")
    text = lines("matchbox.meld")[line - 1].replace("R1' R2' * R4", "R1' R4 * R2'").replace("R4", "B4", 1)
    assert found_at("matchbox.meld", line, text)[0] == line


def test_an_illegal_set_is_found() -> None:
    line = line_of("matchbox.meld", "Bo lays")
    text = "Bo lays K2 R1' R2 R2' R4 B2' * -> K2 R2 B2' R4 | R1' R2' *"
    assert found_at("matchbox.meld", line, text) == (line, "illegal_turn")


def test_a_changed_penalty_is_found() -> None:
    line = line_of("matchbox.meld", "Ada is penalised")
    assert found_at("matchbox.meld", line, "Ada is penalised 2 (time): R4' B1")[0] == line
    assert found_at("matchbox.meld", line, "Ada is penalised 3 (declared): R4' B1 K1")[0] == line


@pytest.mark.parametrize(
    "name", ["matchbox.meld", "wrc9.meld", "wrc11.meld", "nzrc2024.meld", "tml.meld", "rummyo.meld"]
)
def test_a_changed_score_is_found(name: str) -> None:
    line = line_of(name, "end ")
    text = lines(name)[line - 1]
    assert found_at(name, line, re.sub(r"(?<=Ada )-?\d+", "7", text, count=1)) == (line, "score")
    assert found_at(name, line, re.sub(r"winner \w+", "winner Ada, winner Bo", text))[0] == line


@pytest.mark.parametrize("name", ["matchbox.meld", "wrc9.meld", "tml.meld", "rummyo.meld"])
def test_a_changed_secret_is_found(name: str) -> None:
    line = line_of(name, "secret:")
    assert found_at(name, line, "secret: 0000") == (line, "commitment")


@pytest.mark.parametrize("name", ["matchbox.meld", "wrc9.meld", "rummyo.meld"])
def test_changed_contributions_are_found(name: str) -> None:
    line = line_of(name, "contributions:")
    assert found_at(name, line, 'contributions: ["other"]') == (line_of(name, "starter"), "shuffle")


def test_a_deal_by_another_shuffle_is_found() -> None:
    """Two tiles of the pool nobody ever drew are exchanged: only the shuffle can tell."""
    line = line_of("matchbox.meld", "deal 1")
    text = swap(lines("matchbox.meld")[line - 1], "B3", "K4'")
    assert found_at("matchbox.meld", line, text) == (line, "shuffle")


def test_a_deal_with_a_tile_too_many_is_found() -> None:
    line = line_of("matchbox.meld", "deal 1")
    text = lines("matchbox.meld")[line - 1].replace(" / Bo", " B3 / Bo").replace("B5 B3 K4'", "B5 K4'")
    assert found_at("matchbox.meld", line, text) == (line, "deal_size")
    short = lines("matchbox.meld")[line - 1].removesuffix(" K4'")
    assert found_at("matchbox.meld", line, short)[0] == line


def test_another_starter_is_found() -> None:
    line = line_of("matchbox.meld", "starter")
    assert found_at("matchbox.meld", line, "starter Bo: Ada K5, Bo K2'")[0] == line


@pytest.mark.parametrize("name", ["wrc9.meld", "wrc11.meld", "tml.meld", "nzrc2024.meld"])
def test_a_skipped_turn_is_found_at_the_next_line(name: str) -> None:
    line = next(n for n, text in enumerate(lines(name), start=1) if " draws " in text)
    after = next(n for n, text in enumerate(lines(name), start=1) if n > line and not text.startswith(";"))
    assert found_at(name, line, None) == (after - 1, "not_your_turn")


def test_a_skipped_discard_is_found() -> None:
    """A play and its discard are one turn, so the play is what is wrong."""
    line = line_of("rummyo.meld", "Ada discards")
    assert found_at("rummyo.meld", line, None) == (line - 1, "illegal_turn")
    line = line_of("rummyo.meld", "Bo discards K13")
    assert found_at("rummyo.meld", line, None) == (line, "not_your_turn")


def test_play_after_the_end_is_found() -> None:
    line = line_of("matchbox.meld", "end ")
    text = "\n".join([lines("matchbox.meld")[line - 1], "Ada draws K4"])
    assert found_at("matchbox.meld", line, text) == (line + 1, "game_over")


def test_an_end_too_soon_is_found() -> None:
    line = line_of("matchbox.meld", "Ada times out")
    assert found_at("matchbox.meld", line, "end exhausted: Ada 0, Bo 0") == (line, "unexpected")


@pytest.mark.parametrize("tamper", ["changed meld", "other owner", "other holder", "other outcome"])
def test_a_changed_rummyo_play_is_found(tamper: str) -> None:
    line = line_of("rummyo.meld", "Ada plays R1 B8' O8")
    text = lines("rummyo.meld")[line - 1]
    changed = {
        "changed meld": text.replace("K12 K13' K1'", "K13' K1' K12"),
        "other owner": text.replace("Ada: B8'", "Bo: B8'"),
        "other holder": text.replace("B8' O8 *'", "B8' (Bo) O8 *'"),
        "other outcome": text.replace(" ->", " (on board) ->"),
    }[tamper]
    assert changed != text
    assert found_at("rummyo.meld", line, changed)[0] == line


def test_equal_tiles_exchanged_between_rack_and_table_are_found() -> None:
    """By their faces nothing changed, but a tile would be there twice."""
    text = (
        "meldroom-record 1\nbook: wrc11 1\nseat 1: Ada\nseat 2: Bo\n\nstarter Ada\n"
        "deal 1: Bo R10' K1 K2 K3 K4 K5 K6 K7 K8 K9 B1 B2 B3 B4\n"
        "Ada lays R10 R11 R12\nBo lays K4 K5 K6 K7 K8\n"
        "Ada draws\nBo lays K9 R10' -> R10' R11 R12 | K4 K5 K6 K7 K8 K9\n"
    )
    problem = verify(loads(text)).problems[0]
    assert (problem.line, problem.violations) == (11, ("TILE_LEFT_TABLE",))


def test_problems_of_json_name_the_event() -> None:
    record = loads("\n".join(lines("matchbox.meld")))
    data = to_json(record).replace(b'"scores":[-100,100]', b'"scores":[-99,99]')
    report = verify(loads(data))
    assert report.problems[0].line == 0
    assert report.problems[0].message() == (
        f"events[{len(record.events) - 1}]: the count gives “end out: Ada -100, Bo 100, winner Bo”, "
        "not “end out: Ada -99, Bo 99, winner Bo”."
    )


def test_several_problems_are_listed_in_order() -> None:
    changed = list(lines("matchbox.meld"))
    changed[line_of("matchbox.meld", "Ada is penalised") - 1] = "Ada is penalised 3 (declared): R4' B1 K1"
    changed[line_of("matchbox.meld", "end ") - 1] = "end out: Ada -1, Bo 1, winner Bo"
    found = verify(loads("\n".join(changed))).problems
    assert [problem.code for problem in found] == ["expected", "score"]
    assert found[0].line < found[1].line


def test_an_abandoned_game_verifies() -> None:
    shuffle = Shuffle("s")
    state, events = new_game(book("wrc9"), ["Ada", "Bo"], shuffle)
    for action in (Draw(state.seat), Abandon(0, reason="rain")):
        state, more = apply(state, action, shuffle)
        events += more
    assert verify(loads(to_text(Record.of((*events, reveal(state, shuffle)))))).ok


def test_a_game_in_progress_verifies_and_says_so() -> None:
    shuffle = Shuffle("s")
    _, events = new_game(book("wrc9"), ["Ada", "Bo"], shuffle)
    report = verify(Record.of(events))
    assert report.ok
    assert "unfinished" in {check.code for check in report.unchecked}
    assert verify(Record.of(events[:1])).ok
