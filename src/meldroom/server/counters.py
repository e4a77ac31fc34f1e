"""What the server counts, for the metrics."""

from __future__ import annotations

from collections import Counter

from meldroom.server.histogram import Histogram


class Counters:
    """Plain counters, since the start of the process."""

    def __init__(self) -> None:
        self.answers: Counter[int] = Counter()
        self.refusals: Counter[str] = Counter()
        self.cuts: Counter[str] = Counter()
        self.pushes: Counter[str] = Counter()
        self.plays = Histogram()
        self.messages_in = 0
        self.messages_out = 0
        self.bytes_out = 0
        self.connections = 0

    def answered(self, status: int) -> None:
        """A response went out."""
        self.answers[status] += 1

    def refuse(self, code: str) -> None:
        """Something was refused before or beside the rooms."""
        self.refusals[code] += 1

    def pushed(self, outcome: str) -> None:
        """A push message was tried."""
        self.pushes[outcome] += 1

    def cut(self, code: str) -> None:
        """The server closed a connection."""
        self.cuts[code] += 1
