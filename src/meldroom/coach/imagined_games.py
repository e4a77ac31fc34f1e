"""Imagined games from a position as a seat sees it: who wins them, and after which first move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from meldroom.bots.chances import Playouts
from meldroom.bots.rearranging.playouts import kit_of
from meldroom.coach.styles import STYLES, UNKNOWN, Behaviour, mixture
from meldroom.game.notation.position import Position
from meldroom.game.views import View
from meldroom.rules.verify import FaceSet
from meldroom.solver.kernel import mode

AT_ONCE = 32
"""So many games are played in one call of the kernel."""
WIDTH = 64
"""How wide a turn is searched."""
STEPS = (0.7548776662466927, 0.5698402909980532, 0.8191725133961645, 0.6710436067037893)
"""Steps that spread styles evenly over games, one for each seat."""


class ImaginedGames:
    """Games from one position, each with racks, a pool and styles of its own that follow from the seed.

    `seen` is what each seat did so far, `known` the styles of seats about which there is no doubt. Raises
    BotError for a book that cannot be imagined, PositionError where nobody is to move or tiles do not add up.
    """

    def __init__(
        self,
        position: View | Position | str,
        seen: Sequence[Behaviour] = (),
        known: Mapping[int, Sequence[float]] | None = None,
        *,
        seed: str = "",
    ) -> None:
        self.start = Playouts(position, seed=seed)
        self.order = self.start.order
        told = [seen[seat] if seat < len(seen) else UNKNOWN for seat in self.order]
        sure = known or {}
        self.mixtures = [
            tuple(sure[seat]) if seat in sure else mixture(each)
            for seat, each in zip(self.order, told, strict=True)
        ]
        self._held = [each.held for each in told]
        self._drew = [int(each.drew) for each in told]

    def play(
        self, first: int, count: int, moves: Sequence[FaceSet | None], style: int = -1
    ) -> list[list[int]]:
        """Who won the games from number `first` on, a bit for each place in the order, by game and first
        move.

        A move is the faces that are laid, nothing laid for a draw or a pass; None plays as its style does.
        After a move its player goes on in `style`, or, with -1, in the style of the game.
        """
        found: list[list[int]] = []
        for start in range(first, first + count, AT_ONCE):
            found += self._play(range(start, min(start + AT_ONCE, first + count)), moves, style)
        return found

    def _play(self, numbers: range, moves: Sequence[FaceSet | None], style: int) -> list[list[int]]:
        kernel: Any = mode.kernel("styled_games")
        start, faces, players = self.start, len(self.start.table), len(self.order)
        styles = kernel.grid(len(STYLES), 4)
        for row, each in zip(styles, STYLES, strict=True):
            row[:] = [each.sees, each.waits, int(each.late), each.fights]
        chosen = kernel.grid(len(numbers), players)
        for row, game in zip(chosen, numbers, strict=True):
            row[:] = [self._style(seat, game) for seat in range(players)]
        sitting = kernel.Sitting(
            melded=kernel.ints(start.melded),
            sizes=kernel.ints(start.sizes),
            drew=kernel.ints(self._drew),
            held=kernel.ints(self._held),
            styles=styles,
            chosen=chosen,
            waited=kernel.zeros(players),
            spare=kernel.zeros(faces),
        )
        lay = kernel.grid(len(moves), faces)
        for row, move in zip(lay, moves, strict=True):
            for face in move or ():
                row[face] += 1
        tried = kernel.Moves(
            lay=lay,
            free=kernel.ints([int(move is None) for move in moves]),
            style=kernel.ints([style] * len(moves)),
        )
        world = kernel.make_worlds(players, faces, start.book.tiles.size)
        kit = kit_of(mode.kernel("playouts"), start.book, WIDTH)
        winners = kernel.grid(len(numbers), len(moves))
        seeds = kernel.ints(map(start.seed_of, numbers))
        kernel.play_games(start.known(kernel), sitting, tried, seeds, kit, world, winners)
        return [[int(each) for each in row] for row in winners]

    def _style(self, seat: int, game: int) -> int:
        """The style of a seat in a game: over many games, each as often as it is likely."""
        place = (0.5 + (game + 1) * STEPS[seat % len(STEPS)]) % 1.0
        for style, share in enumerate(self.mixtures[seat]):
            place -= share
            if place < 0:
                return style
        return max(range(len(STYLES)), key=self.mixtures[seat].__getitem__)

    def shares(self, mask: int) -> list[float]:
        """Each seat's share of a win, a tie in parts."""
        winners = [seat for place, seat in enumerate(self.order) if mask >> place & 1]
        share = [0.0] * self.start.players
        for seat in winners:
            share[seat] = 1 / len(winners)
        return share
