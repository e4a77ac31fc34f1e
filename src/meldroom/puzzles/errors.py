"""What can be wrong with a puzzle, a file of them, or what somebody asks for."""

from __future__ import annotations

from meldroom.errors import MeldroomError


class PuzzleError(MeldroomError, ValueError):
    """A puzzle that cannot be read or chosen."""

    domain = "puzzles.error"
