"""Championships and leagues between the database and folders, byte for byte, in both directions.

The folder has the shape of `events` in a data folder: a championship is a folder under its code, a league a
file in `leagues`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from sqlalchemy import Connection, insert, select

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.log.file import now
from meldroom.championship.log.lines import keep_name, read_lines
from meldroom.errors import MeldroomError
from meldroom.server.championships.leagues.store import FOLDER as LEAGUES
from meldroom.server.championships.leagues.store import LEAGUE_CODE, KeptLeague
from meldroom.server.championships.runtime.archive import CODE, opened
from meldroom.server.championships.runtime.stored_archive import listing
from meldroom.server.championships.storage.files import ACCESS, ADDED, LINES, LOG, PERSONAL, PHOTOS, SEEDS
from meldroom.server.championships.storage.jsonl import replace_file
from meldroom.server.championships.storage.stored import Contents, StoredFiles, create, read_contents
from meldroom.server.storage.tables import championships, leagues


class TransferError(MeldroomError):
    """Something that cannot be taken from one place to the other; nothing was."""

    domain = "server.transfer"


class Transferred(msgspec.Struct, frozen=True):
    """What was copied."""

    championships: tuple[str, ...]
    leagues: tuple[str, ...]


def export_events(connection: Connection, folder: Path, codes: Sequence[str] = ()) -> Transferred:
    """Copy championships from the database into a folder; without codes all of them, and all leagues.

    Raises TransferError and ChampionshipError.
    """
    wanted = tuple(codes) or tuple(connection.execute(select(championships.c.code)).scalars())
    there = [code for code in wanted if (folder / code).exists()]
    kept = {} if codes else {row.code: row.data for row in connection.execute(select(leagues))}
    there += [code for code in kept if (folder / LEAGUES / f"{code}.json").exists()]
    if there:
        raise TransferError("there_already", code=there[0], place=str(folder))
    for code in wanted:
        contents = read_contents(connection, code, photos=True)
        if contents is None:
            raise TransferError("not_there", code=code)
        _write_folder(folder, code, contents)
    for code, data in kept.items():
        (folder / LEAGUES).mkdir(parents=True, exist_ok=True)
        replace_file(folder / LEAGUES / f"{code}.json", data)
    return Transferred(wanted, tuple(kept))


def _write_folder(folder: Path, code: str, contents: Contents) -> None:
    """All files beside their place, then under their name: a championship is there whole, or not at all."""
    beside = folder / f".{code}"
    try:
        beside.mkdir(mode=0o700, parents=True)
        for name, lines in contents.lines.items():
            replace_file(beside / name, b"".join(line + b"\n" for line in lines))
        for name, data in contents.files.items():
            (beside / name).parent.mkdir(exist_ok=True)
            replace_file(beside / name, data)
        beside.rename(folder / code)
        keep_name(folder)
    except BaseException as error:
        shutil.rmtree(beside, ignore_errors=True)
        if isinstance(error, OSError):
            raise ChampionshipError("not_written", why=error.strerror or str(error)) from None
        raise


def import_events(connection: Connection, folder: Path, codes: Sequence[str] = ()) -> Transferred:
    """Copy championships from a folder into the database; without codes all of them, and all leagues.

    Every log must be sound. Raises TransferError and HallError.
    """
    if not folder.is_dir():
        raise TransferError("no_folder", place=str(folder))
    found = sorted(path.name for path in folder.iterdir() if CODE.match(path.name) and path.is_dir())
    wanted = tuple(codes) or tuple(found)
    known = set(connection.execute(select(championships.c.code)).scalars())
    for code in wanted:
        if code not in found:
            raise TransferError("not_there", code=code)
        if code in known:
            raise TransferError("there_already", code=code, place=str(connection.engine.url.database))
        _import(connection, folder / code)
    kept = () if codes else tuple(_import_leagues(connection, folder / LEAGUES))
    return Transferred(wanted, kept)


def _import(connection: Connection, folder: Path) -> None:
    files = StoredFiles(folder.name, Contents(), lambda _: None)
    for name in LINES:
        path = folder / name
        for line in read_lines(path) if name == LOG or path.exists() else []:
            files.lines(name).append(line)
    opened(files, now)
    for path in _other_files(folder):
        files.put(path.relative_to(folder).as_posix(), path.read_bytes())
    create(connection, files, listing(folder.name, files))


def _other_files(folder: Path) -> Iterator[Path]:
    yield from (folder / name for name in (ACCESS, ADDED, PERSONAL, SEEDS) if (folder / name).is_file())
    if (folder / PHOTOS).is_dir():
        yield from sorted(path for path in (folder / PHOTOS).iterdir() if len(path.name) == 64)


def _import_leagues(connection: Connection, folder: Path) -> Iterator[str]:
    known = set(connection.execute(select(leagues.c.code)).scalars())
    for path in sorted(folder.glob("*.json")):
        if not LEAGUE_CODE.match(path.stem):
            continue
        if path.stem in known:
            raise TransferError("there_already", code=path.stem, place=str(connection.engine.url.database))
        data = path.read_bytes()
        msgspec.json.decode(data, type=KeptLeague)
        connection.execute(insert(leagues), {"code": path.stem, "data": data})
        yield path.stem
