"""Corrections: everything that changes is shown before, nothing is overwritten, approval is asked again."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from meldroom.championship import (
    ChampionshipError,
    ChampionshipState,
    CorrectResult,
    EnterResult,
    GameResult,
    SeatSitting,
    SignSheet,
    consequences,
    final_ranking,
    fold,
    preset,
    standings,
)
from meldroom.championship.entrants import Entrant
from meldroom.championship.state import Participant, Seated, Sheet
from tests.championship.championship_play import Played, some_result, whole_championship


def turned(result: GameResult) -> GameResult:
    """The same game won by the next seat."""
    scores = (*result.scores[-1:], *result.scores[:-1])
    return GameResult(scores, tuple((w + 1) % len(scores) for w in result.winners), result.end)


def played_to(stage: str, players: int = 12) -> Played:
    """A WRC event whose stages up to one are closed."""
    event = Played()
    event.enter(players)
    for each in event.state.format.stages:
        event.play_stage(each.id, Random(2))
        if each.id == stage:
            break
    return event


def test_a_correction_lists_all_places_that_change_and_no_other() -> None:
    event = played_to("semifinals")
    key = ("round1", 1, 1, 1)
    action = CorrectResult(*key, turned(event.state.results[key]))
    found = consequences(event.state, action)
    after = fold(event.state, action)
    for stage in ("round1", "semifinals"):
        before = {row.number: row.place for row in standings(event.state, stage).rows}
        now = {row.number: row.place for row in standings(after, stage).rows}
        listed = {c.number: (c.before, c.after) for c in found.places if c.stage == stage}
        assert listed == {n: (before[n], now[n]) for n in now if before[n] != now[n]}
    assert found.places


def test_nothing_is_overwritten() -> None:
    event = played_to("round1", 8)
    key = ("round1", 1, 1, 1)
    wrong = event.state.results[key]
    event.do(CorrectResult(*key, turned(wrong)), "sheet misread")
    kept = [entry.action for entry in event.entries if isinstance(entry.action, EnterResult | CorrectResult)]
    assert [
        action.result for action in kept if (action.stage, action.table, action.game) == ("round1", 1, 1)
    ] == [
        wrong,
        turned(wrong),
    ]
    assert event.entries[-1].reason == "sheet misread"


def test_a_closed_stage_needs_approval_again_and_its_seating_falls() -> None:
    event = played_to("round1")
    event.draw("semifinals")
    key = ("round1", 1, 1, 1)
    action = CorrectResult(*key, turned(event.state.results[key]))
    found = consequences(event.state, action)
    assert found.reopened == ("round1",)
    assert found.dropped == (("semifinals", 1),)
    event.do(action, "sheet misread")
    assert event.state.stage_of_play() == "round1"
    assert ("semifinals", 1) not in event.state.seatings
    with pytest.raises(ChampionshipError, match="still open"):
        event.draw("semifinals")


def test_who_plays_on_plays_on() -> None:
    """After the final has begun a correction of the stage before changes places there, not the finalists."""
    event = played_to("semifinals", 12)
    event.draw("final")
    event.do(EnterResult("final", 1, 1, 1, GameResult((6, -1, -2, -3), (0,))))
    field = event.state.field("final")
    changes = []
    for key, result in event.state.results.items():
        if key[0] == "semifinals":
            action = CorrectResult(*key, turned(result))
            found = consequences(event.state, action)
            assert found.reopened == ()
            assert all(cut.stands for cut in found.cuts)
            assert sum(cut.goes_on for cut in found.cuts) * 2 == len(found.cuts)
            changes += [action] if found.cuts else []
    assert changes
    event.do(changes[0], "joker missed")
    assert event.state.field("final") == field


def test_a_seating_from_other_standings_is_named() -> None:
    event = Played(preset("german"))
    event.enter(16)
    event.draw("rounds")
    event.play("rounds", 1, Random(1))
    event.do(SeatSitting("rounds", 2, "standings"))
    key = ("rounds", 1, 1, 1)
    action = CorrectResult(*key, turned(event.state.results[key]))
    assert [(c.sitting, c.played) for c in consequences(event.state, action).seatings] == [(2, False)]
    event.do(action, "sheet misread")
    event.do(SeatSitting("rounds", 2, "standings"))
    event.play("rounds", 2, Random(1))
    back = CorrectResult(*key, turned(turned(turned(turned(event.state.results[key])))))
    with pytest.raises(ChampionshipError, match="already has this result"):
        event.do(back, "no change")
    action = CorrectResult(*key, turned(event.state.results[key]))
    assert [(c.sitting, c.played) for c in consequences(event.state, action).seatings] == [(2, True)]
    with pytest.raises(ChampionshipError, match="has started"):
        event.do(SeatSitting("rounds", 2, "standings"))


def test_after_the_signatures_only_the_director_corrects() -> None:
    event = Played(replace(preset("german")))
    event.enter(4)
    event.draw("rounds")
    result = GameResult((6, -1, -2, -3), (0,))
    event.do(EnterResult("rounds", 1, 1, 1, result), role="scorer")
    with pytest.raises(ChampionshipError, match="only "):
        event.do(CorrectResult("rounds", 1, 1, 1, turned(result)), "misread", role="scorer")
    event.do(CorrectResult("rounds", 1, 1, 1, turned(result)), "misread", role="referee")
    event.play("rounds", 1, Random(1))
    with pytest.raises(ChampionshipError, match="only "):
        event.do(CorrectResult("rounds", 1, 1, 1, result), "misread", role="referee")
    with pytest.raises(ChampionshipError, match="reason"):
        event.do(CorrectResult("rounds", 1, 1, 1, result))
    event.do(CorrectResult("rounds", 1, 1, 1, result), "misread")
    with pytest.raises(ChampionshipError, match="signed"):
        event.do(SignSheet("rounds", 1, 1, "Rita"))


def large_event() -> ChampionshipState:
    """128 players, four sittings of sixteen games in all: 2,048 results, all signed."""
    random = Random(9)
    made = preset("german")
    numbers = list(range(1, 129))
    seatings, results, sheets = {}, {}, {}
    for sitting in range(1, 5):
        random.shuffle(numbers)
        tables = tuple(tuple(numbers[at : at + 4]) for at in range(0, 128, 4))
        seatings["rounds", sitting] = Seated(tables, "raffle" if sitting == 1 else "standings", sitting)
        for table in range(1, 33):
            sheets["rounds", sitting, table] = Sheet("Rita")
            for game in range(1, 17):
                results["rounds", sitting, table, game] = some_result(4, random)
    stages = (replace(made.stages[0], games=16),)
    return ChampionshipState(
        "Large",
        1,
        format=replace(made, stages=stages),
        participants=tuple(Participant(n, Entrant(f"P{n}"), "present") for n in range(1, 129)),
        seatings=seatings,
        results=results,
        sheets=sheets,
        entries=3000,
    )


def test_one_of_two_thousand_results_is_corrected_with_all_consequences() -> None:
    state = large_event()
    assert len(state.results) == 2048
    key = ("rounds", 1, 7, 3)
    action = CorrectResult(*key, turned(state.results[key]))
    found = consequences(state, action)
    ranking = final_ranking(fold(state, action))
    assert found.places
    assert len(ranking) == 128
    assert [change.sitting for change in found.seatings] == [2, 3, 4]


def test_a_whole_event_of_the_japanese_kind_carries_corrections_to_the_end() -> None:
    event = whole_championship(16, "japanese", 3)
    key = ("preliminaries", 1, 1, 1)
    action = CorrectResult(*key, turned(event.state.results[key]))
    found = consequences(event.state, action)
    assert {change.stage for change in found.places} >= {"preliminaries"}
    before = {row.number: row.score for row in standings(event.state, "final").rows}
    after = {row.number: row.score for row in standings(fold(event.state, action), "final").rows}
    table = event.state.seatings["preliminaries", 1].tables[0]
    assert {n for n in before if before[n] != after[n]} <= set(table)


def test_a_cut_that_a_correction_moves_is_shown_before_the_stage_is_closed() -> None:
    made = preset("wrc")
    stages = (replace(made.stages[0], games=1), replace(made.stages[2], games=1))
    event = Played(replace(made, stages=stages))
    event.enter(8)
    event.draw("round1")
    event.do(EnterResult("round1", 1, 1, 1, GameResult((60, -10, -20, -30), (0,))))
    event.do(EnterResult("round1", 1, 2, 1, GameResult((75, -15, -25, -35), (0,))))
    table = event.state.seatings["round1", 1].tables
    action = CorrectResult("round1", 1, 2, 1, GameResult((105, -45, -25, -35), (0,)))
    found = consequences(event.state, action)
    assert {(cut.number, cut.goes_on, cut.stands) for cut in found.cuts} == {
        (table[0][2], True, False),
        (table[1][1], False, False),
    }
    tied = CorrectResult("round1", 1, 2, 1, GameResult((80, -20, -25, -35), (0,)))
    assert consequences(event.state, tied).ties == ("round1",)
