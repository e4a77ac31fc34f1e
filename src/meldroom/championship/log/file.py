"""The log on disk: an append-only file of JSON Lines with one writer. What is acknowledged is never lost."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from meldroom.championship.actions import Action, Adopt, EraseEntrant, Found
from meldroom.championship.apply import apply
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.fold import fold
from meldroom.championship.log.audit import chain
from meldroom.championship.log.entry import BEGINNING, LogEntry, hash_of, line_of, link_of, replay
from meldroom.championship.log.erase import erased_lines
from meldroom.championship.roles import Role
from meldroom.championship.state import ChampionshipState
from meldroom.file_lock import try_lock


def now() -> datetime:
    """The time in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


def read_lines(path: Path) -> list[bytes]:
    """The complete lines of a log. A last line without its end was never acknowledged and is left out.

    Raises ChampionshipError if the file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ChampionshipError("no_file", file=str(path), why=error.strerror or str(error)) from None
    return data.split(b"\n")[:-1]


def read_state(path: Path) -> ChampionshipState:
    """The state of a log whose chain holds. Raises ChampionshipError."""
    return replay(_sound(read_lines(path)))


def _sound(lines: list[bytes]) -> list[LogEntry]:
    entries, faults = chain(lines)
    if faults:
        raise faults[0].error
    if not entries or not isinstance(entries[0].action, Found | Adopt):
        raise ChampionshipError("not_founded")
    return entries


class ChampionshipLog:
    """A log opened by its one writer: `with ChampionshipLog.open(path) as log: log.append(…)`."""

    def __init__(self, file: BinaryIO, lines: list[bytes], clock: Callable[[], datetime] = now) -> None:
        self._file = file
        self._clock = clock
        self.head = BEGINNING
        """What the next entry is chained by."""
        self._end = sum(len(line) + 1 for line in lines)
        self.state = ChampionshipState()
        self.entries: list[LogEntry] = []
        if lines:
            self.entries = _sound(lines)
            self.state = replay(self.entries)
            self.head = link_of(lines[-1])

    @classmethod
    def create(
        cls,
        path: Path,
        found: Found | Adopt,
        *,
        author: str,
        role: Role = "organiser",
        reason: str = "",
        clock: Callable[[], datetime] = now,
    ) -> ChampionshipLog:
        """A new log with its first entry. Raises ChampionshipError, also if the file is there already."""
        apply(ChampionshipState(), found, author=author, role=role, time=clock(), reason=reason)
        try:
            file = path.open("x+b", buffering=0)
        except FileExistsError:
            raise ChampionshipError("file_exists", file=str(path)) from None
        except OSError as error:
            raise ChampionshipError("no_file", file=str(path), why=error.strerror or str(error)) from None
        log = cls(_locked(file, path), [], clock)
        log.append(found, author=author, role=role, reason=reason)
        keep_name(path.parent)
        return log

    @classmethod
    def open(cls, path: Path, *, clock: Callable[[], datetime] = now) -> ChampionshipLog:
        """A log for writing; a torn last line is cut off. Raises ChampionshipError, and if another writes."""
        try:
            file = path.open("r+b", buffering=0)
        except OSError as error:
            raise ChampionshipError("no_file", file=str(path), why=error.strerror or str(error)) from None
        try:
            data = _locked(file, path).read()
            end = data.rfind(b"\n") + 1
            log = cls(file, data[:end].split(b"\n")[:-1], clock)
            if not log.state.entries:
                raise ChampionshipError("not_founded")
            if end < len(data):
                file.truncate(end)
                os.fsync(file.fileno())
        except BaseException:
            file.close()
            raise
        return log

    def append(self, action: Action, *, author: str, role: Role, reason: str = "") -> LogEntry:
        """Write an action down; when this returns, it is on the disk. Raises ChampionshipError."""
        if isinstance(action, EraseEntrant):
            raise ChampionshipError("use_erase")
        entry = apply(
            self.state,
            action,
            author=author,
            role=role,
            time=self._clock(),
            reason=reason,
            previous=self.head,
        )
        line = line_of(entry)
        self._end = append_line(self._file, self._end, line)
        self.head = hash_of(line)
        self.state = fold(self.state, entry.action)
        self.entries.append(entry)
        return entry

    def erase(self, number: int, *, author: str, role: Role, reason: str) -> LogEntry:
        """Erase a person: the lines with their data are rewritten, all at once. Raises ChampionshipError.

        The one thing that changes what is written; the chain goes on over it, and the new entry attests it.
        """
        self._file.seek(0)
        lines = self._file.read(self._end).split(b"\n")[:-1]
        after = erased_lines(lines, number, author=author, role=role, time=self._clock(), reason=reason)
        self._replace(b"".join(line + b"\n" for line in after))
        self.entries = _sound(after)
        self.state = replay(self.entries)
        self.head = hash_of(after[-1])
        return self.entries[-1]

    def _replace(self, data: bytes) -> None:
        """Another content under the same name, whole on the disk before it takes its place."""
        path = Path(self._file.name)
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
        """Let others write."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


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
