"""Requests and the routes that answer them: a method, a pattern of the path, and a function."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar
from urllib.parse import parse_qsl, unquote

import msgspec

from meldroom.api.answers import Answer
from meldroom.api.errors import HttpError
from meldroom.api.problems import LARGEST_BODY
from meldroom.browser.device import Device
from meldroom.decode import convert, decode_json
from meldroom.i18n import Language, is_language

T = TypeVar("T")


class _Spoken(msgspec.Struct, frozen=True):
    language: Language | None = None


class Asked:
    """A request: what it asks is decoded when a route wants it."""

    def __init__(self, device: Device, query: str, body: bytes | None) -> None:
        self.device = device
        self.parts: dict[str, str] = {}
        self._query = dict(parse_qsl(query.removeprefix("?"), keep_blank_values=True))
        self._body = body or b""

    @property
    def language(self) -> Language:
        """The language of the answer: the one asked for, else the player's. Raises DecodeError."""
        return convert(self._query, _Spoken).language or self.device.player.language

    @property
    def language_of_refusal(self) -> Language:
        """The language of a refusal, whatever else is wrong with the request."""
        asked = self._query.get("language", "")
        return asked if is_language(asked) else self.device.player.language

    def query(self, kind: type[T]) -> T:
        """What stands after the path. Raises DecodeError."""
        return convert(self._query, kind, strict=False)

    def data(self, most: int = LARGEST_BODY) -> bytes:
        """The body as it is. Raises HttpError for one that is too large."""
        if len(self._body) > most:
            raise HttpError(413, "too_large", most=most)
        return self._body

    def body(self, kind: type[T]) -> T:
        """The body, decoded strictly. Raises DecodeError and HttpError."""
        return decode_json(self.data(), kind)


class Route(msgspec.Struct, frozen=True):
    """A route: `{name}` in its pattern stands for one part of a path."""

    method: str
    pattern: str
    answer: Callable[[Asked], Awaitable[Answer]]


class Router:
    """Finds the route of a request. A part that is named literally goes before one that may be anything."""

    def __init__(self, routes: Sequence[Route]) -> None:
        ordered = sorted(routes, key=lambda route: route.pattern.count("{"))
        self._routes = [(_expression(route.pattern), route) for route in ordered]

    async def answer(self, asked: Asked, method: str, path: str) -> Answer:
        """The answer of the route. Raises HttpError if there is none."""
        allowed: list[str] = []
        for expression, route in self._routes:
            found = expression.fullmatch(path)
            if found is None:
                continue
            if route.method == method:
                asked.parts = {name: unquote(part) for name, part in found.groupdict().items()}
                return await route.answer(asked)
            allowed.append(route.method)
        if allowed:
            raise HttpError(405, "method_not_allowed", method=method)
        raise HttpError(404, "not_found")


def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(pattern)))
