"""Where everything lies on a screen of a given width: the table's sets in lines, the rack in rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rich.cells import cell_len

from meldroom.tiles import Tile

TILE = 4
"""Cells that a tile takes: a mark, a colour letter and up to two digits."""

GAP = 1
BETWEEN_SETS = 2

CellKind = Literal["tile", "label", "new", "stock", "discard", "words"]
Direction = Literal["left", "right", "up", "down"]


class Cell(NamedTuple):
    """One thing on a line. `set_index` is the set it belongs to, if any."""

    kind: CellKind
    x: int
    width: int
    text: str = ""
    tile: Tile | None = None
    set_index: int | None = None


class Line(NamedTuple):
    """The cells at one height."""

    y: int
    cells: tuple[Cell, ...]


class Grid(NamedTuple):
    """All lines of one area, and how many rows it takes."""

    lines: tuple[Line, ...]
    height: int

    def at(self, x: int, y: int) -> Cell | None:
        """What lies at a point; a gap belongs to what is left of it."""
        for line in self.lines:
            if line.y == y:
                return next((cell for cell in line.cells if cell.x <= x <= cell.x + cell.width), None)
        return None

    def find(self, cursor: Tile | None) -> tuple[int, Cell] | None:
        """The line and the cell of a tile, or of the place for a new set (None)."""
        for number, line in enumerate(self.lines):
            for cell in line.cells:
                if _is_at(cell, cursor):
                    return number, cell
        return None


def _is_at(cell: Cell, cursor: Tile | None) -> bool:
    return cell.kind == "new" if cursor is None else cell.kind == "tile" and cell.tile == cursor


def table_grid(
    sets: Sequence[tuple[str, Sequence[Tile]]],
    width: int,
    *,
    new_set: str = "",
    heading: Sequence[tuple[CellKind, str]] = (),
    airy: bool = False,
) -> Grid:
    """Sets with their labels side by side, as many as there is room for, then the place for a new one."""
    flow = _Flow(width)
    for kind, text in heading:
        flow.add([Cell(kind, 0, cell_len(text), text)])
    if heading:
        flow.end_line()
    for index, (label, tiles) in enumerate(sets):
        cells = [Cell("label", 0, cell_len(label), label, None, index)]
        cells += [Cell("tile", 0, TILE, "", tile, index) for tile in tiles]
        flow.add(cells)
    if new_set:
        flow.add([Cell("new", 0, cell_len(new_set), new_set)])
    return flow.grid(airy)


def rack_grid(tiles: Sequence[Tile], width: int, *, airy: bool = False) -> Grid:
    """The rack in as many rows as it needs, all as long as each other."""
    most = max(1, (width + GAP) // (TILE + GAP))
    rows = -(-len(tiles) // most)
    flow = _Flow(width)
    each = -(-len(tiles) // rows) if rows else 0
    for start in range(0, len(tiles), each or 1):
        flow.add([Cell("tile", 0, TILE, "", tile) for tile in tiles[start : start + each]])
        flow.end_line()
    return flow.grid(airy and rows > 1)


class _Flow:
    """Blocks of cells laid from left to right, each on the next line where it does not fit."""

    def __init__(self, width: int) -> None:
        self.width = max(width, TILE + GAP)
        self.done: list[list[Cell]] = []
        self.line: list[Cell] = []
        self.x = 0

    def add(self, block: Sequence[Cell]) -> None:
        wide = sum(cell.width + GAP for cell in block) - GAP
        start = self.x + (BETWEEN_SETS if self.line else 0)
        if self.line and start + wide > self.width:
            self.end_line()
            start = 0
        self.x = start
        for cell in block:
            if self.line and self.x + cell.width > self.width:
                self.end_line()
                self.x = BETWEEN_SETS
            self.line.append(cell._replace(x=self.x))
            self.x += cell.width + GAP
        self.x -= GAP

    def end_line(self) -> None:
        if self.line:
            self.done.append(self.line)
        self.line, self.x = [], 0

    def grid(self, airy: bool) -> Grid:
        self.end_line()
        step = 2 if airy else 1
        lines = tuple(Line(number * step, tuple(cells)) for number, cells in enumerate(self.done))
        return Grid(lines, max(0, len(lines) * step - (1 if airy else 0)))


def neighbour(table: Grid, rack: Grid, cursor: Tile | None, direction: Direction) -> Tile | None:
    """Where a cursor gets to: the table's lines stand above the rack's; None is the place for a new set."""
    lines = [
        cells
        for line in (*table.lines, *rack.lines)
        if (cells := [cell for cell in line.cells if cell.kind in ("tile", "new")])
    ]
    if not lines:
        return cursor
    here = next(
        (
            (number, place)
            for number, cells in enumerate(lines)
            for place, cell in enumerate(cells)
            if _is_at(cell, cursor)
        ),
        None,
    )
    if here is None:
        return lines[-1][0].tile
    number, place = here
    if direction in ("left", "right"):
        order = [cell for cells in lines for cell in cells]
        at = order.index(lines[number][place]) + (1 if direction == "right" else -1)
        return order[at % len(order)].tile
    middle = lines[number][place].x + lines[number][place].width / 2
    other = min(max(number + (1 if direction == "down" else -1), 0), len(lines) - 1)
    if other == number:
        return cursor
    return min(lines[other], key=lambda cell: abs(cell.x + cell.width / 2 - middle)).tile
