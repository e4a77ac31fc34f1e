"""Penalties by type: what the book says about each."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from meldroom.i18n import Language, Message, message
from meldroom.referee.errors import RefereeError
from meldroom.rules.book import RuleBook
from meldroom.rules.procedures import Leftover, leftover, leftover_citation, penalty_citation

PenaltyKind = Literal[
    "time_out",
    "illegal_table",
    "illegal_opening",
    "wrong_turn",
    "tiles_shown",
    "racks_touched",
    "talking",
    "late",
    "own_equipment",
    "unsporting",
    "other",
]
PENALTY_KINDS: tuple[PenaltyKind, ...] = get_args(PenaltyKind)

_FIELD: dict[PenaltyKind, str] = {
    "time_out": "penalty.tiles",
    "illegal_table": "penalty.strict_declare",
    "illegal_opening": "penalty.strict_declare",
    "racks_touched": "scoring.values",
}
"""The field of the book that speaks of each; of the others no book speaks, and the referee decides (R50)."""
_RESTORED: tuple[PenaltyKind, ...] = ("time_out", "illegal_table", "illegal_opening")
_REFEREE = "R50"


class PenaltyRuling(msgspec.Struct, frozen=True):
    """What a penalty of this type costs under a book."""

    kind: PenaltyKind
    restore: bool
    """Whether table and rack go back to the start of the turn (R25)."""
    tiles: int
    """Tiles that the player draws from the pool, as far as it goes (R28)."""
    leftovers_to_rack: int
    pool_after: int
    clause: str
    ruling: str

    def message(self, language: Language = "en") -> str:
        """What happens, in one line."""
        cost = Message("referee.penalty.restore", {"count": self.tiles})
        if not self.restore:
            cost = Message("referee.penalty.warning")
        what = Message(f"referee.penalty.{self.kind}")
        return message("referee.penalty.line", language, what=what, cost=cost)


def rule_penalty(book: RuleBook, kind: PenaltyKind, pool: int, leftovers: int = 0) -> PenaltyRuling:
    """What a fault costs: tiles to draw where the book names them, otherwise a note.

    `leftovers` are tiles whose place nobody can name after the table was restored. Raises RefereeError.

    >>> from meldroom.rules.library import book
    >>> rule_penalty(book("wrc11"), "time_out", pool=2).tiles
    2
    >>> rule_penalty(book("wrc9"), "time_out", pool=40, leftovers=2).tiles
    5
    """
    if pool < 0 or leftovers < 0:
        raise RefereeError("pool")
    field = _FIELD.get(kind)
    cited = book.cite(field) if field is not None else None
    clause, ruling = (cited.clause, cited.ruling) if cited is not None else ("", _REFEREE)
    if kind not in _RESTORED or not book.penalty.tiles:
        return PenaltyRuling(kind, False, 0, 0, pool, clause, ruling)
    moves = leftover(book, leftovers, pool)
    if moves is None:
        if leftovers:
            raise RefereeError("leftovers", book=book.title())
        drawn = min(book.penalty.tiles, pool)
        moves = Leftover(0, drawn, pool - drawn)
    if kind == "time_out":
        decided = penalty_citation(book, moves.to_rack_from_pool)
        if leftovers:
            decided = leftover_citation(book, moves, leftovers)
        clause, ruling = decided.clause, decided.ruling
    return PenaltyRuling(
        kind, True, moves.to_rack_from_pool, moves.to_rack_from_table, moves.pool_after, clause, ruling
    )
