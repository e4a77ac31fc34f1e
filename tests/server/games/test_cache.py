"""Dear answers are computed once, kept while there is room, and not kept when they failed."""

from __future__ import annotations

import asyncio

import pytest

from meldroom.api.cache import AnswerCache


class Oracle:
    """Answers slowly and counts."""

    def __init__(self, *, fails: bool = False) -> None:
        self.asked = 0
        self.fails = fails
        self.go = asyncio.Event()

    async def answer(self) -> bytes:
        """One answer, as soon as it may."""
        self.asked += 1
        await self.go.wait()
        if self.fails:
            raise ValueError
        return b"answer"


def test_asked_twice_at_once_it_is_computed_once() -> None:
    async def ask() -> None:
        kept, oracle = AnswerCache(), Oracle()
        both = [asyncio.create_task(kept.answer("x", oracle.answer)) for _ in range(2)]
        await asyncio.sleep(0)
        oracle.go.set()
        assert await asyncio.gather(*both) == [b"answer", b"answer"]
        assert await kept.answer("x", oracle.answer) == b"answer"
        assert oracle.asked == 1

    asyncio.run(ask())


def test_who_stops_waiting_does_not_stop_it_for_the_others() -> None:
    async def ask() -> None:
        kept, oracle = AnswerCache(), Oracle()
        first, second = [asyncio.create_task(kept.answer("x", oracle.answer)) for _ in range(2)]
        await asyncio.sleep(0)
        first.cancel()
        oracle.go.set()
        assert await second == b"answer"
        with pytest.raises(asyncio.CancelledError):
            await first

    asyncio.run(ask())


def test_a_failed_answer_is_asked_for_again() -> None:
    async def ask() -> None:
        kept, oracle = AnswerCache(), Oracle(fails=True)
        oracle.go.set()
        for count in (1, 2):
            with pytest.raises(ValueError, match=r"^$"):
                await kept.answer("x", oracle.answer)
            assert oracle.asked == count

    asyncio.run(ask())


def test_only_the_last_answers_are_cache() -> None:
    async def ask() -> None:
        kept, oracle = AnswerCache(most=2), Oracle()
        oracle.go.set()
        for key in ("a", "b", "a", "c", "a", "b"):
            await kept.answer(key, oracle.answer)
        assert oracle.asked == 4

    asyncio.run(ask())
