"""The referee's questions, answered by the championship's rule book: position, count, penalty, redeal."""

from __future__ import annotations

import msgspec

from meldroom.api.referee.rulings import rule_on_charge, rule_on_leftovers, rule_on_table
from meldroom.api.referee.schemas import (
    ChargeQuestion,
    Count,
    Fault,
    LeftoversQuestion,
    Melds,
    Sets,
    Tiles,
)
from meldroom.championship.formats.format import Format
from meldroom.i18n import Language
from meldroom.referee import LastDraw, PenaltyKind, RefereeError, parse_faces, prove_redeal, rule_penalty
from meldroom.rules.book import RuleBook
from meldroom.server.championships.errors import HallError


class _Question(msgspec.Struct, frozen=True, tag_field="ask", forbid_unknown_fields=True):
    """A question: its tag says which."""


class AskPosition(_Question, frozen=True, tag="position"):
    """Is this table legal, and what is wrong with it?"""

    sets: Sets


class AskPenalty(_Question, frozen=True, tag="penalty"):
    """What does a fault cost? `leftovers` are tiles whose place nobody can name any more."""

    kind: PenaltyKind
    pool: Count
    leftovers: Count = 0


class AskCharge(_Question, frozen=True, tag="charge"):
    """Could the player have opened? With what they drew in their last turn."""

    rack: Tiles
    drawn_last: Tiles = ()
    had_turn: bool = True
    last_draw: LastDraw = ""
    could_open: bool | None = None


class AskRedeal(_Question, frozen=True, tag="redeal"):
    """Does this deal give the right to a new one?"""

    rack: Tiles


class AskLeftovers(_Question, frozen=True, tag="leftovers"):
    """Where do tiles go whose place nobody can name?"""

    leftovers: Tiles
    pool: Count | None = None
    """Tiles left in the pool; without it, enough."""


Question = AskPosition | AskPenalty | AskCharge | AskRedeal | AskLeftovers


class Ruled(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling: a sentence with its clause, and what it rests on."""

    ask: str
    text: str
    clause: str = ""
    ruling: str = ""
    granted: bool | None = None
    """Of a position: whether it is legal. Of a redeal: whether there is a right to one."""
    faults: tuple[Fault, ...] = ()
    draws: int = 0
    """Tiles that the player draws from the pool."""
    to_rack: int = 0
    """Leftovers that go to the player's rack."""
    pool_after: int | None = None
    restore: bool = False
    """Whether table and rack go back to the start of the turn."""
    points: int = 0
    """What a charge costs."""
    at_end: Melds | None = None
    at_last_turn: Melds | None = None


def ruled(made: Format, asked: Question, language: Language) -> Ruled:
    """The answer of the championship's book. Raises HallError."""
    try:
        return _ruled(made.rules(), asked, language)
    except RefereeError as error:
        raise HallError.from_below(error) from None


def _ruled(book: RuleBook, asked: Question, language: Language) -> Ruled:
    match asked:
        case AskPosition():
            seen = rule_on_table(book, asked.sets, language, "sets")
            return Ruled(ask="position", text=seen.text, granted=seen.legal, faults=seen.faults)
        case AskPenalty():
            cost = rule_penalty(book, asked.kind, asked.pool, asked.leftovers)
            return Ruled(
                ask="penalty",
                text=cost.message(language),
                clause=cost.clause,
                ruling=cost.ruling,
                draws=cost.tiles,
                to_rack=cost.leftovers_to_rack,
                pool_after=cost.pool_after,
                restore=cost.restore,
            )
        case AskCharge():
            charge = rule_on_charge(
                book,
                ChargeQuestion(
                    rulebook=book.id,
                    rack=asked.rack,
                    drawn_last=asked.drawn_last,
                    had_turn=asked.had_turn,
                    last_draw=asked.last_draw,
                    could_open=asked.could_open,
                ),
                language,
            )
            return Ruled(
                ask="charge",
                text=charge.text,
                clause=charge.clause,
                ruling=charge.ruling,
                points=charge.points,
                at_end=charge.at_end,
                at_last_turn=charge.at_last_turn,
            )
        case AskRedeal():
            proof = prove_redeal(book, parse_faces(book, asked.rack, "rack"))
            text = proof.message(book, language)
            return Ruled(
                ask="redeal", text=text, clause=proof.clause, ruling=proof.ruling, granted=proof.granted
            )
        case AskLeftovers():
            question = LeftoversQuestion(rulebook=book.id, leftovers=asked.leftovers, pool=asked.pool)
            where = rule_on_leftovers(book, question, language)
            return Ruled(
                ask="leftovers",
                text=where.text,
                clause=where.clause,
                ruling=where.ruling,
                draws=where.draws,
                to_rack=where.to_rack,
                pool_after=where.pool_after,
            )
