"""Penalties and disputes in the log: who may, what cannot be, what the export shows."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest

from meldroom.championship import (
    Action,
    CancelPenalty,
    ChampionshipError,
    Penalise,
    SettleDispute,
    verify,
)
from meldroom.championship.log.export import as_csv
from tests.championship.championship_play import NOON, Played


def seated() -> Played:
    """Eight players who have their seats."""
    event = Played()
    event.enter(8)
    event.draw("round1")
    return event


def test_a_penalty_has_its_author_and_time() -> None:
    event = seated()
    number = event.state.seatings["round1", 1].tables[1][2]
    event.do(
        Penalise(number, "time_out", 3, 1, "round1", 1, 2, 4, 7, "clock 0:00"), role="referee", author="Rita"
    )
    given = event.state.penalties[0]
    assert (given.penalty.referee, given.penalty.at, given.stands) == ("Rita", NOON, True)
    event.do(CancelPenalty(1), "the clock was wrong")
    given = event.state.penalties[0]
    assert (given.stands, given.cancelled_by, given.cancelled_why) == (False, "Dana", "the clock was wrong")
    assert verify(event.lines)[1] == []


def test_who_cancelled_and_why_cannot_be_made_up() -> None:
    event = seated()
    event.do(Penalise(1, "late"))
    event.do(CancelPenalty(1, "Somebody", "no reason"), "the train was late")
    assert event.state.penalties[0].cancelled_by == "Dana"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Penalise(99, "late"), "no_entrant"),
        (Penalise(1, "Late!"), "bad_kind"),
        (Penalise(1, "late", -1), "bad_count"),
        (Penalise(1, "late", 0, 500), "bad_count"),
        (Penalise(1, "late", table=1), "bad_place"),
        (Penalise(1, "late", stage="nowhere"), "no_stage"),
        (Penalise(1, "late", stage="round1", sitting=1, table=9), "no_table"),
        (Penalise(1, "late", stage="round1", sitting=2, table=1), "not_seated"),
        (Penalise(1, "late", stage="round1", sitting=1, table=1, game=9), "no_game"),
        (Penalise(1, "late", note="two\nlines"), "bad_text"),
        (Penalise(1, "late", at=NOON + timedelta(hours=1)), "too_late"),
        (CancelPenalty(1), "no_penalty"),
        (SettleDispute("", "No."), "bad_text"),
        (SettleDispute("May they?", "x" * 501), "bad_text"),
        (SettleDispute("May they?", "No.", parties=(99,)), "no_entrant"),
        (SettleDispute("May they?", "No.", evidence=("",)), "bad_text"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(action: Action, code: str) -> None:
    event = seated()
    before = event.state
    with pytest.raises(ChampionshipError) as refused:
        event.do(action, "a reason")
    assert refused.value.code == code
    assert refused.value.message("fr") != refused.value.message("en")
    assert event.state == before


def test_only_who_sits_there_is_penalised_at_a_table() -> None:
    event = seated()
    one, two = event.state.seatings["round1", 1].tables
    with pytest.raises(ChampionshipError) as refused:
        event.do(Penalise(two[0], "late", stage="round1", sitting=1, table=1))
    assert refused.value.code == "not_at_table"
    event.do(Penalise(one[0], "late", stage="round1", sitting=1, table=1))
    event.do(CancelPenalty(1), "a mistake")
    with pytest.raises(ChampionshipError) as refused:
        event.do(CancelPenalty(1), "a mistake")
    assert refused.value.code == "penalty_fallen"


def test_the_files_show_penalties_and_disputes() -> None:
    event = seated()
    event.do(Penalise(1, "late", note="=1+1"), role="referee", author="Rita")
    event.do(
        SettleDispute("May they?", "No.", ("WRC 11 #9",), ("R23",), (1, 2), ("photo", "clock")),
        role="referee",
    )
    files = as_csv(event.state)
    penalty = next(csv.DictReader(io.StringIO(files["penalties.csv"])))
    assert (penalty["kind"], penalty["note"], penalty["referee"]) == ("late", "'=1+1", "Rita")
    dispute = next(csv.DictReader(io.StringIO(files["disputes.csv"])))
    assert (dispute["rule"], dispute["parties"]) == ("WRC 11 #9; R23", "Player 1 / Player 2")


def test_a_changed_penalty_is_found() -> None:
    event = seated()
    event.do(Penalise(1, "late"))
    event.do(CancelPenalty(1), "the train was late")
    changed = event.lines[-1].replace(b'"why":"the train', b'"why":"the bus')
    assert verify([*event.lines[:-1], changed])[1][0].error.code == "other_computation"
