"""Guests, accounts, sessions and tokens in the store: who may act as whom."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, cast, get_args

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from meldroom.api.errors import HttpError
from meldroom.api.names import clean_name, friendly_name
from meldroom.api.schemas import TOKEN_DAYS, Me, TokenScope
from meldroom.i18n import Language, Value
from meldroom.rooms.domain.avatars import avatar_of, is_avatar, profile_of
from meldroom.rooms.ports import Clock, Player
from meldroom.server.config import DAY, IDLE_DAYS, SESSION_DAYS
from meldroom.server.identity.passwords import Passwords
from meldroom.server.identity.relations import move_people, public_name
from meldroom.server.identity.schemas import TokenCard
from meldroom.server.identity.secret_words import LONGEST_SECRET, hashed, new_id, new_secret, new_token
from meldroom.server.identity.weak_passwords import is_weak
from meldroom.server.storage.errors import StorageError
from meldroom.server.storage.rooms import move_games
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import accounts, bans, former_guests, players, sessions, tokens

MOST_TOKENS = 20
PROOF_MS = 10 * 60_000
"""So long after a password or passkey was shown an account's session may change what opens the account."""
USED_AT_STEP = 60_000
"""How precisely the last use of a token is kept; of a session, by the day."""
EXPIRED_DAYS = 30
"""So long an expired token stays in its owner's list."""


_STATUSES = {
    "has_account": 409,
    "account_taken": 409,
    "wrong_password": 403,
    "passkey_needed": 403,
    "last_passkey": 409,
    "no_passkey": 409,
    "prove_again": 403,
    "too_many_tokens": 409,
    "token_expired": 401,
    "bad_passkey": 403,
    "banned": 403,
    "banned_for_good": 403,
    "too_many_passkeys": 409,
}


class IdentityError(HttpError):
    """A request about oneself that is refused."""

    def __init__(self, code: str, where: str = "", /, **details: Value) -> None:
        super().__init__(_STATUSES.get(code, 400), code, where, wait=0.0, **details)


class Known(msgspec.Struct, frozen=True):
    """Somebody the server has recognised, and by which secret.

    `former` are the guests they were before signing in, whose seats are theirs.
    """

    player: Player
    account: str | None
    language: Language
    session: str = ""
    token: str = ""
    former: tuple[str, ...] = ()
    ends_at: int = 0
    scopes: frozenset[TokenScope] = frozenset()
    proved_at: int = 0
    """When whoever has this session last showed the account's password or passkey."""

    def may(self, scope: TokenScope) -> bool:
        """Whether the secret is enough for this: a session always is, a token for what it was made for."""
        return not self.token or scope in self.scopes or (scope == "read" and "play" in self.scopes)

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id they have sat down under."""
        return (self.player.id, *self.former)

    @property
    def me(self) -> Me:
        """What they are told about themselves."""
        player = self.player
        avatar = player.avatar or avatar_of(player.id)
        profile = public_name(player.id, self.account)
        return Me(player.id, player.name, player.guest, self.account, self.language, profile, avatar)


class Identity:
    """Everything about people; the store's writer makes each change durable before it is answered."""

    def __init__(self, store: SqlStore, clock: Clock, idle_days: int = IDLE_DAYS) -> None:
        self._store = store
        self._clock = clock
        self._passwords = Passwords()
        self.idle = (idle_days or SESSION_DAYS) * DAY
        """An account's session that was not used for so long, in ms, is over."""

    # Guests and sessions.

    async def new_guest(self, name: str | None, language: Language) -> tuple[Known, str]:
        """A guest and the secret of their session. Raises IdentityError for a name that is none."""
        chosen = _named(name) if name is not None else friendly_name(language)
        player, secret, now = new_id(), new_secret(), self._clock()

        def write(connection: Connection) -> None:
            row = {
                "id": player,
                "name": chosen,
                "language": language,
                "created_at": now,
                "profile": profile_of(player),
                "avatar": "",
            }
            connection.execute(insert(players), row)
            _open_session(connection, player, secret, now)

        await self._store.write(write)
        return Known(Player(player, chosen), None, language, session=hashed(secret)), secret

    async def by_session(self, secret: str) -> Known | None:
        """Whose session this is; None if it is nobody's. Notes, by the day, that it was used.

        Raises IdentityError for somebody banned.
        """
        if not 0 < len(secret) <= LONGEST_SECRET:
            return None
        digest, now = hashed(secret), self._clock()
        proved = func.coalesce(sessions.c.proved_at, sessions.c.created_at).label("proved")
        query = _person(sessions.c.expires_at, proved, last_use().label("used")).where(
            sessions.c.hash == digest, sessions.c.expires_at > now
        )
        query = query.join(sessions, sessions.c.player == players.c.id)

        def read(connection: Connection) -> tuple[Known, int] | None:
            row = connection.execute(query).first()
            if row is None or (row.account is not None and now - row.used >= self.idle):
                return None
            _check_ban(row, now)
            known = _known(row, _former(connection, row.id), session=digest, ends_at=row.expires_at)
            return msgspec.structs.replace(known, proved_at=row.proved), row.used

        found = await self._store.read(read)
        if found is None:
            return None
        known, used = found
        if now - used >= DAY:
            # Without it a full disk would sign everybody out.
            with suppress(StorageError):
                await self._store.change(
                    update(sessions).where(sessions.c.hash == digest).values(used_at=now)
                )
        return known

    async def prolong(self, known: Known) -> bool:
        """Start the days of a guest's session anew when half of them are over; whether that was so.

        A session of an account ends when its days are over: signing in again is possible.
        """
        now = self._clock()
        if known.account is not None or known.ends_at - now > SESSION_DAYS * DAY // 2:
            return False
        change = (
            update(sessions)
            .where(sessions.c.hash == known.session)
            .values(expires_at=now + SESSION_DAYS * DAY)
        )
        await self._store.change(change)
        return True

    async def end_session(self, known: Known) -> None:
        """Sign out: the secret is worth nothing any more."""
        await self._store.change(delete(sessions).where(sessions.c.hash == known.session))

    async def forget_old_sessions(self) -> None:
        """Delete the sessions that are over, and tokens that have long expired."""
        now = self._clock()
        unused = and_(last_use() <= now - self.idle, sessions.c.player.in_(select(accounts.c.player)))
        await self._store.change(delete(sessions).where(or_(sessions.c.expires_at <= now, unused)))
        await self._store.change(delete(tokens).where(tokens.c.expires_at <= now - EXPIRED_DAYS * DAY))

    async def banned(self) -> frozenset[str]:
        """Every player who is kept out now."""
        query = select(bans.c.player).where((bans.c.until == 0) | (bans.c.until > self._clock()))
        found = await self._store.read(lambda connection: connection.execute(query).scalars().all())
        return frozenset(found)

    async def change(
        self, known: Known, name: str | None, language: Language | None, avatar: str | None = None
    ) -> Known:
        """A new name to play under, another language or avatar. Raises IdentityError."""
        values: dict[str, str] = {}
        if name is not None:
            values["name"] = _named(name)
        if language is not None:
            values["language"] = language
        if avatar is not None:
            if avatar and not is_avatar(avatar):
                raise IdentityError("bad_avatar", "avatar")
            values["avatar"] = avatar
        if values:
            change = update(players).where(players.c.id == known.player.id).values(**values)
            await self._store.change(change)
        player = msgspec.structs.replace(
            known.player,
            name=values.get("name", known.player.name),
            avatar=values.get("avatar", known.player.avatar),
        )
        return msgspec.structs.replace(known, player=player, language=language or known.language)

    # Accounts.

    async def new_account(self, known: Known, name: str, password: str) -> tuple[Known, str]:
        """Turn a guest into an account; the games they played stay theirs. Raises IdentityError.

        The session gets a new secret, so that one seen before is worth nothing.
        """
        if known.account is not None:
            raise IdentityError("has_account", account=known.account)
        await _check_strength(password, name)
        stored, secret, now = await self._passwords.hash(password), new_secret(), self._clock()
        row = {
            "key": name.lower(),
            "name": name,
            "player": known.player.id,
            "password": stored,
            "created_at": now,
        }

        def write(connection: Connection) -> None:
            connection.execute(insert(accounts), row)
            connection.execute(delete(sessions).where(sessions.c.hash == known.session))
            # What somebody made before there was a password must not open what it protects.
            connection.execute(delete(tokens).where(tokens.c.player == known.player.id))
            _open_session(connection, known.player.id, secret, now)

        try:
            await self._store.write(write)
        except IntegrityError:
            raise IdentityError("account_taken", "account", account=name) from None
        player = msgspec.structs.replace(known.player, guest=False)
        return (
            msgspec.structs.replace(known, player=player, account=name, session=hashed(secret)),
            secret,
        )

    async def change_password(self, known: Known, old: str, new: str) -> None:
        """Another password for one's account. Raises IdentityError."""
        query = select(accounts.c.key, accounts.c.password, accounts.c.passkey_only)
        query = query.where(accounts.c.player == known.player.id)

        def read(connection: Connection) -> Any:
            return connection.execute(query).first()

        found = await self._store.read(read)
        if not await self._passwords.fits(old, None if found is None else found.password):
            raise IdentityError("wrong_password", "old")
        assert found is not None
        if found.passkey_only:
            self.check_recent(known)
        await _check_strength(new, found.key)
        stored = await self._passwords.hash(new)
        change = update(accounts).where(accounts.c.player == known.player.id).values(password=stored)
        await self._store.change(change)

    def check_recent(self, known: Known) -> None:
        """Raises IdentityError if an account's session is not enough: it may have been stolen.

        A guest has nothing else to show.
        """
        if known.account is not None and self._clock() - known.proved_at > PROOF_MS:
            raise IdentityError("prove_again", minutes=PROOF_MS // 60_000)

    async def prove(self, known: Known, password: str) -> None:
        """Show the account's password again. Raises IdentityError."""
        query = select(accounts.c.password, accounts.c.passkey_only)
        query = query.where(accounts.c.player == known.player.id)
        found = await self._store.read(lambda connection: connection.execute(query).first())
        if not await self._passwords.fits(password, None if found is None else found.password):
            raise IdentityError("wrong_password", "password")
        assert found is not None
        if found.passkey_only:
            raise IdentityError("passkey_needed")
        await self.proved(known)

    async def proved(self, known: Known) -> None:
        """Whoever has this session has shown who they are."""
        change = update(sessions).where(sessions.c.hash == known.session)
        await self._store.change(change.values(proved_at=self._clock()))

    async def sign_in(self, name: str, password: str, guest: Known | None) -> tuple[Known, str]:
        """Sign in; what the guest of this browser played goes to the account. Raises IdentityError."""
        query = _person(accounts.c.password, accounts.c.passkey_only).where(accounts.c.key == name.lower())

        def read(connection: Connection) -> Row[Any] | None:
            return connection.execute(query).first()

        found = await self._store.read(read)
        if not await self._passwords.fits(password, None if found is None else found.password):
            raise IdentityError("wrong_password")
        assert found is not None
        if found.passkey_only:
            raise IdentityError("passkey_needed")
        return await self._signed_in(found, guest)

    async def sign_in_as(self, player: str, guest: Known | None) -> tuple[Known, str]:
        """Sign somebody in who has proved who they are in another way. Raises IdentityError."""
        query = _person().where(players.c.id == player, accounts.c.player == player)

        def read(connection: Connection) -> Row[Any] | None:
            return connection.execute(query).first()

        found = await self._store.read(read)
        if found is None:
            raise IdentityError("no_account")
        return await self._signed_in(found, guest)

    async def _signed_in(self, found: Row[Any], guest: Known | None) -> tuple[Known, str]:
        secret, now = new_secret(), self._clock()
        _check_ban(found, now)
        moves = guest is not None and guest.account is None and guest.player.id != found.id

        def write(connection: Connection) -> tuple[str, ...]:
            if guest is not None:
                connection.execute(delete(sessions).where(sessions.c.hash == guest.session))
            if guest is not None and moves:
                _hand_over(connection, guest.player.id, found.id)
            _open_session(connection, found.id, secret, now)
            return _former(connection, found.id)

        former = await self._store.write(write)
        return _known(found, former, session=hashed(secret)), secret

    # Tokens.

    async def new_token(
        self,
        known: Known,
        label: str,
        scopes: Collection[TokenScope] = ("read", "play"),
        days: int = TOKEN_DAYS,
    ) -> TokenCard:
        """A token with its secret, which is shown this once. Raises IdentityError if there are too many."""
        secret, now = new_token(), self._clock()
        card = TokenCard(new_id(), label, now, now + days * DAY, _in_order(scopes), secret=secret)

        def write(connection: Connection) -> None:
            owned = select(func.count()).select_from(tokens).where(tokens.c.player == known.player.id)
            if (connection.execute(owned).scalar() or 0) >= MOST_TOKENS:
                raise IdentityError("too_many_tokens", most=MOST_TOKENS)
            row = {
                "id": card.id,
                "hash": hashed(secret),
                "player": known.player.id,
                "label": label,
                "created_at": now,
                "scopes": " ".join(card.scopes),
                "expires_at": card.expires_at,
            }
            connection.execute(insert(tokens), row)

        await self._store.write(write)
        return card

    async def tokens_of(self, known: Known) -> list[TokenCard]:
        """One's tokens, newest first, without their secrets."""
        query = (
            select(tokens)
            .where(tokens.c.player == known.player.id)
            .order_by(tokens.c.created_at.desc(), tokens.c.id)
        )

        def read(connection: Connection) -> list[TokenCard]:
            rows = connection.execute(query).all()
            return [
                TokenCard(
                    row.id,
                    row.label,
                    row.created_at,
                    row.expires_at,
                    _in_order(row.scopes.split()),
                    row.used_at,
                )
                for row in rows
            ]

        return await self._store.read(read)

    async def revoke(self, known: Known, token: str) -> bool:
        """Make a token of one's own worth nothing; whether there was one of this id."""
        gone = delete(tokens).where(tokens.c.id == token, tokens.c.player == known.player.id)

        return bool(await self._store.change(gone))

    async def by_token(self, secret: str) -> Known | None:
        """Whose token this is; None if it is nobody's. Notes, by the minute, that it was used.

        Raises IdentityError if it has expired.
        """
        if not 0 < len(secret) <= LONGEST_SECRET:
            return None
        digest, now = hashed(secret), self._clock()
        query = _person(
            tokens.c.id.label("token"), tokens.c.used_at, tokens.c.scopes, tokens.c.expires_at
        ).where(tokens.c.hash == digest)
        query = query.join(tokens, tokens.c.player == players.c.id)

        def read(connection: Connection) -> tuple[Known, int] | None:
            row = connection.execute(query).first()
            if row is None:
                return None
            _check_ban(row, now)
            known = _known(row, _former(connection, row.id), token=row.token, ends_at=row.expires_at)
            scopes = frozenset(_in_order(row.scopes.split()))
            return msgspec.structs.replace(known, scopes=scopes), row.used_at or 0

        found = await self._store.read(read)
        if found is None:
            return None
        known, used_at = found
        if known.ends_at <= now:
            raise IdentityError("token_expired", day=day_of(known.ends_at))
        if now - used_at >= USED_AT_STEP:
            change = update(tokens).where(tokens.c.hash == digest).values(used_at=now)
            await self._store.change(change)
        return known


def last_use() -> ColumnElement[int]:
    """When a session was last used, by the day."""
    return func.coalesce(sessions.c.used_at, sessions.c.created_at)


def day_of(at: int) -> str:
    """The day of a moment, as 2026-11-16, in UTC."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def _token_card(row: Any) -> TokenCard:
    scopes = _in_order(row.scopes.split())
    return TokenCard(row.id, row.label, row.created_at, row.expires_at, scopes, row.used_at)


def _in_order(scopes: Collection[str]) -> tuple[TokenScope, ...]:
    """Scopes in their usual order, each once."""
    return tuple(scope for scope in get_args(TokenScope) if scope in scopes)


async def _check_strength(password: str, account: str) -> None:
    """Raises IdentityError for a password that anybody would guess. The first look reads a long list."""
    if await asyncio.to_thread(is_weak, password, account):
        raise IdentityError("weak_password", "password")


def _named(name: str) -> str:
    """The name as it is kept. Raises IdentityError."""
    cleaned = clean_name(name)
    if cleaned is None:
        raise IdentityError("bad_name", "name")
    return cleaned


def _person(*columns: Any) -> Any:
    """A query for a player with their account, if any, and more columns."""
    return select(
        players.c.id,
        players.c.name,
        players.c.language,
        players.c.avatar,
        accounts.c.name.label("account"),
        bans.c.until.label("banned"),
        bans.c.reason.label("why_banned"),
        *columns,
    ).select_from(
        players.outerjoin(accounts, accounts.c.player == players.c.id).outerjoin(
            bans, bans.c.player == players.c.id
        )
    )


def _check_ban(row: Any, now: int) -> None:
    """Raises IdentityError for somebody who is kept out."""
    if row.banned == 0:
        raise IdentityError("banned_for_good", reason=row.why_banned)
    if row.banned is not None and row.banned > now:
        raise IdentityError("banned", day=day_of(row.banned), reason=row.why_banned)


def _known(
    row: Any, former: tuple[str, ...], *, session: str = "", token: str = "", ends_at: int = 0
) -> Known:
    player = Player(row.id, row.name, guest=row.account is None, avatar=row.avatar)
    language = cast("Language", row.language)
    return Known(player, row.account, language, session, token, former, ends_at)


def _former(connection: Connection, player: str) -> tuple[str, ...]:
    query = select(former_guests.c.guest).where(former_guests.c.player == player)
    return tuple(connection.execute(query).scalars())


def _hand_over(connection: Connection, guest: str, player: str) -> None:
    """Give a guest's games and friends to the player, and end their tokens; twice changes nothing more."""
    known = select(former_guests.c.guest).where(former_guests.c.guest == guest)
    if connection.execute(known).first() is not None:
        return
    # A game of theirs that ends on another node at this moment is waited for.
    connection.execute(select(players.c.id).where(players.c.id == guest).with_for_update())
    connection.execute(insert(former_guests), {"guest": guest, "player": player})
    connection.execute(delete(tokens).where(tokens.c.player == guest))
    move_games(connection, guest, player)
    move_people(connection, guest, player)


def _open_session(connection: Connection, player: str, secret: str, now: int) -> None:
    row = {
        "hash": hashed(secret),
        "player": player,
        "created_at": now,
        "expires_at": now + SESSION_DAYS * DAY,
    }
    connection.execute(insert(sessions), row)
