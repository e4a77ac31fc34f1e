"""Faults of a turn: a code, the clause and ruling it breaks, and a message a player understands."""

from __future__ import annotations

from typing import Any

import msgspec

from meldroom.i18n import Language, Message, Parts, TilePart, Value, message
from meldroom.rules.book import Citation, RuleBook

TILES = ("tiles", "tile", "old")
"""The details that are tiles, in notation."""


class Violation(msgspec.Struct, frozen=True, gc=False):
    """One fault. `details` fill the message; `set_index` is the set of the new table that is wrong."""

    code: str
    clause: str
    ruling: str
    key: str
    details: dict[str, str | int]
    set_index: int | None = None

    @property
    def message_id(self) -> str:
        """The message of the catalogue."""
        return f"rules.violation.{self.key}"

    def message(self, language: Language = "en") -> str:
        """What is wrong and, where it helps, what would be right."""
        return message(self.message_id, language, **self.details)

    def parts(self, language: Language = "en") -> Parts:
        """The same with its tiles apart from its words."""
        values: dict[str, Value] = {
            name: _tiles(value) if name in TILES and isinstance(value, str) else value
            for name, value in self.details.items()
        }
        return Message(self.message_id, values).parts(language)

    def __str__(self) -> str:
        return self.message()

    def as_json(self, language: Language = "en") -> dict[str, Any]:
        """The public shape of a violation."""
        shape: dict[str, Any] = {
            "code": self.code,
            "clause": self.clause,
            "ruling": self.ruling,
            "message": self.message(language),
        }
        if self.set_index is not None:
            shape["set"] = self.set_index
        return shape


def _tiles(notation: str) -> Value:
    """The tiles of a detail, set by set; a dash stands for none."""
    if notation == "–":
        return notation
    return tuple(TilePart.of(one) for one in notation.split("|"))


def violation(
    book: RuleBook,
    code: str,
    variant: str = "",
    set_index: int | None = None,
    *,
    because_of: str = "",
    **details: str | int,
) -> Violation:
    """A fault under a book, with the clause of its variant if the book names one.

    `because_of` names a variant that has clauses of its own, but no text of its own.
    """
    key = f"{code}.{variant}" if variant else code
    cited = f"{code}.{because_of}" if because_of else key
    citation: Citation = book.cite(cited if cited in book.codes else code)
    shown = f"MELD_LT_{book.opening.points}" if code == "MELD_LT_OPENING" else code
    return Violation(shown, citation.clause, citation.ruling, key, details, set_index)
