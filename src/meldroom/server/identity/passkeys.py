"""Passkeys of accounts: challenges, registration, and who signs in with one."""

from __future__ import annotations

import hashlib
import hmac
import secrets

import msgspec
from sqlalchemy import Connection, Select, delete, func, insert, select, update

from meldroom.api.schemas import NewPasskey, PasskeyProof
from meldroom.rooms.ports import Clock
from meldroom.server.identity.people import IdentityError, Known
from meldroom.server.identity.secret_words import hashed, new_id, new_secret
from meldroom.server.identity.webauthn import (
    Ceremony,
    PasskeyError,
    check_authenticator_data,
    check_client_data,
    check_public_key,
    check_signature,
    decode,
    encode,
)
from meldroom.server.logs import note
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import accounts, meta, passkeys

MOST_PASSKEYS = 10
CHALLENGE_MS = 5 * 60_000
MOST_USED = 10_000
SECRET = "passkey_challenges"
"""In `meta`: the secret that challenges are signed with, the same for every process on one database."""
_RANDOM, _TIME = 16, 8


class PasskeyCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A passkey in the list."""

    id: str
    label: str
    created_at: int
    used_at: int | None = None


class Passkeys:
    """The passkeys of accounts. A challenge is signed instead of kept, and answered once."""

    def __init__(self, store: SqlStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._secret = b""
        self._used: dict[str, int] = {}

    async def challenge(self, ceremony: Ceremony, who: str = "") -> str:
        """Something new for a device to sign, by this person or by anybody."""
        message = secrets.token_bytes(_RANDOM) + self._clock().to_bytes(_TIME)
        return encode(message + self._seal(await self._key(), message, ceremony, who))

    async def register(self, known: Known, asked: NewPasskey, origin: str) -> PasskeyCard:
        """Keep a new passkey of somebody signed in. Raises IdentityError."""
        try:
            challenge = check_client_data(decode(asked.client_data), "webauthn.create", origin)
            await self._check_challenge(challenge, "webauthn.create", known.player.id)
            data = check_authenticator_data(decode(asked.authenticator_data), origin)
            public_key = decode(asked.public_key)
            check_public_key(public_key)
            if not data.credential or encode(data.credential) != asked.credential:
                raise PasskeyError("another credential than the device made")
        except PasskeyError as error:
            raise _refused(error) from None
        now = self._clock()
        card = PasskeyCard(new_id(), asked.label, now)
        row = {
            "id": card.id,
            "credential_hash": hashed(asked.credential),
            "credential": asked.credential,
            "public_key": public_key,
            "uses": data.uses,
            "player": known.player.id,
            "label": asked.label,
            "created_at": now,
        }

        def write(connection: Connection) -> None:
            if _count(connection, known) >= MOST_PASSKEYS:
                raise IdentityError("too_many_passkeys", most=MOST_PASSKEYS)
            there = select(passkeys.c.id).where(passkeys.c.credential_hash == row["credential_hash"])
            if connection.execute(there).first() is not None:
                raise IdentityError("bad_passkey")
            connection.execute(insert(passkeys), row)

        await self._store.write(write)
        return card

    async def owner(self, proof: PasskeyProof, origin: str) -> str:
        """The player whose passkey this proves. Raises IdentityError."""
        try:
            client_data, data = decode(proof.client_data), decode(proof.authenticator_data)
            challenge = check_client_data(client_data, "webauthn.get", origin)
            await self._check_challenge(challenge, "webauthn.get", "")
            signed = check_authenticator_data(data, origin)
            query = select(passkeys).where(passkeys.c.credential_hash == hashed(proof.credential))
            row = await self._store.read(lambda connection: connection.execute(query).first())
            if row is None:
                raise PasskeyError("unknown credential")
            check_signature(row.public_key, decode(proof.signature), data, client_data)
            if (signed.uses or row.uses) and signed.uses <= row.uses:
                raise PasskeyError(f"counter {signed.uses} after {row.uses}: a copy of the device?")
        except PasskeyError as error:
            raise _refused(error) from None
        noted = update(passkeys).where(passkeys.c.id == row.id)
        await self._store.change(noted.values(uses=signed.uses, used_at=self._clock()))
        return str(row.player)

    async def of(self, known: Known) -> list[PasskeyCard]:
        """One's passkeys, newest first."""
        query = select(passkeys).where(passkeys.c.player == known.player.id)
        query = query.order_by(passkeys.c.created_at.desc(), passkeys.c.id)
        rows = await self._store.read(lambda connection: connection.execute(query).all())
        return [PasskeyCard(row.id, row.label, row.created_at, row.used_at) for row in rows]

    async def credentials_of(self, known: Known) -> tuple[str, ...]:
        """The ids under which one's devices know their passkeys, so that none is made twice."""
        query = select(passkeys.c.credential).where(passkeys.c.player == known.player.id)
        rows = await self._store.read(lambda connection: connection.execute(query).scalars().all())
        return tuple(rows)

    async def remove(self, known: Known, passkey: str) -> bool:
        """Forget one of one's passkeys; whether there was one of this id.

        Raises IdentityError for the last one of an account that nothing else opens.
        """
        gone = delete(passkeys).where(passkeys.c.id == passkey, passkeys.c.player == known.player.id)

        def write(connection: Connection) -> bool:
            only = connection.execute(_only_of(known).with_for_update()).scalar()
            there = bool(connection.execute(gone).rowcount)
            if there and only and not _count(connection, known):
                raise IdentityError("last_passkey")
            return there

        return await self._store.write(write)

    async def is_only_way(self, known: Known) -> bool:
        """Whether the account's password does not open it any more."""
        return bool(await self._store.read(lambda connection: connection.execute(_only_of(known)).scalar()))

    async def be_only_way(self, known: Known, only: bool) -> None:
        """Take a passkey for every sign-in and proof, or the password too. Raises IdentityError."""
        change = update(accounts).where(accounts.c.player == known.player.id).values(passkey_only=only)

        def write(connection: Connection) -> None:
            connection.execute(change)
            if only and not _count(connection, known):
                raise IdentityError("no_passkey")

        await self._store.write(write)

    async def _check_challenge(self, challenge: str, ceremony: Ceremony, who: str) -> None:
        raw = decode(challenge)
        message, seal = raw[: _RANDOM + _TIME], raw[_RANDOM + _TIME :]
        if not hmac.compare_digest(seal, self._seal(await self._key(), message, ceremony, who)):
            raise PasskeyError("a challenge that is not ours")
        now, made = self._clock(), int.from_bytes(message[_RANDOM:])
        if not now - CHALLENGE_MS < made <= now:
            raise PasskeyError("a challenge that is too old")
        if challenge in self._used:
            raise PasskeyError("a challenge that was answered")
        if len(self._used) >= MOST_USED:
            self._used = {one: at for one, at in self._used.items() if at > now - CHALLENGE_MS}
        self._used[challenge] = made

    def _seal(self, key: bytes, message: bytes, ceremony: Ceremony, who: str) -> bytes:
        return hmac.digest(key, message + f"{ceremony} {who}".encode(), hashlib.sha256)

    async def _key(self) -> bytes:
        if self._secret:
            return self._secret
        found = select(meta.c.value).where(meta.c.key == SECRET)

        def made(connection: Connection) -> str:
            there = connection.execute(found).scalar()
            if there is None:
                there = new_secret()
                connection.execute(insert(meta), {"key": SECRET, "value": there})
            return str(there)

        self._secret = (await self._store.write(made)).encode()
        return self._secret


def _count(connection: Connection, known: Known) -> int:
    mine = select(func.count()).select_from(passkeys).where(passkeys.c.player == known.player.id)
    return connection.execute(mine).scalar() or 0


def _only_of(known: Known) -> Select[tuple[bool]]:
    return select(accounts.c.passkey_only).where(accounts.c.player == known.player.id)


def _refused(error: PasskeyError) -> IdentityError:
    note("passkey_refused", why=str(error).replace(" ", "_"))
    return IdentityError("bad_passkey")
