"""Guests, accounts, sessions and tokens: who may act as whom, and what is kept of their secrets."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import select

from meldroom.server.config import DAY, IDLE_DAYS, SESSION_DAYS
from meldroom.server.identity import Identity, IdentityError
from meldroom.server.identity.people import MOST_TOKENS
from meldroom.server.storage import SqlStore
from meldroom.server.storage.tables import sessions
from tests.server.storage.cards import card, finished

PASSWORD = "correct horse"


class Time:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


Test = Callable[[Identity, SqlStore, Time], Awaitable[None]]


@contextmanager
def refused(code: str) -> Iterator[None]:
    """What is refused, with this code."""
    with pytest.raises(IdentityError) as caught:
        yield
    assert caught.value.code == code


def with_identity(folder: Path, test: Test) -> None:
    """Run a test on a store of its own."""

    async def run() -> None:
        store, time = await SqlStore.open(folder), Time()
        try:
            await test(Identity(store, time), store, time)
        finally:
            await store.close()

    asyncio.run(run())


def test_a_guest_is_recognised_by_the_secret_alone(tmp_path: Path) -> None:
    async def test(identity: Identity, _store: SqlStore, _time: Time) -> None:
        guest, secret = await identity.new_guest("Ada", "fr")
        found = await identity.by_session(secret)
        assert found is not None
        assert found.me == guest.me
        assert (found.player.name, found.player.guest, found.language) == ("Ada", True, "fr")
        for wrong in ("", secret[:-1], secret + "x", guest.session, guest.player.id, "é" * 50, "x" * 500):
            assert await identity.by_session(wrong) is None

    with_identity(tmp_path, test)


def test_no_secret_is_in_the_database(tmp_path: Path) -> None:
    secrets: list[str] = []

    async def test(identity: Identity, _store: SqlStore, _time: Time) -> None:
        guest, secret = await identity.new_guest(None, "en")
        known, second = await identity.new_account(guest, "ada", PASSWORD)
        token = await identity.new_token(known, "bot")
        secrets.extend((secret, second, token.secret or "", PASSWORD))

    with_identity(tmp_path, test)
    with closing(sqlite3.connect(tmp_path / "meldroom.db")) as database:
        kept = "\n".join(database.iterdump())
    assert "argon2id" in kept
    assert all(secret and secret not in kept for secret in secrets)


def test_an_account_keeps_the_guests_id_and_gets_a_new_secret(tmp_path: Path) -> None:
    async def test(identity: Identity, _store: SqlStore, _time: Time) -> None:
        guest, secret = await identity.new_guest("Ada", "en")
        known, second = await identity.new_account(guest, "Ada.L", PASSWORD)
        assert (known.player.id, known.account, known.player.guest) == (guest.player.id, "Ada.L", False)
        assert await identity.by_session(secret) is None
        assert (await identity.by_session(second)) is not None
        with refused("has_account"):
            await identity.new_account(known, "other", PASSWORD)
        other, _ = await identity.new_guest("Bo", "en")
        with refused("account_taken"):
            await identity.new_account(other, "ada.l", PASSWORD)

    with_identity(tmp_path, test)


def test_signing_in_needs_the_right_password(tmp_path: Path) -> None:
    async def test(identity: Identity, _store: SqlStore, _time: Time) -> None:
        guest, _ = await identity.new_guest("Ada", "en")
        await identity.new_account(guest, "ada", PASSWORD)
        for account, password in (("ada", "wrong horse"), ("nobody", PASSWORD), ("ada", "")):
            with refused("wrong_password"):
                await identity.sign_in(account, password, None)
        known, secret = await identity.sign_in("ADA", PASSWORD, None)
        assert known.player.id == guest.player.id
        assert (await identity.by_session(secret)) is not None

    with_identity(tmp_path, test)


def test_signing_in_brings_the_guests_games_along(tmp_path: Path) -> None:
    async def test(identity: Identity, store: SqlStore, _time: Time) -> None:
        owner, _ = await identity.new_guest("Ada", "en")
        await identity.new_account(owner, "ada", PASSWORD)
        guest, secret = await identity.new_guest("Guest", "en")
        me, old = owner.player.id, guest.player.id
        token = await identity.new_token(guest, "bot")
        played = card("room1", players=(old,))
        await store.append("room1", 1, b"1", played, finished("game1", people=(old, "")))
        await store.append("room2", 1, b"1", card("room2"), finished("game2", people=(old, me)))
        known, _ = await identity.sign_in("ada", PASSWORD, await identity.by_session(secret))
        assert known.former == (old,)
        assert await identity.by_session(secret) is None
        assert {one.id for one in await store.finished_of(me)} == {"game1", "game2"}
        assert await store.finished_of(old) == []
        game = await store.finished("game1")
        assert game is not None
        assert game.people == (me, "")
        assert await identity.by_token(token.secret or "") is None  # it was the guest's, and ends with them
        assert await identity.tokens_of(known) == []
        await store.append("room1", 2, b"2", played, finished("game3", people=(old, "")))
        assert {one.id for one in await store.finished_of(me)} == {"game1", "game2", "game3"}

    with_identity(tmp_path, test)


def test_a_second_account_is_nobodys_former_guest(tmp_path: Path) -> None:
    async def test(identity: Identity, _store: SqlStore, _time: Time) -> None:
        for name in ("ada", "bo"):
            guest, _ = await identity.new_guest(name, "en")
            signed, secret = await identity.new_account(guest, name, PASSWORD)
        known, _ = await identity.sign_in("ada", PASSWORD, await identity.by_session(secret))
        assert known.former == ()
        assert known.player.id != signed.player.id

    with_identity(tmp_path, test)


def test_a_session_ends_after_its_days_unless_it_is_used(tmp_path: Path) -> None:
    async def test(identity: Identity, _store: SqlStore, time: Time) -> None:
        _, used = await identity.new_guest("Ada", "en")
        _, left = await identity.new_guest("Bo", "en")
        time.now += (SESSION_DAYS // 2 + 1) * DAY
        known = await identity.by_session(used)
        assert known is not None
        assert await identity.prolong(known)
        fresh = await identity.by_session(used)
        assert fresh is not None
        assert not await identity.prolong(fresh)
        time.now += (SESSION_DAYS // 2) * DAY
        assert await identity.by_session(left) is None
        await identity.forget_old_sessions()
        assert await identity.by_session(used) is not None

    with_identity(tmp_path, test)


def test_a_session_of_an_account_ends_when_it_is_not_used(tmp_path: Path) -> None:
    """A guest's does not: nothing else would bring their games back."""

    async def test(identity: Identity, store: SqlStore, time: Time) -> None:
        guest, _ = await identity.new_guest("Ada", "en")
        _, used = await identity.new_account(guest, "ada", PASSWORD)
        _, left = await identity.sign_in("ada", PASSWORD, None)
        _, alone = await identity.new_guest("Bo", "en")
        for _ in range(3):
            time.now += (IDLE_DAYS - 1) * DAY
            assert await identity.by_session(used) is not None
        assert await identity.by_session(left) is None
        assert await identity.by_session(alone) is not None
        before = await _count(store)
        await identity.forget_old_sessions()
        assert before - await _count(store) == 1
        time.now += IDLE_DAYS * DAY
        assert await identity.by_session(used) is None
        _, secret = await identity.sign_in("ada", PASSWORD, None)
        time.now += IDLE_DAYS * DAY
        assert await identity.by_session(secret) is None
        assert await Identity(store, time, idle_days=0).by_session(secret) is not None

    async def _count(store: SqlStore) -> int:
        return len(await store.read(lambda connection: connection.execute(select(sessions)).all()))

    with_identity(tmp_path, test)


def test_the_use_of_a_session_is_noted_once_a_day(tmp_path: Path) -> None:
    async def test(identity: Identity, store: SqlStore, time: Time) -> None:
        _, secret = await identity.new_guest("Ada", "en")
        before = store.counters.commits
        for _ in range(10):
            await identity.by_session(secret)
        assert store.counters.commits == before
        time.now += DAY
        for _ in range(10):
            await identity.by_session(secret)
        assert store.counters.commits == before + 1

    with_identity(tmp_path, test)


def test_signing_out_ends_one_session_only(tmp_path: Path) -> None:
    async def test(identity: Identity, _store: SqlStore, _time: Time) -> None:
        guest, _ = await identity.new_guest("Ada", "en")
        _, here = await identity.new_account(guest, "ada", PASSWORD)
        _, there = await identity.sign_in("ada", PASSWORD, None)
        known = await identity.by_session(here)
        assert known is not None
        await identity.end_session(known)
        assert await identity.by_session(here) is None
        assert await identity.by_session(there) is not None

    with_identity(tmp_path, test)


def test_tokens_are_shown_once_used_and_revoked(tmp_path: Path) -> None:
    async def test(identity: Identity, _store: SqlStore, time: Time) -> None:
        guest, _ = await identity.new_guest("Ada", "en")
        other, _ = await identity.new_guest("Eve", "en")
        made = await identity.new_token(guest, "my bot")
        assert made.secret is not None
        assert made.secret.startswith("meld_")
        (listed,) = await identity.tokens_of(guest)
        assert (listed.label, listed.secret, listed.used_at) == ("my bot", None, None)
        time.now += 5
        known = await identity.by_token(made.secret)
        assert known is not None
        assert (known.player.id, known.token, known.session) == (guest.player.id, made.id, "")
        assert (await identity.tokens_of(guest))[0].used_at == time.now
        assert not await identity.revoke(other, made.id)
        assert await identity.revoke(guest, made.id)
        assert await identity.by_token(made.secret) is None
        for _ in range(MOST_TOKENS):
            await identity.new_token(guest, "one more")
        with refused("too_many_tokens"):
            await identity.new_token(guest, "one too many")

    with_identity(tmp_path, test)


def test_names_are_cleaned_and_bad_ones_refused(tmp_path: Path) -> None:
    async def test(identity: Identity, _store: SqlStore, _time: Time) -> None:
        guest, secret = await identity.new_guest("  Ada  ", "en")
        changed = await identity.change(guest, " <i>Ada</i> ", "fr")
        assert (changed.player.name, changed.language) == ("<i>Ada</i>", "fr")
        found = await identity.by_session(secret)
        assert found is not None
        assert found.me == changed.me
        with refused("bad_name"):
            await identity.change(guest, "a\u202eb", None)
        with refused("bad_name"):
            await identity.new_guest("\n", "en")

    with_identity(tmp_path, test)
