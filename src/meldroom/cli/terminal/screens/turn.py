"""Keyboard and mouse while a turn is prepared: they change the editor, never the game."""

from __future__ import annotations

from typing import ClassVar, Literal

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from meldroom.cli.terminal.screens.dialogs import Page
from meldroom.cli.terminal.screens.layout import Cell, Direction, neighbour
from meldroom.cli.terminal.screens.table import TableScreen
from meldroom.cli.terminal.screens.themes import DARK, LIGHT, PLAIN
from meldroom.cli.terminal.screens.tile_area import Area
from meldroom.i18n import message
from meldroom.tiles import Tile


class TurnScreen(TableScreen):
    """Handles the keys and the mouse of a turn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"move('{key}')", show=False) for key in ("left", "right", "up", "down")),
        *(Binding(str(digit), f"digit('{digit}')", show=False) for digit in range(10)),
        Binding("tab,shift+tab", "cross", show=False),
        Binding("space", "select", show=False),
        Binding("enter", "put_here", show=False),
        Binding("escape", "clear", show=False),
        Binding("n", "new_set", show=False),
        Binding("backspace,delete", "take_back", show=False),
        Binding("b", "split", show=False),
        Binding("o", "read_otherwise", show=False),
        Binding("u,ctrl+z", "undo", show=False),
        Binding("r,ctrl+y", "redo", show=False),
        Binding("x", "reset", show=False),
        Binding("v", "why", show=False),
        Binding("s", "sort('runs')", show=False),
        Binding("g", "sort('groups')", show=False),
        Binding("comma,shift+left", "shift(-1)", show=False),
        Binding("full_stop,shift+right", "shift(1)", show=False),
        Binding("w", "log", show=False),
        Binding("i", "invert", show=False),
        Binding("question_mark", "help", show=False),
        Binding("pageup", "scroll_table(-5)", show=False),
        Binding("pagedown", "scroll_table(5)", show=False),
    ]

    _held: Cell | None = None
    """What the mouse went down on."""

    def take_from(self, source: Literal["stock", "discard"]) -> None:
        """A pile was clicked: what that means is for the game to say."""

    # Keys

    def action_move(self, direction: Direction) -> None:
        """Move the cursor."""
        table, rack = self.query_one("#table", Area).grid, self.query_one("#rack", Area).grid
        self.editor.cursor = neighbour(table, rack, self.editor.cursor, direction)
        self.line = None
        self.redraw()

    def action_cross(self) -> None:
        """From the rack to the table and back."""
        editor = self.editor
        on_rack = editor.cursor is not None and editor.draft.place(editor.cursor) is None
        if on_rack:
            sets = [each.tiles for each in editor.draft.sets if each.tiles]
            editor.cursor = sets[-1][0] if sets else None
        elif editor.rack:
            editor.cursor = editor.rack[0]
        self.redraw()

    def action_select(self) -> None:
        """Select the tile under the cursor."""
        cursor = self.editor.cursor
        if cursor is not None:
            self.attempt(lambda: self.editor.toggle(cursor))

    def action_digit(self, digit: str) -> None:
        """A digit of a set's number."""
        self.attempt(lambda: self.editor.digit(digit))

    def action_put_here(self) -> None:
        """Put the selected tiles under the cursor."""
        if self.editor.typed:
            self.attempt(self.editor.number_complete)
        else:
            self.attempt(self.editor.put_here)

    def action_clear(self) -> None:
        """Select nothing and close notes."""
        self.hint = []
        self.attempt(self.editor.clear)

    def action_new_set(self) -> None:
        """A set of its own."""
        self.attempt(self.editor.new_set)

    def action_take_back(self) -> None:
        """Back to the rack."""
        self.attempt(self.editor.take_back)

    def action_split(self) -> None:
        """Cut a set."""
        self.attempt(self.editor.split_here)

    def action_read_otherwise(self) -> None:
        """Another place for a joker."""
        self.attempt(self.editor.read_otherwise)

    def action_undo(self) -> None:
        """One change back."""
        self.attempt(self.editor.undo)

    def action_redo(self) -> None:
        """One change again."""
        self.attempt(self.editor.redo)

    def action_reset(self) -> None:
        """The whole turn back."""
        self.attempt(self.editor.reset)

    def action_sort(self, sorting: Literal["runs", "groups"]) -> None:
        """Sort the rack."""
        self.attempt(lambda: self.editor.sort(sorting))

    def action_shift(self, step: Literal[-1, 1]) -> None:
        """Move a tile along the rack."""
        self.attempt(lambda: self.editor.shift(step))

    def action_scroll_table(self, lines: int) -> None:
        """Look further up or down the table."""
        self.query_one("#cloth", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_why(self) -> None:
        """Every fault of the draft as it lies."""
        faults = self.editor.standing.faults if self.editor.draft.touched else ()
        self.line = None
        self.note = (
            [message("terminal.note.faults", self.language), *map(self.fault_text, faults)] if faults else []
        )
        if not faults:
            self.remark(message("terminal.note.no_faults", self.language))
        self.redraw()

    def action_log(self) -> None:
        """More of the log, or its last lines."""
        whole = not self.whole_log
        self.quieten()
        self.whole_log, self.hint = whole, []
        self.redraw()

    def action_invert(self) -> None:
        """Light or dark."""
        if self.app.theme != PLAIN:
            self.app.theme = LIGHT if self.app.theme == DARK else DARK
        self.redraw()

    def action_help(self) -> None:
        """All keys, and what the letters stand for."""
        letters = ", ".join(f"{colour.letter} {colour[self.language]}" for colour in self.book.tiles.colours)
        text = (
            message("terminal.help.text", self.language).strip("\n")
            + "\n\n"
            + message("terminal.help.letters", self.language, letters=letters)
        )
        commitment = message("terminal.log.commitment", self.language, commitment=self.editor.view.commitment)
        self.app.push_screen(
            Page(message("terminal.help.title", self.language), Text(f"{text}\n\n{commitment}"))
        )

    # The mouse

    @on(Area.Touched)
    def _touched(self, message: Area.Touched) -> None:
        """A click, or a tile dragged from one place to another."""
        if message.down:
            self._held = message.cell
            return
        held, self._held = self._held, None
        cell, rack = message.cell, message.area.id == "rack"
        dragged = held is not None and held.tile is not None and (cell is None or cell.tile != held.tile)
        if dragged and held is not None and held.tile is not None:
            self._dropped(held.tile, cell, rack)
        elif cell is not None:
            self._clicked(cell, rack, message.more)
        elif rack and self.editor.selected:
            self.attempt(self.editor.take_back)

    def _clicked(self, cell: Cell, rack: bool, more: bool) -> None:
        editor = self.editor
        if cell.kind in ("stock", "discard"):
            self.take_from("stock" if cell.kind == "stock" else "discard")
        elif cell.kind == "new":
            self.attempt(editor.new_set if editor.selected else editor.put_here)
        elif cell.set_index is not None and not more and self._goes_there(cell.set_index):
            self.attempt(lambda: editor.put(cell.set_index or 0))
        elif cell.kind == "label" and cell.set_index is not None:
            self.attempt(lambda: editor.toggle_set(cell.set_index or 0))
        elif cell.tile is not None:
            tile = cell.tile
            editor.cursor = tile
            self.attempt(lambda: editor.toggle(tile))

    def _goes_there(self, index: int) -> bool:
        """True if a click on a set means: put the selected tiles there."""
        tiles = self.editor.draft.sets[index].tiles
        return bool(self.editor.selected) and not any(tile in tiles for tile in self.editor.selected)

    def _dropped(self, tile: Tile, cell: Cell | None, rack: bool) -> None:
        """A tile, and the others that are selected with it, let go somewhere else."""
        editor = self.editor
        tiles = list(editor.selected) if tile in editor.selected else [tile]
        if rack:
            on_rack = [one for one in tiles if editor.draft.place(one) is None]
            if len(on_rack) == len(tiles):
                self.attempt(lambda: editor.move_before(tiles, None if cell is None else cell.tile))
            else:
                self.attempt(lambda: editor.take_back(tiles))
        elif cell is None or cell.set_index is None:
            self.attempt(lambda: editor.new_set(tiles))
        else:
            index = cell.set_index
            self.attempt(lambda: editor.put(index, tiles))
