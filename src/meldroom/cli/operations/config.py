"""`meldroom config`: the TOML file of a server, and what is wrong with it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from meldroom.cli.error_handling import FAILED, about
from meldroom.cli.operations.addresses import (
    FROM_FILE,
    file_of,
    has_password,
    is_open_to_others,
    is_own,
    is_plain_bus,
    is_plain_database,
    read_address,
)
from meldroom.cli.options import Lang
from meldroom.decode import DecodeError
from meldroom.errors import MeldroomError, MissingExtraError, needs
from meldroom.i18n import message

config = typer.Typer(
    name="config",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="""Check the TOML file of a server.

    Its keys are the options of meldroom serve: host, port, data, database, bus,
    championships, workers, drain, bot_pace, start_phase, origin, proxy, certificate,
    key, hall, https_port, require_https, hsts_subdomains, session_idle_days; and of meldroom
    worker: bus, jobs, analyses, health_host, health_port. An option on the command line wins, then the
    environment, then the file. database and bus may be "@FILE", a file with the address.

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

    Files must be there, and the database must answer. What others could read along, or
    read in a file, is warned of.

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
    for code, details in _warnings(file, load_config_file(file)):
        said = message(f"cli.operations.{code}", lang, **details)
        typer.echo(f"{file}: {message('cli.operations.warning', lang, text=said)}", err=True)
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
    for key in ("database", "bus"):
        try:
            values[key] = read_address(values.get(key) or "")
        except DecodeError as error:
            found.append(_at(key, error))
            values[key] = ""
    if values["database"]:
        found += asyncio.run(_faults_of_database(values["database"]))
    if values["bus"]:
        from meldroom.server.cluster.bus import check_client

        try:
            check_client()
        except MissingExtraError as error:
            found.append(_at("bus", error))
    return found


def _warnings(file: Path, values: dict[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """What works, and lets others read what is not theirs."""
    given = {key: values.get(key) or "" for key in ("database", "bus")}
    secret = [file] if any(map(has_password, given.values())) else []
    secret += [file_of(each) for each in given.values() if each.startswith(FROM_FILE)]
    yield from (("open_file", {"path": str(each)}) for each in secret if is_open_to_others(each))
    if is_plain_database(read_address(given["database"])):
        yield "plain_database", {}
    if is_plain_bus(read_address(given["bus"])):
        yield "plain_bus", {}
    host = values.get("host", "")
    behind = "certificate" in values or values.get("hall") or "proxy" in values
    if not behind and not is_own(host):
        yield "plain_site", {"host": host}


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
