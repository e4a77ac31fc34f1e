"""Entrants, and their list as a CSV file: every bad line is reported, and nothing is imported by halves."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from typing import Literal

import msgspec

from meldroom.championship.countries import country_of, is_unknown_code
from meldroom.championship.errors import ChampionshipError
from meldroom.i18n import Message, languages, message

LONGEST = 80
DateOrder = Literal["dmy", "mdy"]
"""Whether the day or the month comes first in a date such as 01/02/1990."""
_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\Z")
_MOST_EDITIONS = 1000
NONE = ("-", "–")
"""What says in a list that there is none: no editions, no country."""


class Entrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A person who is entered, as the organiser's list says."""

    name: str
    country: str = ""
    """The country they play for; empty if it is not known, or if they represent none."""
    citizenships: tuple[str, ...] = ()
    born: date | None = None
    editions: tuple[int, ...] | None = None
    """Editions that they have played; None if not known."""
    place: int | None = None
    """Their place in their country's ranking: the place of one who declines passes down it."""
    team: str = ""
    last_country: str = ""
    """The country they represented at the edition before; empty if not known, or if they did not play."""
    no_country: bool = False
    """Whether they are entered as representing no country, so that its conditions do not apply (R70)."""
    more: tuple[tuple[str, str], ...] = ()
    """Columns of the list that the program does not know, with what stood in them."""


class LineFault(msgspec.Struct, frozen=True):
    """What is wrong with a line of a list. Line 1 holds the titles."""

    line: int
    error: ChampionshipError


class EntrantList(msgspec.Struct, frozen=True):
    """A list as read: those that can be taken, and every fault."""

    entrants: tuple[Entrant, ...]
    faults: tuple[LineFault, ...]
    notices: tuple[Message, ...] = ()
    """What to know before it is taken: columns that are kept as they are, codes that no country has."""


_COLUMNS = ("name", "country", "citizenships", "born", "editions", "place", "team", "last_country")


@cache
def columns_by_title() -> dict[str, str]:
    """The column that each title of a CSV file stands for, in every installed language."""
    return {
        title.strip(): column
        for column in _COLUMNS
        for language in languages()
        for title in message(f"championship.titles.{column}", language).split(",")
    }


def normal(entrant: Entrant) -> Entrant:
    """The entrant with countries as they are always written."""
    return msgspec.structs.replace(
        entrant,
        country=country_of(entrant.country),
        citizenships=tuple(map(country_of, entrant.citizenships)),
        last_country=country_of(entrant.last_country),
    )


def decode_list(data: bytes) -> tuple[str, str]:
    """The text of a file, and the encoding if that had to be guessed. Raises ChampionshipError.

    UTF-8, UTF-16 with its mark, or else Windows' Western letters, which old spreadsheets write.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace"), ""
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        raise ChampionshipError("lost_letters", text="…") from None
    if any(not (letter.isprintable() or letter in "\r\n\t") for letter in text):
        raise ChampionshipError("lost_letters", text="…")
    return text, "cp1252"


def check_entrant(entrant: Entrant) -> Entrant:
    """The entrant, if the texts fit a line. Raises ChampionshipError."""
    for field in ("name", "country", "team", "last_country", *entrant.citizenships):
        text = getattr(entrant, field) if field in ("name", "country", "team", "last_country") else field
        if len(text) > LONGEST or (text and (not text.isprintable() or text != text.strip())):
            raise ChampionshipError("bad_text", text=text, most=LONGEST)
    for title, text in entrant.more:
        if not text.isprintable() or len(title) > LONGEST or len(text) > 4 * LONGEST:
            raise ChampionshipError("bad_text", text=text, most=4 * LONGEST)
    if not entrant.name:
        raise ChampionshipError("no_name")
    if entrant.no_country and entrant.country:
        raise ChampionshipError("country_and_none", name=entrant.name, country=entrant.country)
    if entrant.place is not None and entrant.place < 1:
        raise ChampionshipError("bad_number", column="place", text=str(entrant.place))
    return entrant


def parse_entrants(
    text: str, known: Iterable[str] = (), *, dates: DateOrder | None = None, similar: bool = False
) -> EntrantList:
    """A list of entrants from CSV text with a line of titles; commas, semicolons or tabs between columns.

    A plain list of names needs no titles. `known` are names that are taken already; `similar` lets names pass
    that differ from another only in capitals or spaces. `dates` is the order of days and months in dates such
    as 31/12/1990, which are refused without it. Editions and citizenships are separated by spaces or “/”.
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
    if len(titles) == 1 and fields == [None] and titles[0]:
        # No titles at all: a plain list of names.
        fields, titles = ["name"], ["name"]
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    shown = [title.strip() for title in next(csv.reader(io.StringIO(text), delimiter=delimiter), [])]
    notices = _kept_columns(shown, fields)
    faults += [LineFault(1, error) for error in _title_faults(titles, fields)]
    found: list[Entrant] = []
    place = dict.fromkeys(known, Message("championship.list.entered"))
    alike = {_plain(name): name for name in place}
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
            if not any(cell.strip() for cell in row):
                continue
            entrant = check_entrant(_entrant(row, fields, shown, dates))
            if entrant.name in place:
                raise ChampionshipError("name_twice", name=entrant.name, place=place[entrant.name])
            if (other := alike.get(_plain(entrant.name))) is not None and not similar:
                raise ChampionshipError("name_similar", name=entrant.name, other=other, place=place[other])
            alike[_plain(entrant.name)] = entrant.name
            for code in dict.fromkeys((entrant.country, *entrant.citizenships, entrant.last_country)):
                if is_unknown_code(code):
                    notices.append(Message("championship.list.no_country", {"code": code, "line": line}))
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
    return EntrantList(tuple(found), tuple(faults), tuple(notices))


def _plain(name: str) -> str:
    """A name without capitals and doubled spaces."""
    return " ".join(name.casefold().split())


def _kept_columns(titles: Sequence[str], fields: Sequence[str | None]) -> list[Message]:
    """A notice that names the columns which are not known, if there are any."""
    more = tuple(title for title, field in zip(titles, fields, strict=False) if field is None and title)
    return [Message("championship.list.more", {"columns": ", ".join(more)})] if more else []


def _title_faults(titles: Sequence[str], fields: Sequence[str | None]) -> list[ChampionshipError]:
    """What is wrong with the line of titles: a column unknown, twice, or missing."""
    titles_of = (message(f"championship.titles.{column}") for column in _COLUMNS)
    known = ", ".join(each.split(",")[0] for each in titles_of)
    faults = [
        ChampionshipError("unknown_column", column=title, columns=known)
        for title, field in zip(titles, fields, strict=True)
        if field is None and not title
    ]
    taken = [field for field in fields if field is not None]
    faults += [
        ChampionshipError("column_twice", column=field) for field in _COLUMNS if taken.count(field) > 1
    ]
    if "name" not in taken:
        faults.append(ChampionshipError("unknown_column", column="name", columns=known))
    return faults


def _entrant(
    row: Sequence[str], fields: Sequence[str | None], titles: Sequence[str], dates: DateOrder | None
) -> Entrant:
    """One line. Raises ChampionshipError."""
    for cell in row:
        if "\ufffd" in cell:
            raise ChampionshipError("lost_letters", text=cell.strip())
    if len(row) != len(fields):
        raise ChampionshipError("wrong_cells", cells=len(row), columns=len(fields))
    cells = {field: cell.strip() for field, cell in zip(fields, row, strict=True) if field is not None}
    more = tuple(
        (title, cell.strip())
        for title, field, cell in zip(titles, fields, row, strict=False)
        if field is None and title and cell.strip()
    )
    found = Entrant(
        name=cells.get("name", ""),
        country="" if cells.get("country") in NONE else cells.get("country", ""),
        no_country=cells.get("country") in NONE,
        citizenships=parse_words(cells.get("citizenships", "")),
        born=_date(cells.get("born", ""), dates),
        editions=parse_editions(cells.get("editions", "")),
        place=_number("place", cells["place"]) if cells.get("place") else None,
        team=cells.get("team", ""),
        last_country=cells.get("last_country", ""),
        more=more,
    )
    return normal(found)


def parse_words(text: str) -> tuple[str, ...]:
    """Words with spaces or “/” between."""
    return tuple(text.replace("/", " ").split())


def parse_editions(text: str) -> tuple[int, ...] | None:
    """Editions somebody has played; “–” is none, nothing at all is not known. Raises ChampionshipError."""
    words = parse_words(text)
    return tuple(_number("editions", word) for word in words if word not in NONE) if words else None


def _date(text: str, order: DateOrder | None) -> date | None:
    if not text:
        return None
    try:
        if (found := _DATE.match(text)) is None:
            return date.fromisoformat(text)
        if order is None:
            raise ChampionshipError("date_order", text=text)
        one, two, year = map(int, found.groups())
        return date(year, two, one) if order == "dmy" else date(year, one, two)
    except ChampionshipError:
        raise
    except ValueError:
        raise ChampionshipError("bad_date", text=text) from None


def _number(column: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text[:6]) <= _MOST_EDITIONS):
        raise ChampionshipError("bad_number", column=column, text=text)
    return int(text)
