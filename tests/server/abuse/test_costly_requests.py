"""What a stranger may make the server compute: bounded before it is parsed, off the event loop, counted."""

from __future__ import annotations

import asyncio
import threading
import time
import tracemalloc
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldroom.api import games as api_games
from meldroom.api.errors import HttpError
from meldroom.decode import DecodeError, parse_toml
from meldroom.rooms.rate_limit import Allowance
from meldroom.server.championships.runtime import archive
from meldroom.server.config import Limits
from meldroom.server.storage import SqlStore
from meldroom.server.web import bounded, gateway
from meldroom.server.web.bounded import BoundedThreads, Places, note_asking, trust
from testkit.server.abuse import COSTLY, dotted_toml
from tests.server import published
from tests.server.api.near import Near, with_server

FEW_MEGABYTES = 3_000_000
POSITION = "wrc11 / table R1 R2 R3 / racks R4 K9 *, ?x14 / turn 1 / melded 1"


def peak_of(work: Callable[[], object]) -> int:
    """The most memory that some work took at once, in bytes."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


BOMBS = {
    "a dotted key": dotted_toml(24_000),
    "a dotted key with spaces": " . ".join("a" * 6_000) + " = 1",
    "a quoted key": ".".join(['"a"', "'b'"] * 2_400) + " = 1",
    "a header": "[" + ".".join("a" * 9_000) + "]",
    "an inline table": "x = { " + ".".join("a" * 9_000) + " = 1 }",
    "brackets": "x = " + "[" * 19_000,
    "a long number": "x = " + "1" * 19_000,
    "too long": "#" * 20_001,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_toml_bomb_is_refused_and_takes_no_memory(bomb: str) -> None:
    def read() -> None:
        with pytest.raises(DecodeError):
            parse_toml(BOMBS[bomb])

    assert peak_of(read) < FEW_MEGABYTES


@given(st.lists(st.text("abz09_-", min_size=1, max_size=4), min_size=1, max_size=8), st.integers(0, 3))
def test_keys_of_eight_parts_are_read(parts: list[str], spaces: int) -> None:
    dot = " " * spaces + "." + " " * spaces
    found: Any = parse_toml(f"{dot.join(parts)} = 7")
    for part in parts:
        found = found[part]
    assert found == 7


@given(st.text("ab.\"'[]{}=\n #1-_\t", max_size=400))
def test_any_toml_is_read_or_refused(text: str) -> None:
    with suppress(DecodeError):
        parse_toml(text)


def test_the_bomb_as_a_stranger_sends_it(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        sent = COSTLY["POST /championships"]
        browser = near.browser()
        short = {"name": "A", "by": "B", "date": "2026-11-15", "format_toml": dotted_toml(9)}
        answer = await browser.post("/api/v1/championships?language=fr", json=short)
        assert answer.json()["error"]["code"] == "bad_toml"
        assert "au plus 8 parties" in answer.json()["error"]["message"]
        tracemalloc.start()
        answer = await browser.request(sent.method, sent.path, content=sent.body, headers=sent.headers)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert answer.status_code == 400, answer.text
        assert peak < FEW_MEGABYTES

    with_server(tmp_path, test)


def test_every_route_for_strangers_has_its_worst_request() -> None:
    """What `bench/abuse.py --endpoints` measures: every route that takes a stranger's input."""
    known = {name.partition(",")[0] for name in COSTLY}
    for path, item in published.document()["paths"].items():
        short = path.removeprefix("/api/v1")
        for method, operation in item.items():
            name = f"{method.upper()} {short}"
            inner = short.startswith(("/championships/{code}/", "/games/{game}/"))
            needs_more = operation["security"] and {} not in operation["security"]
            if inner or needs_more or name == "POST /sign-out":
                continue
            assert name in known, name


@pytest.mark.parametrize("name", ["POST /check, many sets", "POST /check, too many sets"])
def test_a_table_of_more_tiles_than_there_are_is_not_judged(tmp_path: Path, name: str) -> None:
    sent = COSTLY[name]

    async def test(near: Near) -> None:
        answer = await near.browser().request(sent.method, sent.path, content=sent.body, headers=sent.headers)
        assert answer.status_code in (400, 413)
        many = {"rulebook": "wrc11", "table": [["*"] * 110] * 60}
        answer = await near.browser().post("/api/v1/referee/position", json=many)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "too_many_tiles")

    with_server(tmp_path, test)


def test_drawing_and_reading_are_not_done_on_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def noted(name: str) -> None:
        real = getattr(api_games, name)

        def noting(*arguments: Any, **more: Any) -> Any:
            threads.append(threading.current_thread())
            return real(*arguments, **more)

        monkeypatch.setattr(api_games, name, noting)

    for name in ("picture", "read_position", "read_sets", "to_png"):
        noted(name)

    async def test(near: Near) -> None:
        browser = near.browser()
        for path in ("/position", "/position.svg", "/position.png"):
            answer = await browser.get(f"/api/v1{path}", params={"text": POSITION})
            assert answer.status_code == 200, answer.text
        await browser.get("/api/v1/notation", params={"text": "R1 R2 R3", "book": "wrc11"})
        assert len(threads) >= 5
        assert threading.main_thread() not in threads

    with_server(tmp_path, test)


def test_readiness_is_looked_at_once_however_often_it_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0
    real = SqlStore.check_writable

    async def counted(store: SqlStore) -> None:
        nonlocal looks
        looks += 1
        await real(store)

    monkeypatch.setattr(SqlStore, "check_writable", counted)

    async def test(near: Near) -> None:
        browser = near.browser()
        answers = await asyncio.gather(*(browser.get("/readyz") for _ in range(20)))
        assert [one.text for one in answers] == ["ready\n"] * 20
        assert looks <= 2

    with_server(tmp_path, test)


def test_the_list_of_championships_reads_a_championship_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []
    real = archive._card

    def counted(folder: Path) -> archive.ChampionshipCard | None:
        reads.append(folder.name)
        return real(folder)

    monkeypatch.setattr(archive, "_card", counted)

    async def test(near: Near) -> None:
        browser = near.browser()
        new = {"name": "A", "by": "B", "date": "2026-11-15"}
        made = (await browser.post("/api/v1/championships", json=new)).json()
        for _ in range(5):
            (card,) = (await browser.get("/api/v1/championships")).json()
            assert card["name"] == "A"
        assert reads == [made["code"]]
        key = {"X-Championship-Key": made["key"]}
        hide = {"id": "hide-000001", "command": {"do": "set_options", "listed": False}}
        done = await browser.post(f"/api/v1/championships/{made['code']}/commands", json=hide, headers=key)
        assert done.status_code == 200, done.text
        assert (await browser.get("/api/v1/championships")).json() == []
        assert reads == [made["code"]] * 2

    with_server(tmp_path, test)


def test_who_has_computed_enough_waits_and_others_do_not(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        greedy, other = (near.browser(**{"x-forwarded-for": one}) for one in ("192.0.2.1", "192.0.2.2"))

        async def ask(browser: httpx.AsyncClient) -> int:
            return (await browser.get("/api/v1/position", params={"text": POSITION})).status_code

        assert await ask(greedy) == 200
        refused = await greedy.get("/api/v1/position", params={"text": POSITION})
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many")
        assert int(refused.headers["retry-after"]) >= 1
        assert await ask(other) == 200

    with_server(tmp_path, test, usual=Limits(computing_of_address=Allowance(0.0001, 0.000001)))


def test_whoever_has_a_key_is_not_counted() -> None:
    async def run() -> None:
        threads = BoundedThreads(Allowance(0.0001, 0.000001))
        note_asking("192.0.2.1")
        await threads(sum, range(1000))
        with pytest.raises(HttpError, match="Try again"):
            await threads(sum, range(1000))
        trust()
        assert await threads(sum, range(3)) == 3
        with pytest.raises(ZeroDivisionError):
            await threads(divmod, 1, 0)
        threads.close()

    asyncio.run(run())


def test_the_queue_is_bounded_for_an_address_and_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "MOST_WAITING", 3)
    monkeypatch.setattr(bounded, "MOST_WAITING_OF_ADDRESS", 2)

    async def run() -> None:
        threads, gate = BoundedThreads(Allowance(1e9, 1e9)), threading.Event()

        async def ask(address: str) -> int:
            note_asking(address)
            try:
                return int(await threads(gate.wait, 20))
            except HttpError as refusal:
                return refusal.status

        asked = [asyncio.create_task(ask(f"192.0.2.{number}")) for number in (1, 1, 1, 2, 2)]
        await asyncio.sleep(0.1)
        gate.set()
        assert await asyncio.gather(*asked) == [1, 1, 429, 1, 503]
        assert await ask("192.0.2.1") == 1
        threads.close()

    asyncio.run(run())


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=40))
def test_places_are_given_back_whatever_happens(steps: list[tuple[str, bool]]) -> None:
    places, held = Places(4, 2), list[tuple[str, AbstractContextManager[None]]]()
    for address, leaves in steps:
        if leaves and held:
            held.pop()[1].__exit__(None, None, None)
            continue
        place = places.place(address)
        mine = sum(one == address for one, _ in held)
        full = len(held) >= 4 or mine >= 2
        try:
            place.__enter__()
        except HttpError:
            assert full
        else:
            assert not full
            held.append((address, place))
    while held:
        held.pop()[1].__exit__(None, None, None)
    for number in range(4):
        held.append(("", places.place(f"address {number}")))
        held[-1][1].__enter__()


def test_large_bodies_are_few_at_once_and_hold_few_values(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        sent = COSTLY["POST /championships/adopt"]

        async def send() -> int:
            answer = await near.browser().request(
                sent.method, sent.path, content=sent.body, headers=sent.headers
            )
            return answer.status_code

        assert await send() == 413
        statuses = await asyncio.gather(*(send() for _ in range(12)))
        assert 429 in statuses
        assert set(statuses) <= {413, 429}
        assert await send() == 413

    with_server(tmp_path, test)


def test_a_large_body_is_read_at_its_pace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(near: Near) -> None:
        sent = COSTLY["POST /championships/adopt, fewer"]
        began = time.monotonic()
        answer = await near.browser().request(sent.method, sent.path, content=sent.body, headers=sent.headers)
        assert answer.status_code == 400
        assert time.monotonic() - began > 0.5

    monkeypatch.setattr(gateway, "LARGE_BODY_PACE", 1_000_000)
    with_server(tmp_path, test)
