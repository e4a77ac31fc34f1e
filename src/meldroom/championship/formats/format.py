"""How an event is played, as frozen data: its stages, what is carried and cut, what decides places."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import msgspec

from meldroom.championship.errors import ChampionshipError
from meldroom.i18n import Text
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BookError, OptionValue, book

Criterion = Literal["wins", "points", "score", "best_games"]
Carry = Literal["none", "all", "half_score"]
SeatingKind = Literal["raffle", "planned", "standings"]
Cut = Literal["ranking", "table_winners"]

PRESETS = ("wrc", "wrc_cut", "german", "polish", "japanese")
_FEWEST = 3
_MOST = 50


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points for places at a table: in every game, or in a sitting by the total score of its games."""

    points: tuple[int, ...]
    each: Literal["game", "sitting"] = "game"


class Stage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some sittings of some games, played by all who are left or by the best."""

    id: str
    name: Text
    sittings: int = 1
    games: int = 4
    """Games at one table before players change tables."""
    seating: SeatingKind = "raffle"
    """Its own raffle, the plan of the raffle before, or the standings (an event's first sitting by lot)."""
    takes: int | None = None
    """How many of the stage before play on; all if not given."""
    cut: Cut = "ranking"
    """The best of the ranking, or first the winner of every table and then the best others (R47)."""
    carry: Carry = "none"
    """What counts of the stage before it, together with what that stage had carried."""
    ranking: tuple[Criterion, ...] = ()
    """What decides places here, if not the event's own list."""


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may take part (WRC 9 G1, G2; R49)."""

    citizens_only: bool = False
    not_twice_running: bool = False
    minimum_age: int | None = None
    per_country: int | None = None
    """Places of one country, which pass down its list; entrants without a country are not counted."""


class Format(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole way of playing an event."""

    id: str
    version: str
    name: Text
    about: Text
    stages: tuple[Stage, ...]
    ranking: tuple[Criterion, ...] = ("wins", "score", "best_games")
    """R48 by default; who is level after all of it needs a deciding game, or the lot."""
    placement: Placement | None = None
    book: str = "wrc11"
    book_options: dict[str, OptionValue] = {}
    conditions: Conditions = Conditions()

    def place(self, stage: str) -> int:
        """Where a stage stands in the list. Raises ChampionshipError."""
        for number, each in enumerate(self.stages):
            if each.id == stage:
                return number
        raise ChampionshipError("no_stage", stage=stage, stages=", ".join(each.id for each in self.stages))

    def stage(self, stage: str) -> Stage:
        """A stage by its id. Raises ChampionshipError."""
        return self.stages[self.place(stage)]

    def criteria(self, stage: str) -> tuple[Criterion, ...]:
        """What decides places in a stage."""
        return self.stage(stage).ranking or self.ranking

    def drawn_together(self, stage: str) -> tuple[tuple[str, int], ...]:
        """The sittings that a stage's raffle seats: its own, and those of later stages that keep the plan."""
        first = self.place(stage)
        found = self.stages[first]
        if found.seating == "standings":
            return ((stage, 1),)
        together = [found]
        for later in self.stages[first + 1 :]:
            if later.seating != "planned":
                break
            together.append(later)
        return tuple((each.id, sitting) for each in together for sitting in range(1, each.sittings + 1))

    def rules(self) -> RuleBook:
        """The rule book that scores are checked by. Raises ChampionshipError."""
        try:
            return book(self.book, self.book_options)
        except BookError as error:
            raise ChampionshipError("bad_format", place="book", why=str(error)) from None


def checked(made: Format) -> Format:
    """The format, if an event can be played by it. Raises ChampionshipError."""
    made.rules()
    if not made.stages:
        raise ChampionshipError("bad_format", place="stages", why="@format.stages")
    names = [stage.id for stage in made.stages]
    for number, stage in enumerate(made.stages):
        place = f"stages.{stage.id}"
        for fault, why in (
            (not stage.id.isidentifier() or names.count(stage.id) > 1, "@format.id"),
            (not 1 <= stage.sittings <= _MOST, "@format.sittings"),
            (not 1 <= stage.games <= _MOST, "@format.games"),
            (stage.takes is not None and stage.takes < _FEWEST, "@format.takes"),
            (number == 0 and stage.carry != "none", "@format.first_carry"),
            (number == 0 and stage.takes is not None, "@format.first_takes"),
            (
                stage.seating == "planned"
                and (
                    number == 0 or stage.takes is not None or made.stages[number - 1].seating == "standings"
                ),
                "@format.planned",
            ),
            ("points" in made.criteria(stage.id) and made.placement is None, "@format.points"),
        ):
            if fault:
                raise ChampionshipError("bad_format", place=place, why=why)
    if not made.ranking or len(set(made.ranking)) < len(made.ranking):
        raise ChampionshipError("bad_format", place="ranking", why="@format.ranking")
    return made


def preset(name: str) -> Format:
    """A format that comes with the program. Raises ChampionshipError."""
    if name not in PRESETS:
        raise ChampionshipError("no_format", name=name, names=", ".join(PRESETS))
    return _preset(name)


@cache
def _preset(name: str) -> Format:
    source = resources.files("meldroom.championship.formats") / "presets" / f"{name}.toml"
    return read_format(tomllib.loads(source.read_text(encoding="utf-8")))


def read_format(definition: Mapping[str, Any]) -> Format:
    """A format from plain data; with `base`, only what differs from a preset. Raises ChampionshipError."""
    raw = dict(definition)
    base = raw.pop("base", None)
    if base is not None:
        raw = {**msgspec.to_builtins(preset(str(base))), **raw}
        if "id" not in definition or raw["id"] in PRESETS:
            raise ChampionshipError("bad_format", place="id", why="@format.own_id")
    try:
        made = msgspec.convert(raw, Format)
    except msgspec.ValidationError as error:
        why, _, place = str(error).partition(" - at `$")
        raise ChampionshipError("bad_format", place=place.strip("`.") or "format", why=why) from None
    return checked(made)


def load_format(path: Path) -> Format:
    """A format from a TOML file. Raises ChampionshipError."""
    try:
        return read_format(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        why = error.strerror or str(error)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        why = str(error)
    raise ChampionshipError("no_file", file=str(path), why=why)
