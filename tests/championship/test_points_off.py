"""Points taken off and disqualification: what follows is shown first, counted everywhere, and undone."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from meldroom.championship import (
    CancelPenalty,
    ChampionshipError,
    CloseStage,
    Disqualify,
    Penalise,
    UndoStatus,
    Withdraw,
    final_ranking,
    preset,
    standings,
    verify,
)
from meldroom.championship.actions import Action
from meldroom.championship.corrections import consequences
from meldroom.championship.log.export import as_json, document_of, write_export
from meldroom.championship.log.restore import decode_document, state_of
from meldroom.championship.rank_bounds import rank_bounds
from meldroom.championship.text import format_correction, format_ranking
from meldroom.papers import ChampionshipPapers
from tests.championship.championship_play import Played, without_conditions
from tests.championship.command_line import club, run
from tests.championship.outside_verifier import outside


def evening(players: int = 8) -> Played:
    event = Played(without_conditions(preset("club_night")))
    event.enter(players)
    (stage,) = event.state.format.stages
    event.draw(stage.id)
    for sitting in range(1, stage.sittings + 1):
        event.play(stage.id, sitting, Random(sitting))
    return event


def confirmed(event: Played, folder: Path) -> bool:
    """Whether the verifier that shares no code with the program agrees."""
    write_export(event.state, event.lines, folder / "out")
    return outside(folder / "out")[0] == 0


def printed(*words: str) -> str:
    status, told = run(*words)
    assert status == 0, told
    return told


def refused(event: Played, action: Action, reason: str = "why", **options: str) -> str:
    with pytest.raises(ChampionshipError) as caught:
        event.do(action, reason, **options)  # type: ignore[arg-type]
    return caught.value.code


def test_points_come_off_in_the_standings_and_back(tmp_path: Path) -> None:
    event = evening()
    (stage,) = event.state.format.stages
    before = standings(event.state, stage.id)
    first = before.rows[0]
    action = Penalise(first.number, "unsporting", stage=stage.id, deduct=first.wins, deduct_from="wins")
    found = consequences(event.state, action)
    assert (first.number, 1) in [(each.number, each.before) for each in found.places]
    told = format_correction(event.state, action, found, "fr")
    assert "sur parties gagnées" in told[0]
    event.do(action, "marked a tile")
    given = event.state.penalties[0].penalty
    assert given.note == "marked a tile"
    after = {row.number: row for row in standings(event.state, stage.id).rows}
    assert after[first.number].wins == 0
    assert {change.number: change.after for change in found.places}[first.number] == after[first.number].place
    event.do(CancelPenalty(1), "it was another player")
    assert standings(event.state, stage.id) == before
    event.do(Penalise(first.number, "late", stage=stage.id, deduct=5), "late twice")
    event.do(CloseStage(stage.id))
    assert verify(event.lines)[1] == []
    assert confirmed(event, tmp_path)
    papers = dict(ChampionshipPapers(document_of(event.state)).all(["standings"]))
    assert "−5" in str(papers[f"standings-{stage.id}"])


def test_points_come_off_only_where_they_count_by_the_director_with_a_reason() -> None:
    event = evening()
    (stage,) = event.state.format.stages
    taken = Penalise(1, "other", stage=stage.id, deduct=5)
    assert refused(event, taken, "") == "no_reason"
    assert refused(event, taken, role="referee") == "not_allowed"
    assert refused(event, Penalise(1, "other", deduct=5)) == "deduct_where"
    assert refused(event, Penalise(1, "other", stage=stage.id, deduct=-5)) == "bad_count"
    elsewhere = Penalise(1, "other", stage=stage.id, deduct=5, deduct_from="points")
    assert refused(event, elsewhere) == "deduct_what"


def test_points_off_after_the_stage_was_closed_open_it_again() -> None:
    event = Played(without_conditions(preset("wrc")))
    event.enter(16)
    event.play_stage("round1", Random(3))
    assert "round1" in event.state.closings
    event.do(Penalise(1, "other", stage="round1", deduct=5), "seen on video")
    assert "round1" not in event.state.closings


def test_who_is_disqualified_has_no_place(tmp_path: Path) -> None:
    event = evening()
    (stage,) = event.state.format.stages
    order = standings(event.state, stage.id).order()
    action = Disqualify(order[0])
    found = consequences(event.state, action)
    told = format_correction(event.state, action, found, "en")
    assert any("loses place 1" in each for each in told)
    assert refused(event, action, "") == "no_reason"
    assert refused(event, action, role="referee") == "not_allowed"
    event.do(action, "a tile up the sleeve")
    rows = standings(event.state, stage.id).rows
    assert [row.number for row in rows] == [*order[1:], order[0]]
    assert rows[-1].decided_by == "disqualified"
    assert order[0] not in [number for _, number in final_ranking(event.state)]
    assert final_ranking(event.state)[0] == (1, order[1])
    assert set(rank_bounds(event.state, stage.id)) == set(order)
    assert format_ranking(event.state, "en")[-1] == f"disqualified: {event.state.name_of(order[0])}"
    event.do(CloseStage(stage.id))
    document = document_of(event.state)
    assert state_of(decode_document(as_json(event.state))).participants == event.state.participants
    papers = dict(ChampionshipPapers(document).all(["standings", "certificates", "cross_table"]))
    assert "disqualified" in str(papers["standings-ranking"])
    assert event.state.name_of(order[0]) not in str(papers["certificates"])
    assert verify(event.lines)[1] == []
    assert confirmed(event, tmp_path)


def test_a_disqualification_is_undone_to_what_it_was(tmp_path: Path) -> None:
    event = evening()
    (stage,) = event.state.format.stages
    before = standings(event.state, stage.id)
    event.do(Withdraw(2), "ill")
    gone = standings(event.state, stage.id)
    event.do(Disqualify(2), "found out later")
    event.do(UndoStatus(2, "disqualified"), "another player")
    assert event.state.participant(2).status == "withdrawn"
    assert standings(event.state, stage.id) == gone
    event.do(Disqualify(3), "slip")
    undo = UndoStatus(3, "disqualified", "present")
    told = format_correction(event.state, undo, consequences(event.state, undo), "en")
    assert any(" again" in each for each in told)
    event.do(UndoStatus(3, "disqualified"), "slip")
    assert standings(event.state, stage.id).order() == before.order()
    event.do(CloseStage(stage.id))
    assert verify(event.lines)[1] == []
    assert confirmed(event, tmp_path)


def test_the_outside_verifier_finds_points_that_are_not_counted(tmp_path: Path) -> None:
    event = evening()
    (stage,) = event.state.format.stages
    event.do(Penalise(1, "other", stage=stage.id, deduct=5), "late")
    write_export(event.state, event.lines, tmp_path / "out")
    shown = tmp_path / "out" / "standings.csv"
    wrong = shown.read_text().replace(f",{standings(event.state, stage.id).rows[0].score},", ",4321,")
    shown.write_text(wrong)
    assert outside(tmp_path / "out")[0] == 1


def test_on_the_command_line(tmp_path: Path) -> None:
    file = club(tmp_path)
    printed("draw", file, "--announce", "--seed", "s", "--by", "Dana")
    printed("draw", file, "--reveal", "s", "--by", "Dana")
    why = ("--reason", "talked", "--by", "Dana")
    first = printed("take-points", file, "Ada", "20", *why)
    assert "Ada: 20 off, from score" in first
    assert "Nothing has been written yet" in first
    assert "cancel-penalty" in printed("take-points", file, "Ada", "20", *why, "--confirm")
    assert "penalty: Ada −20, score" in printed("standings", file)
    assert "−20" in printed("conduct", file)
    assert "20 back" in printed("cancel-penalty", file, "1", *why)
    assert "penalty: Ada" in printed("standings", file)
    assert "cancelled" in printed("cancel-penalty", file, "1", *why, "--confirm")
    assert "penalty: Ada" not in printed("standings", file)
    printed("disqualify", file, "Ada", *why, "--confirm")
    assert "disqualified" in printed("standings", file)
    printed("undo", file, "Ada", *why, "--confirm")
    assert "disqualified" not in printed("standings", file)
