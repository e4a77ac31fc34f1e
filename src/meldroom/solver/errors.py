"""What can go wrong when solving: a position that cannot exist, or one that is too large."""

from __future__ import annotations

from typing import ClassVar

from meldroom.errors import MeldroomError


class SolverError(MeldroomError, ValueError):
    """Anything the solver refuses. `where` names the part of the position (`table[2]`, `rack`)."""

    domain = "solver.error"
    kind: ClassVar[str] = "cannot_solve"
    """The code of the answer to a `solve` request."""


class PositionError(SolverError):
    """A position that cannot exist: an illegal set on the table, a tile too many."""

    kind = "bad_position"


class TooLargeError(SolverError):
    """A tile set or position that the exact search for unusual tile sets cannot finish."""

    kind = "too_large"


class OutOfTimeError(Exception):
    """A deadline came before a search was over. Never leaves the solver: what was found by then is given."""


class MovementError(MeldroomError, ValueError):
    """A movement that cannot be made here: a set that is not on the table, a tile that is not at hand."""

    domain = "solver.error.movement"
