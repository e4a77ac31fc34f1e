"""A withdrawal, a check-in and a no-show undone: by whom, why, and with what follows."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from meldroom.championship import (
    ChampionshipError,
    CloseStage,
    DecideTie,
    NoShow,
    SeatSitting,
    UndoStatus,
    Withdraw,
    apply,
    preset,
    standings,
    verify,
)
from meldroom.championship.corrections import undo_consequences
from meldroom.i18n import Message
from tests.championship.championship_play import NOON, Played, without_conditions
from tests.championship.command_line import club, run


def evening(players: int = 8) -> Played:
    event = Played(without_conditions(preset("german")))
    event.enter(players)
    return event


def told_first(event: Played, action: UndoStatus) -> tuple[Message, ...]:
    done = apply(event.state, action, author="Dana", role="director", time=NOON, reason="slip").action
    assert isinstance(done, UndoStatus)
    return undo_consequences(event.state, done)


def test_each_is_undone_to_what_it_was() -> None:
    event = evening()
    event.do(Withdraw(3), "ill")
    event.do(UndoStatus(3, "withdrawn"), "feels better")
    assert event.state.participant(3).status == "present"
    event.do(UndoStatus(3, "present"), "another person")
    assert event.state.participant(3).status == "entered"
    event.do(NoShow(3))
    event.do(UndoStatus(3, "no_show"), "was in the garden")
    assert event.state.participant(3).status == "entered"
    assert verify(event.lines)[1] == []
    assert event.entries[-1].reason == "was in the garden"
    assert event.entries[-1].author == "Dana"


def test_it_needs_a_reason_and_something_to_undo() -> None:
    event = evening()
    event.do(Withdraw(3), "ill")
    with pytest.raises(ChampionshipError) as caught:
        event.do(UndoStatus(3, "withdrawn"))
    assert caught.value.code == "no_reason"
    with pytest.raises(ChampionshipError) as caught:
        event.do(UndoStatus(3, "no_show"), "slip")
    assert caught.value.code == "not_to_undo"
    with pytest.raises(ChampionshipError) as caught:
        event.do(UndoStatus(3, "withdrawn"), "slip", role="check_in")
    assert caught.value.code == "not_allowed"
    event.do(UndoStatus(4, "present"), "slip", role="check_in")


def test_who_has_a_seat_is_not_unchecked() -> None:
    event = evening()
    event.draw("rounds")
    with pytest.raises(ChampionshipError) as caught:
        event.do(UndoStatus(2, "present"), "slip")
    assert caught.value.code == "has_seat"


def test_the_consequences_come_first() -> None:
    event = evening(9)
    event.draw("rounds")
    event.do(Withdraw(2), "ill")
    told = [each.id for each in told_first(event, UndoStatus(2, "withdrawn"))]
    assert told == ["championship.undo.becomes", "championship.undo.has_seat"]
    event.do(UndoStatus(2, "withdrawn"), "back")
    assert 2 in event.state.field("rounds")


def test_back_after_the_stage_was_closed() -> None:
    event = Played(without_conditions(preset("polish")))
    event.enter(8)
    event.draw("rounds")
    event.play("rounds", 1, Random(1))
    event.do(Withdraw(2), "ill")
    for sitting in (2, 3, 4):
        event.do(SeatSitting("rounds", sitting, "standings"))
        event.play("rounds", sitting, Random(sitting))
    for group in standings(event.state, "rounds").level:
        event.do(DecideTie("rounds", group, "lot"), "no time")
    event.do(CloseStage("rounds"))
    told = [each.id for each in told_first(event, UndoStatus(2, "withdrawn"))]
    assert "championship.undo.not_in_field" in told
    event.do(UndoStatus(2, "withdrawn"), "back")
    assert 2 not in event.state.field("final")
    assert verify(event.lines)[1] == []


def test_the_command_line_shows_first_and_then_undoes(tmp_path: Path) -> None:
    log = club(tmp_path)
    run("withdraw", log, "Ben", "--reason", "ill", "--by", "Dana")
    status, told = run("undo", log, "Ben", "--reason", "wrong person", "--by", "Dana")
    assert status == 0
    assert "Ben: withdrew → present" in told
    assert "--confirm" in told
    status, told = run("undo", log, "Ben", "--reason", "erreur", "--by", "Dana", "--confirm", "--lang", "fr")
    assert status == 0
    assert "Ben" in told
    assert run("status", log)[1].startswith("4 of 4")
    assert run("undo", log, "Ben", "--reason", "late", "--by", "Dana", "--confirm")[0] == 0
    assert run("status", log)[1].startswith("3 of 4")
    assert run("undo", log, "Ben", "--reason", "late", "--by", "Dana", "--confirm")[0] == 2
    assert Path(log).read_text(encoding="utf-8").count('"check_in"') >= 4
