"""`meldroom migrate`: bring a database to the shape that this version needs."""

from __future__ import annotations

import asyncio

import typer

from meldroom.cli.operations.options import Data, Database, data_folder
from meldroom.cli.options import Lang
from meldroom.errors import needs
from meldroom.i18n import message


def migrate(data: Data = None, database: Database = "", lang: Lang = "en") -> None:
    """Bring a database to the shape that this version needs.

    A server does this itself when it starts. With several nodes, do it once before the
    first of them is restarted; make a backup before. A server on SQLite must be stopped.

    \b
    Examples:
      meldroom migrate --data /srv/games
      meldroom migrate --database postgresql://host/games
    """
    with needs("server"):
        from meldroom.server.storage.copying import shown, upgrade
        from meldroom.server.storage.migrations import HEAD
    folder = data_folder(data)
    asyncio.run(upgrade(folder, database))
    typer.echo(message("cli.operations.migrated", lang, place=shown(database or str(folder)), revision=HEAD))
