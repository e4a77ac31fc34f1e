"""`meldroom worker`: a machine that computes bots, hints and analyses for servers."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from typing import Annotated

import typer

from meldroom.cli.error_handling import FAILED, CommandError
from meldroom.cli.operations.config import ConfigOption
from meldroom.cli.operations.options import Bus
from meldroom.cli.options import Lang
from meldroom.errors import needs
from meldroom.i18n import Language, message

MOST_JOBS = 256


class CannotWorkError(CommandError):
    """The worker cannot start."""

    domain = "cli.error.worker"
    status = FAILED


def worker(
    bus: Bus = "",
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs",
            envvar="MELDROOM_JOBS",
            min=0,
            max=MOST_JOBS,
            help="Processes for bots and hints; 0 is one for each processor.",
        ),
    ] = 0,
    analyses: Annotated[
        int,
        typer.Option(
            "--analyses",
            envvar="MELDROOM_ANALYSES",
            min=0,
            max=MOST_JOBS,
            help="Processes for analyses and reports, which take longer; 0 leaves them to others.",
        ),
    ] = 1,
    health_host: Annotated[
        str,
        typer.Option(
            "--health-host",
            envvar="MELDROOM_HEALTH_HOST",
            help="The address for /healthz, /readyz and /metrics, with --health-port.",
        ),
    ] = "127.0.0.1",
    health_port: Annotated[
        int | None,
        typer.Option(
            "--health-port",
            envvar="MELDROOM_HEALTH_PORT",
            min=0,
            max=65535,
            help="Tell there how the worker is: /healthz, /readyz, /metrics; 0 takes any free port.",
            show_default=False,
        ),
    ] = None,
    config: ConfigOption = None,
    lang: Lang = "en",
) -> None:
    """Compute bots, hints and analyses for servers, on this machine or another.

    Servers that were started with --workers remote and the same --bus give their work to
    all workers there are; when one ends or dies, what it had is done by another, or by the
    server itself. Workers need no data and keep none. They must be of the servers' version.
    SIGTERM or Ctrl-C lets it finish what it has begun.

    \b
    Examples:
      meldroom worker --bus nats://bus:4222
      meldroom worker --bus nats://bus:4222 --jobs 4 --analyses 2
      meldroom worker --bus nats://bus:4222 --health-port 8001   with /readyz and /metrics
      meldroom serve --bus nats://bus:4222 --workers remote      a server that uses it
    """
    if not bus:
        raise CannotWorkError("no_bus")
    with needs("server"):
        from meldroom.server import logs
    logs.set_up(os.environ.get(logs.VARIABLE, "text"))
    health = None if health_port is None else _bound(health_host, health_port)
    asyncio.run(_work(bus, jobs or os.cpu_count() or 1, analyses, health, lang))


def _bound(host: str, port: int) -> socket.socket:
    """A socket to listen on. Raises CannotWorkError."""
    from meldroom.server.run import bind

    try:
        return bind(host, port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotWorkError("health", host=host, port=str(port), reason=reason) from None


async def _work(bus: str, jobs: int, analyses: int, health: socket.socket | None, language: Language) -> None:
    from meldroom.server.cluster.worker import work

    end = asyncio.Event()
    loop = asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        # Not on the loop: Windows has no handlers there.
        signal.signal(one, lambda *_: loop.call_soon_threadsafe(end.set))

    def ready(name: str) -> None:
        typer.echo(message("cli.worker.ready", language, name=name, count=jobs + analyses))
        if health is not None:
            host, port = health.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            typer.echo(message("cli.worker.health", language, url=f"http://{shown}:{port}/readyz"))
        sys.stdout.flush()

    def say(code: str, **values: str) -> None:
        typer.echo(message(f"cli.serve.{code}", language, **values), err=True)

    status = await work(bus, jobs, analyses, ready=ready, say=say, end=end, health=health)
    typer.echo(message("cli.worker.stopped", language, status=status))
