"""House books on a device: kept, played to the end, explained, and never lost under a game."""

from __future__ import annotations

import asyncio
import json

import pytest

from meldroom.decode import parse_toml
from meldroom.record import loads, verify
from tests.browser_home.tab import Tab

SMALL = b"""
id = "kitchen"
version = "1"
base = "wrc11"
name = { en = "Kitchen rules", fr = "La cuisine" }

[opening]
points = 20

[deal]
tiles = 10
starter_tiles = 10
"""
CHANGED = SMALL.replace(b"points = 20", b"points = 15")


def test_a_house_book_is_kept_listed_explained_and_played_to_the_end() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        status, _, _ = await tab.raw("POST", "/books", SMALL)
        assert status == 201
        _, catalogue = await tab.ask("GET", "/catalogue", language="fr")
        card = catalogue["books"][-1]
        assert (card["id"], card["label"], card["house"]) == ("kitchen", "La cuisine", True)
        assert card["opening_points"] == 20
        assert "WRC 11" in card["summary"]
        assert not any(other["house"] for other in catalogue["books"][:-1])
        status, page = await tab.ask("GET", "/books/kitchen/page")
        assert (status, page["title"]) == (200, "Kitchen rules")
        status, _ = await tab.ask("GET", "/books/wrc11/against/kitchen")
        assert status == 200

        room = await tab.play("kitchen", "club", seats=2)
        assert len(tab.view["game"]["rack"]) == 10
        await tab.finish(room, parse_toml(SMALL.decode()), "club")
        game = tab.view["record"]
        _, _, record = await tab.raw("GET", f"/games/{game}/record")
        assert verify(loads(record)).ok

        # Elsewhere, the record brings its book along.
        other = await Tab.guest(name="Bo")
        assert (await other.raw("POST", "/records", record))[0] == 201
        _, there = await other.ask("GET", "/catalogue")
        assert there["books"][-1]["id"] == "kitchen"
        await other.close()
        await tab.close()

    asyncio.run(run())


def test_a_house_book_survives_a_reload_and_a_changed_one_never_replaces_it_under_a_game() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        await tab.raw("POST", "/books", SMALL)
        assert (await tab.raw("POST", "/books", CHANGED))[0] == 201  # nobody has played by it yet
        assert (await tab.raw("POST", "/books", SMALL))[0] == 201
        room = await tab.play("kitchen", "beginner", seats=2)
        for method, path, body in (("POST", "/books", CHANGED), ("DELETE", "/books/kitchen", None)):
            status, answer = await _refused(tab, method, path, body)
            assert (status, answer) == (409, "book_in_use")
        await tab.close()

        again = await Tab.guest(tab.store)
        _, catalogue = await again.ask("GET", "/catalogue")
        assert catalogue["books"][-1]["opening_points"] == 20
        await again.do("enter", room=room)
        assert again.view["game"]["book"]["id"] == "kitchen"
        assert (await again.raw("DELETE", f"/rooms/{room}"))[0] == 204
        assert (await again.raw("DELETE", "/books/kitchen"))[0] == 204
        _, catalogue = await again.ask("GET", "/catalogue")
        assert len(catalogue["books"]) == 5
        assert (await _refused(again, "DELETE", "/books/kitchen", None))[0] == 404
        await again.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("data", "status", "place"),
    [
        (b"", 400, "id"),
        (b"id = 'x", 400, None),
        (b"\xff\xfe", 400, None),
        (b"x = 1\n" * 10_000, 413, None),
        (SMALL.replace(b"points", b"punkte"), 400, "opening.punkte"),
        (SMALL.replace(b'"kitchen"', b'"wrc9"'), 400, "id"),
        (SMALL.replace(b"tiles = 10", b"tiles = 60"), 400, None),
    ],
)
def test_a_file_that_is_no_house_book_is_refused_with_its_place(
    data: bytes, status: int, place: str | None
) -> None:
    async def run() -> None:
        tab = await Tab.guest()
        found, _, answer = await tab.raw("POST", "/books", data)
        assert found == status
        assert answer
        if place is not None:
            assert f'"place":"{place}"'.encode() in answer
        _, catalogue = await tab.ask("GET", "/catalogue")
        assert len(catalogue["books"]) == 5
        await tab.close()

    asyncio.run(run())


async def _refused(tab: Tab, method: str, path: str, body: bytes | None) -> tuple[int, str]:
    status, _, answer = await tab.raw(method, path, body)
    return status, json.loads(answer)["error"]["code"]


def test_a_house_book_of_an_earlier_program_keeps_the_reading_it_was_played_by() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        await tab.raw("POST", "/books", SMALL)
        plain = {**parse_toml(SMALL.decode())}
        books = tab.home.device.house_books
        assert books.definition("kitchen") == {**plain, "base_version": "2"}
        # As it was kept before there were two versions.
        await tab.home.device.store.put("house_books", json.dumps({"kitchen": plain}))
        await books.load()
        kept = books.find("kitchen")
        assert kept is not None
        assert kept.scoring.exhausted_unopened == "cannot_win"
        room = await tab.play("kitchen", "beginner", seats=2)
        assert tab.view["settings"]["house"] == {**plain, "base_version": "1"}
        assert room
        # A record of that time brings the same book, which is no other one.
        assert await books.keep(plain) == kept
        await tab.close()

    asyncio.run(run())
