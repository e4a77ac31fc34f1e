"""Types that msgspec has looked at before threads begin can be read by many of them at once."""

from __future__ import annotations

import subprocess
import sys

READING = """
import sys, threading
import msgspec
from meldroom.championship.log.entry import LogEntry
from meldroom.server.championships.commands.requests import Outbox
from meldroom.server.championships.hall.commands import HallEntry
from meldroom.server.msgspec_warmup import prepare_msgspec

prepare_msgspec()
sys.setswitchinterval(1e-6)
entry = {"number": 1, "after": 1, "time": "2026-11-15T12:00:00Z", "author": "", "role": "organiser"}
notice = {"do": "set_notice", "text": "tea"}
hall = msgspec.json.encode({**entry, "key": "", "id": "", "digest": "", "act": notice})
outbox = msgspec.json.encode({"commands": [{"id": "act-00001", "command": notice}]})
log = b'{"number": 1}'
begin = threading.Barrier(6)

def read(data, shape):
    begin.wait()
    for _ in range(50):
        try:
            msgspec.json.decode(data, type=shape)
        except msgspec.ValidationError:
            pass

pairs = [(hall, HallEntry), (outbox, Outbox), (log, LogEntry)] * 2
threads = [threading.Thread(target=read, args=pair) for pair in pairs]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


def test_many_threads_may_read_a_type_for_the_first_time_at_once() -> None:
    """Without the preparation this ends most processes with a segmentation fault."""
    done = subprocess.run([sys.executable, "-c", READING], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr)
