"""R68 in the arena: nobody gains by breaking a rule unless the experiment says so, and bots lose by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import meldroom
from meldroom.arena import ArenaError, Experiment, loads, read, run
from meldroom.arena.experiment import to_json

HERE = "tests.arena.own_bots"
HOUSE = {"id": "dry", "version": "1", "base": "wrc11", "tiles": {"jokers": 0}}


def experiment(**changes: Any) -> Experiment:
    """A bot that answers illegally against a level, one deal."""
    bots = {"own": {"python": f"{HERE}:Illegal"}, "club": {}}
    return read({"books": ["wrc11"], "bots": bots, "deals": 1, "seed": "own", **changes})


def test_r68_competition_is_the_default_of_the_arena() -> None:
    books = ["wrc11", "tml", "rummyo", {"house": HOUSE}]
    made = experiment(books=books)
    assert [entry.book().penalty.conduct for entry in made.books] == [
        *["competition"] * 2,
        "printed",
        "competition",
    ]
    assert [entry.name for entry in made.books] == ["wrc11", "tml", "rummyo", "dry"]
    printed = experiment(books=books, conduct="printed")
    assert {entry.book().penalty.conduct for entry in printed.books} == {"printed"}
    assert to_json(made, "1") != to_json(printed, "1")


@pytest.mark.parametrize("conduct", ["printed", "competition"])
def test_r68_a_book_of_the_experiment_may_say_otherwise(conduct: str) -> None:
    own = {"house": {**HOUSE, "id": "own", "penalty": {"conduct": "printed"}}}
    books = [{"id": "tml", "options": {"conduct": one}} for one in ("printed", "competition")]
    made = experiment(
        books=[*books, own, {"house": HOUSE, "options": {"conduct": "printed"}}], conduct=conduct
    )
    assert [entry.book().penalty.conduct for entry in made.books] == [
        "printed",
        "competition",
        "printed",
        "printed",
    ]
    other = "printed" if conduct == "competition" else "competition"
    assert {entry.name for entry in made.books} >= {"tml", f"tml conduct={other}"}
    again = loads(to_json(made, meldroom.__version__).decode(), json=True)
    assert again == made
    assert to_json(again, "1") == to_json(made, "1")


def test_r68_conduct_is_one_of_two() -> None:
    with pytest.raises(ArenaError) as refused:
        experiment(conduct="fair")
    assert (refused.value.where, refused.value.code) == ("conduct", "need.conduct")


def test_r68_results_of_the_two_do_not_mix(tmp_path: Path) -> None:
    run(experiment(), tmp_path / "out")
    with pytest.raises(ArenaError) as refused:
        run(experiment(conduct="printed"), tmp_path / "out")
    assert refused.value.details["key"] == "conduct"


def test_r68_a_bot_that_answers_illegally_loses_and_the_results_say_why(tmp_path: Path) -> None:
    results = run(experiment(), tmp_path / "out", records=True)
    for row in results.rows:
        assert row.end == "resigned"
        own = next(seat for seat in row.seats if seat.place == 0)
        assert (own.winner, own.faults) == (False, 1)
        assert "at least 3 tiles" in own.fault
    page = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert "Games that a bot lost for illegal answers (R68)" in page
    assert "counts as a draw (ruling R68)" in page
    assert "at least 3 tiles" in (tmp_path / "out/results.csv").read_text(encoding="utf-8")
    record = next((tmp_path / "out/records").rglob("*.meld")).read_text(encoding="utf-8")
    assert "faults: own:" in record
    assert "own resigns" in record


def test_r68_a_deliberate_foul_is_a_move_as_printed_and_none_in_competition() -> None:
    bots = {"own": {"python": f"{HERE}:Illegal", "foul": True}, "club": {}}
    printed = run(experiment(bots=bots, conduct="printed"))
    assert all(not seat.fault for row in printed.rows for seat in row.seats)
    assert all(seat.faults > 3 for row in printed.rows for seat in row.seats if seat.place == 0)
    fair = run(experiment(bots=bots))
    assert {row.end for row in fair.rows} == {"resigned"}
