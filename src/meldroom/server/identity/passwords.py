"""Passwords by argon2id, always in a thread: a hash takes tens of milliseconds that a table must not wait."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING

from meldroom.server.web.bounded import Places

if TYPE_CHECKING:
    from argon2 import PasswordHasher

AT_ONCE = 2
"""How many are hashed side by side: each takes 19 MiB of memory."""

MOST_WAITING, MOST_WAITING_OF_ADDRESS = 60, 12
"""Passwords that wait for their turn: a second and a half at most."""

_NOBODY = "the password of nobody"


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@cache
def _hash_of_nobody() -> str:
    return _hasher().hash(_NOBODY)


class Passwords:
    """Hashes and checks passwords off the event loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._places = Places(MOST_WAITING, MOST_WAITING_OF_ADDRESS)

    async def hash(self, password: str) -> str:
        """What is stored of a password. Raises HttpError if too many wait."""
        with self._places.of_asking():
            return await self._hashed(password)

    async def _hashed(self, password: str) -> str:
        async with self._turn:
            return await asyncio.to_thread(lambda: _hasher().hash(password))

    async def fits(self, password: str, stored: str | None) -> bool:
        """Whether this is the password. Without one stored it takes as long and is False.

        Raises HttpError if too many wait.
        """
        with self._places.of_asking():
            return await self._fits(password, stored)

    async def _fits(self, password: str, stored: str | None) -> bool:
        async with self._turn:
            return await asyncio.to_thread(_fits, password, stored)


def _fits(password: str, stored: str | None) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        _hasher().verify(stored if stored is not None else _hash_of_nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None
