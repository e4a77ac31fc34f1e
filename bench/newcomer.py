"""A newcomer's game in every book, recorded: clicks, seconds and errors from landing page to score sheet.

    python bench/newcomer.py                               # these pages, one game in each book
    python bench/newcomer.py --source ../old --games 3     # another checkout, with its own server and pages
    python bench/newcomer.py --record game.jsonl           # every click with its second

The newcomer comes with an empty browser, changes nothing but the book, presses Play, and in every turn asks
for hints to the last one and does what it says; without hints they draw, or take from the stock and discard
the first tile. Bots wait as they do for everybody; the newcomer does not stop to think. An error is a page
that complains, a refused command, an answer of 400 or more, or a penalty. Of several games the median is
given, and all their errors. On a busy machine say MELDROOM_KERNELS=interpreted, which starts sooner.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, WebSocket, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from meldroom.rules.library import BOOK_IDS  # noqa: E402
from testkit.browser import chromium  # noqa: E402
from testkit.browser.settings import PATIENCE  # noqa: E402
from testkit.browser.table import Table  # noqa: E402
from testkit.server.checkout import HERE, serving_checkout  # noqa: E402

MOST_TURNS = 200
CLICKS = """() => {
  const name = (node) => node.closest('[data-testid]')?.dataset.testid
    ?? node.closest('button, a, label')?.innerText ?? node.tagName;
  addEventListener('pointerdown', ({ target }) => recordClick(1, name(target)), true);
  addEventListener('change', ({ target }) => {
    if (target.matches('select')) recordClick(2, `choose ${target.value}`);
  }, true);
}"""
"""A choice from a list is two clicks: one opens it."""
LADDER = """() => {
  const find = (id) => document.querySelector(`[data-testid="${id}"]`);
  if (find('final')) return 'nothing';
  if (find('status-line').textContent.trim().endsWith('…')) return null; // still looking
  if (find('hint-next')) return 'more';
  const shows = [...document.querySelectorAll('[data-testid="hint-show"]')];
  // At first the last hint laid its tiles by itself.
  if (shows.length === 0) return find('reset').disabled ? 'nothing' : 'shown';
  const last = shows.at(-1);
  if (last.ariaPressed === null) return 'points';
  return last.ariaPressed === 'true' ? 'shown' : 'show';
}"""
POINTED = """() => ['stock', 'discard-pile'].find(id => document.querySelector(`[data-testid="${id}"]`)
  .getAnimations().some(one => one.id === 'pointed')) ?? 'stock'"""


@dataclass
class Recording:
    """What a newcomer did, and what went wrong."""

    book: str
    began: float = field(default_factory=time.monotonic)
    seconds: float = 0
    clicks: int = 0
    turns: int = 0
    laid: int = 0
    steps: list[tuple[float, str]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    sent: dict[str, str] = field(default_factory=dict)

    def click(self, number: int, what: str) -> None:
        """Somebody has clicked."""
        self.clicks += number
        self.steps.append((round(time.monotonic() - self.began, 2), what.strip()[:60]))

    def listen(self, page: Page) -> None:
        """Hear everything that a page does."""
        page.context.expose_binding("recordClick", lambda _, number, what: self.click(number, what))
        page.add_init_script(f"({CLICKS})()")
        page.on("pageerror", lambda error: self.fail(str(error)))
        page.on("console", lambda said: self.fail(said.text) if said.type == "error" else None)
        page.on("response", lambda answer: self._answered(answer.status, answer.url))
        page.on("websocket", self._connected)

    def fail(self, error: str) -> None:
        """Something went wrong."""
        self.errors.append(error)
        self.steps.append((round(time.monotonic() - self.began, 2), f"error: {error}"))

    def _answered(self, status: int, address: str) -> None:
        if status >= 400:
            self.fail(f"{status} {address}")

    def _connected(self, socket: WebSocket) -> None:
        socket.on("framesent", self._told)
        socket.on("framereceived", self._heard)

    def _told(self, frame: str | bytes) -> None:
        command = json.loads(frame)
        self.sent[command["id"]] = command["do"]

    def _heard(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "refused":
            self.fail(f"{self.sent.get(message['id'])}: {message['error']['message']}")


class Newcomer:
    """Plays by the hints of a table, where it has any."""

    def __init__(self, table: Table, recording: Recording) -> None:
        self.table = table
        self.recording = recording

    def play(self) -> None:
        """To the end of the game."""
        for _ in range(MOST_TURNS):
            wanted = self.table.what_now()
            if wanted == "over":
                return
            before = self.state()
            if wanted == "take":
                self.table.find(self.pile()).click()
            elif not self.lays():
                self.gives_up(wanted)
            if wanted != "take":
                self.recording.turns += 1
            if self.table.find("penalty").count():
                self.recording.fail(self.table.find("penalty").inner_text())
            self.table.page.wait_for_function(
                """before => document.querySelector('[data-testid="final"]')
                  || document.querySelector('[data-rev]')?.dataset.rev !== before""",
                arg=before,
            )
        raise AssertionError("the game does not end")

    def state(self) -> str | None:
        """Which position it is."""
        return self.table.page.locator("[data-rev]").get_attribute("data-rev")

    def hinted(self) -> str:
        """Ask for all the hints there are, and have the last one shown; what that was."""
        hint = self.table.find("hint")
        if not hint.count() or hint.is_disabled():
            return "nothing"
        hint.click()
        for _ in range(12):
            found: str = self.table.page.wait_for_function(LADDER).json_value()
            match found:
                case "more":
                    self.table.find("hint-next").click()
                case "show":
                    self.table.find("hint-show").last.click()
                case "points":
                    self.table.find("hint-show").last.click()
                    return found
                case _:
                    return found
        raise AssertionError("the ladder of hints has no end")

    def pile(self) -> str:
        """The pile to take from: the one that a hint points at."""
        if self.hinted() == "nothing":
            return "stock"
        found: str = self.table.page.evaluate(POINTED)
        return found

    def lays(self) -> bool:
        """Lay what the last hint shows; False if it shows nothing to lay."""
        before = len(self.table.rack())
        if self.hinted() != "shown":
            return False
        expect(self.table.find("done")).to_be_enabled()
        # A tile to discard leaves the rack as well.
        self.recording.laid += before - len(self.table.rack()) > (1 if self.table.book == "rummyo" else 0)
        self.table.find("done").click()
        return True

    def gives_up(self, wanted: str) -> None:
        """Without anything to lay: draw, pass, or discard the first tile."""
        if wanted == "throw":
            self.table.find("rack-tile").first.click()
            self.table.find("discard").click()
            self.table.find("done").click()
        else:
            self.table.find(wanted).click()


def play_one(browser: Browser, address: str, book: str) -> Recording:
    """One game of somebody who has never been here."""
    context = browser.new_context(base_url=address, locale="en-GB", viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    recording = Recording(book)
    recording.listen(page)
    page.goto("/")
    books = page.locator("form select").first
    expect(books).to_be_enabled()
    if books.input_value() != book:
        books.select_option(book)
    page.locator("form button.play").click()
    table = Table(page, book)
    expect(table.find("rack")).to_be_visible()
    Newcomer(table, recording).play()
    expect(table.find("score-sheet")).to_be_visible()
    recording.seconds = time.monotonic() - recording.began
    context.close()
    return recording


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and print a row for every book; 1 if anything went wrong."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--source", type=Path, default=HERE, help="the checkout to play in")
    parser.add_argument("--pages", type=Path, help="its built pages, if they need not be built")
    parser.add_argument("--book", action="append", choices=BOOK_IDS)
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--record", type=Path, help="write every click here, a game in a line")
    options = parser.parse_args(arguments)
    played: list[Recording] = []
    with (
        serving_checkout(options.source.resolve(), "--trusted-load", pages=options.pages) as server,
        sync_playwright() as playwright,
    ):
        browser = chromium.launch(playwright.chromium)
        print("| book | clicks | seconds | turns | clicks a turn | turns that laid | errors |")
        print("| --- | --: | --: | --: | --: | --: | --: |")
        for book in options.book or BOOK_IDS:
            games = [play_one(browser, server.url, book) for _ in range(options.games)]
            played += games
            print(row(book, games), flush=True)
        browser.close()
    if options.record is not None:
        lines = (json.dumps({"book": one.book, "steps": one.steps, "errors": one.errors}) for one in played)
        options.record.write_text("".join(f"{line}\n" for line in lines))
    errors = [f"{one.book}: {error}" for one in played for error in one.errors]
    print("\n".join(errors), file=sys.stderr)
    return 1 if errors else 0


def row(book: str, games: Sequence[Recording]) -> str:
    """A row of the table."""
    figures = (
        f"{median(one.clicks for one in games):g}",
        f"{median(one.seconds for one in games):.0f}",
        f"{median(one.turns for one in games):g}",
        f"{sum(one.clicks for one in games) / max(1, sum(one.turns for one in games)):.1f}",
        f"{median(one.laid for one in games):g}",
        str(sum(len(one.errors) for one in games)),
    )
    return f"| {book} | {' | '.join(figures)} |"


if __name__ == "__main__":
    sys.exit(main())
