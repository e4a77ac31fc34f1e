"""Later sittings: by the standings, after drop-outs and late entries."""

from __future__ import annotations

import random
import time

import pytest

from meldroom.championship.seating import SeatingError, reseat, seat_by_standings, seating
from tests.championship.independent import repeats, verify

Sitting = tuple[tuple[str, ...], ...]


def names(players: int) -> list[str]:
    return [f"player {number}" for number in range(players)]


def event(players: int, number: int, slowest: float = 60) -> list[Sitting]:
    """Four sittings, the first by raffle, the others by points that chance gives."""
    chance = random.Random(number)
    points = dict.fromkeys(names(players), 0.0)
    history = list(seating(names(players), 1, str(number)).named())
    while len(history) < 4:
        for table in history[-1]:
            for name in table:
                points[name] += chance.random()
        start = time.process_time()
        following = seat_by_standings(sorted(points, key=lambda name: -points[name]), history)
        assert time.process_time() - start <= slowest
        assert following.repeats == repeats([*history, following.tables]) - repeats(history)
        history.append(following.tables)
    return history


@pytest.mark.parametrize(("players", "events"), [(32, 8), (33, 8), (47, 5), (64, 4), (128, 2), (200, 1)])
def test_standings_seating_repeats_nothing(players: int, events: int) -> None:
    for number in range(events):
        verdict = verify(names(players), event(players, number, slowest=0.5))
        assert not verdict.faults
        assert verdict.repeats == 0
        assert verdict.most_short <= 2


@pytest.mark.parametrize("players", [13, 16, 20, 24])
def test_small_fields_are_seated_and_their_repeats_counted(players: int) -> None:
    assert not verify(names(players), event(players, 1)).faults


def test_leaders_sit_together_at_table_one() -> None:
    standings = names(32)
    found = seat_by_standings(standings)
    assert set(found.tables[0]) == set(standings[:4])
    assert set(found.tables[-1]) == set(standings[-4:])


def test_tables_of_three_begin_at_the_end_and_go_to_others_next_time() -> None:
    standings = names(34)
    first = seat_by_standings(standings)
    assert [len(table) for table in first.tables] == [4] * 7 + [3] * 2
    second = seat_by_standings(standings, [first.tables])
    threes = [name for table in second.tables if len(table) == 3 for name in table]
    assert not set(threes) & {name for table in first.tables[-2:] for name in table}
    assert second.repeats == 0


def test_seats_are_those_had_least_often() -> None:
    first = seat_by_standings(names(8))
    again = seat_by_standings(names(8), [first.tables])
    before = {name: seat for table in first.tables for seat, name in enumerate(table)}
    after = {name: seat for table in again.tables for seat, name in enumerate(table)}
    assert all(before[name] != after[name] for name in names(8))


def test_standings_seating_keeps_team_mates_apart() -> None:
    teams = [names(32)[first : first + 2] for first in range(0, 32, 2)]
    found = seat_by_standings(names(32), apart=teams)
    assert found.not_apart == 0
    assert all(len(set(team) & set(table)) < 2 for team in teams for table in found.tables)
    crowd = seat_by_standings(names(8), apart=[names(8)[:3]])
    assert crowd.not_apart == 1


def test_of_five_the_last_who_sat_out_least_sits_out() -> None:
    first = seat_by_standings(names(5))
    second = seat_by_standings(names(5), [first.tables])
    assert (first.sitting_out, second.sitting_out) == (("player 4",), ("player 3",))


def test_what_cannot_be_seated_is_refused() -> None:
    with pytest.raises(SeatingError, match="2 players are left"):
        seat_by_standings(names(2))
    with pytest.raises(SeatingError, match="two entrants"):
        seat_by_standings(["Ada", "Bo", "Chi", "Ada"])
    with pytest.raises(SeatingError, match="two seats in sitting 2"):
        seat_by_standings(names(8), [[names(8)], [["player 1", "player 2", "player 1"]]])


@pytest.mark.parametrize("players", [32, 33, 47, 64])
@pytest.mark.parametrize("leaving", [1, 2, 3, 4, 5, 6, 7])
def test_drop_outs_after_two_sittings(players: int, leaving: int) -> None:
    planned = seating(names(players), 4, "drop-outs").named()
    left = set(random.Random(leaving).sample(names(players), leaving))
    stay = [name for name in names(players) if name not in left]
    start = time.process_time()
    found = reseat(stay, planned[:2], planned[2:])
    assert time.process_time() - start <= 2
    assert not verify(stay, [each.tables for each in found]).faults
    assert repeats([*planned[:2], *(each.tables for each in found)]) == 0
    assert sum(each.repeats for each in found) == 0


def test_one_drop_out_of_a_field_of_fours_moves_nobody() -> None:
    planned = seating(names(32), 4, "one").named()
    stay = names(32)[1:]
    for before, after in zip(planned[2:], reseat(stay, planned[:2], planned[2:]), strict=True):
        kept = [{name for name in table if name != "player 0"} for table in before]
        assert [set(table) for table in after.tables] == kept


def test_nobody_leaves_and_nothing_changes() -> None:
    planned = seating(names(33), 4, "nobody").named()
    assert tuple(each.tables for each in reseat(names(33), planned[:2], planned[2:])) == planned[2:]


@pytest.mark.parametrize("joining", [1, 2, 3, 5, 9])
def test_late_entries_are_seated(joining: int) -> None:
    planned = seating(names(33), 4, "late").named()
    everybody = [*names(33), *(f"late {number}" for number in range(joining))]
    found = reseat(everybody, planned[:1], planned[1:])
    assert not verify(everybody, [each.tables for each in found]).faults
    assert repeats([planned[0], *(each.tables for each in found)]) == 0


def test_reported_repeats_are_those_counted() -> None:
    planned = seating(names(13), 4, "small").named()
    stay = names(13)[4:]
    found = reseat(stay, planned[:2], planned[2:])
    played = [tuple(tuple(n for n in table if n in stay) for table in each) for each in planned[:2]]
    counted = repeats([*played, *(each.tables for each in found)])
    assert sum(each.repeats for each in found) == counted > 0
