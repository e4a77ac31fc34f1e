"""The page of a player is told nothing that they may not know, although everything is on their device."""

from __future__ import annotations

import asyncio
import json

import pytest

from meldroom.rooms.protocol.commands import VERSION
from tests.browser_home.tab import Tab
from tests.rooms.seeing import check_frame, may_see


@pytest.mark.parametrize("book", ["wrc11", "rummyo"])
def test_no_frame_shows_another_rack_or_the_secret(book: str) -> None:
    async def run() -> None:
        tab = await Tab.guest()
        faults: list[str] = []
        checked: list[str] = []
        shown: set[int] = set()  # What has lain open: a bot may have taken it since.

        def check(text: str) -> None:
            told = json.loads(text)
            if told["type"] not in ("update", "drafted", "presence"):
                return
            room = tab.home.device.rooms.in_memory[told["room"]].room
            check_frame(text.encode(), room, 0, shown)
            if room.game is not None:
                shown.update(may_see(room.game, None))
            secret = room.sealed if room.shuffle is None else room.shuffle.secret
            assert secret
            assert room.stage == "over" or secret not in text
            checked.append(told["type"])

        def hear(text: str) -> None:
            try:
                check(text)
            except AssertionError as error:  # A page's faults stop no game; the test wants to know.
                faults.append(str(error))

        page = tab.home.connect(hear)
        page.receive(json.dumps({"do": "hello", "id": "hello", "version": VERSION}))
        while checked.count("update") <= 10:  # A lucky deal may be over in three turns.
            shown.clear()
            room = await tab.play(book, "club", seats=3)
            page.receive(json.dumps({"do": "enter", "id": room, "room": room}))
            await tab.finish(room, book, "club")
            assert checked.count("update") > 0
            assert not faults, faults[0]
        await tab.close()

    asyncio.run(run())
