"""The page of clauses is complete and up to date, and no test names a clause that does not exist."""

from __future__ import annotations

import pytest

from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.rulings import rulings
from tests.clauses import clause_map


def test_every_clause_and_ruling_has_a_test() -> None:
    proved, _ = clause_map.by_clause(clause_map.test_names())
    clauses = [f"{name} {clause.id}" for name in BOOK_IDS for clause in book(name).clauses]
    missing = [key for key in (*clauses, *rulings()) if not proved.get(key)]
    assert not missing
    assert len(clauses) == 16 + 16 + 25 + 22 + 15
    assert list(rulings()) == [f"R{number}" for number in range(1, 69)]


def test_no_test_names_a_clause_that_does_not_exist() -> None:
    _, strays = clause_map.by_clause(clause_map.test_names())
    assert not strays


def test_every_clause_and_ruling_is_enacted_by_code() -> None:
    every = [entry for part in clause_map.entries().values() for entry in part]
    assert clause_map.not_enacted(every, clause_map.scan()) == []
    assert not clause_map.unknown_fields()


def test_data_alone_enacts_nothing() -> None:
    found = clause_map.scan()

    def entry(*data: str, code: tuple[str, ...] = ("rules/verify.py: verify",)) -> clause_map.Entry:
        return clause_map.Entry("WRC 11 #99", data, (), code, ("test_wrc11_rule_99_x",))

    for one, fault in (
        (entry("clock.seconds", "SET_INVALID"), []),
        (entry("clock.seconds", code=()), ["WRC 11 #99: no code"]),
        (entry("NO_SUCH_FAULT"), ["WRC 11 #99: nothing raises NO_SUCH_FAULT"]),
        (entry("clock.colour"), ["WRC 11 #99: nothing reads clock.colour"]),
    ):
        assert clause_map.not_enacted([one], found) == fault


def test_the_page_is_up_to_date() -> None:
    written = clause_map.PAGE.read_text(encoding="utf-8")
    assert written == clause_map.page(), "run: python -m tests.clauses.clause_map"


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("test_wrc11_rule_1_x", "wrc11 #1"),
        ("test_wrc11_rule_16_x", "wrc11 #16"),
        ("test_wrc11_rule_17_x", None),
        ("test_wrc9_rule_p1_x", "wrc9 P1"),
        ("test_wrc9_rule_p10_x", "wrc9 P10"),
        ("test_wrc9_rule_p17_x", None),
        ("test_tml_rule_l70_x", "tml l.70-75"),
        ("test_tml_rule_l71_x", None),
        ("test_rummyo_rule_going_on_board_x", "rummyo Going on Board"),
        ("test_rummyo_rule_going_x", None),
        ("test_chess_rule_1_x", None),
        ("test_r20_x", "R20"),
        ("test_r99_x", None),
        ("test_something_else", None),
    ],
)
def test_names_of_tests_are_read(name: str, subject: str | None) -> None:
    proved, strays = clause_map.by_clause([name])
    assert (proved, strays) == (({subject: [name]}, []) if subject else ({}, [name]))


def test_rulings_are_told_from_tiles() -> None:
    assert clause_map.rulings_in("Sets from the rack alone (R7–R9, R44).") == ["R7", "R8", "R9", "R44"]
    assert clause_map.rulings_in("# R32: at once") == ["R32"]
    assert clause_map.rulings_in("R7 R8 R9, or `R10`, or (R1 R2 R3)") == []
    assert clause_map.rulings_in('>>> check({"rack": ["R4", "K9"]}, R3)') == []
