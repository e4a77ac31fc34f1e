"""Advice for the turn at hand: hints from a nudge to the whole play, in sentences and on the table."""

from __future__ import annotations

from typing import Literal

import msgspec

from meldroom.game.actions import MeldPlay, TileSets
from meldroom.game.legal.arrange import with_tiles
from meldroom.game.views import View
from meldroom.i18n import Language, Message, Parts, joined
from meldroom.rules.book import RuleBook
from meldroom.solver.best import solve_faces
from meldroom.solver.hints import RackTile, Rung, TableSets, WholeLine, hint, rung_lines
from meldroom.tiles import Face, Tile


class AdviceLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a hint: what it says, and how it is shown on the table.

    `tiles` are to be looked at. `table`, or `melds` under a laying-off book, is how everything lies after a
    step, with tiles in hand as sets of their own; `discard` and `take` are what that book does besides.
    """

    says: tuple[Message, ...]
    tiles: tuple[Tile, ...] = ()
    table: TileSets | None = None
    melds: tuple[MeldPlay, ...] | None = None
    discard: Tile | None = None
    take: Literal["stock", "discard"] | None = None

    def text(self, language: Language = "en") -> str:
        """The line in notation."""
        return " ".join(each.text(language) for each in self.says)

    def parts(self, language: Language = "en") -> Parts:
        """The line with its tiles apart from its words."""
        return joined(each.parts(language) for each in self.says)


class Advice(msgspec.Struct, frozen=True):
    """The hints for a position, from the faintest to the whole play; each has one line or more.

    `table` is the play of a rearranging book, None if there is none.
    """

    hints: tuple[tuple[AdviceLine, ...], ...]
    table: TileSets | None = None

    @property
    def last(self) -> AdviceLine:
        """The line that shows the whole play, if there is one."""
        return self.hints[-1][-1]

    def text(self, number: int, language: Language = "en") -> str:
        """A hint in notation, by its number from 1; several steps are numbered."""
        lines = [line.text(language) for line in self.hints[number - 1]]
        if len(lines) == 1:
            return lines[0]
        return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def rearranging_advice(book: RuleBook, view: View) -> Advice:
    """The hints for a position as its player sees it at the start of the turn. Slow. Raises SolverError."""
    table = tuple(map(book.tiles.faces_of, view.table))
    rack = book.tiles.faces_of(view.rack)
    melded = view.melded[view.own_seat]
    best = solve_faces(book, table, rack, melded, neat="thorough")
    ladder = hint(book, table, rack, melded, best)
    play = with_tiles(book.tiles, view.table, view.rack, best.table) if best.played else None
    return Advice(tuple(_lines(book, view, rung, play) for rung in ladder.rungs), play)


def _lines(book: RuleBook, view: View, rung: Rung, play: TileSets | None) -> tuple[AdviceLine, ...]:
    says = rung_lines(rung, book.tiles)
    match rung:
        case RackTile(tile=face):
            return (AdviceLine(says=says[0], tiles=tiles_like(book, view, face)),)
        case TableSets(sets=sets):
            return (AdviceLine(says=says[0], tiles=_in_sets(book, view.table, sets)),)
        case WholeLine(explanation=explanation):
            wanted = [(*step.table, *((face,) for face in step.loose)) for step in explanation.steps]
            tables = [with_tiles(book.tiles, view.table, view.rack, each) for each in wanted]
            if play is not None:
                tables[-1] = play
            return tuple(AdviceLine(says=said, table=table) for said, table in zip(says, tables, strict=True))
        case _:
            return (AdviceLine(says=says[0]),)


def tiles_like(book: RuleBook, view: View, face: Face) -> tuple[Tile, ...]:
    """The first tile of a face on the rack; none if it is not there."""
    return tuple(tile for tile in view.rack if book.tiles.face_of[tile] == face)[:1]


def _in_sets(book: RuleBook, table: TileSets, sets: tuple[tuple[Face, ...], ...]) -> tuple[Tile, ...]:
    """The tiles of the sets that look like these."""
    wanted = [sorted(faces) for faces in sets]
    found: list[Tile] = []
    for tiles in table:
        faces = sorted(book.tiles.faces_of(tiles))
        if faces in wanted:
            wanted.remove(faces)
            found += tiles
    return tuple(found)
