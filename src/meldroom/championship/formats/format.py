"""How a championship is played, as frozen data: stages, what is carried over and cut, what decides places."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import msgspec

from meldroom.championship.errors import ChampionshipError, because
from meldroom.championship.seating.types import TableSize
from meldroom.decode import DecodeError, convert, parse_toml
from meldroom.i18n import DEFAULT, Message, Text, has_message, languages, message
from meldroom.rules.book import BookRef, RuleBook
from meldroom.rules.library import BOOK_IDS, BookError, OptionValue, book, load_house_book, resolve, versions

Criterion = Literal["wins", "points", "score", "best_games"]
Carry = Literal["none", "all", "half_score"]
SeatingKind = Literal["raffle", "planned", "standings"]
Cut = Literal["ranking", "table_winners"]
Duplicate = Literal["matchpoints", "difference"]
"""How a duplicate stage is scored against the field."""

Unequal = Literal["per_game_due"]
"""Wins per game due, then score per game played, for those with two thirds of the most games due."""

PRESETS = ("wrc", "wrc_cut", "german", "polish", "japanese", "club_night", "duplicate")
_WORLD = ("wrc", "wrc_cut")
_WORLD_BOOK = "wrc9"
"""The book with the World Championship's own regulations; it is played by it unless another is named."""
_PLAYED_BOOK = "wrc11"
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
    """Games at one table before players change tables; a format that does not say takes the book's."""
    seating: SeatingKind = "raffle"
    """Its own raffle, the plan of the raffle before, or the standings (the very first sitting by lot)."""
    takes: int | None = None
    """How many of the stage before play on; all if not given."""
    cut: Cut = "ranking"
    """The best of the ranking, or first the winner of every table and then the best others (R47)."""
    carry: Carry = "none"
    """What counts of the stage before it, together with what that stage had carried."""
    ranking: tuple[Criterion, ...] = ()
    """What decides places here, if not the championship's own list."""
    duplicate: Duplicate | msgspec.UnsetType = msgspec.UNSET
    """Whether all tables play the same deals, and how their results become points."""


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may take part (WRC 9 G1, G2; R49)."""

    citizens_only: bool = False
    not_twice_running: bool = False
    minimum_age: int | None = None
    per_country: int | None = None
    """Places of one country, which pass down its list; entrants without a country are not counted."""


class Format(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole way of playing a championship."""

    id: str
    version: str
    name: Text
    about: Text
    stages: tuple[Stage, ...]
    ranking: tuple[Criterion, ...] = ("wins", "score", "best_games")
    """R48 by default; who is level after all of it needs a deciding game, or the lot."""
    unequal: Unequal | msgspec.UnsetType = msgspec.UNSET
    """How wins and scores compare where players were due unequal numbers of games (R73); as they are, if not
    given."""
    placement: Placement | None = None
    book: str = _PLAYED_BOOK
    book_options: dict[str, OptionValue] = {}
    conditions: Conditions = Conditions()
    book_version: str | msgspec.UnsetType = msgspec.UNSET
    """Championships founded before there were two versions name none: they are played by the first."""
    house: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    """The whole house book, where one is played: the log can be checked without its file."""

    def place(self, stage: str) -> int:
        """Where a stage stands in the list. Raises ChampionshipError."""
        for number, each in enumerate(self.stages):
            if each.id == stage:
                return number
        raise ChampionshipError("no_stage", stage=stage, stages=tuple(each.id for each in self.stages))

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
        """The rule book that is played. Raises ChampionshipError."""
        ref = BookRef(self.book, self.book_version or "", self.book_options, self.house or None)
        return _rules(msgspec.json.encode(ref))

    def table_size(self) -> TableSize:
        """How many sit at a table by the book. Raises ChampionshipError."""
        return TableSize.of(self.rules())


@lru_cache(maxsize=64)
def _rules(ref: bytes) -> RuleBook:
    try:
        return resolve(msgspec.json.decode(ref, type=BookRef))
    except BookError as error:
        raise ChampionshipError("bad_format", "book", why=because(error)) from None


def checked(made: Format) -> Format:
    """The format, if a championship can be played by it. Raises ChampionshipError."""
    size = made.table_size()
    if not made.stages:
        raise _bad("stages", "stages")
    names = [stage.id for stage in made.stages]
    for number, stage in enumerate(made.stages):
        place = f"stages.{stage.id}"
        planned_alone = (
            number == 0 or stage.takes is not None or made.stages[number - 1].seating == "standings"
        )
        for fault, why in (
            (not stage.id.isidentifier() or names.count(stage.id) > 1, "id"),
            (not 1 <= stage.sittings <= _MOST, "sittings"),
            (not 1 <= stage.games <= _MOST, "games"),
            (stage.takes is not None and stage.takes < size.short, "takes"),
            (number == 0 and stage.carry != "none", "first_carry"),
            (number == 0 and stage.takes is not None, "first_takes"),
            (stage.seating == "planned" and planned_alone, "planned"),
            (
                "points" in made.criteria(stage.id) and made.placement is None and not stage.duplicate,
                "points",
            ),
            (bool(stage.duplicate) and "points" not in made.criteria(stage.id), "duplicate"),
        ):
            if fault:
                raise _bad(place, why, least=size.short, most=_MOST)
    if not made.ranking or len(set(made.ranking)) < len(made.ranking):
        raise _bad("ranking", "ranking")
    return made


def _bad(place: str, why: str, **values: int) -> ChampionshipError:
    return ChampionshipError("bad_format", place, why=Message(f"championship.format.{why}", values))


def preset(name: str, rules: RuleBook | None = None) -> Format:
    """A format that comes with the program, played by a rule book or else by its usual one.

    The World Championship follows the book's own tournament rules: rounds, games, finalists and conditions.
    Raises ChampionshipError.
    """
    if name not in PRESETS:
        raise ChampionshipError("no_format", name=name, names=PRESETS)
    return _usual(name) if rules is None else _read(_definition(name, rules), rules)


@cache
def _usual(name: str) -> Format:
    rules = book(_WORLD_BOOK if name in _WORLD else _PLAYED_BOOK)
    return _read(_definition(name, rules), rules)


def _definition(name: str, rules: RuleBook) -> dict[str, Any]:
    if name in _WORLD:
        return _tournament(name, rules, cut=name == "wrc_cut" or rules.tournament.cut_after_round_1)
    source = resources.files("meldroom.championship.formats") / "presets" / f"{name}.toml"
    return parse_toml(source.read_text(encoding="utf-8"))


def _tournament(name: str, rules: RuleBook, *, cut: bool) -> dict[str, Any]:
    """The tournament that a rule book describes (R47, R49, R50)."""
    own = rules.tournament
    stages = []
    for number in range(1, own.rounds + 1):
        first, final = number == 1, number == own.rounds > 1
        stage: dict[str, Any] = {"id": f"round{number}", "games": own.games_per_round, "seating": own.seating}
        if final:
            stage |= {"id": "final", "takes": own.finalists}
        elif not first:
            stage |= {"carry": "all"} | ({"id": "semifinals"} if number == own.rounds - 1 else {})
            if number == 2 and cut:
                stage |= {"takes": own.finalists * own.table_size, "cut": "table_winners"}
        stages.append(stage)
    conditions = {
        "citizens_only": own.citizens_only,
        "not_twice_running": own.not_twice_running,
        "per_country": 1 if own.citizens_only else None,
    }
    return {"id": name, "version": "1", "conditions": conditions, "stages": stages}


def read_format(definition: Mapping[str, Any], rules: RuleBook | None = None) -> Format:
    """A format from plain data; with `base`, only what differs from a preset. Raises ChampionshipError.

    What the definition leaves open follows the rule book: the games of a sitting, and who may take part.
    """
    raw = dict(definition)
    base = raw.pop("base", None)
    if base is not None:
        usual = msgspec.to_builtins(preset(str(base), rules))
        if "book" in raw:
            del usual["book_version"]  # Of another book.
        raw = {**usual, **raw}
        if "id" not in definition or raw["id"] in PRESETS:
            raise _bad("id", "own_id")
    return _read(raw, rules)


def load_format(path: Path, rules: RuleBook | None = None) -> Format:
    """A format from a TOML file, which may name the file of a house book. Raises ChampionshipError."""
    try:
        definition = parse_toml(path.read_text(encoding="utf-8"))
        named = definition.get("book")
        if rules is None and isinstance(named, str) and named.endswith(".toml"):
            found = load_house_book(path.parent / named)
            definition |= {"book": found.id, "book_version": found.version, "house": found.house}
            definition["book_options"] = {**found.options, **definition.get("book_options", {})}
    except OSError as error:
        raise ChampionshipError("no_file", file=str(path), why=error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise ChampionshipError(
            "no_file", file=str(path), why=Message("championship.error.not_utf8")
        ) from None
    except DecodeError as error:
        raise ChampionshipError("no_file", file=str(path), why=because(error)) from None
    except BookError as error:
        raise ChampionshipError("bad_format", "book", why=because(error)) from None
    return read_format(definition, rules)


def _read(raw: dict[str, Any], rules: RuleBook | None) -> Format:
    """A complete format from a definition that need not say everything. Raises ChampionshipError.

    A book without a version is the present one, which the format then names.
    """
    if rules is not None:
        raw = raw | {"book": rules.id, "book_version": rules.version, "book_options": rules.options}
        raw |= {"house": rules.house} if rules.house is not None else {}
    else:
        raw = _as_of_today(raw)
        rules = _convert(
            {"id": "", "version": "", "name": {}, "about": {}, "stages": []} | _book_of(raw)
        ).rules()
    own = rules.tournament
    conditions = {"citizens_only": own.citizens_only, "not_twice_running": own.not_twice_running}
    id = raw.get("id")
    is_preset = id in PRESETS
    about = Text.of_message(f"championship.preset.{id}.about") if is_preset else Text.of("")
    name = Text.of_message(f"championship.preset.{id}.name") if is_preset else Text.of(str(id))
    stages = raw.get("stages")
    if isinstance(stages, list | tuple):
        stages = [
            {"games": own.games_per_round, **each, "name": _stage_name(each)}
            if isinstance(each, Mapping)
            else each
            for each in stages
        ]
    filled = {"name": _text(raw.get("name"), "name", name), "about": _text(raw.get("about"), "about", about)}
    return checked(_convert({"conditions": conditions, **raw, **filled, "stages": stages}))


def _as_of_today(raw: dict[str, Any]) -> dict[str, Any]:
    """A definition with the version of its book, or of its house book's base, where it names none."""
    name, house = raw.get("book", _PLAYED_BOOK), raw.get("house")
    if isinstance(house, Mapping) and house.get("base") in BOOK_IDS:
        return {**raw, "house": {"base_version": versions(house["base"])[0], **house}}
    return {"book_version": versions(name)[0], **raw} if house is None and name in BOOK_IDS else raw


def _book_of(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {key: raw[key] for key in ("book", "book_version", "book_options", "house") if key in raw}


def _stage_name(stage: Mapping[str, Any]) -> dict[str, str]:
    id = str(stage.get("id"))
    number = id.removeprefix("round")
    if has_message(f"championship.preset.stage.{id}"):
        usual = Text.of_message(f"championship.preset.stage.{id}")
    elif number.isdigit():
        round_name = "championship.preset.stage.round"
        usual = Text.of({code: message(round_name, code, number=number) for code in languages()})
    else:
        usual = Text.of(id)
    return _text(stage.get("name"), f"stages.{id}.name", usual)


def _text(given: object, place: str, usual: Text) -> dict[str, str]:
    """A text as a definition gives it: one for all languages, or one for each that it knows."""
    plain: dict[str, str] = msgspec.to_builtins(usual)
    if given is None:
        return plain
    texts = {DEFAULT: given} if isinstance(given, str) else given
    if (
        not isinstance(texts, Mapping)
        or not texts
        or not all(isinstance(text, str) for text in texts.values())
    ):
        raise _bad(place, "name")
    plain = msgspec.to_builtins(Text.of(texts))
    return plain


def _convert(raw: Mapping[str, Any]) -> Format:
    try:
        return convert(raw, Format)
    except DecodeError as error:
        raise ChampionshipError("bad_format", why=because(error)) from None
