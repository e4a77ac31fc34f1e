"""A server with nothing but the pages of finished games, and finished games in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from litestar import Litestar
from litestar.di import Provide
from litestar.testing import TestClient

from meldroom.rooms.ports import Player
from meldroom.server.api.games import router
from meldroom.server.web.problems import HANDLERS
from meldroom.server.web.strict_body import StrictRequest
from tests.server.games.recorded import FinishedGames, WorkersHere


@pytest.fixture
def workers() -> WorkersHere:
    return WorkersHere()


@pytest.fixture
def client(workers: WorkersHere) -> Iterator[TestClient[Any]]:
    """A visitor who played as Ada."""
    given = {
        "store": Provide(lambda: FinishedGames(), sync_to_thread=False),
        "workers": Provide(lambda: workers, sync_to_thread=False),
        "me": Provide(lambda: Player("p-ada", "Ada"), sync_to_thread=False),
    }
    with TestClient(
        Litestar([router], dependencies=given, exception_handlers=HANDLERS, request_class=StrictRequest)
    ) as found:
        yield found
