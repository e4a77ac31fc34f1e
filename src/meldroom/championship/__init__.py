"""A championship as a chained log: entrants, draws, seatings, results, signatures, standings, corrections."""

from meldroom.championship.actions import (
    Action,
    AddEntrant,
    AddWord,
    Adopt,
    AmendEntrant,
    AnnounceDraw,
    CancelPenalty,
    CheckIn,
    CloseStage,
    CorrectResult,
    CorrectSeats,
    DecideTie,
    Decline,
    EnterResult,
    EraseEntrant,
    Found,
    ImportEntrants,
    NoShow,
    Penalise,
    Reveal,
    SeatsAt,
    SeatSitting,
    SettleDispute,
    SignSheet,
    Substitute,
    UndoStatus,
    Withdraw,
)
from meldroom.championship.apply import apply
from meldroom.championship.corrections import Consequences, consequences
from meldroom.championship.entrants import Entrant, parse_entrants
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.fold import fold
from meldroom.championship.formats.format import Format, Stage, load_format, preset
from meldroom.championship.log.audit import Fault, verify
from meldroom.championship.log.entry import LogEntry, replay
from meldroom.championship.log.file import ChampionshipLog, read_lines, read_state
from meldroom.championship.rank_bounds import Bounds, rank_bounds
from meldroom.championship.results import GameResult, Rack, from_racks, from_scores
from meldroom.championship.standings import Row, Standings, final_ranking, standings
from meldroom.championship.state import ChampionshipState

__all__ = [
    "Action",
    "AddEntrant",
    "AddWord",
    "Adopt",
    "AmendEntrant",
    "AnnounceDraw",
    "Bounds",
    "CancelPenalty",
    "ChampionshipError",
    "ChampionshipLog",
    "ChampionshipState",
    "CheckIn",
    "CloseStage",
    "Consequences",
    "CorrectResult",
    "CorrectSeats",
    "DecideTie",
    "Decline",
    "EnterResult",
    "Entrant",
    "EraseEntrant",
    "Fault",
    "Format",
    "Found",
    "GameResult",
    "ImportEntrants",
    "LogEntry",
    "NoShow",
    "Penalise",
    "Rack",
    "Reveal",
    "Row",
    "SeatSitting",
    "SeatsAt",
    "SettleDispute",
    "SignSheet",
    "Stage",
    "Standings",
    "Substitute",
    "UndoStatus",
    "Withdraw",
    "apply",
    "consequences",
    "final_ranking",
    "fold",
    "from_racks",
    "from_scores",
    "load_format",
    "parse_entrants",
    "preset",
    "rank_bounds",
    "read_lines",
    "read_state",
    "replay",
    "standings",
    "verify",
]
