"""`meldroom seat`: seating for a field of players."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

import msgspec
import typer
from rich.cells import cell_len

from meldroom.championship.entrants import columns_by_title
from meldroom.championship.seating import Announcement, Seating, announce, drawn, entry, seating
from meldroom.championship.seating.raffle import ApartIn
from meldroom.championship.seating.request import answer
from meldroom.championship.seating.types import TableSize
from meldroom.cli.json_lines import answer_lines
from meldroom.cli.options import Book, JsonLines, Lang, Options, load_book, refuse
from meldroom.cli.tile_colours import console
from meldroom.decode import DecodeError, decode_json
from meldroom.game import new_secret
from meldroom.i18n import Language, Value, message
from meldroom.rules.requests import DEFAULT_BOOK


def seat(
    players: Annotated[
        list[str] | None, typer.Argument(help="How many players, or their names, or a CSV file of names.")
    ] = None,
    sittings: Annotated[int, typer.Option("--sittings", help="How many sittings.")] = 4,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Any text; the same text gives the same seating.")
    ] = None,
    word: Annotated[
        list[str] | None,
        typer.Option("--word", help="A word from the hall to add to the draw; repeat for more."),
    ] = None,
    apart: Annotated[
        list[str] | None, typer.Option("--apart", metavar="NAME,NAME", help="Players kept apart.")
    ] = None,
    apart_by: Annotated[
        str | None,
        typer.Option("--apart-by", metavar="COLUMN", help="Keep apart players who share this column."),
    ] = None,
    apart_in: Annotated[
        ApartIn, typer.Option("--apart-in", help="Keep them apart in the first sitting or in all.")
    ] = "all",
    announcement: Annotated[
        Path | None, typer.Option("--announce", help="Write what to publish before the draw, and end.")
    ] = None,
    published: Annotated[
        Path | None, typer.Option("--published", help="Draw for an announcement, with its seed.")
    ] = None,
    book: Book = DEFAULT_BOOK,
    option: Options = None,
    table_size: Annotated[
        int | None,
        typer.Option("--table-size", show_default="the book's", help="Players at a full table."),
    ] = None,
    lang: Lang = "en",
    jsonl: JsonLines = False,
) -> None:
    """Seat players: who sits where in every sitting, with as few repeated opponents as possible.

    Tables have as many players as the rule book says, usually four, or one fewer where the number requires
    it. At tables of four, four sittings of 13 or more players repeat no opponent.

    \b
    Examples:
      meldroom seat 33
      meldroom seat 16 --sittings 5 --seed "dice: 4 2 6"
      meldroom seat Ada Bo Chi Dee Eve Fay Gus Hal --apart Ada,Bo
      meldroom seat entrants.csv --apart-by country --apart-in first
      meldroom seat entrants.csv --announce draw.json
      meldroom seat --published draw.json --seed "the seed that was kept" --word "4 2 6"
      meldroom seat 27 --table-size 3
      meldroom seat 27 --book house.toml
      meldroom seat --jsonl < fields.jsonl
    """
    size = TableSize.of(load_book(book, option)) if table_size is None else TableSize.at_most(table_size)
    if jsonl:
        answer_lines(partial(answer, size=size), lang)
        return
    if published is not None:
        if seed is None:
            _refuse("no_seed", lang)
        _print(drawn(_read_announcement(published, lang), seed, word or [], size), seed, size, lang)
        return
    field, groups = _field(players or [], apart_by, lang)
    groups += [[name.strip() for name in group.split(",")] for group in apart or []]
    chosen = new_secret() if seed is None else seed
    if announcement is not None:
        made = announce(entry(field, sittings, groups, apart_in, size), chosen)
        announcement.write_bytes(msgspec.json.encode(made) + b"\n")
        typer.echo(_text("announced", lang, file=str(announcement), seed=chosen))
        return
    found = seating(field, sittings, chosen, apart=groups, apart_in=apart_in, words=word or [], size=size)
    _print(found, chosen, size, lang)


def _text(key: str, language: Language, **values: Value) -> str:
    return message(f"seating.command.{key}", language, **values)


def _refuse(key: str, language: Language, **values: Value) -> NoReturn:
    refuse("seat", _text(key, language, **values))


def _field(
    given: Sequence[str], apart_by: str | None, language: Language
) -> tuple[int | list[str], list[list[str]]]:
    """The number or names of players, and the groups that a column of their file makes."""
    if not given:
        _refuse("no_players", language)
    (first, *others) = given
    if others:
        return list(given), []
    if first.isascii() and first.isdigit() and len(first) < 10:
        return int(first), []
    return _read_names(Path(first), apart_by, language)


def _read_names(file: Path, apart_by: str | None, language: Language) -> tuple[list[str], list[list[str]]]:
    """Names from the column `name`, or else the first, and groups of who share a value of another column."""
    try:
        rows = [row for row in csv.reader(file.read_text(encoding="utf-8-sig").splitlines()) if any(row)]
    except UnicodeDecodeError:
        _refuse("no_file", language, file=str(file), reason=_text("not_utf8", language))
    except (OSError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        _refuse("no_file", language, file=str(file), reason=reason)
    titles = [title.strip().lower() for title in rows[0]] if rows else []
    named = [place for place, title in enumerate(titles) if columns_by_title().get(title) == "name"]
    column = named[0] if named else 0
    people = rows[1:] if named else rows
    if not people:
        _refuse("no_names", language, file=str(file))
    names = [row[column].strip() if column < len(row) else "" for row in people]
    if apart_by is None:
        return names, []
    if not named or apart_by.lower() not in titles:
        listed = ", ".join(rows[0] if named else [])
        _refuse("no_column", language, file=str(file), column=apart_by, columns=listed or "–")
    place = titles.index(apart_by.lower())
    groups: dict[str, list[str]] = {}
    for name, row in zip(names, people, strict=True):
        if place < len(row) and row[place].strip():
            groups.setdefault(row[place].strip(), []).append(name)
    return names, [group for group in groups.values() if len(group) > 1]


def _read_announcement(file: Path, language: Language) -> Announcement:
    try:
        return decode_json(file.read_bytes(), Announcement)
    except OSError as error:
        _refuse("no_file", language, file=str(file), reason=error.strerror or str(error))
    except DecodeError as error:
        _refuse("bad_announcement", language, file=str(file), reason=error.message(language))


def _print(found: Seating, seed: str, size: TableSize, language: Language) -> None:
    screen = console()
    text = partial(_text, language=language)
    for number, (sitting, out) in enumerate(zip(found.named(), found.sitting_out(), strict=True), start=1):
        screen.print(text("sitting", number=number), style="bold")
        for line in _lines(sitting, language):
            screen.print(line, markup=False)
        if out:
            names = tuple(found.players[player] for player in out)
            screen.print(text("out", names=names), markup=False)
        screen.print()
    proof = text("proven" if found.bound is not None else "unproven")
    screen.print(text("repeats", repeats=found.repeats, proof=proof))
    screen.print(text("uneven" if found.seat_deviation else "seats", number=found.seat_deviation))
    screen.print(text("revisits", number=found.table_revisits))
    if found.most_short_tables:
        screen.print(text("shorts", seats=size.short, number=found.most_short_tables))
    screen.print(text("seed", seed=seed), markup=False)


def _lines(sitting: Sequence[Sequence[str]], language: Language) -> list[str]:
    """The tables of a sitting in columns: the table's number, then its seats."""
    seats = range(1, 1 + max(len(table) for table in sitting))
    rows = [
        [_text("table", language), *(_text("seat", language, number=number) for number in seats)],
        *([str(number), *table] for number, table in enumerate(sitting, start=1)),
    ]
    widths = [max(cell_len(row[place]) for row in rows if place < len(row)) for place in range(len(rows[0]))]
    return [
        "  ".join(_padded(text, width, right=not place) for place, (text, width) in enumerate(cells)).rstrip()
        for cells in (list(zip(row, widths, strict=False)) for row in rows)
    ]


def _padded(text: str, width: int, *, right: bool) -> str:
    """A cell of a column; letters may be wide."""
    space = " " * (width - cell_len(text))
    return space + text if right else text + space
