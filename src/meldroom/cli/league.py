"""`meldroom league`: several championships in one table, and a rating list over them."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from meldroom.championship.log.export import csv_text
from meldroom.championship.text import columns
from meldroom.cli.options import Lang
from meldroom.i18n import Language, Value, locale, message
from meldroom.league import (
    EventResult,
    League,
    LeagueError,
    LeagueTable,
    RatingList,
    league_table,
    load_event,
    load_league,
    rate,
)
from meldroom.league.ratings import read_ratings

league = typer.Typer(
    name="league",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="""Count several championships together: a league's table, classes, a rating list.

    A league is a TOML file that names the events' logs or exports and says what counts.

    \b
    Examples:
      meldroom league check winter.toml
      meldroom league table winter.toml
      meldroom league table winter.toml --class juniors --csv > juniors.csv
      meldroom league ratings october.jsonl november.jsonl --out ratings.json
    """,
)

_NUMBER = re.compile(r"-?\d+")
Definition = Annotated[Path, typer.Argument(metavar="LEAGUE", help="The league's TOML file.")]
Csv = Annotated[bool, typer.Option("--csv", help="As a CSV file, which spreadsheets open.")]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON, with everything.")]


@league.command()
def check(file: Definition, lang: Lang = "en") -> None:
    """Read a league and all its events, and say what is wrong.

    \b
    Example:
      meldroom league check winter.toml
    """
    read = load_league(file)
    found = _counted(file, read)
    for id in read.classes:
        _counted(file, read, id)
    events = _line("events", lang, count=len(found.events))
    players = _line("players", lang, count=len(found.rows))
    typer.echo(_line("sound", lang, name=read.name[lang], events=events, players=players))
    _say_running(found, lang)


@league.command()
def table(
    file: Definition,
    class_id: Annotated[
        str | None, typer.Option("--class", metavar="CLASS", help="One class of the league only.")
    ] = None,
    csv: Csv = False,
    as_json: AsJson = False,
    lang: Lang = "en",
) -> None:
    """The league's table: the total of everybody, and what each event gave.

    \b
    Examples:
      meldroom league table winter.toml
      meldroom league table winter.toml --class newcomers
      meldroom league table winter.toml --csv > winter.csv
    """
    read = load_league(file)
    found = _counted(file, read, class_id)
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
        return
    rows = _table(found, lang, brackets=not csv)
    if csv:
        _write_csv(rows)
        return
    events = _line("events", lang, count=len(found.events))
    title = read.name[lang]
    if class_id is not None:
        name = read.classes[class_id].name
        title = _line("class", lang, **{"name": title, "class": name[lang] if name else class_id})
    typer.echo(_line("title", lang, name=title, events=events))
    for each in columns(rows, [0, *range(2, len(rows[0]))]) if found.rows else [_line("nobody", lang)]:
        typer.echo(each)
    if read.best is not None:
        typer.echo(_line("best", lang, count=read.best))
    _say_running(found, lang)


@league.command()
def ratings(
    events: Annotated[
        list[Path], typer.Argument(metavar="EVENT…", help="Logs or exports; a league's TOML names several.")
    ],
    start: Annotated[
        Path | None, typer.Option("--start", metavar="FILE", help="Go on from this rating list.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Keep the list here.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over an existing file.")] = False,
    csv: Csv = False,
    lang: Lang = "en",
) -> None:
    """A rating list over events: everybody's strength from every game, and how sure it is.

    The list is ordered by what a player's strength is at least, so that a newcomer has to play to be
    high up. Use it to seed an event: seat or pot players in its order.

    \b
    Examples:
      meldroom league ratings october.jsonl november.jsonl
      meldroom league ratings winter.toml --out ratings.json
      meldroom league ratings december.jsonl --start ratings.json --out new.json
    """
    if out is not None and out.exists() and not force:
        raise LeagueError("exists", file=str(out))
    found: list[EventResult] = []
    same: dict[str, str] = {}
    for path in events:
        if path.suffix == ".toml":
            read = load_league(path)
            found += _events(path, read.events)
            same |= read.same_person
        else:
            found.append(load_event(path))
    before = None if start is None else read_ratings(_bytes(start))
    made = rate([event for event in found if event.over], same, before)
    if out is not None:
        try:
            out.write_bytes(made.as_json())
        except OSError as error:
            raise LeagueError("no_file", file=str(out), why=error.strerror or str(error)) from None
        typer.echo(_line("written", lang, file=str(out)))
        typer.echo(_line("rated", lang, count=len(made.players)))
        return
    rows = _ratings(made, lang)
    if csv:
        _write_csv(rows)
        return
    for each in columns(rows, (0, 2, 3, 4)) if made.players else [_line("nobody", lang)]:
        typer.echo(each)


def _events(file: Path, names: Sequence[str]) -> list[EventResult]:
    return [load_event(file.parent / name) for name in names]


def _counted(file: Path, read: League, class_id: str | None = None) -> LeagueTable:
    return league_table(read, _events(file, read.events), _events(file, read.before), class_id)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise LeagueError("no_file", file=str(path), why=error.strerror or str(error)) from None


def _line(key: str, language: Language, **values: Value) -> str:
    return message(f"league.command.{key}", language, **values)


def _column(key: str, language: Language) -> str:
    return message(f"league.column.{key}", language)


def _table(found: LeagueTable, language: Language, *, brackets: bool) -> list[list[str]]:
    """The table with a column for each event; results that do not count stand in brackets."""
    dates = [event.date.isoformat() for event in found.events]
    rows = [[*(_column(key, language) for key in ("place", "player", "total", "played")), *dates]]
    for row in found.rows:
        cells = [""] * len(found.events)
        for one in row.results:
            cells[one.event] = str(one.value) if one.counts or not brackets else f"({one.value})"
        rows.append([str(row.place), row.person.name, str(row.total), str(row.played), *cells])
    return rows


def _ratings(made: RatingList, language: Language) -> list[list[str]]:
    titles = ("place", "player", "rating", "margin", "games", "last")
    rows = [[_column(key, language) for key in titles]]
    for place, one in enumerate(made.players, start=1):
        last = one.history[-1].event if one.history else ""
        rows.append([str(place), one.name, str(one.rating), str(one.margin), str(one.games), last])
    return rows


def _write_csv(rows: Sequence[Sequence[str]]) -> None:
    """Numbers as numbers: a spreadsheet takes text that begins with a minus for a formula."""
    cells = (tuple(int(cell) if _NUMBER.fullmatch(cell) else cell for cell in row) for row in rows[1:])
    sys.stdout.write(csv_text(tuple(rows[0]), cells))


def _say_running(found: LeagueTable, language: Language) -> None:
    if found.running:
        names = locale(language).list_and([event.name for event in found.running])
        typer.echo(_line("running", language, names=names), err=True)
