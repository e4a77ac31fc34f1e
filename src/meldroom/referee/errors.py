"""What the referee refuses to enter or to rule on, and what the referee finds."""

from __future__ import annotations

from meldroom.errors import MeldroomError
from meldroom.rules.book import Citation, RuleBook
from meldroom.rules.violations import Violation


class RefereeError(MeldroomError, ValueError):
    """Something that cannot be entered or ruled on; nothing has been changed."""

    domain = "referee.error"


class Finding(Violation, frozen=True):
    """A fault that only a referee can see: tiles too many, missing, or on the wrong rack."""

    @property
    def message_id(self) -> str:
        """The message of the catalogue."""
        return f"referee.finding.{self.key}"


def finding(book: RuleBook, code: str, field: str, **details: str | int) -> Finding:
    """A finding with the clause of a field of the book."""
    cited: Citation = book.cite(field)
    return Finding(code, cited.clause, cited.ruling, code, details)
