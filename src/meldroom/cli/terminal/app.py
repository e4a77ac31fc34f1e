"""The program around the screens: themes, the start page, then the game."""

from __future__ import annotations

from pathlib import Path

from textual.app import App

from meldroom.cli.terminal.screens.dialogs import Question
from meldroom.cli.terminal.screens.game import GameScreen
from meldroom.cli.terminal.screens.start import StartScreen
from meldroom.cli.terminal.screens.themes import CLOTHS, PLAIN, first_theme
from meldroom.cli.terminal.series import Series, chairs, default_name, from_ladder
from meldroom.cli.terminal.session import MakeBot
from meldroom.cli.terminal.settings import Settings


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
        for cloth in CLOTHS:
            self.register_theme(cloth)
        self.theme = theme

    def on_mount(self) -> None:
        """The start page, or the game at once."""
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
