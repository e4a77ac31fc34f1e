"""What a league counts: which events, how a place becomes points, how many results, which classes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from meldroom.decode import DecodeError, convert, parse_toml
from meldroom.i18n import Message
from meldroom.i18n.text import Text
from meldroom.league.errors import LeagueError

Counting = Literal["points", "score", "wins"]
MOST_EVENTS = 500
_Count = Annotated[int, msgspec.Meta(ge=1, le=MOST_EVENTS)]
_Points = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class LeagueClass(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Some of the players, with a table of their own: those who meet everything that is asked."""

    name: Text | None = None
    born_from: date | None = None
    born_until: date | None = None
    country: str = ""
    team: str = ""
    newcomers: bool = False
    """Only those who have played in none of `League.before`."""
    players: tuple[_Name, ...] = ()
    """Only these, by name."""


class League(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A league as its organisers define it."""

    name: Text
    events: Annotated[tuple[_Name, ...], msgspec.Meta(min_length=1, max_length=MOST_EVENTS)]
    """Files of championships, logs or exports, beside the definition."""
    by: Counting = "points"
    points: tuple[_Points, ...] = ()
    """For places 1, 2 and so on; empty: one for each player who is not ahead."""
    others: _Points = 0
    """For every place beyond `points`."""
    best: _Count | None = None
    """How many results of a player count; all of them if not given."""
    classes: dict[str, LeagueClass] = {}
    before: tuple[_Name, ...] = ()
    """Files of earlier events, which only say who is no newcomer."""
    same_person: dict[_Name, _Name] = {}
    """Names under which somebody played, and the name they go by."""


def read_league(definition: Mapping[str, Any]) -> League:
    """A league from plain data. A name may be one text, or one for each language. Raises LeagueError."""
    raw = dict(definition)
    try:
        if "name" in raw:
            raw["name"] = _text(raw["name"], "name")
        if isinstance(classes := raw.get("classes"), Mapping):
            raw["classes"] = {
                id: {**one, "name": _text(one["name"], f"classes.{id}.name")}
                if isinstance(one, Mapping) and "name" in one
                else one
                for id, one in classes.items()
            }
        return checked(convert(raw, League))
    except DecodeError as error:
        raise LeagueError("bad_league", error.where, why=error.as_message()) from None


def load_league(path: Path) -> League:
    """A league from a TOML file. Raises LeagueError."""
    try:
        return read_league(parse_toml(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise LeagueError("no_file", file=str(path), why=error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise LeagueError("no_file", file=str(path), why=Message("championship.error.not_utf8")) from None
    except DecodeError as error:
        raise LeagueError("no_file", file=str(path), why=error.as_message()) from None


def checked(league: League) -> League:
    """The league, if its parts fit together. Raises LeagueError."""
    twice = {name for name in league.events if league.events.count(name) > 1}
    if twice:
        raise LeagueError("event_twice", "events", file=min(twice))
    if league.by != "points" and (league.points or league.others):
        raise LeagueError("no_points", "points", by=league.by)
    if list(league.points) != sorted(league.points, reverse=True):
        raise LeagueError("rising_points", "points")
    if league.points and league.others > league.points[-1]:
        raise LeagueError("rising_points", "others")
    for name, other in league.same_person.items():
        if other in league.same_person:
            raise LeagueError("two_steps", "same_person", name=name, other=other)
    return league


def _text(given: object, place: str) -> dict[str, str]:
    if isinstance(given, str):
        given = {"en": given}
    if not isinstance(given, Mapping) or not given or not all(isinstance(one, str) for one in given.values()):
        raise LeagueError("bad_name", place)
    plain: dict[str, str] = msgspec.to_builtins(Text.of(given))
    return plain
