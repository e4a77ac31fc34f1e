"""Kernels compiled beside a game that is already played with interpreted ones."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Protocol

from meldroom.server.background.child import Ending, run_beside
from meldroom.solver.kernel import mode

COMPILE = ("-m", "meldroom.solver", "compile")


class UsesKernels(Protocol):
    """Workers that may use kernels which were compiled while they ran."""

    async def use_compiled(self) -> None:
        """Use them from now on."""
        ...


def may_compile() -> bool:
    """Whether kernels are still to be compiled, and nobody has said how they are to run."""
    return os.environ.get(mode.VARIABLE, "auto") == "auto" and not mode.is_compiled_on_disk()


async def compile_beside() -> Ending:
    """Compile the kernels in a process that gives way to all others; cancelling ends it."""
    return await run_beside(sys.executable, *COMPILE)


async def compile_for(workers: UsesKernels, say: Callable[..., None]) -> None:
    """Compile the kernels unless they are, and let the workers use them; says in a line what happens."""
    if not may_compile():
        return
    if not mode.can_compile():
        say("no_numba")
        return
    say("compiling")
    ended = await compile_beside()
    if not ended.ok:
        say("not_compiled", reason=ended.reason or "?")
        return
    await workers.use_compiled()
    say("compiled")
