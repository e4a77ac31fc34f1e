"""What the commands of `meldroom championship` share: the options, and how they refuse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from meldroom.championship import (
    Action,
    ChampionshipError,
    ChampionshipLog,
    ChampionshipState,
    read_state,
)
from meldroom.championship.entrants import LineFault
from meldroom.championship.roles import Role
from meldroom.championship.text import (
    say,
)
from meldroom.cli.options import refuse
from meldroom.i18n import Language

championship = typer.Typer(
    name="championship",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="""Run a championship over the board: entrants, draw, seating, results, standings, corrections.

    Everything is kept in one file, the event's log, where nothing is ever overwritten.

    \b
    The way through an event:
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

Log = Annotated[Path, typer.Argument(metavar="LOG", help="The event's log.")]
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
Unmelded = Annotated[list[int] | None, typer.Option("--unmelded", help="A seat that never melded.")]
Drawn = Annotated[
    list[str] | None,
    typer.Option("--last-drawn", metavar="SEAT=TILES", help="What an unmelded seat drew last."),
]
Winners = Annotated[list[int] | None, typer.Option("--winner", help="The seat that went out, or won.")]
Who = Annotated[str, typer.Argument(help="A player by number or name.")]
Country = Annotated[str, typer.Option("--country", help="The country that sends him.")]
Born = Annotated[datetime | None, typer.Option("--born", formats=["%Y-%m-%d"], help="Date of birth.")]
Team = Annotated[str, typer.Option("--team", help="His team.")]
SCORES_FIRST = {"ignore_unknown_options": True}  # scores may begin with a minus


def refuse_error(error: ChampionshipError, language: Language) -> NoReturn:
    refuse("championship", error.message(language))


@contextmanager
def refusing(language: Language) -> Iterator[None]:
    """What cannot be done is said in one line."""
    try:
        yield
    except ChampionshipError as error:
        refuse_error(error, language)


def show(lines: Sequence[str]) -> None:
    for line in lines:
        typer.echo(line)


def act(
    file: Path, action: Action, by: str, role: Role, reason: str, language: Language
) -> ChampionshipState:
    """Write one action down; the state after it."""
    with refusing(language), ChampionshipLog.open(file) as log:
        log.act(action, author=by, role=role, reason=reason)
        return log.state


def read(file: Path, language: Language) -> ChampionshipState:
    with refusing(language):
        return read_state(file)


def text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ChampionshipError("no_file", file=str(file), why=error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise ChampionshipError("no_file", file=str(file), why="UTF-8?") from None


def report(file: Path, faults: Sequence[LineFault], language: Language) -> NoReturn:
    """Every bad line of a file, and status 2."""
    typer.echo("meldroom championship: " + say("bad_lines", language, file=file), err=True)
    for fault in faults:
        typer.echo(say("line", language, line=fault.line, why=fault.error.message(language)), err=True)
    raise typer.Exit(2)
