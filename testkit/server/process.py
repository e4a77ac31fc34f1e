"""A real `meldroom serve` process: started, killed without warning, started again where it was."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from testkit.server.ports import free_port as free_port
from testkit.server.postgres import database_of

STARTING = 60.0
"""Seconds after which a server that is not ready never will be; a busy machine is slow."""


class ServerProcess:
    """One server on one port and one data folder. `cores` pins it; `arguments` go to `meldroom serve`.

    `program` is the module that is run as the command.
    """

    def __init__(
        self,
        folder: Path,
        *,
        port: int | None = None,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        cores: set[int] | None = None,
        program: str = "meldroom",
    ) -> None:
        self.folder = folder
        self.address = database_of(folder)
        self.program = program
        self.port = port or free_port()
        self.arguments = tuple(arguments)
        self.environment = {**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})}
        self.cores = cores
        self.log = folder.with_name(f"{folder.name}.log")
        self.process: subprocess.Popen[bytes] | None = None
        self.started_in: list[float] = []

    @property
    def url(self) -> str:
        """Where its pages are."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def live(self) -> str:
        """Where its socket is."""
        return f"ws://127.0.0.1:{self.port}/api/v1/live"

    @property
    def database(self) -> Path | str:
        """What everything durable is in: a file, or the address of a database."""
        return self.address or self.folder / "meldroom.db"

    def start(self) -> None:
        """Start the process and wait until it says that it is ready."""
        self.launch()
        self.wait_until_ready()

    def launch(self) -> None:
        """Start the process and do not wait."""
        assert self.process is None, "it runs already"
        command = [sys.executable, "-m", self.program, "serve", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--data", str(self.folder), *self.arguments]
        command += ["--database", self.address] if self.address else []
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self.environment,
                start_new_session=True,
            )
        if self.cores is not None and sys.platform == "linux":
            os.sched_setaffinity(self.process.pid, self.cores)

    def wait_until_ready(self) -> None:
        """Ask until it answers. Raises AssertionError with its log if it ends or takes too long."""
        began = time.monotonic()
        while not self.is_ready():
            assert self.process is not None
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended by itself:\n{self.read_log()}")
            if time.monotonic() - began > STARTING:
                self.kill()
                raise AssertionError(f"the server was not ready after {STARTING:.0f} s:\n{self.read_log()}")
            time.sleep(0.02)
        self.started_in.append(time.monotonic() - began)

    def is_ready(self) -> bool:
        """Whether /readyz says so."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def kill(self) -> None:
        """Kill the process as a power cut would; whatever it had started must end by itself."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> int:
        """Ask it to end as Ctrl+C does; the exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=STARTING)
        self.process = None
        return status

    def read_log(self) -> str:
        """Everything it has said."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""


@contextmanager
def serving(
    folder: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    cores: set[int] | None = None,
    program: str = "meldroom",
) -> Iterator[ServerProcess]:
    """A server that is ready, and is gone afterwards."""
    server = ServerProcess(folder, arguments=arguments, environment=environment, cores=cores, program=program)
    server.start()
    try:
        yield server
    finally:
        if server.process is not None:
            server.stop()
