"""A database that version 0.1 wrote: today's server opens it, goes on with its games and knows its people."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from meldroom.record import loads, verify
from meldroom.rooms.protocol.events import SeatReserved, decode
from meldroom.rooms.protocol.settings import ChampionshipTable
from tests.server.api.near import Near, Talk, with_server

WRITTEN = Path(__file__).parents[2] / "fixtures" / "v0.1" / "server"
THERE: dict[str, Any] = json.loads((WRITTEN / "contents.json").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    shutil.copy(WRITTEN / "meldroom.db", tmp_path / "data")
    return tmp_path


async def entered(talk: Talk, room: str, **fields: Any) -> dict[str, Any]:
    """The view of a room on entering it."""
    assert (await talk.ask("enter", room=room, **fields))["type"] == "done"
    view: dict[str, Any] = [one for one in talk.heard if one["type"] == "update"][-1]["view"]
    return view


def test_the_account_signs_in_and_finds_its_games(folder: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        answer = await browser.post(
            "/api/v1/sign-in", json={"account": THERE["account"], "password": THERE["password"]}
        )
        assert answer.status_code == 200, answer.text
        assert answer.json()["id"] == THERE["player"]
        mine = (await browser.get("/api/v1/rooms/mine")).text
        assert all(THERE[room] in mine for room in ("unfinished", "waiting"))
        game = await browser.get(f"/api/v1/games/{THERE['finished']}-1")
        assert game.status_code == 200, game.text
        kept = await near.container.store.finished(f"{THERE['finished']}-1")
        assert kept is not None
        assert verify(loads(kept.record)).ok

    with_server(folder, test)


def test_the_token_goes_on_with_the_unfinished_game(folder: Path) -> None:
    async def test(near: Near) -> None:
        async with near.socket() as talk:
            assert (await talk.hello(token=THERE["token"]))["player"] == THERE["player"]
            view = await entered(talk, THERE["unfinished"])
            assert (view["stage"], view["rev"], view["me"]) == ("playing", THERE["rev"], 0)
            assert view["game"]["rack"] == THERE["rack"]
            said = len(view["chat"])
            again = {"room": THERE["unfinished"], "phrase": "one_moment", "id": THERE["last_request"]}
            assert (await talk.ask("say", **again))["type"] == "done"
            drew = {"room": THERE["unfinished"], "rev": view["rev"], "action": {"action": "draw", "seat": 0}}
            assert (await talk.ask("act", **drew))["type"] == "done"
            later = [one for one in talk.heard if one["type"] == "update"][-1]["view"]
            assert later["rev"] > view["rev"]
            assert len(later["chat"]) == said  # The repeated command was answered, not carried out again.

    with_server(folder, test)


def test_the_finished_game_is_folded_again_with_its_end(folder: Path) -> None:
    async def test(near: Near) -> None:
        async with near.socket() as talk:
            await talk.hello(token=THERE["token"])
            view = await entered(talk, THERE["finished"])
            assert (view["stage"], view["record"]) == ("over", f"{THERE['finished']}-1")
            kept = await near.container.store.finished(view["record"])
            assert kept is not None
            assert tuple(line["score"] for line in view["sheet"]) == kept.scores

    with_server(folder, test)


def test_a_championships_table_keeps_its_reserved_seats(folder: Path) -> None:
    async def test(near: Near) -> None:
        room = THERE["championship"]
        events = [decode(data) for data in await near.container.store.events(room)]
        reserved = [event for event in events if isinstance(event, SeatReserved)]
        assert [(event.seat, event.reserved.name) for event in reserved] == [(1, "Cleo")]
        async with near.socket() as talk:
            await talk.hello(token=THERE["token"])
            view = await entered(talk, room)
            table = ChampionshipTable("k3f9qz", "evening", 1, 2)
            assert view["championship"] == {
                "championship": table.championship,
                "stage": table.stage,
                "sitting": table.sitting,
                "number": table.number,
            }
            assert [(seat["name"], seat["reserved"]) for seat in view["seats"]] == [
                ("Ada", True),
                ("Cleo", True),
            ]
        cleo = await near.guest("Somebody")
        async with near.socket(cleo) as talk:
            await talk.hello()
            assert (await talk.ask("claim", room=room, key="key of Cleo"))["type"] == "done"

    with_server(folder, test)
