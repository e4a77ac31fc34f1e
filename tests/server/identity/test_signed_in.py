"""Sessions, passwords and tokens over HTTP: listed, ended, changed, and what a token may not do."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from meldroom.server.config import DAY, IDLE_DAYS
from meldroom.server.identity.weak_passwords import common, is_weak
from meldroom.server.live import clients
from meldroom.server.storage.tables import tokens
from tests.server.api.near import Near, Talk, with_server

CREDENTIALS = {"account": "ada", "password": "correct horse"}


async def owner_of(near: Near) -> httpx.AsyncClient:
    """Somebody with an account."""
    browser = await near.guest("Ada")
    assert (await browser.post("/api/v1/account", json=CREDENTIALS)).status_code == 201
    return browser


async def signed_in(near: Near) -> httpx.AsyncClient:
    """The same person in another browser."""
    browser = near.browser()
    assert (await browser.post("/api/v1/sign-in", json=CREDENTIALS)).status_code == 200
    return browser


async def farewell(talk: Talk) -> str:
    """Why the server closes a socket."""
    return str((await talk.until("bye"))["code"])


def test_sessions_are_listed_and_ended_one_by_one(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        first, second = await owner_of(near), await signed_in(near)
        listed = (await first.get("/api/v1/sessions")).json()
        assert sorted(one["current"] for one in listed) == [False, True]
        assert all(one["expires_at"] - one["created_at"] == IDLE_DAYS * DAY for one in listed)
        secrets = {client.cookies["meldroom_session"] for client in (first, second)}
        assert not any(secret in str(listed) for secret in secrets)
        other = next(one["id"] for one in listed if not one["current"])
        stranger = await near.guest("Eve")
        assert (await stranger.delete(f"/api/v1/sessions/{other}")).status_code == 404
        async with near.socket(second) as talk, near.socket(second) as silent:
            await talk.hello()
            assert (await first.delete(f"/api/v1/sessions/{other}")).status_code == 204
            assert await farewell(talk) == "signed_out"
            # Nobody knows yet who that is: they are told when they ask, and nothing is open to them before.
            assert (await silent.hello())["error"]["code"] == "no_session"
        assert (await second.get("/api/v1/me")).status_code == 401
        assert (await first.get("/api/v1/me")).status_code == 200
        assert (await first.delete(f"/api/v1/sessions/{other}")).status_code == 404

    with_server(tmp_path, test)


def test_signing_out_everywhere(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        first, second = await owner_of(near), await signed_in(near)
        stranger = await near.guest("Eve")
        async with near.socket(first) as one, near.socket(second) as two:
            await asyncio.gather(one.hello(), two.hello())
            assert (await second.post("/api/v1/sign-out/everywhere")).status_code == 204
            assert [await farewell(one), await farewell(two)] == ["signed_out"] * 2
        for browser, status in ((first, 401), (second, 401), (stranger, 200)):
            assert (await browser.get("/api/v1/me")).status_code == status

    with_server(tmp_path, test)


def test_another_password_ends_all_other_sessions(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        first, second = await owner_of(near), await signed_in(near)
        change = {"old": "correct horse", "new": "battery staple"}

        async def tried(browser: httpx.AsyncClient, **other: str) -> tuple[int, str]:
            answer = await browser.post("/api/v1/account/password", json={**change, **other})
            return answer.status_code, answer.json()["error"]["code"] if answer.content else ""

        assert await tried(first, old="wrong horse") == (403, "wrong_password")
        assert await tried(first, new="password123") == (400, "weak_password")
        assert await tried(await near.guest("Eve")) == (403, "no_account")
        assert (await second.get("/api/v1/me")).status_code == 200
        assert await tried(first) == (204, "")
        assert (await first.get("/api/v1/me")).status_code == 200
        assert (await second.get("/api/v1/me")).status_code == 401
        old = await near.browser().post("/api/v1/sign-in", json=CREDENTIALS)
        new = await near.browser().post("/api/v1/sign-in", json={**CREDENTIALS, "password": "battery staple"})
        assert (old.status_code, new.status_code) == (403, 200)

    with_server(tmp_path, test)


def test_a_token_plays_and_changes_nothing_about_its_owner(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        owner = await owner_of(near)
        made = (await owner.post("/api/v1/tokens", json={"label": "bot"})).json()
        bot = near.browser(authorization=f"Bearer {made['secret']}")
        room = {"settings": {"book": "wrc11"}, "chairs": ["me", "open"]}
        opened = await bot.post("/api/v1/rooms", json=room)
        assert opened.status_code == 201, opened.text
        change = {"old": "correct horse", "new": "battery staple"}
        for answer in (
            await bot.post("/api/v1/tokens", json={"label": "child"}),
            await bot.get("/api/v1/tokens"),
            await bot.delete(f"/api/v1/tokens/{made['id']}"),
            await bot.get("/api/v1/sessions"),
            await bot.delete("/api/v1/sessions/0123456789abcdef"),
            await bot.post("/api/v1/sign-out/everywhere"),
            await bot.post("/api/v1/account/password", json=change),
            await bot.post("/api/v1/account", json={"account": "bob", "password": "correct horse"}),
            await bot.post("/api/v1/session", json={"name": "Bob"}),
            await bot.post("/api/v1/sign-out"),
        ):
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "token_not_enough")
        assert len((await owner.get("/api/v1/tokens")).json()) == 1

    with_server(tmp_path, test)


def test_a_token_is_taken_for_what_it_was_made_for(tmp_path: Path) -> None:
    """Over HTTP and over the socket; who plays may also look."""

    async def test(near: Near) -> None:
        owner = await owner_of(near)
        room = {"settings": {"book": "wrc11"}, "chairs": ["me", "open"]}
        code = (await owner.post("/api/v1/rooms", json=room)).json()["room"]
        expected = {
            ("read",): {"read"},
            ("play",): {"read", "play"},
            ("social", "social"): {"social"},
            ("play", "social"): {"read", "play", "social"},
        }
        for scopes, allowed in expected.items():
            made = await owner.post("/api/v1/tokens", json={"label": "bot", "scopes": scopes})
            assert made.json()["scopes"] == sorted(set(scopes), key=["read", "play", "social"].index)
            bot = near.browser(authorization=f"Bearer {made.json()['secret']}")
            answers = {
                "read": await bot.get("/api/v1/me"),
                "play": await bot.post("/api/v1/rooms", json=room),
                "social": await bot.patch("/api/v1/me", json={"language": "fr"}),
            }
            assert {scope for scope, answer in answers.items() if answer.is_success} == allowed
            for scope in answers.keys() - allowed:
                error = answers[scope].json()["error"]
                assert (answers[scope].status_code, error["code"]) == (403, "token_scope")
                assert f"“{scope}”" in error["message"]
            async with near.socket() as talk:
                await talk.hello(token=made.json()["secret"])
                entered = await talk.ask("enter", room=code)
                said = await talk.ask("say", room=code, text="hello")
            outcomes = {"read": entered, "play": said}
            for scope, outcome in outcomes.items():
                assert (outcome["type"] == "done") == (scope in allowed), outcome
                assert outcome["type"] == "done" or outcome["error"]["code"] == "token_scope"

    with_server(tmp_path, test)


@pytest.mark.parametrize("unwanted", [{"scopes": []}, {"scopes": ["admin"]}, {"days": 0}, {"days": 366}])
def test_tokens_for_nothing_or_for_ever_are_refused(tmp_path: Path, unwanted: dict[str, object]) -> None:
    async def test(near: Near) -> None:
        owner = await near.guest("Ada")
        made = await owner.post("/api/v1/tokens", json={"label": "bot", **unwanted})
        assert made.status_code == 400
        assert (await owner.get("/api/v1/tokens")).json() == []

    with_server(tmp_path, test)


def test_a_token_expires_and_its_socket_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "SWEEP_SECONDS", 0.05)

    async def test(near: Near) -> None:
        owner = await owner_of(near)
        made = (await owner.post("/api/v1/tokens", json={"label": "bot", "days": 7})).json()
        assert made["expires_at"] - made["created_at"] == 7 * DAY
        bot = near.browser(authorization=f"Bearer {made['secret']}")
        assert (await bot.get("/api/v1/me")).status_code == 200
        async with near.socket() as talk:
            await talk.hello(token=made["secret"])
            monkeypatch.setattr(clients, "now_ms", lambda: made["expires_at"])
            assert await farewell(talk) == "signed_out"
        over = update(tokens).values(expires_at=1_000)
        await near.container.store.change(over)
        refused = await bot.get("/api/v1/me")
        assert (refused.status_code, refused.json()["error"]["code"]) == (401, "token_expired")
        assert "1970-01-01" in refused.json()["error"]["message"]
        async with near.socket() as talk:
            refusal = await talk.ask("hello", version=2, token=made["secret"])
            assert refusal["error"]["code"] == "token_expired"
        assert (await owner.get("/api/v1/tokens")).json()[0]["expires_at"] == 1_000
        await near.container.identity.forget_old_sessions()
        assert (await owner.get("/api/v1/tokens")).json() == []

    with_server(tmp_path, test)


def test_a_guests_tokens_do_not_follow_into_an_account(tmp_path: Path) -> None:
    """Whoever had the browser before may have made one; its socket is closed as well."""

    async def test(near: Near) -> None:
        await owner_of(near)

        async def bot_of(guest: httpx.AsyncClient) -> str:
            made = await guest.post("/api/v1/tokens", json={"label": "bot"})
            return str(made.json()["secret"])

        for path, body in (
            ("/api/v1/sign-in", CREDENTIALS),
            ("/api/v1/account", {"account": "bob", "password": "correct horse"}),
        ):
            guest = await near.guest("Guest")
            token = await bot_of(guest)
            async with near.socket() as talk:
                await talk.hello(token=token)
                assert (await guest.post(path, json=body)).status_code in (200, 201)
                assert await farewell(talk) == "signed_out"
            gone = await near.browser(authorization=f"Bearer {token}").get("/api/v1/me")
            assert gone.status_code == 401
            assert (await guest.get("/api/v1/tokens")).json() == []

    with_server(tmp_path, test)


@pytest.mark.parametrize(
    "password",
    [
        "password",
        "Password1",
        "qwertyuiop",
        "12345678",
        "87654321",
        "aaaaaaaa",
        "abababab",
        "motdepasse!",
        "adalovelace",
    ],
)
def test_what_everybody_would_try_first_is_weak(password: str) -> None:
    assert is_weak(password, "adalovelace")


def test_none_of_the_commonest_passwords_is_taken() -> None:
    """Eleven thousand of them, in any case and with a number behind; short ones are refused as such."""
    assert len(common()) > 11_000
    assert all(len(each) >= 8 and each == each.casefold() for each in common())
    for password in ("Butterfly1987", "LIVERPOOL!", "elephant", "qazwsxedcrfv", "zxcvbnm123"):
        assert is_weak(password, "ada"), password
    assert all(is_weak(each, "ada") and is_weak(each.upper(), "ada") for each in common())


@given(st.text(min_size=8, max_size=30), st.text("abc", min_size=3, max_size=10))
def test_any_password_is_judged(password: str, account: str) -> None:
    assert is_weak(password, account) == is_weak(password.upper().casefold(), account.upper())


def test_words_that_nobody_guesses_are_welcome(tmp_path: Path) -> None:
    for password in ("correct horse", "tuile-rouge-7", "Zwölf Boxkämpfer", "xkrj2941", "12345679!"):
        assert not is_weak(password, "ada")
