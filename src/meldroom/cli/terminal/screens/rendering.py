"""Draws the turn being edited: header, table, rack and the keys that matter now."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from meldroom.cli.terminal.screens.layout import Cell, CellKind, Grid, rack_grid, table_grid
from meldroom.cli.terminal.screens.themes import Inks, mark
from meldroom.cli.terminal.session import Chair
from meldroom.cli.terminal.turn_editor import TurnEditor
from meldroom.i18n import Language, Message, message

GOOD, BAD = "✓", "✗"
LONGEST_NAME = 12
WIDE = 100
"""From this width on, the header has room for the bots' levels."""


class Renderer:
    """Draws one game in one language."""

    def __init__(
        self, editor: TurnEditor, chairs: Sequence[Chair], language: Language, inks: Inks, dark: bool
    ) -> None:
        self.editor = editor
        self.chairs = chairs
        self.language: Language = language
        self.inks = inks
        self.good = Style() if inks.plain else Style(color="#7ed491" if dark else "#14602a")
        self.bad = (
            Style(bold=True) if inks.plain else Style(color="#ff8a7a" if dark else "#a3150a", bold=True)
        )
        self.quiet = Style() if inks.plain else Style(color="#8fb8a8" if dark else "#3d5a50")

    # Grids

    def table(self, width: int, airy: bool) -> Grid:
        """The table with its sets labelled by number, mark and, where melds have one, their owner."""
        editor = self.editor
        sets = []
        for index, (each, good) in enumerate(zip(editor.draft.sets, editor.standing.marks, strict=True)):
            label = f"{index + 1:>2}{GOOD if good else BAD}"
            if each.owner is not None:
                label += f" {self._name(each.owner)}"
            sets.append((label, each.tiles))
        new = message("terminal.table.new_set", self.language) if editor.may_draft else ""
        heading = self._piles()
        if not sets:
            heading.append(("words", message("terminal.table.empty", self.language)))
        return table_grid(sets, width, new_set=new, heading=heading, airy=airy)

    def _piles(self) -> list[tuple[CellKind, str]]:
        """Stock and discard, which only the laying-off books have."""
        view = self.editor.view
        if self.editor.book.family != "laying_off":
            return []
        tiles = self.editor.book.tiles
        top = tiles.face_names[tiles.face_of[view.discards[-1]]] if view.discards else ""
        tiles_left = Message("terminal.tiles", {"count": view.pool_size})
        discard = (
            message("terminal.table.discard", self.language, tile=top)
            if top
            else message("terminal.table.no_discard", self.language)
        )
        return [
            ("stock", message("terminal.table.stock", self.language, tiles=tiles_left)),
            ("discard", discard),
        ]

    def rack(self, width: int, airy: bool) -> Grid:
        """The rack in the person's order."""
        return rack_grid(self.editor.rack, width, airy=airy)

    def cell(self, cell: Cell) -> tuple[str, Style]:
        """What stands in a cell and how."""
        editor = self.editor
        if cell.tile is not None:
            return self._tile(cell.tile)
        if cell.kind == "label":
            return cell.text, self.good if GOOD in cell.text else self.bad
        if cell.kind == "new":
            here = editor.cursor is None
            text = "▸" + cell.text[1:] if here else cell.text
            return text, Style(reverse=here, bold=here) + (Style() if here else self.quiet)
        return cell.text, self.quiet

    def _tile(self, tile: int) -> tuple[str, Style]:
        editor = self.editor
        tiles = editor.book.tiles
        face = tiles.face_of[tile]
        cursor, selected = editor.cursor == tile, tile in editor.selected
        laid = tile in editor.view.rack and tile not in editor.draft.rack
        sign = mark(cursor=cursor, selected=selected, laid=laid)
        style = self.inks.tile(face, cursor=cursor, selected=selected, recent=tile in editor.recent)
        return f"{sign}{tiles.face_names[face]:<3}", style

    # Lines

    def _name(self, seat: int) -> str:
        name = (
            message("terminal.header.you", self.language)
            if seat == self.editor.view.me
            else self.editor.view.players[seat]
        )
        return name if cell_len(name) <= LONGEST_NAME else set_cell_size(name, LONGEST_NAME - 1) + "…"

    def header(self, width: int, clock: str, round_of: tuple[int, int] | None) -> Text:
        """Book, players with their tiles and whether they have opened, the pool, the clock."""
        view = self.editor.view
        line = Text(" " + self.editor.book.title(self.language), style="bold")
        if round_of is not None:
            line.append(
                " · " + message("terminal.header.round", self.language, number=round_of[0], games=round_of[1])
            )
        for seat, count in enumerate(view.rack_sizes):
            line.append("  ")
            turn = seat == view.seat and view.phase != "over"
            name = self._name(seat)
            level = self.chairs[seat].level
            if level is not None and width >= WIDE:
                name += f" ({level})"
            opened = GOOD if view.melded[seat] else ""
            line.append(f"{'▶' if turn else ' '}{name} {count}{opened}", style="bold reverse" if turn else "")
        key = "stock" if self.editor.book.family == "laying_off" else "pool"
        right = (
            "  ".join(
                part
                for part in (message(f"terminal.header.{key}", self.language, count=view.pool_size), clock)
                if part
            )
            + " "
        )
        line.append(" " * max(2, width - line.cell_len - len(right)) + right)
        line.truncate(width)
        return line

    def keys(self, *, hints: bool) -> list[tuple[str, str, str]]:
        """The keys that matter now: the key, its word, the action of the screen."""
        editor = self.editor
        view = editor.view
        found: list[tuple[str, str, str]] = []
        if view.phase == "over":
            found.append((message("terminal.key.enter", self.language), "scores", "put_here"))
        elif editor.my_turn:
            found += self._turn_keys()
            if editor.draft.touched:
                found += [("u", "undo", "undo"), ("x", "reset", "reset")]
            on_table = editor.cursor is None or editor.draft.place(editor.cursor) is not None
            if editor.selected and on_table:
                found.append((message("terminal.key.enter", self.language), "put", "put_here"))
            if editor.selected:
                found += [
                    ("n", "new_set", "new_set"),
                    (message("terminal.key.escape", self.language), "clear", "clear"),
                ]
            elif editor.may_draft:
                found.append((message("terminal.key.space", self.language), "select", "select"))
            if hints and not editor.draft.touched:
                found.append(("h", "hint", "hint"))
                if editor.may_draft:
                    found.append(("l", "lay_hint", "lay_hint"))
        found += [("s", "runs", "sort('runs')"), ("g", "groups", "sort('groups')")]
        found += [("?", "help", "help"), ("q", "quit", "quit")]
        return [(key, message(f"terminal.key.{word}", self.language), action) for key, word, action in found]

    def _turn_keys(self) -> list[tuple[str, str, str]]:
        """What can end or begin the turn. With a draft on the table, drawing is not offered."""
        editor = self.editor
        if editor.book.family == "laying_off":
            if editor.view.phase != "take":
                wrong = [("v", "why", "why")] if editor.draft.touched and not editor.standing.legal else []
                return [("f", "discard", "finish"), *wrong]
            takes = [("d", "take_stock", "draw")]
            return takes + ([("t", "take_discard", "take_discard")] if editor.view.discards else [])
        if editor.draft.touched:
            return [("f", "finish", "finish")] + ([] if editor.standing.legal else [("v", "why", "why")])
        return [("d", "draw", "draw")] if editor.view.pool_size else [("p", "pass", "draw")]


def legend_markup(keys: Sequence[tuple[str, str, str]], width: int, rows: int = 1) -> str:
    """Keys as words to click, as many as there is room for; help and quit are always there."""
    chosen: list[tuple[str, str, str]] = []
    room = width * rows - sum(_wide(key) for key in keys[-2:])
    for key in keys[:-2]:
        if _wide(key) <= room:
            chosen.append(key)
            room -= _wide(key)
    parts = (f"[@click=screen.{action}][b]{key}[/b] {word}[/]" for key, word, action in (*chosen, *keys[-2:]))
    return "  ".join(parts)


def _wide(key: tuple[str, str, str]) -> int:
    return len(key[0]) + len(key[1]) + 3
