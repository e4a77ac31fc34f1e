"""R73: a game can be void, a stage can end early, and unequal numbers of games are compared fairly."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from meldroom.championship import (
    AddEntrant,
    ChampionshipError,
    CheckIn,
    CloseStage,
    DecideTie,
    EndStage,
    EnterResult,
    Entrant,
    GameResult,
    SeatSitting,
    SignSheet,
    UndoVoid,
    VoidGame,
    Withdraw,
    consequences,
    final_ranking,
    preset,
    rank_bounds,
    standings,
    verify,
)
from meldroom.championship.club_night import club_format
from meldroom.championship.formats.closing import unfinished
from meldroom.championship.log.export import document_of, write_export
from meldroom.championship.log.restore import state_of
from meldroom.championship.standings import games_due
from meldroom.championship.state import ChampionshipState
from meldroom.league.events import result_of
from tests.championship.championship_play import Played
from tests.championship.command_line import run
from tests.championship.outside_verifier import outside

STAGE = "evening"
CLOSES = "the hall closes"


def evening(players: int, sittings: int | None = None, games: int | None = None) -> Played:
    """A club night, drawn."""
    event = Played(club_format(None, sittings, games))
    event.enter(players)
    event.draw(STAGE)
    return event


def won(event: Played, sitting: int, table: int, game: int, seat: int, by: int = 10) -> None:
    """A game that a seat won; everybody else of those who are here loses the same."""
    players = event.state.seatings[STAGE, sitting].tables[table - 1]
    here = [not event.state.participant(number).out for number in players]
    scores = [(-by if there else None) for there in here]
    scores[seat] = by * (sum(here) - 1)
    event.do(EnterResult(STAGE, sitting, table, game, GameResult(tuple(scores), (seat,))))


def seat_of(event: Played, sitting: int, number: int) -> tuple[int, int]:
    """Table and seat of a player."""
    for table, players in enumerate(event.state.seatings[STAGE, sitting].tables, start=1):
        if number in players:
            return table, players.index(number)
    raise AssertionError


def rows(event: Played) -> dict[int, tuple[int | None, int, int]]:
    """Place (nothing without one), wins and games due, by player."""
    return {
        row.number: (row.place if row.placed else None, row.wins, row.due or 0)
        for row in standings(event.state, STAGE).rows
    }


def refused(event: Played, action: object, code: str, reason: str = CLOSES) -> None:
    """The action is refused with a code."""
    with pytest.raises(ChampionshipError) as found:
        event.do(action, reason)  # type: ignore[arg-type]
    assert found.value.code == code


def close(event: Played) -> None:
    for group in standings(event.state, STAGE).level:
        event.do(DecideTie(STAGE, group, "lot"), "no time")
    event.do(CloseStage(STAGE))


def test_r73_an_evening_that_ends_early_can_be_closed_and_counts_in_its_league() -> None:
    event = evening(8)
    event.play(STAGE, 1, Random(1))
    refused(event, CloseStage(STAGE), "not_finished")
    done = event.do(EndStage(STAGE), CLOSES).action
    assert isinstance(done, EndStage)
    assert len(done.void) == 8
    assert (done.by, done.why) == ("Dana", CLOSES)
    assert not unfinished(event.state, STAGE)
    close(event)
    assert event.state.stage_of_play() is None
    found = result_of(event.state)
    assert found.over
    assert {finish.games for finish in found.finishes} == {2}
    assert not verify(event.lines)[1]


def test_what_is_not_signed_is_left_out_and_said() -> None:
    event = evening(8)
    event.play(STAGE, 1, Random(1))
    won(event, 2, 1, 1, 0)
    found = consequences(event.state, event_action := _completed(event))
    assert found.places or event_action.void
    event.do(EndStage(STAGE), CLOSES)
    key = (STAGE, 2, 1, 1)
    assert key not in event.state.results
    assert event.state.voids[key].result is not None
    assert not event.state.voids[key].signed


def _completed(event: Played) -> EndStage:
    from meldroom.championship.apply import complete

    done = complete(event.state, EndStage(STAGE))
    assert isinstance(done, EndStage)
    return done


def test_r73_a_game_not_played_is_void_and_nobody_wins_it() -> None:
    event = evening(4, 1, 2)
    won(event, 1, 1, 1, 0)
    refused(event, SignSheet(STAGE, 1, 1, "Rita"), "not_entered")
    refused(event, VoidGame(STAGE, 1, 1, 2), "no_reason", "")
    event.do(VoidGame(STAGE, 1, 1, 2), CLOSES)
    refused(event, VoidGame(STAGE, 1, 1, 2), "already_void")
    refused(event, EnterResult(STAGE, 1, 1, 2, GameResult((6, -1, -2, -3), (0,))), "game_void")
    event.do(SignSheet(STAGE, 1, 1, "Rita"))
    assert [row.wins for row in standings(event.state, STAGE).rows] == [1, 0, 0, 0]
    assert [row.games for row in standings(event.state, STAGE).rows] == [1, 1, 1, 1]
    close(event)


def test_a_void_game_counts_again_when_that_is_undone() -> None:
    event = evening(4, 1, 2)
    event.play(STAGE, 1, Random(3))
    before = event.state
    close(event)
    event.do(VoidGame(STAGE, 1, 1, 2), "the wrong deck")
    assert STAGE not in event.state.closings, "the stage is open again"
    assert event.state.voids[STAGE, 1, 1, 2].signed, "its players are told"
    event.do(UndoVoid(STAGE, 1, 1, 2), "it was the right deck")
    assert event.state.results == before.results
    assert event.state.voids == {}
    refused(event, UndoVoid(STAGE, 1, 1, 2), "not_void")


def test_a_game_that_is_to_be_played_after_all_leaves_its_sheet_unsigned() -> None:
    event = evening(4, 1, 2)
    sheet = (STAGE, 1, 1)
    won(event, 1, 1, 1, 0)
    event.do(VoidGame(*sheet, 2), CLOSES)
    event.do(SignSheet(*sheet, "Rita"))
    assert not unfinished(event.state, STAGE)
    event.do(UndoVoid(*sheet, 2), "there is time")
    assert unfinished(event.state, STAGE) == [sheet]
    won(event, 1, 1, 2, 1)
    event.do(SignSheet(*sheet, "Rita"))
    assert state_of(document_of(event.state)).sheets == event.state.sheets
    assert not verify(event.lines)[1]


def test_an_early_end_can_be_undone() -> None:
    event = evening(8)
    event.play(STAGE, 1, Random(1))
    won(event, 2, 1, 1, 0)
    before = event.state
    event.do(EndStage(STAGE), CLOSES)
    refused(event, EndStage(STAGE), "stage_ended")
    refused(event, UndoVoid(STAGE, 2, 1, 1), "void_by_end")
    refused(event, SeatSitting(STAGE, 2, "change"), "stage_ended")
    event.do(UndoVoid(STAGE), "we may stay")
    assert (event.state.results, event.state.voids, event.state.ended) == (before.results, {}, {})
    event.play(STAGE, 2, Random(2))
    event.play(STAGE, 3, Random(3))
    refused(event, EndStage(STAGE), "nothing_left_out")
    refused(event, UndoVoid(STAGE), "not_ended")
    close(event)


def test_nothing_signed_is_no_evening() -> None:
    refused(evening(8), EndStage(STAGE), "nothing_signed")


def test_a_final_that_is_not_played_leaves_the_ranking_of_the_stages_before() -> None:
    event = Played(preset("japanese"))
    event.enter(8)
    for stage in ("preliminaries", "last8"):
        event.play_stage(stage, Random(1))
    before = final_ranking(event.state)
    event.do(EndStage("final"), CLOSES)
    event.do(CloseStage("final"))
    assert final_ranking(event.state) == before
    assert not verify(event.lines)[1]


def test_after_a_later_stage_nothing_is_opened_again() -> None:
    event = Played(preset("japanese"))
    event.enter(8)
    event.draw("preliminaries")
    event.play("preliminaries", 1, Random(1))
    event.do(EndStage("preliminaries"), CLOSES)
    for group in standings(event.state, "preliminaries").level:
        event.do(DecideTie("preliminaries", group, "lot"), "no time")
    event.do(CloseStage("preliminaries"))
    event.draw("last8")
    event.play("last8", 1, Random(2))
    refused(event, UndoVoid("preliminaries"), "later_played")


def test_r73_equal_numbers_of_games_are_ranked_by_most_wins() -> None:
    event = evening(8)
    event.play(STAGE, 1, Random(5))
    won(event, 2, 1, 1, 0)
    new = standings(event.state, STAGE)
    plain = replace(event.state, format=replace(event.state.format, unequal=preset("wrc").unequal))
    old = standings(plain, STAGE)
    assert new.order() == old.order()
    assert [row.decided_by for row in new.rows] == [row.decided_by for row in old.rows]


def test_r73_byes_and_voids_do_not_count_against_anybody() -> None:
    """Five at one table of four: the one who sits out is due fewer games, and compared by what was due."""
    event = evening(5, 2, 1)
    first, second = (event.state.seatings[STAGE, sitting].tables[0] for sitting in (1, 2))
    (rested,) = event.state.seatings[STAGE, 1].sitting_out
    (rests,) = event.state.seatings[STAGE, 2].sitting_out
    always = [number for number in first if number in second]
    won(event, 1, 1, 1, first.index(always[0]))
    won(event, 2, 1, 1, second.index(rested))
    found = rows(event)
    assert found[rested] == (None, 1, 1), "one of two games due is less than two thirds"
    assert found[rests] == (None, 0, 1)
    assert found[always[0]] == (1, 1, 2)
    assert {found[number][2] for number in always} == {2}


def test_r73_wins_per_game_due_then_score_per_game() -> None:
    """Five players, five sittings: each rests once; a void game leaves all but one with fewer due."""
    event = evening(5, 5, 1)
    for sitting in range(1, 6):
        if sitting < 5:
            won(event, sitting, 1, 1, 0, by=sitting)
        else:
            event.do(VoidGame(STAGE, sitting, 1, 1), CLOSES)
    (rests_last,) = event.state.seatings[STAGE, 5].sitting_out
    found = rows(event)
    assert found[rests_last][2] == 4
    assert {found[number][2] for number in found if number != rests_last} == {3}
    ordered = standings(event.state, STAGE).rows
    keys = [(row.wins / (row.due or 1), row.score / row.games) for row in ordered]
    assert keys == sorted(keys, reverse=True)
    assert {row.decided_by for row in ordered[1:]} <= {
        "wins_per_game",
        "score_per_game",
        "best_games",
        "shared",
    }
    assert "wins_per_game" in {row.decided_by for row in ordered}


def test_r73_games_missed_by_leaving_or_coming_late_are_not_won() -> None:
    event = evening(8, 2, 2)
    event.play(STAGE, 1, Random(1))
    gone = event.state.seatings[STAGE, 1].tables[0][0]
    event.do(Withdraw(gone), "has to go")
    event.do(AddEntrant(Entrant("Late", "CL", ("CL",), editions=())))
    late = len(event.state.participants)
    event.do(CheckIn(late))
    event.do(SeatSitting(STAGE, 2, "late"), "one left, one came")
    event.play(STAGE, 2, Random(2))
    found = rows(event)
    assert found[gone][2] == found[late][2] == 4
    assert {due for _, _, due in found.values()} == {4}, "so all are compared by most wins"


def test_a_guest_who_came_too_late_to_play_is_below_those_who_played(tmp_path: Path) -> None:
    event = evening(7, 3, 2)
    event.play(STAGE, 1, Random(1))
    event.do(AddEntrant(Entrant("Hal")))
    late = len(event.state.participants)
    event.do(CheckIn(late))
    event.do(Withdraw(7), "has to go")
    event.do(EndStage(STAGE), CLOSES)
    last = standings(event.state, STAGE).rows[-1]
    assert (last.number, last.games, last.due) == (late, 0, 2)
    assert any(row.score < 0 and row.wins == 0 for row in standings(event.state, STAGE).rows[:-1])
    close(event)
    write_export(event.state, event.lines, tmp_path / "night")
    status, told = outside(tmp_path / "night")
    assert status == 0, told


def test_a_withdrawn_player_keeps_their_due_games() -> None:
    event = evening(4, 2, 1)
    won(event, 1, 1, 1, 0)
    event.do(Withdraw(1), "has to go")
    won(event, 2, 1, 1, next(s for s, n in enumerate(event.state.seatings[STAGE, 2].tables[0]) if n != 1))
    assert {due for _, _, due in rows(event).values()} == {2}


def test_nobody_without_a_place_is_in_the_final_ranking_but_everybody_is_in_the_league() -> None:
    event = evening(5, 2, 1)
    for sitting in (1, 2):
        won(event, sitting, 1, 1, 0)
        event.do(SignSheet(STAGE, sitting, 1, "Rita"))
    close(event)
    placed = {number for _, number in final_ranking(event.state)}
    assert len(placed) == 3
    found = result_of(event.state)
    assert len(found.finishes) == 5
    assert [finish.place for finish in found.finishes][3:] == [0, 0]


def test_r73_wrc9_always_counts_most_wins() -> None:
    assert not preset("wrc").unequal
    assert all(not preset(name).unequal for name in ("wrc_cut", "german", "polish", "japanese", "duplicate"))
    assert preset("club_night").unequal == "per_game_due"


def test_bounds_are_never_too_narrow_when_games_are_unequal() -> None:
    for seed in range(5):
        random = Random(seed)
        event = evening(5, 3, 2)
        moments: list[ChampionshipState] = []
        for sitting in (1, 2, 3):
            for game in (1, 2):
                moments.append(event.state)
                won(event, sitting, 1, game, random.randrange(4), by=random.randint(1, 40))
        last = {row.number: row.place for row in standings(event.state, STAGE).rows}
        for state in (*moments, event.state):
            bounds = rank_bounds(state, STAGE)
            assert all(bounds[n].best <= place <= bounds[n].worst for n, place in last.items())


def test_export_restores_and_the_outside_verifier_agrees(tmp_path: Path) -> None:
    event = evening(5, 3, 2)
    event.play(STAGE, 1, Random(4))
    won(event, 2, 1, 1, 1)
    event.do(VoidGame(STAGE, 2, 1, 2), CLOSES)
    event.do(SignSheet(STAGE, 2, 1, "Rita"))
    event.do(VoidGame(STAGE, 1, 1, 2), "the wrong deck")
    event.do(EndStage(STAGE), CLOSES)
    close(event)
    document = document_of(event.state)
    again = state_of(document)
    assert (again.voids, again.ended) == (event.state.voids, event.state.ended)
    assert standings(again, STAGE) == standings(event.state, STAGE)
    files = write_export(event.state, event.lines, tmp_path / "out")
    assert "void.csv" in files
    status, told = outside(tmp_path / "out")
    assert status == 0, told
    assert "1 void" in told or "void" in told
    table = (tmp_path / "out" / "standings.csv").read_text(encoding="utf-8")
    (tmp_path / "out" / "standings.csv").write_text(table.replace(",2,", ",3,", 1), encoding="utf-8")
    assert outside(tmp_path / "out")[0] == 1


def test_the_verifier_refuses_an_early_end_that_leaves_out_what_was_signed(tmp_path: Path) -> None:
    event = evening(4, 2, 1)
    event.play(STAGE, 1, Random(4))
    event.do(EndStage(STAGE), CLOSES)
    write_export(event.state, event.lines, tmp_path / "out")
    log = tmp_path / "out" / "log.jsonl"
    log.write_text(log.read_text().replace('"void":[[2,1,1]]', '"void":[[1,1,1],[2,1,1]]'), encoding="utf-8")
    status, told = outside(tmp_path / "out")
    assert status == 1
    assert "signed" in told


def test_the_commands_preview_then_do(tmp_path: Path) -> None:
    log = str(tmp_path / "club.jsonl")
    assert run("club-night", log, "--names", "Ada, Ben, Chi, Dev", "--by", "Olga")[0] == 0
    for game in ("1", "2"):
        run("enter", log, "1", game, "30,-10,-10,-10", "--by", "Sam")
    run("sign", log, "1", "--referee", "Olga", "--by", "Olga")
    run("enter", log, "1", "1", "30,-10,-10,-10", "--by", "Sam")
    status, told = run("end-stage", log, "--reason", CLOSES, "--by", "Olga")
    assert status == 0, told
    assert "Evening ends now. 2 games on signed sheets count." in told
    assert "sitting 2, table 1, game 1: played but not signed" in told
    assert "sitting 3, table 1, game 1, 2: not played" in told
    assert "Nothing has been written yet" in told
    status, told = run("void", log, "1", "2", "--reason", CLOSES, "--by", "Olga", "--confirm")
    assert status == 0, told
    run("sign", log, "1", "--referee", "Olga", "--by", "Olga")
    status, told = run("end-stage", log, "--reason", CLOSES, "--by", "Olga", "--confirm")
    assert "3 games on signed sheets count" in told
    assert "has ended early" in told
    told = run("standings", log)[1]
    assert f"ended early: {CLOSES}" in told
    assert "void: sitting 2, table 1, game 2" in told
    assert run("close", log, "--by", "Olga")[0] == 0 or run("status", log)[0] == 0
    assert run("verify", log)[0] == 0
    assert (
        "Evening goes on"
        in run("end-stage", log, "--undo", "--reason", "we may stay", "--by", "O", "--confirm")[1]
    )


def test_due_counts_what_was_to_be_played_not_what_was() -> None:
    event = evening(4, 1, 2)
    assert games_due(event.state, STAGE, event.state.games_of((STAGE, 1, 1))) == dict.fromkeys(
        (1, 2, 3, 4), 2
    )
