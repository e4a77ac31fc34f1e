"""What a player noticed of the others in one game: who draws and holds, who lays whatever fits."""

from __future__ import annotations

from meldroom.game.views import View

LAYS, HOLDS, ABSENT = 0, 1, 2


class Memory:
    """Everybody has one turn between two of mine, so the size of a rack tells what was done in it."""

    def __init__(self) -> None:
        self.sizes: tuple[int, ...] = ()
        self.melded: tuple[bool, ...] = ()
        self.draws: list[int] = []
        self.lays: list[int] = []
        self.drew: list[bool] = []

    def see(self, view: View) -> None:
        """Takes note of a view at the beginning of my turn."""
        seats = range(len(view.players))
        if len(self.sizes) != len(seats) or sum(view.turns) < len(seats):
            self.draws, self.lays = [0 for _ in seats], [0 for _ in seats]
            self.drew = [True for _ in seats]
            self.sizes, self.melded = view.rack_sizes, view.melded
        for seat in seats:
            change = view.rack_sizes[seat] - self.sizes[seat]
            if change:
                self.drew[seat] = change > 0
                if self.melded[seat]:
                    self.draws[seat] += change > 0
                    self.lays[seat] += change < 0
        self.sizes, self.melded = view.rack_sizes, view.melded

    def kinds(self, view: View) -> list[int]:
        """Who seems to lay whatever fits, who to hold until the whole rack goes out, and who has left.

        Whoever remembers holds: a tile laid to choose who draws last does not say otherwise.
        """
        return [self._kind(view, seat) for seat in range(len(view.players))]

    def _kind(self, view: View, seat: int) -> int:
        if view.withdrawn[seat]:
            return ABSENT
        if seat == view.me:
            return HOLDS
        return HOLDS if self.draws[seat] >= 2 and self.draws[seat] > 2 * self.lays[seat] else LAYS
