"""A bot's process: lines to and from it that never block, nor grow without bound, nor outlive it."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from meldroom.bots.stdio.failure import BotFailure
from meldroom.bots.stdio.messages import Limits
from meldroom.i18n import Message

CHUNK = 65_536
STDERR_KEPT = 4_000
MOST_UNREAD = 2_000_000
KILL_SECONDS = 5.0


class TooLong:
    """Stands for a line that was longer than allowed and was thrown away."""


TOO_LONG = TooLong()


class Lines:
    """Bytes in, lines out. Of a line beyond the limit nothing is kept but that there was one."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self._held = bytearray()
        self._searched = 0
        self._skipping = False

    def feed(self, chunk: bytes) -> None:
        """More bytes have come."""
        self._held += chunk

    def next(self, ended: bool = False) -> bytes | TooLong | None:
        """The next whole line without its end, or None; once all has ended, also a last line without one."""
        while True:
            end = self._held.find(b"\n", self._searched)
            if end < 0 and not (ended and (self._held or self._skipping)):
                self._searched = len(self._held)
                if self._searched > self.longest:
                    self._skipping = True
                    self._held.clear()
                    self._searched = 0
                return None
            end = end if end >= 0 else len(self._held)
            line = bytes(self._held[:end])
            del self._held[: end + 1]
            self._searched = 0
            skipped, self._skipping = self._skipping, False
            if skipped or len(line) > self.longest:
                return TOO_LONG
            if line.strip():
                return line


class BotProcess:
    """One running bot. Whatever ends it, its whole process group is killed and reaped by `close`."""

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        memory_bytes: int | None = None,
        cpu_seconds: int | None = None,
    ) -> None:
        """Starts the program. Raises BotFailure if there is none."""
        if os.name != "posix":
            raise BotFailure("system")
        try:
            self._process = subprocess.Popen(
                limited(command, memory_bytes, cpu_seconds),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env=environment,
                start_new_session=True,  # A group of its own, so that its children can be ended with it.
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise BotFailure("start", str(error)) from None
        # A caller who forgets to close, or is interrupted, leaves no process behind.
        self._end = weakref.finalize(self, _end_group, self._process, os.getpid())
        self._limits = limits
        self._lines = Lines(limits.line_bytes)
        self._unsent = bytearray()
        self._written = b""
        self._heard = self._heard_stderr = 0
        self._open = dict.fromkeys(self._streams(), True)
        if sys.platform != "win32":
            for stream in self._open:
                os.set_blocking(stream.fileno(), False)

    def _streams(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        return process.stdin, process.stdout, process.stderr

    @property
    def pid(self) -> int:
        """The process's number, which is its group's too."""
        return self._process.pid

    @property
    def written(self) -> str:
        """The last the bot wrote on standard error."""
        return self._written.decode("utf-8", "replace").strip()

    def begin_turn(self) -> None:
        """What the bot may write is counted by turn."""
        self._heard = self._heard_stderr = 0

    def send(self, line: bytes) -> None:
        """Send a line as far as the bot reads; the rest goes while waiting. Raises BotFailure."""
        self._unsent += line + b"\n"
        self._write()
        if len(self._unsent) > MOST_UNREAD:
            raise self._flood()

    def receive(self, deadline: float) -> bytes | TooLong | None:
        """The next line, or None when time is up (by the monotonic clock). Raises BotFailure."""
        stdin, stdout, _ = self._streams()
        last_look = False
        while True:
            line = self._lines.next(ended=not self._open[stdout])
            if line is not None:
                return line
            if not self._open[stdout] or not self._open[stdin]:
                self._wait(0)  # For the last words on standard error.
                raise BotFailure("ended", written=self.written)
            if self._heard > self._limits.turn_bytes:
                raise self._flood()
            if last_look:
                return None
            left = deadline - time.monotonic()
            last_look = left <= 0
            self._wait(max(0.0, left))

    def close(self, grace: float) -> None:
        """Let the bot end by itself for as long as `grace`, then end whatever is left of it."""
        stdin, stdout, _ = self._streams()
        if not self._end.alive:
            return
        deadline = time.monotonic() + grace
        while self._open[stdout] and (left := deadline - time.monotonic()) > 0:
            self.begin_turn()
            self._lines = Lines(0)  # Nothing it says now matters.
            if not self._unsent and self._open[stdin]:
                self._shut(stdin)
            self._wait(left)
        self._end()

    def _flood(self) -> BotFailure:
        return BotFailure("flood", str(self._limits.turn_bytes), written=self.written)

    def _wait(self, seconds: float) -> None:
        """Until something can be read or written, once, and do it."""
        stdin, stdout, stderr = self._streams()
        with selectors.DefaultSelector() as any_of:
            if self._open[stdout]:
                any_of.register(stdout, selectors.EVENT_READ)
            # A bot that floods standard error is left to block on it until its next turn.
            if self._open[stderr] and self._heard_stderr <= self._limits.turn_bytes:
                any_of.register(stderr, selectors.EVENT_READ)
            if self._open[stdin] and self._unsent:
                any_of.register(stdin, selectors.EVENT_WRITE)
            ready = [key.fileobj for key, _ in any_of.select(seconds)]
        if stdin in ready:
            self._write()
        if stderr in ready:
            chunk = self._read(stderr)
            self._heard_stderr += len(chunk)
            self._written = (self._written + chunk)[-STDERR_KEPT:]
        if stdout in ready:
            chunk = self._read(stdout)
            self._heard += len(chunk)
            self._lines.feed(chunk)

    def _read(self, stream: IO[bytes]) -> bytes:
        try:
            chunk = os.read(stream.fileno(), CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            chunk = b""
        if not chunk:
            self._shut(stream)
        return chunk

    def _write(self) -> None:
        stdin = self._streams()[0]
        while self._unsent and self._open[stdin]:
            try:
                sent = os.write(stdin.fileno(), self._unsent[:CHUNK])
            except BlockingIOError:
                return
            except OSError:
                self._shut(stdin)
                return
            del self._unsent[:sent]

    def _shut(self, stream: IO[bytes]) -> None:
        self._open[stream] = False
        with contextlib.suppress(OSError):
            stream.close()


def limited(command: Sequence[str], memory_bytes: int | None, cpu_seconds: int | None) -> list[str]:
    """The command, begun by a shell that first sets the limits; without limits, the command itself."""
    limits = []
    if memory_bytes is not None:
        limits.append(f"ulimit -v {max(1, memory_bytes // 1024)}")
    if cpu_seconds is not None:
        limits.append(f"ulimit -t {max(1, cpu_seconds)}")
    if not limits:
        return list(command)
    return ["/bin/sh", "-c", " && ".join([*limits, 'exec "$@"']), "sh", *command]


def split_command(command: str | Sequence[str]) -> tuple[str, ...]:
    """A command as a list of words; a text is split as a shell would. Raises BotFailure if it is none."""
    try:
        found = tuple(shlex.split(command)) if isinstance(command, str) else tuple(command)
    except ValueError as error:
        raise BotFailure("start", f"{command!r}: {error}") from None
    if not found:
        raise BotFailure("start", Message("bots.failure.no_command"))
    return found


def _end_group(process: subprocess.Popen[bytes], owner: int) -> None:
    """Kill the whole group, reap the process, close the pipes."""
    if os.getpid() != owner:  # A forked copy of this program has no say over the bot.
        return
    # Not reaped yet, so the number still belongs to the bot.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(KILL_SECONDS)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
