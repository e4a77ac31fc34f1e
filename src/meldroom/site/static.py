"""The offline app as plain files for any file server, made from the pages that our own server offers.

Every page is a file in a folder of its own and names its files relatively, so that the site works in whatever
folder it is put. The list that the app checks its downloads against is written anew for what was changed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import msgspec

from meldroom.decode import decode_json
from meldroom.i18n import DEFAULT, languages, message
from meldroom.site.errors import SiteError
from meldroom.site.head import PICTURE, head_of, with_head

FOLDERS = (
    "",
    "new",
    "r",
    "games",
    "profile",
    "rules",
    "g",
    "position",
    "tutorial",
    "puzzles",
    "referee",
    "storage",
    "text",
)
"""The pages of the offline app, as the client's `base.ts` has them."""
TEMPLATE = "offline.html"
LIST = "engine/files.json"
WORKER = "sw.js"
MARK = ".meldroom-site.json"
"""Names the files that were written, so that the next time nothing else is touched."""
NEEDS_NO_LIST = (WORKER, PICTURE)
PACKED = (".br", ".gz")
MAY_BE_THERE = frozenset({"CNAME"})
"""Files of the host's own in a folder that counts as empty, besides hidden ones (.git, .nojekyll)."""

_BASE = re.compile(r'<meta name="meldroom-base"[^>]*>')
_ONLINE = re.compile(r'<meta name="meldroom-online"[^>]*>')
_MANIFEST = re.compile(r"manifest(?:\.\w+)?\.webmanifest")

Report = Callable[[str], None]
"""Told the name of each file that has been written."""


class Entry(msgspec.Struct, frozen=True):
    """A file of the app: its size, about its size on the way, and its hash."""

    path: str
    bytes: int
    packed: int
    sha256: str


class FileList(msgspec.Struct, frozen=True):
    """What `engine/files.json` holds."""

    version: str
    files: tuple[Entry, ...]


class Written(msgspec.Struct, frozen=True):
    """What has been written: how many files, how many bytes, and about how many a visitor downloads."""

    files: int
    bytes: int
    download: int


def write_site(
    pages: Path,
    out: Path,
    *,
    url: str = "",
    online: str = "",
    precompressed: bool = False,
    report: Report = lambda name: None,
) -> Written:
    """Write the site into a folder that is empty or holds an earlier one. Raises SiteError.

    `url` is where the site will be, for previews of links; `online` is a server to play with friends on.
    `precompressed` adds a .br and a .gz beside each file, for servers that send those.
    """
    if not (pages / TEMPLATE).is_file():
        raise SiteError("no_pages")
    if not (pages / LIST).is_file():
        raise SiteError("no_engine")
    listed = decode_json((pages / LIST).read_bytes(), FileList)
    site = _folder_url(url)
    before = _earlier(out)
    changed = {**dict(_pages(pages, site, online)), **dict(_manifests(pages, site))}
    entries = [entry for entry in listed.files if entry.path != TEMPLATE and entry.path not in changed]
    entries += [_entry(path, content) for path, content in changed.items()]
    changed[LIST] = _list(entries)
    changed["404.html"] = _missing(site)
    # GitHub Pages would otherwise run the files through a tool of its own.
    changed[".nojekyll"] = b""
    copied = [entry.path for entry in listed.files if entry.path not in changed and entry.path != TEMPLATE]
    copied += [name for name in NEEDS_NO_LIST if (pages / name).is_file()]
    writing = _Writing(pages, out, precompressed, report)
    for path in copied:
        writing.copy(path)
    for path, content in changed.items():
        writing.write(path, content)
    writing.finish(before)
    return Written(len(writing.written), writing.bytes, sum(entry.packed for entry in entries))


def _folder_url(url: str) -> str:
    """The address of the site's folder, with a slash at its end. Raises SiteError."""
    if not url:
        return ""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise SiteError("bad_url", url=url)
    return url if url.endswith("/") else url + "/"


def _earlier(out: Path) -> tuple[str, ...]:
    """The files of an earlier site in the folder. Raises SiteError where something else is."""
    if out.exists() and not out.is_dir():
        raise SiteError("not_a_folder", folder=str(out))
    mark = out / MARK
    if mark.is_file():
        return decode_json(mark.read_bytes(), tuple[str, ...])
    if out.is_dir():
        found = sorted(path.name for path in out.iterdir())
        others = [name for name in found if not name.startswith(".") and name not in MAY_BE_THERE]
        if others:
            raise SiteError("not_empty", folder=str(out), name=others[0])
    return ()


def _pages(pages: Path, site: str, online: str) -> Iterator[tuple[str, bytes]]:
    """A page for each folder, with its own way to the files."""
    template = (pages / TEMPLATE).read_text(encoding="utf-8")
    head = head_of("offline", DEFAULT)
    for folder in FOLDERS:
        up = "../" if folder else "./"
        own = re.sub(r'((?:src|href)=")/', rf"\g<1>{up}", template)
        own = _BASE.sub(f'<meta name="meldroom-base" content="{up}" />', own)
        there = f'<meta name="meldroom-online" content="{escape(online)}" />' if online else ""
        own = _ONLINE.sub(lambda _, there=there: there, own)  # type: ignore[misc]
        address = urljoin(site, f"{folder}/") if folder else site
        yield f"{folder}/index.html" if folder else "index.html", with_head(own.encode(), head, address, site)


def _manifests(pages: Path, site: str) -> Iterator[tuple[str, bytes]]:
    """The manifests, for an app that begins in the site's own folder."""
    for path in sorted(pages.iterdir()):
        if not _MANIFEST.fullmatch(path.name):
            continue
        manifest = json.loads(path.read_text(encoding="utf-8"))
        # Without an id of its own an app is known by where it begins, which is right in any folder.
        manifest.pop("id", None)
        if site:
            manifest["id"] = urlsplit(site).path
        manifest["start_url"] = manifest["scope"] = "./"
        for shortcut in manifest.get("shortcuts", ()):
            shortcut["url"] = "./" + shortcut["url"].removeprefix("offline/")
        yield path.name, json.dumps(manifest, ensure_ascii=False).encode()


def _missing(site: str) -> bytes:
    """A page for unknown addresses. It may be shown at any depth, so it needs no other file."""
    said = "".join(
        f'<div lang="{code}"><h1>{escape(message("site.error_page.title", code))}</h1>'
        f'<p><a href="{escape(site or "./")}">{escape(message("site.error_page.home", code))}</a></p></div>'
        for code in languages()
    )
    title = escape(message("site.missing.title", DEFAULT))
    return (
        f'<!doctype html>\n<html lang="{DEFAULT}">\n<head><meta charset="utf-8" /><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1" />'
        '<meta name="robots" content="noindex" /><meta name="color-scheme" content="light dark" /></head>\n'
        f"<body>{said}</body>\n</html>\n"
    ).encode()


def _entry(path: str, content: bytes) -> Entry:
    packed = len(gzip.compress(content, 9, mtime=0))
    return Entry(path, len(content), packed, hashlib.sha256(content).hexdigest())


def _list(entries: list[Entry]) -> bytes:
    """The list with a version of its own: the same files are the same version."""
    entries.sort(key=lambda entry: entry.path)
    known = json.dumps([(entry.path, entry.sha256) for entry in entries])
    version = hashlib.sha256(known.encode()).hexdigest()[:16]
    return msgspec.json.encode(FileList(version, tuple(entries)))


class _Writing:
    """Writes files into a folder, and remembers which."""

    def __init__(self, pages: Path, out: Path, precompressed: bool, report: Report) -> None:
        self._pages = pages
        self._out = out
        self._precompressed = precompressed
        self._report = report
        self.written: list[str] = []
        self.bytes = 0

    def copy(self, path: str) -> None:
        """A file of the built pages, as it is."""
        names = [path]
        if self._precompressed:
            names += [path + ending for ending in PACKED if (self._pages / (path + ending)).is_file()]
        for name in names:
            shutil.copyfile(self._pages / name, self._place(name))
            self._done(name)

    def write(self, path: str, content: bytes) -> None:
        """A file with this content."""
        packed = {f"{path}.gz": gzip.compress(content, 9, mtime=0)} if self._precompressed and content else {}
        for name, body in {path: content, **packed}.items():
            place = self._place(name)
            # A page is never half written: somebody may be loading it.
            making = place.with_name(f".{place.name}-{os.getpid()}")
            making.write_bytes(body)
            making.replace(place)
            self._done(name)

    def _place(self, name: str) -> Path:
        place = self._out / name
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def _done(self, name: str) -> None:
        self.written.append(name)
        self.bytes += (self._out / name).stat().st_size
        self._report(name)

    def finish(self, before: tuple[str, ...]) -> None:
        """Name what was written, then remove what an earlier site had and this one has not."""
        mark = json.dumps(sorted(self.written), indent=0).encode()
        (self._out / MARK).write_bytes(mark)
        for name in set(before) - set(self.written):
            old = (self._out / name).resolve()
            if old.is_relative_to(self._out.resolve()):
                old.unlink(missing_ok=True)
