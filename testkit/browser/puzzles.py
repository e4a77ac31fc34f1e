"""Puzzles at a browser's table: the one of the day, and an answer laid by mouse, finger or keys."""

from __future__ import annotations

from functools import cache

from playwright.sync_api import Locator, Page, Route, expect

from meldroom.api import puzzles as api
from meldroom.puzzles import Puzzle, starter_pack

TAB = 60
"""So often Tab is pressed at most to come to the rack."""


@cache
def smallest(*kinds: str, book: str = "tml") -> Puzzle:
    """The puzzle of some kinds that the fewest tiles have to be shifted for: the hands of a test are slow.

    No joker is among them, so that every tile has one place in its set.
    """
    fitting = [each for each in starter_pack() if each.kind in kinds and each.book == book]
    tiles = fitting[0].read().state.book.tiles
    plain = [
        each
        for each in fitting
        if all(tiles.face_of[tile] != tiles.joker for one in new_sets(each) for tile in one)
    ]
    return min(plain, key=lambda each: (sum(map(len, new_sets(each))), each.id))


def new_sets(puzzle: Puzzle) -> list[tuple[int, ...]]:
    """The sets of the answer that do not lie there yet."""
    old = {frozenset(tiles) for tiles in puzzle.read().position.table}
    return [tiles for tiles in api.solution(puzzle, "en").table if frozenset(tiles) not in old]


def make_puzzle_of_the_day(page: Page, puzzle: Puzzle) -> None:
    """Every day has this puzzle, so that no test depends on the date."""

    def answer(route: Route) -> None:
        language = "fr" if "language=fr" in route.request.url else "en"
        route.fulfill(response=page.request.get(f"/api/v1/puzzles/{puzzle.id}?language={language}"))

    page.route("**/api/v1/puzzles/daily?*", answer)


def lay_by_mouse(page: Page, puzzle: Puzzle) -> None:
    """Choose the tiles of each new set with Control, then click where a new set goes."""
    for tiles in new_sets(puzzle):
        for tile in tiles:
            where = _tile(page, tile)
            where.scroll_into_view_if_needed()
            where.click(modifiers=["Control"])
        place = page.get_by_test_id("new-set")
        place.scroll_into_view_if_needed()
        place.click()


def lay_by_touch(page: Page, puzzle: Puzzle) -> None:
    """Tap a tile, then the place for it: a new set, or a tile of the set it goes to."""
    for first, *others in new_sets(puzzle):
        _tap(_tile(page, first))
        _tap(page.get_by_test_id("new-set"))
        for tile in others:
            _tap(_tile(page, tile))
            _tap(page.locator(f'[data-testid="set-tile"][data-tile="{first}"]'))


def _tile(page: Page, tile: int) -> Locator:
    return page.locator(f'[data-tile="{tile}"]').first


def _tap(what: Locator) -> None:
    what.scroll_into_view_if_needed()
    what.tap()


def lay_by_keys(page: Page, puzzle: Puzzle) -> None:
    """With the keyboard alone, where every new set comes from the rack: an opening."""
    keys = page.keyboard
    for tiles in new_sets(puzzle):
        to_the_rack(page)
        keys.press("Home")
        rack = page.get_by_test_id("rack-tile")
        order: list[int] = rack.evaluate_all("tiles => tiles.map(tile => Number(tile.dataset.tile))")
        here = 0
        for tile in sorted(tiles, key=order.index):
            for _ in range(order.index(tile) - here):
                keys.press("ArrowRight")
            here = order.index(tile)
            keys.press("Space")
            chosen = page.locator(f'[data-testid="rack-tile"][data-tile="{tile}"]')
            expect(chosen).to_have_attribute("aria-pressed", "true")
        keys.press("n")
        expect(page.locator(f'[data-testid="set-tile"][data-tile="{tiles[0]}"]')).to_be_visible()


def to_the_rack(page: Page) -> None:
    """Tab until the focus is on the rack."""
    focused = "document.activeElement?.dataset?.spot === 'rack'"
    for _ in range(TAB):
        if page.evaluate(focused):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead to the rack")
