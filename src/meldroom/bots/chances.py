"""The chance to win from a position: the hidden tiles are dealt at random, and simple players play on.

>>> from meldroom.bots import win_chances
>>> text = "tml@1 / table R1 R2 R3 | K9 B9 O9 / racks R4 B1, K11 B13 O5 / pool 0 / turn 1 / melded 1 2"
>>> found = win_chances(text, games=10)
>>> found.chance(0), found.games
(1.0, 10)
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from math import sqrt
from typing import Any, Literal, TypeAlias

import msgspec

from meldroom.bots.errors import BotError
from meldroom.bots.rearranging.memory import HOLDS, LAYS
from meldroom.bots.rearranging.playouts import can_imagine, kit_of
from meldroom.game.state import State
from meldroom.game.views import View
from meldroom.solver.errors import PositionError
from meldroom.solver.front import Solvable, as_position
from meldroom.solver.kernel import mode
from meldroom.solver.kernel.threads import on_threads
from meldroom.tiles import HIDDEN

Style: TypeAlias = Literal["lays", "holds"]
"""How an imagined player plays: most tiles every turn, or nothing until the whole rack goes out."""

STYLES: dict[Style, int] = {"lays": LAYS, "holds": HOLDS}
AT_ONCE = 32
"""So many games are played in one call of the kernel."""
WIDTH = 512
"""How wide a turn is searched: with thirty tiles on a rack, a narrow search misses what decides the game."""
DEVIATIONS = 1.96
"""Standard deviations on either side of an interval of 95 %."""


class WinChances(msgspec.Struct, frozen=True):
    """Who won imagined games from one position: so many games, and wins by seat, a shared one in parts."""

    games: int
    wins: tuple[Fraction, ...]

    def chance(self, seat: int) -> float:
        """The share of the games that a seat won."""
        return float(self.wins[seat] / self.games)

    def interval(self, seat: int) -> tuple[float, float]:
        """Where the chance lies with a probability of 95 %, if people played like the imagined players.

        This is Wilson's interval, which holds for few games and for chances near 0 and 1 as well.
        """
        games, share, z = self.games, self.chance(seat), DEVIATIONS
        middle = (share + z * z / (2 * games)) / (1 + z * z / games)
        reach = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
        return max(0.0, middle - reach), min(1.0, middle + reach)


class Playouts:
    """Imagined games from one position, as many as one likes: every call of `more` adds some.

    A position is a state, a view, a position or its text. Tiles that it hides are dealt anew for each game,
    from all that it does not show; whoever lays all they can, or has not opened, is dealt a rack that fits.
    `styles` says how each seat plays on, all alike or one by one. Jokers move freely, which is a little
    kinder than some books.

    Game n follows from the seed and n alone: the same games come out of any number of threads, and of ten
    calls or one. Raises BotError for a book that cannot be imagined, such as Rummy-O, or a style that does
    not exist, and PositionError where nobody is to move or the tiles do not add up.
    """

    def __init__(
        self, position: Solvable, *, styles: Style | Sequence[Style] = "lays", seed: str = ""
    ) -> None:
        passes = position.passes if isinstance(position, State | View) else 0
        given = as_position(position)
        book, players = given.book, len(given.racks)
        if book.family != "rearranging" or not can_imagine(book):
            raise BotError("playouts", "rulebook", book=book.id)
        if given.moment != "turn":
            raise PositionError("nobody_to_move")
        chosen = [styles] * players if isinstance(styles, str) else list(styles)
        if len(chosen) != players or not {*chosen} <= STYLES.keys():
            raise BotError("styles", "styles", known=tuple(STYLES), players=players)
        self.book, self.seed, self.passes = book, seed, passes
        self.players = players
        self.final = given.final
        self.pool = given.pool
        gone = given.withdrawn or (False,) * players
        turns = ((given.seat + book.step * turn) % players for turn in range(players))
        self.order = [seat for seat in turns if not gone[seat]]
        melded = given.melded or (False,) * players
        self.melded = [int(melded[seat]) for seat in self.order]
        self.kinds = [STYLES[chosen[seat]] for seat in self.order]
        self.sizes = [len(given.racks[seat]) for seat in self.order]
        self.hidden = [given.racks[seat].count(HIDDEN) for seat in self.order]
        face_of = book.tiles.face_of
        seen = [Counter(face_of[tile] for tile in rack if tile != HIDDEN) for rack in given.racks]
        laid = Counter(face_of[tile] for tile in chain.from_iterable(given.table))
        self.racks = [[seen[seat][face] for face in book.tiles.every_face] for seat in self.order]
        self.table = [laid[face] for face in book.tiles.every_face]
        shown = sum(seen, laid)
        self.unseen = [book.tiles.limits[face] - shown[face] for face in book.tiles.every_face]
        out_of_sight = given.pool + sum(rack.count(HIDDEN) for rack in given.racks)
        if min(self.unseen) < 0 or sum(self.unseen) < out_of_sight:
            raise PositionError("hidden_tiles", "pool", count=out_of_sight, left=sum(self.unseen))
        self._tally: Counter[int] = Counter()

    def more(self, games: int, *, threads: int = 1) -> WinChances:
        """Plays so many more games; returns what all of them came to."""
        done = self._tally.total()
        numbers = range(done, done + games)
        shares = [numbers[at : at + AT_ONCE] for at in range(0, games, AT_ONCE)]
        self._tally.update(chain.from_iterable(on_threads(self._play, shares, threads)))
        wins = [Fraction(0)] * self.players
        for mask, count in sorted(self._tally.items()):
            winners = [seat for place, seat in enumerate(self.order) if mask >> place & 1]
            for seat in winners:
                wins[seat] += Fraction(count, len(winners))
        return WinChances(self._tally.total(), tuple(wins))

    def _play(self, numbers: Sequence[int]) -> list[int]:
        """Who won each of these games, a bit for each place in the order of turns."""
        kernel: Any = mode.kernel("play_on")
        known = self.known(kernel)
        seats = kernel.Seats(
            kind=kernel.ints(self.kinds),
            melded=kernel.ints(self.melded),
            sizes=kernel.ints(self.sizes),
            drew=kernel.ints([1] * len(self.order)),
        )
        world = kernel.make_worlds(len(self.order), len(self.table), self.book.tiles.size)
        kit = kit_of(mode.kernel("playouts"), self.book, WIDTH)
        winners = kernel.zeros(len(numbers))
        kernel.play_on(known, seats, kernel.ints(map(self.seed_of, numbers)), kit, world, winners)
        found: list[int] = kernel.listed(winners, 0, len(numbers))
        return found

    def known(self, kernel: Any) -> Any:
        """What the position shows, for a kernel that deals the rest."""
        racks = kernel.grid(len(self.order), len(self.table))
        for row, counts in zip(racks, self.racks, strict=True):
            row[:] = counts
        return kernel.Known(
            racks=racks,
            hidden=kernel.ints(self.hidden),
            table=kernel.ints(self.table),
            unseen=kernel.ints(self.unseen),
            pool=self.pool,
            last_turns=-1 if self.final is None else len(self.final) + 1,
            passes=self.passes,
        )

    def seed_of(self, game: int) -> int:
        """Where the random numbers of a game begin; never 0."""
        digest = hashlib.sha256(f"{self.seed} {game}".encode()).digest()
        return int.from_bytes(digest[:7], "big") << 1 | 1


def win_chances(
    position: Solvable,
    games: int = 1000,
    *,
    styles: Style | Sequence[Style] = "lays",
    seed: str = "",
    threads: int = 1,
) -> WinChances:
    """How often each seat wins so many imagined games from a position: see `Playouts`."""
    return Playouts(position, styles=styles, seed=seed).more(games, threads=threads)
