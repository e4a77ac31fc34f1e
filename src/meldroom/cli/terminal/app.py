"""The program around the screens: themes, the start page, then the game."""

from __future__ import annotations

import select
import sys
from pathlib import Path

from textual.app import App

from meldroom.cli.terminal.screens.dialogs import Question
from meldroom.cli.terminal.screens.game import GameScreen
from meldroom.cli.terminal.screens.start import StartScreen
from meldroom.cli.terminal.screens.themes import CLOTHS, PLAIN, first_theme
from meldroom.cli.terminal.series import Series, chairs, default_name, from_ladder
from meldroom.cli.terminal.session import MakeBot
from meldroom.cli.terminal.settings import Settings
from meldroom.server.background.kernels import compile_beside, may_compile
from meldroom.solver.kernel import mode

LOOK_FOR_HANG_UP = 1.0
"""Seconds between two looks at whether the terminal is still there."""


class PlayApp(App[None]):
    """A game in the terminal. With `choose`, the start page comes first."""

    TITLE = "Meldroom"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False  # A drag moves tiles and marks no text.

    def __init__(self, settings: Settings, *, choose: bool = False, make: MakeBot = from_ladder) -> None:
        theme = first_theme()  # Textual takes NO_COLOR out of the environment.
        super().__init__(ansi_color=True if theme == PLAIN else None)
        self.settings = settings
        self.choose = choose
        self.make = make
        self.table: GameScreen | None = None
        self.hung_up = False
        """True if the terminal went away: no key will ever come."""
        for cloth in CLOTHS:
            self.register_theme(cloth)
        self.theme = theme

    def on_mount(self) -> None:
        """The start page, or the game at once."""
        if sys.platform != "win32" and sys.stdin.isatty():  # a console that is closed there ends its programs
            self.set_interval(LOOK_FOR_HANG_UP, self._look_for_hang_up)
        self.run_worker(self._compile_kernels(), group="kernels")
        if self.choose:
            self.push_screen(StartScreen(self.settings), self._chosen)
        else:
            self._chosen(self.settings)

    def _chosen(self, settings: Settings | None) -> None:
        if settings is None:
            self.exit()
            return
        self.settings = settings
        name = settings.name or default_name(settings.language)
        series = Series(
            settings.book,
            chairs(name, settings.levels),
            seed=settings.seed,
            seconds=settings.book.clock.seconds if settings.clock else 0,
            make=self.make,
        )
        self.table = GameScreen(series, settings)
        self.push_screen(self.table)

    if sys.platform != "win32":

        def _look_for_hang_up(self) -> None:
            poll = select.poll()
            poll.register(sys.stdin.fileno(), 0)  # only that the other end has gone is asked for
            if poll.poll(0):
                self.hung_up = True
                self.exit()

    async def _compile_kernels(self) -> None:
        """Compile beside the game; bots and hints use the compiled kernels from their next thought on."""
        if may_compile() and mode.can_compile() and (await compile_beside()).ok:
            mode.choose("auto")

    async def action_quit(self) -> None:
        """Ctrl+Q, wherever one is: an unfinished game is asked about first."""
        if self.table is None or self.table.session.over:
            self.exit()
        elif not isinstance(self.screen, Question):
            self.table.action_quit()

    @property
    def saved(self) -> Path | None:
        """The record that was written last."""
        return None if self.table is None else self.table.saved
