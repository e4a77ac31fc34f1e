"""`meldroom backup`: a copy of everything, made while the server runs, and replayed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from meldroom.cli.operations.options import Data, Database, data_folder, say_copied
from meldroom.cli.options import Lang
from meldroom.errors import needs


def backup(
    target: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder for the copy.")],
    data: Data = None,
    database: Database = "",
    lang: Lang = "en",
) -> None:
    """Copy everything a server keeps into a new folder, while it runs.

    The copy is one state of the database; every log in it is replayed before the command
    says that it is done. It is a data folder of its own: meldroom serve --data FOLDER
    starts on it, and meldroom restore copies it into another database.

    \b
    Examples:
      meldroom backup /backups/monday
      meldroom backup /backups/monday --database postgresql://host/games
    """
    with needs("server"):
        from meldroom.server.storage.copying import back_up
    copied = asyncio.run(back_up(data_folder(data), database, target))
    say_copied(copied, str(target), lang)
