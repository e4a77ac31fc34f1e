"""`meldroom config`: the TOML file of a server, and what is wrong with it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from meldroom.cli.error_handling import FAILED, about
from meldroom.cli.options import Lang
from meldroom.decode import DecodeError
from meldroom.errors import MeldroomError, needs
from meldroom.i18n import message

config = typer.Typer(
    name="config",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="""Check the TOML file of a server.

    Its keys are the options of meldroom serve: host, port, data, database, bus,
    championships, workers, drain, bot_pace, origin, proxy, certificate, key, hall,
    https_port; and of meldroom worker: bus, jobs, analyses. An option on the command line
    wins, then the environment, then the file.

    \b
    Examples:
      meldroom config check meldroom.toml
      meldroom serve --config meldroom.toml
    """,
)


def config_option(context: typer.Context, path: Path | None) -> Path | None:
    """Take the options that are not given otherwise from a file. Raises PlacedError."""
    if path is not None and not context.resilient_parsing:
        from meldroom.server.config_file import load_config_file

        with about(str(path)):
            context.default_map = {**(context.default_map or {}), **load_config_file(path)}
    return path


ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        envvar="MELDROOM_CONFIG",
        metavar="FILE",
        help="A TOML file with these options; meldroom config check reads it.",
        is_eager=True,
        callback=config_option,
        show_default=False,
    ),
]
"""Of the commands that a server's file can set."""


@config.callback()
def _group() -> None:
    """One command so far; the name of it is part of the line all the same."""


@config.command("check")
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="The TOML file.")],
    lang: Lang = "en",
) -> None:
    """Say everything that is wrong with a configuration, and where.

    Files must be there, and the database must answer.

    \b
    Examples:
      meldroom config check meldroom.toml
    """
    with needs("server"):
        from meldroom.server.config_file import config_file_faults, load_config_file
    faults: list[MeldroomError] = list(config_file_faults(file))
    if not faults:
        faults = _beyond_the_file(load_config_file(file))
    for fault in faults:
        typer.echo(f"{file}: {fault.message(lang)}", err=True)
    if faults:
        raise typer.Exit(FAILED)
    typer.echo(message("cli.operations.sound", lang))


def _beyond_the_file(values: dict[str, Any]) -> list[MeldroomError]:
    """What the file names and is not there."""
    found: list[MeldroomError] = []
    for key in ("certificate", "key"):
        if key in values and not Path(values[key]).expanduser().is_file():
            found.append(DecodeError("no_file", key, path=values[key]))
    if ("certificate" in values) != ("key" in values):
        missing = "key" if "certificate" in values else "certificate"
        found.append(DecodeError("missing", field=missing))
    if values.get("database"):
        found += asyncio.run(_faults_of_database(values["database"]))
    return found


async def _faults_of_database(url: str) -> list[MeldroomError]:
    """Whether a database answers, and knows no more than this version."""
    from sqlalchemy.exc import DBAPIError

    from meldroom.server.storage import StorageError, migrate
    from meldroom.server.storage.postgres import PostgresDatabase

    try:
        database = PostgresDatabase(url)
    except MeldroomError as error:
        return [_at("database", error)]
    try:
        migrate.steps_to_take(await database.read(migrate.revision))
    except StorageError as error:
        return [_at("database", error)]
    except DBAPIError as error:
        return [_at("database", database.storage_error(error))]
    finally:
        await database.close()
    return []


def _at(key: str, error: MeldroomError) -> MeldroomError:
    error.where = key
    return error
