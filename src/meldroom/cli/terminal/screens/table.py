"""The game screen's layout: header, sets, log, status line, rack and keys."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.screen import Screen
from textual.widgets import Static

from meldroom.bots import LEVELS
from meldroom.cli.terminal.draft import DraftError
from meldroom.cli.terminal.narrate import Narrator
from meldroom.cli.terminal.save_record import record_file
from meldroom.cli.terminal.screens.rendering import Renderer, legend_markup
from meldroom.cli.terminal.screens.themes import LIGHT, PLAIN, Inks
from meldroom.cli.terminal.screens.tile_area import Area
from meldroom.cli.terminal.series import Series
from meldroom.cli.terminal.session import Happened
from meldroom.cli.terminal.settings import Settings
from meldroom.cli.terminal.status_line import Tone, status
from meldroom.cli.terminal.turn_editor import TurnEditor
from meldroom.game import events as ev
from meldroom.i18n import Language, message
from meldroom.rules.violations import Violation

TALL = 34
"""From this height on, lines of tiles stand apart."""

LOG_KEPT = 60
LEAST_TABLE, LEAST_LOG, MOST_LOG = 8, 3, 10
"""Rows of the table and of the log on the smallest screen, and of the log on the largest."""


class TableScreen(Screen[None]):
    """Shows one game after another. What is done with it is decided by its subclasses."""

    CSS = """
    Screen { background: $background; }
    #header { height: 1; background: $panel; color: $foreground; }
    #cloth { height: 1fr; min-height: 4; padding: 0 1; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    #table { height: auto; }
    #voice_box {
        height: auto; min-height: 3; max-height: 10; padding: 0 1; background: $surface;
        scrollbar-size-vertical: 1;
    }
    #voice { height: auto; }
    #status { height: 1; background: $panel; padding: 0 1; text-style: bold; text-overflow: ellipsis;
              text-wrap: nowrap; }
    #status.act { color: $accent; }
    #status.wait { color: $secondary; text-style: none; }
    #status.good { color: $success; }
    #status.bad { color: $error; }
    #rack { height: auto; margin: 0 1; }
    #rack.tall { margin: 1 1; }
    #legend { height: auto; max-height: 2; background: $panel; padding: 0 1; link-color: $foreground;
              link-style: none; link-color-hover: $accent; link-background-hover: $panel; }
    """

    def __init__(self, series: Series, settings: Settings, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.series = series
        self.settings = settings
        self.language: Language = settings.language
        self.now = now
        self.saved: Path | None = None
        """The record that was written last."""
        self.deal()

    # A game begins

    def deal(self) -> None:
        """Deal the next game."""
        self.session = self.series.next_game()
        self.book = self.session.book
        view = self.session.view()
        self.editor = TurnEditor(self.book, view)
        self.narrator = Narrator(self.book, view.players, self.session.me, self.language)
        self.file = record_file(self.settings.record, self.book.id, view.commitment, self.series.number)
        self.log_lines: list[str] = []
        self._writing: int | None = None
        self.note: list[str] = []
        self.hint: list[str] = []
        """Stays in sight while the turn is made, so that it can be followed."""
        self.line: tuple[str, Tone] | None = None
        self.deadline: float | None = None
        for chair in self.session.chairs:
            if chair.level is not None and self.series.number == 1:
                known = LEVELS[chair.level]
                said = message(
                    "terminal.log.opponent",
                    self.language,
                    name=chair.name,
                    level=known.name(self.language),
                    label=known.label(self.language),
                    thinks=known.thinks(self.language, self.book.family),
                )
                self.log_lines.append(said)
        self.log_lines.append(message("terminal.log.commitment", self.language, commitment=view.commitment))
        self.tell(Happened(event, view) for event in self.session.opening_events())
        self._writing = None
        self.whole_log = True  # Until the first key, everything that was said can be read.

    def compose(self) -> ComposeResult:
        """Header, table, log, the one line, rack, keys."""
        yield Static(id="header", markup=False)
        with VerticalScroll(id="cloth", can_focus=False):
            yield Area(id="table")
        with VerticalScroll(id="voice_box", can_focus=False):
            yield Static(id="voice", markup=False)
        yield Static(id="status", markup=False)
        yield Area(id="rack")
        yield Static(id="legend")

    def on_resize(self) -> None:
        """Everything is laid out again."""
        self.call_after_refresh(self.redraw)

    # Drawing

    def _renderer(self) -> Renderer:
        plain = self.app.theme == PLAIN
        return Renderer(
            self.editor, self.session.chairs, self.language, Inks(self.book, plain), self.app.theme != LIGHT
        )

    def show_clock(self) -> None:
        """Draw the header, where the clock is."""
        header = self._renderer().header(self.size.width, self._clock_text(), self._round())
        self.query_one("#header", Static).update(header)

    def redraw(self) -> None:
        """Draw everything again."""
        if not self.is_mounted or not self.size.width:
            return
        renderer = self._renderer()
        width, tall = self.size.width, self.size.height >= TALL
        table, rack = self.query_one("#table", Area), self.query_one("#rack", Area)
        rack.set_class(tall, "tall")
        table.show(renderer.table(width - 3, tall), renderer.cell)
        rack.show(renderer.rack(width - 2, tall), renderer.cell)
        self.show_clock()
        self._show_status(renderer)
        self._show_voice(renderer, self._free_rows(table.grid.height, rack.grid.height, tall))
        keys = renderer.keys(hints=self.settings.hints)
        self.query_one("#legend", Static).update(legend_markup(keys, width - 2, 2 if tall else 1))
        self._keep_cursor_in_sight(table)

    def _show_status(self, renderer: Renderer) -> None:
        text, tone = self.line or status(self.editor, self.language)
        shown = self.query_one("#status", Static)
        shown.set_classes(tone)
        shown.update(renderer.inks.sentence(text))

    def _free_rows(self, table: int, rack: int, tall: bool) -> int:
        """Rows that the table leaves to the log: all that it does not need, within reason."""
        others = 2 + max(rack, 1) + (4 if tall else 1)  # Header, status, rack with its margin, keys.
        return min(max(self.size.height - others - max(table + 1, LEAST_TABLE), LEAST_LOG), MOST_LOG)

    def _show_voice(self, renderer: Renderer, rows: int) -> None:
        """The log, or a note that takes its place until something else is done."""
        note = self.note or self.hint
        lines = note or self.log_lines
        box = self.query_one("#voice_box", VerticalScroll)
        box.styles.height = "auto" if note or self.whole_log else rows
        self.query_one("#voice", Static).update(Text("\n").join(map(renderer.inks.sentence, lines)))
        if note:
            box.scroll_home(animate=False)
        else:
            self.call_after_refresh(box.scroll_end, animate=False)

    def _keep_cursor_in_sight(self, table: Area) -> None:
        found = table.grid.find(self.editor.cursor)
        if found is not None:
            line, cell = found
            region = Region(cell.x, table.grid.lines[line].y, cell.width, 1)
            self.query_one("#cloth", VerticalScroll).scroll_to_region(region, animate=False)

    def _clock_text(self) -> str:
        if self.deadline is None:
            return ""
        left = max(0, round(self.deadline - self.now()))
        return f"{left // 60}:{left % 60:02d}"

    def _round(self) -> tuple[int, int] | None:
        match = self.series.match
        return None if match is None else (min(self.editor.view.game, match.games), match.games)

    def _write(self, happened: Happened) -> None:
        """A line in the log; what the same player does in one turn stands in one line."""
        said = self.narrator.line(happened)
        if isinstance(happened.event, ev.TurnBegan):
            self._writing = None
        if said is None:
            return
        seat = getattr(happened.event, "seat", None)
        if seat is not None and seat == self._writing:
            self.log_lines[-1] += " " + said
        else:
            self.log_lines.append(said)
        self._writing = seat

    def tell(self, happened: Iterable[Happened]) -> None:
        """Write down what happened, and remember which tiles are new."""
        me, recent = self.session.me, set(self.editor.recent)
        for each in happened:
            self._write(each)
            match each.event:
                case ev.TurnBegan(seat=seat) if seat != me and each.before.seat == me:
                    recent -= {tile for tile in recent if tile not in self.session.view().rack}
                case ev.Laid(seat=seat, tiles=tiles) | ev.Played(seat=seat, tiles=tiles) if seat != me:
                    recent |= set(tiles)
                case ev.Laid(seat=seat) | ev.Played(seat=seat) if seat == me:
                    recent = set()
                case ev.Drew(seat=seat, tile=tile) if seat == me:
                    recent = {tile}
                case ev.Took(seat=seat, tile=tile) if seat == me:
                    recent.add(tile)
                case ev.Penalised(seat=seat, tiles=tiles) if seat == me:
                    recent = set(tiles)
                case _:
                    pass
        self.editor.recent = frozenset(recent)
        self.log_lines = self.log_lines[-LOG_KEPT:]

    # Saying something

    def fault_text(self, fault: Violation) -> str:
        """A fault as a sentence with its clause and the ruling behind it."""
        cited = ", ".join(part for part in (fault.clause, fault.ruling) if part)
        text = fault.message(self.language)
        return "• " + (
            message("terminal.note.clause", self.language, message=text, clause=cited) if cited else text
        )

    def remark(self, text: str) -> None:
        """Say something in the one line until the next key."""
        self.line = (text, "bad")
        self.redraw()

    def quieten(self) -> None:
        self.line, self.note, self.whole_log = None, [], False

    def attempt(self, change: Callable[[], object]) -> None:
        """Change the draft, or show why that cannot be done."""
        self.quieten()
        try:
            change()
        except DraftError as error:
            self.remark(error.message(self.language))
            return
        self.redraw()
