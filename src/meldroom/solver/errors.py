"""What can go wrong when solving: a position that cannot exist, or one that is too large."""

from __future__ import annotations


class SolverError(ValueError):
    """Anything the solver refuses. `place` names the part of the position (`table[2]`, `rack`)."""

    code = "cannot_solve"

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.reason = reason
        self.place = place


class PositionError(SolverError):
    """A position that cannot exist: an illegal set on the table, a tile too many."""

    code = "bad_position"


class TooLargeError(SolverError):
    """A tile set or position that the exact search for unusual tile sets cannot finish."""

    code = "too_large"
