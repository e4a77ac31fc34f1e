"""No frame or response carries a tile that its receiver may not see: whole games, captured at the socket."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import msgspec
import pytest

from meldroom.game.views import view as game_view
from meldroom.rooms.protocol import commands
from meldroom.rooms.protocol.answers import RoomView, Update
from meldroom.rooms.protocol.settings import OpenRoom, Settings, TurnClock
from meldroom.rules.library import BOOK_IDS
from testkit.server.chooser import Chooser
from testkit.server.client import Live, Visitor, open_room, visit
from testkit.server.process import ServerProcess
from testkit.server.room_logs import room_logs
from tests.server.trials.seeing import Truth

pytestmark = pytest.mark.xdist_group("server trials")

SEATS = 3
TOPICS: tuple[commands.Topic, ...] = ("lobby", "games", "friends", "invitations", "profile", "championships")
LOOK_AGAIN = 10
"""Every so many plays, somebody comes back and asks for everything that was missed."""


class Captured(msgspec.Struct):
    """What one connection received, and whose eyes it was for."""

    visitor: Visitor
    seat: int | None
    frames: list[bytes] = []


class Game:
    """A whole game of one book over real sockets, with a spectator, everything captured."""

    def __init__(self, server: ServerProcess, book: str) -> None:
        self.server, self.book = server, book
        self.captured: list[Captured] = []
        self.pages: list[bytes] = []
        self.views: dict[int, RoomView] = {}
        self.room = ""
        self.plays = 0

    def live(self, visitor: Visitor, seat: int | None) -> Live:
        """A connection whose frames are kept."""
        kept = Captured(visitor, seat)
        self.captured.append(kept)

        def hear(message: Any) -> None:
            if isinstance(message, Update) and seat is not None:
                self.views[seat] = message.view

        return Live(self.server, visitor, hear=hear, frames=kept.frames, ids=f"k{len(self.captured)}-")

    async def play(self) -> None:
        """Play to the end, drafting before every lay, looking in from outside now and then."""
        people = [await visit(self.server, f"{self.book} {seat}") for seat in range(SEATS)]
        onlooker = await visit(self.server, "Onlooker")
        settings = Settings(
            book=self.book, seats=SEATS, clock=TurnClock(kind="off"), spectators="live", public=True
        )
        chairs = ("me", "open", "open")
        self.room = await open_room(
            self.server, people[0], OpenRoom(settings=settings, chairs=chairs, word="secret word 0")
        )
        lives = [self.live(visitor, seat) for seat, visitor in enumerate(people)]
        watching = self.live(onlooker, None)
        for live in (*lives, watching):
            await live.open()
            await live.do(commands.Enter(id=live.next_id(), room=self.room))
            for topic in TOPICS:
                await live.do(commands.Follow(id=live.next_id(), topic=topic))
        for seat, live in enumerate(lives[1:], start=1):
            await live.do(
                commands.Sit(id=live.next_id(), room=self.room, seat=seat, word=f"secret word {seat}")
            )
        await lives[0].do(commands.Begin(id=lives[0].next_id(), room=self.room))
        await self._turns(lives, people, onlooker)
        for live in (*lives, watching):
            await live.close()

    async def _turns(self, lives: list[Live], people: list[Visitor], onlooker: Visitor) -> None:
        choosers = [Chooser(self.book, "tournament") for _ in lives]
        seen = 0
        while (view := await self._news(seen)).stage == "playing":
            assert view.game is not None
            seen, seat = view.rev, view.game.seat
            if self.plays % LOOK_AGAIN == 0:
                await self._look_again(people[0], 0)
                await self._look_again(onlooker, None)
                await self._ask_pages(onlooker)
            mine = self.views[seat].game
            assert mine is not None
            live, action = lives[seat], choosers[seat].choose(mine)
            table, melds = getattr(action, "table", None), getattr(action, "melds", None)
            if table is not None or melds is not None:
                draft = commands.Draft(id=live.next_id(), room=self.room, rev=seen, table=table, melds=melds)
                await live.do(draft)
            await live.do(commands.Act(id=live.next_id(), room=self.room, rev=seen, action=action))
            self.plays += 1

    async def _news(self, seen: int) -> RoomView:
        """The view once everybody has heard of what happened after a revision."""
        for _ in range(3000):
            views = [self.views.get(seat) for seat in range(SEATS)]
            if all(view is not None and view.rev > seen for view in views) and views[0] is not None:
                return views[0]
            await asyncio.sleep(0.01)
        raise AssertionError(f"{self.room}: nothing happens after {seen}")

    async def _look_again(self, visitor: Visitor, seat: int | None) -> None:
        """Come back on a fresh connection: once for a snapshot, once for everything missed."""
        async with self.live(visitor, seat) as live:
            await live.do(commands.Enter(id=live.next_id(), room=self.room))
            await live.do(commands.Leave(id=live.next_id(), room=self.room))
            await live.do(commands.Enter(id=live.next_id(), room=self.room, since=1))

    async def _ask_pages(self, visitor: Visitor) -> None:
        """Ask by HTTP for whatever is to be had of a game that is not over."""
        headers = {"Cookie": visitor.cookie}
        async with httpx.AsyncClient(base_url=self.server.url, headers=headers, timeout=30) as http:
            card = await http.get(f"/api/v1/rooms/{self.room}")
            self.pages.append(card.content)
            game = f"/api/v1/games/{self.room}-1"
            for path in (game, f"{game}/record", f"{game}/verification", f"{game}/analysis?seat=0"):
                answer = await http.get(path)
                assert answer.status_code == 404, path
                self.pages.append(answer.content)


@pytest.mark.parametrize("book", BOOK_IDS)
def test_no_frame_carries_a_tile_its_receiver_may_not_see(book: str, server: ServerProcess) -> None:
    """Every frame of three players and a spectator against the truth, which the log tells afterwards."""
    game = Game(server, book)
    asyncio.run(game.play())
    truth = Truth(dict(room_logs(server.database))[game.room])
    assert truth.rooms[-1].stage == "over"
    assert game.pages
    told = [msgspec.json.decode(frame) for kept in game.captured for frame in kept.frames]
    assert {one["topic"] for one in told if one["type"] == "news"} == set(TOPICS)
    for kept in game.captured:
        for frame in kept.frames:
            message = msgspec.json.decode(frame)
            assert truth.leaks(message, kept.seat) == [], frame
            _check_words(message, frame, kept, truth, game)
            if message["type"] == "update" and message["view"]["game"] is not None:
                _check_view(message, kept.seat, truth)
    for page in game.pages:
        assert not any(each.visitor.me.id.encode() in page for each in game.captured if each.seat is not None)


def _check_words(message: Any, frame: bytes, kept: Captured, truth: Truth, game: Game) -> None:
    """No secret and no word of the shuffle before the end; nobody's id but one's own at any time."""
    others = {each.visitor.me.id for each in game.captured} - {kept.visitor.me.id}
    assert not any(other.encode() in frame for other in others), frame
    if message["type"] == "update" and truth.room(message["seq"]).stage != "over":
        assert b"secret word" not in frame
        shuffle = truth.rooms[-1].shuffle
        assert shuffle is not None
        assert shuffle.secret.encode() not in frame


def _check_view(message: Any, seat: int | None, truth: Truth) -> None:
    """The game in an update is what the engine's own boundary lets this seat see; a set has its own place."""
    state = truth.room(message["seq"]).game
    assert state is not None
    allowed = msgspec.json.decode(msgspec.json.encode(game_view(state, seat)))
    told = message["view"]["game"]
    assert sorted(told["table"]) == sorted(allowed["table"])
    assert {**told, "table": []} == {**allowed, "table": []}


def test_the_search_for_leaks_finds_one(server: ServerProcess) -> None:
    """A tile of another's rack, put into a frame by hand, is found: the search is not blind."""
    game = Game(server, "wrc11")
    asyncio.run(game.play())
    truth = Truth(dict(room_logs(server.database))[game.room])
    update = next(
        message
        for message in map(msgspec.json.decode, game.captured[1].frames)
        if message["type"] == "update" and message["view"]["stage"] == "playing"
    )
    state = truth.room(update["seq"]).game
    assert state is not None
    assert truth.leaks(update, 1) == []
    for place in ("changed", "a_new_field"):
        spoilt = {**update, "view": {**update["view"], place: [state.racks[0][0]]}}
        assert truth.leaks(spoilt, 1) != []
