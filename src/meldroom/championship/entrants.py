"""Entrants, and their list as a CSV file: every bad line is reported, and nothing is imported by halves."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache

import msgspec

from meldroom.championship.errors import ChampionshipError
from meldroom.i18n import Message, languages, message

LONGEST = 80
_MOST_EDITIONS = 1000


class Entrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A person who is entered, as the organiser's list says."""

    name: str
    country: str = ""
    """The country they play for; empty for a place of their own, like the online champion's."""
    citizenships: tuple[str, ...] = ()
    born: date | None = None
    editions: tuple[int, ...] | None = None
    """Editions that they have played; None if not known."""
    place: int | None = None
    """Their place in their country's ranking: the place of one who declines passes down it."""
    team: str = ""


class LineFault(msgspec.Struct, frozen=True):
    """What is wrong with a line of a list. Line 1 holds the titles."""

    line: int
    error: ChampionshipError


class EntrantList(msgspec.Struct, frozen=True):
    """A list as read: those that can be taken, and every fault."""

    entrants: tuple[Entrant, ...]
    faults: tuple[LineFault, ...]


_COLUMNS = ("name", "country", "citizenships", "born", "editions", "place", "team")


@cache
def columns_by_title() -> dict[str, str]:
    """The column that each title of a CSV file stands for, in every installed language."""
    return {
        title.strip(): column
        for column in _COLUMNS
        for language in languages()
        for title in message(f"championship.titles.{column}", language).split(",")
    }


def check_entrant(entrant: Entrant) -> Entrant:
    """The entrant, if the texts fit a line. Raises ChampionshipError."""
    for field in ("name", "country", "team", *entrant.citizenships):
        text = getattr(entrant, field) if field in ("name", "country", "team") else field
        if len(text) > LONGEST or (text and (not text.isprintable() or text != text.strip())):
            raise ChampionshipError("bad_text", text=text, most=LONGEST)
    if not entrant.name:
        raise ChampionshipError("no_name")
    if entrant.place is not None and entrant.place < 1:
        raise ChampionshipError("bad_number", column="place", text=str(entrant.place))
    return entrant


def parse_entrants(text: str, known: Iterable[str] = ()) -> EntrantList:
    """A list of entrants from CSV text with a line of titles; commas, semicolons or tabs between columns.

    `known` are names that are taken already. Editions and citizenships are separated by spaces or “/”.
    """
    text = text.removeprefix("\ufeff")
    titles_line = text.partition("\n")[0]
    delimiter = max(",;\t", key=titles_line.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    faults: list[LineFault] = []
    try:
        titles = [title.strip().lower() for title in next(reader, [])]
    except csv.Error as error:
        return EntrantList((), (LineFault(1, ChampionshipError("bad_csv", why=str(error))),))
    fields = [columns_by_title().get(title) for title in titles]
    faults += [LineFault(1, error) for error in _title_faults(titles, fields)]
    found: list[Entrant] = []
    place = dict.fromkeys(known, Message("championship.list.entered"))
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
            if not any(cell.strip() for cell in row):
                continue
            entrant = check_entrant(_entrant(row, fields))
            if entrant.name in place:
                raise ChampionshipError("name_twice", name=entrant.name, place=place[entrant.name])
            place[entrant.name] = Message("championship.list.line", {"line": line})
            found.append(entrant)
        except StopIteration:
            break
        except csv.Error as error:
            faults.append(LineFault(line, ChampionshipError("bad_csv", why=str(error))))
            break
        except ChampionshipError as error:
            faults.append(LineFault(line, error))
    if not found and not faults:
        faults.append(LineFault(1, ChampionshipError("empty_list")))
    return EntrantList(tuple(found), tuple(faults))


def _title_faults(titles: Sequence[str], fields: Sequence[str | None]) -> list[ChampionshipError]:
    """What is wrong with the line of titles: a column unknown, twice, or missing."""
    titles_of = (message(f"championship.titles.{column}") for column in _COLUMNS)
    known = ", ".join(each.split(",")[0] for each in titles_of)
    faults = [
        ChampionshipError("unknown_column", column=title, columns=known)
        for title, field in zip(titles, fields, strict=True)
        if field is None
    ]
    taken = [field for field in fields if field is not None]
    faults += [
        ChampionshipError("column_twice", column=field) for field in _COLUMNS if taken.count(field) > 1
    ]
    if "name" not in taken:
        faults.append(ChampionshipError("unknown_column", column="name", columns=known))
    return faults


def _entrant(row: Sequence[str], fields: Sequence[str | None]) -> Entrant:
    """One line. Raises ChampionshipError."""
    if len(row) != len(fields):
        raise ChampionshipError("wrong_cells", cells=len(row), columns=len(fields))
    cells = {field: cell.strip() for field, cell in zip(fields, row, strict=True) if field is not None}
    words = {key: cells.get(key, "").replace("/", " ").split() for key in ("citizenships", "editions")}
    return Entrant(
        name=cells.get("name", ""),
        country=cells.get("country", ""),
        citizenships=tuple(words["citizenships"]),
        born=_date(cells.get("born", "")),
        editions=tuple(_number("editions", word) for word in words["editions"] if word not in ("-", "–"))
        if words["editions"]
        else None,
        place=_number("place", cells["place"]) if cells.get("place") else None,
        team=cells.get("team", ""),
    )


def _date(text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ChampionshipError("bad_date", text=text) from None


def _number(column: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text[:6]) <= _MOST_EDITIONS):
        raise ChampionshipError("bad_number", column=column, text=text)
    return int(text)
