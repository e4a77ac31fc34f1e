"""A real NATS server: the one on PATH, else that of the wheel."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from testkit.server.ports import free_port

STARTING = 30.0


def nats_program() -> str:
    """The server's program. Raises LookupError where there is none."""
    beside = Path(sys.executable).parent / "nats-server"
    found = shutil.which("nats-server") or (str(beside) if beside.exists() else None)
    if found is None:
        raise LookupError("no NATS server: python3 run.py test installs one")
    return found


class Nats:
    """A server on a port of its own, started at once."""

    def __init__(self) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        """Its address."""
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, or start it again after `kill`, and wait until it answers."""
        self.process = subprocess.Popen(
            [nats_program(), "--addr", "127.0.0.1", "--port", str(self.port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + STARTING
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert self.process.poll() is None, "the NATS server ended by itself"
                assert time.monotonic() < deadline, "the NATS server does not start"
                time.sleep(0.02)

    def kill(self) -> None:
        """Kill it without warning."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    close = kill
