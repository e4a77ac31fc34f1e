"""Pictures of the main pages, made anew by one command, for the README and for looking at them.

    python bench/screenshots.py                     # all of them into docs/images
    python bench/screenshots.py --only table replay --folder /tmp/pictures

Each page is taken on a desk (1280×800) and on a phone (360×640), light and dark; the table in French too. A
real server and a real Chromium are started for it; games are played as a visitor would.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from testkit.browser import chromium  # noqa: E402
from testkit.browser.table import Table, start_against_bots  # noqa: E402
from testkit.server.process import ServerProcess, serving  # noqa: E402

IMAGES = ROOT / "docs" / "images"
COLOURS = 256
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
SIZES = {"desk": DESK, "phone": PHONE}
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
TURNS_BEFORE = 5
"""Turns that are played before a table is taken, so that something lies on it."""


def landing(page: Page) -> None:
    """The first thing a visitor sees."""
    page.goto("/")


def lobby(page: Page) -> None:
    """Public tables: two that wait, one that can be watched."""
    page.goto("/lobby")


def table(page: Page) -> None:
    """One's turn in the middle of a game."""
    in_the_middle(page)


def draft(page: Page) -> None:
    """A draft that may not lie yet, with the reasons."""
    seat = in_the_middle(page)
    rack = seat.rack()
    for tile, _ in (rack[1], rack[2], rack[-1]):
        seat.rack_tile(tile).click()
    seat.find("new-set").click()
    seat.find("why").click()


def rummyo(page: Page) -> None:
    """The other family: stock, discards, melds before each player."""
    seat = start_against_bots(page, "rummyo", level="tournament", opponents=2)
    for _ in range(2 * TURNS_BEFORE):
        match seat.what_now():
            case "take" if seat.find("meld").count() >= 2:
                return
            case "take":
                seat.find("stock").click()
                seat.wait_while("take")
            case "throw":
                seat.throw_first()
            case _:
                return


def end(page: Page) -> None:
    """The score sheet."""
    table = start_against_bots(page, "wrc11", level="tournament", opponents=3)
    table.play_to_the_end()
    table.open_more()
    page.get_by_test_id("verify-shuffle").click()
    expect(page.get_by_test_id("verification")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")


def replay(page: Page) -> None:
    """A finished game, stepped through."""
    end(page)
    page.get_by_test_id("replay-link").click()
    expect(page.get_by_test_id("step-text")).to_be_visible()
    page.get_by_test_id("step-last").click()
    for _ in range(3):
        page.get_by_test_id("step-prev").click()


def rules(page: Page) -> None:
    """A rule book with its clauses."""
    page.goto("/rules/wrc11")


def tutorial(page: Page) -> None:
    """The first step of the first game."""
    page.goto("/tutorial")
    expect(page.get_by_test_id("tutorial-goal")).to_be_visible()


PICTURES: dict[str, Callable[[Page], None]] = {
    "landing": landing,
    "lobby": lobby,
    "table": table,
    "draft": draft,
    "rummyo": rummyo,
    "end": end,
    "replay": replay,
    "rules": rules,
    "tutorial": tutorial,
}


def in_the_middle(page: Page) -> Table:
    """One's turn in a game that has gone on for a while, with tiles on the table and enough on the rack."""
    for _ in range(10):
        seat = start_against_bots(page, "wrc11", level="club", opponents=3)
        for turn in range(TURNS_BEFORE):
            if seat.what_now() == "draw" and (turn % 2 or not seat.lay_by_hints()):
                seat.draw()
        if seat.what_now() == "draw" and len(seat.rack()) > 6 and len(seat.sets()) > 4:
            return seat
    raise AssertionError("ten games were over too soon")


def main(arguments: Sequence[str] | None = None) -> int:
    """Take every picture asked for and say how large they are together."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--folder", type=Path, default=IMAGES)
    parser.add_argument("--only", nargs="+", choices=PICTURES, default=list(PICTURES))
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    if "MELDROOM_PAGES" not in os.environ:
        subprocess.run([sys.executable, str(ROOT / "web" / "build.py")], check=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data) / "data", "--trusted-load", "--bot-pace", "0") as server,
        sync_playwright() as playwright,
    ):
        browser = chromium.launch(playwright.chromium)
        some_public_tables(browser, server)
        for name in options.only:
            take_all(browser, server, name, options.folder)
        browser.close()
    total = sum(path.stat().st_size for path in options.folder.glob("*.png"))
    print(f"{len(list(options.folder.glob('*.png')))} pictures in {options.folder}, {total / 1e6:.2f} MB")
    return 0


def some_public_tables(browser: Browser, server: ServerProcess) -> None:
    """A lobby that is not empty: two tables wait for somebody, one may be watched."""
    wishes = (("wrc11", 4, False), ("rummyo", 3, False), ("tml", 2, True))
    for (book, seats, begun), name in zip(wishes, ("Maud", "Ines", "Teo"), strict=True):
        context = browser.new_context(base_url=server.url)
        post = context.request.post
        post("/api/v1/session", data={"name": name, "language": "en"})
        chairs = ["me", *["club"] * (seats - 1)] if begun else ["me", "club", *["open"] * (seats - 2)]
        settings = {
            "book": book,
            "seats": seats,
            "public": True,
            "spectators": "live",
            "clock": {"kind": "off"},
        }
        answer = post("/api/v1/rooms", data={"settings": settings, "chairs": chairs, "begin": begun})
        assert answer.ok, answer.text()
        context.close()


def take_all(browser: Browser, server: ServerProcess, name: str, folder: Path) -> None:
    """One page in every size and theme; the table in French as well."""
    looks = [(size, theme, "en-GB") for size in SIZES for theme in THEMES]
    if name == "table":
        looks.append(("desk", "light", "fr-FR"))
    for size, theme, locale in looks:
        language = "-fr" if locale == "fr-FR" else ""
        take(browser, server, name, size, theme, locale, folder / f"{name}-{size}-{theme}{language}.png")


def take(
    browser: Browser, server: ServerProcess, name: str, size: str, theme: Theme, locale: str, path: Path
) -> None:
    """One picture, in few colours so that it stays small."""
    context = browser.new_context(
        base_url=server.url, locale=locale, color_scheme=theme, reduced_motion="reduce", **SIZES[size]
    )
    page = context.new_page()
    PICTURES[name](page)
    page.wait_for_load_state("networkidle")
    picture = Image.open(io.BytesIO(page.screenshot()))
    # An octree keeps rare colours, such as the joker's, that the usual median cut gives up.
    picture.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE).save(path, optimize=True)
    context.close()
    print(f"{path.name} {path.stat().st_size / 1000:.0f} KB", flush=True)


if __name__ == "__main__":
    sys.exit(main())
