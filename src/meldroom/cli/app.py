"""All commands under one name. Each is a function in a module of its own, loaded only when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

import meldroom
from meldroom.cli.error_handling import Commands

COMMANDS = (
    "demo",
    "serve",
    "site",
    "play",
    "rules",
    "check",
    "score",
    "ruling",
    "solve",
    "replay",
    "report",
    "arena",
    "corpus",
    "puzzle",
    "puzzles",
    "seat",
    "championship",
    "league",
    "worker",
    "config",
    "migrate",
    "backup",
    "restore",
    "move",
    "admin",
    "sbom",
)
OPERATIONS = ("worker", "config", "migrate", "backup", "restore", "move", "admin", "sbom")
"""What whoever runs a server needs: in a folder of their own."""


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"meldroom {meldroom.__version__}")
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Tile rummy, by the book: five published rule books, played, judged, scored and solved exactly."""


def app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line with these commands."""
    made = typer.Typer(
        name="meldroom",
        cls=Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog=(
            "Start with: meldroom serve (in a browser), meldroom play (here), or meldroom rules wrc11. "
            "Every command has examples under --help."
        ),
    )
    made.callback()(options)
    for name in names:
        folder = "operations." if name in OPERATIONS else ""
        found = getattr(import_module(f"meldroom.cli.{folder}{name}"), name)
        if isinstance(found, typer.Typer):
            made.add_typer(found, name=name)
        else:
            made.command(name)(found)
    return made


def run() -> None:
    """Run the command line. A command that is named loads no other, so that its answer comes sooner."""
    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream) is None:  # closed by the shell: `meldroom rules >&-`
            setattr(sys, stream, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    # While the shell completes a line, the words are in the environment.
    typed = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS")
    words = typed.split() if typed else sys.argv
    named = words[1] if len(words) > 1 else ""
    app((named,) if named in COMMANDS else COMMANDS)(prog_name="meldroom")
