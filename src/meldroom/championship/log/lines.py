"""Where the lines of a log are kept: the interface, and the append-only file that is the usual place."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from meldroom.championship.errors import ChampionshipError
from meldroom.file_lock import try_lock


class LogLines(Protocol):
    """The lines of a log, without their line ends, for its one writer. All may raise ChampionshipError."""

    def read(self) -> list[bytes]:
        """All lines, in order."""
        ...

    def append(self, line: bytes) -> None:
        """One line more, which is there to stay; if that fails, everything is as before."""
        ...

    def replace(self, lines: Sequence[bytes]) -> None:
        """Other lines in place of all, at once."""
        ...

    def close(self) -> None:
        """Let others write."""
        ...


def read_lines(path: Path) -> list[bytes]:
    """The complete lines of a log. A last line without its end was never acknowledged and is left out.

    Raises ChampionshipError if the file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ChampionshipError("no_file", file=str(path), why=error.strerror or str(error)) from None
    return data.split(b"\n")[:-1]


class LogFile:
    """A file of JSON Lines with one writer: see LogLines."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._path = path
        self._file = _locked(file, path)
        self._end = sum(len(line) + 1 for line in self.read())

    @classmethod
    def create(cls, path: Path) -> LogFile:
        """A new file. Raises ChampionshipError, also if it is there already."""
        try:
            return cls(path.open("x+b", buffering=0), path)
        except FileExistsError:
            raise ChampionshipError("file_exists", file=str(path)) from None
        except OSError as error:
            raise ChampionshipError("no_file", file=str(path), why=error.strerror or str(error)) from None

    @classmethod
    def open(cls, path: Path) -> LogFile:
        """A file that is there. Raises ChampionshipError, also if another writes."""
        try:
            return cls(path.open("r+b", buffering=0), path)
        except OSError as error:
            raise ChampionshipError("no_file", file=str(path), why=error.strerror or str(error)) from None

    def read(self) -> list[bytes]:
        """See LogLines: the complete ones. Others may read while one writes."""
        return read_lines(self._path)

    def cut(self) -> None:
        """Cut a torn last line off."""
        if self._file.seek(0, os.SEEK_END) > self._end:
            self._file.truncate(self._end)
            os.fsync(self._file.fileno())

    def append(self, line: bytes) -> None:
        """See LogLines."""
        self._end = append_line(self._file, self._end, line)

    def replace(self, lines: Sequence[bytes]) -> None:
        """See LogLines: the new file is whole on the disk before it takes the place of the old one."""
        path, data = self._path, b"".join(line + b"\n" for line in lines)
        beside = path.with_name(path.name + ".erasing")
        try:
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if sys.platform == "win32":
                self._file.close()  # an open file cannot be replaced there
            beside.replace(path)
            keep_name(path.parent)
            before, self._file = self._file, _locked(path.open("r+b", buffering=0), path)
            before.close()
        except OSError as error:
            raise ChampionshipError("not_written", why=error.strerror or str(error)) from None
        self._end = len(data)

    def close(self) -> None:
        """See LogLines."""
        self._file.close()


def _locked(file: BinaryIO, path: Path) -> BinaryIO:
    """The file with a lock that ends with the process, however that ends. Raises ChampionshipError."""
    if not try_lock(file.fileno(), at=1 << 40):  # beyond the text, so that readers are not kept out
        file.close()
        raise ChampionshipError("locked", file=str(path))
    return file


def append_line(file: BinaryIO, end: int, line: bytes) -> int:
    """A line after the first `end` bytes, on the disk; if that fails, the file is as before.

    Returns where the file ends now. Raises ChampionshipError.
    """
    try:
        file.seek(end)
        view = memoryview(line + b"\n")
        while view:
            view = view[file.write(view) :]
        os.fsync(file.fileno())
    except OSError as error:
        file.truncate(end)
        raise ChampionshipError("not_written", why=error.strerror or str(error)) from None
    return end + len(line) + 1


def keep_name(folder: Path) -> None:
    """The folder on the disk too, so that a new file keeps its name after a crash."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def replace_file(path: Path, data: bytes) -> None:
    """A small file's whole content, replaced at once: a reader sees the old or the new, never half.

    Raises ChampionshipError.
    """
    beside = path.with_name(path.name + ".new")
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        keep_name(path.parent)
    except OSError as error:
        raise ChampionshipError("not_written", why=error.strerror or str(error)) from None
