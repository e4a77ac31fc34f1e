"""The laying-off book solved (Rummy-O): going on board, going out, and the best play of a turn."""

from meldroom.solver.lay_off.best import LayOffPlay, Openings, best_play, going_out, last_discards, on_board
from meldroom.solver.lay_off.explanation import LayOffExplanation, LayOffStep, explain_turn
from meldroom.solver.lay_off.position import LayOffPosition, position_of, position_on

__all__ = [
    "LayOffExplanation",
    "LayOffPlay",
    "LayOffPosition",
    "LayOffStep",
    "Openings",
    "best_play",
    "explain_turn",
    "going_out",
    "last_discards",
    "on_board",
    "position_of",
    "position_on",
]
