"""The files of a championship in the database.

They are read into memory, changed there, and everything that a command has changed is written in one
transaction, on condition that nobody has written since: `revision` is compared and counted by the same
statement. Whoever was overtaken reads again and does the command anew, so that any node may write at any
time, and none needs to own a championship.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.log.lines import LogLines
from meldroom.rooms.errors import StorageError
from meldroom.server.championships.storage.files import LINES, PHOTOS
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import championship_files, championship_lines, championships

Value = TypeVar("Value")


class OvertakenError(Exception):
    """Somebody else has written to this championship meanwhile."""


class Contents(msgspec.Struct):
    """A championship as it is kept: lines by file, and all other files; of photos only the names."""

    revision: int = 0
    lines: dict[str, list[bytes]] = msgspec.field(default_factory=lambda: {name: [] for name in LINES})
    files: dict[str, bytes] = {}
    photos: set[str] = set()


class _Lines:
    """One file of lines in memory: see LogLines."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.saved = len(lines)
        self.rewritten = False

    def read(self) -> list[bytes]:
        return list(self.lines)

    def append(self, line: bytes) -> None:
        self.lines.append(line)

    def replace(self, lines: Sequence[bytes]) -> None:
        self.lines, self.rewritten = list(lines), True

    def close(self) -> None:
        """Nothing is open."""


class StoredFiles:
    """See EventFiles. What is changed here is durable once its Committer has committed it."""

    def __init__(self, code: str, contents: Contents, fetch: Callable[[str], bytes | None]) -> None:
        self.code = code
        self.revision = contents.revision
        self.texts = {name: _Lines(lines) for name, lines in contents.lines.items()}
        self._files = dict(contents.files)
        self._photos = set(contents.photos)
        self._fetch = fetch
        self.changed: dict[str, bytes] = {}

    def lines(self, name: str) -> LogLines:
        """See EventFiles."""
        return self.texts[name]

    def ready(self) -> None:
        """See EventFiles."""

    def get(self, name: str) -> bytes | None:
        """See EventFiles. Photos are fetched: not to be called on the event loop."""
        if name in self.changed:
            return self.changed[name]
        return self._fetch(name) if name in self._photos else self._files.get(name)

    def has(self, name: str) -> bool:
        """See EventFiles."""
        return name in self.changed or name in self._photos or name in self._files

    def put(self, name: str, data: bytes) -> None:
        """See EventFiles."""
        self.changed[name] = data

    def close(self) -> None:
        """See EventFiles."""

    @property
    def is_changed(self) -> bool:
        """Whether there is something to write."""
        return bool(self.changed) or any(
            each.rewritten or len(each.lines) > each.saved for each in self.texts.values()
        )

    def settle(self, revision: int) -> None:
        """Everything is written."""
        self.revision = revision
        for each in self.texts.values():
            each.saved, each.rewritten = len(each.lines), False
        self._keep(self.changed)
        self.changed = {}

    def take(self, news: Contents) -> None:
        """Take in what somebody else has appended."""
        self.revision = news.revision
        for name, lines in news.lines.items():
            self.texts[name].lines += lines
            self.texts[name].saved = len(self.texts[name].lines)
        self._keep(news.files)
        self._photos |= news.photos

    def _keep(self, files: dict[str, bytes]) -> None:
        for name, data in files.items():
            if is_photo(name):
                self._photos.add(name)
            else:
                self._files[name] = data


def is_photo(name: str) -> bool:
    """Whether a file is a photo, which is not read into memory with the others."""
    return name.startswith(f"{PHOTOS}/")


Listing = Callable[[str, StoredFiles], dict[str, Any]]
"""What the lists show of a championship: the columns `card` and `has_rooms`."""


class Committer:
    """Writes what has changed in the files of one championship, and reads what others have written."""

    def __init__(self, store: SqlStore, files: StoredFiles, listing: Listing) -> None:
        self._store = store
        self._files = files
        self._listing = listing

    async def commit(self) -> None:
        """Write whatever has changed, all or nothing. Raises OvertakenError and StorageError."""
        if not self._files.is_changed:
            return
        listed = self._listing(self._files.code, self._files)
        try:
            revision = await self._store.write(lambda connection: _write(connection, self._files, listed))
        except IntegrityError:
            raise OvertakenError from None
        self._files.settle(revision)

    async def is_current(self) -> bool:
        """Whether nobody else has written since. Raises StorageError."""
        query = select(championships.c.revision).where(championships.c.code == self._files.code)
        found = await self._store.read(lambda connection: connection.execute(query).scalar())
        return found == self._files.revision

    async def news(self) -> Contents | None:
        """What others have appended; None if more than that has changed. Raises StorageError."""
        return await self._store.read(lambda connection: _news(connection, self._files))


def fetcher(store: SqlStore, code: str) -> Callable[[str], bytes | None]:
    """A function that fetches a file of a championship, for threads beside the event loop."""
    loop = asyncio.get_running_loop()

    def fetch(name: str) -> bytes | None:
        query = select(championship_files.c.data).where(
            championship_files.c.championship == code, championship_files.c.name == name
        )
        try:
            return waited_for(loop, store.read(lambda connection: connection.execute(query).scalar()))
        except StorageError as error:
            raise ChampionshipError("not_written", why=error.as_message()) from None

    return fetch


def waited_for(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Value]) -> Value:
    """The answer of something that runs on the event loop, for a thread beside it."""
    return asyncio.run_coroutine_threadsafe(work, loop).result()


# What follows runs on a connection.


def read_contents(connection: Connection, code: str, *, photos: bool = False) -> Contents | None:
    """Everything of a championship, photos too where they are asked for; None if there is none."""
    query = select(championships.c.revision).where(championships.c.code == code)
    revision = connection.execute(query).scalar()
    if revision is None:
        return None
    lines = {name: _lines_after(connection, code, name, 0) for name in LINES}
    files, names = _files_after(connection, code, 0, photos=photos)
    return Contents(revision, lines, files, names)


def change_beside(connection: Connection, code: str, work: Callable[[StoredFiles], None]) -> bool:
    """Change files of a championship that servers may have open; False if there is none.

    Raises OvertakenError.
    """
    contents = read_contents(connection, code)
    if contents is None:
        return False
    files = StoredFiles(code, contents, lambda _: None)
    work(files)
    _write(connection, files, {})
    return True


def create(connection: Connection, files: StoredFiles, listed: dict[str, Any]) -> None:
    """A new championship. Raises IntegrityError if its code is taken."""
    connection.execute(insert(championships), {"code": files.code, "revision": 1, "rewritten": 0, **listed})
    for name, each in files.texts.items():
        _append(connection, files.code, name, 0, each.lines)
    _put(connection, files.code, 1, files.changed)


def _write(connection: Connection, files: StoredFiles, listed: dict[str, Any]) -> int:
    """The revision after the changes. Raises OvertakenError."""
    revision = files.revision + 1
    values: dict[str, Any] = {"revision": revision, **listed}
    rewritten = any(each.rewritten for each in files.texts.values())
    if rewritten:
        values["rewritten"] = revision
    same = (championships.c.code == files.code) & (championships.c.revision == files.revision)
    if not connection.execute(update(championships).where(same).values(**values)).rowcount:
        raise OvertakenError
    for name, each in files.texts.items():
        if each.rewritten:
            connection.execute(
                delete(championship_lines).where(
                    championship_lines.c.championship == files.code, championship_lines.c.file == name
                )
            )
        saved = 0 if each.rewritten else each.saved
        _append(connection, files.code, name, saved, each.lines[saved:])
    _put(connection, files.code, revision, files.changed)
    return revision


def _append(connection: Connection, code: str, name: str, after: int, lines: Iterable[bytes]) -> None:
    rows = [
        {"championship": code, "file": name, "seq": seq, "line": line}
        for seq, line in enumerate(lines, start=after + 1)
    ]
    if rows:
        connection.execute(insert(championship_lines), rows)


def _put(connection: Connection, code: str, revision: int, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        there = (championship_files.c.championship == code) & (championship_files.c.name == name)
        values = {"revision": revision, "data": data}
        if not connection.execute(update(championship_files).where(there).values(**values)).rowcount:
            row = {"championship": code, "name": name, **values}
            connection.execute(insert(championship_files), row)


def _lines_after(connection: Connection, code: str, name: str, seq: int) -> list[bytes]:
    columns = championship_lines.c
    query = select(columns.line).where(columns.championship == code, columns.file == name, columns.seq > seq)
    return list(connection.execute(query.order_by(columns.seq)).scalars())


def _files_after(
    connection: Connection, code: str, revision: int, *, photos: bool = False
) -> tuple[dict[str, bytes], set[str]]:
    columns = championship_files.c
    newer = (columns.championship == code) & (columns.revision > revision)
    names = set(connection.execute(select(columns.name).where(newer)).scalars())
    kept = sorted(name for name in names if photos or not is_photo(name))
    rows = connection.execute(select(columns.name, columns.data).where(newer, columns.name.in_(kept)))
    return {row.name: row.data for row in rows}, {name for name in names if is_photo(name)}


def _news(connection: Connection, files: StoredFiles) -> Contents | None:
    query = select(championships).where(championships.c.code == files.code)
    row = connection.execute(query).first()
    if row is None or row.rewritten > files.revision:
        return None
    lines = {
        name: _lines_after(connection, files.code, name, each.saved) for name, each in files.texts.items()
    }
    changed, photos = _files_after(connection, files.code, files.revision)
    return Contents(row.revision, lines, changed, photos)
