"""Garbage is looked for while nothing happens, and not while plays are being answered."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from meldroom.server import idle_collector


class _Knot:
    """Something that only the collector can free."""

    def __init__(self) -> None:
        self.itself = self


async def _is_freed(ticks: int = 20) -> bool:
    knot = weakref.ref(_Knot())
    kept = [[number] for number in range(2 * idle_collector.FEW)]
    collecting = asyncio.create_task(idle_collector.collect_when_idle())
    await asyncio.sleep(0)  # let it begin
    for _ in range(ticks):
        await asyncio.sleep(idle_collector.TICK)
        if knot() is None:
            break
    collecting.cancel()
    assert kept
    return knot() is None


@pytest.fixture(autouse=True)
def only_when_asked(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(idle_collector, "TICK", 0.005)
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_an_idle_loop_is_used_to_look_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_collector, "PROMPT", 60.0)
    assert asyncio.run(_is_freed())


def test_a_busy_loop_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_collector, "PROMPT", -1.0)
    assert not asyncio.run(_is_freed())


def test_everything_is_looked_at_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_collector, "PROMPT", 60.0)
    monkeypatch.setattr(idle_collector, "FULL_SECONDS", 0.0)
    looked: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda generation=2: looked.append(generation))
    asyncio.run(_is_freed(3))
    assert 2 in looked
