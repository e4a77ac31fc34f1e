"""Erased on request: the person is gone from every line, and the chain can still be checked."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from meldroom.championship import (
    AmendEntrant,
    AnnounceDraw,
    ChampionshipError,
    ChampionshipLog,
    Entrant,
    EraseEntrant,
    Penalise,
    SettleDispute,
    Substitute,
    read_lines,
    verify,
)
from meldroom.championship.log.erase import erased_lines
from meldroom.championship.log.export import as_json, write_export
from meldroom.championship.sittings import prepare_draw
from tests.championship.championship_play import NOON, Played
from tests.championship.test_championship_command import verifier

NAME = "Player 7"


def event_with_texts(until: int = 3) -> Played:
    """An event in which the name of player 7 stands in many places."""
    event = Played()
    event.enter(13)
    event.do(AmendEntrant(7, Entrant("Player 7 Senior", "C7", ("C7",), editions=())), "a title")
    event.do(AmendEntrant(7, Entrant(NAME, "C7", ("C7",), editions=())), "Player 7 Senior was wrong")
    for stage in event.state.format.stages[:until]:
        event.play_stage(stage.id, Random(2))
        event.do(Penalise(7, "late", note=f"{NAME} and Player 70, not Player 7’s fault"))
        event.do(
            SettleDispute(f"May {NAME}?", "No.", evidence=(f"{NAME}: photo",), parties=(7,)), author=NAME
        )
    event.do(Substitute(6, Entrant("Player 70", "C6")), f"{NAME} says so")
    return event


def erase(lines: list[bytes], number: int = 7) -> list[bytes]:
    return erased_lines(lines, number, author="Dana", role="director", time=NOON, reason=f"request of {NAME}")


def test_the_person_is_nowhere_and_the_chain_holds(tmp_path: Path) -> None:
    lines = event_with_texts().lines
    after = erase(lines)
    whole = b"\n".join(after).decode()
    assert NAME + '"' not in whole
    assert "Player 7 Senior" not in whole
    assert f"{NAME} " not in whole
    assert "Player 70" in whole  # somebody else
    assert "Entrant 7’s fault" in whole
    state, faults = verify(after)
    assert faults == []
    assert state.participant(7).entrant == Entrant("Entrant 7", "C7")
    assert len(after) == len(lines) + 1
    write_export(state, after, tmp_path / "export")
    for file in (tmp_path / "export").iterdir():
        assert NAME not in file.read_text(encoding="utf-8").replace("Player 70", ""), file
    checked = verifier().check(tmp_path / "export")
    assert checked.faults == []
    assert len(checked.unchecked) == len([s for s in state.draws if 7 in state.draws[s].numbers])


def test_only_lines_that_held_the_person_are_rewritten() -> None:
    lines = event_with_texts().lines
    after = erase(lines)
    changed = [
        number for number, (one, two) in enumerate(zip(lines, after, strict=False), start=1) if one != two
    ]
    assert all(NAME.encode() in lines[number - 1] for number in changed)
    assert len(changed) < len(lines) / 2


def test_results_and_standings_stay() -> None:
    event = event_with_texts()
    state, _ = verify(erase(event.lines))
    before = as_json(event.state).decode()
    assert state.results == event.state.results
    assert state.seatings == event.state.seatings
    assert as_json(state).decode() != before


def test_two_erasures_follow_each_other() -> None:
    after = erase(erase(event_with_texts().lines), 8)
    state, faults = verify(after)
    assert faults == []
    assert [state.name_of(number) for number in (7, 8, 9)] == ["Entrant 7", "Entrant 8", "Player 9"]


@pytest.mark.parametrize("where", ["rewritten line", "other line", "attestation", "more than said"])
def test_nothing_else_changes_under_its_cover(where: str) -> None:
    after = erase(event_with_texts().lines)
    if where == "rewritten line":
        number = next(place for place, line in enumerate(after) if b'"original"' in line)
        after[number] = after[number].replace(b"Player 9", b"Player X")
    elif where == "other line":
        number = next(place for place, line in enumerate(after) if b"enter_result" in line)
        after[number] = after[number].replace(b'"game":1', b'"game":2')
    elif where == "attestation":
        after[-1] = after[-1].replace(b'"number":7,"alias"', b'"number":8,"alias"')
    else:
        number = next(place for place, line in enumerate(after) if b"enter_result" in line)
        after[number] = after[number][:-1] + b',"original":"' + b"0" * 64 + b'"}'
    assert verify(after)[1]


def test_no_erasure_while_a_draw_waits_for_its_seed() -> None:
    event = Played()
    event.enter(8)
    numbers, entry = prepare_draw(event.state, "round1", ())
    event.do(AnnounceDraw("round1", numbers, entry, entry.commitment("seed")))
    with pytest.raises(ChampionshipError) as refused:
        erase(event.lines)
    assert refused.value.code == "draw_open"


def test_a_broken_log_is_not_touched() -> None:
    lines = event_with_texts(0).lines
    with pytest.raises(ChampionshipError):
        erase([*lines[:3], *lines[4:]])


def test_erasing_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "event.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in event_with_texts(1).lines))
    with ChampionshipLog.open(path, clock=lambda: NOON) as log:
        with pytest.raises(ChampionshipError, match="use erase"):
            log.append(EraseEntrant(7), author="Dana", role="director", reason="request")
        with pytest.raises(ChampionshipError):
            log.erase(7, author="Sam", role="scorer", reason="request")
        assert NAME in path.read_text(encoding="utf-8")
        log.erase(7, author="Dana", role="director", reason="request")
        assert log.state.name_of(7) == "Entrant 7"
        with pytest.raises(ChampionshipError, match="another program"):
            ChampionshipLog.open(path)
        log.append(Penalise(8, "late"), author="Rita", role="referee")
    lines = read_lines(path)
    assert verify(lines)[1] == []
    assert "Player 7 " not in path.read_text(encoding="utf-8")
    assert [each.name for each in tmp_path.iterdir()] == ["event.jsonl"]
    with ChampionshipLog.open(path) as log:
        assert len(log.state.penalties) == 2
