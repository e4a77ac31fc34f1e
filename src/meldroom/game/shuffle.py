"""The shuffle anyone can check: commit to a secret, mix in the players' own words, reveal it afterwards.

Every order of tiles is a pure function of the secret, the contributions and a label such as `deal 1`,
so that every draw can be computed again from what is revealed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec

Item = TypeVar("Item")

_WORD = 8
_LARGEST_WORD = 1 << (8 * _WORD)


def new_secret() -> str:
    """A fresh secret of 256 bits as hexadecimal text."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """What is published before the deal: the SHA-256 of the secret's text."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Shuffle(msgspec.Struct, frozen=True):
    """A source of orders: the host's secret and one contribution for each player."""

    secret: str
    contributions: tuple[str, ...] = ()

    def order(self, label: str, items: Sequence[Item]) -> tuple[Item, ...]:
        """The items in the order that belongs to a label (Fisher–Yates, from the last place down)."""
        shuffled = list(items)
        words = self._words(label)
        for last in range(len(shuffled) - 1, 0, -1):
            other = _below(words, last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return tuple(shuffled)

    def _words(self, label: str) -> Iterator[int]:
        """64-bit numbers from HMAC-SHA-256(secret, JSON of contributions and label, counter)."""
        message = msgspec.json.encode([*self.contributions, label])
        counter = 0
        while True:
            block = hmac.new(
                self.secret.encode(), message + counter.to_bytes(8, "big"), hashlib.sha256
            ).digest()
            for start in range(0, len(block), _WORD):
                yield int.from_bytes(block[start : start + _WORD], "big")
            counter += 1


def _below(words: Iterator[int], limit: int) -> int:
    """An unbiased number below a limit: words in the uneven last stretch are passed over."""
    fair = _LARGEST_WORD - _LARGEST_WORD % limit
    return next(word for word in words if word < fair) % limit
