"""`meldroom move`: everything from SQLite to PostgreSQL, or back."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from meldroom.cli.operations.options import say_copied
from meldroom.cli.options import Lang
from meldroom.errors import needs


def move(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="A data folder, or the address of a PostgreSQL database.")
    ],
    target: Annotated[str, typer.Argument(metavar="TO", help="Where to: the same, and empty.")],
    lang: Lang = "en",
) -> None:
    """Copy everything from SQLite to PostgreSQL, or back; games go on where they were.

    Stop the servers first. What is copied stays where it was, and every log is replayed
    where it is now. Championships that are files stay in the data folder: keep it with the
    server, or import them with meldroom admin import-championships.

    \b
    Examples:
      meldroom move /srv/games postgresql://host/games
      meldroom move postgresql://host/games /srv/games-again
    """
    with needs("server"):
        from meldroom.server.storage import copying
    say_copied(asyncio.run(copying.move(source, target)), copying.shown(target), lang)
