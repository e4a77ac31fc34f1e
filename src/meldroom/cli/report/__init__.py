"""`meldroom report`: how a recorded game went for one player."""

from meldroom.cli.report.printed import report

__all__ = ["report"]
