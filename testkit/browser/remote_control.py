"""Two small ways to drive a browser that Playwright does not know: WebDriver BiDi and classic WebDriver."""

from __future__ import annotations

import itertools
import json
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any, Protocol

from websockets.sync.client import ClientConnection, connect

SECONDS = 60.0
LEFT = 0
Point = tuple[int, int]


class RemoteError(RuntimeError):
    """The browser refused a command, or a page did not come to what was waited for."""


class Remote(Protocol):
    """A page in some browser."""

    complaints: list[str]

    def goto(self, address: str) -> None:
        """Load a page."""
        ...

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, as JSON would have it."""
        ...

    def drag(self, points: Sequence[Point]) -> None:
        """Press the mouse at the first point, move over the others, and let go."""
        ...


def wait_for(remote: Remote, expression: str, seconds: float = SECONDS) -> Any:
    """The value of an expression as soon as it is true. Raises RemoteError."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = remote.evaluate(expression)
        if found:
            return found
        time.sleep(0.05)
    raise RemoteError(f"waited {seconds:.0f} s for {expression}")


def centre(remote: Remote, selector: str) -> Point:
    """The middle of the last such element, once it is in view and keeps its place. Raises RemoteError."""
    place = f"""(() => {{
      const element = [...document.querySelectorAll({json.dumps(selector)})].at(-1);
      if (!element) return null;
      element.scrollIntoView({{ block: 'nearest' }});
      const box = element.getBoundingClientRect();
      return box.width ? [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)] : null;
    }})()"""
    before = None
    for _ in range(100):
        found = wait_for(remote, place)
        if found == before:
            return int(found[0]), int(found[1])
        before = found
        time.sleep(0.1)
    raise RemoteError(f"{selector} does not keep its place")


def click(remote: Remote, selector: str) -> None:
    """Click an element with the mouse. Raises RemoteError."""
    remote.drag([centre(remote, selector)])


def _mouse(points: Sequence[Point]) -> list[dict[str, Any]]:
    """The actions of a drag; a single point is a click."""
    moves: list[dict[str, Any]] = [
        {"type": "pointerMove", "x": x, "y": y, "duration": 60 if place else 0}
        for place, (x, y) in enumerate(points)
    ]
    press = {"type": "pointerDown", "button": LEFT}
    release = {"type": "pointerUp", "button": LEFT}
    actions = [moves[0], press, *moves[1:], release]
    return [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]


class BiDi:
    """A page driven by WebDriver BiDi, as Firefox offers it."""

    def __init__(self, address: str, width: int, height: int) -> None:
        self.complaints: list[str] = []
        self._numbers = itertools.count(1)
        self._socket: ClientConnection = connect(f"{address}/session", max_size=None)
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._page: str = self._ask("browsingContext.create", type="tab")["context"]
        viewport = {"width": width, "height": height}
        self._ask("browsingContext.setViewport", context=self._page, viewport=viewport)

    def _ask(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=SECONDS))
            if message.get("type") == "event":
                self._note(message)
            elif message.get("id") == number:
                if message["type"] == "error":
                    raise RemoteError(f"{method}: {message['error']}: {message['message']}")
                return message["result"]

    def _note(self, event: dict[str, Any]) -> None:
        entry = event.get("params", {})
        if event.get("method") == "log.entryAdded" and entry.get("level") == "error":
            self.complaints.append(str(entry.get("text")))

    def goto(self, address: str) -> None:
        """Load a page."""
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page."""
        target = {"context": self._page}
        text = f"JSON.stringify({expression})"
        answer = self._ask("script.evaluate", expression=text, target=target, awaitPromise=False)
        if answer["type"] == "exception":
            raise RemoteError(answer["exceptionDetails"]["text"])
        value = answer["result"].get("value")
        return None if value is None else json.loads(value)

    def drag(self, points: Sequence[Point]) -> None:
        """Press, move, let go."""
        self._ask("input.performActions", context=self._page, actions=_mouse(points))


class Classic:
    """A page driven by WebDriver over HTTP, as WebKitWebDriver offers it."""

    def __init__(self, address: str, capabilities: dict[str, Any]) -> None:
        self.complaints: list[str] = []
        self._address = address
        asked = {"capabilities": {"alwaysMatch": capabilities}}
        self._session = self._ask("POST", "/session", asked)["sessionId"]

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data, method=method)
        request.add_header("content-type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RemoteError(f"{path}: {error.read().decode(errors='replace')[:400]}") from None

    def _page(self, path: str, body: object) -> Any:
        return self._ask("POST", f"/session/{self._session}{path}", body)

    def goto(self, address: str) -> None:
        """Load a page, and listen to its errors from then on."""
        self._page("/url", {"url": address})
        self.evaluate("addEventListener('error', (e) => (window.faults ??= []).push(e.message))")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page."""
        return self._page("/execute/sync", {"script": f"return {expression}", "args": []})

    def drag(self, points: Sequence[Point]) -> None:
        """Press, move, let go; then note what the page complained about."""
        self._page("/actions", {"actions": _mouse(points)})
        self.complaints += self.evaluate("(window.faults ?? []).splice(0)") or []

    def close(self) -> None:
        """End the session and its browser."""
        self._ask("DELETE", f"/session/{self._session}")
