"""Championships in the database: moved there and back, written by two nodes, refused while it is full."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from meldroom.championship import verify
from meldroom.rooms.errors import StorageError
from meldroom.rooms.rate_limit import Allowance
from meldroom.server.championships.commands.answers import Done, Preview
from meldroom.server.championships.commands.perform import perform
from meldroom.server.championships.commands.requests import CommandRequest
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.online.rooms import Online
from meldroom.server.championships.runtime.live import Championships
from meldroom.server.championships.runtime.stored_archive import StoredArchive
from meldroom.server.championships.runtime.transfer import TransferError, export_events, import_events
from meldroom.server.storage import SqlStore
from meldroom.server.storage.copying import move, reading
from tests.rooms.house import House
from tests.server.championships.at_hall import scores
from tests.server.championships.online_hall import OnlineHall
from tests.server.conftest import ON_POSTGRES, Place

GAME: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1, "game": 1}
LEAGUE = b'{"toml":"name = \\"x\\"","lock":"00","made":"2026-11-15T12:00:00Z","events":[]}'
Prepared = tuple[Path, dict[str, str]]
_ids = count(1)


@pytest.fixture
def events(tmp_path: Path, prepared: Prepared) -> Path:
    """A folder of championships: one, with a photo and a torn line, and a league."""
    source, _ = prepared
    folder = tmp_path / "events"
    shutil.copytree(source, folder / source.name)
    (folder / source.name / "photos").mkdir()
    (folder / source.name / "photos" / ("a" * 64)).write_bytes(b"\xff\xd8\xff picture")
    (folder / "leagues").mkdir()
    (folder / "leagues" / "leagueab.json").write_bytes(LEAGUE)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@asynccontextmanager
async def nodes(place: Place, events: Path) -> AsyncIterator[tuple[SqlStore, Championships, Championships]]:
    """Two nodes on one database with these championships; each tells the other what it has changed."""
    store = await SqlStore.open(place.folder / "data", place.url)
    other = await SqlStore.open(place.folder / "other", place.url) if place.url else store
    await store.write(lambda connection: import_events(connection, events))
    both = [Championships(StoredArchive(one), opening=Allowance(9, 9)) for one in (store, other)]
    told: list[asyncio.Task[None]] = []
    for one, another in (both, both[::-1]):
        one.announce = lambda code, another=another: told.append(
            asyncio.ensure_future(another.changed_elsewhere(code))
        )
    yield store, both[0], both[1]
    await asyncio.gather(*told)
    for one in both:
        await one.close()
    if other is not store:
        await other.close()
    await store.close()


def command(do: str, id: str = "", **values: Any) -> CommandRequest:
    asked = {"id": id or f"stored-{next(_ids):05d}", "command": {"do": do, **values}}
    return msgspec.convert(asked, CommandRequest)


async def done(all_: Championships, code: str, secret: str, asked: CommandRequest) -> Done | Preview:
    live, key = await all_.entrusted(code, secret)
    return await live.change(lambda running: perform(running, key, asked, "en"))


@pytest.mark.skipif(ON_POSTGRES, reason="it chooses the databases itself")
def test_everything_moves_there_and_back_byte_for_byte(
    place: Place, database_url: str, events: Path, tmp_path: Path
) -> None:
    before = tree(events)
    data = tmp_path / "data"

    async def moved() -> None:
        store = await SqlStore.open(data)
        try:
            await store.write(lambda connection: import_events(connection, events))
            with pytest.raises(TransferError, match="already"):
                await store.write(lambda connection: import_events(connection, events))
        finally:
            await store.close()

    asyncio.run(moved())
    there: Any = data / "meldroom.db"
    if place.url:
        copied = asyncio.run(move(data, place.url))
        assert (copied.verdict.championships, copied.verdict.faults) == (1, ())
        there = place.url
    out = tmp_path / "out"
    reading(there, lambda connection: export_events(connection, out))
    assert tree(out) == before
    with pytest.raises(TransferError, match="already"):
        reading(there, lambda connection: export_events(connection, out))


def test_two_nodes_write_to_one_championship_and_nothing_is_lost_or_doubled(
    place: Place, events: Path, prepared: Prepared
) -> None:
    code, keys = prepared[0].name, prepared[1]

    async def run() -> None:
        async with nodes(place, events) as (store, one, two):
            before = (await one.championship(code)).now.state.entries
            late = [
                command("penalise", number=number, kind="late", note=f"{turn}")
                for turn in range(4)
                for number in (1, 2, 3)
            ]
            asked = [done(at, code, keys["director"], each) for each in late for at in (one, two)]
            answers = await asyncio.gather(*asked)
            assert len({answer.log for answer in answers if isinstance(answer, Done)}) == len(late)
            first, second = await one.championship(code), await two.championship(code)
            assert first.now.state.entries == before + len(late)
            assert first.now == second.now
            out = place.folder / "out"
            await store.read(lambda connection: export_events(connection, out))
            lines = (out / code / "log.jsonl").read_bytes().splitlines()
            assert len(lines) == before + len(late)
            assert not verify(lines)[1]

    asyncio.run(run())


def test_news_of_one_node_reach_who_waits_on_the_other_and_keys_hold_everywhere(
    place: Place, events: Path, prepared: Prepared
) -> None:
    code, keys = prepared[0].name, prepared[1]

    async def run() -> None:
        async with nodes(place, events) as (_, one, two):
            waiting = await two.championship(code)
            version = waiting.now.version
            news = asyncio.ensure_future(waiting.wait(version, 20, public=False))
            await done(one, code, keys["scorer"], command("call_referee", table=2, about="time"))
            assert await news == version + 1
            live, _ = await one.entrusted(code, keys["organiser"])
            secret, key = await live.change(lambda running: running.make_key("referee", "Rex", None, "Olga"))
            assert (await two.entrusted(code, secret))[1].label == "Rex"
            await live.change(lambda running: running.revoke(key.id))
            with pytest.raises(HallError) as refused:
                await two.entrusted(code, secret)
            assert refused.value.code == "key_revoked"
            photo = await live.change(lambda running: running.keep_photo(b"\xff\xd8\xff new"))
            assert await (await two.championship(code)).photo(photo) == b"\xff\xd8\xff new"

    asyncio.run(run())


def test_what_the_database_does_not_take_has_not_happened(
    place: Place, events: Path, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, keys = prepared[0].name, prepared[1]

    async def run() -> None:
        async with nodes(place, events) as (store, one, _):
            live = await one.championship(code)
            before = live.now

            async def full(work: Callable[..., object]) -> Awaitable[object]:
                raise StorageError("disk_full", path="x")

            asked = command("enter_result", **GAME, scores=scores(1))
            with monkeypatch.context() as patched:
                patched.setattr(store, "write", full)
                with pytest.raises(HallError) as refused:
                    await done(one, code, keys["scorer"], asked)
                assert (refused.value.status, refused.value.code) == (503, "not_written")
                assert live.now is before
            answer = await done(one, code, keys["scorer"], asked)
            assert isinstance(answer, Done)
            assert answer.log == before.state.entries + 1
            assert await done(one, code, keys["scorer"], asked) == answer

    asyncio.run(run())


def test_after_an_erasure_the_other_node_reads_everything_again(
    place: Place, events: Path, prepared: Prepared
) -> None:
    code, keys = prepared[0].name, prepared[1]

    async def run() -> None:
        async with nodes(place, events) as (_, one, two):
            assert "Lovelace" in (await two.championship(code)).now.state.name_of(1)
            asked = msgspec.structs.replace(command("erase_entrant", number=1), reason="asked for it")
            await done(one, code, keys["organiser"], asked)
            await done(two, code, keys["director"], command("penalise", number=1, kind="late", note="late"))
            for at in (one, two):
                assert "Lovelace" not in (await at.championship(code)).now.state.name_of(1)
            assert not verify((await two.championship(code))._championship.lines())[1]

    asyncio.run(run())


def test_a_game_played_online_is_entered_once_whichever_node_sees_to_it(place: Place) -> None:
    async def run() -> None:
        store = await SqlStore.open(place.folder / "data", place.url)
        hall = OnlineHall(place.folder, House(), archive=StoredArchive(store))
        hall.championships.announce = lambda code: None
        await hall.house.rooms.start()
        try:
            await hall.seated()
            await hall.command("open_rooms", stage="evening", sitting=1)
            await hall.play("evening", 1, await hall.sit("evening", 1))
            assert ("evening", 1, 1) in hall.state.sheets
            other = Online(Championships(StoredArchive(store)), hall.house.rooms)
            before = hall.state.entries
            await asyncio.gather(other.start(), hall.online.start())
            await hall.play("evening", 2, await hall.sit("evening", 2), seed=2)
            await other.rest()
            live = await hall.championships.championship(hall.code)
            assert live.now.state.entries == before + 2  # the result, and the signature
            assert not verify(live._championship.lines())[1]
            assert await StoredArchive(store).with_rooms() == (hall.code,)
        finally:
            await hall.close()
            await store.close()

    asyncio.run(run())
