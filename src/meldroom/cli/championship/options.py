"""What the commands of `meldroom championship` share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from meldroom.championship import (
    Action,
    ChampionshipError,
    ChampionshipLog,
    ChampionshipState,
    Format,
    load_format,
    preset,
)
from meldroom.championship.entrants import LineFault
from meldroom.championship.formats.format import PRESETS
from meldroom.championship.roles import Role
from meldroom.championship.text import line
from meldroom.cli.options import load_book, parse_options
from meldroom.i18n import Language, Message
from meldroom.rules.book import RuleBook
from meldroom.rules.library import with_options

championship = typer.Typer(
    name="championship",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="""Run a championship over the board: entrants, draw, seating, results, standings, corrections.

    Everything is kept in one file, the championship's log, where nothing is ever overwritten.

    \b
    From start to finish:
      meldroom championship new open.jsonl --name "City Open" --by Olga
      meldroom championship import open.jsonl entrants.csv --by Olga
      meldroom championship check-in open.jsonl --all --by Chris --as check_in
      meldroom championship draw open.jsonl --announce --by Dana
      meldroom championship draw open.jsonl --reveal SEED --by Dana
      meldroom championship enter open.jsonl 1 1 35,-10,-5,-20 --by Sam --as scorer
      meldroom championship sign open.jsonl 1 --referee Rita --by Rita --as referee
      meldroom championship standings open.jsonl
      meldroom championship close open.jsonl --by Dana
    """,
)

Log = Annotated[Path, typer.Argument(metavar="LOG", help="The championship's log.")]
By = Annotated[str, typer.Option("--by", envvar="MELDROOM_BY", help="Who does this.")]
As = Annotated[Role, typer.Option("--as", envvar="MELDROOM_ROLE", help="In which role.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; needed where it changes what people have seen.")]
StageOption = Annotated[
    str | None, typer.Option("--stage", help="The stage; the one being played if not given.")
]
SittingOption = Annotated[int | None, typer.Option("--sitting", help="The sitting; the one being played.")]
Scores = Annotated[str, typer.Argument(help="Scores by seat: 35,-10,-5,-20; a dash for an empty seat.")]
Racks = Annotated[
    list[str] | None, typer.Option("--rack", metavar="SEAT=TILES", help="A rack instead of scores.")
]
Unmelded = Annotated[list[int] | None, typer.Option("--unmelded", help="A seat that never opened.")]
Drawn = Annotated[
    list[str] | None,
    typer.Option(
        "--last-drawn",
        metavar="SEAT=TILES",
        help="What a seat that never opened drew on its last turn; “2=” if nothing, “2=?” if nobody knows.",
    ),
]
Decided = Annotated[
    list[str] | None,
    typer.Option(
        "--decided",
        metavar="SEAT=POINTS REASON",
        help="The referee's decision where the last draw isn't known: “2=100 drew the K10 last”.",
    ),
]
Winners = Annotated[list[int] | None, typer.Option("--winner", help="The seat that went out, or won.")]
Exhausted = Annotated[bool, typer.Option("--exhausted", help="The pool ran out and nobody went out.")]
Who = Annotated[str, typer.Argument(help="A player by number or name.")]
Country = Annotated[
    str, typer.Option("--country", help="The country they play for; “–” if they represent none.")
]
Citizenship = Annotated[
    str | None, typer.Option("--citizenship", metavar="COUNTRIES", help="Their citizenships: “NZ AU”.")
]
Editions = Annotated[
    str | None, typer.Option("--editions", help="Editions they have played: “9 11”, or “–” for none.")
]
HallWord = Annotated[
    str, typer.Option("--word", metavar="WORD", help="A word or dice from the hall, added to the lot.")
]
Rank = Annotated[int | None, typer.Option("--rank", min=1, help="Their place in their country's ranking.")]
LastCountry = Annotated[
    str | None, typer.Option("--last-country", help="The country they represented at the last edition.")
]
Born = Annotated[datetime | None, typer.Option("--born", formats=["%Y-%m-%d"], help="Date of birth.")]
Team = Annotated[str, typer.Option("--team", help="Their team.")]
FormatOption = Annotated[
    str, typer.Option("--format", metavar="FORMAT", help=f"{', '.join(PRESETS)}, or a TOML file.")
]
FormatBook = Annotated[
    str | None,
    typer.Option(
        "--book",
        metavar="BOOK",
        show_default=False,
        help="A rule book: its id, or the TOML file of a house book. The format's own if not given.",
    ),
]
SCORES_FIRST = {"ignore_unknown_options": True}  # scores may begin with a minus


def show(lines: Sequence[str]) -> None:
    """Print some lines."""
    for each in lines:
        typer.echo(each)


def append(file: Path, action: Action, by: str, role: Role, reason: str = "") -> ChampionshipState:
    """Write one action down; the state after it. Raises ChampionshipError."""
    with ChampionshipLog.open(file) as log:
        log.append(action, author=by, role=role, reason=reason)
        return log.state


def chosen_format(spec: str, book: str | None, options: list[str] | None) -> Format:
    """A preset by name or a format's TOML file, by a rule book if one is named.

    Raises ChampionshipError, BookError.
    """

    def played_by(rules: RuleBook | None) -> Format:
        return load_format(Path(spec), rules) if spec.endswith(".toml") else preset(spec, rules)

    if book is None and options:
        return played_by(with_options(played_by(None).rules(), parse_options(options)))
    return played_by(load_book(book, options) if book else None)


def bytes_of(file: Path) -> bytes:
    """A file as it is. Raises ChampionshipError."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise ChampionshipError("no_file", file=str(file), why=error.strerror or str(error)) from None


def text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ChampionshipError("no_file", file=str(file), why=error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise ChampionshipError(
            "no_file", file=str(file), why=Message("championship.error.not_utf8")
        ) from None


def report(file: Path, faults: Sequence[LineFault], language: Language) -> NoReturn:
    """Every bad line of a file, and status 2."""
    typer.echo("meldroom championship: " + line("bad_lines", language, file=str(file)), err=True)
    for fault in faults:
        typer.echo(line("line", language, line=fault.line, why=fault.error.message(language)), err=True)
    raise typer.Exit(2)
