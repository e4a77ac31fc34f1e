"""Reads an experiment from a TOML or JSON file, strictly: a refusal names the key and what would be right."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from meldroom.arena.config_bots import read_bots
from meldroom.arena.experiment import BookEntry, Experiment, Format, LineUp
from meldroom.arena.messages import ArenaError, shown
from meldroom.rules.book import BookRef, RuleBook
from meldroom.rules.library import BookError, book, house_book, load_house_book, with_options

MOST_DEALS = 1_000_000
MOST_GAMES = 10_000_000
LONGEST_LINE = 80
LONGEST_NAME = 200
LONGEST_REASON = 300

_FIELD = re.compile(r"field `(.*)`")


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
    meldroom: str = ""


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
    except UnicodeDecodeError:
        raise ArenaError("error.not_utf8", str(path)) from None
    return loads(text, json=path.suffix == ".json", folder=path.parent)


def loads(text: str, *, json: bool = False, folder: Path | None = None) -> Experiment:
    """The experiment in a text. Raises ArenaError."""
    try:
        given: Any = msgspec.json.decode(text) if json else tomllib.loads(text)
    except (tomllib.TOMLDecodeError, msgspec.DecodeError, RecursionError, ValueError) as error:
        raise ArenaError(
            "error.not_json" if json else "error.not_toml", reason=shown(error, LONGEST_REASON)
        ) from None
    return read(given, folder)


def read(given: Mapping[str, Any], folder: Path | None = None) -> Experiment:
    """The experiment that a table of keys describes. Raises ArenaError, which names the key."""
    form = _form(given)
    _check_number("deals", form.deals)
    entries = _books(form, folder or Path())
    bots = read_bots(form.bots)
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
        return msgspec.convert(dict(given), _Form)
    except msgspec.ValidationError as error:
        raise _refusal(str(error)) from None
    except (OverflowError, RecursionError, ValueError, TypeError):
        raise ArenaError("error.not_a_table") from None


def _refusal(message: str) -> ArenaError:
    """msgspec's objection in the arena's own words."""
    reason, _, path = message.partition(" - at `$")
    place = path.removesuffix("`").lstrip(".")
    part = re.sub(r"\[.*", "", place)
    field = _FIELD.search(reason)
    if field is not None and "missing" in reason:
        return ArenaError("error.missing", _joined(place, field.group(1)), lacking=field.group(1))
    if field is not None and "unknown" in reason:
        known = _KNOWN[part]
        near = _near(field.group(1), known)
        listed = ", ".join(known)
        return ArenaError("error.unknown_key", _joined(place, shown(field.group(1))), near=near, known=listed)
    key = re.sub(r"\[[^\]]*\]", "", place).rpartition(".")[2]
    if re.fullmatch(r"books\[\d+\]", place):
        key = "book"
    if part == "tables" and key != "name" and place != "tables":
        key = "seats"
    return ArenaError(f"need.{key}" if key else "error.not_a_table", place.replace("[...]", ""))


def _joined(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _near(word: str, known: Iterable[str]) -> str:
    return next(iter(difflib.get_close_matches(word, list(known), n=1)), "")


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
        rules = _rules(table, place, folder)
        name = rules.id if table.name is None else _name(f"{place}.name", table.name)
        if table.name is None and rules.options:
            chosen = ", ".join(f"{key}={str(value).lower()}" for key, value in rules.options.items())
            name = f"{rules.id} {chosen}"
        if any(entry.name == name for entry, _ in entries):
            raise ArenaError("error.same_book", place, name=name)
        deals = form.deals if table.deals is None else table.deals
        _check_number(f"{place}.deals", deals)
        entries.append((BookEntry(name, rules.ref, deals), rules))
    return entries


def _rules(table: _Book, place: str, folder: Path) -> RuleBook:
    """The rule book that an entry names, brings along, or has in a file. Raises ArenaError."""
    if [table.id, table.file, table.house].count(None) != 2:
        raise ArenaError("need.one_of", place)
    try:
        if table.id is not None:
            return _portable(book(table.id, table.options), place)
        if table.house is not None:
            made = house_book(table.house)
        else:
            made = load_house_book(folder / str(table.file))
        return _portable(with_options(made, table.options) if table.options else made, place)
    except BookError as error:
        raise ArenaError("error.book", place, reason=shown(error, LONGEST_REASON)) from None
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
                known = ", ".join(names)
                near = _near(name, names)
                raise ArenaError("error.no_such_bot", place, name=shown(name), near=near, known=known)
        named = _spoken(table.seats) if table.name is None else _name(f"tables[{index}].name", table.name)
        if any(line_up.name == named for line_up in made):
            raise ArenaError("error.same_table", f"tables[{index}]", name=named)
        made.append(LineUp(named, tuple(table.seats)))
    return tuple(made)


def _seats_place(form: _Form, index: int) -> str:
    """Where the configuration says who sits at a table."""
    if form.format == "pairs":
        return "format"
    return f"tables[{index}]" if isinstance(form.tables[index], list) else f"tables[{index}].seats"


def _spoken(seats: Sequence[str]) -> str:
    """A line-up in a few words: `master / 3 patient`."""
    counts = {name: seats.count(name) for name in seats}
    return " / ".join(name if count == 1 else f"{count} {name}" for name, count in counts.items())


def _check_players(rules: RuleBook, name: str, count: int, place: str) -> None:
    least, most = rules.players.minimum, rules.players.maximum
    if not least <= count <= most:
        raise ArenaError("error.players", place, count=count, book=name, minimum=least, maximum=most)
