"""Looks for garbage while the event loop has nothing to do, so that no play waits for it."""

from __future__ import annotations

import asyncio
import gc

TICK = 0.1
PROMPT = 0.003
"""A tick that is no later than this, in seconds, finds the loop idle."""
FEW = 2_000
"""Young objects that are not worth a look."""
TIMES = 10
"""Looks at young objects before one at those that survived them."""
FULL_SECONDS = 600.0
"""Between two looks at everything; that takes long where there are many tables."""
YOUNG_OBJECTS = 50_000
"""Made since the last look before there is one at once, idle or not. A burst of plays makes tens of
thousands, nearly all gone when they are answered."""


def prepare() -> None:
    """What is loaded now stays: the collector need not go through it again, which would stop every table."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])


async def collect_when_idle() -> None:
    """Run until cancelled."""
    loop = asyncio.get_running_loop()
    full_at = loop.time() + FULL_SECONDS
    while True:
        due = loop.time() + TICK
        await asyncio.sleep(TICK)
        young, survivors, _ = gc.get_count()
        if loop.time() - due > PROMPT or young < FEW:
            continue
        if loop.time() > full_at:
            gc.collect()
            full_at = loop.time() + FULL_SECONDS
        else:
            gc.collect(1 if survivors >= TIMES else 0)
