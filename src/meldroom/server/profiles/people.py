"""Pages of people: whose they are, their games in numbers, and how one stands with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Select, func, select

from meldroom.api.errors import HttpError
from meldroom.api.profiles.schemas import (
    FriendCard,
    Friends,
    MyProfile,
    PersonCard,
    Presence,
    Profile,
    Standing,
    Statistics,
)
from meldroom.api.profiles.statistics import PlayedGame, statistics
from meldroom.rooms.domain.avatars import LONGEST_PROFILE, avatar_of
from meldroom.server.identity.relations import is_blocked, owner_of, public_name
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import (
    accounts,
    blocks,
    friends,
    people_in_games,
    played_games,
    players,
)

MOST_GAMES = 5_000
"""So many of the newest games are counted."""
MOST_RECENT = 12
MOST_LISTED = 200
LOOKED_BACK = 60
"""So many of one's last games are looked through for opponents."""

PresenceOf = Callable[[Iterable[str]], dict[str, Presence]]


class Someone(msgspec.Struct, frozen=True):
    """A person as the server knows them: the private id with the public card."""

    id: str
    card: PersonCard
    since: int


class FriendLists(msgspec.Struct, frozen=True):
    """Everybody around somebody, by their ids, as far as the database knows them."""

    friends: list[Someone]
    asks: list[Someone]
    asked: list[Someone]
    blocked: list[Someone]
    recent: list[Someone]
    last_games: dict[str, str]

    @property
    def people(self) -> frozenset[str]:
        """All who are in a list."""
        listed = (self.friends, self.asks, self.asked, self.blocked, self.recent)
        return frozenset(one.id for some in listed for one in some)

    def shown(self, here: Mapping[str, Presence]) -> Friends:
        """The lists for their owner, with who is here."""

        def card(one: Someone) -> FriendCard:
            return FriendCard(one.card, here.get(one.id, "away"), self.last_games[one.id])

        order: dict[Presence, int] = {"playing": 0, "online": 0, "away": 1}
        return Friends(
            friends=tuple(sorted(map(card, self.friends), key=lambda one: order[one.presence])),
            asks=tuple(one.card for one in self.asks),
            asked=tuple(one.card for one in self.asked),
            # Only friends see who is here.
            recent=tuple(FriendCard(one.card, "away", self.last_games[one.id]) for one in self.recent),
            blocked=tuple(one.card for one in self.blocked),
        )


class Profiles:
    """Reads everything about people that others may see, and what is theirs alone."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def find(self, named: str) -> Someone:
        """Whose profile or account this is. Raises HttpError."""
        if not 0 < len(named) <= LONGEST_PROFILE:
            raise no_such_person(named)

        def read(connection: Connection) -> Someone:
            return find_person(connection, named)

        return await self._store.read(read)

    async def mine(self, player: str) -> MyProfile:
        """One's own page, with what nobody else sees."""

        def read(connection: Connection) -> MyProfile:
            someone = _person(connection, player)
            waiting = _count(
                connection,
                select(func.count())
                .select_from(people_in_games)
                .outerjoin(
                    played_games,
                    (played_games.c.game == people_in_games.c.game)
                    & (played_games.c.player == people_in_games.c.player),
                )
                .where(
                    people_in_games.c.player == player,
                    played_games.c.game.is_(None) | (played_games.c.counts & played_games.c.judged.is_(None)),
                ),
            )
            found = _statistics(connection, player, private=True)
            return MyProfile(someone.card, someone.since, found, waiting)

        return await self._store.read(read)

    async def page(self, named: str, viewer: str | None) -> Profile:
        """Somebody's page for a viewer, who may be nobody. Raises HttpError."""

        def read(connection: Connection) -> Profile:
            someone = find_person(connection, named)
            found = _statistics(connection, someone.id, private=False)
            if viewer is None:
                return Profile(someone.card, someone.since, found, "none", blocked=False, last_game="")
            return Profile(
                someone.card,
                someone.since,
                found,
                _standing(connection, viewer, someone.id),
                is_blocked(connection, viewer, someone.id),
                last_game_of(connection, viewer, someone.id),
            )

        return await self._store.read(read)

    async def friends(self, player: str, presence: PresenceOf) -> Friends:
        """One's friends and everybody around them."""
        lists = await self.friend_lists(player)
        return lists.shown(presence(one.id for one in lists.friends))

    async def friend_lists(self, player: str) -> FriendLists:
        """One's friends and everybody around them, wherever they are."""

        def read(connection: Connection) -> FriendLists:
            mine, theirs = friends.alias(), friends.alias()
            asked = set(connection.execute(select(mine.c.friend).where(mine.c.player == player)).scalars())
            asks = set(connection.execute(select(theirs.c.player).where(theirs.c.friend == player)).scalars())
            chosen = select(blocks.c.blocked).where(blocks.c.player == player)
            blocked = set(connection.execute(chosen).scalars())
            recent = _opponents(connection, player)
            known = asked | asks | blocked | {player}
            both = _people(connection, asked & asks)
            played = _in_order(connection, [one for one in recent if one not in known][:MOST_RECENT])
            return FriendLists(
                friends=both,
                asks=_people(connection, asks - asked - blocked),
                asked=_people(connection, asked - asks),
                blocked=_people(connection, blocked),
                recent=played,
                last_games={one.id: last_game_of(connection, player, one.id) for one in (*both, *played)},
            )

        return await self._store.read(read)

    async def standing(self, player: str, other: str) -> Standing:
        """How two people stand with each other, as the first sees it."""
        return await self._store.read(lambda connection: _standing(connection, player, other))


def no_such_person(named: str) -> HttpError:
    """The refusal of a name that nobody has."""
    return HttpError(404, "no_such_person", "person", name=named[:LONGEST_PROFILE])


def find_person(connection: Connection, named: str) -> Someone:
    """Whose profile or account this is; a guest's leads to the account they have become. Raises HttpError."""
    owner: str | None
    if named.startswith("~"):
        owner = connection.execute(select(players.c.id).where(players.c.profile == named)).scalar()
        owner = owner_of(connection, owner) if owner is not None else None
    else:
        account = select(accounts.c.player).where(accounts.c.key == named.lower())
        owner = connection.execute(account).scalar()
    if owner is None:
        raise no_such_person(named)
    return _person(connection, owner)


def _rows() -> Select[Any]:
    return select(
        players.c.id, players.c.name, players.c.avatar, players.c.created_at, accounts.c.name.label("account")
    ).select_from(players.outerjoin(accounts, accounts.c.player == players.c.id))


def _someone(row: Row[Any]) -> Someone:
    avatar = row.avatar or avatar_of(row.id)
    card = PersonCard(public_name(row.id, row.account), row.name, avatar, row.account)
    return Someone(row.id, card, row.created_at)


def _person(connection: Connection, player: str) -> Someone:
    return _someone(connection.execute(_rows().where(players.c.id == player)).one())


def people_by_id(connection: Connection, ids: Iterable[str]) -> dict[str, Someone]:
    """People by their ids."""
    wanted = sorted(ids)[:MOST_LISTED]
    return {row.id: _someone(row) for row in connection.execute(_rows().where(players.c.id.in_(wanted)))}


def _people(connection: Connection, ids: Iterable[str]) -> list[Someone]:
    """People by name."""
    found = people_by_id(connection, ids).values()
    return sorted(found, key=lambda one: (one.card.name.casefold(), one.id))


def _in_order(connection: Connection, ids: Sequence[str]) -> list[Someone]:
    found = people_by_id(connection, ids)
    return [found[one] for one in ids if one in found]


def _opponents(connection: Connection, player: str) -> list[str]:
    """Whom somebody has played with, the last ones first."""
    mine, theirs = people_in_games.alias(), people_in_games.alias()
    last = (
        select(mine.c.game, mine.c.ended_at)
        .where(mine.c.player == player)
        .order_by(mine.c.ended_at.desc())
        .limit(LOOKED_BACK)
        .subquery()
    )
    query = (
        select(theirs.c.player, func.max(last.c.ended_at).label("at"))
        .join(last, last.c.game == theirs.c.game)
        .where(theirs.c.player != player)
        .group_by(theirs.c.player)
        .order_by(func.max(last.c.ended_at).desc())
    )
    return [row.player for row in connection.execute(query)]


def last_game_of(connection: Connection, player: str, other: str) -> str:
    """The last game that both have finished; empty without one."""
    mine, theirs = people_in_games.alias(), people_in_games.alias()
    query = (
        select(mine.c.game)
        .join(theirs, theirs.c.game == mine.c.game)
        .where(mine.c.player == player, theirs.c.player == other)
        .order_by(mine.c.ended_at.desc())
        .limit(1)
    )
    return connection.execute(query).scalar() or ""


def _standing(connection: Connection, player: str, other: str) -> Standing:
    if player == other:
        return "me"
    pairs = select(friends.c.player).where(
        ((friends.c.player == player) & (friends.c.friend == other))
        | ((friends.c.player == other) & (friends.c.friend == player))
    )
    said = set(connection.execute(pairs).scalars())
    if said == {player, other}:
        return "friends"
    if player in said:
        return "asked"
    return "asks" if other in said and not is_blocked(connection, player, other) else "none"


def _statistics(connection: Connection, player: str, *, private: bool) -> Statistics:
    table = played_games
    newest = (
        select(table).where(table.c.player == player).order_by(table.c.ended_at.desc(), table.c.game.desc())
    )
    rows = connection.execute(newest.limit(MOST_GAMES)).all()
    return statistics(map(_played, reversed(rows)), private=private)


def _played(row: Row[Any]) -> PlayedGame:
    return PlayedGame(
        seat=row.seat,
        book=row.book,
        ended_at=row.ended_at,
        counts=row.counts,
        people=row.people,
        won=row.won,
        score=row.score,
        turns=row.turns,
        opened=row.opened,
        missed=row.missed,
        judged=row.judged,
    )


def _count(connection: Connection, query: Select[Any]) -> int:
    return connection.execute(query).scalar() or 0
