"""The referee's tools: position checks, counting, charges, penalties, rulings and disputes."""

from meldroom.referee.charges import ChargeRuling, LastDraw, draw_decides, rule_charge
from meldroom.referee.counting import (
    Count,
    GameAtEnd,
    GameResult,
    Rack,
    SeatAtEnd,
    SeatCounted,
    at_end_of,
    count_game,
    count_racks,
    parse_faces,
)
from meldroom.referee.disputes import Dispute, settle
from meldroom.referee.errors import Finding, RefereeError
from meldroom.referee.openings import Meld, best_meld, proof_meld
from meldroom.referee.penalties import (
    PENALTY_KINDS,
    PenaltyKind,
    PenaltyRuling,
    rule_penalty,
)
from meldroom.referee.position import PositionSeen, SetSeen, check_position
from meldroom.referee.rulings import LeftoverRuling, RedealProof, prove_redeal, rule_leftovers

__all__ = [
    "PENALTY_KINDS",
    "ChargeRuling",
    "Count",
    "Dispute",
    "Finding",
    "GameAtEnd",
    "GameResult",
    "LastDraw",
    "LeftoverRuling",
    "Meld",
    "PenaltyKind",
    "PenaltyRuling",
    "PositionSeen",
    "Rack",
    "RedealProof",
    "RefereeError",
    "SeatAtEnd",
    "SeatCounted",
    "SetSeen",
    "at_end_of",
    "best_meld",
    "check_position",
    "count_game",
    "count_racks",
    "draw_decides",
    "parse_faces",
    "proof_meld",
    "prove_redeal",
    "rule_charge",
    "rule_leftovers",
    "rule_penalty",
    "settle",
]
