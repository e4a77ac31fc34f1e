"""A real `meldroom worker` process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path


class WorkerProcess:
    """Started at once; `wait_until_ready` waits until it takes jobs."""

    def __init__(self, folder: Path, bus: str, *arguments: str, name: str = "worker") -> None:
        self.log = folder / f"{name}.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "meldroom", "worker", "--bus", bus, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                start_new_session=True,
            )

    def wait_until_ready(self) -> str:
        """The line with which it says so."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        assert line, self.log.read_text(errors="replace")
        return line

    def kill(self) -> None:
        """Kill it and the processes it has started, as a power cut would."""
        if self.process.poll() is None:
            if sys.platform == "win32":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def stop(self) -> tuple[int, str]:
        """End it in order; its exit status and its last words."""
        self.process.send_signal(signal.SIGTERM)
        said, _ = self.process.communicate(timeout=60)
        return self.process.returncode, said.decode()
