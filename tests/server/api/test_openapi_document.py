"""The published OpenAPI document: current, complete, and true about who may ask.

That real bodies fit its schemas is checked by every test that talks HTTP: see tests/server/published.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

from meldroom.server.app import api_for_document
from meldroom.server.routes.json_schema import Shapes
from meldroom.server.routes.openapi import document
from tests.server import published
from tests.server.api.near import Near, with_server

BODIES: dict[str, Any] = {
    "/push/subscriptions": {"endpoint": "https://push.example/a", "keys": {"p256dh": "a", "auth": "a"}},
    "/rooms": {"settings": {"book": "wrc11"}, "chairs": ["me"]},
    "/me": {"name": "Ada"},
    "/account": {"account": "adalove", "password": "12345678"},
    "/account/password": {"old": "correct horse", "new": "battery staple"},
    "/account/proof": {"password": "correct horse"},
    "/account/passkey-only": {"on": False},
    "/account/proof/passkey": dict.fromkeys(
        ("credential", "client_data", "authenticator_data", "signature"), "a"
    ),
    "/tokens": {"label": "bot"},
    "/passkeys": {
        "label": "phone",
        "credential": "a",
        "public_key": "a",
        "client_data": "a",
        "authenticator_data": "a",
    },
    "/friends": {"person": "ada"},
    "/blocks": {"person": "ada"},
    "/rooms/again": {"person": "ada"},
    "/puzzles/progress": {"best_streak": 1},
    "/rooms/{room}/invitations": {"person": "ada"},
    "/championships/leagues/{league}/events": {"code": "abc123"},
    "/championships/{code}/commands": {"id": "command-1", "command": {"do": "set_notice", "text": "x"}},
    "/championships/{code}/outbox": {"commands": []},
    "/championships/{code}/keys": {"role": "director", "label": "Dana"},
    "/championships/{code}/pins": {"referee": "Rita", "pin": "4821"},
    "/championships/{code}/tables/{table}/bind": {"id": "binding-1", "device": "device-1"},
    "/championships/{code}/piles": {"first": [], "second": []},
    "/championships/{code}/rulings": {"ask": "redeal", "rack": []},
}
"""A body for each operation that needs somebody to be signed in or to hold a key."""


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in published.document()["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def test_the_published_document_is_the_one_the_server_makes() -> None:
    made = msgspec.json.decode(msgspec.json.encode(document(api_for_document())))
    assert made == published.document(), "run: python -m meldroom.server.app > docs/openapi.json"


def test_every_operation_says_in_which_language_and_for_whom() -> None:
    for path, method, operation in operations():
        names = [each["name"] for each in operation["parameters"]]
        assert names.count("language") == 1, (method, path)
        assert "X-Championship-Key" not in names
        refused = {status for status in operation["responses"] if int(status) >= 400}
        assert ("401" in refused) == bool(operation["security"]) or path.endswith("/sign-in"), (method, path)


def test_unions_tell_their_kinds_apart() -> None:
    schemas = published.document()["components"]["schemas"]
    for name, field in (
        ("Command", "do"),
        ("HallAction", "do"),
        ("WrittenAction", "do"),
        ("Question", "ask"),
    ):
        discriminator = schemas[name]["discriminator"]
        assert discriminator["propertyName"] == field
        for tag, reference in discriminator["mapping"].items():
            kind = schemas[reference.rsplit("/", 1)[1]]
            assert kind["properties"][field] == {"enum": [tag]}
            assert field in kind["required"]


def test_a_body_of_any_shape_is_published_nowhere() -> None:
    for path, method, operation in operations():
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for body in bodies:
            for kind, media in body.get("content", {}).items():
                record = kind == "application/json" and path.endswith("/record")
                assert media["schema"] or record, (method, path)


class _Both(msgspec.Struct):
    given: int = 0


def test_a_struct_that_travels_both_ways_must_omit_defaults() -> None:
    with pytest.raises(TypeError, match="both ways"):
        Shapes([_Both], [_Both], {})


def test_who_may_ask_is_as_the_document_says(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        asked = {"name": "Club Open", "by": "Olga", "date": date(2026, 11, 15).isoformat()}
        code = (await browser.post("/api/v1/championships", json=asked)).json()["code"]
        league = (
            await browser.post("/api/v1/championships/leagues", json={"toml": 'name = "Winter"'})
        ).json()
        tried = 0
        for path, method, operation in operations():
            short = path.removeprefix("/api/v1")
            needed = operation["security"] and {} not in operation["security"]
            if "requestBody" in operation and short not in BODIES:
                assert not needed or path.endswith("/photos"), path
                continue
            address = path.replace("{code}", code).replace("{table}", "1").replace("{number}", "1")
            address = address.replace("{league}", league["code"])
            address = address.replace("{file}", "sheets.pdf").replace("{", "").replace("}", "")
            body = {"json": BODIES[short]} if "requestBody" in operation else {}
            query = "?wait=0&text=x&seat=0"
            answer = await browser.request(method, address + query, **body)
            assert (answer.status_code == 401) == bool(needed), (method, path, answer.status_code)
            tried += bool(needed)
        assert tried >= 20

    with_server(tmp_path, test)
