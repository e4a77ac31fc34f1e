"""A position as a picture: ivory tiles on a dark cloth, each with its number and its colour's letter.

The picture is one self-contained SVG. Colour is never the only sign: the letter stands under every numeral.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from meldroom.game.state import Meld
from meldroom.i18n import Language, Value, message
from meldroom.rules.book import RuleBook
from meldroom.tiles import Tile

if TYPE_CHECKING:
    from meldroom.game.notation.position import Position
    from meldroom.game.state import State
    from meldroom.game.views import View

TILE_WIDTH, TILE_HEIGHT, TILE_GAP = 44, 60, 3
SET_GAP, ROW_GAP, MARGIN = 26, 16, 28
WIDTH = 1000
LABEL_HEIGHT = 26

CLOTH, CLOTH_EDGE = "#20362f", "#182a25"
IVORY, IVORY_EDGE, IVORY_SHADE = "#f7f1e1", "#d9cfb4", "#0f1c18"
BACK, BACK_EDGE, BACK_INK = "#c9b98f", "#a8976b", "#7b6c46"
QUIET, STRONG, ACCENT = "#a9bdb2", "#f2efe4", "#e8b04a"
JOKER_INK = "#8a3d8f"
FONT = "font-family=\"'DejaVu Sans','Segoe UI','Helvetica Neue',Arial,sans-serif\""

_STAR = "M0,-15 L4.2,-5.4 L14.3,-4.6 L6.6,2.2 L8.9,12.1 L0,6.8 L-8.9,12.1 L-6.6,2.2 L-14.3,-4.6 L-4.2,-5.4 Z"


def to_svg(
    position: Position | State | View,
    *,
    racks: bool = True,
    names: Sequence[str] = (),
    title: str = "",
    language: Language = "en",
) -> str:
    """A position, state or view as an SVG document; without `racks`, only what lies on the table."""
    from meldroom.game.notation.position import Position

    if not isinstance(position, Position):
        names, position = names or position.players, position.position
    return _Drawing(position, names, language).document(racks, title)


def as_read(book: RuleBook, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The tiles of a set as people lay them: a run rising, its jokers in their places."""
    faces = book.tiles.faces_of(tiles)
    readings = book.reader.written(faces)
    if not readings or not readings[0].is_run or book.reader.faces_of(readings[0], faces) is not None:
        return tiles
    left = list(tiles)
    order = []
    for face in book.reader.arranged(readings[0], faces):
        tile = next(tile for tile in left if book.tiles.face_of[tile] == face)
        left.remove(tile)
        order.append(tile)
    return tuple(order)


class _Drawing:
    """One picture, drawn from the top down. `y` is where the next thing goes."""

    def __init__(self, position: Position, names: Sequence[str], language: Language) -> None:
        self.position = position
        self.book: RuleBook = position.book
        self.names = names
        self.language = language
        self.parts: list[str] = []
        self.y = MARGIN

    def document(self, racks: bool, title: str) -> str:
        """The whole picture."""
        if title:
            self._text(MARGIN, self.y + 16, title, STRONG, 17, weight=600)
            self.y += 34
        self._table()
        self._status()
        if racks and self.position.racks:
            for seat in range(len(self.position.racks)):
                self._rack(seat)
        height = self.y + MARGIN - ROW_GAP
        about = escape(title or self.book.name[self.language])
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" role="img" aria-label="{about}">\n<title>{about}</title>\n'
            f"<desc>{escape(str(self.position))}</desc>\n"
            f'<rect width="{WIDTH}" height="{height}" rx="14" fill="{CLOTH}"/>\n'
            f'<rect x="5" y="5" width="{WIDTH - 10}" height="{height - 10}" rx="10" fill="none" '
            f'stroke="{CLOTH_EDGE}" stroke-width="2"/>\n' + "\n".join(self.parts) + "\n</svg>\n"
        )

    # Words

    def _say(self, key: str, **details: Value) -> str:
        return message(f"record.svg.{key}", self.language, **details)

    def _text(
        self, x: float, y: float, text: str, fill: str, size: int, *, weight: int = 400, anchor: str = "start"
    ) -> None:
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" {FONT} font-size="{size}" font-weight="{weight}" fill="{fill}" '
            f'text-anchor="{anchor}">{escape(_printable(text))}</text>'
        )

    def _name(self, seat: int) -> str:
        return self.names[seat] if seat < len(self.names) else self._say("seat", seat=seat + 1)

    # Tiles

    def _tile(self, x: float, y: float, tile: Tile) -> None:
        """One tile: a large numeral and its colour's letter; a joker is a star, an unknown tile a back."""
        tiles = self.book.tiles
        known = tile >= 0
        face, edge = (IVORY, IVORY_EDGE) if known else (BACK, BACK_EDGE)
        w, h = TILE_WIDTH, TILE_HEIGHT
        self.parts.append(
            f'<rect x="{x + 1:g}" y="{y + 3:g}" width="{w}" height="{h}" rx="7" fill="{IVORY_SHADE}" '
            f'opacity="0.55"/><rect x="{x:g}" y="{y:g}" width="{w}" height="{h}" rx="7" fill="{face}" '
            f'stroke="{edge}"/>'
        )
        middle = x + w / 2
        if not known:
            self._text(middle, y + 39, "?", BACK_INK, 24, weight=700, anchor="middle")
        elif (printed := tiles.face_of[tile]) == tiles.joker:
            self.parts.append(
                f'<path transform="translate({middle:g} {y + 31:g})" d="{_STAR}" fill="{JOKER_INK}"/>'
            )
        else:
            colour = tiles.colours[tiles.colour_of[printed]]
            number = str(tiles.number_of[printed])
            size = 26 if len(number) == 1 else 23
            self._text(middle, y + 33, number, colour.ink, size, weight=700, anchor="middle")
            self._text(middle, y + 51, colour.letter, colour.ink, 13, weight=600, anchor="middle")

    def _tiles(self, x: float, tiles: Sequence[Tile]) -> None:
        for place, tile in enumerate(tiles):
            self._tile(x + place * (TILE_WIDTH + TILE_GAP), self.y, tile)

    def _flow(self, sets: Sequence[Sequence[Tile]], captions: Sequence[str] = ()) -> None:
        """Sets side by side, as many as a row holds; a set longer than a row is broken."""
        x = float(MARGIN)
        room = WIDTH - 2 * MARGIN
        most = (room + TILE_GAP) // (TILE_WIDTH + TILE_GAP)
        lift = 18 if captions else 0
        for place, tiles in enumerate(sets):
            for start in range(0, len(tiles), most):
                part = tiles[start : start + most]
                width = len(part) * (TILE_WIDTH + TILE_GAP) - TILE_GAP
                if x > MARGIN and x + width > WIDTH - MARGIN:
                    x = float(MARGIN)
                    self.y += TILE_HEIGHT + ROW_GAP + lift
                if captions and not start:
                    self._text(x + 2, self.y + 11, captions[place], QUIET, 12)
                self.y += lift
                self._tiles(x, part)
                self.y -= lift
                x += width + SET_GAP
        self.y += TILE_HEIGHT + ROW_GAP + lift

    # Places

    def _table(self) -> None:
        position = self.position
        if position.melds:
            self._flow([meld.tiles for meld in position.melds], [self._owner(m) for m in position.melds])
        elif position.table:
            self._flow([as_read(self.book, tiles) for tiles in position.table])
        else:
            self._text(WIDTH / 2, self.y + 34, self._say("empty"), QUIET, 15, anchor="middle")
            self.y += TILE_HEIGHT + ROW_GAP

    def _owner(self, meld: Meld) -> str:
        """Whose a meld is, and which of its tiles count for others."""
        others: dict[int, list[str]] = {}
        for tile, holder in zip(meld.tiles, meld.holders, strict=True):
            if holder != meld.owner:
                others.setdefault(holder, []).append(
                    self.book.tiles.face_names[self.book.tiles.face_of[tile]]
                )
        parts = [f"{self._name(seat)}: {' '.join(names)}" for seat, names in others.items()]
        return " · ".join([self._name(meld.owner), *parts])

    def _status(self) -> None:
        """One quiet line: the pool, the last discard, final turns."""
        position = self.position
        parts = [self._say("pool", count=position.pool)]
        if position.discards:
            name = self.book.tiles.face_names[self.book.tiles.face_of[position.discards[-1]]]
            parts.append(self._say("discards", count=len(position.discards), tile=name))
        if position.final is not None:
            parts.append(self._say("final"))
        self.y += 8
        self.parts.append(
            f'<line x1="{MARGIN}" y1="{self.y - 2}" x2="{WIDTH - MARGIN}" y2="{self.y - 2}" '
            f'stroke="{CLOTH_EDGE}" stroke-width="2"/>'
        )
        self._text(MARGIN, self.y + 18, " · ".join([self.book.title(), *parts]), QUIET, 13)
        self.y += 40

    def _rack(self, seat: int) -> None:
        position = self.position
        rack = position.racks[seat]
        to_act = seat == position.seat
        parts = [self._say("tiles", count=len(rack))]
        if seat < len(position.melded) and position.melded[seat]:
            parts.append(self._say("melded"))
        if seat < len(position.withdrawn) and position.withdrawn[seat]:
            parts.append(self._say("withdrawn"))
        if to_act:
            parts.append(self._say("to_act"))
            self.parts.append(
                f'<rect x="{MARGIN - 12}" y="{self.y}" width="4" height="{LABEL_HEIGHT - 8}" rx="2" '
                f'fill="{ACCENT}"/>'
            )
        name = self._name(seat)
        self.parts.append(
            f'<text x="{MARGIN}" y="{self.y + 14}" {FONT} font-size="15" font-weight="600" '
            f'fill="{ACCENT if to_act else STRONG}">{escape(_printable(name))}<tspan dx="12" font-size="13" '
            f'font-weight="400" fill="{QUIET}">{escape(" · ".join(parts))}</tspan></text>'
        )
        self.y += LABEL_HEIGHT
        if rack:
            most = (WIDTH - 2 * MARGIN + TILE_GAP) // (TILE_WIDTH + TILE_GAP)
            for start in range(0, len(rack), most):
                self._tiles(MARGIN, rack[start : start + most])
                self.y += TILE_HEIGHT + 8
            self.y += ROW_GAP - 8


def _printable(text: str) -> str:
    """XML knows no control characters."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)
