"""Signs of life for those who watch over the server: health, readiness, metrics."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from litestar import MediaType, Response, Router, get

from meldroom.api.errors import HttpError
from meldroom.server.prometheus import KIND
from meldroom.server.routes.dependencies import Asked, Whole, scope_of
from meldroom.server.routes.metrics import metrics_text
from meldroom.server.storage import SqlStore, StorageError
from meldroom.server.web.asgi import is_near

READINESS = "readiness"
"""In the application's state."""
LOOKS_EVERY = 2.0
"""Seconds for which an answer holds."""


@get("/healthz", media_type=MediaType.TEXT, sync_to_thread=False)
def healthz() -> str:
    """The process answers."""
    return "ok\n"


class Readiness:
    """Whether games can be played, looked at once in a while however often it is asked."""

    def __init__(self, store: SqlStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._look: asyncio.Task[str] | None = None
        self._looked_at = 0.0

    async def problem(self) -> str:
        """What is wrong; empty if nothing is."""
        if self._look is None or (self._look.done() and self._clock() - self._looked_at > LOOKS_EVERY):
            self._look, self._looked_at = asyncio.ensure_future(self._looked()), self._clock()
        return await asyncio.shield(self._look)

    async def _looked(self) -> str:
        try:
            await self._store.check_writable()
        except StorageError as error:
            return str(error)
        return ""


@get("/readyz", media_type=MediaType.TEXT)
async def readyz(request: Asked, container: Whole) -> Response[str]:
    """Games can be played: the database takes writes, and running rooms are back."""
    problem = "draining" if container.draining else await request.app.state[READINESS].problem()
    if problem:
        return Response(f"not ready: {problem}\n", status_code=503, media_type=MediaType.TEXT)
    return Response("ready\n", media_type=MediaType.TEXT)


@get("/metrics", media_type=KIND, sync_to_thread=False)
def metrics(request: Asked, container: Whole) -> str:
    """Counters for Prometheus, which asks from this machine or a private network. Raises HttpError."""
    if not is_near(scope_of(request)):
        raise HttpError(404, "not_found")
    return metrics_text(container)


router = Router(path="/", route_handlers=[healthz, readyz, metrics], include_in_schema=False)
