"""The score sheet of a finished game: why each score is what it is."""

from __future__ import annotations

from meldroom.game.log import final_racks, winner_tiles
from meldroom.game.state import State
from meldroom.rules.scoring import Final, ScoreSheet, score, score_resigned


def score_sheet(state: State) -> ScoreSheet | None:
    """The sheet of a finished game; None for one that is not over, or has no result."""
    result = state.result
    if result is None or result.end == "abandoned":
        return None
    racks = final_racks(state)
    if result.end == "resigned":
        winner = result.winners[0]
        return score_resigned(state.book, racks, winner, winner_tiles(state, winner))
    out = result.winners[0] if result.end == "out" else None
    final = Final(racks, result.end, out, result.going_out, winner_tiles(state, out))
    return score(state.book, final, corrected=True)
