"""A worker process: answers one task after another from standard input until it ends."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress
from typing import BinaryIO

from meldroom.rooms.worker.worker import Worker
from meldroom.server.workers.frames import read_frame, write_frame

_PR_SET_PDEATHSIG = 1


def serve(tasks: BinaryIO, answers: BinaryIO) -> None:
    """Answer until there are no more tasks."""
    worker = Worker()
    while (data := read_frame(tasks)) is not None:
        write_frame(answers, worker.answer(data))


def main() -> None:
    """Run as a process: what anybody prints goes to standard error, the answers have their own way out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The server ends its workers by closing their input.
    _end_with_server()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, answers)


def _end_with_server() -> None:
    """Have the system end this process with the server, in the middle of a task too, where it can."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    main()
