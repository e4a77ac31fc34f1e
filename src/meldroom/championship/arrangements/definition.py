"""Arrangements as frozen data: categories, prizes, how teams count, what it costs, and days.

They are announced as a whole, from a TOML file or at the desk; a later announcement takes the place of the
one before it, and the log keeps both.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from meldroom.championship.errors import ChampionshipError, because
from meldroom.championship.formats.format import Format
from meldroom.decode import DecodeError, convert, parse_toml
from meldroom.i18n import Message, Text

TeamCriterion = Literal["wins", "points", "score", "places"]
PrizeFor = Literal["players", "teams"]
MOST = 200
_Line = Annotated[str, msgspec.Meta(max_length=80)]
_Id = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern="^[a-z][a-z0-9_]*$")]
_Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
_Cents = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A part of the arrangements."""


class Category(_Part, frozen=True):
    """Some of the entrants: those who meet everything that is asked. What is not known meets nothing."""

    id: _Id
    name: Text
    born_from: date | None = None
    born_until: date | None = None
    country: _Line = ""
    team: _Line = ""
    newcomer: bool = False
    """Only those of whom the list says that they have played no edition."""
    column: _Line = ""
    """A column of the entry list, and …"""
    value: _Line = ""
    """… what stands in it; anything but “no” if it is left out."""
    players: tuple[int, ...] = ()
    """Only these, by number."""


class Prize(_Part, frozen=True):
    """A prize with the rule that awards it: the best of a category who has no prize yet."""

    name: Text
    amount: _Line = ""
    """What is given: €100, a cup."""
    to: PrizeFor = "players"
    category: str = ""
    place: _Count = 0
    """Only for exactly this place of the ranking; 0 for the best who is left."""
    not_first: _Count = 0
    """Not for the first so many of the ranking."""
    again: bool = False
    """Also for who has a prize already, and beside any other."""


class TeamRule(_Part, frozen=True):
    """How a team's total is made of its members'."""

    best: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None
    """How many members count, the best ones; all if not given."""
    stage: str = ""
    """The stage whose standings count; the first if not given."""
    ranking: tuple[TeamCriterion, ...] = ()
    """What decides between teams: the members' sums, as in the stage if nothing is given."""


class Fees(_Part, frozen=True):
    """What it costs to play, in hundredths; the first category that somebody belongs to has its own."""

    currency: Annotated[str, msgspec.Meta(min_length=1, max_length=8)] = "EUR"
    amount: _Cents = 0
    reduced: dict[str, _Cents] = {}


class Day(_Part, frozen=True):
    """A day of play: which sittings, each as stage and number."""

    date: date
    sittings: tuple[tuple[str, int], ...]


class Arrangements(_Part, frozen=True):
    """Everything that is arranged around the games."""

    categories: tuple[Category, ...] = ()
    prizes: tuple[Prize, ...] = ()
    teams: TeamRule | None = None
    fees: Fees | None = None
    days: tuple[Day, ...] = ()

    def category(self, id: str) -> Category | None:
        """A category by its id."""
        return next((each for each in self.categories if each.id == id), None)


def read_arrangements(definition: Mapping[str, Any]) -> Arrangements:
    """Arrangements from plain data; names may be one text, or one a language. Raises ChampionshipError."""
    raw = {
        key: [_named(each) for each in value]
        if key in ("categories", "prizes") and isinstance(value, list)
        else value
        for key, value in definition.items()
    }
    if isinstance(raw.get("days"), list):
        raw["days"] = [_day(each) for each in raw["days"]]
    try:
        return convert(raw, Arrangements)
    except DecodeError as error:
        raise ChampionshipError("bad_arrangements", why=because(error)) from None


def load_arrangements(path: Path) -> Arrangements:
    """Arrangements from a TOML file. Raises ChampionshipError."""
    try:
        return read_arrangements(parse_toml(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise ChampionshipError("no_file", file=str(path), why=error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise ChampionshipError(
            "no_file", file=str(path), why=Message("championship.error.not_utf8")
        ) from None
    except DecodeError as error:
        raise ChampionshipError("no_file", file=str(path), why=because(error)) from None


def _named(part: object) -> object:
    if not isinstance(part, Mapping) or "name" not in part:
        return part
    name = part["name"]
    texts = {"en": name} if isinstance(name, str) else name
    if not isinstance(texts, Mapping) or not texts or not all(isinstance(one, str) for one in texts.values()):
        return part
    return {**part, "name": msgspec.to_builtins(Text.of(texts))}


def _day(day: object) -> object:
    """A day whose sittings are written “round1 2”."""
    if not isinstance(day, Mapping) or not isinstance(day.get("sittings"), list):
        return day
    return {**day, "sittings": [_sitting(each) for each in day["sittings"]]}


def _sitting(written: object) -> object:
    if not isinstance(written, str):
        return written
    stage, _, number = written.partition(" ")
    return (stage, int(number) if number.isascii() and number.isdigit() else 1)


def checked(made: Arrangements, format: Format, entrants: int) -> Arrangements:
    """The arrangements, if their parts fit together and the championship. Raises ChampionshipError."""
    ids = [each.id for each in made.categories]
    for id in ids:
        if ids.count(id) > 1:
            raise _bad("twice", id)
    if max(len(ids), len(made.prizes), len(made.days)) > MOST:
        raise _bad("too_many", str(MOST))
    known = {*ids, ""}
    for category in made.categories:
        for number in category.players:
            if not 1 <= number <= entrants:
                raise _bad("no_player", str(number))
    for wanted in (*(prize.category for prize in made.prizes), *(made.fees.reduced if made.fees else ())):
        if wanted not in known:
            raise _bad("no_category", wanted)
    for prize in made.prizes:
        if prize.to == "teams" and (prize.category or made.teams is None):
            raise _bad("team_prize", prize.name["en"])
    if made.teams is not None:
        _check_teams(made.teams, format)
    _check_days(made, format)
    return made


def _check_teams(rule: TeamRule, format: Format) -> None:
    stage = rule.stage or format.stages[0].id
    format.place(stage)
    if len(set(rule.ranking)) < len(rule.ranking):
        raise _bad("twice", "ranking")
    if "points" in rule.ranking and "points" not in format.criteria(stage):
        raise _bad("no_points", stage)


def _check_days(made: Arrangements, format: Format) -> None:
    seen: set[tuple[str, int]] = set()
    for day in made.days:
        for stage, sitting in day.sittings:
            if not 1 <= sitting <= format.stage(stage).sittings:
                raise ChampionshipError("no_sitting", sitting=sitting, sittings=format.stage(stage).sittings)
            if (stage, sitting) in seen:
                raise _bad("twice", f"{stage} {sitting}")
            seen.add((stage, sitting))


def _bad(why: str, what: str) -> ChampionshipError:
    return ChampionshipError(
        "bad_arrangements", why=Message(f"championship.arrangements.{why}", {"what": what})
    )
