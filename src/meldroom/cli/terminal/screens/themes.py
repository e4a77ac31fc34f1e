"""Colours: two cloths, ivory tiles in the inks of the book, and plain letters where no colour is wanted."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from rich.style import Style
from rich.text import Text
from textual.theme import BUILTIN_THEMES, Theme

from meldroom.rules.book import RuleBook
from meldroom.tiles import Face

DARK, LIGHT = "meldroom-dark", "meldroom-light"
# The terminal's own colours, whose name has changed between versions of Textual.
PLAIN = next(name for name in ("ansi-dark", "textual-ansi") if name in BUILTIN_THEMES)

IVORY = "#f4ecda"
SELECTED = "#ffd34d"
JOKER_INK = "#7a1fa2"

CLOTHS = (
    Theme(
        name=DARK,
        primary="#e0b050",
        secondary="#8fb8a8",
        accent="#ffd34d",
        success="#7ed491",
        error="#ff8a7a",
        warning="#ffd34d",
        foreground="#e8e4d8",
        background="#17302b",
        surface="#1d3a34",
        panel="#0f221f",
        dark=True,
    ),
    Theme(
        name=LIGHT,
        primary="#7a4b00",
        secondary="#3d5a50",
        accent="#8a5a00",
        success="#14602a",
        error="#a3150a",
        warning="#8a5a00",
        foreground="#1d2522",
        background="#c9d8cf",
        surface="#d8e4dc",
        panel="#b4c7bc",
        dark=False,
    ),
)


def first_theme(environment: Mapping[str, str] | None = None) -> str:
    """Plain letters under NO_COLOR, a light cloth where the terminal says it is light, else a dark one."""
    given = os.environ if environment is None else environment
    if given.get("NO_COLOR") is not None:
        return PLAIN
    ground = given.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if ground in ("7", "15") else DARK


class Inks:
    """How tiles of one book are printed."""

    def __init__(self, book: RuleBook, plain: bool) -> None:
        self.book = book
        self.plain = plain
        letters = "".join(book.tiles.letters)
        self._tile = re.compile(rf"(?<![\w*])(?:[{letters}]\d{{1,2}}|\*)(?![\w*])")
        self._faces = dict(zip(book.tiles.face_names, book.tiles.every_face, strict=True))

    def tile(
        self, face: Face, *, cursor: bool = False, selected: bool = False, recent: bool = False
    ) -> Style:
        """The style of a tile; without colour, bold, reverse and underline say the same as the marks."""
        if self.plain:
            return Style(bold=selected or cursor, reverse=cursor, underline=recent)
        joker = face == self.book.tiles.joker
        ink = JOKER_INK if joker else self.book.tiles.colours[self.book.tiles.colour_of[face]].ink
        ground = SELECTED if selected else IVORY
        if cursor:
            return Style(color=ground, bgcolor=ink, bold=True, underline=recent)
        return Style(color=ink, bgcolor=ground, bold=True, underline=recent)

    def sentence(self, text: str) -> Text:
        """A sentence with the tiles it names printed as tiles."""
        made = Text(text)
        for found in self._tile.finditer(text):
            face = self._faces.get(found.group())
            if face is not None:
                made.stylize(self.tile(face), *found.span())
        return made


def mark(*, cursor: bool, selected: bool, laid: bool) -> str:
    """The sign before a tile's letter, which says everything that its colours say."""
    if cursor:
        return "◆" if selected else "▸"
    return "●" if selected else "+" if laid else " "
