"""The desk as organiser and director use it, by clicks alone."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from testkit.browser.championship.device import visible
from testkit.browser.settings import PATIENCE

PARTS = (
    "now",
    "entrants",
    "draw",
    "seating",
    "results",
    "standings",
    "corrections",
    "conduct",
    "arranged",
    "papers",
    "keys",
    "log",
    "downloads",
)


class Desk:
    """The desk of one key."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def find(self, testid: str) -> Locator:
        """A part of the page."""
        return self.page.get_by_test_id(testid)

    def go(self, part: str) -> None:
        """Another part of the desk."""
        self.find(f"part-{part}").click()
        expect(self.find(f"part-{part}")).to_have_attribute("aria-current", "page", timeout=PATIENCE)

    def says(self, text: str) -> None:
        """The answer to the last act."""
        expect(self.find("answer")).to_contain_text(text, timeout=PATIENCE)

    def confirm(self, testid: str, reason: str = "") -> None:
        """A button that asks once more."""
        self.find(testid).click()
        if reason:
            self.find("reason").fill(reason)
        self.find("confirm").click()

    def open_event(self, name: str) -> str:
        """A new World Championship, from the list of events; its code."""
        self.page.goto("/championships")
        self.find("run-event").click()
        self.page.get_by_label("Championship name").fill(name)
        self.page.get_by_role("textbox", name="Your name (organiser)").fill("Olga Ferro")
        self.page.get_by_label("Edition").fill("11")
        self.page.get_by_label("First day").fill("2026-11-15")
        self.find("open-event").click()
        visible(self.find("event-opened"))
        self.find("key-saved").check()
        self.find("open-desk").click()
        visible(self.find("next-steps"))
        return self.page.url.split("/championship/")[1].split("/")[0]

    def import_list(self, good: Path, bad: Path) -> None:
        """A list with faults, which changes nothing, and then the right one."""
        self.go("entrants")
        self.find("csv-file").set_input_files(bad)
        expect(self.find("csv-faults").locator("li")).to_have_count(2, timeout=PATIENCE)
        self.find("csv-file").set_input_files(good)
        self.find("csv-import").click()
        self.says("33")

    def check_in_everybody(self, admitted: int) -> None:
        """All whose list leaves nothing open at once; one after a look at their passport."""
        self.confirm("check-in-all")
        self.says("32 players checked in")
        self.confirm(f"admit-{admitted}", "asked their federation")
        expect(self.find("present-count")).to_contain_text("33 present of 33", timeout=PATIENCE)

    def key_for(self, role: str, label: str) -> str:
        """A link with a key for somebody."""
        self.go("keys")
        self.find("key-role").select_option(role)
        self.find("key-label").fill(label)
        self.find("make-key").click()
        shown = self.find("keys-made").get_by_test_id("key-link")
        expect(self.find("keys-made")).to_contain_text(label, timeout=PATIENCE)
        return shown.input_value()

    def keys_for_tables(self, tables: int) -> list[str]:
        """A link for the device of every table."""
        self.go("keys")
        self.find("tables-to").fill(str(tables))
        self.find("make-tables").click()
        shown = self.find("keys-made").get_by_test_id("key-link")
        expect(shown).to_have_count(tables, timeout=PATIENCE)
        return [shown.nth(place).input_value() for place in range(tables)]

    def draw(self, seed: str, word: str) -> None:
        """Announce the draw with a seed of one's own, take a word from the hall, reveal."""
        self.go("draw")
        self.page.locator("summary", has_text="own seed").click()
        self.find("own-seed").fill(seed)
        self.find("announce").click()
        visible(self.find("draw-word")).fill(word)
        self.find("add-word").click()
        self.says(word)
        self.confirm("reveal")
        self.says("Everyone can see the seats now")

    def draw_after_a_second_announcement(self, seed: str, why: str, word: str) -> None:
        """Announce a draw, announce it again with another seed and a reason, take a word, reveal."""
        self.go("draw")
        self.find("announce").click()
        self.says("Draw announced")
        self.find("announce-again").click()
        self.page.locator("summary", has_text="own seed").click()
        self.find("own-seed").fill(seed)
        self.find("again-why").fill(why)
        self.find("announce").click()
        visible(self.find("replaced")).get_by_text(why)
        visible(self.find("draw-word")).fill(word)
        self.find("add-word").click()
        self.says(word)
        self.confirm("reveal")
        self.says("Everyone can see the seats now")

    def withdraw_and_undo(self, number: int, name: str, reason: str) -> Locator:
        """A player is withdrawn by mistake, up to the list of what follows when that is undone."""
        self.go("entrants")
        self.page.get_by_role("button", name=f"More about {name}").click()
        self.confirm(f"withdraw-{number}", "the wrong row")
        self.says("noted")
        self.find(f"undo-{number}").click()
        shown = visible(self.find("consequences"))
        self.find("reason").fill(reason)
        return shown

    def correct_seats(self, stage: str, table: int, number: int, reason: str) -> Locator:
        """Somebody else sat in the first seat of a table, up to the list of everything that it changes."""
        self.page.goto(f"{self.page.url.split('?')[0]}?tab=corrections&game={stage}/1/{table}")
        visible(self.find("sat-0")).select_option(str(number))
        self.find("look-seats").click()
        shown = visible(self.find("consequences"))
        self.find("reason").fill(reason)
        return shown

    def correct(self, stage: str, table: int, game: int, scores: list[int], reason: str) -> Locator:
        """Another result for a game that has one, up to the list of everything that it changes."""
        self.page.goto(f"{self.page.url.split('?')[0]}?tab=corrections&game={stage}/1/{table}/{game}")
        visible(self.find("save-game"))
        for seat, score in enumerate(scores):
            self.find(f"score-{seat}").fill(str(score))
        self.find("save-game").click()
        shown = visible(self.find("consequences"))
        self.find("correct-reason").fill(reason)
        return shown

    def close_stage(self) -> None:
        """The director's approval."""
        self.go("now")
        self.confirm("close-stage")
        self.says("Stage closed")

    def fetch(self, part: str, testid: str, to: Path) -> Path:
        """A paper or a file, as the browser saves it."""
        self.go(part)
        with self.page.expect_download(timeout=2 * PATIENCE) as coming:
            self.find(testid).click()
        path = to / coming.value.suggested_filename
        coming.value.save_as(path)
        return path
