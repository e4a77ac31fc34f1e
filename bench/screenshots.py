"""Pictures of the main pages, made anew by one command, for the README and for looking at them.

    python bench/screenshots.py                     # all of them into docs/images
    python bench/screenshots.py --only table replay --folder /tmp/pictures
    python bench/screenshots.py --ten --source ../old --folder /tmp/before     # another checkout
    python bench/screenshots.py --ten --folder /tmp/after --beside /tmp/before

Each page is taken on a desk (1280×800) and on a phone (360×640), light and dark; the table in French too. A
real server and a real Chromium are started for it. `--ten` takes the ten most used states, light on a desk
and dark on a phone; `--beside` puts each to the right of what another run left there. The tiles are then
the same, except where a whole game is played.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from testkit.browser import chromium  # noqa: E402
from testkit.browser.staged import Stage  # noqa: E402
from testkit.browser.table import Table, start_against_bots  # noqa: E402
from testkit.server.checkout import HERE, serving_checkout  # noqa: E402
from testkit.server.process import ServerProcess  # noqa: E402

IMAGES = ROOT / "docs" / "images"
COLOURS = 256
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
SIZES = {"desk": DESK, "phone": PHONE}
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
TEN_LOOKS: tuple[tuple[str, Theme], ...] = (("desk", "light"), ("phone", "dark"))
MOST_TAKES = 10
MIDDLE = (
    "R1 R2 R3 R4 R5",
    "K5 K6 K7 K8",
    "R7 B7 O7",
    "R9 B9 O9 K9",
    "B10 B11 B12 B13",
    "O4 O5 O6",
    "R8 B8 * K8",
    "K11 K12 K13",
    "R13 O13 K13",
    "B2 B3 B4",
)
"""The middle of a game."""
RACK = "K1 K2 R6 R10 R11 B1 B5 B8 O1 O2 O10 O13"


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
    lay_nonsense(seat)
    seat.find("why").click()


def question(page: Page) -> None:
    """Before something that cannot be taken back."""
    seat = in_the_middle(page)
    lay_nonsense(seat)
    seat.find("draw").click()
    expect(seat.find("ask-yes")).to_be_visible()


def panel(page: Page) -> None:
    """Talk, options and what happened."""
    seat = in_the_middle(page)
    seat.find("chat-toggle").click()
    expect(seat.find("panel")).to_be_visible()


def hint(page: Page) -> None:
    """All that the hints say."""
    seat = start_against_bots(page, "wrc11")
    seat.until_playable()
    seat.find("hint").click()
    for _ in range(3):
        more = seat.find("hint-next")
        expect(more).to_be_visible()
        more.click()
    expect(seat.find("hint-next")).to_have_count(0)


def rummyo(page: Page) -> None:
    """The other family: stock, discards, melds before each player."""
    seat = start_against_bots(page, "rummyo", level="tournament", opponents=2)
    for _ in range(MOST_TAKES):
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
    start_against_bots(page, "wrc11", level="tournament", opponents=3).play_to_the_end()
    expect(page.get_by_test_id("score-sheet")).to_be_visible()


def replay(page: Page) -> None:
    """A finished game, stepped through."""
    end(page)
    link, more = page.get_by_test_id("replay-link"), page.get_by_test_id("more")
    if more.count() and not link.is_visible():
        more.click()
    link.click()
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
    "question": question,
    "hint": hint,
    "panel": panel,
    "rummyo": rummyo,
    "end": end,
    "replay": replay,
    "rules": rules,
    "tutorial": tutorial,
}


TEN = ("landing", "tutorial", "table", "draft", "question", "hint", "panel", "rummyo", "end", "replay")
"""The states that people are in most."""


def in_the_middle(page: Page) -> Table:
    """One's turn in a game that has gone on for a while."""
    stage = Stage(page)
    stage.set(MIDDLE, RACK)
    return stage.play(opponents=3)


def lay_nonsense(seat: Table) -> None:
    """Three tiles of the rack that are no set, as a new one."""
    rack = seat.rack()
    for tile, _ in (rack[1], rack[2], rack[-1]):
        seat.rack_tile(tile).click()
    seat.find("new-set").click()
    expect(seat.find("why")).to_be_visible()


def main(arguments: Sequence[str] | None = None) -> int:
    """Take every picture asked for and say how large they are together."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--folder", type=Path, default=IMAGES)
    parser.add_argument("--only", nargs="+", choices=PICTURES)
    parser.add_argument("--ten", action="store_true", help="the ten most used states, in two looks")
    parser.add_argument("--source", type=Path, default=HERE, help="the checkout to take pictures of")
    parser.add_argument("--pages", type=Path, help="its built pages, if they need not be built")
    parser.add_argument("--beside", type=Path, help="a folder of pictures to put on the left of these")
    parser.add_argument("--pairs", type=Path, default=IMAGES, help="where the pairs go")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    quick = ("--trusted-load", "--bot-pace", "0", "--start-phase", "0")
    with (
        serving_checkout(options.source.resolve(), *quick, pages=options.pages) as server,
        sync_playwright() as playwright,
    ):
        browser = chromium.launch(playwright.chromium)
        names = options.only or (TEN if options.ten else list(PICTURES))
        if "lobby" in names:
            some_public_tables(browser, server)
        for name in names:
            take_all(browser, server, name, options.folder, ten=options.ten)
        browser.close()
    if options.beside is not None:
        for name in names:
            put_beside(name, options.beside, options.folder, options.pairs)
    total = sum(path.stat().st_size for path in options.folder.glob("*.png"))
    print(f"{len(list(options.folder.glob('*.png')))} pictures in {options.folder}, {total / 1e6:.2f} MB")
    return 0


def put_beside(name: str, before: Path, after: Path, folder: Path) -> None:
    """One picture of a state before and after: the desk above, the phone below."""
    looks = [
        [Image.open(place / f"{name}-{size}-{theme}.png") for place in (before, after)]
        for size, theme in TEN_LOOKS
    ]
    width, gap = 960, 16
    height = width * DESK["viewport"]["height"] // DESK["viewport"]["width"]
    sheet = Image.new("RGB", (2 * width + gap, 2 * height + gap), "white")
    for row, pair in enumerate(looks):
        for column, picture in enumerate(pair):
            shown = picture.convert("RGB")
            shown.thumbnail((width, height), Image.Resampling.LANCZOS)
            left = column * (width + gap) + (width - shown.width) // 2
            sheet.paste(shown, (left, row * (height + gap)))
    path = folder / f"before-after-{name}.webp"
    sheet.save(path, quality=70, method=6)
    print(f"{path.name} {path.stat().st_size / 1000:.0f} KB", flush=True)


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


def take_all(browser: Browser, server: ServerProcess, name: str, folder: Path, *, ten: bool) -> None:
    """One page in every size and theme; the table in French as well. Of the ten, only what is compared."""
    looks = [
        (size, theme, "en-GB") for size in SIZES for theme in THEMES if not ten or (size, theme) in TEN_LOOKS
    ]
    if name == "table" and not ten:
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
