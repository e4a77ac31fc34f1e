"""The log of a championship, with one writer. What is acknowledged is never lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from meldroom.championship.actions import Action, Adopt, EraseEntrant, Found
from meldroom.championship.apply import apply
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.fold import fold
from meldroom.championship.log.audit import chain
from meldroom.championship.log.entry import (
    BEGINNING,
    LogEntry,
    decode_entry,
    hash_of,
    line_of,
    link_of,
    replay,
)
from meldroom.championship.log.erase import erased_lines
from meldroom.championship.log.lines import LogFile, LogLines, keep_name, read_lines
from meldroom.championship.log.lots import LotSecrets, SecretsFile, SecretsInMemory, with_lot
from meldroom.championship.roles import Role
from meldroom.championship.state import ChampionshipState


def now() -> datetime:
    """The time in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


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

    def __init__(
        self, lines: LogLines, clock: Callable[[], datetime] = now, secrets: LotSecrets | None = None
    ) -> None:
        """A log of its own, or one that is kept elsewhere than in a file. Raises ChampionshipError.

        `secrets` is where the secrets of lots wait until they are drawn.
        """
        self._lines = lines
        self._secrets = SecretsInMemory() if secrets is None else secrets
        self._clock = clock
        self.head = BEGINNING
        """What the next entry is chained by."""
        self.state = ChampionshipState()
        self.entries: list[LogEntry] = []
        found = lines.read()
        if found:
            self.entries = _sound(found)
            self.state = replay(self.entries)
            self.head = link_of(found[-1])

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
        log = cls(LogFile.create(path), clock, SecretsFile(path))
        log.append(found, author=author, role=role, reason=reason)
        keep_name(path.parent)
        return log

    @classmethod
    def open(cls, path: Path, *, clock: Callable[[], datetime] = now) -> ChampionshipLog:
        """A log for writing; a torn last line is cut off. Raises ChampionshipError, and if another writes."""
        file = LogFile.open(path)
        try:
            log = cls(file, clock, SecretsFile(path))
            if not log.state.entries:
                raise ChampionshipError("not_founded")
            file.cut()
        except BaseException:
            file.close()
            raise
        return log

    def follow(self, lines: Sequence[bytes]) -> list[LogEntry]:
        """Take in what another writer has appended; the new entries. Raises ChampionshipError."""
        found = []
        for line in lines:
            entry = decode_entry(line)
            number = len(self.entries) + 1
            if entry.number != number or entry.previous != self.head:
                raise ChampionshipError("broken_chain", line=number, before=number - 1)
            self.state = fold(self.state, entry.action)
            self.head = link_of(line)
            self.entries.append(entry)
            found.append(entry)
        return found

    def append(
        self, action: Action, *, author: str, role: Role, reason: str = "", confirmed: str = ""
    ) -> LogEntry:
        """Write an action down; when this returns, it is on the disk. Raises ChampionshipError."""
        if isinstance(action, EraseEntrant):
            raise ChampionshipError("use_erase")
        entry = apply(
            self.state,
            with_lot(self.state, action, self._secrets),
            author=author,
            role=role,
            time=self._clock(),
            reason=reason,
            previous=self.head,
            confirmed=confirmed,
        )
        line = line_of(entry)
        self._lines.append(line)
        self.head = hash_of(line)
        self.state = fold(self.state, entry.action)
        self.entries.append(entry)
        return entry

    def erase(self, number: int, *, author: str, role: Role, reason: str) -> LogEntry:
        """Erase a person: the lines with their data are rewritten, all at once. Raises ChampionshipError.

        The one thing that changes what is written; the chain goes on over it, and the new entry attests it.
        """
        time = self._clock()
        after = erased_lines(self._lines.read(), number, author=author, role=role, time=time, reason=reason)
        self._lines.replace(after)
        self.entries = _sound(after)
        self.state = replay(self.entries)
        self.head = hash_of(after[-1])
        return self.entries[-1]

    def close(self) -> None:
        """Let others write."""
        self._lines.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
