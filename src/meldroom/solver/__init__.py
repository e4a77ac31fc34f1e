"""The exact best play: openings, going out, enumeration, odds and explanations, and the native kernel.

Importing this package loads no numeric library; the first solve does.

>>> from meldroom.solver import explain, solve
>>> play = solve("tml@1 / table R1 R2 R3 / racks R4 K9, ?x14 / pool 87 / turn 1 / melded 1")
>>> play
<BestPlay tml R4: 1 tile, 4 points>
>>> print(explain(play))
1. Add R4 from your rack to [R1 R2 R3]: [R1 R2 R3 R4].

`solve` takes a state, a view or a position. Where there is no game, `solve_faces` takes a book and faces.
"""

from meldroom.solver.best import Objective, Solution, solve_faces, solve_many
from meldroom.solver.errors import MovementError, PositionError, SolverError, TooLargeError
from meldroom.solver.front import BestPlay, Solvable, explain, solve

__all__ = [
    "BestPlay",
    "MovementError",
    "Objective",
    "PositionError",
    "Solution",
    "Solvable",
    "SolverError",
    "TooLargeError",
    "explain",
    "solve",
    "solve_faces",
    "solve_many",
]
