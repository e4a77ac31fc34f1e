"""Limits for each key: an allowance that fills again with time, and so many at once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

MOST_KEYS = 20_000


class Allowance(msgspec.Struct, frozen=True):
    """So many at once, and so many a second after that."""

    burst: float
    per_second: float


class Bucket:
    """One allowance in use. Times are in seconds."""

    __slots__ = ("_allowance", "_left", "_seen")

    def __init__(self, allowance: Allowance, now: float) -> None:
        self._allowance = allowance
        self._left = allowance.burst
        self._seen = now

    def take(self, now: float) -> float:
        """Take one: 0.0 if there was one, else the seconds until there will be."""
        self._fill(now)
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) / self._allowance.per_second

    def charge(self, amount: float, now: float) -> None:
        """Take more than one, afterwards: what is left may fall below nothing, and fills again from there."""
        self._fill(now)
        self._left -= amount

    def debt(self, now: float) -> float:
        """The seconds until one is left; 0.0 if there is."""
        self._fill(now)
        return 0.0 if self._left >= 1 else (1 - self._left) / self._allowance.per_second

    def _fill(self, now: float) -> None:
        allowance = self._allowance
        self._left = min(allowance.burst, self._left + max(0.0, now - self._seen) * allowance.per_second)
        self._seen = now

    def is_full(self, now: float) -> bool:
        """True if nothing is lost when it is forgotten."""
        return self._left + (now - self._seen) * self._allowance.per_second >= self._allowance.burst


class Limiter:
    """The same allowance for every key: an address, a session, an account, a player."""

    def __init__(self, allowance: Allowance, clock: Callable[[], float] = time.monotonic) -> None:
        self._allowance = allowance
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def wait(self, key: str) -> float:
        """Take one for a key: 0.0 if it may go on, else the seconds it must wait."""
        now = self._clock()
        return self._bucket(key, now).take(now)

    def debt(self, key: str) -> float:
        """Take nothing: 0.0 if something is left for a key, else the seconds it must wait."""
        now = self._clock()
        bucket = self._buckets.get(key)
        return 0.0 if bucket is None else bucket.debt(now)

    def charge(self, key: str, amount: float = 1.0) -> None:
        """Take so much for a key, after it was spent."""
        now = self._clock()
        self._bucket(key, now).charge(amount, now)

    def _bucket(self, key: str, now: float) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MOST_KEYS:
                self._sweep(now)
            bucket = self._buckets[key] = Bucket(self._allowance, now)
        return bucket

    def _sweep(self, now: float) -> None:
        """Forget full buckets; if there are none, everybody starts anew rather than memory growing."""
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full(now)}
        if len(self._buckets) >= MOST_KEYS:
            self._buckets.clear()


class NoPlaceError(Exception):
    """All places are taken; those of one key, if `of_key`."""

    def __init__(self, of_key: bool) -> None:
        super().__init__(of_key)
        self.of_key = of_key


class Places:
    """So many at once, and so many of them for one key."""

    def __init__(self, most: int, most_of_key: int) -> None:
        self._most = most
        self._most_of_key = most_of_key
        self._taken = 0
        self._of_key: Counter[str] = Counter()

    @contextmanager
    def place(self, key: str) -> Iterator[None]:
        """Hold a place; an empty key shares with nobody. Raises NoPlaceError if there is none."""
        if key and self._of_key[key] >= self._most_of_key:
            raise NoPlaceError(True)
        if self._taken >= self._most:
            raise NoPlaceError(False)
        self._taken += 1
        self._of_key[key] += 1
        try:
            yield
        finally:
            self._taken -= 1
            self._of_key[key] -= 1
            if not self._of_key[key]:
                del self._of_key[key]
