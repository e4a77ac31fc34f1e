"""Catalogue, rules and rooms over HTTP, and the document that describes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from meldroom.api.schemas import Catalogue, Lobby, MyRooms
from meldroom.bots.levels import LEVELS
from meldroom.rules.library import BOOK_IDS, book
from tests.server.api.near import Near, with_server

ROOM = {"settings": {"book": "wrc11", "public": True, "spectators": "live"}, "chairs": ["me", "open"]}


def test_the_catalogue_has_every_book_and_level(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        for language in ("en", "fr"):
            answer = await browser.get(f"/api/v1/catalogue?language={language}")
            found = msgspec.json.decode(answer.content, type=Catalogue)
            assert tuple(one.id for one in found.books) == BOOK_IDS
            assert tuple(one.id for one in found.levels) == tuple(LEVELS)
            assert [one.label for one in found.levels] == [one.label(language) for one in LEVELS.values()]
            for card in found.books:
                rules = book(card.id)
                more_jokers = 2 if card.id == "tml" else 0  # by its option
                assert len(card.tiles) == rules.tiles.size + more_jokers
                assert card.values["*"] == rules.scoring.joker
                assert all(
                    option.choices[0] == rules.field(rules.option_list[option.name].field)
                    for option in card.options
                )
        assert (await browser.get("/api/v1/catalogue?language=qq")).status_code == 400

    with_server(tmp_path, test)


def test_rules_pages_are_blocks_with_a_kind(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        kinds: set[str] = set()
        paths = [f"/api/v1/books/{one}/page" for one in BOOK_IDS]
        paths += ["/api/v1/books/wrc11/against/rummyo", "/api/v1/rulings/R20", "/api/v1/rulings/r1"]
        for path in paths:
            for language in ("en", "fr"):
                page = (await browser.get(f"{path}?language={language}")).json()
                assert page["title"]
                kinds |= {block["kind"] for block in page["blocks"]}
        assert kinds == {"heading", "paragraph", "facts", "items", "comparison"}
        for path, code in (
            ("/api/v1/books/chess/page", "no_such_book"),
            ("/api/v1/books/wrc9/against/chess", "no_such_book"),
            ("/api/v1/rulings/R99", "no_such_ruling"),
        ):
            answer = await browser.get(path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, code)

    with_server(tmp_path, test)


def test_a_room_is_opened_listed_and_found(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        host = await near.guest("Ada")
        me = (await host.get("/api/v1/me")).json()["id"]
        room = (await host.post("/api/v1/rooms", json=ROOM)).json()["room"]
        visitor = near.browser()
        lobby = msgspec.json.decode((await visitor.get("/api/v1/rooms")).content, type=Lobby)
        assert [one.room for one in lobby.open] == [room]
        assert lobby.watch == ()
        card = (await visitor.get(f"/api/v1/rooms/{room}")).json()
        assert card["names"][0] == "Ada"
        assert (card["host"], card["players"]) == ("", ["", ""])
        assert me not in (await visitor.get("/api/v1/rooms")).text
        mine = msgspec.json.decode((await host.get("/api/v1/rooms/mine")).content, type=MyRooms)
        assert [(one.room, one.host, one.players) for one in mine.running] == [(room, me, (me, ""))]
        assert (await visitor.get("/api/v1/rooms/mine")).status_code == 401
        assert (await visitor.post("/api/v1/rooms", json=ROOM)).status_code == 401
        missing = await visitor.get("/api/v1/rooms/zzzzzz", headers={"accept-language": "fr"})
        assert missing.status_code == 404
        assert "n’existe pas" in missing.json()["error"]["message"]

    with_server(tmp_path, test)


def test_a_room_that_cannot_be_is_refused(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        host = await near.guest()
        for change in (
            {"settings": {"book": "chess"}},
            {"chairs": ["me", "grandmaster"]},
            {"chairs": ["me"]},
            {"begin": True},
            {"settings": {"book": "wrc11", "options": {"gravity": 1}}},
        ):
            answer = await host.post("/api/v1/rooms", json={**ROOM, **change})
            assert answer.status_code == 400, answer.text
            assert answer.json()["error"]["message"]
        assert (await host.get("/api/v1/rooms/mine")).json()["running"] == []

    with_server(tmp_path, test)


def test_the_document_is_complete(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        answer = await near.browser().get("/api/v1/openapi.json")
        document: dict[str, Any] = answer.json()
        assert document["openapi"].startswith("3.1")
        paths = document["paths"]
        for path in ("/session", "/me", "/account", "/sign-in", "/sign-out", "/tokens", "/tokens/{token}",
                     "/catalogue", "/books/{book}/page", "/books/{book}/against/{other}", "/rulings/{ruling}",
                     "/rooms", "/rooms/mine", "/rooms/{room}", "/games/{game}", "/check"):  # fmt: skip
            assert f"/api/v1{path}" in paths
        problem = {"$ref": "#/components/schemas/Problem"}
        for item in paths.values():
            for operation in item.values():
                assert operation["description"]
                refused = {s: one for s, one in operation["responses"].items() if int(s) >= 400}
                assert {"400", "429", "503"} <= refused.keys()
                assert all(
                    one["content"]["application/json"]["schema"] == problem for one in refused.values()
                )

    with_server(tmp_path, test)


def test_nothing_is_at_other_addresses_of_the_api(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        for path in ("/api/v1/nothing", "/api/v2/me", "/api/", "/api/v1/rooms/x/y/z"):
            answer = await browser.get(path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found"), path
        wrong = await browser.put("/api/v1/me", json={})
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (405, "method_not_allowed")
        assert "GET" in wrong.headers["allow"]

    with_server(tmp_path, test)
