"""Work for the kernels, shared out among threads: compiled kernels let go of the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Share = TypeVar("Share")
Result = TypeVar("Result")


def on_threads(work: Callable[[Share], Result], shares: Sequence[Share], threads: int) -> list[Result]:
    """What `work` answers for every share, in their order."""
    if threads == 1 or len(shares) <= 1:
        return list(map(work, shares))
    from concurrent.futures import ThreadPoolExecutor  # a browser has none, and needs none

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, shares))
