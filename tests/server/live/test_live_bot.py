"""The example bot plays whole games with a personal token, as a newcomer would start it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.server.live.test_protocol_page import ROOT, server

BOT = ROOT / "examples/bots/live_bot.py"
SECONDS = 60


def post(address: str, body: dict[str, Any], cookie: str = "") -> tuple[dict[str, Any], str]:
    """The answer to a request, and the cookie that came with it."""
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    asked = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
        return json.load(answer), str(answer.headers.get("Set-Cookie", "")).partition(";")[0]


def token_of(url: str, name: str) -> tuple[str, str]:
    """The token of a new guest, and their cookie."""
    _, cookie = post(f"{url}/api/v1/session", {"name": name})
    made, _ = post(f"{url}/api/v1/tokens", {"label": "live bot"}, cookie)
    return str(made["secret"]), cookie


def started(url: str, token: str, *words: str) -> subprocess.Popen[str]:
    """The bot as a process."""
    return subprocess.Popen(
        [sys.executable, str(BOT), url, *words],
        env={**os.environ, "MELDROOM_TOKEN": token},
        stdout=subprocess.PIPE,
        text=True,
    )


def ended(bot: subprocess.Popen[str]) -> str:
    """What the bot has printed when it is done."""
    try:
        said, _ = bot.communicate(timeout=SECONDS)
    finally:
        bot.kill()
    assert bot.returncode == 0
    return said


@pytest.mark.parametrize("book", ["wrc11", "rummyo"])
def test_it_plays_a_whole_game_against_the_servers_bot(tmp_path: Path, book: str) -> None:
    with server(tmp_path) as url:
        token, _ = token_of(url, "Robot")
        said = ended(started(url, token, "--book", book, "--against", "beginner"))
    assert "is over: scores [" in said.splitlines()[-1]


def test_two_of_them_meet_in_a_room(tmp_path: Path) -> None:
    with server(tmp_path) as url:
        first, cookie = token_of(url, "First")
        second, _ = token_of(url, "Second")
        asked = {"settings": {"book": "tml", "seats": 3}, "chairs": ["me", "open", "beginner"]}
        room = str(post(f"{url}/api/v1/rooms", asked, cookie)[0]["room"])
        bots = [started(url, token, "--room", room) for token in (first, second)]
        try:
            begun = False
            while not begun:
                begun = _begin(url, room, cookie)
            endings = [ended(bot).splitlines()[-1] for bot in bots]
        finally:
            for bot in bots:
                bot.kill()
                bot.wait()
    assert endings[0] == endings[1]
    assert endings[0].startswith(f"Game {room}-1 is over")


def _begin(url: str, room: str, cookie: str) -> bool:
    """The host begins as soon as every seat is taken; whether they could."""
    from websockets.sync.client import connect

    address = url.replace("http", "ws", 1) + "/api/v1/live"
    with connect(address, additional_headers={"Cookie": cookie}, max_size=None) as socket:
        socket.send(json.dumps({"do": "hello", "id": "h", "version": 2}))
        socket.send(json.dumps({"do": "begin", "id": os.urandom(8).hex(), "room": room}))
        answers = [json.loads(socket.recv(timeout=SECONDS)) for _ in range(2)]
        return bool(answers[1]["type"] == "done")
