"""A device answers what a server answers: the same status, type and bytes, in every language."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from meldroom.api import referee
from meldroom.browser.levels import LEVELS
from meldroom.browser.routes import referee as referee_routes
from meldroom.i18n import languages
from meldroom.puzzles import starter_pack
from meldroom.rooms.domain.avatars import avatar_of, profile_of
from meldroom.rooms.ports import RoomCard
from meldroom.rooms.protocol.events import RoomOpened, encode
from meldroom.rooms.protocol.settings import Settings
from meldroom.rules.library import BOOK_IDS
from tests.browser_home.js_store import MemoryJsStore
from tests.browser_home.tab import Tab
from tests.server.api.near import Near, with_server
from tests.server.api.test_referee_routes import QUESTIONS as OF_THE_REFEREE
from tests.server.games.recorded import finished

POSITION = "wrc11 / table R1 R2 R3, B7 K7 O7 / racks R4 R5 K9, ?x14 / turn 1 / melded 1"
RUMMYO = "rummyo / racks R4 R5 R6 K9, ?x13 / turn 1 / discards K1"
TURN = {
    "rulebook": "wrc11",
    "has_melded": True,
    "table_before": [["R1", "R2", "R3"]],
    "rack": ["R4", "K9"],
    "table_after": [["R1", "R2", "R3", "R4"]],
}
ROOM: dict[str, Any] = {"settings": {"book": "wrc11"}, "chairs": ["me", "club"]}
SETTINGS: dict[str, Any] = {"book": "wrc11"}
CARD = RoomCard(
    "k3f9qz", "p-ada", "over", False, "wrc11", 2, ("Ada", "Bo"), ("p-ada", ""), 1, 1_700_000_000_000
)
PUZZLE = starter_pack()[0].id


class Question(NamedTuple):
    """A request, and the name of its test."""

    method: str
    path: str
    query: Mapping[str, Any] = {}
    body: Any = None

    @property
    def name(self) -> str:
        """Short, and different for each."""
        asked = " ".join(str(value)[:30] for value in self.query.values())
        return f"{self.method} {self.path} {asked} {json.dumps(self.body)}"


def get(path: str, **query: Any) -> Question:
    """A question without a body."""
    return Question("GET", path, query)


def post(path: str, body: Any, **query: Any) -> Question:
    """A question with one."""
    return Question("POST", path, query, body)


def with_settings(**more: Any) -> Question:
    """A room with other settings."""
    return post("/rooms", {**ROOM, "settings": {**SETTINGS, **more}})


QUESTIONS = (
    # The rules.
    *(get(f"/books/{book}/page") for book in BOOK_IDS),
    get("/books/wrc9/against/rummyo"),
    get("/books/chess/page"),
    get("/books/wrc9/against/chess"),
    get("/books/chess/against/go"),
    get("/rulings/R20"),
    get("/rulings/r1"),
    get("/rulings/R99"),
    get("/rulings/R1234567"),
    # Finished games.
    *(get(f"/games/game-{book}") for book in BOOK_IDS),
    *(get(f"/games/game-{book}/verification") for book in BOOK_IDS),
    *(get(f"/games/game-{book}/record", form=form) for book in BOOK_IDS for form in ("text", "json")),
    get("/games/game-wrc11/record"),
    get("/games/game-wrc11/record", form="pdf"),
    get("/games/game-wrc11/steps/17.svg"),
    get("/games/game-wrc11/steps/17.svg", seat=1, dark=1),
    get("/games/game-wrc11/steps/17.svg", dark="true"),
    get("/games/game-wrc11/steps/17.svg", dark="maybe"),
    get("/games/game-wrc11/steps/last.txt"),
    get("/games/game-rummyo/steps/9.txt", seat=0),
    get("/games/game-wrc11/steps/9.png"),
    get("/games/game-wrc11/steps/99999.txt"),
    get("/games/game-wrc11/steps/9.gif"),
    get("/games/game-wrc11/steps/9.txt", seat=3),
    get("/games/game-wrc11/steps/9.txt", seat=7),
    get("/games/game-wrc11/analysis", seat=0),
    get("/games/game-rummyo/analysis", seat=1),
    get("/games/game-wrc11/analysis", seat="first"),
    get("/games/game-wrc11/analysis", seat=-1),
    get("/games/game-wrc11/analysis", seat=3),
    get("/games/game-rummyo/report", seat=1),
    get("/games/game-wrc11/report", seat="first"),
    get("/games/game-wrc11/report", seat=3),
    *(get(f"/games/none{part}") for part in ("", "/record", "/steps/1.svg", "/verification")),
    get("/games/none/analysis", seat=0),
    get("/games/none/report", seat=0),
    get("/games/%C3%A9t%C3%A9"),
    # Puzzles.
    get("/puzzles"),
    get("/puzzles/daily", date="2026-11-16"),
    get("/puzzles/daily", date="2026-02-30"),
    get("/puzzles/daily", date="today"),
    get("/puzzles/daily"),
    get("/puzzles/row", mode="streak", seed="any text"),
    get("/puzzles/row", mode="relay", seed="any text"),
    post("/puzzles/next", {"seed": "any text", "theme": "split_run"}),
    post("/puzzles/next", {"seed": "any text", "theme": "chess"}),
    get(f"/puzzles/{PUZZLE}"),
    get(f"/puzzles/{PUZZLE}/solution"),
    post(f"/puzzles/{PUZZLE}/attempt", {"seconds": 30}),
    post(f"/puzzles/{PUZZLE}/attempt", {"seconds": 30, "sets": [[0, 1, 2]]}),
    post(f"/puzzles/{PUZZLE}/attempt", {"seconds": -1}),
    get("/puzzles/none"),
    get("/puzzles/none/solution"),
    # Positions and turns.
    get("/position", text=POSITION),
    get("/position", text=POSITION.removeprefix("wrc11 / "), book="wrc9"),
    get("/position", text=RUMMYO),
    get("/position", text="wrc11 / table R1 R2 X3"),
    get("/position", text="R1", book="chess"),
    get("/position", text="x" * 4_001),
    get("/position", text=""),
    get("/position", text=POSITION, book="b" * 41),
    get("/position.svg", text=POSITION),
    get("/position.svg", text=POSITION, dark="1"),
    post("/position/best", {"text": POSITION}),
    post("/position/best", {"text": RUMMYO.replace("turn 1", "turn 1 play"), "book": ""}),
    post("/position/best", {"text": RUMMYO}),
    post("/position/best", {"text": "wrc11 / table R1 R2 R3"}),
    post("/position/best", {"text": 3}),
    post("/position/best", {}),
    post("/position/best", []),
    post("/check", TURN),
    post("/check", TURN, standing="true"),
    post("/check", {**TURN, "table_after": [["R1", "R2", "R4"]]}, standing=1),
    post("/check", {**TURN, "rack": ["R99"]}),
    post("/check", {"rulebook": "chess"}),
    post("/check", {}),
    post("/check", TURN, standing="perhaps"),
    # The referee.
    *(
        post(f"/referee/{tool}", {"rulebook": book, **body})
        for tool, (body, _) in OF_THE_REFEREE.items()
        for book in ("wrc11", "tml")
    ),
    post("/referee/charge", {"rulebook": "wrc11", "rack": ["R14"]}),
    post("/referee/charge", {"rulebook": "wrc11", "rack": "R1"}),
    post("/referee/charge", {"rulebook": "chess", "rack": []}),
    post("/referee/raffle", {}),
    # Rooms that cannot be.
    get("/rooms/zzzzzz"),
    get("/rooms/much-too-long-for-a-code"),
    post("/rooms", {**ROOM, "chairs": ["me"]}),
    post("/rooms", {**ROOM, "chairs": ["me", "me"]}),
    post("/rooms", {**ROOM, "chairs": 2}),
    post("/rooms", {**ROOM, "word": "line\nbreak"}),
    post("/rooms", {**ROOM, "more": 1}),
    post("/rooms", {}),
    with_settings(book="chess"),
    with_settings(options={"gravity": 1}),
    with_settings(seats=9),
    with_settings(clock={"kind": "seconds", "amount": 3}),
    with_settings(clock={"kind": "hours", "amount": 200}),
    post("/session", {"name": 3}),
    post("/session", {"name": "\u202ebackwards"}),
    Question("PATCH", "/me", {}, {"name": "\x07"}),
    Question("PATCH", "/me", {}, {"language": "xx"}),
    # Nothing.
    get("/nothing"),
    get("/rooms/x/y/z"),
    Question("PUT", "/me", {}, {}),
    Question("PATCH", "/position", {}, {}),
)
UNKNOWN = "xx"
"""A language that nobody speaks."""


async def kept_games() -> MemoryJsStore:
    """A device with the same finished games."""
    store = MemoryJsStore()
    for book in BOOK_IDS:
        game = finished(book)
        store.games[game.id] = msgspec.json.encode(game)
    return store


Answers = dict[tuple[str, str], tuple[int, str | None, bytes]]


@pytest.fixture(scope="module")
def of_the_server(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What a real server says to every question."""
    answers: Answers = {}

    async def test(near: Near) -> None:
        opened = RoomOpened(at=1, room=CARD.room, settings=Settings("wrc11"), chairs=())
        await near.container.store.append(CARD.room, 1, encode(opened), CARD)
        for seq, book in enumerate(BOOK_IDS, 2):
            await near.container.store.append(CARD.room, seq, encode(opened), CARD, finished(book))
        browser = await near.guest("Ada")
        for language in (*languages(), UNKNOWN):
            for asked in QUESTIONS:
                answer = await browser.request(
                    asked.method,
                    f"/api/v1{asked.path}",
                    params={**asked.query, "language": language},
                    json=asked.body,
                )
                kind = answer.headers.get("content-type")
                answers[asked.name, language] = (answer.status_code, kind, answer.content)

    folder: Path = tmp_path_factory.mktemp("server")
    with_server(folder, test, trusted_load=True)
    return answers


@pytest.mark.parametrize("language", [*languages(), UNKNOWN])
def test_a_device_answers_like_a_server(of_the_server: Answers, language: str) -> None:
    async def run() -> None:
        tab = await Tab.guest(await kept_games())
        different = []
        for asked in QUESTIONS:
            if language == UNKNOWN and of_the_server[asked.name, "en"][0] != 200:
                continue  # Which of two faults is told first does not matter.
            body = None if asked.body is None else json.dumps(asked.body).encode()
            status, headers, data = await tab.raw(
                asked.method, asked.path, body, **asked.query, language=language
            )
            found = (status, headers.get("Content-Type"), data)
            expected = of_the_server[asked.name, language]
            if found != expected:
                different.append(f"{asked.name}\n  server: {expected}\n  device: {found}"[:400])
        assert not different, "\n".join(different)
        await tab.close()

    asyncio.run(run())


def test_the_questions_are_all_different() -> None:
    assert len({asked.name for asked in QUESTIONS}) == len(QUESTIONS)


def test_the_catalogue_is_the_servers_but_for_the_levels(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        tab = await Tab.open()
        for language in languages():
            server = (await near.browser().get("/api/v1/catalogue", params={"language": language})).json()
            status, device = await tab.ask("GET", "/catalogue", language=language)
            assert status == 200
            assert device["books"] == server["books"]
            assert tuple(level["id"] for level in device["levels"]) == LEVELS
            assert all(level in server["levels"] for level in device["levels"])
        await tab.close()

    with_server(tmp_path, test)


def test_a_first_visit_goes_like_a_servers(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser, tab = near.browser(), await Tab.open()
        steps = (
            Question("GET", "/me"),
            Question("GET", "/rooms/mine"),
            Question("POST", "/rooms", {}, ROOM),
            Question("POST", "/session", {}, {"name": " Ada  B ", "language": "fr"}),
            Question("POST", "/session", {}, {}),
            Question("GET", "/me"),
            Question("PATCH", "/me", {}, {"name": "Bo"}),
            Question("PATCH", "/me", {}, {"language": "en"}),
            Question("GET", "/me"),
            Question("GET", "/rooms/mine"),
        )
        for asked in steps:
            answer = await browser.request(asked.method, f"/api/v1{asked.path}", json=asked.body)
            status, found = await tab.ask(asked.method, asked.path, asked.body)
            expected = answer.json()
            if "id" in expected:
                assert found["id"]
                made = {"profile": profile_of(found["id"]), "avatar": avatar_of(found["id"])}
                expected |= {"id": found["id"], **made}
            assert (status, found) == (answer.status_code, expected), asked
        await tab.close()

    with_server(tmp_path, test)


def test_a_guest_without_a_name_gets_one_in_their_language() -> None:
    async def run() -> None:
        names = set()
        for language in languages():
            tab = await Tab.open()
            _, me = await tab.ask("POST", "/session", {"language": language})
            assert me["language"] == language
            names.add(me["name"])
            await tab.close()
        assert all(len(name.split()) > 1 for name in names)

    asyncio.run(run())


def test_every_tool_of_the_referee_has_its_route() -> None:
    assert set(referee_routes.TOOLS) == set(referee.TOOLS)
