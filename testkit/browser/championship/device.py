"""A tablet or phone at a table, used as the table's referee does, on the network and off it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

from testkit.browser.settings import PATIENCE

TABLET: dict[str, Any] = {"viewport": {"width": 800, "height": 1100}, "has_touch": True}


def visible(what: Locator) -> Locator:
    """Something that must come into sight; a busy machine is slow."""
    expect(what).to_be_visible(timeout=PATIENCE)
    return what


class Device:
    """The page of one table."""

    def __init__(self, page: Page, table: int) -> None:
        self.page, self.table = page, table

    def find(self, testid: str) -> Locator:
        """A part of the page."""
        return self.page.get_by_test_id(testid)

    def bind(self, link: str) -> None:
        """Open the table's link and let this device work for it."""
        self.page.goto(link)
        self.find("device-label").fill(f"Tablet {self.table}")
        self.find("bind").click()
        visible(self.find("clock-face"))

    def play(self, turns: int = 1) -> None:
        """Tap the clock; two taps in a moment would be one."""
        for turn in range(1, turns + 1):
            if turn > 1:
                self.page.wait_for_timeout(650)
            self.find("clock-face").click()
            expect(self.find("clock-face")).to_contain_text(f"Turn {turn}", timeout=PATIENCE)

    def leave_network(self) -> None:
        """The Wi-Fi is gone."""
        self.page.context.set_offline(True)

    def come_back(self) -> None:
        """The Wi-Fi is there again: everything that waited arrives."""
        self.page.context.set_offline(False)
        expect(self.find("net")).to_have_attribute("data-online", "true", timeout=PATIENCE)
        expect(self.find("waiting")).to_have_count(0, timeout=PATIENCE)

    def count(self, winner: int, racks: Mapping[int, Sequence[str]], *, unmelded: Sequence[int] = ()) -> None:
        """The end of a game by the keypad, up to the machine's sums: tiles of every seat that did not win."""
        self.find("end-game").click()
        self.find(f"out-{winner}").click()
        for seat, tiles in sorted(racks.items()):
            self.find("next-step").click()
            for tile in tiles:
                self.find("key-joker" if tile == "*" else f"key-{tile}").click()
            if seat in unmelded:
                self.find("unmelded").click()
                self.find("drew-nothing").click()
        self.find("next-step").click()
        visible(self.find("count-status"))

    def enter(self, game: int) -> None:
        """Enter what was counted; off the network too it is there at once."""
        self.find("enter-result").click()
        visible(self.page.get_by_role("heading", name=re.compile(f"Game {game} is (entered|saved)")))

    def type_scores(self, game: int, scores: Sequence[int]) -> None:
        """The end of a game by its scores as they stand on paper."""
        self.find("end-game").click()
        self.page.get_by_role("button", name="Type the scores instead").click()
        fields = self.page.get_by_label("Score of ")
        for seat, score in enumerate(scores):
            fields.nth(seat).fill(str(score))
        self.page.get_by_role("button", name=f"Enter the result of game {game}").click()
        visible(self.page.get_by_role("heading", name=re.compile(f"Game {game} is (entered|saved)")))

    def sign(self, seats: int, pin: str = "") -> None:
        """The referee and the players sign the sheet; with a PIN, after a wrong one."""
        self.find("tab-sheet").click()
        name = self.find("sign-referee")
        if pin:
            name.select_option("Rita Sole")
        else:
            name.fill("Rita Sole")
        for seat in range(seats):
            self.find(f"sign-{seat}").fill("ok")
        self.find("sign").click()
        for tried in (pin[::-1], pin) if pin else ():
            self.find("pin").fill(tried)
            self.find("pin-send").click()
            if tried != pin:
                visible(self.page.get_by_text("That isn't Rita Sole's PIN."))
        expect(self.find("signed")).to_contain_text("Signed by Rita Sole", timeout=PATIENCE)

    def call(self, about: str, text: str) -> None:
        """Call the referee to the table."""
        self.find("tab-help").click()
        self.page.get_by_role("button", name=about, exact=True).click()
        self.page.get_by_label("A word about it").fill(text)
        self.find("call").click()
        visible(self.find("open-call"))
