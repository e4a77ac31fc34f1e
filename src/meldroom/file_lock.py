"""Locks on files: one process at a time, and the system releases them when it ends, however it ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS_BETWEEN_TRIES = 0.2


def try_lock(file: int, at: int = 0) -> bool:
    """Whether this open file is now locked for this process alone.

    On Windows a lock covers the byte `at`, which nobody else can read meanwhile; it may lie beyond the end.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, at, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """Wait until no other process is in here with the same file; the file is made if there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not try_lock(file):
            time.sleep(SECONDS_BETWEEN_TRIES)
        yield
    finally:
        os.close(file)
