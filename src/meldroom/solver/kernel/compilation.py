"""Compiling all kernels at once, and the stamp that says it was done.

numba keeps what it compiled beside the sources, or in a folder of the user's where that cannot be written.
Its own check looks at one file at a time, and misses a change to a kernel that is part of another; the stamp
covers all kernels, and where it is old everything is compiled anew.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from meldroom.file_lock import only_one
from meldroom.solver.kernel import mode
from meldroom.solver.kernel.mode import Report

_HERE = Path(__file__).resolve().parent
_STAMP = "meldroom-kernels.stamp"
_MANY_GAMES_STAMP = "meldroom-many-games.stamp"
_MODULES = (
    "groups", "best_play", "playouts", "play_on", "styled_games", "last_draws", "ways_out", "frontiers",
    "many_games",
)  # fmt: skip


def is_fresh() -> bool:
    """True if the stamp on this machine is that of these kernels."""
    try:
        return _stamp_file().read_text() == _fingerprint()
    except OSError:
        return False


def compile_kernels(report: Report | None) -> float:
    """Compiles the kernels and writes the stamp; returns the seconds it took.

    Of several processes that want to, one does, and the others wait for it.
    """
    start = time.monotonic()
    stamp = _stamp_file()
    with only_one(stamp.with_suffix(".lock")):
        if not is_fresh():
            forget_compiled()
            _make(_CALLS, report)
            stamp.write_text(_fingerprint())
    return time.monotonic() - start


def compile_many_games(report: Report | None) -> None:
    """Compiles what the vectorised environment adds, unless that was done; nobody else waits for it."""
    stamp = _stamp_file().with_name(_MANY_GAMES_STAMP)
    with only_one(stamp.with_suffix(".lock")):
        if not stamp.exists() or stamp.read_text() != _fingerprint():
            forget_compiled(("many_games",))
            _make(_MANY_GAMES_CALLS, report)
            stamp.write_text(_fingerprint())


def _make(calls: dict[str, Callable[[], None]], report: Report | None) -> None:
    for place, (name, call) in enumerate(calls.items(), start=1):
        if report is not None:
            report(f"{place}/{len(calls)} {name}")
        call()


def forget_compiled(names: Sequence[str] = _MODULES) -> None:
    """Removes what numba has kept of the kernels."""
    for name in names:
        for function in vars(mode.kernel(name)).values():
            folder = getattr(getattr(function, "_cache", None), "cache_path", None)
            if folder:
                module = Path(function.py_func.__code__.co_filename).stem
                for kept in Path(folder).glob(f"{module}.*.nb[ic]"):
                    kept.unlink(missing_ok=True)


def _call_best_play() -> None:
    kernel = mode.kernel("best_play")
    groups, room, weights = (
        kernel.make_groups(4),
        kernel.make_workspace(),
        kernel.ints([1] * 14),
    )
    rules, answers = kernel.ints([4, 13, 2, 2]), kernel.zeros(kernel.LONGEST_ANSWER)
    kernel.best_plays(kernel.octets(b"\xfe\0"), rules, weights, 0, 16, 1, True, groups, room, answers)


def _call_playouts() -> None:
    """One imagined game of two players with a tile each."""
    kernel = mode.kernel("playouts")
    solver = kernel.best_play
    pair = solver.ints([1, 1])
    seats = kernel.Seats(kind=pair, melded=pair, sizes=pair, drew=pair)
    plans = kernel.Plans(kernel.grid(1, 53), solver.zeros(1))
    rack = solver.ints([1] + [0] * 52)
    won, scored, world = kernel.float_grid(1, 1), kernel.float_grid(1, 1), kernel.make_worlds(2, 53, 106)
    world.state[0] = 1
    kernel.imagine(0, rack, solver.zeros(53), rack, 0, -1, seats, plans, _kit(kernel), world, won, scored)


def _call_play_on() -> None:
    """One game of two players with a tile each, and nothing to draw."""
    kernel, playouts = mode.kernel("play_on"), mode.kernel("playouts")
    pair, tiles, racks = kernel.ints([1, 1]), kernel.ints([2] + [0] * 52), kernel.grid(2, 53)
    known = kernel.Known(racks, pair, kernel.zeros(53), tiles, 0, 2, 0)
    seats = kernel.Seats(kind=pair, melded=pair, sizes=pair, drew=pair)
    world = kernel.make_worlds(2, 53, 106)
    kernel.play_on(known, seats, kernel.ints([1]), _kit(playouts), world, kernel.zeros(1))


def _call_styled_games() -> None:
    """The same, by players of a style who may move as they like."""
    kernel, playouts = mode.kernel("styled_games"), mode.kernel("playouts")
    pair, tiles, racks = kernel.ints([1, 1]), kernel.ints([2] + [0] * 52), kernel.grid(2, 53)
    known = kernel.Known(racks, pair, kernel.zeros(53), tiles, 0, 2, 0)
    room = kernel.zeros(2), kernel.zeros(53)
    sitting = kernel.Sitting(pair, pair, pair, pair, kernel.grid(1, 4), kernel.grid(1, 2), *room)
    moves = kernel.Moves(kernel.grid(1, 53), kernel.ints([1]), kernel.ints([-1]))
    world, seeds = kernel.make_worlds(2, 53, 106), kernel.ints([1])
    kernel.play_games(known, sitting, moves, seeds, _kit(playouts), world, kernel.grid(1, 1))


def _call_last_draws() -> None:
    """A tile each, and nothing to lay."""
    kernel, playouts = mode.kernel("last_draws"), mode.kernel("playouts")
    room = kernel.make_room(53, 106, 1, 16)
    room.state[0] = 1
    rack = kernel.ints([1] + [0] * 52)
    kernel.weigh_lays(
        kernel.LIST, 0, 0, 0, rack, kernel.ints([0] * 53), rack, kernel.ints([1]), room, _kit(playouts)
    )


def _kit(playouts: Any) -> Any:
    """What imagined games of a book work with."""
    solver = playouts.best_play
    weights = solver.ints([1] * 14)
    rules = playouts.Rules(
        4, 13, 30, *[False] * 4, 0, solver.zeros(53), weights, weights, weights, weights, 16
    )
    return playouts.Kit(rules, solver.make_groups(4), solver.make_workspace())


def _call_ways_out() -> None:
    """A rack of one tile, and one meld that it could lie in."""
    kernel = mode.kernel("ways_out")
    blocks = kernel.Blocks(kernel.ints([7]), kernel.ints([3]), kernel.ints([-1]), 3, 3)
    odds = kernel.Odds(kernel.ints([1, 1, 1]), 7, 0, 0, 3, 1.0, 0.9)
    kernel.appraise(blocks, odds, kernel.make_room(1), kernel.ints([1, 0, 0]), 0, 3, 10, kernel.floats(3))


def _call_games() -> None:
    """No games at all."""
    kernel, games, book, desk = _no_games()
    kernel.run(0, 0, games, book, desk)


def _call_observations() -> None:
    kernel, games, book, desk = _no_games()
    seen, mask, features = kernel.single_grid(1, 1), kernel.grid(1, 1), kernel.single_grid(1, 1)
    kernel.show(0, 0, games, book, desk, seen, mask, features)


def _no_games() -> tuple[Any, Any, Any, Any]:
    """The kernel, room for a game, a book that says nothing, and a desk."""
    kernel = mode.kernel("many_games")
    none = kernel.solver.zeros(53)
    book = kernel.Book(4, 13, 2, 30, 1, 4, 1, *[False] * 6, 0, 0, *[none] * 5)
    return kernel, kernel.make_games(1, 2, 53, 106, 4), book, kernel.make_desk(4, 13, 4)


_MANY_GAMES_CALLS: dict[str, Callable[[], None]] = {
    "turns and choices": _call_games,
    "observations": _call_observations,
}

_CALLS: dict[str, Callable[[], None]] = {
    "the best play": _call_best_play,
    "imagined games": _call_playouts,
    "whole games": _call_play_on,
    "games of several styles": _call_styled_games,
    "the last draws": _call_last_draws,
    "ways to go out": _call_ways_out,
}
"""Small calls: each compiles what is called from outside, with all that it uses."""


def _stamp_file() -> Path:
    """Where the stamp lies: where numba keeps what it compiled."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / _STAMP
    beside = _HERE / "interpreted" / "__pycache__"
    if os.access(beside if beside.exists() else beside.parent, os.W_OK):
        return beside / _STAMP
    return _user_cache() / "meldroom" / _STAMP


def _user_cache() -> Path:
    """The user's folder for what can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))


def _fingerprint() -> str:
    """What a compilation depends on: the kernels, numba, Python and the processor."""
    digest = hashlib.sha256()
    for source in sorted(_HERE.glob("*/**/*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    digest.update(f"{version('numba')} {version('numpy')} {sys.version} {_processor()}".encode())
    digest.update(str(_HERE).encode())
    return digest.hexdigest()


def _processor() -> str:
    """The processor's name and abilities, as far as they can be told without loading anything."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return f"{platform.machine()} {os.environ.get('PROCESSOR_IDENTIFIER', '')}"
    told = {line for line in lines if line.startswith(("model name", "flags", "Features", "CPU part"))}
    return " ".join((platform.machine(), *sorted(told)))
