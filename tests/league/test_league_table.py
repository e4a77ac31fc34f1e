"""A league's table against a slow, obvious count; classes; and who is the same person."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldroom.championship.entrants import Entrant
from meldroom.league import EventResult, League, LeagueError, league_table, read_league
from meldroom.league.events import Finish

NAMES = ("Ada", "Ben", "Chi", "Dev", "Eve", "Fay")


def event(number: int, *finishes: Finish, over: bool = True) -> EventResult:
    return EventResult(f"e{number}.jsonl", f"Evening {number}", date(2026, 10, number), over, finishes, ())


def finish(name: str, place: int, *, wins: int = 0, score: int = 0, **known: Any) -> Finish:
    return Finish(Entrant(name, **known), place, wins, score, 4)


def league(**given: Any) -> League:
    return read_league({"name": "Winter", "events": ["a"], **given})


def evening(number: int, order: list[str]) -> EventResult:
    return event(number, *(finish(name, place) for place, name in enumerate(order, start=1)))


def totals(counted: League, *events: EventResult) -> dict[str, tuple[int, int]]:
    return {row.person.name: (row.place, row.total) for row in league_table(counted, events).rows}


evenings = st.lists(
    st.permutations(NAMES).flatmap(lambda order: st.sampled_from([order, order[:4], order[:3]])),
    min_size=1,
    max_size=6,
)


@given(evenings, st.integers(1, 6) | st.none())
def test_the_table_is_what_a_slow_count_gives(orders: list[list[str]], best: int | None) -> None:
    points = (5, 3, 2)
    counted = league(points=points, others=1, best=best) if best else league(points=points, others=1)
    table = league_table(counted, [evening(number, order) for number, order in enumerate(orders, start=1)])
    slow: dict[str, list[int]] = {}
    for order in orders:
        for place, name in enumerate(order):
            slow.setdefault(name, []).append(points[place] if place < 3 else 1)
    kept = {name: sorted(values, reverse=True)[: best or len(values)] for name, values in slow.items()}
    assert {row.person.name: row.total for row in table.rows} == {name: sum(kept[name]) for name in kept}
    for row in table.rows:
        mine = (sum(kept[row.person.name]), kept[row.person.name])
        ahead = sum((sum(values), values) > mine for values in kept.values())
        assert row.place == ahead + 1
        assert sum(one.counts for one in row.results) == min(best or 6, row.played)


def test_without_points_everybody_gets_one_for_each_player_not_ahead() -> None:
    level = event(1, finish("Ada", 1), finish("Ben", 2), finish("Chi", 2), finish("Dev", 4))
    assert totals(league(), level) == {"Ada": (1, 4), "Ben": (2, 3), "Chi": (2, 3), "Dev": (4, 1)}


def test_score_and_wins_can_be_added_instead() -> None:
    both = [
        event(1, finish("Ada", 1, wins=2, score=80), finish("Ben", 2, wins=2, score=-80)),
        event(2, finish("Ben", 1, wins=1, score=10), finish("Ada", 2, wins=0, score=-10)),
    ]
    assert totals(league(by="score"), *both) == {"Ada": (1, 70), "Ben": (2, -70)}
    assert totals(league(by="wins"), *both) == {"Ben": (1, 3), "Ada": (2, 2)}


def test_an_event_that_is_not_over_does_not_count_yet() -> None:
    table = league_table(league(), [evening(1, ["Ada", "Ben"]), event(2, finish("Ben", 1), over=False)])
    assert [row.person.name for row in table.rows] == ["Ada", "Ben"]
    assert [one.name for one in table.running] == ["Evening 2"]


def test_events_count_in_the_order_of_their_dates() -> None:
    table = league_table(league(), [evening(2, ["Ada"]), evening(1, ["Ben"])])
    assert [one.name for one in table.events] == ["Evening 1", "Evening 2"]


def test_the_same_name_however_typed_is_the_same_person() -> None:
    first, second = evening(1, ["Zoé Martin", "Ben"]), evening(2, ["  zoe\u0301  MARTIN", "Ben"])
    assert totals(league(), first, second)["  zoe\u0301  MARTIN"] == (1, 4)


def test_another_name_is_the_same_person_if_the_league_says_so() -> None:
    counted = league(same_person={"Ada L.": "Ada"})
    assert totals(counted, evening(1, ["ada l.", "Ben"]), evening(2, ["Ada", "Ben"])) == {
        "Ada": (1, 4),
        "Ben": (2, 2),
    }


def test_two_birthdays_are_two_people_and_nothing_is_guessed() -> None:
    old, young = date(1950, 1, 1), date(2010, 1, 1)
    events = [event(1, finish("Ada", 1, born=old)), event(2, finish("Ada", 1, born=young))]
    with pytest.raises(LeagueError, match="different birthdays in e1"):
        league_table(league(), events)
    unknown = [event(1, finish("Ada", 1, born=old)), event(2, finish("Ada", 1))]
    assert totals(league(), *unknown) == {"Ada": (1, 2)}


def test_two_of_one_name_in_an_event_are_refused() -> None:
    with pytest.raises(LeagueError, match="two players called ADA"):
        league_table(league(), [evening(1, ["Ada", "ADA"])])


def test_erased_players_are_the_same_as_nobody() -> None:
    gone = Finish(Entrant("Entrant 2"), 1, 0, 0, 4, erased=True)
    rows = league_table(league(), [event(1, gone, finish("Ben", 2)), event(2, gone, finish("Ben", 2))]).rows
    assert [(row.person.name, row.total) for row in rows if row.person.erased] == [("Entrant 2", 2)] * 2


CLASSES = {
    "juniors": {"born_from": date(2008, 1, 1)},
    "seniors": {"born_until": date(1966, 12, 31), "name": {"en": "Seniors", "fr": "Aînés"}},
    "newcomers": {"newcomers": True},
    "reds": {"team": "red"},
    "british": {"country": "gbr"},
    "picked": {"players": ["BEN", "Dev"]},
}


@pytest.mark.parametrize(
    ("class_id", "names"),
    [
        ("juniors", ["Chi"]),
        ("seniors", ["Ada"]),
        ("newcomers", ["Ben", "Chi"]),
        ("reds", ["Ada", "Chi"]),
        ("british", ["Ben"]),
        ("picked", ["Ben", "Dev"]),
    ],
)
def test_a_class_has_those_who_meet_what_it_asks(class_id: str, names: list[str]) -> None:
    now = event(
        2,
        finish("Ada", 1, born=date(1960, 5, 5), team="Red"),
        finish("Ben", 2, country="GBR"),
        finish("Chi", 3, born=date(2012, 5, 5), team="RED"),
        finish("Dev", 4, born=date(1990, 5, 5)),
    )
    before = [evening(1, ["ada", "Dev"])]
    table = league_table(league(classes=CLASSES), [now], before, class_id)
    assert [row.person.name for row in table.rows] == names
    assert [row.place for row in table.rows] == list(range(1, len(names) + 1))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": 3}, "name: a name is a text"),
        ({"name": {}}, "name: a name is a text"),
        ({"events": []}, "events"),
        ({"events": ["a", "a"]}, "a is listed twice"),
        ({"best": 0}, "best"),
        ({"points": [3, 5]}, "a better place can't be worth less"),
        ({"points": [3], "others": 4}, "a better place can't be worth less"),
        ({"by": "score", "points": [3]}, "counts by score"),
        ({"by": "luck"}, "luck"),
        ({"colour": "red"}, "colour"),
        ({"classes": {"x": {"name": 5}}}, "a name is a text"),
        ({"same_person": {"A": "B", "B": "C"}}, "name the last one"),
    ],
)
def test_a_league_that_cannot_be_is_refused_with_a_reason(given: dict[str, Any], said: str) -> None:
    with pytest.raises(LeagueError) as refused:
        league(**given)
    assert said in str(refused.value)


def test_an_unknown_class_is_named() -> None:
    with pytest.raises(LeagueError, match="no class “x”; the league has: –"):
        league_table(league(), [evening(1, ["Ada"])], class_id="x")
