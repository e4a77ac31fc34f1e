"""`meldroom restore`: a backup copied into an empty database, and replayed there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from meldroom.cli.operations.options import Data, Database, data_folder, say_copied
from meldroom.cli.options import Lang
from meldroom.errors import needs


def restore(
    source: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", exists=True, file_okay=False, help="A folder made by backup."),
    ],
    data: Data = None,
    database: Database = "",
    lang: Lang = "en",
) -> None:
    """Copy a backup into an empty database, and replay every log in it.

    Nothing is overwritten: the database must be empty, and the data folder must have none.

    \b
    Examples:
      meldroom restore /backups/monday --data /srv/games
      meldroom restore /backups/monday --database postgresql://host/games
    """
    with needs("server"):
        from meldroom.server.storage import copying
    folder = data_folder(data)
    copied = asyncio.run(copying.restore(source, folder, database))
    say_copied(copied, copying.shown(database or str(folder)), lang)
