"""Rating lists: who wins more is rated higher, later lists go on from earlier ones, and files are strict."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldroom.championship.entrants import Entrant
from meldroom.league import EventResult, LeagueError, RatingList, rate
from meldroom.league.events import Finish, RatedGame
from meldroom.league.ratings import RatedPlayer, read_ratings

STRENGTHS = {"Ada": 4.0, "Ben": 2.0, "Chi": 1.0, "Dev": 0.5}

FOUR = tuple(Finish(Entrant(name), place, 0, 0, 1) for place, name in enumerate(STRENGTHS, start=1))


def event(number: int, games: int, seed: int) -> EventResult:
    """An event of four whose games are decided by strength and luck."""
    random = Random(seed)
    names = list(STRENGTHS)
    played = []
    for _ in range(games):
        order = sorted(range(4), key=lambda seat: random.expovariate(STRENGTHS[names[seat]]))
        played.append(RatedGame((0, 1, 2, 3), tuple(order.index(seat) + 1 for seat in range(4))))
    finishes = tuple(Finish(Entrant(name), place, 0, 0, games) for place, name in enumerate(names, start=1))
    return EventResult(
        f"{number}.jsonl", f"Evening {number}", date(2026, 1, number), True, finishes, tuple(played)
    )


def test_the_order_of_strengths_comes_out() -> None:
    found = rate([event(number, 20, number) for number in range(1, 9)])
    assert [one.name for one in found.players] == list(STRENGTHS)
    assert found.players[0].rating > 1000 > found.players[-1].rating
    assert all(one.games == 160 and len(one.history) == 8 for one in found.players)


def test_the_more_games_the_surer() -> None:
    margins = [rate([event(1, games, 1)]).players[0].margin for games in (1, 5, 25)]
    assert margins == sorted(margins, reverse=True)
    assert len(set(margins)) == 3


def test_the_margin_is_two_deviations_on_the_scale_that_is_shown() -> None:
    """A newcomer of openskill's model has mu 25 and sigma 25/3: 1000 ± 667 on a scale of 40 a point."""
    newcomer = RatedPlayer("Ada", 25.0, 25 / 3, 0)
    assert (newcomer.rating, newcomer.margin) == (1000, 667)
    known = RatedPlayer("Ben", 27.5, 1.25, 40)
    assert (known.rating, known.margin) == (1100, 100)


def test_one_game_is_rated_as_the_model_says() -> None:
    """openskill's Plackett-Luce for four newcomers placed 1 to 4, by its published formulas."""
    found = rate(
        [EventResult("1", "E", date(2026, 1, 1), True, FOUR, (RatedGame((0, 1, 2, 3), (1, 2, 3, 4)),))]
    )
    assert [one.name for one in found.players] == ["Ada", "Ben", "Chi", "Dev"]
    for one in found.players:
        assert one.margin == round(80 * one.sigma)
        assert one.rating == round(1000 + 40 * (one.mu - 25))


@given(st.integers(0, 3), st.integers(0, 1000))
def test_a_list_kept_in_a_file_goes_on_as_if_it_had_never_stopped(cut: int, seed: int) -> None:
    events = [event(number, 3, seed + number) for number in range(1, 5)]
    whole = rate(events)
    begun = read_ratings(rate(events[:cut]).as_json())
    assert rate(events[cut:], start=begun) == whole
    assert rate(list(reversed(events))) == whole


def test_an_event_counts_once() -> None:
    first = rate([event(1, 2, 1)])
    with pytest.raises(LeagueError, match="Evening 1 of 2026-01-01 is in the list already"):
        rate([event(1, 2, 1)], start=first)


def test_erased_players_were_opponents_and_are_not_listed() -> None:
    gone = Finish(Entrant("Entrant 2"), 2, 0, 0, 1, erased=True)
    played = EventResult(
        "1",
        "One",
        date(2026, 1, 1),
        True,
        (Finish(Entrant("Ada"), 1, 1, 5, 1), gone),
        (RatedGame((0, 1), (1, 2)),),
    )
    found = rate([played])
    assert [one.name for one in found.players] == ["Ada"]
    assert found.players[0].rating > 1000


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"format": "meldroom-ratings/2", "players": []}',
        b'{"players": [{"name": "x"}]}',
        b"\xff",
    ],
)
def test_a_file_that_is_no_list_is_refused(data: bytes) -> None:
    with pytest.raises(LeagueError, match="this is no rating list"):
        read_ratings(data)
    assert read_ratings(RatingList().as_json()) == RatingList()
