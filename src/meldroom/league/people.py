"""The same person in several events: by name, whatever the spaces and capitals; nothing is guessed."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from meldroom.league.errors import LeagueError
from meldroom.league.events import EventResult, Finish


class Person(msgspec.Struct, frozen=True):
    """Somebody who played: the name they go by, and what the latest event with it says of them."""

    key: str
    name: str
    born: date | None = None
    country: str = ""
    team: str = ""
    erased: bool = False
    """Nobody can say who this was: a player of one event, and the same as nobody in another."""


def key_of(name: str) -> str:
    """A name without what people type differently: spaces, capitals, and how accents are stored.

    >>> key_of("  Zoé   MARTIN") == key_of("Zoe\\u0301 Martin")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def people_of(
    events: Sequence[EventResult], same_person: Mapping[str, str]
) -> tuple[list[tuple[str, ...]], dict[str, Person]]:
    """For each event the keys of its players, in the order of its finishes; and everybody by key.

    Raises LeagueError where one name stands for two people.
    """
    names = {key_of(name): other for name, other in same_person.items()}
    found: dict[str, Person] = {}
    seen_in: dict[str, str] = {}
    keys: list[tuple[str, ...]] = []
    for number, event in enumerate(events):
        mine: list[str] = []
        for finish in event.finishes:
            entrant = finish.entrant
            if finish.erased:
                key, shown = f"{number}/{entrant.name}", entrant.name
            else:
                shown = names.get(key_of(entrant.name), entrant.name)
                key = key_of(shown)
            if key in mine:
                raise LeagueError("twice_in_event", name=shown, event=event.name, file=event.file)
            mine.append(key)
            before = found.get(key)
            if before is not None and before.born and entrant.born and before.born != entrant.born:
                raise LeagueError("two_people", name=shown, first=seen_in[key], second=event.file)
            found[key] = _merged(before, key, shown, finish)
            seen_in[key] = event.file
        keys.append(tuple(mine))
    return keys, found


def _merged(before: Person | None, key: str, shown: str, finish: Finish) -> Person:
    now = finish.entrant
    if before is None:
        return Person(key, shown, now.born, now.country, now.team, finish.erased)
    return Person(key, shown, now.born or before.born, now.country or before.country, now.team or before.team)
