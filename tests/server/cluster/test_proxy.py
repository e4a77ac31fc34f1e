"""The proxy of the trials: whatever is under way, closing it leaves nothing behind."""

from __future__ import annotations

import gc
import socket
from contextlib import ExitStack
from time import sleep

from testkit.server.proxy import Proxy


def test_a_proxy_that_is_closed_while_people_arrive_leaves_no_connection_behind() -> None:
    """A connection that is only collected later warns of it, and would fail a test that has done nothing."""
    with ExitStack() as ends, socket.create_server(("127.0.0.1", 0)) as target:
        for moment in range(20):
            proxy = Proxy(target.getsockname()[1])
            for _ in range(6):
                ends.enter_context(socket.create_connection(("127.0.0.1", proxy.port)))
            sleep(moment / 10_000)
            proxy.close()
    del proxy
    gc.collect()
