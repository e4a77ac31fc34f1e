"""A part of the screen where tiles lie: it draws a grid and says which of its cells the mouse is on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from meldroom.cli.terminal.screens.layout import Cell, Grid

Paint: TypeAlias = Callable[[Cell], tuple[str, Style]]
"""What stands in a cell, as wide as the cell, and in which style."""


class Area(Widget):
    """Draws a grid. It knows no rules and decides nothing."""

    class Touched(Message):
        """The mouse went down (`down`) or up on a cell, or beside all cells (None)."""

        def __init__(self, area: Area, cell: Cell | None, down: bool, more: bool) -> None:
            super().__init__()
            self.area = area
            self.cell = cell
            self.down = down
            self.more = more

        @property
        def control(self) -> Area:
            """The area itself."""
            return self.area

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.grid = Grid((), 0)
        self._paint: Paint = lambda cell: (cell.text, Style())

    def show(self, grid: Grid, paint: Paint) -> None:
        """Draw another grid, or the same one in another way."""
        taller = grid.height != self.grid.height
        self.grid, self._paint = grid, paint
        self.refresh(layout=taller)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the grid has."""
        return max(1, self.grid.height)

    def render_line(self, y: int) -> Strip:
        """One row of the grid on the ground of the area."""
        ground = self.rich_style
        segments: list[Segment] = []
        x = 0
        for line in self.grid.lines:
            if line.y != y:
                continue
            for cell in line.cells:
                text, style = self._paint(cell)
                if cell.x > x:
                    segments.append(Segment(" " * (cell.x - x), ground))
                segments.append(Segment(text, ground + style))
                x = cell.x + cell.width
        return Strip(segments).adjust_cell_length(self.size.width, ground)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Something is taken hold of."""
        self._touched(event, down=True)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Something is let go."""
        self._touched(event, down=False)

    def _touched(self, event: events.MouseEvent, *, down: bool) -> None:
        event.stop()
        self.post_message(self.Touched(self, self.grid.at(event.x, event.y), down, event.ctrl or event.shift))
