"""The output folder: whose it is, the chunks that are done, and files that are whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from meldroom.arena.chunks import Chunk, Finished
from meldroom.arena.errors import ArenaError
from meldroom.errors import quote

CONFIGURATION = "experiment.json"
CHUNKS = "chunks"
RECORDS = "records"
LONGEST_VALUE = 60


class Kept(msgspec.Struct, frozen=True):
    """A finished chunk as it lies in the folder. Its records, if `recorded`, lie beside it as files."""

    finished: Finished
    recorded: bool


class Store:
    """A folder that belongs to one experiment."""

    def __init__(self, folder: Path, configuration: bytes, name: str = CONFIGURATION) -> None:
        """Nothing is touched yet; `open` does that. The configuration, JSON, is kept as the file `name`."""
        self.folder = folder
        self.configuration = configuration
        self.name = name

    def open(self) -> None:
        """Make the folder ours, or find that it is. Raises ArenaError if it holds anything else."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            known = self.folder / self.name
            if known.exists():
                _compare(self.folder, known.read_bytes(), self.configuration)
            elif any(self.folder.iterdir()):
                raise ArenaError("error.not_ours", folder=str(self.folder))
            self.write(self.name, self.configuration)
        except OSError as error:
            raise _unwritable(self.folder, error) from None

    def write(self, name: str, data: bytes) -> None:
        """A file that is there whole or not at all. Raises ArenaError."""
        path = self.folder / name
        # Two runs may write the same chunk at the same time: each has a draft of its own.
        draft = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(data)
            draft.replace(path)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise _unwritable(path, error) from None

    def keep(self, number: int, finished: Finished) -> None:
        """Write a finished chunk, its records first: a chunk that is there is complete."""
        for name, text in (finished.records or {}).items():
            self.write(f"{RECORDS}/{name}", text.encode())
        kept = Kept(msgspec.structs.replace(finished, records=None), finished.records is not None)
        self.write(_name(number), msgspec.msgpack.encode(kept))

    def kept(self, chunks: tuple[Chunk, ...], records: bool) -> Iterator[tuple[int, Finished]]:
        """The chunks that are done already. One that is torn, or lacks records now wanted, is not done."""
        for number, chunk in enumerate(chunks):
            try:
                found = msgspec.msgpack.decode((self.folder / _name(number)).read_bytes(), type=Kept)
            except (OSError, msgspec.DecodeError):
                continue
            if found.finished.chunk == chunk and (found.recorded or not records):
                yield number, found.finished


def _name(number: int) -> str:
    return f"{CHUNKS}/{number:06}.msgpack"


def _unwritable(path: Path, error: OSError) -> ArenaError:
    return ArenaError("error.unwritable", file=str(path), reason=error.strerror or str(error))


def _compare(folder: Path, there: bytes, here: bytes) -> None:
    """Raises ArenaError, naming the first key that differs, unless the two experiments are one."""
    if there == here:
        return
    try:
        old: Any = msgspec.json.decode(there)
    except msgspec.DecodeError:
        old = None
    new: Any = msgspec.json.decode(here)
    if not isinstance(old, dict) or old == new:
        raise ArenaError("error.not_ours", folder=str(folder))
    key = next(key for key in (*new, *old) if old.get(key) != new.get(key))
    if key == "meldroom":
        raise ArenaError("error.other_version", folder=str(folder), there=str(old.get(key)), here=new[key])
    seen = {
        side: quote(msgspec.json.encode(each.get(key)).decode(), LONGEST_VALUE)
        for side, each in (("there", old), ("here", new))
    }
    raise ArenaError("error.other_experiment", folder=str(folder), key=key, **seen)
