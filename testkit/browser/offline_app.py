"""The offline app in a browser: open it, wait for its engine, and make another version of its build."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Page, expect

from testkit.browser.table import Table

PATIENCE = 60_000
"""Milliseconds that the engine may take to start on a busy machine."""
QUICK_BOTS = {"open_home(store)": "open_home(store, bot_pace=0, start_phase=0)"}
"""What makes the bots of a build answer as soon as they can."""


def open_app(page: Page, path: str = "/offline/") -> None:
    """Open the start of the app and wait until a game can be started."""
    page.goto(path)
    expect(page.locator("form button.play")).to_be_enabled(timeout=PATIENCE)
    book = page.get_by_test_id("play-book").or_(page.locator("form select").first)
    expect(book.locator("option[value=wrc11]")).to_be_attached(timeout=PATIENCE)


def wait_until_kept(page: Page) -> None:
    """Wait until the service worker answers for the page, so that it opens without a network."""
    page.wait_for_function("() => navigator.serviceWorker.controller !== null", timeout=PATIENCE)


def wait_for(page: Page, promise: str) -> None:
    """Wait until what a script promises is true; `wait_for_function` takes any promise for true."""
    ends = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(promise):
        assert time.monotonic() < ends, f"not in time: {promise}"
        page.wait_for_timeout(50)


def start_game(page: Page, book: str, *, level: str = "beginner", opponents: int = 1) -> Table:
    """From the start of the app to a table in play."""
    form = page.locator("form", has=page.locator("button.play"))
    form.locator("select").first.select_option(book)
    form.locator("select").nth(1).select_option(level)
    form.locator(f"input[type=radio][value='{opponents}']").check(force=True)
    form.locator("button.play").click()
    expect(page.get_by_test_id("rack")).to_be_visible(timeout=PATIENCE)
    return Table(page, book)


def copy_build(pages: Path, to: Path) -> Path:
    """A build of its own, to be changed at will."""
    shutil.copytree(pages, to)
    return to


def change_build(pages: Path, file: str, replaced: Mapping[str, str]) -> str:
    """Change the text of the one file that fits a pattern, with the list of files; the new version's name."""
    (found,) = [path for path in pages.glob(file) if path.suffix not in (".br", ".gz")]
    text = found.read_text(encoding="utf-8")
    for old, new in replaced.items():
        assert old in text, f"{found.name} has no {old!r}"
        text = text.replace(old, new)
    found.write_text(text, encoding="utf-8")
    for ending in (".br", ".gz"):
        found.with_name(found.name + ending).unlink(missing_ok=True)
    return _list_again(pages, found)


def pack_build(pages: Path, *patterns: str) -> None:
    """List files packed, as for a host that does not compress what it sends."""
    for pattern in patterns:
        for packed in pages.glob(f"{pattern}.gz"):
            plain = packed.with_suffix("")
            plain.unlink()
            _list_again(pages, packed, listed_as=plain)


def _list_again(pages: Path, changed: Path, listed_as: Path | None = None) -> str:
    source = pages / "engine" / "files.json"
    listed = json.loads(source.read_text(encoding="utf-8"))
    content = changed.read_bytes()
    for entry in listed["files"]:
        if entry["path"] == (listed_as or changed).relative_to(pages).as_posix():
            entry.update(path=changed.relative_to(pages).as_posix())
            digest = hashlib.sha256(content).hexdigest()
            entry.update(bytes=len(content), packed=len(content), sha256=digest)
    version = hashlib.sha256(json.dumps(listed["files"]).encode()).hexdigest()[:16]
    source.write_text(json.dumps({**listed, "version": version}), encoding="utf-8")
    return version
