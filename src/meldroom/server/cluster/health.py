"""Signs of life of a worker, as servers have them: /healthz, /readyz and /metrics on a small port."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from meldroom.server.prometheus import KIND, many, one, times
from meldroom.server.web.asgi import Receive, Scope, Send, is_near, refuse, respond
from meldroom.server.web.http_protocol import Connections, small_server

if TYPE_CHECKING:
    from meldroom.server.cluster.worker import WorkerService

TEXT = "text/plain; charset=utf-8"


class WorkerHealth:
    """Answers whoever watches over a worker."""

    def __init__(self, service: WorkerService) -> None:
        self._service = service

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer one request; there are no sockets here."""
        if scope["type"] != "http":
            return
        head, path = scope["method"] == "HEAD", scope["path"]
        if scope["method"] not in ("GET", "HEAD"):
            await refuse(scope, send, 405, "method_not_allowed", method=str(scope["method"])[:20])
        elif path == "/healthz":
            await _text(send, 200, "ok\n", head=head)
        elif path == "/readyz":
            problem = self._service.problem()
            await _text(send, 503 if problem else 200, _verdict(problem), head=head)
        elif path == "/metrics" and is_near(scope):
            await _text(send, 200, metrics_of(self._service), kind=KIND, head=head)
        else:
            await refuse(scope, send, 404, "not_found")


def _verdict(problem: str) -> str:
    return f"not ready: {problem}\n" if problem else "ready\n"


async def _text(send: Send, status: int, text: str, *, kind: str = TEXT, head: bool) -> None:
    headers = [(b"content-type", kind.encode()), (b"cache-control", b"no-store")]
    await respond(send, status, text.encode(), headers, head=head)


def metrics_of(service: WorkerService) -> str:
    """The figures of a worker for Prometheus."""
    return "\n".join(
        (
            *one("bus_connected", "gauge", "Whether servers can be reached.", int(service.connected)),
            *one("jobs_waiting", "gauge", "Jobs that wait or are under way.", service.waiting),
            *many("worker_jobs_total", "Jobs, by what became of them.", "outcome", service.done),
            *times("job_seconds", "Time of a job, waiting included.", service.times),
            "",
        )
    )


@asynccontextmanager
async def watched(service: WorkerService, bound: socket.socket | None) -> AsyncIterator[None]:
    """Tell how a worker is on a bound socket, if there is one."""
    if bound is None:
        yield
        return
    server = small_server(WorkerHealth(service), Connections(50, 20))
    running = asyncio.create_task(server._serve([bound]))
    try:
        yield
    finally:
        server.should_exit = True
        await running
