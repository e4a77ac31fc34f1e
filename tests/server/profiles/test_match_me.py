"""*Match me* on the server and on a device: from one's own games against bots, and from no others."""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec.structs import replace

from meldroom.bots.levels import DEFAULT_LEVEL
from meldroom.browser.levels import LEVELS
from meldroom.coach.matching import ladder
from meldroom.rooms.ports import FinishedGame
from tests.browser_home.tab import Tab
from tests.server.api.near import Near, with_server
from tests.server.games.recorded import finished as recorded
from tests.server.profiles.test_routes import account, ask, me
from tests.server.storage.cards import card, finished


def won(number: int, person: str, level: str, **changes: object) -> FinishedGame:
    """A game that somebody won against a level."""
    fields = {"people": (person, ""), "levels": ("", level), "ended_at": number, **changes}
    return finished(f"game-{number}", **fields)


def test_wins_lead_to_a_stronger_opponent_and_others_games_to_nothing(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, bo, stranger = await account(near, "Ada"), await near.guest("Bo"), near.browser()
        nothing = {
            "book": "wrc11",
            "level": DEFAULT_LEVEL,
            "rating": ladder("wrc11")[DEFAULT_LEVEL],
            "results": 0,
        }
        for browser in (ada, bo, stranger):
            assert await ask(browser, "GET", "/match?book=wrc11") == (200, nothing)
        own = (await me(ada))["id"]
        for number in range(12):
            room = f"r{number}"
            game = won(number, own, "club", take_backs=number % 2, room=room)
            await near.container.store.append(room, 1, b"{}", card(room, players=(own, "")), game)
        status, found = await ask(ada, "GET", "/match?book=wrc11")
        assert (status, found["results"]) == (200, 6), "a game with turns taken back counts nothing"
        assert ladder("wrc11")[found["level"]] > ladder("wrc11")[DEFAULT_LEVEL]
        assert (await ask(bo, "GET", "/match?book=wrc11"))[1] == nothing
        assert (await ask(ada, "GET", "/match?book=tml"))[1]["results"] == 0
        assert await ask(ada, "GET", "/match?book=nobody") == (404, "no_such_book")
        assert (await ask(ada, "GET", "/match"))[0] == 400

    with_server(tmp_path, test)


def test_a_device_matches_with_the_games_that_are_kept_on_it() -> None:
    """Among the levels that can play there; a game of an earlier version tells its levels in the record."""

    async def run() -> None:
        tab = await Tab.guest()
        mine = (await tab.ask("GET", "/me"))[1]["id"]
        store = tab.home.device.store
        assert (await tab.ask("GET", "/match", book="tml"))[1]["results"] == 0
        text = recorded("tml").record.replace("\n", "\nbots: Bo (master)\n", 1)
        for number in range(30):
            old = replace(recorded("tml"), id=f"old-{number}", people=(mine, ""), winners=(0,), record=text)
            await store.keep_game(old)
        await store.keep_game(replace(recorded("tml"), id="from a file", people=("", "")))
        found = (await tab.ask("GET", "/match", book="tml"))[1]
        rungs = ladder("tml")
        assert found["results"] == 30
        assert found["level"] == max((level for level in LEVELS if level in rungs), key=rungs.__getitem__)
        await tab.close()

    asyncio.run(run())
