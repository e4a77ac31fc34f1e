"""The plain http address of a hall: a page for every path, the certificate, nothing to misuse."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from meldroom.i18n import languages
from meldroom.server.https.authority import Authority
from meldroom.server.https.trust_site import CERTIFICATE, PROFILE, SYSTEMS, TrustSite


def asked(site: TrustSite, path: str, *, method: str = "GET", **headers: str) -> httpx.Response:
    async def answer() -> httpx.Response:
        transport = httpx.ASGITransport(site)
        async with httpx.AsyncClient(transport=transport, base_url="http://192.168.1.20:8000") as client:
            return await client.request(method, path, headers=headers)

    return asyncio.run(answer())


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority.opened(tmp_path)


@pytest.fixture
def site(authority: Authority) -> TrustSite:
    return TrustSite(authority, 8443)


@pytest.mark.parametrize("path", ["/", "/championship/abc?x=1", "/api/v1/session", "/hall/"])
def test_every_path_gives_the_page(site: TrustSite, authority: Authority, path: str) -> None:
    found = asked(site, path)
    assert (found.status_code, found.headers["cache-control"]) == (200, "no-store")
    assert "https://192.168.1.20:8443" in found.text
    assert authority.fingerprint in found.text
    assert "connect-src https://192.168.1.20:8443" in found.headers["content-security-policy"]


@pytest.mark.parametrize("language", languages())
def test_it_speaks_each_language_and_knows_each_device(site: TrustSite, language: str) -> None:
    found = asked(site, "/", **{"accept-language": language}).text
    assert f'<html lang="{language}">' in found
    assert [f'id="{system}"' in found for system in SYSTEMS] == [True] * len(SYSTEMS)


def test_the_files_are_what_devices_want(site: TrustSite, authority: Authority) -> None:
    found = asked(site, CERTIFICATE)
    assert (found.content, found.headers["content-type"]) == (authority.der, "application/x-x509-ca-cert")
    assert asked(site, PROFILE).headers["content-type"] == "application/x-apple-aspen-config"
    for file in ("/hall/trust.css", "/hall/trust.js"):
        assert asked(site, file).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["", 'x"><script>alert(1)</script>', "a;script-src *", "a b", "x" * 300, "é.local"],
)
def test_a_host_that_could_do_harm_is_not_repeated(site: TrustSite, host: str) -> None:
    assert site._site(host) == "https://localhost:8443"


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("hall.local:8000", "hall.local"),
        ("hall.local", "hall.local"),
        ("[fd00::5]:80", "[fd00::5]"),
        ("[::1]", "[::1]"),
    ],
)
def test_the_address_somebody_came_by_leads_on(site: TrustSite, host: str, name: str) -> None:
    assert site._site(host) == f"https://{name}:8443"


def test_nothing_can_be_sent_to_it(site: TrustSite) -> None:
    assert asked(site, "/", method="POST").status_code == 405
    assert asked(site, "/", method="HEAD").content == b""
