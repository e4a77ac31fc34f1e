"""The built pages: files with the right headers, and index.html for every page of the app."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import quote

import msgspec

from meldroom.i18n import Language, message, negotiate
from meldroom.server.web.asgi import Headers, Receive, Scope, Send, headers_of, is_secure, refuse, respond
from meldroom.server.web.content_policy import ENGINE_POLICY
from meldroom.server.web.page_paths import OFFLINE_APP, is_offline, is_page, moved
from meldroom.site.head import Head, head_of, with_head

INDEX = "index.html"
OFFLINE_INDEX = "offline.html"
ASSETS = "assets/"
ENGINE = "engine/"
WORKER = "assets/worker-"
_CHANGING = ("engine/files.json", "engine/licences.txt")
"""What of the engine has the same name in every version."""
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
    ".whl": "application/zip",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
}
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
MOST_KEPT = 400


Heads = Callable[[str, str, Language], Awaitable[Head | None]]
"""The head of the page at a path with a query; None if there is no such page after all."""


class _File(msgspec.Struct, frozen=True):
    body: bytes
    tag: str


class Pages:
    """Serves one folder; it may be built anew while it is served."""

    def __init__(self, folder: Path, heads: Heads | None = None, origin: str = "") -> None:
        """Serve a folder; `origin` is the site's own address, where a proxy changes the Host header."""
        self._folder = folder.resolve()
        self._heads = heads
        self._origin = origin
        self._kept: dict[tuple[str, int, int], _File] = {}

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer a GET or HEAD for anything that is not the API's."""
        if scope["method"] not in ("GET", "HEAD"):
            await refuse(scope, send, 405, "method_not_allowed", method=str(scope["method"])[:20])
            return
        headers = headers_of(scope)
        page = str(scope["path"])
        head = scope["method"] == "HEAD"
        if (there := moved(page)) is not None:
            await self._redirect(send, there, scope.get("query_string", b""), head)
            return
        # The folder of the offline app is like one on any file server: its files are in it.
        path, status = page.removeprefix(OFFLINE_APP).lstrip("/"), 200
        found = self._find(path)
        if found is None:
            if _is_file_name(path):
                await refuse(scope, send, 404, "not_found")
                return
            path = OFFLINE_INDEX if is_offline(page) else INDEX
            status, found = 200 if is_page(page) else 404, self._find(path)
            if found is not None:
                await self._send_page(send, scope, headers, found, status)
                return
        if found is None:
            text = message("server.no_pages", negotiate(headers.get("accept-language", ""))) + "\n"
            plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
            await respond(send, 503, text.encode(), plain, head=head)
            return
        await self._send(send, found, path, headers, head=head, status=status)

    async def _redirect(self, send: Send, path: str, query: bytes, head: bool) -> None:
        """To where a page has moved for good; a browser takes what follows the # along."""
        location = quote(path).encode() + (b"?" + query if query else b"")
        await respond(send, 308, b"", [(b"location", location), (b"cache-control", b"no-cache")], head=head)

    def _find(self, path: str) -> Path | None:
        """The file of a path inside the folder; None if there is none."""
        if not path or "\\" in path or "\0" in path or any(part.startswith(".") for part in path.split("/")):
            return None
        try:
            found = (self._folder / path).resolve()
            return found if found.is_relative_to(self._folder) and found.is_file() else None
        except (OSError, ValueError):
            return None

    async def _send_page(
        self, send: Send, scope: Scope, headers: dict[str, str], file: Path, status: int
    ) -> None:
        """A page of the app, with its own head in the language of whoever asks."""
        language = negotiate(headers.get("accept-language", ""))
        path, query = str(scope["path"]), scope.get("query_string", b"").decode("latin-1")
        head = None
        if status == 200 and self._heads is not None:
            head = await self._heads(path, query, language)
        if head is None:
            head, status = head_of("missing", language), status if self._heads is None else 404
        here = f"{'https' if is_secure(scope) else 'http'}://{headers.get('host', '')}"
        site = f"{self._origin or here}/"
        address = site + quote(path.lstrip("/")) + (f"?{query}" if query else "")
        body = with_head(self._read(file).body, head, address, site)
        answer = [*_headers(file, INDEX, _tag(body), ""), (b"vary", b"accept-language")]
        if status == 200 and headers.get("if-none-match") == _tag(body):
            await respond(send, 304, b"", answer)
            return
        if "gzip" in headers.get("accept-encoding", ""):
            body = gzip.compress(body, 6, mtime=0)
            answer.append((b"content-encoding", b"gzip"))
        await respond(send, status, body, answer, head=scope["method"] == "HEAD")

    async def _send(
        self, send: Send, file: Path, path: str, headers: dict[str, str], *, head: bool, status: int
    ) -> None:
        accepted = headers.get("accept-encoding", "")
        encoding, packed = "", file
        for name, ending in _ENCODINGS:
            candidate = file.with_name(file.name + ending)
            if name in accepted and candidate.is_file():
                encoding, packed = name, candidate
                break
        read = self._read(packed)
        answer = list(_headers(file, path, read.tag, encoding))
        if status == 200 and headers.get("if-none-match") == read.tag:
            await respond(send, 304, b"", answer)
            return
        await respond(send, status, read.body, answer, head=head)

    def _read(self, file: Path) -> _File:
        """A file's bytes, from memory as long as it has not changed."""
        found = file.stat()
        key = (str(file), found.st_mtime_ns, found.st_size)
        kept = self._kept.get(key)
        if kept is None:
            body = file.read_bytes()
            kept = _File(body, _tag(body))
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = kept
        return kept


def _tag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'


def _is_file_name(path: str) -> bool:
    """Whether somebody asked for a file rather than for a page of the app."""
    return path.startswith((ASSETS, ENGINE)) or Path(path).suffix in _TYPES


def _headers(file: Path, path: str, tag: str, encoding: str) -> Headers:
    kind = _TYPES.get(file.suffix, "application/octet-stream")
    lasting = path.startswith((ASSETS, ENGINE)) and path not in _CHANGING
    keep = b"public, max-age=31536000, immutable" if lasting else b"no-cache"
    headers = [
        (b"content-type", kind.encode()),
        (b"cache-control", keep),
        (b"etag", tag.encode()),
        (b"vary", b"accept-encoding"),
    ]
    if encoding:
        headers.append((b"content-encoding", encoding.encode()))
    if path.startswith(WORKER):
        headers.append(ENGINE_POLICY)
    return headers
