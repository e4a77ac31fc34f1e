"""The container of a running server, made in order and closed in the opposite one."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec

from meldroom.api.games import Games
from meldroom.rooms.domain.state import Room
from meldroom.rooms.rate_limit import Allowance, Limiter
from meldroom.rooms.runtime.bus import LocalBus
from meldroom.rooms.runtime.rooms import Rooms, now_ms
from meldroom.server.background.checkout import run_program
from meldroom.server.background.printing import Printing
from meldroom.server.championships.online.rooms import Online
from meldroom.server.championships.runtime.archive import Archive, FolderArchive
from meldroom.server.championships.runtime.live import Championships
from meldroom.server.championships.runtime.stored_archive import StoredArchive
from meldroom.server.cluster import ClusterRooms, NatsBus, RemoteWorkers
from meldroom.server.cluster.presence import merged
from meldroom.server.config import Config
from meldroom.server.control import Watch
from meldroom.server.counters import Counters
from meldroom.server.identity import Identity, Relations
from meldroom.server.identity.passkeys import Passkeys
from meldroom.server.live.clients import LiveClients
from meldroom.server.msgspec_warmup import prepare_msgspec
from meldroom.server.profiles import AccountPuzzles, GameCounter, Invitations, Profiles
from meldroom.server.profiles.walkouts import StoredWalkouts
from meldroom.server.push import Subscriptions, TurnPushes
from meldroom.server.storage import SqlStore
from meldroom.server.topics import Topics, Values
from meldroom.server.topics.hub import APART
from meldroom.server.web.bounded import BoundedTasks, BoundedThreads
from meldroom.server.workers import WorkerPool

NODE = "node"
"""The file in the data folder that names the node which used it last."""
EVENTS = "events"
"""The folder of the championships in the data folder."""


class Container(msgspec.Struct):
    """Everything that a route or a socket works with."""

    config: Config
    store: SqlStore
    identity: Identity
    rooms: Rooms
    workers: WorkerPool
    games: Games
    clients: LiveClients
    championships: Championships
    printing: Printing
    counters: Counters
    subscriptions: Subscriptions
    computing: BoundedThreads
    tasks: BoundedTasks
    misses: Limiter
    """Who has asked for rooms, games and championships that are not there."""
    pushes: TurnPushes
    relations: Relations
    profiles: Profiles
    invitations: Invitations
    game_counter: GameCounter
    passkeys: Passkeys
    puzzles: AccountPuzzles
    watch: Watch
    draining: bool = False
    """Whether the server is about to end: load balancers send nobody here any more."""


@asynccontextmanager
async def opened(config: Config) -> AsyncIterator[Container]:
    """Everything, started; afterwards all is durable and nothing runs. Raises DataFolderError."""
    prepare_msgspec()
    async with _stored(config) as store, _working(config) as (workers, bus, node):
        identity = Identity(store, now_ms, config.idle_days)
        await identity.forget_old_sessions()
        rooms = await rooms_of(config, store, workers, bus, node)
        computing = BoundedThreads(config.limits.computing_of_address)
        tasks = BoundedTasks(workers.run)
        championships = _championships(config, store, computing, rooms)
        online = Online(championships, rooms)
        counters = Counters()
        subscriptions = await Subscriptions.open(store, now_ms, config.push)
        pushes = TurnPushes(subscriptions, now_ms, config.push, counters)
        game_counter = GameCounter(store, workers.run)
        rooms.services.turned = _both(pushes.turned, game_counter.turned)
        relations = Relations(store, now_ms)
        rooms.services.barred = relations.barred
        rooms.services.walkouts = StoredWalkouts(store, now_ms)
        invitations = Invitations(store, now_ms)
        await invitations.forget_old()
        if isinstance(workers, RemoteWorkers):
            workers.start()
        await rooms.start()
        await _bring_tables_back(config, online, rooms)
        printing = Printing(run_program())
        if await championships.is_any():
            printing.prepare()
        misses = Limiter(config.limits.misses_of_address)
        profiles = Profiles(store)
        topics = Topics(Values(store, profiles, invitations, championships), relations.apart)
        clients = LiveClients(rooms, identity, relations, store, config.limits, counters, misses, topics)
        topics.values.presence = clients.presence
        _tell_pages(topics, rooms, relations, invitations, game_counter, championships)
        watch = await _started(clients, rooms, store)
        await game_counter.start()
        try:
            yield Container(
                config,
                store,
                identity,
                rooms,
                workers,
                Games(store, tasks, computing, online.is_held),
                clients,
                championships,
                printing,
                counters,
                subscriptions,
                computing,
                tasks,
                misses,
                pushes,
                relations,
                profiles,
                invitations,
                game_counter,
                Passkeys(store, now_ms),
                AccountPuzzles(store, now_ms),
                watch,
            )
        finally:
            await watch.close()
            await game_counter.close()
            await printing.close()
            await clients.close()
            await topics.close()
            await rooms.close()
            await pushes.close()
            await online.rest()
            await championships.close()
            computing.close()


@asynccontextmanager
async def _stored(config: Config) -> AsyncIterator[SqlStore]:
    store = await SqlStore.open(config.data, config.database)
    try:
        yield store
    finally:
        await store.close()


def new_node() -> str:
    """A name for this process among the nodes."""
    return secrets.token_hex(6)


@asynccontextmanager
async def _working(config: Config) -> AsyncIterator[tuple[WorkerPool, NatsBus | None, str]]:
    """The workers, the bus if there is one, and the name of this server on it."""
    node = new_node()
    bus = NatsBus(config.bus, node) if config.bus else None
    workers = _workers(config, bus, node)
    try:
        yield workers, bus, node
    finally:
        await workers.close()
        if bus is not None:
            await bus.close()


def _workers(config: Config, bus: NatsBus | None, node: str) -> WorkerPool:
    """Processes beside the server; with remote workers, for what those do not do."""
    return RemoteWorkers(bus, node) if bus is not None and config.remote_workers else WorkerPool()


async def rooms_of(
    config: Config, store: SqlStore, workers: WorkerPool, bus: NatsBus | None, node: str
) -> Rooms:
    """The rooms of the only server there is, or of a node."""
    pace, start = config.bot_pace, config.start_phase * 1000
    if not config.database:
        return Rooms(store, LocalBus(), workers, clock=now_ms, bot_pace=pace, start_phase=start)
    leases = await store.share(node)
    note = config.data / NODE
    if note.exists():  # whoever had this folder before us is dead: it is locked
        await leases.bury(note.read_text(encoding="ascii").strip())
    note.write_text(leases.node, encoding="ascii")
    return ClusterRooms(store, leases, bus, workers, clock=now_ms, bot_pace=pace, start_phase=start)


async def _started(clients: LiveClients, rooms: Rooms, store: SqlStore) -> Watch:
    """Begin to look after clients, and after what whoever runs the server decides.

    Who is signed out on one node is so on all.
    """
    watch = Watch(store, rooms, now_ms)
    await watch.start()
    clients.switches = watch.switches
    if isinstance(rooms, ClusterRooms):
        clients.announce_sign_out, rooms.signed_out = rooms.announce_sign_out, clients.signed_out
        clients.elsewhere = rooms.presence.of
        rooms.presence.here = lambda: merged(rooms.playing_here(), clients.people())
    clients.start()
    return watch


async def _bring_tables_back(config: Config, online: Online, rooms: Rooms) -> None:
    """See to the online tables of championships; those of other nodes when one of these is gone."""
    if isinstance(rooms, ClusterRooms) and config.championships == "database":
        rooms.node_gone = online.start
        if not rooms.is_alone:
            return
    await online.start()


def _tell_pages(
    topics: Topics,
    rooms: Rooms,
    relations: Relations,
    invitations: Invitations,
    game_counter: GameCounter,
    championships: Championships,
) -> None:
    """Whatever changes what pages show says so, here and on other nodes."""

    def people_changed(*people: str) -> None:
        for topic in ("friends", "invitations", APART):
            topics.changed(topic, people)

    def championship_changed(code: str, listing: bool) -> None:
        topics.changed("league", (code,))
        if listing:
            topics.changed("championships")

    rooms.services.changed = topics.room_changed
    relations.changed = people_changed
    invitations.changed = lambda player: topics.changed("invitations", (player,))
    game_counter.counted = lambda people: topics.changed("profile", filter(None, people))
    championships.changed = championship_changed
    championships.leagues.changed = lambda league: topics.changed("league", (league,))
    if isinstance(rooms, ClusterRooms):
        topics.announce, rooms.changed_elsewhere = rooms.announce_changes, topics.changed_elsewhere
        topics.is_cut_off, rooms.all_may_have_changed = lambda: rooms.is_cut_off, topics.everything_changed


Turned = Callable[[Room, bool, frozenset[str]], None]


def _both(first: Turned, second: Turned) -> Turned:
    """Both are told of a turn."""

    def told(room: Room, new_turn: bool, present: frozenset[str]) -> None:
        first(room, new_turn, present)
        second(room, new_turn, present)

    return told


def _championships(config: Config, store: SqlStore, computing: BoundedThreads, rooms: Rooms) -> Championships:
    """The championships in the data folder or in the database; a trusted load may open any number."""
    stored = config.championships == "database"
    archive: Archive = StoredArchive(store) if stored else FolderArchive(config.data / EVENTS)
    opening = {"opening": Allowance(1e9, 1e9)} if config.trusted_load else {}
    made = Championships(archive, offload=computing, **opening)
    if stored and config.bus and isinstance(rooms, ClusterRooms):
        made.announce, rooms.championship_changed = rooms.announce_championship, made.changed_elsewhere
    return made
