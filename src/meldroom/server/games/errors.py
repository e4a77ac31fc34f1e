"""A request about a game or a position that is refused."""

from __future__ import annotations

from meldroom.server.web.errors import HttpError


class GameError(HttpError):
    """There is no such game, step or picture; or a position that cannot be shown or solved."""

    domain = "games.error"
