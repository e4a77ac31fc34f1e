"""Addresses of a database and a bus: given as they are, or as @FILE; and what may be seen on their way."""

from __future__ import annotations

import ipaddress
import os
import stat
from contextlib import suppress
from pathlib import Path
from urllib.parse import SplitResult, parse_qs, urlsplit

import typer

from meldroom.cli.error_handling import LANGUAGE_KEY, PlacedError
from meldroom.decode import DecodeError
from meldroom.i18n import DEFAULT, message

FROM_FILE = "@"
LONGEST = 4096
SAFE_MODES = ("require", "verify-ca", "verify-full")
"""Of PostgreSQL's sslmode: without one of these a connection may be plain."""


def address(context: typer.Context, parameter: typer.CallbackParam, given: str) -> str:
    """An address, read from its file where it is @FILE. Raises PlacedError.

    A password on the command line is warned of: every user of the machine can list it.
    """
    if given.startswith(FROM_FILE):
        try:
            return read_address(given)
        except DecodeError as error:
            raise PlacedError(f"--{parameter.name}", error) from None
    source = context.get_parameter_source(parameter.name or "")
    if source is not None and source.name == "COMMANDLINE" and has_password(given):
        language = context.meta.get(LANGUAGE_KEY, DEFAULT)
        typer.echo(message("cli.operations.password_seen", language, option=f"--{parameter.name}"), err=True)
    return given


def read_address(given: str) -> str:
    """An address as it is, or the content of @FILE. Raises DecodeError."""
    if not given.startswith(FROM_FILE):
        return given
    try:
        with file_of(given).open(encoding="utf-8") as file:
            return file.read(LONGEST).strip()
    except (OSError, UnicodeError):
        raise DecodeError("no_file", path=given[1:]) from None


def file_of(given: str) -> Path:
    """The file that @FILE names."""
    return Path(given.removeprefix(FROM_FILE)).expanduser()


def has_password(text: str) -> bool:
    """Whether there is a password in an address, or in one of several; NATS also has tokens as user names."""
    return any(
        part.password or (part.username and not part.scheme.startswith("postgres")) for part in _parts(text)
    )


def is_open_to_others(path: Path) -> bool:
    """Whether other users of this machine may read a file."""
    return os.name == "posix" and bool(path.stat().st_mode & stat.S_IROTH)


def is_plain_database(url: str) -> bool:
    """Whether a PostgreSQL on another machine may be spoken to without TLS.

    >>> is_plain_database("postgresql://db.example/games"), is_plain_database("postgresql:///games")
    (True, False)
    >>> is_plain_database("postgresql://db.example/games?sslmode=verify-full")
    False
    """
    return any(
        not is_own(part.hostname) and not _tls_modes(part).intersection(SAFE_MODES) for part in _parts(url)
    )


def is_plain_bus(url: str) -> bool:
    """Whether a NATS server on another machine may be spoken to without TLS.

    >>> is_plain_bus("nats://bus.example:4222"), is_plain_bus("tls://bus.example"), is_plain_bus("nats://[::1]")
    (True, False, False)
    """
    return any(part.scheme != "tls" and not is_own(part.hostname) for part in _parts(url))


def is_own(host: str | None) -> bool:
    """Whether nobody else can listen in on the way to a host: this very machine."""
    if not host or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _tls_modes(part: SplitResult) -> set[str]:
    asked = parse_qs(part.query)
    return {*asked.get("sslmode", ()), *asked.get("ssl", ())}


def _parts(text: str) -> list[SplitResult]:
    """An address, or the several of a bus; what is none of any kind is not looked at."""
    found = []
    for each in text.split(",") if not text.startswith("postgres") else [text]:
        with suppress(ValueError):
            part = urlsplit(each)
            _ = part.hostname
            found.append(part)
    return found
