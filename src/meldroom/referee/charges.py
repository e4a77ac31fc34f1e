"""100 or 200? Whether a player who never opened could have, with the best meld as proof (R41–R45, R65)."""

from __future__ import annotations

from typing import Literal

import msgspec

from meldroom.i18n import Language, message
from meldroom.referee.errors import RefereeError
from meldroom.referee.openings import Meld, proof_meld
from meldroom.rules.book import RuleBook
from meldroom.rules.opening import opening
from meldroom.rules.scoring import FinalRack, charge, could_have_melded
from meldroom.rules.verify import FaceSet, FaceTable

LastDraw = Literal["", "nothing", "unknown"]
"""What is known of a last turn for which no tile is named: nothing was drawn, or nobody knows (R65)."""

Why = Literal[
    "melded",
    "rack",
    "flat",
    "could",
    "could_final",
    "could_not",
    "last_tile",
    "no_turn",
    "ruled_able",
    "ruled_unable",
]


class ChargeRuling(msgspec.Struct, frozen=True):
    """What a player pays, why, and the melds that prove it."""

    why: Why
    charge: int
    able: bool
    """True if they could have opened at one of their turns."""
    at_end: Meld | None
    """The best meld on the rack at the end (see `proof_meld`); None where it decides nothing."""
    at_last_turn: Meld | None
    """The best meld on the rack at the start of their last turn, without what they drew in it."""
    drawn_last: FaceSet
    clause: str
    ruling: str

    def message(self, book: RuleBook, language: Language = "en") -> str:
        """The ruling in one sentence, with the meld that decides it."""
        at_end = ("could_final", "last_tile", "ruled_able", "ruled_unable")
        shown = self.at_end if self.why in at_end else self.at_last_turn
        return message(
            f"referee.charge.{self.why}",
            language,
            charge=self.charge,
            needed=book.opening.points,
            meld=_meld_text(book, shown.sets if shown is not None else (), language),
            points=shown.points if shown is not None else 0,
            drawn=book.tiles.faces_text(self.drawn_last),
        )


def rule_charge(
    book: RuleBook,
    rack: FaceSet,
    *,
    melded: bool,
    drawn_last: FaceSet = (),
    had_turn: bool = True,
    ruled: bool | None = None,
    seat: int = 0,
) -> ChargeRuling:
    """What a rack costs its owner at the end of a game that somebody else has won.

    `ruled` is the referee's decision where the last draw is not known (R65): whether they could have opened.
    Raises RefereeError if a tile said to be drawn last is not on the rack.

    >>> from meldroom.rules.library import book
    >>> from meldroom.tiles import parse_set
    >>> wrc11 = book("wrc11")
    >>> rack = parse_set("R10 B10 K10 O3", wrc11.tiles)
    >>> rule_charge(wrc11, rack, melded=False).charge
    200
    >>> late = rule_charge(wrc11, rack, melded=False, drawn_last=parse_set("K10", wrc11.tiles))
    >>> late.charge, late.at_end.points, late.at_last_turn.points
    (100, 30, 0)
    """
    if melded or not book.scoring.unmelded:
        why: Why = "melded" if melded else "rack"
        return _ruled(book, why, FinalRack(rack, melded))
    if book.family == "laying_off":
        return _ruled(book, "flat", FinalRack(rack, melded))
    held = list(rack)
    for face in drawn_last:
        if face not in held:
            raise RefereeError("drawn", seat=seat + 1, tile=book.tiles.face_names[face])
        held.remove(face)
    by_referee = ruled is not None and not drawn_last and draw_decides(book, rack, had_turn)
    able = bool(ruled) if by_referee else could_have_melded(book, rack, drawn_last, had_turn)
    at_end, at_last_turn = proof_meld(book, rack), proof_meld(book, held)
    if book.scoring.charge_test == "final_rack":
        why = "could_final" if able else "could_not"
        at_last_turn = at_end
    elif not had_turn:
        why = "no_turn"
    elif by_referee:
        why = "ruled_able" if able else "ruled_unable"
    elif able:
        why = "could"
    else:
        why = "last_tile" if at_end.opens else "could_not"
    player = FinalRack(rack, melded, able)
    return _ruled(book, why, player, at_end, at_last_turn, drawn_last)


def draw_decides(book: RuleBook, rack: FaceSet, had_turn: bool = True) -> bool:
    """Whether 100 or 200 hangs on what a player who never opened drew last: the rack opens at the end."""
    scoring = book.scoring
    if book.family == "laying_off" or scoring.charge_test != "own_turns" or not had_turn:
        return False
    return 0 < scoring.unmelded < scoring.unmelded_able and opening(book, rack) is not None


_FIELD: dict[Why, str] = {"melded": "scoring.values", "rack": "scoring.unmelded", "flat": "scoring.unmelded"}


def _ruled(
    book: RuleBook,
    why: Why,
    player: FinalRack,
    at_end: Meld | None = None,
    at_last_turn: Meld | None = None,
    drawn_last: FaceSet = (),
) -> ChargeRuling:
    field = _FIELD.get(why) or (
        "scoring.unmelded_able" if player.could_have_melded else "scoring.charge_test"
    )
    cited = book.cite(field)
    amount, _ = charge(book, player)
    able = player.could_have_melded
    ruling = f"{cited.ruling}, R65" if why in ("ruled_able", "ruled_unable") else cited.ruling
    return ChargeRuling(why, amount, able, at_end, at_last_turn, drawn_last, cited.clause, ruling)


def _meld_text(book: RuleBook, sets: FaceTable, language: Language) -> str:
    return " | ".join(map(book.tiles.faces_text, sets)) or message("referee.charge.nothing", language)
