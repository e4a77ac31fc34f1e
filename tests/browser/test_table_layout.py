"""The table at every size: everything needed is in sight and in reach, and nothing moves during play."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from testkit.browser.axe import check
from testkit.browser.settings import PHONE, resize
from testkit.browser.staged import FULL_TABLE, Stage
from testkit.browser.table import Table
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

SIZES = ((360, 640), (390, 844), (844, 390), (820, 1180), (1280, 800), (1920, 1080))
LYING = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}
FINGER = 44
"""Pixels that a finger needs."""


def long_hint(steps: int) -> str:
    """A hint of so many lines."""
    return "\n".join(
        f"Step {step}: take a tile from the longest run, and put it down." for step in range(steps)
    )


Box = tuple[float, float, float, float]


def boxes(what: Locator) -> list[Box]:
    """Left, top, right and bottom of everything that is found and can be seen."""
    found: list[Box] = what.evaluate_all(
        """all => all.map(one => one.getBoundingClientRect()).filter(b => b.width > 0)
             .map(b => [b.left, b.top, b.right, b.bottom])"""
    )
    return found


def rows(found: list[Box]) -> int:
    """On how many lines things lie."""
    return len({round(top) for _, top, _, _ in found})


def visible_sets(table: Table) -> list[Box]:
    """The sets that are wholly inside the table's part of the screen."""
    board = boxes(table.find("board"))[0]
    return [box for box in boxes(table.find("set")) if box[1] >= board[1] and box[3] <= board[3]]


def full_table(page: Page, book: str = "wrc11", *, steps: int = 6) -> Table:
    """Eighteen sets, four players, one's own turn; the last hint has so many steps."""
    stage = Stage(page, book)
    stage.set(FULL_TABLE)
    stage.hints = ("Look.", "Look at the runs.", "Look at the red run.", long_hint(steps))
    return stage.play(opponents=3)


def test_a_question_is_read_across_a_phone(visitors: Visitors) -> None:
    """Before an illegal table is declared: the question has the width, the answers stand below it."""
    table = full_table(visitors.come(**PHONE), "tml")
    for tile, _ in table.rack()[3:5]:
        table.rack_tile(tile).tap()
    table.find("new-set").tap()
    expect(table.page.locator("[data-legal=false]")).to_have_count(1)
    table.find("done").tap()
    expect(table.find("ask-yes")).to_be_visible()
    left, _, right, _ = boxes(table.find("status-line"))[0]
    assert right - left > 300
    expect(table.find("ask-yes")).to_be_in_viewport(ratio=1)
    expect(table.find("ask-no")).to_be_in_viewport(ratio=1)


def test_a_phone_on_its_side_shows_rows_of_sets_and_the_rack(visitors: Visitors) -> None:
    """Players stand at the side; at least three rows of sets are seen, and all of the rack."""
    table = full_table(visitors.come(**LYING))
    sets = visible_sets(table)
    assert rows(sets) >= 3
    assert len(sets) >= 12
    assert max(right for _, _, right, _ in boxes(table.find("seat"))) <= boxes(table.find("board"))[0][0]
    for part in ("rack-tile", "seat"):
        for left, top, right, bottom in boxes(table.find(part)):
            assert 0 <= left < right <= 844, part
            assert 0 <= top < bottom <= 390, part


def test_the_tutorial_shows_its_rack_on_the_first_screen(visitors: Visitors) -> None:
    """On phones, upright or on their side, the tiles of the first step are there without scrolling."""
    for options in (LYING, PHONE):
        page = visitors.come(**options)
        page.goto("/tutorial")
        tiles = page.get_by_test_id("rack-tile")
        expect(tiles).to_have_count(7)
        for tile in tiles.all():
            expect(tile).to_be_in_viewport(ratio=1)
        expect(page.get_by_test_id("tutorial-goal")).to_be_in_viewport(ratio=1)
        expect(page.get_by_test_id("done")).to_be_in_viewport(ratio=1)


def test_eighteen_sets_are_seen_at_once_on_the_smallest_phone(visitors: Visitors) -> None:
    """They close up rather than scroll, and a finger still finds every tile."""
    table = full_table(visitors.come(**PHONE))
    assert len(visible_sets(table)) == len(FULL_TABLE)
    expect(table.find("new-set")).to_be_in_viewport(ratio=1)
    left, _, right, _ = boxes(table.find("set-tile"))[0]
    assert right - left >= 24


def test_a_new_set_is_within_reach_on_a_full_phone(visitors: Visitors) -> None:
    """With large tiles its place is below the fold; the line under the table offers it to taps and drags."""
    page = visitors.come(**PHONE)
    page.add_init_script("localStorage.setItem('meldroom.settings', '{\"large\": true}')")
    table = full_table(page)
    first, second = (tile for tile, _ in table.rack()[:2])
    expect(table.find("new-set")).not_to_be_in_viewport(ratio=1)
    table.rack_tile(first).tap()
    put = page.get_by_role("button", name="Make a new set").and_(page.locator(":not([data-testid=new-set])"))
    expect(put).to_be_in_viewport(ratio=1)
    put.tap()
    assert table.sets()[-1] == [first]
    table.rack_tile(second).drag_to(table.find("status-line"))
    assert table.sets()[-1] == [second]
    assert len(table.sets()) == len(FULL_TABLE) + 2


@pytest.mark.parametrize(
    ("size", "steps", "cut"), [((360, 640), 6, "not"), ((844, 390), 14, "with a shadow")]
)
def test_the_last_hint_can_be_read_to_its_end(
    size: tuple[int, int], steps: int, cut: str, visitors: Visitors
) -> None:
    """A phone shows all of it; what is longer scrolls, and a shadow at the edge says so."""
    page = visitors.come(**{**PHONE, "viewport": {"width": size[0], "height": size[1]}})
    table = full_table(page, steps=steps)
    table.find("hint").tap()
    for _ in range(3):
        table.find("hint-next").tap()
    last = table.find("hint-line").last
    expect(last).to_contain_text(f"Step {steps - 1}")
    clipped = last.evaluate(
        """line => {
          for (let box = line; box; box = box.parentElement) {
            const scrolls = getComputedStyle(box);
            if (scrolls.overflowY !== 'visible' && box.scrollHeight > box.clientHeight + 1)
              return scrolls.backgroundAttachment.includes('local') ? 'with a shadow' : 'without a cue';
          }
          return 'not';
        }"""
    )
    assert clipped == cut
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)


def test_large_tiles_are_larger_on_table_and_rack(page: Page) -> None:
    """The setting changes what one holds as well as what lies there, on a desk too."""
    table = full_table(page)

    def widths() -> list[float]:
        return [
            right - left
            for left, _, right, _ in (boxes(table.find(f"{part}-tile"))[0] for part in ("rack", "set"))
        ]

    before = widths()
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Large tiles").check()
    page.keyboard.press("Escape")
    for small, large in zip(before, widths(), strict=True):
        assert large > small * 1.1


def test_nothing_moves_while_somebody_plays(visitors: Visitors) -> None:
    """Selecting, hints, questions and faults: table, rack and buttons stay where they are, at every size."""
    page = visitors.come()
    table = full_table(page, "tml")

    def places() -> list[Box]:
        return [boxes(table.find(part))[0] for part in ("board", "rack", "draw", "done", "chat-toggle")]

    for size in SIZES:
        resize(page, size)
        before = places()
        tiles = [tile for tile, _ in table.rack()[3:5]]
        for tile in tiles:
            table.rack_tile(tile).click()
            assert places() == before, (size, "selected")
        table.find("put-new-set").click()
        expect(page.locator("[data-legal=false]")).to_have_count(1)
        assert places() == before, (size, "faults")
        table.find("why").click()
        assert places() == before, (size, "reasons")
        table.find("done").click()
        expect(table.find("ask-no")).to_be_visible()
        assert places() == before, (size, "question")
        table.find("ask-no").click()
        table.find("reset").click()
        table.find("hint").click()
        for _ in range(3 if size == SIZES[0] else 0):  # later the last hint comes at once
            table.find("hint-next").click()
        expect(table.find("hint-line").last).to_contain_text("Step 5")
        assert places() == before, (size, "hint")
        page.keyboard.press("Escape")


def test_everything_is_large_enough_for_a_finger(visitors: Visitors) -> None:
    """Every button, while tiles are chosen; Draw and Done stand apart; players are on one line."""
    page = visitors.come(has_touch=True)
    table = full_table(page)
    for tile, _ in table.rack()[:2]:
        table.rack_tile(tile).click()
    for size in SIZES:
        resize(page, size)
        buttons = page.locator("[data-rev] button:not([data-spot])")
        for left, top, right, bottom in boxes(buttons):
            assert right - left >= FINGER - 0.5, (size, left, top)
            assert bottom - top >= FINGER - 0.5, (size, left, top)
            assert 0 <= left < right <= size[0], size
            assert 0 <= top < bottom <= size[1], size
        draw, done = boxes(table.find("draw"))[0], boxes(table.find("done"))[0]
        assert max(done[0] - draw[2], done[1] - draw[3]) >= 10, size
        seats = boxes(table.find("seat"))
        lines = rows(seats)
        assert max(bottom - top for _, top, _, bottom in seats) <= FINGER, size
        assert lines == (4 if size == (844, 390) else 1), size


def test_the_tiles_use_a_wide_screen(visitors: Visitors) -> None:
    """A nearly finished game fills the cloth; with few sets the tiles are as large as they get."""
    page = visitors.come(viewport={"width": 1920, "height": 1080})
    table = full_table(page)
    _, top, _, bottom = boxes(table.find("board"))[0]
    lowest = max(box[3] for box in boxes(table.find("set")))
    assert lowest <= bottom
    assert (lowest - top) / (bottom - top) > 0.7
    for part in ("set-tile", "rack-tile"):
        left, _, right, _ = boxes(table.find(part))[0]
        assert right - left >= 64, part


def test_only_sets_that_are_not_valid_are_marked(page: Page) -> None:
    """A draft with one broken set has one mark; the others look as they did."""
    table = full_table(page)
    for tile, _ in table.rack()[3:5]:
        table.rack_tile(tile).click()
    table.find("new-set").click()
    expect(page.locator("[data-legal=false]")).to_have_count(1)
    expect(page.locator("[data-legal=true]")).to_have_count(len(FULL_TABLE))
    board = table.find("board").inner_text()
    assert "✓" not in board
    assert board.count("✗") == 1


def test_axe_finds_nothing_on_a_full_table(visitors: Visitors) -> None:
    """Upright, on its side and on a desk, with tiles chosen, in both languages and themes."""
    for locale, theme in (("en-GB", "light"), ("fr-FR", "dark")):
        page = visitors.come(locale=locale, color_scheme=theme)
        table = full_table(page)
        for tile, _ in table.rack()[:2]:
            table.rack_tile(tile).click()
        for size in ((360, 640), (844, 390), (1280, 800)):
            resize(page, size)
            check(page)
