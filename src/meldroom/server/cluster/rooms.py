"""All rooms of several nodes, as one of them sees it: its own, and those it reaches over the bus.

A client stays with its node. Commands for a room go to the node that has it, which treats the client as one
of its own; what it sends comes back over the bus. When a room changes hands, each node lets its clients
enter it again, and they see a snapshot.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any

import msgspec

from meldroom.api.profiles.schemas import Presence
from meldroom.errors import MeldroomError
from meldroom.i18n import Language
from meldroom.rooms.domain.state import Room, fold
from meldroom.rooms.errors import TRY_AGAIN, ConflictError, FencedError, Refusal, StorageError
from meldroom.rooms.ports import Client, Player, Workers
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Done, Refused
from meldroom.rooms.protocol.events import RoomOpened, decode
from meldroom.rooms.runtime.bus import LocalBus
from meldroom.rooms.runtime.room import LiveRoom
from meldroom.rooms.runtime.rooms import Rooms
from meldroom.server.cluster import messages, presence
from meldroom.server.cluster.bus import EVERYBODY, NatsBus
from meldroom.server.cluster.messages import (
    Answered,
    Asked,
    Back,
    ChampionshipChanged,
    Changed,
    Delivered,
    Freed,
    Gone,
    Left,
    Moved,
    People,
    SignedOut,
    WhoIsHere,
)
from meldroom.server.cluster.presence import ClusterPresence
from meldroom.server.storage import DataFolderError, SqlStore
from meldroom.server.storage.leases import TTL, Leases

BEAT_SECONDS = 1.0
ANSWER_SECONDS = 2.5
"""A node that takes longer may be gone."""
PATIENCE_SECONDS = 9.0
"""So long a command looks for the owner of its room."""
PAUSE_SECONDS = 0.2
MOST_LOADS = 4
"""Rooms that are claimed and loaded at the same time: the heartbeat and plays need connections too."""
AGAIN = "again"
"""The id under which a node lets its clients enter a room again; nobody is answered."""

_LOG = logging.getLogger(__name__)
_encode_answer = msgspec.json.Encoder().encode
_decode_answer = msgspec.json.Decoder(Done | Refused).decode
_decode_command = msgspec.json.Decoder(do.Command).decode


class RemoteClient:
    """A client of another node, as the rooms here see it."""

    def __init__(
        self, rooms: ClusterRooms, node: str, number: int, player: Player, language: Language
    ) -> None:
        self.node = node
        self.number = number
        self.player = player
        self.language: Language = language
        self._rooms = rooms

    def send(self, message: bytes) -> None:
        """Send an encoded message by way of its node."""
        self._rooms.deliver(self.node, self.number, message)


class _Follower:
    """A client of this node, and the rooms it has entered, wherever they are."""

    def __init__(self, client: Client, number: int) -> None:
        self.client = client
        self.number = number
        self.rooms: set[str] = set()
        self.told: set[str] = set()
        """The nodes that know of it."""


class ClusterRooms(Rooms):
    """The rooms of this node, and the way to all others. Without a bus it is the only node."""

    def __init__(
        self, store: SqlStore, leases: Leases, bus: NatsBus | None, workers: Workers, **options: Any
    ) -> None:
        super().__init__(store, LocalBus(), workers, **options)
        self.services.lost = self._lost
        self.node = leases.node
        self.lease_changes = 0
        self.signed_out: Callable[[str, str], None] = lambda session, token: None
        """Called when another node has signed somebody out."""
        self.championship_changed: Callable[[str], Coroutine[Any, Any, None]] | None = None
        """Called when another node has changed a championship, or any of them may have been changed."""
        self.node_gone: Callable[[], Coroutine[Any, Any, None]] | None = None
        """Called on one node when another has gone."""
        self.changed_elsewhere: Callable[[Mapping[str, Iterable[str]]], None] = lambda changes: None
        """Called when another node has changed what pages follow."""
        self.all_may_have_changed: Callable[[], None] = lambda: None
        """Called when messages of other nodes may have been lost."""
        self._alive: frozenset[str] = frozenset()
        self._sql = store
        self._leases = leases
        self._nodes = bus
        self._elsewhere: dict[str, str] = {}
        self._followers: dict[int, _Follower] = {}
        self._by_number: dict[int, _Follower] = {}
        self._remote: dict[tuple[str, int], RemoteClient] = {}
        self._asked: dict[int, asyncio.Future[bytes]] = {}
        self._number = 0
        self._sent: Counter[str] = Counter()
        self._heard: dict[str, int] = {}
        self._beat: asyncio.Task[None] | None = None
        self._steady_since = 0.0
        self._entering: set[str] = set()
        self._renewing: asyncio.Task[None] | None = None
        self._loads = asyncio.Semaphore(MOST_LOADS)
        self.presence = ClusterPresence(self.node, lambda message: self._tell(EVERYBODY, message))
        self._told_at = 0.0
        if bus is not None:
            bus.listen(self.node, self._received)
            bus.listen(EVERYBODY, self._received)
            bus.watch(resumed=self._resumed)

    @property
    def owned(self) -> int:
        """How many rooms are this node's."""
        return len(self._leases.rooms)

    @property
    def bus_connected(self) -> bool:
        """Whether other nodes can be reached."""
        return self._nodes is not None and self._nodes.connected

    # Life

    async def _restore(self) -> None:
        """Take the running games that nobody looks after. Raises DataFolderError if another node is alive."""
        if self._beat is not None:
            return
        if self._nodes is None and await self._leases.alive():
            raise DataFolderError("nodes_without_bus", path=self._sql.place)
        await self._leases.renew()
        self._alive = await self._leases.alive()
        self._steady_since = time.monotonic()
        if self._nodes is not None:
            self._nodes.start()
        await self._adopt()
        self._beat = asyncio.create_task(self._beating(), name="lease")

    async def close(self) -> None:
        """Accept nothing more; give all rooms back, so that others take them over at once."""
        if self._beat is not None:
            self._beat.cancel()
            await asyncio.gather(self._beat, return_exceptions=True)
        await super().close()
        for code in tuple(self.in_memory):
            self.drop(code)
        try:
            await self._leases.release()
        except StorageError as error:
            _LOG.error("the leases could not be given back: %s", error)
        self._tell(EVERYBODY, Left(self.node))
        if self._nodes is not None:
            await self._nodes.close()

    async def _beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                await self._look_around()
            except StorageError as error:
                _LOG.error("the lease could not be renewed: %s", error)
            except Exception:
                _LOG.exception("the lease could not be renewed")

    async def _look_around(self) -> None:
        """Say that this node is alive, and see to what others have left behind."""
        await self._renew()
        if self._nodes is None:
            return
        if time.monotonic() - self._told_at >= presence.EVERY - BEAT_SECONDS / 2:
            self._told_at = time.monotonic()
            self.presence.tell()
        alive = await self._leases.alive()
        for node, number in [key for key in self._remote if key[0] not in alive]:
            self._client_gone(node, number)
            self._tell(node, Back(self.node))  # Should it live after all, its clients come back.
        for code in [code for code, owner in self._elsewhere.items() if owner not in alive]:
            del self._elsewhere[code]
            self._enter_again(code)
        self._see_to_the_dead(alive)
        if time.monotonic() - self._steady_since > TTL / 1000:
            # After an outage all leases have run out: everybody first gets the time to renew theirs.
            await self._adopt()

    def _see_to_the_dead(self, alive: frozenset[str]) -> None:
        """Of the nodes that are left, one sees to what another may have left half done."""
        gone, self._alive = self._alive - alive, alive
        if gone and self.node_gone is not None and self.node == min(alive, default=""):
            self._tasks.start(self.node_gone())

    @property
    def is_alone(self) -> bool:
        """Whether no other node was alive when last looked."""
        return not self._alive - {self.node}

    async def _renew(self) -> None:
        """Say that this node is alive: once for all who find that it has not done so in time."""
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew_lease())
        await asyncio.shield(self._renewing)

    async def _renew_lease(self) -> None:
        slept = not self._leases.valid
        if slept:
            self._steady_since = time.monotonic()
        for code in await self._leases.renew():
            self._lost(code)
        if slept:
            self._resumed()  # The others took this node for dead and forgot its clients.

    async def _adopt(self) -> None:
        """Take over running games whose owner is gone."""
        for code in await self._leases.orphans():
            try:
                await self.room(code)
            except FencedError:
                continue  # Another node was faster.
            except Exception:  # One broken room must not keep all others away.
                _LOG.exception("room %s could not be taken over", code)

    def _put_away(self) -> None:
        """Forget rooms that nobody uses, and let them go: the node that is asked for one next has it then.

        A running game keeps its owner, who looks at its clock.
        """
        before = {code: live.room.stage for code, live in self.in_memory.items()}
        super()._put_away()
        free = [code for code, stage in before.items() if stage != "playing" and code not in self.in_memory]
        if free:
            self._tasks.start(self._let_go(free))

    async def _let_go(self, codes: list[str]) -> None:
        try:
            await self._leases.release(codes)
        except StorageError as error:
            _LOG.error("rooms could not be given back: %s", error)
        else:
            self._tell(EVERYBODY, Freed(self.node, tuple(codes)))

    def _lost(self, code: str) -> None:
        """A room belongs to another node: its clients here enter it again, there."""
        self._leases.lose(code)
        self.drop(code)
        self.lease_changes += 1
        self._elsewhere.pop(code, None)
        for entered in self._entered.values():
            entered.discard(code)
        self._enter_again(code)

    # Finding and opening

    async def room(self, code: str) -> LiveRoom:
        """A room of this node, claimed and loaded if need be. Raises Refusal and FencedError."""
        if code in self.in_memory and code not in self._leases:
            self._lost(code)
        return await super().room(code)

    async def _load(self, code: str) -> LiveRoom | None:
        """Claim a room and load it. Raises FencedError if another node has it."""
        async with self._loads:
            return await self._claimed(code)

    async def _claimed(self, code: str, *, force: bool = False) -> LiveRoom | None:
        if not self._leases.valid:
            await self._renew()
        ours, last_alive = code in self._leases, None
        if not ours:
            if await self._sql.card(code) is None:
                return None
            claim = await self._leases.claim(code, force=force)
            if claim.owner != self.node:
                self._elsewhere[code] = claim.owner
                raise FencedError(code)
            self.lease_changes += 1
            last_alive = claim.last_alive or await self._sql.last_alive()
        self._elsewhere.pop(code, None)
        live = await LiveRoom.load(code, self.services)
        if live is not None:
            self.in_memory[code] = live
            if not ours:
                await live.restore(last_alive)
                self._tell(EVERYBODY, Moved(self.node, code))
                self._enter_again(code)
        return live

    async def take(self, code: str) -> LiveRoom:
        """A room, taken from whoever has it. Raises Refusal."""
        if code not in self._leases and await self._sql.card(code) is not None:
            await self._claimed(code, force=True)
        return await self.room(code)

    async def has(self, code: str) -> bool:
        """Whether a room is this node's, or can be."""
        return await self._owner(code) == self.node

    async def look_at(self, code: str) -> Room:
        """A room as its log gives it, whoever has it. Raises Refusal."""
        if code in self.in_memory:
            return self.in_memory[code].room
        events = [decode(data) for data in await self._sql.events(code)]
        if not events:
            raise Refusal("no_such_room", "room", room=code)
        return fold(events)

    async def create(self, event: RoomOpened, starter: Player | None = None) -> LiveRoom:
        """A new room, which is this node's. Raises ConflictError if its code is taken."""
        if await self._sql.card(event.room) is not None:
            raise ConflictError(event.room, 1)
        claim = await self._leases.claim(event.room)
        if claim.owner != self.node:
            raise ConflictError(event.room, 1)
        return await super().create(event, starter)

    # Commands

    async def handle(self, client: Client, command: do.Command, arrived: int | None = None) -> Done | Refused:
        """Carry out a command here or on the node that has the room."""
        when = self._clock() if arrived is None else arrived
        code: str = getattr(command, "room", "")
        if not code or self._closed:
            return await super().handle(client, command, when)
        follower = self._follower(client)
        if isinstance(command, do.Leave):
            follower.rooms.discard(code)
        try:
            answer = await self._anywhere(client, command, when, code, follower)
            if isinstance(command, do.Enter) and isinstance(answer, Done):
                follower.rooms.add(code)  # only now: who is entering is not let in twice
            return answer
        except (MeldroomError, TimeoutError) as error:
            _LOG.warning("no node answers for room %s: %s", code, error)
            refusal = error if isinstance(error, Refusal) else Refusal("storage", retry_ms=TRY_AGAIN)
            return Refused(id=command.id, error=refusal.error(client.language))

    async def _anywhere(
        self, client: Client, command: do.Command, when: int, code: str, follower: _Follower
    ) -> Done | Refused:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                owner = await self._owner(code)
                if owner == self.node:
                    answer = await super().handle(client, command, when)
                    if isinstance(answer, Done) or code in self._leases or not self._retry(answer):
                        return answer
                else:
                    there = await self._ask(owner, follower, command, when)
                    if there is not None:
                        return there
                    if self._elsewhere.get(code) == owner:
                        del self._elsewhere[code]
                await asyncio.sleep(PAUSE_SECONDS)

    def _retry(self, answer: Refused) -> bool:
        """Whether a room that is not ours any more refused only because of that."""
        return answer.error.code in ("conflict", "no_such_room", "storage", "server_error")

    async def _owner(self, code: str) -> str:
        """The node that has a room; this one, if it can have it or if there is none."""
        if not self._leases.valid:
            await self._renew()
        if code in self.in_memory and code in self._leases:
            return self.node
        if code in self._elsewhere and self._nodes is not None:
            return self._elsewhere[code]
        try:
            await self.room(code)
        except FencedError:
            return self._elsewhere.get(code, "") or await self._leases.owner(code) or self.node
        except Refusal:
            return self.node
        return self.node

    async def _ask(
        self, owner: str, follower: _Follower, command: do.Command, when: int
    ) -> Done | Refused | None:
        """The answer of another node; None if it does not answer or has not got the room."""
        if not self.bus_connected:
            return None
        self._number += 1
        number = self._number
        answered = self._asked[number] = asyncio.get_running_loop().create_future()
        client = follower.client
        follower.told.add(owner)
        asked = Asked(
            number,
            self.node,
            follower.number,
            client.player,
            client.language,
            _encode_answer(command),
            self._clock() - when,
        )
        self._tell(owner, asked)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                data = await answered
        except TimeoutError:
            return None
        finally:
            self._asked.pop(number, None)
        return _decode_answer(data) if data else None

    # Clients of this node

    def _follower(self, client: Client) -> _Follower:
        follower = self._followers.get(id(client))
        if follower is None:
            self._number += 1
            follower = self._followers[id(client)] = _Follower(client, self._number)
            self._by_number[follower.number] = follower
        return follower

    def disconnected(self, client: Client) -> None:
        """A client is gone: the others are told so, wherever they are."""
        super().disconnected(client)
        follower = self._followers.pop(id(client), None)
        if follower is not None:
            del self._by_number[follower.number]
            for node in follower.told:
                self._tell(node, Gone(self.node, follower.number))

    def playing_here(self) -> dict[str, Presence]:
        """Those of other nodes who play in rooms of this one; their own node can't see that."""
        return {client.player.id: "playing" for client in self._remote.values() if self.is_playing(client)}

    def show_again(self, client: Client) -> None:
        """Whom a client does not want to hear has changed: show its rooms anew, wherever they are."""
        super().show_again(client)
        follower = self._followers.get(id(client))
        for code in () if follower is None else follower.rooms & set(self._elsewhere):
            self._enter_again(code)

    def _enter_again(self, code: str) -> None:
        """Let all clients of this node that follow a room enter it where it is now."""
        wanted = any(code in follower.rooms for follower in self._followers.values())
        if wanted and code not in self._entering and not self._closed:
            self._entering.add(code)
            self._tasks.start(self._entered_again(code))

    async def _entered_again(self, code: str) -> None:
        await asyncio.sleep(0)
        self._entering.discard(code)
        found = [one for one in self._followers.values() if code in one.rooms]
        await asyncio.gather(*(self._enter_one(follower, code) for follower in found))

    async def _enter_one(self, follower: _Follower, code: str) -> None:
        for _ in range(10):
            if code not in follower.rooms or follower.number not in self._by_number or self._closed:
                return
            answer = await self.handle(follower.client, do.Enter(id=AGAIN, room=code))
            if isinstance(answer, Done) or not self._retry(answer):
                return
            await asyncio.sleep(1)

    # Clients of other nodes

    def deliver(self, node: str, client: int, message: bytes) -> None:
        """Send a message to a client of another node."""
        self._sent[node] += 1
        self._tell(node, Delivered(self.node, self._sent[node], client, message))

    def _client_gone(self, node: str, number: int) -> None:
        client = self._remote.pop((node, number), None)
        if client is not None:
            super().disconnected(client)

    async def _answer(self, asked: Asked) -> None:
        key = (asked.node, asked.client)
        client = self._remote.get(key)
        if client is None:
            client = self._remote[key] = RemoteClient(self, *key, asked.player, asked.language)
        client.player, client.language = asked.player, asked.language
        answer = b""
        with contextlib.suppress(FencedError, StorageError, msgspec.ValidationError):
            command: Any = _decode_command(asked.command)
            if await self._owner(command.room) == self.node:
                done = await super().handle(client, command, self._clock() - asked.age)
                ours = command.room in self._leases
                if self._remote.get(key) is not client:
                    super().disconnected(client)  # Its node was taken for dead meanwhile: it asks again.
                elif isinstance(done, Refused) and done.error.code == "closing":
                    pass  # The room is somebody else's in a moment: they ask again.
                elif isinstance(done, Done) or ours or not self._retry(done):
                    answer = _encode_answer(done)
        self._tell(asked.node, Answered(asked.number, answer))

    # The bus

    def _tell(self, node: str, message: messages.Message) -> None:
        if self._nodes is not None:
            self._nodes.send(node, messages.encode(message))

    def _resumed(self) -> None:
        """Messages may have been lost: every client enters again what is elsewhere."""
        self._heard.clear()
        rooms = {code for follower in self._followers.values() for code in follower.rooms}
        for code in rooms - set(self.in_memory):
            self._elsewhere.pop(code, None)
            self._enter_again(code)
        self._see_to_championship()
        self.all_may_have_changed()
        self._tell(EVERYBODY, Back(self.node))
        self.presence.ask()
        self.presence.tell_everything()

    def announce_sign_out(self, session: str, token: str) -> None:
        """Tell the other nodes that a session or a token is worth nothing any more."""
        self._tell(EVERYBODY, SignedOut(self.node, session, token))

    def _received(self, data: bytes) -> None:
        match messages.decode(data):
            case Delivered() as delivered:
                self._delivered(delivered)
            case Asked() as asked:
                self._tasks.start(self._answer(asked))
            case Answered(number, answer):
                waiting = self._asked.get(number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
            case Gone(node, client):
                self._client_gone(node, client)
            case Moved(node, room) if node != self.node:
                if room in self._leases:
                    self._lost(room)
                self._elsewhere[room] = node
                self._enter_again(room)
            case People(node) as told if node != self.node:
                self.presence.hear(told)
            case WhoIsHere(node) if node != self.node:
                self.presence.tell_everything()
            case Left(node) if node != self.node:
                self.presence.gone(node)
                for code in [code for code, owner in self._elsewhere.items() if owner == node]:
                    del self._elsewhere[code]
                    self._enter_again(code)
                self._tasks.start(self._adopt())
            case Freed(node, rooms) if node != self.node:
                for code in rooms:
                    if self._elsewhere.get(code) == node:
                        del self._elsewhere[code]
            case Back(node) if node != self.node:
                self._missed(node)
            case Changed(node, changes) if node != self.node:
                self.changed_elsewhere(changes)
            case SignedOut(node, session, token) if node != self.node:
                self.signed_out(session, token)
            case ChampionshipChanged(node, code) if node != self.node:
                self._see_to_championship(code)
            case _:
                pass

    def announce_changes(self, changes: Mapping[str, Iterable[str]]) -> None:
        """Tell the other nodes that what pages follow has changed."""
        if not self.is_alone:
            told = {topic: tuple(ids) for topic, ids in changes.items()}
            self._tell(EVERYBODY, Changed(self.node, told))

    @property
    def is_cut_off(self) -> bool:
        """Whether there are other nodes, and they can't be heard."""
        return not self.is_alone and not self.bus_connected

    def announce_championship(self, code: str) -> None:
        """Tell the other nodes that a championship has changed."""
        self._tell(EVERYBODY, ChampionshipChanged(self.node, code))

    def _see_to_championship(self, code: str = "") -> None:
        if self.championship_changed is not None and not self._closed:
            self._tasks.start(self.championship_changed(code))

    def _delivered(self, delivered: Delivered) -> None:
        before = self._heard.get(delivered.node)
        self._heard[delivered.node] = delivered.number
        follower = self._by_number.get(delivered.client)
        if follower is not None:
            follower.client.send(delivered.message)
        if before is not None and delivered.number != before + 1:
            self._missed(delivered.node)

    def _missed(self, node: str) -> None:
        """Something that a node sent did not arrive: its rooms are entered again."""
        for code in [code for code, owner in self._elsewhere.items() if owner == node]:
            self._enter_again(code)
