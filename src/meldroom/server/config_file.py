"""The TOML file of `meldroom serve` and `meldroom worker`: its keys are the options of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from meldroom.decode import DecodeError, convert, parse_toml

Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Processes = Annotated[int, msgspec.Meta(ge=0, le=256)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=10_000)]


class ConfigFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the file may say; what it leaves out is as it is without a file."""

    host: str | None = None
    port: Port | None = None
    data: str | None = None
    database: str | None = None
    bus: str | None = None
    championships: Literal["folder", "database"] | None = None
    workers: Literal["embedded", "remote"] | None = None
    jobs: Processes | None = None
    analyses: Processes | None = None
    drain: Annotated[float, msgspec.Meta(ge=0, le=600)] | None = None
    bot_pace: Milliseconds | None = None
    start_phase: Annotated[int, msgspec.Meta(ge=0, le=120)] | None = None
    origin: list[str] | None = None
    proxy: str | None = None
    certificate: str | None = None
    key: str | None = None
    hall: bool | None = None
    https_port: Port | None = None
    require_https: bool | None = None
    hsts_subdomains: bool | None = None
    session_idle_days: Annotated[int, msgspec.Meta(ge=0, le=400)] | None = None
    health_host: str | None = None
    health_port: Port | None = None


def load_config_file(path: Path) -> dict[str, Any]:
    """The options in a file, by their names. Raises the first of its faults."""
    table = _table(path)
    for error in _faults(table):
        raise error
    return table


def config_file_faults(path: Path) -> list[DecodeError]:
    """Everything that is wrong with a file, each with its key."""
    try:
        return _faults(_table(path))
    except DecodeError as error:
        return [error]


def _table(path: Path) -> dict[str, Any]:
    try:
        return parse_toml(path.read_text(encoding="utf-8"))
    except UnicodeError as error:
        raise DecodeError.of(error) from None


def _faults(table: dict[str, Any]) -> list[DecodeError]:
    """One key after another, so that all of them are told of at once."""
    found = []
    for key, value in table.items():
        try:
            convert({key: value}, ConfigFile)
        except DecodeError as error:
            found.append(error)
    return found
