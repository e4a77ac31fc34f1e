"""Signs of life for those who watch over the server: health, readiness, metrics."""

from __future__ import annotations

from litestar import MediaType, Response, Router, get

from meldroom.server.routes.dependencies import Stored, Whole
from meldroom.server.routes.metrics import metrics_text
from meldroom.server.storage import StorageError


@get("/healthz", media_type=MediaType.TEXT, sync_to_thread=False)
def healthz() -> str:
    """The process answers."""
    return "ok\n"


@get("/readyz", media_type=MediaType.TEXT)
async def readyz(store: Stored) -> Response[str]:
    """Games can be played: the database answers, and running rooms are back."""
    try:
        await store.last_alive()
    except StorageError as error:
        return Response(f"not ready: {error}\n", status_code=503, media_type=MediaType.TEXT)
    return Response("ready\n", media_type=MediaType.TEXT)


@get("/metrics", media_type="text/plain; version=0.0.4; charset=utf-8", sync_to_thread=False)
def metrics(container: Whole) -> str:
    """Counters for Prometheus."""
    return metrics_text(container)


router = Router(path="/", route_handlers=[healthz, readyz, metrics], include_in_schema=False)
