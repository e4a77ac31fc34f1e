"""The referee's tools: position checks, counting, charges, penalties, rulings, disputes; papers to print."""

from meldroom.referee.charges import ChargeRuling, rule_charge
from meldroom.referee.counting import (
    Count,
    CountedGame,
    CountedRack,
    GameAtEnd,
    SeatAtEnd,
    SeatCounted,
    at_end_of,
    count_game,
    from_keypad,
)
from meldroom.referee.disputes import Dispute, settle
from meldroom.referee.keypad import Keypad
from meldroom.referee.messages import Finding, RefereeError
from meldroom.referee.openings import Meld, best_meld
from meldroom.referee.penalties import (
    PENALTY_KINDS,
    Penalty,
    PenaltyKind,
    PenaltyRuling,
    rule_penalty,
    times,
)
from meldroom.referee.position import PositionSeen, SetSeen, check_position
from meldroom.referee.rulings import LeftoverRuling, RedealProof, prove_redeal, rule_leftovers

__all__ = [
    "PENALTY_KINDS",
    "ChargeRuling",
    "Count",
    "CountedGame",
    "CountedRack",
    "Dispute",
    "Finding",
    "GameAtEnd",
    "Keypad",
    "LeftoverRuling",
    "Meld",
    "Penalty",
    "PenaltyKind",
    "PenaltyRuling",
    "PositionSeen",
    "RedealProof",
    "RefereeError",
    "SeatAtEnd",
    "SeatCounted",
    "SetSeen",
    "at_end_of",
    "best_meld",
    "check_position",
    "count_game",
    "from_keypad",
    "prove_redeal",
    "rule_charge",
    "rule_leftovers",
    "rule_penalty",
    "settle",
    "times",
]
