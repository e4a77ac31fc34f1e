"""The table as somebody at a browser uses it: read what lies there, and play by mouse, finger or keys."""

from __future__ import annotations

from typing import Literal

from playwright.sync_api import Locator, Page, expect

from meldroom.rules.library import book as book_of
from meldroom.solver import solve_faces
from meldroom.tiles import parse_tile

Wanted = Literal["over", "draw", "pass", "take", "throw"]

WHAT_NOW = """() => {
  const find = (id) => document.querySelector(`[data-testid="${id}"]`);
  const ready = (id) => find(id) !== null && !find(id).disabled;
  if (find('final')) return 'over';
  if (ready('stock')) return 'take';
  if (ready('discard-pile')) return 'throw';
  if (ready('draw')) return 'draw';
  return ready('pass') ? 'pass' : null;
}"""
HINTED = """() => {
  const find = (id) => document.querySelector(`[data-testid="${id}"]`);
  if (find('status-line').textContent.trim().endsWith('…')) return null; // still looking
  if (find('hint-next')) return 'more';
  const shows = [...document.querySelectorAll('[data-testid="hint-show"][aria-pressed]')];
  if (shows.length === 0) return 'nothing';
  if (shows.at(-1).ariaPressed !== 'true') return 'show';
  return find('done').disabled ? null : 'laid';
}"""


def start_against_bots(page: Page, book: str, *, level: str = "beginner", opponents: int = 1) -> Table:
    """From the landing page to a table in play, as a newcomer does it."""
    page.goto("/")
    page.get_by_test_id("play-book").or_(page.locator("form select").first).select_option(book)
    page.locator("form select").nth(1).select_option(level)
    page.locator(f"form input[type=radio][value='{opponents}']").check(force=True)
    page.locator("form button.play").click()
    expect(page.get_by_test_id("rack")).to_be_visible()
    return Table(page, book)


def start_with_a_friend(host: Page, guest: Page) -> tuple[Table, Table]:
    """Two people at a private table of the first book, their first game dealt."""
    host.goto("/")
    host.get_by_role("button", name="Play with friends").click()
    host.wait_for_url("**/r/*")
    guest.goto(host.url)
    guest.get_by_role("button", name="Sit here").first.click()
    host.get_by_role("button", name="Start game").click()
    for page in (host, guest):
        expect(page.get_by_test_id("rack")).to_be_visible()
    return Table(host, "wrc11"), Table(guest, "wrc11")


class Table:
    """A page with a table on it."""

    def __init__(self, page: Page, book: str) -> None:
        self.page = page
        self.book = book

    def find(self, name: str) -> Locator:
        """A part of the page by its test id."""
        return self.page.get_by_test_id(name)

    def what_now(self) -> Wanted:
        """Wait until it is one's turn or the game is over, and say what can be done."""
        found: Wanted = self.page.wait_for_function(WHAT_NOW).json_value()
        return found

    def now(self) -> Wanted | None:
        """What can be done this very moment; None if it is somebody else's turn."""
        found: Wanted | None = self.page.evaluate(WHAT_NOW)
        return found

    def rack(self) -> list[tuple[int, str]]:
        """The tiles of the rack in its order: number and face."""
        read = "tiles => tiles.map(tile => [Number(tile.dataset.tile), tile.dataset.face])"
        return [(int(tile), str(face)) for tile, face in self.find("rack-tile").evaluate_all(read)]

    def sets(self) -> list[list[int]]:
        """The sets on the table, as they lie."""
        read = """sets => sets.map(
            set => [...set.querySelectorAll('[data-tile]')].map(tile => Number(tile.dataset.tile)))"""
        found: list[list[int]] = self.find("set").evaluate_all(read)
        return [tiles for tiles in found if tiles]

    def rack_tile(self, tile: int) -> Locator:
        """One tile of the rack."""
        return self.page.locator(f'[data-testid="rack-tile"][data-tile="{tile}"]')

    def set_tile(self, tile: int) -> Locator:
        """One tile on the table."""
        return self.page.locator(f'[data-testid="set-tile"][data-tile="{tile}"]')

    def wait_until_laid(self, sets: list[list[int]]) -> None:
        """Wait until the turn is over and the tiles have stayed on the table: the rack has them no more."""
        tiles = [tile for each in sets for tile in each]
        self.page.wait_for_function(
            """tiles => {
              const rack = [...document.querySelectorAll('[data-testid="rack-tile"]')];
              const reset = document.querySelector('[data-testid="reset"]');
              return reset?.disabled && !rack.some(tile => tiles.includes(Number(tile.dataset.tile)));
            }""",
            arg=tiles,
        )

    def wait_for_another_tile(self, before: int | None = None) -> None:
        """Wait until the rack has another number of tiles than before."""
        count = self.find("rack-tile").count() if before is None else before
        self.page.wait_for_function(
            "n => document.querySelectorAll('[data-testid=\"rack-tile\"]').length !== n"
            " || document.querySelector('[data-testid=\"final\"]')",
            arg=count,
        )

    def playable(self, melded: bool = False) -> list[list[int]]:
        """Sets that the rack alone can lay now, as tiles of the rack; empty if there are none."""
        rules, rack = book_of(self.book), self.rack()
        faces = tuple(parse_tile(face, rules.tiles) for _, face in rack)
        left = list(rack)
        found: list[list[int]] = []
        for laid in solve_faces(rules, (), faces, melded).table:
            tiles: list[int] = []
            for face in laid:
                place = next(
                    place for place, (_, text) in enumerate(left) if parse_tile(text, rules.tiles) == face
                )
                tiles.append(left.pop(place)[0])
            found.append(tiles)
        return found

    def until_playable(self) -> list[list[int]]:
        """Draw until the rack can open; the sets."""
        for _ in range(60):
            assert self.what_now() == "draw", "the game ended before the rack could open"
            found = self.playable()
            if found:
                return found
            self.draw()
        raise AssertionError("nothing to open with in sixty turns")

    def draw(self) -> None:
        """Draw a tile and wait until it is there."""
        before = self.find("rack-tile").count()
        self.find("draw").click()
        self.wait_for_another_tile(before)

    def lay_by_hints(self) -> bool:
        """Climb the ladder of hints and lay what it shows; False if there is nothing to lay."""
        self.find("hint").click()
        for _ in range(12):
            match self.page.wait_for_function(HINTED).json_value():
                case "laid":
                    self.find("done").click()
                    return True
                case "show":
                    self.find("hint-show").last.click()
                case "more":
                    self.find("hint-next").click()
                case _:
                    return False
        raise AssertionError("the ladder of hints has no end")

    def wait_while(self, wanted: Wanted) -> None:
        """Wait until what was asked for is done."""
        self.page.wait_for_function(f"wanted => ({WHAT_NOW})() !== wanted", arg=wanted)

    def pass_turn(self) -> None:
        """Pass, and wait until that is known: the others may be done before anybody could look."""
        before = self.page.locator("[data-rev]").get_attribute("data-rev")
        self.find("pass").click()
        self.page.wait_for_function(
            "rev => document.querySelector('[data-rev]')?.getAttribute('data-rev') !== rev", arg=before
        )

    def take_from_stock(self) -> None:
        """Rummy-O: take the top tile of the stock, and wait until it is time to throw one."""
        self.find("stock").click()
        self.wait_while("take")

    def throw_first(self) -> None:
        """Rummy-O: throw the first tile of the rack away."""
        self.find("rack-tile").first.click()
        self.find("discard").click()
        self.find("done").click()
        self.wait_while("throw")

    def open_more(self) -> None:
        """On the score sheet: show what is under More, the record and its verification."""
        self.find("more").click()

    def play_to_the_end(self) -> int:
        """Draw, or take and throw, until the game is over; how many turns that took."""
        for turn in range(400):
            match self.what_now():
                case "over":
                    return turn
                case "draw":
                    self.draw()
                case "pass":
                    self.pass_turn()
                case "take":
                    self.take_from_stock()
                case "throw":
                    self.throw_first()
        raise AssertionError("the game does not end")
