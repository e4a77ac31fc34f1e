"""A server with nothing but the pages of finished games, and finished games in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest
from litestar import Litestar
from litestar.di import Provide
from litestar.testing import TestClient

from meldroom.api.games import Games
from meldroom.rooms.ports import Player, Store
from meldroom.server.routes.games import router
from meldroom.server.web.problems import HANDLERS
from meldroom.server.web.strict_body import StrictRequest
from tests.server.games.recorded import FinishedGames, WorkersHere


@pytest.fixture
def workers() -> WorkersHere:
    return WorkersHere()


@pytest.fixture
def client(workers: WorkersHere) -> Iterator[TestClient[Any]]:
    """A visitor who played as Ada."""
    games = Games(cast("Store", FinishedGames()), workers.run)
    given = {
        "games": Provide(lambda: games, sync_to_thread=False),
        "me": Provide(lambda: Player("p-ada", "Ada"), sync_to_thread=False),
    }
    with TestClient(
        Litestar([router], dependencies=given, exception_handlers=HANDLERS, request_class=StrictRequest)
    ) as found:
        yield found
