"""The exact best play: openings, going out, enumeration, odds and explanations, and the native kernel.

Importing this package loads no numeric library; the first solve does.

>>> from meldroom.rules.library import book
>>> from meldroom.tiles import parse_set, parse_table
>>> tml = book("tml")
>>> found = solve(tml, parse_table("R1 R2 R3", tml.tiles), parse_set("R4 K9", tml.tiles))
>>> found.tiles, found.points, tml.tiles.faces_text(found.played)
(1, 4, 'R4')
"""

from meldroom.solver.best import Objective, Solution, solve
from meldroom.solver.errors import PositionError, SolverError, TooLargeError

__all__ = ["Objective", "PositionError", "Solution", "SolverError", "TooLargeError", "solve"]
