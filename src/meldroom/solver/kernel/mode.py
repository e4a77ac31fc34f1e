"""Whether kernels run compiled or interpreted. The answers are the same; compiled ones come much sooner.

`MELDROOM_KERNELS` says `compiled`, `interpreted` or `auto`. With `auto`, the default, kernels run compiled
where numba is installed and `compile_all` has been here; nobody waits for a compilation unasked. A process
may change its mode at any time: engines and bots ask for the kernel at every call, and keep nothing that
belongs to one.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias, cast

from meldroom.errors import needs
from meldroom.i18n import message

Mode: TypeAlias = Literal["compiled", "interpreted"]
Wish: TypeAlias = Literal["compiled", "interpreted", "auto"]
Report: TypeAlias = Callable[[str], None]
"""Told what a compilation is at."""

VARIABLE = "MELDROOM_KERNELS"

_LOG = logging.getLogger("meldroom.solver")

_mode: Mode | None = None
_asked: Wish = "auto"
_said = False
_loaded: dict[tuple[Mode, str], Any] = {}


def current() -> Mode:
    """How kernels run in this process; decided by the environment when first asked."""
    return _mode or choose(_wish())


def choose(wish: Wish) -> Mode:
    """Run kernels this way from the next call on; returns how that is.

    Raises MissingExtraError if they must be compiled and numba is not installed.
    """
    global _mode, _asked
    _asked = wish
    if wish == "compiled":
        with needs("solver"):
            import_module("numba")
        _mode = "compiled"
    elif wish == "auto":
        _mode = "compiled" if is_compiled_on_disk() else "interpreted"
    else:
        _mode = "interpreted"
    return _mode


def _wish() -> Wish:
    wish = os.environ.get(VARIABLE, "auto")
    return cast(Wish, wish) if wish in ("compiled", "interpreted") else "auto"


def kernel(name: str) -> Any:
    """The module `name` of the kernels as they run now: `best_play`, for one."""
    mode = _mode or current()
    found = _loaded.get((mode, name))
    if found is None:
        found = _loaded[mode, name] = import_module(f"meldroom.solver.kernel.{mode}.{name}")
    return found


def can_compile() -> bool:
    """True if numba is installed. Does not import it."""
    return find_spec("numba") is not None


def is_compiled_on_disk() -> bool:
    """True if a compilation of these very kernels was finished on this machine. Does not import numba."""
    if not can_compile():
        return False
    from meldroom.solver.kernel.compilation import is_fresh

    return is_fresh()


def compile_all(report: Report | None = None) -> float:
    """Compiles everything that solver and bots use, and keeps it; returns the seconds it took.

    The process runs compiled kernels afterwards. Raises MissingExtraError without numba.
    """
    from meldroom.solver.kernel.compilation import compile_kernels

    choose("compiled")
    return compile_kernels(report)


def for_long_work(report: Report | None = None) -> Mode:
    """What many games or positions begin with: compiled kernels where numba is, compiled first if need be.

    A mode that was asked for by `MELDROOM_KERNELS` stands.
    """
    if _wish() == "interpreted" or not can_compile():
        return choose("interpreted")
    if not is_compiled_on_disk():
        compile_all(report)
    return choose("compiled")


def for_one_answer() -> Mode:
    """What a command with a single answer begins with: interpreted, it is there before numba is loaded.

    A mode that was asked for by `MELDROOM_KERNELS` stands.
    """
    return choose("interpreted") if _wish() == "auto" else current()


def for_games(report: Report | None = None) -> Mode:
    """What an environment begins with: like `for_long_work`, but a mode that was chosen stands."""
    if is_slower_than_needed():
        for_long_work(report)
    return current()


def is_slower_than_needed() -> bool:
    """True if kernels run interpreted only because nobody has compiled them yet."""
    return current() == "interpreted" and _asked == "auto" and can_compile()


def say_if_slow() -> None:
    """One line in the log, once a process, where compiling would make games many times faster."""
    global _said
    if not _said and is_slower_than_needed():
        _said = True
        _LOG.warning("%s", message("solver.kernels.interpreted"))


def for_many_games(report: Report | None = None) -> Mode:
    """What the vectorised environment begins with: like `for_games`, and its own kernels besides."""
    for_games(report)
    if current() == "compiled":
        from meldroom.solver.kernel.compilation import compile_many_games

        compile_many_games(report)
    return current()
