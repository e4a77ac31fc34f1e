"""Whether a server is as fast with 100,000 games in its database as with 100, on SQLite and on PostgreSQL.

    python bench/many_games.py                             # 100 and 100,000 games on both
    python bench/many_games.py --games 100 10000 --only sqlite
    python bench/many_games.py --backup                    # a backup while people play, restored and replayed

A few games are really played, then copied under other ids, to other people: ten games for one person, at any
size. Times are those of a request over HTTP, in the middle of many; `CPU` is the server's processor time for
one of them, which a busy machine does not change. The same number of people ask at every size, since whom
the server knows already is answered sooner: their first requests have a line of their own. PostgreSQL syncs
its commits in neither case: none is timed.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import http.client
import os
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from sqlalchemy import Connection, Table, func, select  # noqa: E402

from meldroom.rooms.protocol.settings import Settings, TurnClock  # noqa: E402
from meldroom.server.identity.secret_words import hashed  # noqa: E402
from meldroom.server.storage.copying import back_up, reading, restore  # noqa: E402
from meldroom.server.storage.tables import (  # noqa: E402
    finished_games,
    people_in_games,
    people_in_rooms,
    played_games,
    players,
    room_cards,
    room_events,
    sessions,
)
from meldroom.server.web.cookies import NAME  # noqa: E402
from testkit.server.chooser import Chooser  # noqa: E402
from testkit.server.players import Player, sit_down  # noqa: E402
from testkit.server.postgres import Postgres, make_database  # noqa: E402
from testkit.server.process import ServerProcess  # noqa: E402
from testkit.server.process_tree import PROCESSES  # noqa: E402
from testkit.server.room_logs import check_logs  # noqa: E402

TABLES = (players, sessions, room_events, room_cards, people_in_rooms, finished_games, people_in_games,
          played_games)  # fmt: skip
SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
GAMES_OF_PERSON = 10
PEOPLE = 30
"""How many ask: all whom a hundred games have."""
REQUESTS = 60
IDLE = 0.02
"""Processor seconds a second of a server that nobody asks anything."""
FAR = 4_000_000_000_000
"""When sessions end, in ms."""
Rows = dict[str, list[tuple[Any, ...]]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every size on both back ends, or back up under load."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, nargs="+", default=[100, 100_000])
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--recorded", type=int, default=3, help="games that are really played")
    parser.add_argument("--source", type=Path, help="a data folder with finished games, in place of new ones")
    parser.add_argument("--backup", action="store_true")
    options = parser.parse_args(arguments)
    back_ends = [options.only] if options.only else ["sqlite", "postgresql"]
    postgres = Postgres() if "postgresql" in back_ends else None
    try:
        with tempfile.TemporaryDirectory() as name:
            if options.backup:
                return max(backup_under_load(Path(name) / one, one, postgres) for one in back_ends)
            recorded = options.source or Path(name) / "recorded"
            if options.source is None:
                record(recorded, options.recorded)
            for one in back_ends:
                for games in options.games:
                    measure(Path(name) / f"{one}-{games}", recorded, one, games, postgres)
    finally:
        if postgres is not None:
            postgres.close()
    return 0


# Games


def record(folder: Path, games: int) -> None:
    """Play some games to their end, for two to four people."""
    server = ServerProcess(folder, arguments=("--trusted-load", "--bot-pace", "0", "--start-phase", "0"))
    server.start()
    try:
        asyncio.run(_play_once(server, games))
    finally:
        server.stop()
    verdict = check_logs(folder / "meldroom.db")
    assert not verdict.faults, verdict.faults
    assert verdict.finished == games, verdict


async def _play_once(server: ServerProcess, games: int) -> None:
    seats = [seat for number in range(games) for seat in await _seated(server, 2 + number % 3, once=True)]
    playing = [asyncio.create_task(seat.run()) for seat in seats]
    while not all(seat.view is not None and seat.view.stage == "over" for seat in seats):
        await asyncio.sleep(0.1)
    for seat in seats:
        seat.stop()
    await asyncio.gather(*playing)
    while await asyncio.to_thread(reading, server.database, _uncounted):
        await asyncio.sleep(0.5)


def _uncounted(connection: Connection) -> bool:
    games = connection.execute(select(func.count()).select_from(finished_games)).scalar()
    counted = select(func.count(played_games.c.game.distinct()))
    return connection.execute(counted).scalar() != games


async def _seated(server: ServerProcess, people: int, *, once: bool = False) -> list[Player]:
    settings = Settings(book="wrc11", seats=people, clock=TurnClock(kind="off"))
    room, visitors = await sit_down(server, settings, [f"person {number}" for number in range(people)])
    return [Player(server, one, room, Chooser("wrc11", "casual"), once=once) for one in visitors]


class Copies:
    """Copies of recorded games under other ids."""

    def __init__(self, database: Path) -> None:
        rows = {table.name: reading(database, _all_rows(table)) for table in TABLES}
        self._columns = {table.name: [column.name for column in table.columns] for table in TABLES}
        self._rooms = [row["room"] for row in rows["room_cards"]]
        self.recorded = len(self._rooms)
        self._of_room: list[dict[str, list[dict[str, Any]]]] = []
        for room in self._rooms:
            self._of_room.append(
                {
                    name: [row for row in found if _belongs(row, room)]
                    for name, found in rows.items()
                    if name not in ("players", "sessions")
                }
            )
        self._people = rows["players"]
        for row in rows["played_games"]:  # else the server would compare all copies with the best play
            row["judged"] = row["turns"]

    def people(self, games: int) -> Rows:
        """Everybody who plays in so many games, each with a session whose secret follows from the id."""
        columns = self._columns
        found: Rows = {"players": [], "sessions": []}
        for number in range(_people_for(games)):
            id = _id(number)
            row = {**self._people[0], "id": id, "name": f"person {number}", "profile": f"~{id[:16]}"}
            found["players"].append(tuple(row[name] for name in columns["players"]))
            made = {"hash": hashed(secret_of(id)), "player": id, "created_at": 1, "expires_at": FAR}
            found["sessions"].append(tuple(made.get(name) for name in columns["sessions"]))
        return found

    def games(self, games: int, first: int, last: int) -> Rows:
        """Some of the copies."""
        found: Rows = {name: [] for name in self._columns if name not in ("players", "sessions")}
        for number in range(first, last):
            source = number % len(self._rooms)
            room, rows = self._rooms[source], self._of_room[source]
            chance = random.Random(number)
            old = sorted({row["player"] for row in rows["people_in_rooms"]})
            chosen = chance.sample(range(_people_for(games)), len(old))
            changes = {
                room: _code(number),
                **{one: _id(person) for one, person in zip(old, chosen, strict=True)},
            }
            for name, kept in rows.items():
                found[name] += [
                    tuple(_changed(row[column], changes) for column in self._columns[name]) for row in kept
                ]
        return found


def _all_rows(table: Table) -> Callable[[Connection], list[dict[str, Any]]]:
    return lambda connection: [dict(row) for row in connection.execute(select(table)).mappings()]


def _belongs(row: dict[str, Any], room: str) -> bool:
    return bool(row.get("room") == room or str(row.get("game") or row.get("id") or "").startswith(f"{room}-"))


def _changed(value: Any, changes: dict[str, str]) -> Any:
    """A value with other ids in it; all of them are as long as those they replace."""
    for old, new in changes.items():
        if isinstance(value, str):
            value = value.replace(old, new)
        elif isinstance(value, bytes):
            value = value.replace(old.encode(), new.encode())
    return value


def _people_for(games: int) -> int:
    return max(8, games * 3 // GAMES_OF_PERSON)


def _id(number: int) -> str:
    return hashlib.blake2b(f"person {number}".encode(), digest_size=8).hexdigest()


def _code(number: int) -> str:
    signs = []
    for _ in range(6):
        number, rest = divmod(number, len(SIGNS))
        signs.append(SIGNS[rest])
    return "".join(signs)


def secret_of(id: str) -> str:
    """The secret of a person's session."""
    return f"secret-of-{id}"


# Databases


def _parts(copies: Copies, games: int) -> Iterator[Rows]:
    yield copies.people(games)
    for first in range(0, games, 1_000):
        yield copies.games(games, first, min(games, first + 1_000))


def fill_sqlite(path: Path, copies: Copies, games: int) -> int:
    """Insert everything; the bytes that the database has then."""
    with closing(sqlite3.connect(path)) as database:
        for part in _parts(copies, games):
            for name, rows in part.items():
                marks = ", ".join("?" * len(rows[0])) if rows else ""
                database.executemany(f"INSERT INTO {name} VALUES ({marks})", rows) if rows else None
            database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size


async def fill_postgres(url: str, copies: Copies, games: int) -> int:
    """Insert everything; the bytes that the database has then."""
    import asyncpg

    connection = await asyncpg.connect(url)
    try:
        for part in _parts(copies, games):
            for name, rows in part.items():
                await connection.copy_records_to_table(name, records=rows)
        await connection.execute("VACUUM ANALYZE")  # else it does so while requests are timed
        await connection.execute("CHECKPOINT")
        size = await connection.fetchval("SELECT pg_database_size(current_database())")
        return int(size)
    finally:
        await connection.close()


def measure(folder: Path, recorded: Path, back_end: str, games: int, postgres: Postgres | None) -> None:
    """One size on one back end."""
    copies = Copies(recorded / "meldroom.db")
    server = ServerProcess(folder, arguments=("--trusted-load",))
    if postgres is not None and back_end == "postgresql":
        server.address = asyncio.run(make_database(postgres.url(), f"games{games}"))
    server.start()
    server.stop()
    if back_end == "sqlite":
        size = fill_sqlite(folder / "meldroom.db", copies, games)
    else:
        size = asyncio.run(fill_postgres(server.address, copies, games))
    server.started_in.clear()
    starts: list[float] = []
    for _ in range(3):
        server.start()
        starts.append(_own_time(server))
        server.stop()
    server.start()
    try:
        print(
            f"{back_end}, {games} games: {size / games / 1000:.1f} KB for each, started in "
            f"{statistics.median(server.started_in):.2f} s (CPU {statistics.median(starts):.2f} s, and "
            f"{_until_idle(server):.2f} s afterwards)",
            flush=True,
        )
        chance = random.Random(1)
        for what, asked in _questions(games, copies.recorded, chance).items():
            times, cpu = _ask(server, asked)
            print(
                f"    {what:<22} {1000 * statistics.median(times):7.1f} ms   CPU {1000 * cpu:6.1f} ms",
                flush=True,
            )
    finally:
        server.stop()
    if back_end == "sqlite":
        shutil.rmtree(folder)


def _until_idle(server: ServerProcess) -> float:
    """Processor seconds until it rests: after a start it looks for games that have not been counted."""
    before = found = _own_time(server)
    while True:
        time.sleep(1.0)
        last, found = found, _own_time(server)
        if found - last <= IDLE:
            return found - before


def _own_time(server: ServerProcess) -> float:
    """Seconds of processor time of the server itself, without what it makes beside."""
    assert server.process is not None
    fields = (PROCESSES / str(server.process.pid) / "stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def _questions(games: int, recorded: int, chance: random.Random) -> dict[str, list[tuple[str, str]]]:
    """Paths by what they are, each with the person who asks: as many copies of every recorded game."""
    known = _people_for(games)
    new = [_id(number) for number in chance.sample(range(known), min(known, PEOPLE))]
    people = [chance.choice(new) for _ in range(REQUESTS)]
    copies = [
        chance.sample(range(source, games, recorded), REQUESTS // recorded) for source in range(recorded)
    ]
    numbers = [number for same in zip(*copies, strict=True) for number in same]
    return {
        "lobby, first request": [("/api/v1/rooms", one) for one in new],
        "lobby": [("/api/v1/rooms", one) for one in people],
        "my games": [("/api/v1/rooms/mine", one) for one in people],
        "my profile": [("/api/v1/profile", one) for one in people],
        "a finished game": [(f"/api/v1/games/{_code(number)}-1", "") for number in numbers],
        "its verification": [(f"/api/v1/games/{_code(number)}-1/verification", "") for number in numbers],
    }


def _ask(server: ServerProcess, asked: list[tuple[str, str]]) -> tuple[list[float], float]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    times: list[float] = []
    before = 0.0
    try:
        for place, (path, person) in enumerate(asked):
            if place == 5:
                before = _own_time(server)
            headers = {"Cookie": f"{NAME}={secret_of(person)}"} if person else {}
            began = time.perf_counter()
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
            assert answer.status == 200, (path, answer.status, body[:300])
            times.append(time.perf_counter() - began)
    finally:
        connection.close()
    return times[5:], (_own_time(server) - before) / len(times[5:])


# Backups


def backup_under_load(folder: Path, back_end: str, postgres: Postgres | None, backups: int = 5) -> int:
    """Back up again and again while people play; restore each, and replay everything in it."""
    quick = ("--trusted-load", "--bot-pace", "0", "--start-phase", "0")
    server = ServerProcess(folder / "data", arguments=quick)
    if postgres is not None and back_end == "postgresql":
        server.address = asyncio.run(make_database(postgres.url(), "underload"))
    folder.mkdir(parents=True)
    server.start()
    try:
        faults = asyncio.run(_back_up(server, folder, backups))
    finally:
        server.stop()
    return int(faults > 0)


async def _back_up(server: ServerProcess, folder: Path, backups: int) -> int:
    seats = [seat for _ in range(4) for seat in await _seated(server, 3)]
    playing = [asyncio.create_task(seat.run()) for seat in seats]
    faults = 0
    for number in range(backups):
        before = sum(seat.plays for seat in seats)
        while sum(seat.plays for seat in seats) < before + 40:
            await asyncio.sleep(0.05)
        began, plays = time.perf_counter(), sum(seat.plays for seat in seats)
        copy = folder / f"copy{number}"
        made = await back_up(server.folder, server.address, copy)
        took, meanwhile = time.perf_counter() - began, sum(seat.plays for seat in seats) - plays
        again = await restore(copy, folder / f"again{number}", "")
        verdict = again.verdict
        faults += len(made.verdict.faults) + len(again.verdict.faults) + (made.verdict != again.verdict)
        print(
            f"backup {number + 1}: {took:.2f} s, {meanwhile} plays meanwhile; restored: "
            f"{verdict.rooms} rooms, {verdict.events} events, {verdict.finished} finished games, "
            f"{len(verdict.faults)} faults",
            flush=True,
        )
    for seat in seats:
        seat.stop()
    await asyncio.gather(*playing, return_exceptions=True)
    return faults


if __name__ == "__main__":
    sys.exit(main())
