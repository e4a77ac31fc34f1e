"""`meldroom puzzles`: puzzles as data."""

from meldroom.cli.puzzles.data import puzzles

__all__ = ["puzzles"]
