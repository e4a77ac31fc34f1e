"""What a stranger may try at the door: passwords, codes, origins, names; and what https promises."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus

from meldroom.api.names import clean_name
from meldroom.rooms.rate_limit import Allowance, Bucket, Limiter
from meldroom.server.config import Limits
from meldroom.server.identity import passwords
from meldroom.server.web.origin import is_own
from tests.server.api.near import Near, with_server

CREDENTIALS = {"account": "ada", "password": "correct horse"}
ROOM = {"settings": {"book": "wrc11"}, "chairs": ["me", "open"]}


def test_a_stranger_locks_nobody_out(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        owner = await near.guest("Ada")
        assert (await owner.post("/api/v1/account", json=CREDENTIALS)).status_code == 201
        stranger = near.browser(**{"x-forwarded-for": "2001:db8::1"})
        wrong = {**CREDENTIALS, "password": "wrong horse"}
        tries = [(await stranger.post("/api/v1/sign-in", json=wrong)).status_code for _ in range(5)]
        assert tries == [403] * 3 + [429] * 2
        neighbour = near.browser(**{"x-forwarded-for": "2001:db8::2"})
        assert (await neighbour.post("/api/v1/sign-in", json=CREDENTIALS)).status_code == 429
        elsewhere = near.browser(**{"x-forwarded-for": "2001:db8:0:1::1"})
        for _ in range(5):
            assert (await elsewhere.post("/api/v1/sign-in", json=CREDENTIALS)).status_code == 200

    with_server(tmp_path, test, usual=Limits(sign_ins_of_account=Allowance(3, 0.001)))


def test_few_passwords_wait_for_their_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "MOST_WAITING", 4)
    monkeypatch.setattr(passwords, "MOST_WAITING_OF_ADDRESS", 3)

    async def test(near: Near) -> None:
        async def sign_in(address: str) -> int:
            browser = near.browser(**{"x-forwarded-for": address})
            return (await browser.post("/api/v1/sign-in", json=CREDENTIALS)).status_code

        turn = near.container.identity._passwords._turn
        for _ in range(passwords.AT_ONCE):
            await turn.acquire()
        asked: list[asyncio.Task[int]] = []  # one address after the other: no luck is needed
        for address, refused in (
            ("192.0.2.0", 1),
            ("192.0.2.1", 4),
        ):
            asked += [asyncio.create_task(sign_in(address)) for _ in range(4)]
            while sum(one.done() for one in asked) < refused:
                await asyncio.sleep(0.01)
        for _ in range(passwords.AT_ONCE):
            turn.release()
        statuses = await asyncio.gather(*asked)
        assert sorted(statuses) == [403, 403, 403, 403, 429, 503, 503, 503]

    with_server(tmp_path, test)


def test_codes_are_not_guessed_for_ever(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        host = await near.guest("Ada")
        room = (await host.post("/api/v1/rooms", json=ROOM)).json()["room"]
        guesser = near.browser(**{"x-forwarded-for": "192.0.2.1"})
        paths = ["/rooms/zzzzz2", "/games/zzzzz2-1", "/championships/zzzzz2", f"/rooms/{room}"]
        statuses = [(await guesser.get(f"/api/v1{path}")).status_code for path in paths]
        assert statuses == [404, 404, 404, 429]
        assert (await near.browser().get(f"/api/v1/rooms/{room}")).status_code == 200

    with_server(tmp_path, test, usual=Limits(misses_of_address=Allowance(3, 0.001)))


def test_rooms_are_not_guessed_over_a_socket_and_tables_go_on(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        host = await near.guest("Ada")
        rooms = [(await host.post("/api/v1/rooms", json=ROOM)).json()["room"] for _ in range(2)]
        async with near.socket(host) as talk:
            await talk.hello()
            assert (await talk.ask("enter", room=rooms[0]))["type"] == "done"
            for do in ("enter", "stand_up", "begin"):
                assert (await talk.ask(do, room="zzzzz2"))["error"]["code"] == "no_such_room"
            for do in ("enter", "stand_up"):
                for room in (rooms[1], "zzzzz3"):
                    assert (await talk.ask(do, room=room))["error"]["code"] == "too_many"
            assert (await talk.ask("say", room=rooms[0], text="hello"))["type"] == "done"

    with_server(tmp_path, test, usual=Limits(misses_of_address=Allowance(3, 0.001)))


def test_who_says_no_hello_says_little(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        async with near.socket() as talk:
            for _ in range(20):
                assert (await talk.ask("ping"))["error"]["code"] == "hello_first"
            await talk.say('{"do": "ping", "id": "x"}')
            assert (await talk.until("bye"))["code"] == "too_many_faults"

    with_server(tmp_path, test)


def test_sockets_are_not_opened_again_and_again(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        for _ in range(3):
            async with near.socket():
                pass
        with pytest.raises(InvalidStatus):
            async with near.socket():
                pass
        assert near.container.counters.refusals["too_many_connections"] == 1

    with_server(tmp_path, test, usual=Limits(handshakes_of_address=Allowance(3, 0.001)))


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        ("https://play.example", True),
        ("https://play.example:443", True),
        ("https://user@play.example", False),
        ("https://play.example@evil.example", False),
        ("https://evil.example#play.example", False),
        ("https://play.example/path", False),
        ("https://play.example?x", False),
        ("http://play.example", False),
        ("null", False),
        ("https://play.example.evil.example", False),
        ("https://[", False),
    ],
)
def test_an_origin_is_a_scheme_a_host_and_a_port(origin: str, own: bool) -> None:
    assert is_own({"origin": origin, "host": "play.example"}, "https", ()) is own


@given(st.text(max_size=60))
def test_any_origin_is_judged(origin: str) -> None:
    assert not is_own({"origin": origin, "host": "play.example"}, "https", ())


def test_https_is_promised_over_https_only(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        plain = await near.browser().get("/api/v1/rooms")
        assert "strict-transport-security" not in plain.headers
        secure = await near.browser(**{"x-forwarded-proto": "https"}).get("/api/v1/rooms")
        assert secure.headers["strict-transport-security"] == "max-age=31536000"

    with_server(tmp_path, test)


def test_the_promise_of_https_can_hold_for_every_name_below(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        secure = await near.browser(**{"x-forwarded-proto": "https"}).get("/api/v1/rooms")
        assert secure.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"

    with_server(tmp_path, test, hsts_subdomains=True)


def test_nobody_beyond_this_machine_is_answered_without_https(tmp_path: Path) -> None:
    """Neither by the API and the pages nor by a socket; whoever watches over the server is."""

    async def test(near: Near) -> None:
        outside = {"x-forwarded-for": "203.0.113.7"}
        plain, secure = near.browser(**outside), near.browser(**outside, **{"x-forwarded-proto": "https"})
        for path in ("/api/v1/rooms", "/"):
            refused = await plain.get(path)
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "https_needed")
        assert (await plain.get("/healthz")).status_code == 200
        assert (await secure.get("/api/v1/rooms")).status_code == 200
        assert (await near.browser().get("/api/v1/rooms")).status_code == 200
        with pytest.raises(InvalidStatus):
            async with near.socket(None, **outside):
                pass
        guest = near.browser()
        await guest.post("/api/v1/session", json={"name": "Ada"})
        async with near.socket(guest) as talk:
            assert (await talk.hello())["type"] == "welcome"

    with_server(tmp_path, test, require_https=True)


@given(st.text(max_size=30))
def test_a_cleaned_name_is_clean(text: str) -> None:
    name = clean_name(text)
    assert name is None or (clean_name(name) == name and name.strip() == name and 1 <= len(name) <= 24)


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 10)), max_size=30))
def test_nobody_spends_more_than_their_allowance(steps: list[tuple[float, float]]) -> None:
    """What was spent is at most the burst, what came in since, and the last piece."""
    now, spent, last = 0.0, 0.0, 0.0
    bucket = Bucket(Allowance(10, 2), now)
    for pause, amount in steps:
        now += pause
        if bucket.debt(now) == 0.0:
            bucket.charge(amount, now)
            spent, last = spent + amount, amount
    assert spent <= 10 + 2 * now + last + 1e-6


def test_a_debt_is_nobody_elses() -> None:
    limiter = Limiter(Allowance(1, 1), lambda: 0.0)
    limiter.charge("a", 5)
    assert limiter.debt("a") == 5.0
    assert limiter.debt("b") == 0.0
