"""The lobby of one browser shows what another does, without asking for it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

SETTINGS = {"book": "wrc11", "public": True}


def open_table(page: Page, name: str) -> str:
    """A public table of somebody new."""
    for path, body in (
        ("session", {"name": name}),
        ("rooms", {"settings": SETTINGS, "chairs": ["me", "open"]}),
    ):
        answer = page.request.post(f"/api/v1/{path}", data=body)
        assert answer.ok, answer.text()
    return str(answer.json()["room"])


class Watched:
    """A page's own requests for the lobby, and the rooms of the last one it was sent."""

    def __init__(self, page: Page) -> None:
        self.asked: list[str] = []
        self.rooms: set[str] = set()
        page.on("request", lambda request: self._asked(request.method, request.url))
        page.on("websocket", self._socket)

    def _asked(self, method: str, url: str) -> None:
        if method == "GET" and url.endswith("/api/v1/rooms"):
            self.asked.append(url)

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._heard)

    def _heard(self, frame: str | bytes) -> None:
        message: dict[str, Any] = json.loads(frame)
        if message["type"] == "news" and message["topic"] == "lobby":
            self.rooms = {room["room"] for room in message["value"]["open"]}


def test_a_new_table_comes_by_itself_and_a_list_holds_still_under_the_pointer(visitors: Visitors) -> None:
    ada, ben, cleo = visitors.come(), visitors.come(), visitors.come()
    watched = Watched(ada)
    ada.goto("/lobby")
    expect(ada.get_by_role("heading", name="Games to watch")).to_be_visible()
    before = list(watched.asked)
    first = open_table(ben, "Ben")
    link = ada.locator(f'a[href="/r/{first}"]')
    expect(link).to_be_visible()
    link.hover()
    second = open_table(cleo, "Cleo")
    while second not in watched.rooms:
        ada.wait_for_timeout(20)
    other = ada.locator(f'a[href="/r/{second}"]')
    assert other.count() == 0
    ada.mouse.move(0, 0)
    expect(other).to_be_visible()
    links = ada.locator('a[href^="/r/"]').all()
    shown = [link.get_attribute("href") for link in links]
    assert shown.index(f"/r/{first}") < shown.index(f"/r/{second}")
    assert watched.asked == before
    assert not ada.evaluate("localStorage.getItem('meldroom.met')")  # who only looks leaves no trace
