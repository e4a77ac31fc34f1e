"""Small things that a security review asks for, and that nothing else tries."""

from __future__ import annotations

from pathlib import Path

from tests.server.api.near import Near, with_server


def test_passwords_are_eight_to_two_hundred_signs_of_any_kind(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        tried = {
            "xkrj294": 400,
            "xkrj2941": 201,
            "tuile rouge " * 12: 201,
            "é漢🂡 ~\\'\"<>&": 201,
            "a" * 201: 400,
        }
        for number, (password, status) in enumerate(tried.items()):
            guest = await near.guest("Ada")
            made = await guest.post("/api/v1/account", json={"account": f"ada{number}", "password": password})
            assert made.status_code == status, (password, made.text)

    with_server(tmp_path, test)


def test_nothing_is_traced_listed_or_kept(tmp_path: Path) -> None:
    """No TRACE, no list of a folder, and no cache keeps what the API answers."""

    async def test(near: Near) -> None:
        browser = await near.guest("Ada")
        for path in ("/", "/api/v1/me"):
            assert (await browser.request("TRACE", path)).status_code in (403, 404, 405)
        for path in ("/assets", "/assets/", "/engine/"):
            answer = await browser.get(path)
            assert answer.status_code in (404, 503)
            assert "index" not in answer.text.lower()
        for path in ("/api/v1/me", "/api/v1/rooms/mine", "/api/v1/sessions", "/api/v1/tokens"):
            assert (await browser.get(path)).headers["cache-control"] == "no-store"

    with_server(tmp_path, test)
