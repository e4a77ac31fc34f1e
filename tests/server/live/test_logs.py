"""Logs: a game is played with everything ours logged, and neither a rack nor a secret is in it."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from meldroom.server import logs
from tests.server.api.near import Near, with_server

PASSWORD = "correct horse"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What is logged, as lines of JSON; everything of ours, down to the least."""
    root, ours = logging.getLogger(), logging.getLogger("meldroom")
    before, level = root.handlers[:], ours.level
    stream = io.StringIO()
    logs.set_up("json", stream)
    ours.setLevel(logging.DEBUG)
    yield stream
    ours.setLevel(level)
    root.handlers[:] = before


def test_a_game_leaves_neither_racks_nor_secrets_in_the_log(tmp_path: Path, log: io.StringIO) -> None:
    hidden: set[str] = {PASSWORD, "a word between us"}

    async def test(near: Near) -> None:
        owner = await near.guest("Ada")
        credentials = {"account": "ada", "password": PASSWORD}
        await owner.post("/api/v1/account", json=credentials)
        wrong = await near.browser().post("/api/v1/sign-in", json={**credentials, "password": "wrong horse"})
        assert wrong.status_code == 403
        signed = near.browser()
        await signed.post("/api/v1/sign-in", json=credentials)
        made = (await owner.post("/api/v1/tokens", json={"label": "bot"})).json()
        hidden.update((made["secret"], "wrong horse", *owner.cookies.values(), *signed.cookies.values()))
        refused = await near.browser(authorization=f"Bearer {made['secret']}").get("/api/v1/tokens")
        assert refused.status_code == 403
        opening = {
            "settings": {"book": "tml", "seats": 2},
            "chairs": ["me", "beginner"],
            "begin": True,
            "word": "a word between us",
        }
        room = (await owner.post("/api/v1/rooms", json=opening)).json()["room"]
        async with near.socket() as talk:
            await talk.hello(token=made["secret"])
            await talk.ask("enter", room=room)
            played = 0
            while played < 4:
                view: dict[str, Any] = next(one["view"] for one in reversed(talk.heard) if "view" in one)
                if view["stage"] != "playing":
                    break
                if view["game"]["seat"] != view["me"]:
                    await talk.until("update")
                    continue
                hidden.add(json.dumps(view["game"]["rack"]))
                action = {"action": "draw", "seat": view["me"]}
                await talk.ask("act", room=room, rev=view["rev"], action=action)
                played += 1
            logging.getLogger("meldroom.test").warning("carelessly: %s\nand more", made["secret"])
            await talk.ask("resign", room=room)
        metrics = (await near.browser().get("/metrics")).text
        assert f'meldroom_play_seconds_bucket{{le="+Inf"}} {played}' in metrics
        assert "meldroom_commit_seconds_count" in metrics

    with_server(tmp_path, test)
    text = log.getvalue()
    assert not [secret for secret in hidden if secret in text]
    lines = [json.loads(line) for line in text.splitlines()]
    messages = [line["message"].partition(" ")[0] for line in lines]
    for event in ("signed_in", "sign_in_failed", "token_made", "refused"):
        assert event in messages
    assert all(line["request"] for line in lines if line["logger"] == logs.SECURITY)
    (careless,) = [line["message"] for line in lines if line["logger"] == "meldroom.test"]
    assert careless == "carelessly: [secret]\\nand more"


def test_every_answer_names_its_request(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        ids = {(await browser.get("/healthz")).headers["x-request-id"] for _ in range(3)}
        assert len(ids) == 3

    with_server(tmp_path, test)


def test_text_lines_have_the_ids_at_the_end() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(logs.Scrub())
    handler.setFormatter(logs.TextLines())
    record = logging.LogRecord("meldroom.x", logging.ERROR, "", 0, "it %s", ("failed",), None)
    token = logs.room_id.set("abcdef")
    handler.handle(record)
    logs.room_id.reset(token)
    assert stream.getvalue().endswith("ERROR meldroom.x: it failed [room abcdef]\n")
