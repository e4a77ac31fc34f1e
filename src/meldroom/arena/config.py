"""Experiments from TOML or JSON files, decoded strictly: an error names the key and what would be right."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from meldroom.arena.errors import ArenaError, listed, suggestion
from meldroom.arena.experiment import (
    BookEntry,
    Conduct,
    Entrant,
    Experiment,
    Format,
    LineUp,
    Parameter,
)
from meldroom.bots.levels import LEVELS
from meldroom.decode import DecodeError, convert, decode_json, parse_toml
from meldroom.errors import quote
from meldroom.i18n import Message
from meldroom.rules.book import BookRef, RuleBook
from meldroom.rules.library import (
    FIRST_VERSION,
    BookError,
    OptionValue,
    book,
    house_book,
    in_competition,
    kept_house_book,
    load_house_book,
    with_options,
)

MOST_DEALS = 1_000_000
MOST_GAMES = 10_000_000
LONGEST_LINE = 80
LONGEST_NAME = 200
LONGEST_FILE = 1_000_000
LONGEST_SHOWN = 60

MOST_BOTS = 100
LONGEST_TEXT = 200
LARGEST_NUMBER = 2**53
SECONDS = 5.0
MOST_SECONDS = 600

_PYTHON_CLASS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*\Z")
_BOT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}\Z")


class _Book(msgspec.Struct, forbid_unknown_fields=True):
    id: str | None = None
    file: str | None = None
    house: dict[str, Any] | None = None
    options: dict[str, str | int | bool] = {}
    name: str | None = None
    deals: int | None = None


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    seats: list[str]
    name: str | None = None


class _Form(msgspec.Struct, forbid_unknown_fields=True):
    books: list[str | _Book]
    bots: Any
    deals: int
    seed: str | int
    format: Format = "pairs"
    tables: list[list[str] | _Table] = []
    title: str = ""
    mirrored: bool = True
    conduct: Conduct | None = None
    meldroom: str = ""

    def played_as(self) -> Conduct:
        """What an infringement costs; what was stored before there was a choice is as printed."""
        return self.conduct or ("printed" if self.meldroom else "competition")


_KNOWN = {
    "": _Form.__struct_fields__,
    "books": _Book.__struct_fields__,
    "tables": _Table.__struct_fields__,
}


def load(path: Path | str) -> Experiment:
    """The experiment in a file, TOML or (named .json) JSON. Raises ArenaError, which names the key.

    House books it refers to are sought beside it.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ArenaError("error.unreadable", str(path), reason=error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        raise ArenaError("error.file", str(path), reason=DecodeError.of(error).as_message()) from None
    return loads(text, json=path.suffix == ".json", folder=path.parent)


def loads(text: str, *, json: bool = False, folder: Path | None = None) -> Experiment:
    """The experiment in a text. Raises ArenaError."""
    try:
        given: Any = decode_json(text, object) if json else parse_toml(text, LONGEST_FILE)
    except DecodeError as error:
        raise ArenaError("error.file", reason=error.as_message()) from None
    return read(given, folder)


def read(given: Mapping[str, Any], folder: Path | None = None) -> Experiment:
    """The experiment that a table of keys describes. Raises ArenaError, which names the key."""
    form = _form(given)
    _check_number("deals", form.deals)
    entries = _books(form, folder or Path())
    bots = _bots(form.bots)
    names = [bot.name for bot in bots]
    seed = _line("seed", str(form.seed) if _fits(form.seed) else "\n", LONGEST_LINE)
    experiment = Experiment(
        title=_line("title", form.title, LONGEST_LINE),
        seed=seed,
        format=form.format,
        deals=form.deals,
        mirrored=form.mirrored,
        books=tuple(entry for entry, _ in entries),
        bots=bots,
        line_ups=_line_ups(form, names),
        conduct=form.played_as(),
    )
    for place, line_up in enumerate(experiment.line_ups):
        for entry, rules in entries:
            _check_players(rules, entry.name, len(line_up.seats), _seats_place(form, place))
    if experiment.games > MOST_GAMES:
        raise ArenaError("error.too_many_games", "deals", count=experiment.games, most=MOST_GAMES)
    return experiment


def _fits(seed: str | int) -> bool:
    """True for a seed that can be written down: a text, or a number of a sensible length."""
    return isinstance(seed, str) or abs(seed) < 10**LONGEST_NAME


def _form(given: Mapping[str, Any]) -> _Form:
    if not isinstance(given, Mapping):
        raise ArenaError("error.not_a_table")
    try:
        return convert(dict(given), _Form)
    except DecodeError as error:
        raise _refusal(error) from None
    except (ValueError, TypeError):
        raise ArenaError("error.not_a_table") from None


def _refusal(error: DecodeError) -> ArenaError:
    """What the decoder objects to, with what the key needs."""
    place = error.where
    part = re.sub(r"\[.*", "", place)
    field = str(error.details.get("field", ""))
    if error.code == "missing":
        return ArenaError("error.missing", _joined(place, field), need=Message(f"arena.need.{field}"))
    if error.code == "unknown":
        known = _KNOWN[part]
        hint = suggestion(field, known)
        return ArenaError("error.unknown_key", _joined(place, field), hint=hint, known=listed(known))
    key = re.sub(r"\[[^\]]*\]", "", place).rpartition(".")[2]
    if re.fullmatch(r"books\[\d+\]", place):
        key = "book"
    if part == "tables" and key != "name" and place != "tables":
        key = "seats"
    return ArenaError(f"need.{key}" if key else "error.not_a_table", place.replace("[...]", ""))


def _joined(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _line(key: str, text: str, longest: int) -> str:
    """A text of one line. Raises ArenaError."""
    if len(text) > longest or not text.isprintable():
        raise ArenaError(f"need.{key.rpartition('.')[2]}", key)
    return text


def _check_number(place: str, deals: int) -> None:
    if not 1 <= deals <= MOST_DEALS:
        raise ArenaError("need.deals", place)


def _books(form: _Form, folder: Path) -> list[tuple[BookEntry, RuleBook]]:
    if not form.books:
        raise ArenaError("need.books", "books")
    entries: list[tuple[BookEntry, RuleBook]] = []
    for index, given in enumerate(form.books):
        place = f"books[{index}]"
        table = _Book(id=given) if isinstance(given, str) else given
        rules = _rules(table, place, folder, stored=bool(form.meldroom))
        if form.played_as() == "competition":
            rules = in_competition(rules, table.options)
        name = rules.id if table.name is None else _name(f"{place}.name", table.name)
        options = _named_options(rules, form.played_as())
        if table.name is None and options:
            chosen = ", ".join(f"{key}={str(value).lower()}" for key, value in options.items())
            name = f"{rules.id} {chosen}"
        if any(entry.name == name for entry, _ in entries):
            raise ArenaError("error.same_book", place, name=name)
        deals = form.deals if table.deals is None else table.deals
        _check_number(f"{place}.deals", deals)
        entries.append((BookEntry(name, rules.ref, deals), rules))
    return entries


def _named_options(rules: RuleBook, conduct: Conduct) -> dict[str, OptionValue]:
    """The options that a book's entry is named after: of its conduct only what differs from the others'."""
    named = {key: value for key, value in rules.options.items() if key != "conduct"}
    if "conduct" in rules.option_list and rules.penalty.conduct != conduct:
        named["conduct"] = rules.penalty.conduct
    return named


def _rules(table: _Book, place: str, folder: Path, *, stored: bool) -> RuleBook:
    """The rule book that an entry names, brings along, or has in a file. Raises ArenaError.

    Where the program itself has `stored` a book without a version, it is the first.
    """
    if [table.id, table.file, table.house].count(None) != 2:
        raise ArenaError("need.one_of", place)
    try:
        if table.id is not None:
            named = f"{table.id}@{FIRST_VERSION}" if stored and "@" not in table.id else table.id
            return _portable(book(named, table.options), place)
        if table.house is not None:
            made = kept_house_book(table.house) if stored else house_book(table.house)
        else:
            made = load_house_book(folder / str(table.file))
        return _portable(with_options(made, table.options) if table.options else made, place)
    except BookError as error:
        raise ArenaError("error.book", place, reason=str(error)) from None
    except (OverflowError, RecursionError, ValueError, TypeError) as error:
        # A house book that no file can hold: a number too large, a date, a text with half a character.
        if isinstance(error, ArenaError):
            raise
        raise ArenaError("need.house", place) from None


def _portable(rules: RuleBook, place: str) -> RuleBook:
    """The book, if its definition survives the way to another process. Raises ArenaError."""
    sent = msgspec.json.encode(rules.ref)
    if msgspec.json.decode(sent, type=BookRef) != rules.ref:
        raise ArenaError("need.house", place)
    return rules


def _name(place: str, text: str) -> str:
    if not text.strip():
        raise ArenaError("need.name", place)
    return _line(place, text, LONGEST_NAME)


def _line_ups(form: _Form, names: Sequence[str]) -> tuple[LineUp, ...]:
    if form.format == "pairs":
        if form.tables:
            raise ArenaError("error.unused_tables", "tables")
        if len(names) < 2:
            raise ArenaError("error.two_bots", "bots")
        return tuple(LineUp(f"{one} / {other}", (one, other)) for one, other in combinations(names, 2))
    if not form.tables:
        raise ArenaError("need.tables", "tables")
    made: list[LineUp] = []
    for index, given in enumerate(form.tables):
        table = _Table(seats=given) if isinstance(given, list) else given
        place = _seats_place(form, index)
        if len(table.seats) < 2:
            raise ArenaError("need.seats", place)
        for name in table.seats:
            if name not in names:
                hint, shown = suggestion(name, names), quote(name, LONGEST_SHOWN)
                raise ArenaError("error.no_such_bot", place, name=shown, hint=hint, known=listed(names))
        named = _describe(table.seats) if table.name is None else _name(f"tables[{index}].name", table.name)
        if any(line_up.name == named for line_up in made):
            raise ArenaError("error.same_table", f"tables[{index}]", name=named)
        made.append(LineUp(named, tuple(table.seats)))
    return tuple(made)


def _seats_place(form: _Form, index: int) -> str:
    """Where the configuration says who sits at a table."""
    if form.format == "pairs":
        return "format"
    return f"tables[{index}]" if isinstance(form.tables[index], list) else f"tables[{index}].seats"


def _describe(seats: Sequence[str]) -> str:
    """A line-up in a few words: `master / 3 patient`."""
    counts = {name: seats.count(name) for name in seats}
    return " / ".join(name if count == 1 else f"{count} {name}" for name, count in counts.items())


def _check_players(rules: RuleBook, name: str, count: int, place: str) -> None:
    least, most = rules.players.minimum, rules.players.maximum
    if not least <= count <= most:
        raise ArenaError("error.players", place, count=count, book=name, minimum=least, maximum=most)


def _bots(given: Any) -> tuple[Entrant, ...]:
    """The bots of a configuration: a list of levels, or a table for each. Raises ArenaError."""
    if isinstance(given, list) and given and all(isinstance(name, str) for name in given):
        for index, name in enumerate(given):
            if name not in LEVELS:
                raise ArenaError("need.level", f"bots[{index}]", levels=tuple(LEVELS))
            if name in given[:index]:
                raise ArenaError("error.same_bot", f"bots[{index}]", name=name)
        return tuple(Entrant(name, name) for name in given)
    if not isinstance(given, Mapping) or not 1 <= len(given) <= MOST_BOTS:
        raise ArenaError("need.bots", "bots")
    return tuple(_bot(name, table) for name, table in given.items())


def _bot(name: Any, table: Any) -> Entrant:
    if not isinstance(name, str) or not _BOT_NAME.match(name):
        raise ArenaError("need.bot_name", f"bots.{quote(str(name), LONGEST_SHOWN)}")
    place = f"bots.{name}"
    if not isinstance(table, Mapping):
        raise ArenaError("need.bot", place)
    if "command" in table:
        return _program(name, table, place)
    if "python" in table:
        return _python_class(name, table, place)
    level = table.get("level", name)
    if not isinstance(level, str) or level not in LEVELS:
        code, where = (
            ("need.level", f"{place}.level") if "level" in table else ("need.level_or_command", place)
        )
        raise ArenaError(code, where, levels=tuple(LEVELS))
    known = LEVELS[level].parameters
    parameters: dict[str, Parameter] = {}
    for key, value in table.items():
        if key == "level":
            continue
        if key not in known:
            where = f"{place}.{quote(str(key), LONGEST_SHOWN)}"
            raise ArenaError("error.no_parameter", where, level=level, known=listed(known))
        parameters[key] = _parameter(value, f"{place}.{key}")
    return Entrant(name, level, parameters)


def _parameter(value: Any, place: str) -> Parameter:
    """A value that a file can hold and a bot may understand. Raises ArenaError."""
    if isinstance(value, str) and len(value) <= LONGEST_TEXT and value.isprintable():
        return value
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and math.isfinite(value) and abs(value) <= LARGEST_NUMBER:
        return value
    raise ArenaError("need.parameter", place)


def _python_class(name: str, table: Mapping[str, Any], place: str) -> Entrant:
    """A class of somebody's own; what else the table says are its parameters. Raises ArenaError."""
    reference = table["python"]
    if not isinstance(reference, str) or len(reference) > LONGEST_TEXT or not _PYTHON_CLASS.match(reference):
        raise ArenaError("need.python", f"{place}.python")
    parameters: dict[str, Parameter] = {}
    for key, value in table.items():
        if key in ("level", "seconds") or not str(key).isidentifier():
            where = f"{place}.{quote(str(key), LONGEST_SHOWN)}"
            raise ArenaError("error.not_with_python", where)
        if key != "python":
            parameters[key] = _parameter(value, f"{place}.{key}")
    return Entrant(name, parameters=parameters, python=reference)


def _program(name: str, table: Mapping[str, Any], place: str) -> Entrant:
    for key in table:
        if key not in ("command", "seconds"):
            where = f"{place}.{quote(str(key), LONGEST_SHOWN)}"
            raise ArenaError("error.unknown_key", where, hint="", known=("command", "seconds"))
    command = table["command"]
    if (
        not isinstance(command, list)
        or not command
        or not all(isinstance(word, str) and word.isprintable() for word in command)
        or not command[0]
    ):
        raise ArenaError("need.command", f"{place}.command")
    seconds = table.get("seconds", SECONDS)
    if (
        isinstance(seconds, bool)
        or not isinstance(seconds, int | float)
        or not 0 < seconds <= MOST_SECONDS  # a number that is no number is refused here too
    ):
        raise ArenaError("need.seconds", f"{place}.seconds")
    return Entrant(name, command=tuple(command), seconds=float(seconds))
