"""An account's puzzles: the same everywhere, rated by the server, and what a guest's browser hands over."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, select

from meldroom.api import puzzles as api
from meldroom.api.puzzle_progress import EPOCH
from meldroom.puzzles import Puzzle, starter_pack
from meldroom.puzzles.ratings import MOST_FOR_PUZZLE, PROVISIONAL
from meldroom.puzzles.selector import daily
from meldroom.server.profiles import puzzles as account_puzzles
from meldroom.server.storage.tables import accounts
from tests.server.api.near import Near, with_server

PASSWORD = "a long and quiet evening"
PACK = [each for each in starter_pack() if each.kind == "most_tiles" and each.book == "tml"]
TODAY = datetime.datetime.now(datetime.UTC).date()
DAY = TODAY.toordinal() - EPOCH


async def account(near: Near, name: str) -> httpx.AsyncClient:
    """A browser with a new account."""
    browser = await near.guest(name)
    made = await browser.post("/api/v1/account", json={"account": name, "password": PASSWORD})
    assert made.status_code == 201, made.text
    return browser


async def signed_in(near: Near, name: str) -> httpx.AsyncClient:
    """Another browser of the same account."""
    browser = near.browser()
    answer = await browser.post("/api/v1/sign-in", json={"account": name, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return browser


async def attempt(browser: httpx.AsyncClient, puzzle: Puzzle, solved: bool, **more: Any) -> dict[str, Any]:
    body = {"seconds": 30, "day": DAY, "sets": api.solution(puzzle, "en").table if solved else None, **more}
    answer = await browser.post(f"/api/v1/puzzles/{puzzle.id}/attempt", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def progress(browser: httpx.AsyncClient) -> dict[str, Any]:
    answer = await browser.get("/api/v1/puzzles/progress")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def hand_over(browser: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await browser.post("/api/v1/puzzles/progress", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def tried(puzzle: Puzzle, solved: bool = True, day: datetime.date = TODAY) -> dict[str, Any]:
    return {"id": puzzle.id, "solved": solved, "day": day.isoformat()}


def test_an_account_has_the_same_puzzles_on_two_devices(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        one, two = await account(near, "Ada"), await signed_in(near, "Ada")
        first = await attempt(one, PACK[0], solved=True)
        assert first["first"]
        assert first["change"] > 0
        again = await attempt(two, PACK[0], solved=False)
        assert not again["first"]
        assert again["player"] == first["player"]
        assert (await attempt(two, PACK[1], solved=False))["change"] < 0
        assert await progress(one) == await progress(two)
        found = await progress(one)
        assert [(each["id"], each["solved"]) for each in found["tried"]] == [
            (PACK[0].id, True),
            (PACK[1].id, False),
        ]
        assert found["ratings"]["tml"]["attempts"] == 2
        assert found["tried"][-1]["rating"] == round(found["ratings"]["tml"]["rating"])

    with_server(tmp_path, test)


def test_a_rating_that_is_sent_along_is_not_believed(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await account(near, "Ada")
        claimed = {"rating": 3100, "deviation": 45, "volatility": 0.06, "attempts": 900, "day": DAY}
        honest = await attempt(browser, PACK[0], solved=True, player=claimed)
        assert honest["player"]["rating"] < 1800
        assert honest["player"]["attempts"] == 1
        # Illegal tables are no attempts.
        illegal = await attempt(browser, PACK[1], solved=False, sets=[[PACK[1].read().position.table[0][0]]])
        assert illegal["verdict"] == "illegal"
        assert len((await progress(browser))["tried"]) == 1

    with_server(tmp_path, test)


def test_what_a_guest_did_is_taken_over_once_and_rated_anew(tmp_path: Path) -> None:
    pack = starter_pack()
    of_today, of_yesterday = daily(pack, TODAY), daily(pack, TODAY - datetime.timedelta(1))

    async def test(near: Near) -> None:
        browser = await account(near, "Ada")
        await attempt(browser, PACK[0], solved=False)
        kept = [
            tried(PACK[0]),
            tried(of_yesterday, day=TODAY - datetime.timedelta(1)),
            tried(of_today),
            {"id": "nosuch", "solved": True, "day": "2026-11-16"},
            {"id": PACK[2].id, "solved": True, "day": "2026-02-30"},
        ]
        merged = await hand_over(browser, tried=kept, best_streak=7, best_round=3)
        assert [each["id"] for each in merged["tried"]] == [PACK[0].id, of_yesterday.id, of_today.id]
        assert not merged["tried"][0]["solved"]
        assert (merged["best_streak"], merged["best_round"]) == (7, 3)
        assert [each["daily"] for each in merged["tried"]] == [False, True, True]
        again = await hand_over(browser, tried=kept, best_streak=2)
        assert again == merged == await progress(browser)

    with_server(tmp_path, test)


def test_claims_leave_a_rating_provisional_and_move_no_puzzle(tmp_path: Path) -> None:
    every = [each for each in starter_pack() if each.book == "tml"]

    async def test(near: Near) -> None:
        browser = await account(near, "Ada")
        for start in range(0, 120, 60):
            claims = [tried(each) for each in every[start : start + 60]]
            found = await hand_over(browser, tried=claims)
        assert found["ratings"]["tml"]["deviation"] > PROVISIONAL
        for puzzle in every[:5]:
            assert (await near.container.puzzles.strength(puzzle)).attempts == 0
        asked = next(each for each in every[200:] if each.kind == "most_tiles")
        await attempt(browser, asked, solved=False)
        assert (await near.container.puzzles.strength(asked)).attempts == 0

    with_server(tmp_path, test)


def test_a_known_player_moves_a_puzzle_a_little_and_not_all_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 35
    monkeypatch.setattr(account_puzzles, "MOST_A_DAY", most)
    every = [each for each in starter_pack() if each.book == "wrc11"][: most + 3]

    async def test(near: Near) -> None:
        await account(near, "Ada")
        time = [near.container.puzzles._clock()]
        near.container.puzzles._clock = lambda: time[0]
        (player,) = await near.container.store.read(_players)

        async def play(puzzle: Puzzle, number: int, seconds: float = 60) -> None:
            time[0] += round(1000 * seconds)
            await near.container.puzzles.attempt(
                player, puzzle, solved=number % 2 == 0, seconds=30, day=DAY, daily=False
            )

        for number, puzzle in enumerate(every[:30]):
            await play(puzzle, number, 1 if number == 29 else 60)
        first, known, hasty = every[0], every[28], every[29]
        assert (await near.container.puzzles.strength(first)).attempts == 0
        moved = await near.container.puzzles.strength(known)
        assert moved.attempts == 1
        assert 0 < abs(moved.rating.rating - known.rating) <= MOST_FOR_PUZZLE
        # An answer a second after the last one was not thought about, whatever it says itself.
        assert (await near.container.puzzles.strength(hasty)).attempts == 0
        shown = await near.browser().get(f"/api/v1/puzzles/{known.id}")
        assert shown.json()["rating"] == round(moved.rating.rating)
        for number, puzzle in enumerate(every[30:], 30):
            await play(puzzle, number)
        assert (await near.container.puzzles.strength(every[most - 1])).attempts == 1
        assert (await near.container.puzzles.strength(every[most])).attempts == 0

    with_server(tmp_path, test)


def _players(connection: Connection) -> list[str]:
    return list(connection.execute(select(accounts.c.player)).scalars())


def test_guests_and_strangers_keep_their_puzzles_themselves(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        guest, stranger = await near.guest(), near.browser()
        for browser, status in ((guest, 403), (stranger, 401)):
            assert (await browser.get("/api/v1/puzzles/progress")).status_code == status
            assert (await browser.post("/api/v1/puzzles/progress", json={})).status_code == status
            sent = {"rating": 1700, "deviation": 80, "volatility": 0.06, "attempts": 40, "day": DAY}
            answer = await attempt(browser, PACK[0], solved=True, player=sent)
            assert answer["player"]["rating"] > 1700
        assert (await near.container.puzzles.strength(PACK[0])).attempts == 0

    with_server(tmp_path, test)
