"""What a device keeps: tables against bots only, records from files, and how all of it is deleted."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from meldroom.browser.records import LARGEST_RECORD
from meldroom.record import loads, to_text
from meldroom.rooms.worker.worker import Worker
from meldroom.rules.library import BOOK_IDS
from testkit.server.chooser import Chooser
from tests.browser_home.tab import Tab
from tests.server.games.recorded import finished

ROOM: dict[str, Any] = {"settings": {"book": "wrc11"}, "chairs": ["me", "club"]}
HEAD = "meldroom-record 1\nbook: wrc11 1\nseat 1: Ada\nseat 2: Bo\n\n"


@pytest.mark.parametrize(
    ("change", "code", "place", "words"),
    [
        (
            {"settings": {"book": "wrc11", "public": True}},
            *("not_public", "settings.public", ("server", "serveur")),
        ),
        ({"chairs": ["me", "open"]}, "only_bots", "chairs[1]", ("bot in every", "robot à chaque")),
        ({"chairs": ["me", "master"]}, "no_such_level", "chairs[1]", ("Club", "club")),
        ({"chairs": ["me", "grandmaster"]}, "no_such_level", "chairs[1]", ("grandmaster", "grandmaster")),
        (
            {"settings": {"book": "wrc11", "stand_in": "master"}},
            *("no_such_level", "settings.stand_in", ("offline", "hors ligne")),
        ),
    ],
)  # fmt: skip
def test_a_table_that_needs_others_is_refused(
    change: dict[str, Any], code: str, place: str, words: tuple[str, str]
) -> None:
    async def run() -> None:
        tab = await Tab.guest()
        for language, word in zip(("en", "fr"), words, strict=True):
            status, answer = await tab.ask("POST", "/rooms", {**ROOM, **change}, language=language)
            assert (status, answer["error"]["code"], answer["error"]["place"]) == (400, code, place)
            assert word in answer["error"]["message"]
        assert tab.store.logs == {}
        await tab.close()

    asyncio.run(run())


def test_a_seat_can_be_given_to_the_bots_that_play_here_only() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        _, opened = await tab.ask("POST", "/rooms", ROOM)
        room = opened["room"]
        await tab.do("enter", room=room)
        refused = await tab.do("seat_bot", room=room, seat=1, level="master")
        assert refused["error"]["code"] == "no_such_level"
        assert (await tab.do("seat_bot", room=room, seat=1, level="beginner"))["type"] == "done"
        assert tab.view["seats"][1]["level"] == "beginner"
        assert (await tab.do("begin", room=room))["type"] == "done"
        await tab.close()

    asyncio.run(run())


def test_a_new_name_is_the_one_that_sits_down_next() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        await tab.ask("PATCH", "/me", {"name": "Zoé"})
        await tab.play()
        assert tab.view["seats"][0]["name"] == "Zoé"
        await tab.close()
        again = await Tab.open(tab.store)
        assert (await again.ask("GET", "/me"))[1]["name"] == "Zoé"
        await again.close()

    asyncio.run(run())


def test_hints_judgement_and_chat_work_as_at_a_servers_table() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        room = await tab.play(level="club")
        await tab.next(lambda: tab.my_turn)
        hint = await tab.do("hint", room=room, rev=tab.view["rev"], step=1)
        assert hint["hint"]["text"]
        rack = tab.view["game"]["rack"]
        draft = await tab.do("draft", room=room, rev=tab.view["rev"], table=[rack[:3]])
        assert draft["judgement"]["laid"] == 3
        assert (await tab.do("say", room=room, phrase="good_luck"))["type"] == "done"
        await tab.finish(room, "wrc11")
        await tab.close()

    asyncio.run(run())


def test_a_turn_is_taken_back_and_odds_are_told_without_a_server() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        room = await tab.play()
        await tab.next(lambda: tab.my_turn)
        before = tab.view["game"]["rack"]
        assert (await tab.do("playable", room=room, rev=tab.view["rev"]))["playable"] in (True, False)
        assert (await tab.do("odds", room=room, rev=tab.view["rev"]))["odds"]["out"]["now"] is False
        await tab.do("act", room=room, rev=tab.view["rev"], action={"action": "draw", "seat": 0})
        await tab.next(lambda: tab.my_turn)
        assert len(tab.view["game"]["rack"]) == len(before) + 1
        assert (await tab.do("take_back", room=room, rev=tab.view["rev"]))["type"] == "done"
        await tab.next(lambda: tab.view["taken_back"] == 1)
        assert tab.view["game"]["rack"] == before
        await tab.finish(room, "wrc11")
        await tab.close()

    asyncio.run(run())


def test_a_match_goes_on_with_its_next_game() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        room = await tab.play("wrc11", games=2)
        await tab.finish(room, "wrc11")
        assert (await tab.do("agree", room=room, to="next"))["type"] == "done"
        await tab.next(lambda: tab.view["stage"] == "playing")
        await tab.finish(room, "wrc11")
        assert tab.view["match"]["winners"] is not None
        _, mine = await tab.ask("GET", "/rooms/mine")
        assert {card["id"] for card in mine["finished"]} == {f"{room}-1", f"{room}-2"}
        await tab.close()

    asyncio.run(run())


def test_an_answer_leaves_before_a_bot_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        tab = await Tab.guest()
        room = await tab.play()
        await tab.next(lambda: tab.my_turn)
        thought: list[bool] = []
        answer = Worker.answer

        def think(worker: Worker, task: bytes) -> bytes:
            thought.append(tab.answer_to("mine") is not None)
            return answer(worker, task)

        monkeypatch.setattr(Worker, "answer", think)
        await tab.do("act", id="mine", room=room, rev=tab.view["rev"], action={"action": "draw", "seat": 0})
        assert not thought
        await tab.next(lambda: tab.my_turn)
        assert thought
        assert all(thought)
        await tab.close()

    asyncio.run(run())


# Records


@pytest.mark.parametrize("book", BOOK_IDS)
def test_the_same_file_is_the_same_game(book: str) -> None:
    async def run() -> None:
        tab = await Tab.open()
        text = finished(book).record
        ids = set()
        for data in (text.encode(), b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()):
            status, _, answer = await tab.raw("POST", "/records", data)
            assert status == 201, answer
            ids.add(json.loads(answer)["game"])
        (game,) = ids
        assert len(tab.store.games) == 1
        assert (await tab.ask("GET", f"/games/{game}/verification"))[1]["ok"]
        _, _, kept = await tab.raw("GET", f"/games/{game}/record")
        assert loads(kept) == loads(text)
        await tab.close()

    asyncio.run(run())


def test_a_record_that_stops_early_is_replayed_as_far_as_it_goes() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        whole = loads(finished("wrc11").record)
        for events in (2, 3, len(whole.events) // 2):
            short = type(whole)(whole.headers, whole.events[:events])
            status, _, answer = await tab.raw("POST", "/records", to_text(short).encode())
            assert status == 201, answer
            game = json.loads(answer)["game"]
            _, page = await tab.ask("GET", f"/games/{game}")
            assert page["steps"]
            assert (page["card"]["scores"], page["card"]["winners"]) == ([], [])
            assert (await tab.ask("GET", f"/games/{game}/verification"))[0] == 200
            assert (await tab.ask("GET", f"/games/{game}/analysis", seat=0))[0] == 200
        _, mine = await tab.ask("GET", "/rooms/mine")
        assert len(mine["finished"]) == 3
        await tab.close()

    asyncio.run(run())


def test_what_one_player_noted_is_a_record_too() -> None:
    async def run() -> None:
        tab = await Tab.open()
        seen = loads(finished("wrc11").record).seen_by(1)
        status, _, answer = await tab.raw("POST", "/records", to_text(seen).encode())
        assert status == 201, answer
        game = json.loads(answer)["game"]
        _, page = await tab.ask("GET", f"/games/{game}")
        assert any(-1 in rack for rack in page["steps"][0]["racks"])
        assert (await tab.ask("GET", f"/games/{game}/verification"))[1]["ok"]
        await tab.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("data", "status", "code", "place"),
    [
        (b"", 400, "not_a_record", "line 1"),
        (b"\xff\xfe", 400, None, None),
        (b"{}", 400, None, None),
        (b"[" * 5_000, 400, None, None),
        (HEAD.encode(), 400, "empty_record", ""),
        (HEAD.encode() + b"starter Ada\nracks unknown\nAda draws X5\n", 400, "unknown_tile", "line 8"),
        (b"x" * (LARGEST_RECORD + 1), 413, "too_large", ""),
    ],
)
def test_a_file_that_is_no_record_is_refused_with_its_line(
    data: bytes, status: int, code: str | None, place: str | None
) -> None:
    async def run() -> None:
        tab = await Tab.open()
        texts = set()
        for language in ("en", "fr"):
            found, _, answer = await tab.raw("POST", "/records", data, language=language)
            error = json.loads(answer)["error"]
            assert found == status, answer
            if code is not None:
                assert (error["code"], error["place"]) == (code, place)
            if place:
                number = place.split()[1]
                assert f"{'line' if language == 'en' else 'ligne'} {number}" in error["message"]
            texts.add(error["message"])
        assert len(texts) == 2
        assert tab.store.games == {}
        await tab.close()

    asyncio.run(run())


# Deleting


def test_deleted_games_and_rooms_are_gone() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        other = await tab.play("tml")
        await tab.do("leave", room=other)
        room = await tab.play()
        await tab.finish(room, "wrc11")
        game = f"{room}-1"
        assert (await tab.ask("GET", f"/games/{game}"))[0] == 200
        _, use = await tab.ask("GET", "/storage")
        assert (use["rooms"], use["games"]) == (1, 1)
        assert use["bytes"] > 1_000
        assert await tab.raw("DELETE", f"/games/{game}") == (204, {}, b"")
        for path in ("", "/verification", "/record"):
            assert (await tab.ask("GET", f"/games/{game}{path}"))[0] == 404
        assert (await tab.ask("DELETE", f"/games/{game}"))[0] == 404
        assert await tab.raw("DELETE", f"/rooms/{other}") == (204, {}, b"")
        assert (await tab.ask("GET", f"/rooms/{other}"))[0] == 404
        assert (await tab.ask("DELETE", f"/rooms/{other}"))[0] == 404
        assert (await tab.do("enter", room=other))["error"]["code"] == "no_such_room"
        _, use = await tab.ask("GET", "/storage")
        assert (use["rooms"], use["games"]) == (0, 0)
        await tab.close()

    asyncio.run(run())


def test_the_last_game_of_a_room_takes_the_room_along() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        room = await tab.play()
        await tab.finish(room, "wrc11")
        await tab.close()
        again = await Tab.open(tab.store)
        assert (await again.raw("DELETE", f"/games/{room}-1"))[0] == 204
        assert (again.store.logs, again.store.room_cards) == ({}, {})
        await again.close()

    asyncio.run(run())


def test_the_start_phase_is_the_same_without_a_server() -> None:
    async def run() -> None:
        tab = await Tab.guest(start_phase=60_000)
        wanted = {"settings": {"book": "wrc11"}, "chairs": ["me", "beginner"], "begin": True}
        room = (await tab.ask("POST", "/rooms", wanted))[1]["room"]
        await tab.do("enter", room=room)
        assert (tab.view["starts_at"] is not None, tab.view["ready"]) == (True, [1])
        await asyncio.sleep(0.1)
        assert tab.view["game"]["turns"] == [0, 0], "no bot moves before"
        assert (await tab.do("ready", room=room, rev=tab.view["rev"]))["type"] == "done"
        await tab.next(lambda: tab.view["starts_at"] is None and tab.my_turn)
        await tab.close()

    asyncio.run(run())


def test_a_room_is_deleted_while_its_bot_thinks() -> None:
    async def run() -> None:
        tab = await Tab.guest(bot_pace=50)
        room = await tab.play()
        while tab.my_turn:
            await tab.move(room, Chooser("wrc11", "beginner"))
        assert (await tab.raw("DELETE", f"/rooms/{room}"))[0] == 204
        await asyncio.sleep(0.2)
        assert (tab.store.logs, tab.store.room_cards) == ({}, {})
        assert not tab.home.device.rooms.busy
        await tab.close()

    asyncio.run(run())


def test_everything_is_deleted_and_a_new_session_begins() -> None:
    async def run() -> None:
        tab = await Tab.guest(bot_pace=50)
        room = await tab.play(clock={"kind": "seconds", "amount": 60})
        await tab.raw("POST", "/records", finished("tml").record.encode())
        assert await tab.raw("DELETE", "/storage") == (204, {}, b"")
        await asyncio.sleep(0.2)
        store = tab.store
        assert (store.logs, store.room_cards, store.games) == ({}, {}, {})
        assert "player" not in store.values
        assert (await tab.ask("GET", "/me"))[0] == 401
        assert (await tab.do("enter", room=room))["error"]["code"] == "no_such_room"
        status, me = await tab.ask("POST", "/session", {"language": "fr"})
        assert (status, me["language"]) == (201, "fr")
        await tab.finish(await tab.play(), "wrc11")
        await tab.close()

    asyncio.run(run())
