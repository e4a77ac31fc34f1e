"""`meldroom championship pin`: a referee's PIN, and signing with it on one laptop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from meldroom.championship import ChampionshipError, ChampionshipLog, ChampionshipState, SetPin
from meldroom.championship.log.file import now
from meldroom.championship.log.lines import replace_file
from meldroom.championship.log.pins import Pins, check_pin
from meldroom.championship.text import line
from meldroom.cli.championship.options import As, By, Log, championship
from meldroom.cli.options import Lang
from meldroom.errors import needs
from meldroom.i18n import Language

if TYPE_CHECKING:
    from meldroom.server.championships.storage.files import FolderFiles

PLACE = "command line"
SERVER_LOG, SERVER_ACCESS = "log.jsonl", "access.json"
"""The files of a championship in the data folder of a server."""

PinOption = Annotated[
    str,
    typer.Option(
        "--pin", envvar="MELDROOM_PIN", help="The PIN; asked for if it is not given.", show_default=False
    ),
]


@championship.command()
def pin(
    file: Log,
    referee: Annotated[str, typer.Argument(help="The referee, by the name they sign with.")],
    number: PinOption = "",
    remove: Annotated[bool, typer.Option("--remove", help="Take the PIN away.")] = False,
    by: By = "",
    role: As = "referee",
    lang: Lang = "en",
) -> None:
    """Give a referee a PIN, which then confirms their signatures. It is kept beside the log, as a hash;
    for a championship of a server, with its keys.

    \b
    Examples:
      meldroom championship pin open.jsonl Rita --by Rita
      meldroom championship pin open.jsonl Rita --remove --by Dana --as director
    """
    with ChampionshipLog.open(file) as log:
        if remove:
            log.append(SetPin(referee, removed=True), author=by, role=role)
            _write(file, _read(file).without(referee))
            typer.echo(line("pin_removed", lang, name=referee))
            return
        wanted = number or typer.prompt(
            line("pin_new", lang, name=referee), hide_input=True, confirmation_prompt=True
        )
        check_pin(wanted)
        _write(file, _read(file).with_pin(referee, wanted))
        log.append(SetPin(referee), author=by, role=role)
    typer.echo(line("pin_set", lang, name=referee))


def confirmed(file: Path, state: ChampionshipState, referee: str, given: str, language: Language) -> str:
    """The referee, if their PIN confirms it; empty if they have none here. Raises ChampionshipError."""
    pins = _read(file)
    if referee not in state.pins or not pins.knows(referee):
        return ""
    wanted = given or typer.prompt(line("pin_ask", language, name=referee), hide_input=True)
    right, after = pins.tried(referee, wanted, PLACE, now())
    if after != pins:
        _write(file, after)
    if not right:
        raise ChampionshipError("wrong_pin", name=referee)
    return referee


def _kept(file: Path) -> Path:
    return file.with_suffix(".pins.json")


def _of_server(file: Path) -> FolderFiles | None:
    """The folder of a championship on a server, which keeps PINs with its keys; None for any other log."""
    if file.name != SERVER_LOG or not file.with_name(SERVER_ACCESS).is_file():
        return None
    with needs("server"):
        from meldroom.server.championships.storage.files import FolderFiles
    return FolderFiles(file.absolute().parent)


def _read(file: Path) -> Pins:
    if (files := _of_server(file)) is not None:
        from meldroom.server.championships.storage.keys import read_access

        return read_access(files).pins
    path = _kept(file)
    return msgspec.json.decode(path.read_bytes(), type=Pins) if path.exists() else Pins()


def _write(file: Path, pins: Pins) -> None:
    """Keep them; the log is open for writing, so that no server keeps others meanwhile."""
    if (files := _of_server(file)) is not None:
        from meldroom.server.championships.storage.keys import read_access, write_access

        write_access(files, msgspec.structs.replace(read_access(files), pins=pins))
        return
    replace_file(_kept(file), msgspec.json.encode(pins))
