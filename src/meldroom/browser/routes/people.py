"""Who plays on the device."""

from __future__ import annotations

from meldroom.api.answers import Answer
from meldroom.api.schemas import ChangeMe, NewSession
from meldroom.browser.router import Asked, Route


async def who_am_i(asked: Asked) -> Answer:
    """Who one is."""
    return Answer.of(asked.device.player.me, headers={"Cache-Control": "no-store"})


async def new_session(asked: Asked) -> Answer:
    """A first visit: become a guest. Whoever is one already stays it."""
    data = asked.body(NewSession)
    return Answer.of(await asked.device.player.begin(data.name, data.language), status=201)


async def change_me(asked: Asked) -> Answer:
    """A new name to play under, another language, or another avatar."""
    data = asked.body(ChangeMe)
    return Answer.of(await asked.device.player.change(data.name, data.language, data.avatar))


ROUTES = (
    Route("GET", "/me", who_am_i),
    Route("PATCH", "/me", change_me),
    Route("POST", "/session", new_session),
)
