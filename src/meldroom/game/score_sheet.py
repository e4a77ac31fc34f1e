"""The score sheet of a finished game: why each score is what it is."""

from __future__ import annotations

from meldroom.game.log import final_racks
from meldroom.game.state import State
from meldroom.rules.scoring import Final, ScoreSheet, score


def score_sheet(state: State) -> ScoreSheet | None:
    """The sheet of a finished game; None for one that is not over, or has no result."""
    result = state.result
    if result is None or result.end == "abandoned":
        return None
    winner = result.winners[0] if result.end == "out" else None
    own = tuple(
        state.book.tiles.face_of[tile]
        for meld in state.melds
        for tile, holder in zip(meld.tiles, meld.holders, strict=True)
        if holder == winner
    )
    final = Final(final_racks(state), result.end, winner, result.going_out, own)
    return score(state.book, final, corrected=True)
