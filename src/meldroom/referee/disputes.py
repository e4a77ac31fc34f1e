"""The dispute log: question, rule, evidence and ruling, final and binding (WRC 9 G4; R50)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from meldroom.i18n import Message
from meldroom.referee.errors import RefereeError
from meldroom.rules.book import RuleBook
from meldroom.rules.rulings import rulings

LONGEST = 500
_RULING = re.compile(r"R[0-9]{1,3}\Z")


class Dispute(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One dispute as it was settled. Players are named by their numbers."""

    question: str
    parties: tuple[int, ...]
    clauses: tuple[str, ...]
    """Clauses of the book, with its label: `WRC 11 #7`."""
    rulings: tuple[str, ...]
    ruling: str
    """What was decided."""
    referee: str
    evidence: tuple[str, ...] = ()
    chief: str = ""
    """The chief referee, where the matter was taken to them."""
    game: int | None = None


def settle(
    book: RuleBook,
    question: str,
    ruling: str,
    *,
    referee: str,
    cites: Sequence[str] = (),
    parties: Sequence[int] = (),
    evidence: Sequence[str] = (),
    chief: str = "",
    game: int | None = None,
) -> Dispute:
    """A dispute for the log. `cites` are clauses (`#7`), rulings (`R29`), fields or codes of the book.

    Raises RefereeError for a rule that does not exist, or a text that does not fit a line.

    >>> from meldroom.rules.library import book
    >>> settle(book("wrc11"), "May a joker go back to the rack?", "No.", referee="Rita", cites=["#9"]).clauses
    ('WRC 11 #9',)
    """
    for what, text in (("question", question), ("ruling", ruling), ("referee", referee)):
        _line(what, text)
    for text in evidence:
        _line("evidence", text)
    if chief:
        _line("chief", chief)
    clauses: list[str] = []
    named: list[str] = []
    for name in cites:
        more_clauses, more_rulings = _cited(book, name.strip())
        clauses += [each for each in more_clauses if each not in clauses]
        named += [each for each in more_rulings if each not in named]
    return Dispute(
        question, tuple(parties), tuple(clauses), tuple(named), ruling, referee, tuple(evidence), chief, game
    )


def _line(what: str, text: str) -> None:
    if not text.strip() or len(text) > LONGEST or not text.isprintable():
        raise RefereeError("text", what=Message(f"referee.text.{what}"), most=LONGEST)


def _cited(book: RuleBook, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The clauses and rulings that a name stands for. Raises RefereeError."""
    if _RULING.match(name) and name in rulings():
        return (), (name,)
    if name in book.codes or name in book.cites:
        found = book.cite(name)
        return found.clauses, found.rulings
    bare = name.removeprefix(book.label).strip()
    if any(clause.id == bare for clause in book.clauses):
        return (f"{book.label} {bare}",), ()
    raise RefereeError("cite", name=name[:40], book=book.label)
