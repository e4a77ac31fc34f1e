"""Options that the commands about a server's database share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meldroom.cli.error_handling import FAILED, CommandError
from meldroom.cli.operations.addresses import address
from meldroom.i18n import Language, message

if TYPE_CHECKING:
    from meldroom.server.storage.copying import Copied

Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        envvar="MELDROOM_DATA",
        metavar="FOLDER",
        help="The data folder of the server; without it, a folder of your own.",
        show_default=False,
    ),
]
Database = Annotated[
    str,
    typer.Option(
        "--database",
        envvar="MELDROOM_DATABASE",
        metavar="URL",
        help="A PostgreSQL database: postgresql://…, or @FILE with that; else, SQLite in the data folder.",
        callback=address,
        show_default=False,
    ),
]
Bus = Annotated[
    str,
    typer.Option(
        "--bus",
        envvar="MELDROOM_BUS",
        metavar="URL",
        help="The NATS server that servers and workers share, nats://… or tls://…, or @FILE with it.",
        callback=address,
        show_default=False,
    ),
]


class OperationError(CommandError):
    """A copy that is not what it should be."""

    domain = "cli.error.operations"
    status = FAILED


def data_folder(data: Path | None) -> Path:
    """The folder named, or the usual one."""
    from meldroom.server.config import default_data

    return (data or default_data()).expanduser()


def say_copied(copied: Copied, place: str, language: Language) -> None:
    """Say what was copied and replayed. Raises OperationError where something could not be."""
    verdict = copied.verdict
    if verdict.faults:
        raise OperationError("faults", faults="; ".join(verdict.faults[:5]))
    typer.echo(
        message(
            "cli.operations.copied",
            language,
            place=place,
            rows=sum(copied.rows.values()),
            rooms=verdict.rooms,
            events=verdict.events,
            finished=verdict.finished,
        )
    )
