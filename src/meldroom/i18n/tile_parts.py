"""A sentence with tiles in it, in parts: words, and tiles that a screen draws and a screen reader names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

import msgspec

_FIRST, _LAST = "\x02", "\x03"
_MARKED = re.compile(rf"\[{_FIRST}(?P<set>[^{_LAST}]*){_LAST}\]|{_FIRST}(?P<tiles>[^{_LAST}]*){_LAST}")


class TilePart(msgspec.Struct, frozen=True):
    """Tiles in their order, each as its notation (`R4`, `*`): a value of a message, and a part of one."""

    tiles: tuple[str, ...]

    @classmethod
    def of(cls, notation: str) -> TilePart:
        """The tiles of a text such as `R4 R5 *`; what tells two equal tiles apart is left out."""
        return cls(tuple(name.rstrip("'!") for name in notation.split()))

    @property
    def text(self) -> str:
        """The tiles in notation, separated by spaces."""
        return " ".join(self.tiles)

    @property
    def marked(self) -> str:
        """The same between marks that `parts_of` knows."""
        return f"{_FIRST}{self.text}{_LAST}"


Part: TypeAlias = str | TilePart
Parts: TypeAlias = tuple[Part, ...]
"""A sentence: words as they are, and tiles in their place."""


def parts_of(marked: str) -> Parts:
    """A text with marked tiles in parts. Brackets around a set are for notation, and left out here."""
    found: list[Part] = []
    end = 0
    for match in _MARKED.finditer(marked):
        if match.start() > end:
            found.append(marked[end : match.start()])
        found.append(TilePart.of(match["tiles"] if match["set"] is None else match["set"]))
        end = match.end()
    if end < len(marked):
        found.append(marked[end:])
    return tuple(found)


def together(marked: str) -> str:
    """The same text with tiles that only a space parts as one row of tiles."""
    return marked.replace(f"{_LAST} {_FIRST}", " ")


def without_marks(marked: str) -> str:
    """The same text in notation."""
    return marked.replace(_FIRST, "").replace(_LAST, "")


def joined(sentences: Iterable[Parts]) -> Parts:
    """Sentences one after the other, a space between two."""
    found: list[Part] = []
    for sentence in sentences:
        if found and sentence:
            found.append(" ")
        found += sentence
    return tuple(found)
