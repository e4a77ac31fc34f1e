"""How much one player may ask for in a time."""

from __future__ import annotations

from collections import OrderedDict

from meldroom.rooms.errors import Refusal

MOST_PLAYERS = 20_000


class Limit:
    """So many at once and so many a second, for each player."""

    def __init__(self, at_once: int, per_second: float) -> None:
        self.at_once = at_once
        self.per_second = per_second
        self._left: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def spend(self, player: str, now: int) -> None:
        """One more. Raises Refusal, saying when to try again."""
        left, since = self._left.pop(player, (float(self.at_once), now))
        left = min(float(self.at_once), left + max(0, now - since) / 1000 * self.per_second)
        allowed = left >= 1
        self._left[player] = (left - 1 if allowed else left, now)
        while len(self._left) > MOST_PLAYERS:
            self._left.popitem(last=False)
        if not allowed:
            raise Refusal("too_fast", retry_ms=int((1 - left) / self.per_second * 1000) + 1)
