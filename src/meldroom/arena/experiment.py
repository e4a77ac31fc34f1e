"""An experiment as a value: books, bots, who sits with whom, how many deals, and the seed."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

import meldroom.rules.library as library
from meldroom.rules.book import BookRef, RuleBook

Format = Literal["pairs", "tables"]
Conduct = Literal["printed", "competition"]
"""What an infringement costs in every book that does not say it itself (R68)."""

Parameter = str | int | float | bool


class BookEntry(msgspec.Struct, frozen=True):
    """A rule book of an experiment: what the results call it, the book itself, and how many deals."""

    name: str
    ref: BookRef
    deals: int

    def book(self) -> RuleBook:
        """The rule book, built from what the entry carries."""
        return library.resolve(self.ref)


class Entrant(msgspec.Struct, frozen=True):
    """A bot of an experiment: a level of the ladder or a Python class with its parameters, or a program."""

    name: str
    level: str = ""
    parameters: dict[str, Parameter] = {}
    command: tuple[str, ...] = ()
    seconds: float = 0.0
    python: str = ""


class LineUp(msgspec.Struct, frozen=True):
    """Who sits at a table, in order, before the seats are rotated."""

    name: str
    seats: tuple[str, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """Names that differ even where one bot sits there more than once."""
        names, sitting = [], dict.fromkeys(self.seats, 0)
        for name in self.seats:
            sitting[name] += 1
            names.append(f"{name} {sitting[name]}" if self.seats.count(name) > 1 else name)
        return tuple(names)


class Experiment(msgspec.Struct, frozen=True):
    """Everything that decides the results of a run, and nothing else."""

    title: str
    seed: str
    format: Format
    deals: int
    mirrored: bool
    books: tuple[BookEntry, ...]
    bots: tuple[Entrant, ...]
    line_ups: tuple[LineUp, ...]
    conduct: Conduct = "competition"

    def rotations(self, line_up: LineUp) -> int:
        """How many games a line-up plays on one deal."""
        return len(line_up.seats) if self.mirrored else 1

    @property
    def games(self) -> int:
        """How many games there are to play."""
        a_deal = sum(self.rotations(line_up) for line_up in self.line_ups)
        return a_deal * sum(entry.deals for entry in self.books)

    def entrant(self, name: str) -> Entrant:
        """The bot of a name."""
        return next(bot for bot in self.bots if bot.name == name)


def configuration(experiment: Experiment, version: str) -> dict[str, Any]:
    """The experiment in the shape of its configuration file, house books written out."""
    made: dict[str, Any] = {
        "meldroom": version,
        "title": experiment.title,
        "format": experiment.format,
        "seed": experiment.seed,
        "deals": experiment.deals,
        "mirrored": experiment.mirrored,
        "conduct": experiment.conduct,
        "books": [_book_table(entry, experiment.conduct) for entry in experiment.books],
        "bots": {bot.name: _bot_table(bot) for bot in experiment.bots},
    }
    if experiment.format == "tables":
        made["tables"] = [{"name": one.name, "seats": list(one.seats)} for one in experiment.line_ups]
    return made


def _book_table(entry: BookEntry, conduct: Conduct) -> dict[str, Any]:
    ref = entry.ref
    which: dict[str, Any] = {"id": f"{ref.id}@{ref.version}"} if ref.house is None else {"house": ref.house}
    chosen: dict[str, Any] = dict(ref.options)
    if conduct == "competition" and library.in_competition(entry.book()).ref != ref:
        chosen["conduct"] = "printed"  # A book's own first choice is not among its options.
    options = {"options": chosen} if chosen else {}
    return {"name": entry.name, **which, **options, "deals": entry.deals}


def _bot_table(bot: Entrant) -> dict[str, Any]:
    if bot.command:
        return {"command": list(bot.command), "seconds": bot.seconds}
    return {**({"python": bot.python} if bot.python else {"level": bot.level}), **bot.parameters}


def to_json(experiment: Experiment, version: str) -> bytes:
    """The configuration as JSON for people and programs; `meldroom arena` reads it back."""
    return msgspec.json.format(msgspec.json.encode(configuration(experiment, version)), indent=2) + b"\n"
