"""Pictures of a championship's pages, made anew by one command, for the documents and for looking at them.

    python bench/championship_screenshots.py                   # all of them into docs/images
    python bench/championship_screenshots.py --folder /tmp/pictures

A real server and a real Chromium are started for it. The championship has 33 players, whose semi-finals
are being played: some tables have signed, one calls a referee, one has no device.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench.screenshots import COLOURS, DESK, IMAGES, PHONE  # noqa: E402
from testkit.browser import chromium  # noqa: E402
from testkit.browser.championship.desk import Desk  # noqa: E402
from testkit.browser.championship.device import Device, visible  # noqa: E402
from testkit.browser.championship.people import PEOPLE, whole_list  # noqa: E402
from testkit.browser.championship.staff import open_event, place, result, some_scores  # noqa: E402
from testkit.server.process import ServerProcess, serving  # noqa: E402

NAME = "World Championship 2026"
TABLES, GAMES = 9, 4
SHOWN = 8
"""The table whose device is shown; two of its games are entered."""
RACKS = {1: ["R10", "B10", "K10", "R2", "B5"], 2: ["K3", "O12", "*"], 3: ["R1", "K8"]}
"""What lies on the racks of those who did not go out."""
PROJECTOR: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
TABLET: dict[str, Any] = {"viewport": {"width": 800, "height": 1100}, "has_touch": True}
DARK: dict[str, Any] = {"color_scheme": "dark"}


class Evening:
    """The championship and those who have a key to it."""

    def __init__(self, address: str) -> None:
        self.chance = random.Random(33)
        self.organiser = open_event(address, NAME)
        self.director = self.organiser.key_for("director", "Dana Wolff")
        self.referee = self.organiser.key_for("referee", "Rita Sole")
        self.wall = self.organiser.key_for("display", "Wall")
        self.devices = {
            table: self.organiser.key_for("referee", f"Table {table}", table)
            for table in range(1, TABLES + 1)
        }
        self._round_one()
        self._semifinals()

    def _round_one(self) -> None:
        """From the list to the approval of the first stage."""
        self.organiser.do({"do": "import_entrants", "csv": whole_list()})
        here = [{"do": "check_in", "number": number} for number in range(1, len(PEOPLE))]
        self.organiser.do(*here)
        last = {"do": "check_in", "number": len(PEOPLE), "override": True}
        asked = {"id": "last-one-1", "command": last, "reason": "asked their federation"}
        self.organiser.ask("/commands", asked)
        self._draw("round1", "dice 4 2 6")
        self._play("round1", dict.fromkeys(range(1, TABLES + 1), GAMES))
        self.director.do({"do": "close_stage", "stage": "round1"})

    def _semifinals(self) -> None:
        """The second stage, half played."""
        self._draw("semifinals", "heads")
        self._play("semifinals", {1: 4, 2: 4, 3: 3, 4: 3, 5: 4, 6: 1, 7: 2, SHOWN: 2, 9: 2}, unsigned=5)
        self.director.do(
            {"do": "call_referee", "table": 7, "about": "count", "text": "100 or 200?"},
            {"do": "set_notice", "text": "Tea in the foyer from four o’clock"},
        )

    def _draw(self, stage: str, word: str) -> None:
        self.director.do(
            {"do": "announce_draw", "stage": stage, "seed": f"an example of {stage}"},
            {"do": "add_word", "stage": stage, "word": word},
            {"do": "reveal", "stage": stage},
        )

    def _play(self, stage: str, games: dict[int, int], unsigned: int = 0) -> None:
        """So many games at each table; whole sheets are signed."""
        for table, players in self.director.tables(stage).items():
            scores = [some_scores(self.chance, len(players)) for _ in range(games[table])]
            self.director.do(*(result(stage, table, game, each) for game, each in enumerate(scores, start=1)))
            if games[table] == GAMES and table != unsigned:
                self.director.do({"do": "sign_sheet", **place(stage, table), "referee": "Rita Sole"})

    def bind_devices(self, without: int) -> None:
        """A tablet at every table but one, and the one that is shown, which binds itself."""
        for table, staff in self.devices.items():
            if table not in (SHOWN, without):
                name = f"tablet-{table:03d}"
                command = {"do": "bind_table", "table": table, "device": name, "label": f"Tablet {table}"}
                staff.ask("/commands", {"id": f"binding-{table}", "command": command, "device": name})


def desk(page: Page, evening: Evening) -> None:
    """What comes next, and how far every table is."""
    page.goto(evening.director.link("/desk"))
    visible(page.get_by_test_id("open-table-1"))


def corrections(page: Page, evening: Evening) -> None:
    """A signed result is corrected: everything that changes by it, before it is confirmed."""
    desk(page, evening)
    seats = len(evening.director.tables("semifinals")[1])
    right = [40 * (seats - 1), *[-40] * (seats - 1)]
    shown = Desk(page).correct("semifinals", 1, 2, right, "seats 1 and 2 were exchanged on the sheet")
    shown.evaluate("element => element.scrollIntoView({ block: 'end' })")


def public(page: Page, evening: Evening) -> None:
    """Standings with what decided each place."""
    page.goto(f"/championship/{evening.organiser.code}?part=standings")
    visible(page.get_by_test_id("standings"))


def seat(page: Page, evening: Evening) -> None:
    """A player looks for their table on their phone."""
    page.goto(f"/championship/{evening.organiser.code}?part=seating")
    page.locator("[role=group] button").first.click()  # by name
    visible(page.get_by_test_id("search-name"))


def screen(page: Page, evening: Evening) -> None:
    """The wall: where everybody sits."""
    page.goto(evening.wall.link("/screen?show=seating"))
    visible(page.get_by_test_id("screen-names"))


def clock(page: Page, evening: Evening) -> Device:
    """The turn clock of a table."""
    device = Device(page, SHOWN)
    if evening.director.ask(f"/tables/{SHOWN}")["binding"] is not None:
        evening.director.do({"do": "release_table", "table": SHOWN})
    device.bind(evening.devices[SHOWN].link(f"/table/{SHOWN}"))
    device.play()
    return device


def count(page: Page, evening: Evening) -> None:
    """The count at the end: one rack never melded, and could have."""
    device = clock(page, evening)
    device.count(0, RACKS, unmelded=(1,))
    page.get_by_text("Counted by the laptop").wait_for()


def keypad(page: Page, evening: Evening) -> None:
    """A rack is entered tile by tile."""
    count(page, evening)
    page.locator(".steps button").nth(1).click()
    visible(page.get_by_test_id("rack-sum"))


def sheet(page: Page, evening: Evening) -> None:
    """The score sheet, ready to be signed."""
    device = clock(page, evening)
    seats = len(evening.director.tables("semifinals")[SHOWN])
    for game in (3, 4):
        device.type_scores(game, some_scores(evening.chance, seats))
        if game < GAMES:
            page.get_by_role("button", name=f"Next: game {game + 1}").click()
            device.play()
    device.find("tab-sheet").click()
    device.find("sign-referee").fill("Rita Sole")


def referee(page: Page, evening: Evening) -> None:
    """Is this table legal, and what is wrong with it?"""
    page.goto(evening.referee.link("/referee"))
    visible(page.get_by_test_id("part-check")).click()
    page.get_by_test_id("toggle-text").click()
    page.get_by_test_id("position-text").fill("R1 R2 R3 | K7 B7 K7")
    page.get_by_test_id("check").click()
    visible(page.get_by_test_id("verdict"))
    page.get_by_test_id("verdict").scroll_into_view_if_needed()


PICTURES: dict[str, tuple[Callable[[Page, Evening], object], dict[str, Any]]] = {
    "championship-desk": (desk, DESK),
    "championship-corrections-dark": (corrections, {**DESK, **DARK}),
    "championship-public": (public, DESK),
    "championship-seat-phone-fr": (seat, {**PHONE, "locale": "fr-FR"}),
    "championship-screen": (screen, PROJECTOR),
    "championship-clock": (clock, TABLET),
    "championship-count": (count, TABLET),
    "championship-keypad": (keypad, TABLET),
    "championship-sheet": (sheet, TABLET),
    "championship-referee-phone": (referee, PHONE),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Take every picture and say how large each is."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--folder", type=Path, default=IMAGES)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    if "MELDROOM_PAGES" not in os.environ:
        subprocess.run([sys.executable, str(ROOT / "web" / "build.py")], check=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data) / "data", "--trusted-load") as server,
        sync_playwright() as playwright,
    ):
        evening = Evening(server.url)
        evening.bind_devices(without=6)
        browser = chromium.launch(playwright.chromium)
        for name in PICTURES:
            take(browser, server, evening, name, options.folder / f"{name}.png")
        browser.close()
    return 0


def take(browser: Browser, server: ServerProcess, evening: Evening, name: str, path: Path) -> None:
    """One picture, in few colours so that it stays small."""
    prepare, look = PICTURES[name]
    given = {"base_url": server.url, "locale": "en-GB", "reduced_motion": "reduce", **look}
    context = browser.new_context(**given)
    page = context.new_page()
    prepare(page, evening)
    picture = Image.open(io.BytesIO(page.screenshot()))
    picture.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE).save(path, optimize=True)
    context.close()
    print(f"{path.name} {path.stat().st_size / 1000:.0f} KB", flush=True)


if __name__ == "__main__":
    sys.exit(main())
