"""The terminal app driven without a terminal: keys, clicks, and the screen as text."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

from textual.pilot import Pilot
from textual.strip import Strip

from meldroom.bots import Bot, Clock
from meldroom.cli.terminal.app import PlayApp
from meldroom.cli.terminal.screens.game import GameScreen
from meldroom.cli.terminal.screens.tile_area import Area
from meldroom.cli.terminal.session import MakeBot
from meldroom.cli.terminal.settings import Settings
from meldroom.game import State
from meldroom.game.actions import Action, Discard, Draw, Pass, Take
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.tiles import Tile

LONGEST_WAIT = 30


class Idle:
    """A bot that draws and throws away, and lays nothing."""

    def act(self, view: View, clock: Clock) -> Action:
        assert view.me is not None
        if view.phase == "turn":
            return Draw(view.me) if view.pool_size else Pass(view.me)
        if view.phase == "take":
            return Take(view.me, source="stock")
        return Discard(view.me, tile=random.Random(len(view.discards)).choice(view.rack))


def idle(level: str, book: RuleBook, seed: str) -> Bot:
    """Every level is an idle bot."""
    return Idle()


class Player:
    """Somebody at the app."""

    def __init__(self, app: PlayApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def table(self) -> GameScreen:
        """The game's screen."""
        assert self.app.table is not None
        return self.app.table

    @property
    def strips(self) -> list[Strip]:
        """The rows of the screen on top."""
        return self.app.screen._compositor.render_strips()

    @property
    def text(self) -> str:
        """The screen on top as text."""
        return "\n".join(strip.text.rstrip() for strip in self.strips)

    @property
    def said(self) -> str:
        """The screen as one line, whatever its rows are."""
        return " ".join(self.text.split())

    @property
    def status(self) -> str:
        """The one line under the table."""
        return "".join(strip.text for strip in self.table.query_one("#status").render_lines(_whole(self)))

    async def settle(self) -> None:
        """Let everything that is under way come to its end."""
        await self._processed()
        await self.app.workers.wait_for_complete()
        await self._processed()

    async def _processed(self) -> None:
        """Let the app, then the screen on top, work off their messages and draw, unless the app has ended."""
        later: list[Callable[[Callable[[], None]], object]] = [
            self.app.call_later,
            lambda call: self.app.screen.call_after_refresh(call),
            lambda call: self.app.screen.call_after_refresh(call),
        ]
        for schedule in later:
            if self.app.return_code is not None:
                return
            done = asyncio.Event()
            schedule(done.set)
            await asyncio.wait_for(done.wait(), LONGEST_WAIT)

    async def press(self, *keys: str) -> None:
        """Type keys."""
        for key in keys:
            self.app.simulate_key(key)
            await self.settle()

    async def sit_at(self, state: State) -> None:
        """Put another position on the table."""
        self.table.session._game.state = state
        self.table.quieten()
        self.table._go_on()
        await self.settle()

    def where(self, name: str, area: str, number: int = 0) -> tuple[int, int]:
        """The point in an area where a tile of this name lies."""
        book = self.table.book
        found = [
            (cell.x + 1, line.y)
            for line in self.table.query_one(f"#{area}", Area).grid.lines
            for cell in line.cells
            if cell.tile is not None and book.tiles.face_names[book.tiles.face_of[cell.tile]] == name
        ]
        return found[number]

    async def click(self, name: str, area: str = "rack", *, control: bool = False) -> None:
        """Click a tile."""
        await self.pilot.click(f"#{area}", offset=self.where(name, area), control=control)
        await self.settle()

    async def click_cell(self, kind: str, index: int | None = None) -> None:
        """Click something else on the table."""
        point = next(
            (cell.x + 1, line.y)
            for line in self.table.query_one("#table", Area).grid.lines
            for cell in line.cells
            if cell.kind == kind and (index is None or cell.set_index == index)
        )
        await self.pilot.click("#table", offset=point)
        await self.settle()

    async def drag(self, name: str, area: str, to: tuple[str, tuple[int, int]]) -> None:
        """Take hold of a tile and let it go elsewhere."""
        await self.pilot.mouse_down(f"#{area}", offset=self.where(name, area))
        await self.pilot.mouse_up(f"#{to[0]}", offset=to[1])
        await self.settle()

    async def select(self, *names: str) -> None:
        """Select tiles of the rack with the keyboard."""
        for name in names:
            self.table.editor.cursor = self.tile(name)
            await self.press("space")

    def tile(self, name: str) -> Tile:
        """A tile of the rack that is not selected yet."""
        editor = self.table.editor
        tiles = editor.book.tiles
        return next(
            tile
            for tile in editor.rack
            if tiles.face_names[tiles.face_of[tile]] == name and tile not in editor.selected
        )

    @property
    def lies(self) -> str:
        """The draft's table as text."""
        draft = self.table.editor.draft
        return " | ".join(
            draft.book.tiles.faces_text(draft.book.tiles.face_of[tile] for tile in each.tiles)
            for each in draft.sets
        )


def _whole(player: Player) -> Any:
    return player.table.query_one("#status").size.region


def run(
    play: Callable[[Player], Awaitable[None]],
    settings: Settings,
    *,
    size: tuple[int, int] = (80, 24),
    make: MakeBot = idle,
    choose: bool = False,
) -> PlayApp:
    """Run the app with somebody at it; gives back the app when it is done."""
    app = PlayApp(settings, choose=choose, make=make)

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            player = Player(app, pilot)
            await pilot.pause()
            await player.settle()
            await play(player)

    asyncio.run(main())
    return app
