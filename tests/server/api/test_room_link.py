"""The link of a room: one that others can open, or the reason why only this computer can."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from meldroom.server.config import Config
from meldroom.server.web import reachable
from meldroom.server.web.reachable import ForOthers, for_others, network_addresses, only_here
from tests.server.api.near import Near, with_server

LAN = "192.168.7.7"


def found(opened: str, **config: Any) -> ForOthers:
    """What a server of this configuration answers."""
    return for_others(opened, Config(data=Path("data"), pages=Path("pages"), **config))


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with one address in its network."""
    monkeypatch.setattr(reachable, "network_addresses", lambda: [LAN])


@pytest.mark.parametrize("own", ["127.0.0.1", "localhost", "[::1]", "127.0.0.2"])
def test_an_address_of_this_computer_is_replaced_by_one_in_its_network(own: str) -> None:
    assert only_here(f"http://{own}:8000")
    for everywhere in ("0.0.0.0", "::"):
        assert found(f"http://{own}:8000", listening=(everywhere, 8000)) == ForOthers(f"http://{LAN}:8000")
    assert found(f"http://{own}:8000", listening=("127.0.0.1", 8000)) == ForOthers(alone="only_here")
    assert found(f"http://{own}:8000") == ForOthers(alone="only_here")
    assert found(f"http://{own}:9", listening=("192.168.1.4", 8000)) == ForOthers("http://192.168.1.4:8000")


@pytest.mark.parametrize(
    "opened", ["http://192.168.1.5:8000", "https://play.example", "http://[fd00::7]:8000"]
)
def test_an_address_that_others_can_open_is_right(opened: str) -> None:
    assert not only_here(opened)
    assert found(opened, listening=("127.0.0.1", 8000), origins=("https://other.example",)) == ForOthers(
        opened
    )


def test_behind_a_proxy_the_public_address_is_the_one() -> None:
    config: dict[str, Any] = {"listening": ("127.0.0.1", 8000), "origins": ("https://play.example",)}
    assert found("http://127.0.0.1:8000", **config) == ForOthers("https://play.example")


def test_with_a_certificate_it_is_https(tmp_path: Path) -> None:
    config: dict[str, Any] = {"listening": ("0.0.0.0", 8443), "certificate": tmp_path}
    assert found("https://localhost:8443", **config) == ForOthers(f"https://{LAN}:8443")


def test_in_a_hall_the_plain_address_leads_on() -> None:
    config: dict[str, Any] = {"listening": ("0.0.0.0", 8443), "certificate": Path("c"), "hall_port": 8000}
    assert found("https://localhost:8443", **config) == ForOthers(f"http://{LAN}:8000")
    assert found("https://192.168.1.5:8443", **config) == ForOthers("http://192.168.1.5:8000")


def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reachable, "network_addresses", list)
    assert found("http://127.0.0.1:8000", listening=("0.0.0.0", 8000)) == ForOthers(alone="no_network")


def test_no_address_of_the_network_is_this_computers_own() -> None:
    assert not any(only_here(f"http://{one}") for one in network_addresses())


def test_a_room_has_a_link_for_others_and_its_qr_code(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada = near.browser()
        await ada.post("/api/v1/session", json={"name": "Ada"})
        wanted = {"settings": {"book": "wrc11"}, "chairs": ["me", "open"]}
        room = (await ada.post("/api/v1/rooms", json=wanted)).json()["room"]
        answer = await near.browser().get(f"/api/v1/rooms/{room}/link")
        assert answer.json() == {"link": f"http://{LAN}:8123/r/{room}", "alone": None}
        picture = await ada.get(f"/api/v1/rooms/{room}/link.svg")
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert b"<svg" in picture.content
        named = await ada.get(f"/api/v1/rooms/{room}/link", headers={"host": "play.example"})
        assert named.json() == {"link": f"http://play.example/r/{room}", "alone": None}
        far = {"x-forwarded-for": "192.0.2.9"}
        told = await ada.get(f"/api/v1/rooms/{room}/link", headers=far)
        assert told.json() == {"link": "", "alone": "only_here"}, "our network is nobody else's business"
        assert (await ada.get("/api/v1/rooms/nowhere/link")).status_code == 404

    with_server(tmp_path, test, listening=("0.0.0.0", 8123))


def test_where_only_this_computer_can_open_it_there_is_no_qr_code(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada = near.browser()
        await ada.post("/api/v1/session", json={"name": "Ada"})
        wanted = {"settings": {"book": "wrc11"}, "chairs": ["me", "open"]}
        room = (await ada.post("/api/v1/rooms", json=wanted)).json()["room"]
        answer = await ada.get(f"/api/v1/rooms/{room}/link")
        assert answer.json() == {"link": "", "alone": "only_here"}
        assert (await ada.get(f"/api/v1/rooms/{room}/link.svg")).status_code == 404

    with_server(tmp_path, test, listening=("127.0.0.1", 8123))
