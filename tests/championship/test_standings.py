"""Standings: R48's order and what decided it, deciding games, and which places can still be reached."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from meldroom.championship import (
    ChampionshipError,
    ChampionshipState,
    CloseStage,
    DecideTie,
    EnterResult,
    GameResult,
    SignSheet,
    final_ranking,
    preset,
    rank_bounds,
    standings,
)
from meldroom.championship.apply import complete
from meldroom.championship.entrants import Entrant
from meldroom.championship.formats.format import Format, Placement, Stage
from meldroom.championship.state import Participant, Seated
from meldroom.i18n import Text
from meldroom.rules.procedures import ranking
from tests.championship.championship_play import Played, some_result, whole_championship

BIG = 1000


def state_of(
    tables: tuple[tuple[int, ...], ...], games: int, made: Format | None = None
) -> ChampionshipState:
    """One sitting that is seated and not yet played."""
    stage = Stage("round1", Text.of({"en": "Round", "fr": "Ronde"}), games=games)
    count = max(number for table in tables for number in table)
    return ChampionshipState(
        "Open",
        1,
        format=made or replace(preset("wrc"), stages=(stage,)),
        participants=tuple(Participant(n, Entrant(f"P{n}"), "present") for n in range(1, count + 1)),
        seatings={("round1", 1): Seated(tables, "raffle", 1)},
    )


def with_results(state: ChampionshipState, results: dict[tuple[int, int], GameResult]) -> ChampionshipState:
    """Results by table and game."""
    return replace(state, results={("round1", 1, *key): result for key, result in results.items()})


@given(st.integers(0, 10**6), st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_r48_order_is_that_of_the_rules_own_ranking(seed: int, games: int) -> None:
    random = Random(seed)
    tables = ((1, 2, 3, 4), (5, 6, 7))
    results = {
        (place, game): some_result(len(table), random)
        for place, table in enumerate(tables, start=1)
        for game in range(1, games + 1)
    }
    found = standings(with_results(state_of(tables, games), results), "round1")
    by_name: dict[str, list[tuple[int, int]]] = {str(n): [] for n in range(1, 8)}
    for (place, _), result in results.items():
        for seat, score in enumerate(result.scores):
            assert score is not None
            by_name[str(tables[place - 1][seat])].append((int(seat in result.winners), score))
    groups = [sorted(map(int, group)) for group in ranking(by_name)]
    assert list(found.order()) == [number for group in groups for number in group]
    assert [list(group) for group in found.level] == [group for group in groups if len(group) > 1]


def test_each_place_tells_which_criterion_decided_it() -> None:
    state = state_of(((1, 2, 3, 4),), 3)
    results = {
        (1, 1): GameResult((30, -10, -10, -10), (0,)),
        (1, 2): GameResult((-10, 30, -15, -5), (1,)),
        (1, 3): GameResult((-20, -20, 50, -10), (2,)),
    }
    found = standings(with_results(state, results), "round1")
    assert [(row.place, row.number, row.wins, row.score) for row in found.rows] == [
        (1, 3, 1, 25),
        (2, 1, 1, 0),
        (2, 2, 1, 0),
        (4, 4, 0, -25),
    ]
    assert [row.decided_by for row in found.rows] == ["", "score", "shared", "wins"]
    assert found.level == ((1, 2),)


def test_r48_best_single_games_decide_after_the_score() -> None:
    state = state_of(((1, 2, 3, 4),), 2)
    results = {
        (1, 1): GameResult((30, -10, -10, -10), (0,)),
        (1, 2): GameResult((-20, 20, 0, 0), (1,)),
    }
    rows = standings(with_results(state, results), "round1").rows
    assert [(row.number, row.wins, row.score) for row in rows[:2]] == [(1, 1, 10), (2, 1, 10)]
    assert rows[1].decided_by == "best_games"


def tied_event() -> Played:
    """Eight players after round one and semi-finals of one game each: two are level at the cut."""
    made = preset("wrc")
    stages = (replace(made.stages[0], games=1), replace(made.stages[2], games=1))
    event = Played(replace(made, stages=stages))
    event.enter(8)
    event.draw("round1")
    event.do(EnterResult("round1", 1, 1, 1, GameResult((30, -10, -10, -10), (0,))))
    event.do(EnterResult("round1", 1, 2, 1, GameResult((30, -10, -5, -15), (0,))))
    for table in (1, 2):
        event.do(SignSheet("round1", 1, table, "Rita"))
    return event


def test_a_tie_at_the_cut_must_be_decided_before_the_stage_closes() -> None:
    event = tied_event()
    found = standings(event.state, "round1")
    group = found.level[1]
    assert len(group) == 4
    with pytest.raises(ChampionshipError, match="deciding game"):
        event.do(CloseStage("round1"))
    with pytest.raises(ChampionshipError, match="not tied with each other"):
        event.do(DecideTie("round1", group[:2]))
    order = tuple(reversed(group))
    event.do(DecideTie("round1", order))
    after = standings(event.state, "round1")
    places = {row.number: (row.place, row.decided_by) for row in after.rows}
    assert [places[number][0] for number in order] == [4, 5, 6, 7]
    assert [places[number][1] for number in order[1:]] == ["deciding_game"] * 3
    event.do(CloseStage("round1"))
    assert order[0] in event.state.field("final")


def test_a_lot_can_be_drawn_again_by_anyone() -> None:
    event = tied_event()
    group = standings(event.state, "round1").level[1]
    with pytest.raises(ChampionshipError, match="reason"):
        event.do(DecideTie("round1", group, "lot"))
    before = event.state
    one = event.do(DecideTie("round1", group, "lot"), "hall closes").action
    assert isinstance(one, DecideTie)
    assert complete(before, replace(one, order=tuple(reversed(group)))) == one
    rows = {row.number: row.decided_by for row in standings(event.state, "round1").rows}
    assert sorted(rows[number] for number in group)[:3] == ["lot"] * 3


def test_placement_points_go_by_game_or_by_sitting() -> None:
    stage = Stage("round1", Text.of({"en": "Round", "fr": "Ronde"}), games=2)
    results = {
        (1, 1): GameResult((30, -10, -10, -10), (0,)),
        (1, 2): GameResult((-40, 60, -15, -5), (1,)),
    }
    for each, expected in (("game", {1: 4, 2: 7, 3: 4, 4: 6}), ("sitting", {1: 3, 2: 4, 3: 0, 4: 1})):
        made = replace(
            preset("german"),
            stages=(stage,),
            placement=Placement((4, 3, 1, 0), "game" if each == "game" else "sitting"),
        )
        state = with_results(state_of(((1, 2, 3, 4),), 2, made), results)
        assert {row.number: row.points for row in standings(state, "round1").rows} == expected


def test_r47_wins_are_added_and_the_final_starts_from_zero() -> None:
    event = whole_championship(33)
    first = {row.number: row for row in standings(event.state, "round1").rows}
    both = {row.number: row for row in standings(event.state, "semifinals").rows}
    final = standings(event.state, "final").rows
    assert all(both[number].wins >= first[number].wins for number in both)
    assert {row.games for row in both.values()} == {8}
    assert {row.games for row in final} == {4}
    assert {row.number for row in final} == set(standings(event.state, "semifinals").order()[:4])
    ranked = final_ranking(event.state)
    assert [number for _, number in ranked[:4]] == [row.number for row in final]
    assert [number for _, number in ranked[4:]] == list(standings(event.state, "semifinals").order()[4:])
    assert [place for place, _ in ranked] == list(range(1, 34))


def test_r47_cut_after_round_1_takes_every_table_winner() -> None:
    event = whole_championship(33, "wrc_cut")
    field = set(event.state.field("semifinals"))
    order = standings(event.state, "round1").order()
    winners = {min(table, key=order.index) for table in event.state.seatings["round1", 1].tables}
    assert len(field) == 16
    assert winners <= field
    others = [number for number in order if number not in winners]
    assert field - winners == set(others[: 16 - len(winners)])


def test_half_of_the_score_is_carried_towards_zero() -> None:
    made = preset("wrc")
    stages = (made.stages[0], replace(made.stages[1], carry="half_score"))
    event = Played(replace(made, stages=stages))
    event.enter(8)
    event.play_stage("round1", Random(4))
    event.draw("semifinals")
    before = {row.number: row.score for row in standings(event.state, "round1").rows}
    now = standings(event.state, "semifinals").rows
    assert {row.number: row.score for row in now} == {n: int(s / 2) for n, s in before.items()}
    assert {row.wins for row in now} == {0}


def outcomes(seats: int) -> list[GameResult]:
    """What a game to come may bring: one winner, small and large scores, no sum excluded."""
    found = []
    for winner in range(seats):
        for scores in product((0, BIG), repeat=seats):
            told = tuple(s if seat == winner else -s for seat, s in enumerate(scores))
            found.append(GameResult(told, (winner,)))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_rank_bounds_equal_brute_force(seed: int) -> None:
    """All ways to finish a small sitting: two tables of three with up to two games left."""
    random = Random(seed)
    tables = ((1, 2, 3), (4, 5, 6)) if seed % 2 else ((1, 2, 3), (4, 5))
    games = 3
    left = [random.choice([0, 1]), random.choice([1, 1, 2 if len(tables[1]) == 2 else 1])]
    results = {
        (place, game): some_result(len(table), random)
        for place, table in enumerate(tables, start=1)
        for game in range(1, games + 1 - left[place - 1])
    }
    state = with_results(state_of(tables, games), results)
    missing = [
        (place, game) for place in (1, 2) for game in range(1, games + 1) if (place, game) not in results
    ]
    best = dict.fromkeys(range(1, 1 + len(state.participants)), 99)
    worst = dict.fromkeys(best, 0)
    for chosen in product(*(outcomes(len(tables[place - 1])) for place, _ in missing)):
        ended = with_results(state, results | dict(zip(missing, chosen, strict=True)))
        for row in standings(ended, "round1").rows:
            best[row.number] = min(best[row.number], row.place)
            worst[row.number] = max(worst[row.number], row.place)
    found = rank_bounds(state, "round1")
    assert {n: (b.best, b.worst) for n, b in found.items()} == {n: (best[n], worst[n]) for n in best}


def test_bounds_close_when_everything_is_played() -> None:
    event = whole_championship(9, "german", 5)
    found = rank_bounds(event.state, "rounds")
    for row in standings(event.state, "rounds").rows:
        if row.decided_by != "lot":
            assert (found[row.number].best, found[row.number].worst) == (row.place, row.place)


def test_with_sittings_to_come_bounds_are_never_too_narrow() -> None:
    """Where a player ends is always within what was said of them earlier."""
    for seed in range(4):
        event = whole_championship(9, "german", seed)
        final = {row.number: row.place for row in standings(event.state, "rounds").rows}
        for keep in (10, 30, 60, 100):
            results = dict(list(event.state.results.items())[:keep])
            earlier = rank_bounds(replace(event.state, results=results, decisions={}), "rounds")
            assert all(earlier[n].best <= place <= earlier[n].worst for n, place in final.items())
