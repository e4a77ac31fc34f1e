"""`meldroom puzzle`: a puzzle in the terminal."""

from meldroom.cli.puzzle.terminal import puzzle

__all__ = ["puzzle"]
