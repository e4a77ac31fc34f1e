"""The referee's questions, answered by the championship's rule book: position, count, penalty, redeal."""

from __future__ import annotations

from typing import Annotated

import msgspec

from meldroom.championship.formats.format import Format
from meldroom.i18n import Language, message
from meldroom.referee import (
    PenaltyKind,
    RefereeError,
    check_position,
    parse_faces,
    prove_redeal,
    rule_charge,
    rule_leftovers,
    rule_penalty,
)
from meldroom.rules.book import RuleBook
from meldroom.server.championships.commands.answers import Melds, format_meld
from meldroom.server.championships.errors import HallError

Tiles = Annotated[tuple[str, ...], msgspec.Meta(max_length=110)]
Sets = Annotated[tuple[Tiles, ...], msgspec.Meta(max_length=60)]
Count = Annotated[int, msgspec.Meta(ge=0, le=200)]


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


class AskRedeal(_Question, frozen=True, tag="redeal"):
    """Does this deal give the right to a new one?"""

    rack: Tiles


class AskLeftovers(_Question, frozen=True, tag="leftovers"):
    """Where do tiles go whose place nobody can name?"""

    leftovers: Tiles
    pool: Count


Question = AskPosition | AskPenalty | AskCharge | AskRedeal | AskLeftovers


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong, with its clause; `set` is the set's place, from 0."""

    code: str
    message: str
    clause: str
    ruling: str
    set: int | None


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
            return _position(book, asked, language)
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
            rack = parse_faces(book, asked.rack, "rack")
            last = parse_faces(book, asked.drawn_last, "drawn_last")
            charge = rule_charge(book, rack, melded=False, drawn_last=last, had_turn=asked.had_turn)
            return Ruled(
                ask="charge",
                text=charge.message(book, language),
                clause=charge.clause,
                ruling=charge.ruling,
                points=charge.charge,
                at_end=format_meld(book, charge.at_end),
                at_last_turn=format_meld(book, charge.at_last_turn),
            )
        case AskRedeal():
            proof = prove_redeal(book, parse_faces(book, asked.rack, "rack"))
            text = proof.message(book, language)
            return Ruled(
                ask="redeal", text=text, clause=proof.clause, ruling=proof.ruling, granted=proof.granted
            )
        case AskLeftovers():
            where = rule_leftovers(book, parse_faces(book, asked.leftovers, "leftovers"), asked.pool)
            return Ruled(
                ask="leftovers",
                text=where.message(book, language),
                clause=where.clause,
                ruling=where.ruling,
                draws=where.moves.to_rack_from_pool,
                to_rack=where.moves.to_rack_from_table,
                pool_after=where.moves.pool_after,
            )


def _position(book: RuleBook, asked: AskPosition, language: Language) -> Ruled:
    table = tuple(parse_faces(book, tiles, f"sets[{place}]") for place, tiles in enumerate(asked.sets))
    seen = check_position(book, table)
    faults = tuple(
        Fault(
            code=fault.code,
            message=fault.message(language),
            clause=fault.clause,
            ruling=fault.ruling,
            set=fault.set_index,
        )
        for fault in seen.faults
    )
    text = message(
        "championships.position.legal" if seen.legal else "championships.position.faults",
        language,
        count=len(faults),
    )
    return Ruled(ask="position", text=text, granted=seen.legal, faults=faults)
