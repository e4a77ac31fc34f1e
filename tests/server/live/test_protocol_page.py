"""The page a client is written from says what really happens: its transcript runs against a real server."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, get_args

import httpx
import msgspec
import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from meldroom.api.problems import LARGEST_BODY
from meldroom.game.events import Event as GameEvent
from meldroom.game.state import Meld, Phase, Result
from meldroom.game.views import View
from meldroom.i18n import has_message, message_ids
from meldroom.rooms.protocol import answers, commands
from meldroom.rooms.protocol.events import By, RoomEvent
from meldroom.rooms.protocol.schema import schema
from meldroom.rooms.protocol.settings import ChampionshipTable, Settings, Stage, TurnClock
from meldroom.rooms.runtime.rooms import MOST_ENTERED
from meldroom.server.config import Limits
from meldroom.server.identity.people import MOST_TOKENS
from meldroom.server.live import clients, connection, socket
from meldroom.server.topics import MOST_FOLLOWED, hub
from tests.server.published_protocol import check_message

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
CONNECTIONS = "".join(
    (ROOT / "src/meldroom" / file).read_text(encoding="utf-8")
    for file in ("server/live/socket.py", "rooms/runtime/conversation.py", "server/topics/hub.py")
)
NOT_FOR_PLAYERS = {
    *("hidden_tiles", "spectator", "no_leftovers", "bad_players", "broken_meld", "too_few_blanks"),
    *("budget_spent", "bad_leftovers", "match_over", "no_move", "no_foul"),
}
"""Codes of the referee's actions and of the library, which no command of a player can lead to."""
MORE = "…"
SKIP = "⋮"
SECONDS = 20.0


def transcripts() -> list[list[str]]:
    """The page's transcripts, line by line."""
    blocks = re.findall(r"^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return [block.splitlines() for block in blocks if "→" in block]


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A server as a process of its own; its address."""
    command = [sys.executable, "-m", "meldroom", "serve", "--port", "0", "--bot-pace", "0"]
    process = subprocess.Popen(
        [*command, "--data", str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        yield re.findall(r"http://\S+", first)[0]
        process.terminate()
        assert process.wait(SECONDS) == 0
        assert "every game is kept" in process.stdout.read()
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def matches(shown: Any, real: Any, values: dict[str, Any]) -> bool:
    """Whether a message is what the page shows; placeholders get their values."""
    if isinstance(shown, str) and re.fullmatch(r"<[\w-]+>", shown):
        if shown == "<now>":
            return isinstance(real, int)
        return bool(values.setdefault(shown, real) == real)
    if isinstance(shown, dict):
        more = MORE in shown
        named = {key: value for key, value in shown.items() if key != MORE}
        if not isinstance(real, dict) or not (named.keys() <= real.keys() if more else _same(named, real)):
            return False
        return all(matches(value, real[key], values) for key, value in named.items())
    if isinstance(shown, list):
        more = bool(shown) and shown[-1] == MORE
        named_items = shown[:-1] if more else shown
        if not isinstance(real, list) or (len(real) < len(named_items) if more else len(real) != len(shown)):
            return False
        return all(matches(one, other, values) for one, other in zip(named_items, real, strict=False))
    return bool(shown == real)


def _same(shown: dict[str, Any], real: dict[str, Any]) -> bool:
    """The same fields, or more inside a view, which the page always shortens."""
    return shown.keys() == real.keys()


def filled(shown: Any, values: dict[str, Any]) -> Any:
    """What the page shows, with the values that stand for its placeholders."""
    if isinstance(shown, str):
        return values.get(shown, shown)
    if isinstance(shown, dict):
        return {key: filled(value, values) for key, value in shown.items()}
    if isinstance(shown, list):
        return [filled(value, values) for value in shown]
    return shown


class Player:
    """Plays a transcript; where the page skips, the latest message heard may be the one it means."""

    def __init__(self, live: ClientConnection, values: dict[str, Any]) -> None:
        self._live = live
        self._values = values
        self._heard: list[dict[str, Any]] = []

    async def play(self, lines: list[str]) -> None:
        """Say what the page says, and hear what it promises."""
        skip = False
        for line in lines:
            if line.startswith("→"):
                await self._live.send(json.dumps(filled(json.loads(line[1:]), self._values)))
                self._heard.clear()
            elif line.startswith("←"):
                await self._expect(json.loads(line[1:]), skip)
            skip = line.strip() == SKIP

    async def _expect(self, shown: dict[str, Any], skip: bool) -> None:
        latest = [one for one in self._heard if one["type"] == shown["type"]][-1:]
        if skip and latest and self._fits(shown, latest[0]):
            return
        while True:
            try:
                async with asyncio.timeout(SECONDS):
                    message = json.loads(await self._live.recv())
            except TimeoutError:
                heard = "\n".join(json.dumps(one)[:600] for one in self._heard)
                raise AssertionError(
                    f"the page shows\n{json.dumps(shown)}\nbut there came\n{heard}"
                ) from None
            self._heard.append(message)
            if self._fits(shown, message):
                return
            assert skip, f"the page shows\n{json.dumps(shown)}\nbut there came\n{json.dumps(message)}"

    def _fits(self, shown: dict[str, Any], message: dict[str, Any]) -> bool:
        tried = dict(self._values)
        if not matches(shown, message, tried):
            return False
        self._values.update(tried)
        return True


async def over_http(browser: httpx.AsyncClient, lines: list[str], values: dict[str, Any]) -> None:
    """The part of the page over HTTP: a request, then its answer."""
    for asked, answered in zip(lines[::2], lines[1::2], strict=True):
        _, method, path, body = asked.split(" ", 3)
        answer = await browser.request(method, path, json=filled(json.loads(body), values))
        _, status, shown = answered.split(" ", 2)
        assert answer.status_code == int(status), answer.text
        assert matches(json.loads(shown), answer.json(), values), answer.text


@asynccontextmanager
async def connected(url: str, browser: httpx.AsyncClient) -> AsyncIterator[ClientConnection]:
    """A socket with a browser's cookies."""
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    address = url.replace("http", "ws", 1) + "/api/v1/live"
    async with websockets.connect(address, additional_headers={"cookie": cookie}, max_size=None) as live:
        yield live


def test_the_game_of_the_page_happens_as_shown(tmp_path: Path) -> None:
    http, first, turn, again = transcripts()

    async def run(url: str) -> None:
        values: dict[str, Any] = {}
        async with httpx.AsyncClient(base_url=url, timeout=SECONDS) as browser:
            await over_http(browser, http, values)
            async with connected(url, browser) as live:
                player = Player(live, values)
                await player.play(first)
                await player.play(turn)
            async with connected(url, browser) as live:
                await Player(live, values).play(again)
            game = await browser.get(f"/api/v1/games/{values['<record>']}")
            assert game.status_code == 200

    with server(tmp_path) as url:
        asyncio.run(run(url))


def test_the_schema_beside_the_page_is_current() -> None:
    kept = json.loads((ROOT / "docs/protocol.schema.json").read_text(encoding="utf-8"))
    assert kept == json.loads(msgspec.json.encode(schema())), (
        "write it anew: python -m meldroom.rooms.protocol.schema > docs/protocol.schema.json"
    )


def test_the_page_names_every_command_message_field_and_code() -> None:
    kinds = (*commands.Command.__args__, *answers.Message.__args__, *commands.PlayerAction.__args__)
    for kind in (*kinds, *RoomEvent.__args__, *GameEvent.__args__):
        assert f"`{kind.__struct_config__.tag}`" in PAGE, kind
    views = (answers.RoomView, answers.SeatView, answers.MatchView, answers.SheetLine, answers.ChatLine)
    others = (answers.Error, answers.Fault, answers.Judgement, View, Meld, Result, Settings, TurnClock)
    for kind in (*kinds, *views, *others, ChampionshipTable):
        for field in msgspec.structs.fields(kind):
            assert re.search(rf"[`\"]{field.name}[`\"]", PAGE), (kind.__name__, field.name)
    for name in (
        *get_args(Phase),
        *get_args(By),
        *get_args(Stage),
        *get_args(commands.Phrase),
        *get_args(commands.Topic),
    ):
        assert f"`{name}`" in PAGE, name


def test_the_page_names_every_code() -> None:
    ids = list(message_ids())
    refused = [id.removeprefix("rooms.refused.") for id in ids if id.startswith("rooms.refused.")]
    sockets = [id.split('"')[1] for id in re.findall(r'ConnectionRefusal\("\w+"', CONNECTIONS)]
    assert len(refused) > 50
    assert len(sockets) > 5
    for code in (*refused, *sockets):
        assert f"| `{code}` |" in PAGE, code
    for code, number in connection.CLOSE_CODES.items():
        assert re.search(rf"`{code}`.* \| {number} \|", PAGE), code
        assert has_message(f"server.{code}")
    rules = {id.removeprefix("game.error.") for id in ids if id.startswith("game.error.")}
    assert rules - set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == NOT_FOR_PLAYERS


def test_the_limits_of_the_page_are_those_of_the_server() -> None:
    usual = Limits()
    messages = usual.messages_of_client
    for number in (
        f"{commands.LARGEST_FRAME:,} bytes",
        f"{LARGEST_BODY:,} bytes",
        f"{messages.burst:.0f} at once, then {messages.per_second:.0f} a second",
        f"{socket.MOST_REFUSED} above that",
        f"{socket.MOST_UNREADABLE} for a connection",
        f"within {clients.HELLO_SECONDS} seconds",
        f"{clients.IDLE_MINUTES} minutes",
        f"{connection.MOST_QUEUED}, or {connection.MOST_QUEUED_BYTES:,} bytes",
        f"{usual.clients_of_address} for an address",
        f"rooms followed by a connection | {MOST_ENTERED}",
        f"lists followed by a connection | {MOST_FOLLOWED}",
        f"{MOST_TOKENS} for a player",
        f"up to {hub.ALONE_SECONDS:.0f} seconds late",
    ):
        assert number in PAGE, number


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "welcome", "id": "1"},
        {"type": "presence", "room": "abcd", "present": [1], "spectators": 0},
        {"type": "update", "room": "abcd", "since": 1, "seq": 1, "now": 1, "events": [{}], "view": {}},
    ],
)
def test_the_schema_refuses_what_is_never_sent(wrong: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        check_message(wrong)
