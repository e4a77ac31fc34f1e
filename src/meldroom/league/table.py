"""The league's table: points from every event, the best of them added, ties broken by the better results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from meldroom.league.definition import League, LeagueClass
from meldroom.league.errors import LeagueError
from meldroom.league.events import EventResult, Finish
from meldroom.league.people import Person, key_of, people_of


class Result(msgspec.Struct, frozen=True):
    """What one event gave a player, and whether it is among those that count."""

    event: int
    place: int
    value: int
    counts: bool


class LeagueRow(msgspec.Struct, frozen=True):
    """One player's place in the league."""

    place: int
    person: Person
    total: int
    results: tuple[Result, ...]

    @property
    def played(self) -> int:
        """In how many events they played."""
        return len(self.results)


class LeagueTable(msgspec.Struct, frozen=True):
    """The rows, best first, and the events they rest on; `running` ones are not over and do not count yet."""

    events: tuple[EventResult, ...]
    rows: tuple[LeagueRow, ...]
    running: tuple[EventResult, ...] = ()


def league_table(
    league: League,
    events: Sequence[EventResult],
    before: Sequence[EventResult] = (),
    class_id: str | None = None,
) -> LeagueTable:
    """Count a league, or one class of it; events count in the order of their dates. Raises LeagueError.

    Players with equal totals are compared by the best of their counted results, then by the next, and so on;
    who is level in all of them shares a place.
    """
    over = sorted((event for event in events if event.over), key=lambda event: (event.date, event.file))
    running = tuple(event for event in events if not event.over)
    keys, people = people_of(over, league.same_person)
    found: dict[str, list[Result]] = {}
    for number, (event, mine) in enumerate(zip(over, keys, strict=True)):
        for key, finish in zip(mine, event.finishes, strict=True):
            value = _value(league, finish, len(event.finishes))
            found.setdefault(key, []).append(Result(number, finish.place, value, False))
    belong = _members(league, people, before, class_id)
    counted = {key: _best(results, league.best) for key, results in found.items() if key in belong}
    return LeagueTable(tuple(over), tuple(_rows(counted, people)), running)


def _value(league: League, finish: Finish, players: int) -> int:
    """What a place is worth; no place, no points."""
    match league.by:
        case "score":
            return finish.score
        case "wins":
            return finish.wins
        case "points":
            if not finish.place:
                return 0
            if not league.points:
                return players - finish.place + 1
            return league.points[finish.place - 1] if finish.place <= len(league.points) else league.others


def _best(results: Sequence[Result], most: int | None) -> tuple[Result, ...]:
    """The results with those marked that count: the best, of equal ones the earlier."""
    order = sorted(results, key=lambda one: (-one.value, not one.place, one.place, one.event))
    counting = {one.event for one in order[:most]}
    return tuple(msgspec.structs.replace(one, counts=one.event in counting) for one in results)


def _rows(found: dict[str, tuple[Result, ...]], people: dict[str, Person]) -> Iterator[LeagueRow]:
    def worth(key: str) -> tuple[int, list[int]]:
        values = sorted((one.value for one in found[key] if one.counts), reverse=True)
        return sum(values), values

    order = sorted(found, key=lambda key: people[key].key)
    order.sort(key=worth, reverse=True)
    place = 0
    for position, key in enumerate(order, start=1):
        if position == 1 or worth(key) != worth(order[position - 2]):
            place = position
        yield LeagueRow(place, people[key], worth(key)[0], found[key])


def _members(
    league: League, people: dict[str, Person], before: Sequence[EventResult], class_id: str | None
) -> set[str]:
    """Who belongs to a class; without one, everybody. Raises LeagueError."""
    if class_id is None:
        return set(people)
    if (asked := league.classes.get(class_id)) is None:
        raise LeagueError("no_class", name=class_id, classes=", ".join(league.classes) or "–")
    earlier = {key for keys in people_of(before, league.same_person)[0] for key in keys}
    named = {key_of(name) for name in asked.players}
    return {
        key
        for key, person in people.items()
        if _fits(asked, person) and not (asked.newcomers and key in earlier) and (not named or key in named)
    }


def _fits(asked: LeagueClass, person: Person) -> bool:
    """Whether what is known of a person is what a class asks for; an unknown birthday is not."""
    born = person.born
    if asked.born_from is not None and (born is None or born < asked.born_from):
        return False
    if asked.born_until is not None and (born is None or born > asked.born_until):
        return False
    if asked.country and person.country.casefold() != asked.country.casefold():
        return False
    return not asked.team or key_of(person.team) == key_of(asked.team)
