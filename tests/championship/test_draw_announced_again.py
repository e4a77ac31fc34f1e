"""A draw that is announced a second time: only with a reason, and everybody can see it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from meldroom.championship import AddWord, AnnounceDraw, ChampionshipError, Found, Reveal, preset, verify
from meldroom.championship.actions import CHECKS
from meldroom.championship.log.export import document_of
from meldroom.championship.log.restore import state_of
from meldroom.championship.sittings import prepare_draw
from tests.championship.championship_play import Played, without_conditions
from tests.championship.command_line import club, run
from tests.championship.outside_verifier import outside


def announced(seed: str, checks: int = CHECKS) -> Played:
    event = Played.founded(Found("Open", 1, date(2026, 11, 15), without_conditions(preset("german")), checks))
    event.enter(8)
    again(event, seed)
    return event


def again(event: Played, seed: str, reason: str = "") -> None:
    numbers, entry = prepare_draw(event.state, "rounds")
    event.do(AnnounceDraw("rounds", numbers, entry, entry.commitment(seed)), reason)


def test_a_second_announcement_needs_a_reason_and_is_kept() -> None:
    event = announced("one")
    event.do(AddWord("rounds", "dice 6"))
    first = event.state.draws["rounds"].commitment
    with pytest.raises(ChampionshipError) as caught:
        again(event, "two")
    assert caught.value.code == "announced_again"
    again(event, "two", "a player was missing")
    (before,) = event.state.draws["rounds"].replaced
    assert (before.commitment, before.words, before.why, before.by) == (
        first,
        ("dice 6",),
        "a player was missing",
        "Dana",
    )
    event.do(Reveal("rounds", "two"))
    assert verify(event.lines)[1] == []
    document = document_of(event.state)
    assert state_of(document).draws == event.state.draws


def test_a_log_of_the_first_edition_is_read_without_the_reason() -> None:
    event = announced("one", 1)
    again(event, "two")
    assert verify(event.lines)[1] == []
    assert len(event.state.draws["rounds"].replaced) == 1


def test_the_command_line_and_both_verifiers_say_so(tmp_path: Path) -> None:
    log = club(tmp_path)
    run("draw", log, "--announce", "--seed", "one", "--by", "Dana")
    status, told = run("draw", log, "--announce", "--seed", "two", "--by", "Dana")
    assert (status, "--reason" in told) == (2, True)
    run("draw", log, "--announce", "--seed", "two", "--reason", "typing mistake", "--by", "Dana")
    run("draw", log, "--reveal", "two", "--by", "Dana")
    status, told = run("verify", log)
    assert status == 0
    assert "announced again" in told
    assert "typing mistake" in told
    run("export", log, str(tmp_path / "out"))
    status, told = outside(tmp_path / "out")
    assert status == 0
    assert "announced again" in told
    assert "typing mistake" in told
