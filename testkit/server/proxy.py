"""A TCP connection that can be cut, delayed and stalled, between any two parts."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable


class Proxy:
    """Passes everything on to a port of this machine, from a thread of its own, until told otherwise."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.accepted = 0
        self._delay = 0.0
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._passing: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        started.wait()

    def cut(self) -> None:
        """End all connections at once, without a goodbye."""
        self._call(self._cut)

    def delay(self, seconds: float) -> None:
        """Let everything arrive later by so much, from now on."""
        self._delay = seconds

    def stall(self) -> None:
        """Let nothing arrive; connections stay open."""
        self._call(self._flowing.clear)

    def flow(self) -> None:
        """As it was: at once, what was held back first."""
        self._delay = 0.0
        self._call(self._flowing.set)

    def close(self) -> None:
        """End everything."""
        if self._thread.is_alive():
            self._call(self._loop.stop)
            self._thread.join()

    def _call(self, work: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(work)

    def _run(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._flowing.set()
        started.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._end(server))
        self._loop.close()

    async def _end(self, server: asyncio.Server) -> None:
        """Leave no connection behind, not even one that was just being accepted."""
        server.close()
        await asyncio.sleep(0.01)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        self._cut()
        await asyncio.sleep(0.01)

    def _cut(self) -> None:
        for writer in tuple(self._writers):
            writer.transport.abort()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Noted before its task begins: a task that is cancelled sooner would end nothing.
        self.accepted += 1
        self._writers.add(writer)
        passing = self._loop.create_task(self._pass_on(reader, writer))
        self._passing.add(passing)
        passing.add_done_callback(self._passing.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = [writer]
        try:
            there_reader, there = await asyncio.open_connection("127.0.0.1", self.target)
            ends.append(there)
            self._writers.add(there)
            await asyncio.gather(self._pump(reader, there), self._pump(there_reader, writer))
        except OSError:
            pass  # nobody is there
        finally:
            for one in ends:
                self._writers.discard(one)
                one.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                if self._delay:
                    await asyncio.sleep(self._delay)
                await self._flowing.wait()
                writer.write(data)
                await writer.drain()
        writer.transport.abort() if writer.transport.is_closing() else writer.close()
