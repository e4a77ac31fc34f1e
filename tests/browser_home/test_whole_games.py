"""Whole games on a device: from the first session to the score sheet, the replay and the record."""

from __future__ import annotations

import asyncio

import pytest

from meldroom.record import loads, verify
from meldroom.rules.library import BOOK_IDS
from tests.browser_home.tab import Tab


@pytest.mark.parametrize("book", BOOK_IDS)
def test_a_game_is_played_replayed_analysed_verified_saved_and_opened_again(book: str) -> None:
    async def run() -> None:
        tab = await Tab.guest()
        room = await tab.play(book, "club", seats=3)
        await tab.finish(room, book, "club")
        game = tab.view["record"]
        _, mine = await tab.ask("GET", "/rooms/mine")
        assert mine["running"] == []
        assert [card["id"] for card in mine["finished"]] == [game]

        status, page = await tab.ask("GET", f"/games/{game}", language="fr")
        assert (status, page["my_seat"]) == (200, 0)
        assert page["steps"][-1]["kind"] == "game_ended"
        status, analysis = await tab.ask("GET", f"/games/{game}/analysis", seat=0)
        assert status == 200
        assert analysis["turns"]
        status, verified = await tab.ask("GET", f"/games/{game}/verification", language="fr")
        assert (status, verified["ok"]) == (200, True)

        for form in ("text", "json"):
            status, headers, record = await tab.raw("GET", f"/games/{game}/record", form=form)
            assert status == 200
            assert headers["Content-Disposition"].startswith("attachment")
            assert verify(loads(record)).ok
            assert await tab.raw("POST", "/records", record) == (
                201,
                {"Content-Type": "application/json"},
                f'{{"game":"{game}"}}'.encode(),
            )
            elsewhere = await Tab.guest(name="Bo")
            status, opened = await elsewhere.ask("GET", "/rooms/mine")
            assert opened["finished"] == []
            status, _, answer = await elsewhere.raw("POST", "/records", record)
            assert status == 201
            _, listed = await elsewhere.ask("GET", "/rooms/mine")
            (card,) = listed["finished"]
            assert f'{{"game":"{card["id"]}"}}'.encode() == answer
            assert card["scores"] == page["card"]["scores"]
            _, again = await elsewhere.ask("GET", f"/games/{card['id']}", language="fr")
            assert again["my_seat"] is None
            assert again["steps"] == page["steps"]
            await elsewhere.close()
        await tab.close()

    asyncio.run(run())


def test_a_game_is_resigned_and_its_replay_verified_without_a_server() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        room = await tab.play("wrc11")
        await tab.next(lambda: tab.my_turn)
        rack = tab.view["game"]["rack"]
        planned = await tab.do("plan", room=room, rev=tab.view["rev"], table=[rack[:1]])
        assert planned["judgement"]["marks"] == [False]
        assert (await tab.do("resign", room=room))["type"] == "done"
        assert tab.view["stage"] == "over"
        assert tab.view["game"]["result"]["end"] == "resigned"
        assert tab.view["game"]["result"]["winners"] == [1]
        game = tab.view["record"]
        _, page = await tab.ask("GET", f"/games/{game}", language="fr")
        assert [step["kind"] for step in page["steps"]][-2:] == ["resigned", "game_ended"]
        _, verified = await tab.ask("GET", f"/games/{game}/verification", language="fr")
        assert verified["ok"]
        await tab.close()

    asyncio.run(run())
