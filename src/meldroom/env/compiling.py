"""Environments play many games: where nobody has compiled the kernels yet, the first one made does."""

from __future__ import annotations

import sys

from meldroom.i18n import message
from meldroom.solver.kernel import mode


def compile_first() -> None:
    """Compiled kernels where numba is, compiled now if need be; a mode that was chosen stands."""
    mode.for_games(tell)


def tell(step: str) -> None:
    """Says what is compiled: whoever makes their first environment waits for it."""
    sys.stderr.write(message("env.progress.compiling", step=step) + "\n")
    sys.stderr.flush()
