"""A real terminal for a program under test: a pseudo terminal whose output is drawn by an emulator."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import pyte

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
}


class Emulator:
    """Runs a program and shows its screen as text. Leaving it ends the program."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        *,
        columns: int = 80,
        rows: int = 24,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.status: int | None = None
        self._terminal, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._program = subprocess.Popen(
            list(command),
            stdin=inside,
            stdout=inside,
            stderr=inside,
            cwd=folder,
            env={**os.environ, "TERM": "xterm-256color", **(environment or {})},
            start_new_session=True,
        )
        os.close(inside)

    def __enter__(self) -> Emulator:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.status is None:
            self._program.kill()
            self._program.wait()
        os.close(self._terminal)

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, *keys: str) -> None:
        """Type some keys, each by its name or as it is."""
        for key in keys:
            os.write(self._terminal, KEYS.get(key, key).encode())

    def until(self, seen: Callable[[str], bool], seconds: float = 60) -> str:
        """Read until the screen shows something and has come to rest. Raises AssertionError if not."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.status is None:
            quiet = not self._read(0.04)
            if quiet and seen(self.text):
                return self.text
        raise AssertionError(f"this is not what should be there (status {self.status}):\n{self.text}")

    def ended(self, seconds: float = 30) -> int:
        """The exit status, once the program has ended. Raises AssertionError if it does not end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._read(0.04)
            if self.status is not None:
                return self.status
        raise AssertionError(f"the program does not end:\n{self.text}")

    def _read(self, seconds: float) -> bool:
        """Draw what the program wrote; False if it wrote nothing for so long."""
        ready, _, _ = select.select([self._terminal], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._terminal, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""  # The other side is closed: the program has ended.
        if data:
            self._stream.feed(data)
            return True
        if self.status is None:
            self.status = self._program.wait()
        return False
