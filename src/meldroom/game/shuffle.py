"""The shuffle anyone can check: commit to a secret, mix in the players' own words, reveal it afterwards.

Every order of tiles is a pure function of the secret, the contributions and a label such as `deal 1`,
so that every draw can be computed again from what is revealed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from itertools import count
from struct import Struct
from typing import TypeVar

import msgspec

Item = TypeVar("Item")

_BLOCK = Struct(">4Q")
_LARGEST_WORD = 1 << 64


def new_secret() -> str:
    """A fresh secret of 256 bits as hexadecimal text."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """What is published before the deal: the SHA-256 of the secret's text."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Shuffle(msgspec.Struct, frozen=True, gc=False):
    """A source of orders: the host's secret and one contribution for each player."""

    secret: str
    contributions: tuple[str, ...] = ()

    def order(self, label: str, items: Sequence[Item]) -> tuple[Item, ...]:
        """The items in the order that belongs to a label (Fisher–Yates, from the last place down)."""
        shuffled = list(items)
        words = self._words(label)
        for last in range(len(shuffled) - 1, 0, -1):
            # An unbiased number: words in the uneven last stretch are passed over.
            fair = _LARGEST_WORD - _LARGEST_WORD % (last + 1)
            while (word := next(words)) >= fair:
                pass
            other = word % (last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return tuple(shuffled)

    def _words(self, label: str) -> Iterator[int]:
        """64-bit numbers from HMAC-SHA-256(secret, JSON of contributions and label, counter)."""
        key, message = self.secret.encode(), msgspec.json.encode([*self.contributions, label])
        for counter in count():
            yield from _BLOCK.unpack(hmac.digest(key, message + counter.to_bytes(8, "big"), "sha256"))
