"""A league's public page: the table, its events, and everybody who has played in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from meldroom.i18n import Text
from meldroom.league import EventResult, League, LeagueError, league_table, rate, result_of
from meldroom.league.definition import Counting
from meldroom.league.people import Person, key_of
from meldroom.league.ratings import RatingList
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.pages.publication import HIDDEN, public_name, way_of_naming
from meldroom.server.championships.storage.running import Snapshot


class LeagueEvent(msgspec.Struct, frozen=True):
    """One event of a league."""

    code: str
    name: str
    date: date
    over: bool
    players: int


class LeagueCell(msgspec.Struct, frozen=True):
    """What one event gave a player."""

    place: int
    value: int
    counts: bool


class LeagueLine(msgspec.Struct, frozen=True):
    """One place of the table; a cell for every event that is over, in their order."""

    place: int
    name: str
    country: str
    total: int
    cells: tuple[LeagueCell | None, ...]


class LeagueMember(msgspec.Struct, frozen=True):
    """Somebody who has played: in how many events, their best place, and their rating."""

    name: str
    country: str
    events: int
    best_place: int
    rating: int
    margin: int


class LeagueClassCard(msgspec.Struct, frozen=True):
    """A class that has a table of its own."""

    id: str
    name: Text


class LeaguePage(msgspec.Struct, frozen=True, kw_only=True):
    """A league as everybody may see it."""

    code: str
    name: Text
    by: Counting
    best: int | None
    events: tuple[LeagueEvent, ...]
    rows: tuple[LeagueLine, ...]
    classes: tuple[LeagueClassCard, ...]
    class_id: str
    members: tuple[LeagueMember, ...]
    toml: str
    """The definition, as `meldroom league` reads it."""


class Counted(msgspec.Struct, frozen=True):
    """An event with the names that its players have in public, where those are not their own."""

    version: int
    result: EventResult
    shown: dict[str, str]


def counted(snapshot: Snapshot) -> Counted:
    """What a league counts of a championship."""
    state, hall = snapshot.state, snapshot.hall
    shown = {
        one.entrant.name: public_name(one, hall, state.date)
        for one in state.participants
        if way_of_naming(one, hall, state.date) != "full"
    }
    return Counted(snapshot.version, result_of(state, snapshot.code), shown)


def league_page(code: str, toml: str, league: League, events: Sequence[Counted], class_id: str) -> LeaguePage:
    """The page of a league, or of one class of it. Raises HallError."""
    results = [each.result for each in events]
    try:
        found = league_table(league, results, (), class_id or None)
        rated = rate([each for each in results if each.over], league.same_person)
    except LeagueError as error:
        raise HallError(409, "bad_league", error.where, why=error.as_message()) from None
    names = _shown(league, events)
    rows = tuple(
        LeagueLine(
            row.place,
            names.get(row.person.key, row.person.name),
            "" if names.get(row.person.key) == HIDDEN else row.person.country,
            row.total,
            tuple(
                next((LeagueCell(r.place, r.value, r.counts) for r in row.results if r.event == number), None)
                for number in range(len(found.events))
            ),
        )
        for row in found.rows
    )
    everybody = league_table(league, results).rows
    members = _members([(row.person, [r.place for r in row.results]) for row in everybody], names, rated)
    listed = (*found.events, *sorted(found.running, key=lambda each: each.date))
    return LeaguePage(
        code=code,
        name=league.name,
        by=league.by,
        best=league.best,
        events=tuple(
            LeagueEvent(each.file, each.name, each.date, each.over, len(each.finishes)) for each in listed
        ),
        rows=rows,
        classes=tuple(LeagueClassCard(id, one.name or Text.of(id)) for id, one in league.classes.items()),
        class_id=class_id,
        members=members,
        toml=toml,
    )


def _shown(league: League, events: Sequence[Counted]) -> dict[str, str]:
    """Public names by person; whoever is hidden in one event is so in the league."""
    goes_by = {key_of(name): other for name, other in league.same_person.items()}
    return {
        key_of(goes_by.get(key_of(name), name)): public
        for each in events
        for name, public in each.shown.items()
    }


def _members(
    played: Sequence[tuple[Person, list[int]]], names: Mapping[str, str], rated: RatingList
) -> tuple[LeagueMember, ...]:
    ratings = {key_of(one.name): one for one in rated.players}
    found = []
    for person, places in played:
        known = ratings.get(person.key)
        name = names.get(person.key, person.name)
        found.append(
            LeagueMember(
                name,
                "" if name == HIDDEN else person.country,
                len(places),
                min((place for place in places if place), default=0),
                known.rating if known else 0,
                known.margin if known else 0,
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.rating, one.name)))
