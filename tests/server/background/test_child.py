"""Commands beside the server: how they end, and that they end with it."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest

from meldroom.server.background.child import Ending, run_beside
from testkit.server.process_tree import is_running


def python(code: str) -> tuple[str, ...]:
    return sys.executable, "-c", code


def test_a_command_ends_well_or_says_why_not() -> None:
    assert asyncio.run(run_beside(*python("print('chatter')"))).ok
    failed = asyncio.run(run_beside(*python("import sys; sys.exit('first\\nno room left\\n')")))
    assert failed == Ending(False, "no room left")
    assert not asyncio.run(run_beside("no-such-program-anywhere")).ok


@pytest.mark.skipif(sys.platform == "win32", reason="priorities are classes there")
def test_a_command_gives_way_to_everything_else(tmp_path: Path) -> None:
    told = tmp_path / "nice"
    code = (
        "import os, pathlib, time\n"
        "while os.getpriority(os.PRIO_PROCESS, 0) != 19: time.sleep(0.01)\n"
        f"pathlib.Path({str(told)!r}).write_text('lowest')"
    )
    assert asyncio.run(asyncio.wait_for(run_beside(*python(code)), 30)).ok
    assert told.read_text() == "lowest"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_cancelling_ends_the_command_and_what_it_has_started(tmp_path: Path) -> None:
    told = tmp_path / "numbers"
    inner = "import time; time.sleep(600)"
    code = (
        "import os, pathlib, subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {inner!r}])\n"
        f"beside = pathlib.Path({str(tmp_path / 'writing')!r})\n"
        "beside.write_text(f'{os.getpid()} {child.pid}')\n"
        f"beside.rename({str(told)!r})\n"
        "time.sleep(600)"
    )

    async def stopped() -> None:
        task = asyncio.create_task(run_beside(*python(code)))
        while not told.exists():
            await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(asyncio.wait_for(stopped(), 60))
    left, end = [int(word) for word in told.read_text().split()], time.monotonic() + 10
    while (left := [one for one in left if is_running(one)]) and time.monotonic() < end:
        time.sleep(0.02)
    assert not left
