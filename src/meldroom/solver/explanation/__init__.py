"""A play as a person makes it: the movements from one table to the next, in order."""

from meldroom.solver.explanation.movements import Movement, Placed, apply_movement
from meldroom.solver.explanation.steps import Effort, Explanation, Step, explain

__all__ = ["Effort", "Explanation", "Movement", "Placed", "Step", "apply_movement", "explain"]
