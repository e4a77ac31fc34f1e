"""All commands under one name. Each is a function in its own module."""

from __future__ import annotations

from typing import Annotated

import typer

import meldroom
from meldroom.cli.check import check
from meldroom.cli.demo import demo
from meldroom.cli.replay import replay
from meldroom.cli.rules import rules
from meldroom.cli.ruling import ruling
from meldroom.cli.score import score
from meldroom.cli.seat import seat
from meldroom.cli.solve import solve

app = typer.Typer(
    name="meldroom",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Tile rummy, by the book: five published rule books, judged, scored and replayed exactly.",
    epilog="Start with: meldroom demo, then meldroom rules wrc11. Every command has examples under --help.",
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"meldroom {meldroom.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Tile rummy, by the book: five published rule books, judged, scored and replayed exactly."""


for command in (demo, rules, check, score, ruling, solve, replay, seat):
    app.command()(command)


def run() -> None:
    """Run the command line."""
    app()
