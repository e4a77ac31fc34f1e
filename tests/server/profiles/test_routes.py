"""Profiles over HTTP: who may see and do what, with friends, blocks, invitations and tables like the last."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from meldroom.rooms.rate_limit import Allowance
from meldroom.server.config import Limits
from meldroom.server.identity import relations
from meldroom.server.profiles import invitations
from tests.server.api.near import Near, Talk, with_server

API = "/api/v1"
PASSWORD = "correct horse"
ROOM = {"settings": {"book": "tml", "seats": 2, "hints": False}, "chairs": ["me", "open"]}


async def account(near: Near, name: str) -> httpx.AsyncClient:
    """Somebody with an account of their name."""
    browser = await near.guest(name)
    answer = await browser.post(f"{API}/account", json={"account": name.lower(), "password": PASSWORD})
    assert answer.status_code == 201, answer.text
    return browser


async def me(browser: httpx.AsyncClient) -> dict[str, Any]:
    found: dict[str, Any] = (await browser.get(f"{API}/me")).json()
    return found


async def ask(browser: httpx.AsyncClient, method: str, path: str, **body: Any) -> tuple[int, Any]:
    """The status of an answer, with the code of a refusal or what it says."""
    answer = await browser.request(method, API + path, json=body or None)
    if answer.status_code == 204:
        return 204, None
    told = answer.json()
    return answer.status_code, told["error"]["code"] if answer.is_error else told


async def friends_of(browser: httpx.AsyncClient) -> dict[str, list[Any]]:
    """The names on every list."""
    _, found = await ask(browser, "GET", "/friends")
    return {
        name: [one["person"]["name"] if "person" in one else one["name"] for one in people]
        for name, people in found.items()
    }


async def befriended(*two: httpx.AsyncClient) -> None:
    for one, other in (two, two[::-1]):
        assert (await ask(one, "POST", "/friends", person=(await me(other))["profile"]))[0] == 201


@asynccontextmanager
async def seated(near: Near, *people: httpx.AsyncClient) -> AsyncIterator[tuple[str, list[Talk]]]:
    """People at a table of two that has begun."""
    _, opened = await ask(people[0], "POST", "/rooms", **ROOM)
    room = opened["room"]
    async with near.socket(people[0]) as first, near.socket(people[1]) as second:
        for seat, talk in enumerate((first, second)):
            await talk.hello()
            await talk.ask("enter", room=room)
            if seat:
                assert (await talk.ask("sit", room=room, seat=seat))["type"] == "done"
        assert (await first.ask("begin", room=room))["type"] == "done"
        yield room, [first, second]


async def played(near: Near, *people: httpx.AsyncClient) -> str:
    """A finished game of two people, which the first resigned."""
    async with seated(near, *people) as (room, talks):
        assert (await talks[0].ask("resign", room=room))["type"] == "done"
    return f"{room}-1"


def test_a_profile_is_found_by_account_and_by_public_id(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, guest, stranger = await account(near, "Ada"), await near.guest("Guest"), near.browser()
        assert (await me(ada))["profile"] == "ada"
        assert (await me(guest))["profile"].startswith("~")
        for profile in ("ada", "ADA"):
            status, page = await ask(stranger, "GET", f"/people/{profile}")
            assert (status, page["person"]["name"], page["standing"]) == (200, "Ada", "none")
        _, page = await ask(ada, "GET", f"/people/{(await me(guest))['profile']}")
        assert page["person"] == {
            "profile": (await me(guest))["profile"],
            "name": "Guest",
            "avatar": (await me(guest))["avatar"],
            "account": None,
        }
        assert page["statistics"]["games"] == 0
        assert (await ask(ada, "GET", "/people/ada"))[1]["standing"] == "me"
        for nobody in ("nobody", "~", "~0000000000000000", "x" * 300, "%00", "..", "' OR 1=1 --"):
            assert (await ask(ada, "GET", f"/people/{nobody}"))[0] in (404, 400), nobody
        assert (await ask(stranger, "GET", "/profile")) == (401, "no_session")
        assert (await me(guest))["id"] not in str(page)

    with_server(tmp_path, test)


def test_an_avatar_is_chosen_from_tiles_and_shown_at_the_table(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, bo = await near.guest("Ada"), await near.guest("Ben")
        own = (await me(ada))["avatar"]
        for wrong in ("R14", "R7 R7 R7 R7", "<svg>", "R7,B7", " "):
            assert await ask(ada, "PATCH", "/me", avatar=wrong) == (400, "bad_avatar"), wrong
        assert (await ask(ada, "PATCH", "/me", avatar="x" * 40))[0] == 400
        assert (await ask(ada, "PATCH", "/me", avatar="R7 B7 *"))[1]["avatar"] == "R7 B7 *"
        async with seated(near, ada, bo) as (_, talks):
            views = [one["view"] for one in talks[1].heard if one["type"] == "update"]
        assert [seat["avatar"] for seat in views[-1]["seats"]] == ["R7 B7 *", (await me(bo))["avatar"]]
        assert [seat["profile"] for seat in views[-1]["seats"]] == [
            (await me(one))["profile"] for one in (ada, bo)
        ]
        assert (await ask(ada, "PATCH", "/me", avatar=""))[1]["avatar"] == own

    with_server(tmp_path, test)


def test_friends_ask_and_accept_and_nobody_accepts_for_another(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, bo, eve = await account(near, "Ada"), await account(near, "Ben"), await near.guest("Eve")
        assert await ask(ada, "POST", "/friends", person="ada") == (400, "befriend_yourself")
        assert await ask(ada, "POST", "/friends", person="nobody") == (404, "no_such_person")
        assert (await ask(ada, "POST", "/friends", person=""))[0] == 400
        assert (await ask(ada, "POST", "/friends", person="Ben"))[1]["standing"] == "asked"
        assert (await ask(ada, "POST", "/friends", person="ben"))[1]["standing"] == "asked", "asked again"
        assert (await friends_of(ada))["asked"] == ["Ben"]
        assert (await friends_of(bo))["asks"] == ["Ada"]
        assert (await ask(bo, "GET", "/people/ada"))[1]["standing"] == "asks"
        # Eve can do nothing about the request of others.
        assert (await ask(eve, "POST", "/friends", person="ben"))[1]["standing"] == "asked"
        assert await ask(eve, "DELETE", "/friends/ada") == (404, "no_such_friend")
        assert (await ask(ada, "GET", "/people/ben"))[1]["standing"] == "asked"
        assert (await ask(bo, "POST", "/friends", person="ada"))[1]["standing"] == "friends"
        lists = [await friends_of(one) for one in (ada, bo, eve)]
        assert [one["friends"] for one in lists] == [["Ben"], ["Ada"], []]
        assert (lists[1]["asks"], lists[2]["asked"]) == (["Eve"], ["Ben"])
        assert await ask(bo, "DELETE", "/friends/ada") == (204, None)
        assert [(await friends_of(one))["friends"] for one in (ada, bo)] == [[], []]
        assert await ask(bo, "DELETE", "/friends/ada") == (404, "no_such_friend")
        assert await ask(near.browser(), "GET", "/friends") == (401, "no_session")

    with_server(tmp_path, test)


def test_friends_see_who_is_here_and_who_plays(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, bo, cleo = await account(near, "Ada"), await account(near, "Ben"), await account(near, "Cleo")
        await befriended(ada, bo)
        _, found = await ask(ada, "GET", "/friends")
        assert [one["presence"] for one in found["friends"]] == ["online"]
        async with seated(near, bo, cleo):
            _, found = await ask(ada, "GET", "/friends")
            assert [one["presence"] for one in found["friends"]] == ["playing"]

    with_server(tmp_path, test)


def test_whoever_is_blocked_can_neither_invite_nor_sit_nor_be_heard(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, bo = await account(near, "Ada"), await account(near, "Ben")
        await befriended(ada, bo)
        async with seated(near, bo, ada) as (room, (his, hers)):
            await his.ask("say", room=room, text="first words")
            assert (await ask(ada, "POST", "/blocks", person="ben"))[0] == 201
            await hers.until("update")
            await his.ask("say", room=room, text="second words")
            hers.heard.clear()
            await hers.ask("say", room=room, text="mine")
            chat = [one["view"]["chat"] for one in hers.heard if one["type"] == "update"][-1]
            assert [line["text"] for line in chat] == ["mine"]
            chat = [one["view"]["chat"] for one in his.heard if one["type"] == "update"][-1]
            assert [line["text"] for line in chat][:2] == ["first words", "second words"]
        assert await friends_of(ada) == {
            "friends": [],
            "asks": [],
            "asked": [],
            "recent": [],
            "blocked": ["Ben"],
        }
        assert (await friends_of(bo))["friends"] == []
        # What he asks is taken like any other request, and goes nowhere.
        assert (await ask(bo, "POST", "/friends", person="ada"))[1]["standing"] == "asked"
        assert (await friends_of(ada))["asks"] == []
        _, opened = await ask(bo, "POST", "/rooms", **ROOM)
        await played(near, bo, ada)
        assert (await ask(bo, "POST", f"/rooms/{opened['room']}/invitations", person="ada"))[0] == 201
        assert (await ask(ada, "GET", "/invitations"))[1] == []
        # Her tables are closed to him and not in his lobby; others sit down.
        settings = {**ROOM["settings"], "public": True}  # type: ignore[dict-item]
        _, hers_open = await ask(ada, "POST", "/rooms", settings=settings, chairs=["me", "open"])
        assert (await ask(bo, "GET", "/rooms"))[1]["open"] == []
        cleo = await near.guest("Cleo")
        assert len((await ask(cleo, "GET", "/rooms"))[1]["open"]) == 1
        async with near.socket(bo) as talk:
            await talk.hello()
            refused = await talk.ask("sit", room=hers_open["room"], seat=1)
            assert refused["error"]["code"] == "table_closed"
        assert await ask(ada, "POST", "/friends", person="ben") == (409, "you_blocked")
        assert await ask(ada, "POST", "/rooms/again", person="ben") == (409, "you_blocked")
        assert await ask(bo, "DELETE", "/blocks/ada") == (404, "not_blocked"), "only who blocked unblocks"
        assert await ask(ada, "DELETE", "/blocks/ben") == (204, None)
        assert (await friends_of(ada))["asks"] == ["Ben"]
        async with near.socket(bo) as talk:
            await talk.hello()
            assert (await talk.ask("sit", room=hers_open["room"], seat=1, id="later"))["type"] == "done"

    with_server(tmp_path, test)


def test_a_block_holds_for_the_guest_that_somebody_was(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, bo, guest = await account(near, "Ada"), await account(near, "Ben"), await near.guest("Shy")
        profile = (await me(guest))["profile"]
        assert (await ask(ada, "POST", "/blocks", person=profile))[0] == 201
        signed = await guest.post(f"{API}/sign-in", json={"account": "ben", "password": PASSWORD})
        assert signed.status_code == 200
        assert (await friends_of(ada))["blocked"] == ["Ben"]
        assert (await ask(bo, "GET", f"/people/{profile}"))[1]["person"]["account"] == "ben"
        _, opened = await ask(ada, "POST", "/rooms", **ROOM)
        async with near.socket(bo) as talk:
            await talk.hello()
            assert (await talk.ask("sit", room=opened["room"], seat=1))["type"] == "refused"

    with_server(tmp_path, test)


def test_friends_blocks_and_the_avatar_go_with_a_guest_into_an_account(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, bo, guest = await account(near, "Ada"), await account(near, "Ben"), await near.guest("Shy")
        await befriended(guest, bo)
        await befriended(guest, ada)
        await befriended(ada, bo)
        await ask(guest, "PATCH", "/me", avatar="K1 K2 K3")
        await guest.post(f"{API}/sign-in", json={"account": "ada", "password": PASSWORD})
        assert (await friends_of(ada))["friends"] == ["Ben"]
        assert (await friends_of(bo))["friends"] == ["Ada"]
        assert (await me(ada))["avatar"] == "K1 K2 K3"

    with_server(tmp_path, test)


def test_invitations_reach_friends_and_opponents_alone(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, bo, eve = await account(near, "Ada"), await account(near, "Ben"), await near.guest("Eve")
        _, opened = await ask(ada, "POST", "/rooms", **ROOM)
        path = f"/rooms/{opened['room']}/invitations"
        assert await ask(ada, "POST", path, person="ben") == (403, "not_a_friend")
        await befriended(ada, bo)
        assert await ask(ada, "POST", path, person="ada") == (400, "invite_yourself")
        assert await ask(eve, "POST", path, person="ben") == (403, "not_at_this_table")
        assert await ask(eve, "GET", path) == (403, "not_at_this_table")
        assert await ask(ada, "POST", "/rooms/zzzzzz/invitations", person="ben") == (404, "no_such_room")
        status, there = await ask(ada, "POST", path, person="ben")
        assert (status, [one["name"] for one in there]) == (201, ["Ben"])
        assert (await ask(ada, "POST", path, person="ben"))[0] == 201, "asked twice, invited once"
        _, mine = await ask(bo, "GET", "/invitations")
        assert [(one["room"]["room"], one["inviter"]["name"]) for one in mine] == [(opened["room"], "Ada")]
        assert (await me(ada))["id"] not in str(mine)
        assert (await ask(eve, "GET", "/invitations"))[1] == []
        assert await ask(eve, "DELETE", f"/invitations/{opened['room']}") == (404, "no_such_invitation")
        async with near.socket(bo) as talk:
            await talk.hello()
            await talk.ask("sit", room=opened["room"], seat=1)
            assert (await ask(bo, "GET", "/invitations"))[1] == [], "whoever sits there needs none"
            await talk.ask("stand_up", room=opened["room"])
        assert len((await ask(bo, "GET", "/invitations"))[1]) == 1
        assert await ask(bo, "DELETE", f"/invitations/{opened['room']}") == (204, None)
        assert (await ask(bo, "GET", "/invitations"))[1] == []

    with_server(tmp_path, test)


def test_playing_again_opens_the_same_table_and_invites_the_company(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, bo, eve = await near.guest("Ada"), await near.guest("Ben"), await near.guest("Eve")
        game = await played(near, ada, bo)
        assert (await friends_of(ada))["recent"] == ["Ben"]
        assert await ask(eve, "POST", "/rooms/again", game=game) == (403, "not_your_game")
        assert await ask(eve, "POST", "/rooms/again", person=(await me(bo))["profile"]) == (
            403,
            "not_a_friend",
        )
        assert await ask(ada, "POST", "/rooms/again", game="nothing-1") == (404, "no_such_game")
        assert await ask(ada, "POST", "/rooms/again", game="") == (400, "nobody_to_play_with")
        for body in ({"game": game}, {"person": (await me(bo))["profile"]}):
            status, opened = await ask(ada, "POST", "/rooms/again", **body)
            assert status == 201, opened
            room = (await near.container.rooms.room(opened["room"])).room
            assert (room.settings.book, room.settings.hints, room.stage) == ("tml", False, "waiting")
            assert [chair.kind for chair in room.chairs] == ["person", "open"]
            _, mine = await ask(bo, "GET", "/invitations")
            assert opened["room"] in [one["room"]["room"] for one in mine]

    with_server(tmp_path, test)


def test_playing_again_against_bots_begins_at_once(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada = await near.guest("Ada")
        _, opened = await ask(
            ada,
            "POST",
            "/rooms",
            settings={"book": "wrc11", "seats": 3},
            chairs=["club", "me", "family"],
            begin=True,
        )
        async with near.socket(ada) as talk:
            await talk.hello()
            await talk.ask("enter", room=opened["room"])
            assert (await talk.ask("agree", room=opened["room"], to="end", yes=True))["type"] == "done"
        _, again = await ask(ada, "POST", "/rooms/again", game=f"{opened['room']}-1")
        room = (await near.container.rooms.room(again["room"])).room
        assert ([chair.level for chair in room.chairs], room.number) == (["club", None, "family"], 1)

    with_server(tmp_path, test)


def test_a_finished_game_is_counted_by_itself(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, bo = await near.guest("Ada"), await near.guest("Ben")
        await played(near, ada, bo)
        async with asyncio.timeout(30):
            while (await ask(bo, "GET", "/profile"))[1]["pending"]:
                await asyncio.sleep(0.1)
        _, mine = await ask(bo, "GET", "/profile")
        figures = mine["statistics"]
        assert (figures["games"], figures["wins"], figures["people_wins"]) == (1, 1, 1)
        assert (figures["judged_games"], figures["books"][0]["book"]) == (1, "tml")

    with_server(tmp_path, test)


def test_lists_have_an_end_and_requests_a_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relations, "MOST_FRIENDS", 2)
    monkeypatch.setattr(relations, "MOST_BLOCKED", 1)
    monkeypatch.setattr(invitations, "MOST_IN_ROOM", 1)

    async def test(near: Near) -> None:
        ada, *others = [await near.guest(f"Guest {number}") for number in range(4)]
        profiles = [(await me(one))["profile"] for one in others]
        for one in others[:2]:
            await befriended(ada, one)
        assert await ask(ada, "POST", "/friends", person=profiles[2]) == (409, "too_many_friends")
        _, opened = await ask(ada, "POST", "/rooms", **ROOM)
        path = f"/rooms/{opened['room']}/invitations"
        assert (await ask(ada, "POST", path, person=profiles[0]))[0] == 201
        assert await ask(ada, "POST", path, person=profiles[1]) == (409, "too_many_invited")
        assert (await ask(ada, "POST", "/blocks", person=profiles[0]))[0] == 201
        assert await ask(ada, "POST", "/blocks", person=profiles[1]) == (409, "too_many_blocked")
        assert await ask(ada, "POST", "/blocks", person=profiles[1]) == (429, "too_many")

    with_server(tmp_path, test, usual=Limits(social_of_player=Allowance(7, 0.001)))
