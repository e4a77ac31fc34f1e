"""A championship and everybody in it: desks, devices, the referee's phone, the public, the wall."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from testkit.browser.axe import violations
from testkit.browser.championship.desk import Desk
from testkit.browser.championship.device import Device, visible
from testkit.browser.championship.staff import Staff, result, some_scores
from testkit.browser.settings import PATIENCE, PHONE
from tests.browser.conftest import Visitors


class Hall:
    """The event and everybody in it; `reached` is the last chapter that went well."""

    def __init__(self, visitors: Visitors, folder: Path) -> None:
        self.visitors, self.folder = visitors, folder
        self.chance = random.Random(11)
        self.reached = 0
        self.code = ""
        self.organiser, self.director = Desk(visitors.come()), Desk(visitors.come())
        self.referee, self.public = visitors.come(**PHONE), visitors.come()
        self.screen = visitors.come()
        self.devices: dict[int, Device] = {}
        self.links: dict[int, str] = {}
        self.scorer = self.chief = Staff("", "", "")

    def chapter(self, number: int) -> None:
        """What comes before must have gone well, and no page may have complained."""
        assert self.reached == number - 1, f"chapter {self.reached + 1} failed"
        assert self.visitors.complaints == []

    def done(self, number: int) -> None:
        """A chapter is over."""
        assert self.visitors.complaints == []
        self.reached = number

    def staff(self, link: str) -> Staff:
        """Somebody who has the key of a link and works without a page."""
        return Staff(self.visitors.address, self.code, link.partition("#key=")[2])

    def some_games(self, stage: str, games: range) -> list[dict[str, Any]]:
        """Results of all tables for some games."""
        return [
            result(stage, table, game, some_scores(self.chance, len(players)))
            for table, players in self.scorer.tables(stage).items()
            for game in games
        ]

    def part(self, part: str) -> None:
        """A part of the public page."""
        self.public.get_by_test_id(f"part-{part}").click()


def check(page: Page) -> None:
    """Axe is content, and nothing runs out at the side; these pages follow the server and are never idle."""
    visible(page.locator("h1").first)
    expect(page.locator(".waits, [aria-busy='true']")).to_have_count(0, timeout=PATIENCE)
    found = violations(page)
    assert not found, f"{page.url}\n" + "\n".join(found)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url
