"""Who one is, over HTTP: cookies and their flags, forged ones, limits, tokens."""

from __future__ import annotations

from pathlib import Path

from meldroom.rooms.rate_limit import Allowance
from meldroom.server.config import Limits
from tests.server.api.near import Near, with_server

CREDENTIALS = {"account": "ada", "password": "correct horse"}


def test_a_first_visit_makes_a_guest_with_a_friendly_name(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        assert (await browser.get("/api/v1/me")).status_code == 401
        made = await browser.post("/api/v1/session", json={"language": "fr"})
        assert made.status_code == 201
        assert made.json()["guest"] is True
        assert " " in made.json()["name"]
        assert (await browser.get("/api/v1/me")).json() == made.json()
        again = await browser.post("/api/v1/session", json={})
        assert again.json() == made.json()
        assert "set-cookie" not in again.headers

    with_server(tmp_path, test)


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        plain = (await near.browser().post("/api/v1/session", json={})).headers["set-cookie"]
        assert plain.startswith("meldroom_session=")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(plain.split("; "))
        assert "Secure" not in plain
        secure = near.browser(**{"x-forwarded-proto": "https"})
        cookie = (await secure.post("/api/v1/session", json={})).headers["set-cookie"]
        assert cookie.startswith("__Host-meldroom_session=")
        assert {"HttpOnly", "SameSite=Lax", "Path=/", "Secure"} <= set(cookie.split("; "))
        assert "Domain" not in cookie

    with_server(tmp_path, test)


def test_a_forged_cookie_is_nobody(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        guest = await near.guest()
        real = guest.cookies["meldroom_session"]
        for forged in ("", "x", real[:-1], real.swapcase(), "' OR 1=1 --", "é", "x" * 4000):
            sent = {b"cookie": f"meldroom_session={forged}".encode("latin-1")}
            answer = await near.browser().get("/api/v1/me", headers=sent)
            assert answer.status_code == 401, forged
            assert answer.json()["error"]["code"] == "no_session"
        headers = {"cookie": f"__Host-meldroom_session={real}"}
        assert (await near.browser().get("/api/v1/me", headers=headers)).status_code == 401

    with_server(tmp_path, test)


def test_an_account_from_the_first_to_the_last_day(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest("Ada")
        guest = (await browser.get("/api/v1/me")).json()
        made = await browser.post("/api/v1/account", json=CREDENTIALS)
        assert made.status_code == 201
        assert made.json() == {**guest, "guest": False, "account": "ada", "profile": "ada"}
        assert (await browser.post("/api/v1/account", json=CREDENTIALS)).status_code == 409
        assert (await browser.post("/api/v1/sign-out")).status_code == 204
        assert (await browser.get("/api/v1/me")).status_code == 401
        wrong = await browser.post("/api/v1/sign-in", json={**CREDENTIALS, "password": "wrong horse"})
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (403, "wrong_password")
        other = await near.guest("Somebody")
        signed = await other.post("/api/v1/sign-in", json=CREDENTIALS)
        assert signed.status_code == 200
        assert signed.json() == made.json()
        assert (await other.get("/api/v1/me")).json()["account"] == "ada"

    with_server(tmp_path, test)


def test_passwords_are_not_tried_for_ever(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        answers = [await browser.post("/api/v1/sign-in", json=CREDENTIALS) for _ in range(5)]
        assert [one.status_code for one in answers] == [403] * 3 + [429] * 2
        other = await browser.post("/api/v1/sign-in", json={**CREDENTIALS, "account": "bob"})
        assert other.status_code == 403
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert answers[-1].json()["error"]["code"] == "too_many"

    with_server(tmp_path, test, usual=Limits(sign_ins_of_account=Allowance(3, 0.001)))


def test_guests_are_not_made_for_ever(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        answers = [(await near.browser().post("/api/v1/session", json={})).status_code for _ in range(4)]
        assert answers == [201, 201, 201, 429]

    with_server(tmp_path, test, usual=Limits(sessions_of_address=Allowance(3, 0.001)))


def test_trusted_load_has_no_limits(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        for _ in range(3):
            assert (await near.browser().post("/api/v1/session", json={})).status_code == 201

    none = Limits(sessions_of_address=Allowance(1, 0.001))
    with_server(tmp_path, test, usual=none, trusted_load=True)


def test_tokens_act_for_their_owner_until_they_are_revoked(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        owner = await near.guest("Ada")
        made = (await owner.post("/api/v1/tokens", json={"label": "bot"})).json()
        bot = near.browser(authorization=f"Bearer {made['secret']}")
        assert (await bot.get("/api/v1/me")).json()["name"] == "Ada"
        refused = await bot.post("/api/v1/account", json=CREDENTIALS)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "token_not_enough")
        (listed,) = (await owner.get("/api/v1/tokens")).json()
        assert listed["label"] == "bot"
        assert "secret" not in listed
        stranger = await near.guest("Eve")
        assert (await stranger.delete(f"/api/v1/tokens/{made['id']}")).status_code == 404
        assert (await owner.delete(f"/api/v1/tokens/{made['id']}")).status_code == 204
        gone = await bot.get("/api/v1/me")
        assert (gone.status_code, gone.json()["error"]["code"]) == (401, "bad_token")

    with_server(tmp_path, test)


def test_a_name_of_html_is_text(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest("<img src=x>")
        answer = await browser.get("/api/v1/me")
        assert answer.json()["name"] == "<img src=x>"
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        for bad in ("", "   ", "x" * 25, "a\nb", "a\u202eb", 7, None):
            changed = await browser.patch("/api/v1/me", json={"name": bad, "language": "en"})
            assert changed.status_code == (200 if bad is None else 400), bad
        french = await browser.patch("/api/v1/me?language=fr", json={"name": "a\nb"})
        assert french.json()["error"]["message"].startswith("Un nom a de 1 à 24")

    with_server(tmp_path, test)
