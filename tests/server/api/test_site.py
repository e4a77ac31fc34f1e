"""The front door: headers, origins, sizes, limits, pages, signs of life."""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from meldroom.i18n import negotiate
from meldroom.rooms.rate_limit import Allowance, Limiter
from meldroom.server.config import Limits
from meldroom.server.web.origin import is_own
from meldroom.server.web.page_paths import PAGES
from meldroom.site.static import FOLDERS
from tests.server.api.near import Near, with_server

ROOT = Path(__file__).resolve().parents[3]


def pages_in(folder: Path) -> Path:
    """A built front end, as small as one can be."""
    pages = folder / "pages"
    (pages / "assets").mkdir(parents=True)
    (pages / "index.html").write_text("<!doctype html><title>Meldroom</title>", encoding="utf-8")
    (pages / "assets" / "app-1234.js").write_text("let a = 1", encoding="utf-8")
    (pages / "assets" / "app-1234.js.br").write_bytes(b"brotli bytes")
    (pages / "assets" / "app-1234.js.gz").write_bytes(gzip.compress(b"let a = 1"))
    (folder / "secret.txt").write_text("secret", encoding="utf-8")
    return pages


def test_every_answer_has_the_security_headers(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        for path in ("/", "/r/abc", "/assets/app-1234.js", "/api/v1/me", "/api/v1/nothing", "/healthz"):
            headers = (await browser.get(path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "script-src 'self'" in policy
            assert "frame-ancestors 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"
            assert "camera=()" in headers["permissions-policy"]
            assert "server" not in headers

    with_server(tmp_path, test, pages=pages_in(tmp_path))


def test_pages_assets_and_the_fallback(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser(**{"accept-encoding": "identity"})
        for path in ("/", "/lobby", "/r/k3f9qz", "/rules/wrc11/against/wrc9", "/index.html"):
            page = await browser.get(path)
            assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
            assert "<title>Meldroom" in page.text
        asset = await browser.get("/assets/app-1234.js")
        assert asset.text == "let a = 1"
        assert asset.headers["content-type"].startswith("text/javascript")
        assert "immutable" in asset.headers["cache-control"]
        tag = asset.headers["etag"]
        again = await browser.get("/assets/app-1234.js", headers={"if-none-match": tag})
        assert again.status_code == 304
        head = await browser.head("/assets/app-1234.js")
        assert (head.status_code, head.text, head.headers["content-length"]) == (200, "", "9")
        for missing in ("/assets/none.js", "/favicon.ico", "/x.css"):
            assert (await browser.get(missing)).status_code == 404
        assert (await browser.post("/lobby")).status_code == 405
        async with browser.stream(
            "GET", "/assets/app-1234.js", headers={"accept-encoding": "gzip, br"}
        ) as raw:
            assert raw.headers["content-encoding"] == "br"
            assert b"".join([part async for part in raw.aiter_raw()]) == b"brotli bytes"

    with_server(tmp_path, test, pages=pages_in(tmp_path))


def test_an_unknown_page_is_the_apps_own_with_404(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        for path in ("/nowhere", "/r", "/championship/k3f9qz/kitchen", "/rules/a/b", "//evil.example"):
            page = await browser.get(near.url + path)
            assert page.status_code == 404, path
            assert "<title>Meldroom" in page.text

    with_server(tmp_path, test, pages=pages_in(tmp_path))


def test_links_of_version_0_1_lead_to_where_the_page_is_now(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        for old, new in (
            ("/events", "/championships"),
            ("/e/k3f9qz", "/championship/k3f9qz"),
            ("/e/k3f9qz/p/7?part=draw", "/championship/k3f9qz/p/7?part=draw"),
            ("/e/k3f9qz/table/3", "/championship/k3f9qz/table/3"),
            ("/e//evil.example", "/championship//evil.example"),
        ):
            answer = await browser.get(old)
            assert (answer.status_code, answer.headers["location"]) == (308, new)
        assert (await browser.get("/eve")).status_code == 404

    with_server(tmp_path, test, pages=pages_in(tmp_path))


def test_the_server_knows_the_pages_of_the_clients_router() -> None:
    sources = [
        path for path in (ROOT / "web" / "src").rglob("*.ts") if "ROUTES: readonly" in path.read_text("utf-8")
    ]
    assert len(sources) == 1
    routes = re.findall(r"^  \['(/[^']*)', '\w+'\]", sources[0].read_text("utf-8"), re.MULTILINE)

    def shapes(paths: Sequence[str]) -> set[str]:
        return {re.sub(":[a-z]+", ":", path) for path in paths}

    assert shapes(routes) == shapes(PAGES)


def test_the_server_knows_the_folders_of_the_offline_app() -> None:
    source = (ROOT / "web" / "src" / "base.ts").read_text("utf-8")
    listed = source.partition("FOLDERS = [")[2].partition("]")[0]
    assert tuple(re.findall("'([^']*)'", listed)) == FOLDERS


def test_the_offline_app_has_its_own_page_at_a_fixed_set_of_addresses(tmp_path: Path) -> None:
    folder = pages_in(tmp_path)
    (folder / "offline.html").write_text("<title>offline</title>")

    async def test(near: Near) -> None:
        browser = near.browser()
        for path in ("/offline/", "/offline/new/", "/offline/r/?at=abc", "/offline/storage/"):
            answer = await browser.get(path)
            assert (answer.status_code, answer.text) == (200, "<title>offline</title>"), path
        for path in ("/offline/lobby/", "/offline/r/abc", "/offline/championships"):
            answer = await browser.get(path)
            assert (answer.status_code, answer.text) == (404, "<title>offline</title>"), path
        for forgotten, there in (
            ("/offline?x=1", "/offline/?x=1"),
            ("/offline/r?at=abc", "/offline/r/?at=abc"),
            ("/offline/index.html", "/offline/"),
            ("/offline/new/index.html", "/offline/new/"),
        ):
            answer = await browser.get(forgotten)
            assert (answer.status_code, answer.headers["location"]) == (308, there)

    with_server(tmp_path, test, pages=folder)


def test_the_folder_of_the_offline_app_holds_its_files(tmp_path: Path) -> None:
    """As `meldroom site` writes it: the service worker answers for this folder only."""
    folder = pages_in(tmp_path)
    (folder / "offline.html").write_text("<title>offline</title>")
    (folder / "sw.js").write_text("self")
    (folder / "assets" / "worker-1234.js").write_text("let worker")
    (folder / "engine" / "pyodide-1").mkdir(parents=True)
    (folder / "engine" / "pyodide-1" / "pyodide.asm.wasm").write_bytes(b"wasm" * 3)
    (folder / "engine" / "pyodide-1" / "pyodide.asm.wasm.br").write_bytes(b"packed")
    (folder / "engine" / "pyodide-1" / "pyodide.mjs").write_text("export {}")
    (folder / "engine" / "meldroom-1.zip").write_bytes(b"PK")
    (folder / "engine" / "files.json").write_text("{}")

    async def test(near: Near) -> None:
        browser = near.browser(**{"accept-encoding": "identity"})
        for start in ("/", "/offline/"):
            for path, kind, keep in (
                ("engine/pyodide-1/pyodide.asm.wasm", "application/wasm", "immutable"),
                ("engine/pyodide-1/pyodide.mjs", "text/javascript", "immutable"),
                ("engine/meldroom-1.zip", "application/zip", "immutable"),
                ("engine/files.json", "application/json", "no-cache"),
                ("assets/app-1234.js", "text/javascript", "immutable"),
                ("sw.js", "text/javascript", "no-cache"),
            ):
                answer = await browser.get(start + path)
                assert answer.status_code == 200, path
                assert answer.headers["content-type"].startswith(kind), path
                assert keep in answer.headers["cache-control"], path
        wasm = "/offline/engine/pyodide-1/pyodide.asm.wasm"
        head = await browser.head(wasm)
        assert (head.status_code, head.text, head.headers["content-length"]) == (200, "", "12")
        async with browser.stream("GET", wasm, headers={"accept-encoding": "br"}) as packed:
            assert packed.headers["content-encoding"] == "br"
            assert b"".join([part async for part in packed.aiter_raw()]) == b"packed"
        for missing in ("/engine/none", "/offline/engine/none.zip", "/offline/assets/none.js"):
            assert (await browser.get(missing)).status_code == 404

    with_server(tmp_path, test, pages=folder)


def test_only_the_worker_with_the_engine_may_compile_webassembly(tmp_path: Path) -> None:
    folder = pages_in(tmp_path)
    (folder / "offline.html").write_text("<title>offline</title>")
    (folder / "assets" / "worker-1234.js").write_text("let worker")

    async def test(near: Near) -> None:
        browser = near.browser()

        async def scripts(path: str) -> str:
            policy = (await browser.get(path)).headers["content-security-policy"]
            assert "default-src 'self'; " in policy
            assert "connect-src 'self'; " in policy
            return policy.partition("script-src ")[2].partition(";")[0]

        for path in ("/assets/worker-1234.js", "/offline/assets/worker-1234.js"):
            assert await scripts(path) == "'self' 'wasm-unsafe-eval'"
        for path in ("/", "/offline/", "/assets/app-1234.js", "/api/v1/catalogue"):
            assert await scripts(path) == "'self'"

    with_server(tmp_path, test, pages=folder)


def test_nothing_outside_the_folder_is_served(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        for path in (
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/..%2f..%2fsecret.txt",
            "/..%5csecret.txt",
        ):
            answer = await browser.get(path)
            assert "secret" not in answer.text.replace("secret.txt", "")
        assert (await browser.get("/%00")).status_code == 404

    with_server(tmp_path, test, pages=pages_in(tmp_path))


def test_without_built_pages_it_says_so(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        answer = await near.browser(**{"accept-language": "fr-CA,fr;q=0.9"}).get("/")
        assert answer.status_code == 503
        assert "n’ont pas été construites" in answer.text

    with_server(tmp_path, test)


def test_signs_of_life(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        assert (await browser.get("/healthz")).text == "ok\n"
        assert (await browser.get("/readyz")).text == "ready\n"
        await near.guest()
        async with near.socket(await near.guest()) as talk:
            await talk.hello()
            metrics = (await browser.get("/metrics")).text
        assert "meldroom_clients 1\n" in metrics
        assert 'meldroom_http_answers_total{status="201"} 2\n' in metrics
        assert "# TYPE meldroom_append_seconds histogram" in metrics
        for line in metrics.splitlines():
            assert line.startswith(("# HELP meldroom_", "# TYPE meldroom_", "meldroom_")), line

    with_server(tmp_path, test)


def test_another_site_may_change_nothing(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        for origin in ("https://evil.example", "null", near.url.replace("127.0.0.1", "localhost"), "x"):
            answer = await near.browser(origin=origin).post("/api/v1/session", json={})
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "wrong_origin")
            assert "set-cookie" not in answer.headers
        cross = near.browser(**{"sec-fetch-site": "cross-site"})
        assert (await cross.post("/api/v1/session", json={})).status_code == 403
        assert (await near.browser(origin=near.url).post("/api/v1/session", json={})).status_code == 201
        named = near.browser(origin="https://play.example")
        assert (await named.post("/api/v1/session", json={})).status_code == 201

    with_server(tmp_path, test, origins=("https://play.example",))


@pytest.mark.parametrize(
    ("origin", "host", "scheme", "own"),
    [
        ("http://a.example", "a.example", "http", True),
        ("http://a.example:80", "a.example", "http", True),
        ("https://a.example", "a.example:443", "https", True),
        ("https://a.example", "a.example", "http", False),
        ("http://a.example:8000", "a.example:8001", "http", False),
        ("http://[::1]:8000", "[::1]:8000", "http", True),
        ("http://a.example:x", "a.example", "http", False),
        ("http://", "", "http", False),
    ],
)
def test_the_same_origin_is_scheme_host_and_port(origin: str, host: str, scheme: str, own: bool) -> None:
    assert is_own({"origin": origin, "host": host}, scheme, ()) is own


def test_bad_bodies_are_refused_with_a_place(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest()
        room = {"settings": {"book": "wrc11"}, "chairs": ["me", "club"]}
        for body, place in (
            ({**room, "settings": {"book": "wrc11", "seats": "3"}}, "settings.seats"),
            ({**room, "settings": {"book": "wrc11", "seats": 9}}, "settings.seats"),
            ({**room, "settings": {}}, "settings"),
            ({**room, "colour": "red"}, ""),
            ({**room, "chairs": "me"}, "chairs"),
            ({**room, "chairs": [1]}, "chairs[0]"),
        ):
            answer = await browser.post("/api/v1/rooms", json=body)
            assert answer.status_code == 400, body
            assert answer.json()["error"]["code"] == "bad_request"
            assert answer.json()["error"]["place"] == place
        json = {"content-type": "application/json"}
        for raw in (b"{", b"\xff\xfe", b"[" * 5000, b"null", b'"\\ud800"', b"{}" * 2):
            answer = await browser.post("/api/v1/rooms", content=raw, headers=json)
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request"), raw
        large = await browser.post("/api/v1/rooms", content=b" " * 70_000, headers=json)
        assert (large.status_code, large.json()["error"]["code"]) == (413, "too_large")

    with_server(tmp_path, test)


def test_a_flood_of_requests_is_slowed_down(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = await near.guest()
        answers = [await browser.get("/api/v1/me") for _ in range(8)]
        assert [one.status_code for one in answers] == [200] * 5 + [429] * 3
        assert answers[-1].json()["error"]["code"] == "too_many"
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert (await near.guest()).cookies
        assert [(await near.browser().get("/api/v1/me")).status_code for _ in range(3)] == [401, 401, 429]
        assert (await near.browser().get("/healthz")).status_code == 200

    slow = Limits(requests_of_session=Allowance(5, 0.001), requests_of_address=Allowance(12, 0.001))
    with_server(tmp_path, test, usual=slow)


def test_an_allowance_fills_again() -> None:
    now = 0.0
    limiter = Limiter(Allowance(2, 0.5), lambda: now)
    assert [limiter.wait("a") for _ in range(3)] == [0, 0, 2]
    assert limiter.wait("b") == 0
    now = 2.0
    assert [limiter.wait("a") for _ in range(2)] == [0, 2]


def test_the_browsers_language_is_found() -> None:
    assert negotiate("fr-FR,fr;q=0.9,en;q=0.8") == "fr"
    assert negotiate("en;q=0.3, fr;q=0.8") == "fr"
    assert negotiate("de, en-GB;q=0.5") == "en"
    assert negotiate("fr;q=x") == "fr"
    assert negotiate("") == "en"
