"""What run.py can fetch and make for a server that was started by it from a checkout."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from meldroom.server.background.child import Ending, run_beside

RUN_VARIABLE = "MELDROOM_RUN"
"""Where run.py says that it is."""


def run_program() -> Path | None:
    """The run.py that started this server; None for an installed Meldroom."""
    named = os.environ.get(RUN_VARIABLE)
    return Path(named) if named and Path(named).is_file() else None


async def prepare(run: Path, part: str) -> Ending:
    """Let run.py fetch or make one part."""
    return await run_beside(sys.executable, str(run), "prepare", part)
