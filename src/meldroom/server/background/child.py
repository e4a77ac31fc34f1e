"""A command beside the server: it gives way to everything else, and ends with the server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys

import msgspec

LOWEST = 19
"""The niceness of a process that works when nobody else does."""
LONGEST_REASON = 200


class Ending(msgspec.Struct, frozen=True):
    """How a command ended; `reason` is the last line it wrote to standard error."""

    ok: bool
    reason: str = ""


async def run_beside(*command: str) -> Ending:
    """Run a command to its end. If this is cancelled, the command and all it has started are ended."""
    try:
        process = await _start(*command)
    except OSError as error:
        return Ending(False, error.strerror or str(error))
    try:
        _, told = await process.communicate()
    except asyncio.CancelledError:
        _end(process)
        await process.wait()
        raise
    lines = told.decode(errors="replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return Ending(process.returncode == 0, last[:LONGEST_REASON])


async def _start(*command: str) -> asyncio.subprocess.Process:
    null, pipe = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
    if sys.platform == "win32":
        flags = subprocess.IDLE_PRIORITY_CLASS | subprocess.CREATE_NEW_PROCESS_GROUP
        return await asyncio.create_subprocess_exec(
            *command, stdin=null, stdout=null, stderr=pipe, creationflags=flags
        )
    else:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=null, stdout=null, stderr=pipe, start_new_session=True
        )
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, LOWEST)
        return process


def _end(process: asyncio.subprocess.Process) -> None:
    """End a command; on Windows what it has started itself runs to its end."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
