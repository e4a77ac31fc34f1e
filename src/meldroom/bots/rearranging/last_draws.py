"""Small plays near the end of the pool, as a bot uses them: a view in, the plays that help others least out.

Whoever draws the last tile has the last of the final turns, and hardly ever loses. So with an even number of
tiles in the pool nobody wants to draw: both lay a little instead, and each tile they lay is one that the
other can build on. The fight ends when somebody can go out on it.

Where the game goes on with an empty pool until everybody passes, whoever holds fewer points may pass and
wait; the other must lay enough to be ahead, or has lost.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from math import exp, fsum, log
from typing import Any

import msgspec

from meldroom.bots.rearranging.base import Seat
from meldroom.bots.rearranging.playouts import kit_of
from meldroom.rules.verify import FaceSet
from meldroom.solver.kernel import mode
from meldroom.tiles import Face


class Weights(msgspec.Struct, frozen=True):
    """What a position in the fight is worth: logistic regression over games of this bot with itself.

    `stuck` weighs how many times more tiles the other player has stuck than I have, `size` every tile I hold
    more than they, `joker` every joker; `points` every point I hold less than they, and `fewer` to hold fewer
    points at all.
    """

    stuck: float = 0.9
    size: float = 0.28
    joker: float = 0.6
    points: float = 0.0
    fewer: float = 0.0


LAST_DRAWS = Weights()
POOL_EMPTY = Weights(points=0.01, fewer=3.0)


WORLDS = 6
FIRST_WORLDS = 2
KEPT = 8
"""All plays are weighed in the first worlds, and so many of the best in all of them."""


class SmallPlays:
    """My small plays in one position, weighed by what they leave to the others.

    Each world is a rack that one of them may hold, the others in turn.
    """

    def __init__(self, seat: Seat, others: Sequence[int], worlds: int, seed: int, weights: Weights) -> None:
        book, view = seat.book, seat.view
        faces = book.tiles.every_face
        mine, laid = Counter(seat.rack), Counter(chain.from_iterable(seat.table))
        self.weights = weights
        self.worlds = worlds
        self._values = book.values
        self._joker = book.tiles.joker
        self._sizes = [view.rack_sizes[others[world % len(others)]] for world in range(worlds)]
        self._held = len(seat.rack)
        self._held_points = self._worth_of(seat.rack)
        self._kernel = kernel = mode.kernel("last_draws")
        self._room = kernel.make_room(len(faces), book.tiles.size, worlds)
        self._room.state[0] = seed << 20 | 0x9E377
        self._kit = kit_of(mode.kernel("playouts"), book)
        self._rack = kernel.ints([mine[face] for face in faces])
        self._table = kernel.ints([laid[face] for face in faces])
        self._unseen = kernel.ints([book.tiles.limits[face] - mine[face] - laid[face] for face in faces])
        self._count = self._step(kernel.LIST)
        self._points = [self._worth_of(rack) for rack in self.imagined]

    def _step(self, task: int, at: int = 0, first: int = 0, end: int = 0) -> int:
        found: int = self._kernel.weigh_lays(
            task, at, first, end, self._rack, self._table, self._unseen, self._kernel.ints(self._sizes),
            self._room, self._kit,
        )  # fmt: skip
        return found

    def best_first(self, deadline: float | None) -> Iterator[FaceSet]:
        """The plays, those that leave me best off first; when time runs out, in the order found."""
        few = min(FIRST_WORLDS, self.worlds)
        order = self._weighed(range(self._count), 0, few, deadline)
        kept = self._weighed(order[:KEPT], few, self.worlds, deadline) if self.worlds > few else order[:KEPT]
        for at in chain(kept, order[KEPT:]):
            yield self._faces(at)

    def smallest_first(self) -> list[FaceSet]:
        """The plays unweighed, the smallest first; those that spend a joker come last."""
        plays = map(self._faces, range(self._count))
        return sorted(plays, key=lambda lay: (self._joker in lay, len(lay)))

    def add(self, lay: FaceSet) -> None:
        """One more play to be weighed, however large."""
        if self._count < len(self._room.lays) and lay not in map(self._faces, range(self._count)):
            for face in lay:
                self._room.lays[self._count][face] += 1
            self._count += 1

    def fewer_points(self, rack: FaceSet) -> bool:
        """True if I hold fewer points than the other player, in most worlds."""
        mine = self._worth_of(rack)
        return 2 * sum(mine < theirs for theirs in self._points) > self.worlds

    def _worth_of(self, rack: FaceSet) -> int:
        return sum(self._values[face] for face in rack)

    @property
    def imagined(self) -> list[FaceSet]:
        """The racks that the other player may hold."""
        return [self._tiles(self._room.worlds[world]) for world in range(self.worlds)]

    def stuck(self, lay: FaceSet) -> int:
        """How many of my tiles could not be laid after a play that was weighed."""
        return int(self._room.mine[self._place(lay)])

    def risk(self, lay: FaceSet) -> float:
        """In how many of the worlds the other player goes out on a play that was weighed."""
        theirs: list[int] = self._kernel.listed(self._room.theirs[self._place(lay)], 0, self.worlds)
        return theirs.count(0) / self.worlds

    def _place(self, lay: FaceSet) -> int:
        return next(at for at in range(self._count) if self._faces(at) == lay)

    def _weighed(self, plays: range | list[int], first: int, end: int, deadline: float | None) -> list[int]:
        worth: dict[int, float] = {}
        for at in plays:
            if worth and deadline is not None and time.monotonic() > deadline:
                break
            self._step(self._kernel.WEIGH, at, first, end)
            worth[at] = round(self._worth(at, end), 9)
        weighed = sorted(worth, key=lambda at: (-worth[at], at))
        return weighed + [at for at in plays if at not in worth]

    def _faces(self, at: int) -> FaceSet:
        return self._tiles(self._room.lays[at])

    def _tiles(self, counted: Any) -> FaceSet:
        counts = self._kernel.listed(counted, 0, self._joker + 1)
        return tuple(Face(face) for face, count in enumerate(counts) for _ in range(count))

    def _worth(self, at: int, worlds: int) -> float:
        """How likely I am to win after a play, over the first worlds."""
        room, weights = self._room, self.weights
        laid = self._faces(at)
        jokers = int(self._rack[self._joker]) - laid.count(self._joker)
        stuck = log(1 + int(room.mine[at]))
        points = self._held_points - self._worth_of(laid)
        chances = []
        for world in range(worlds):
            theirs = int(room.theirs[at][world])
            more = jokers - int(room.worlds[world][self._joker])
            ahead = weights.size * (self._held - len(laid) - self._sizes[world])
            fewer = self._points[world] - points
            sum_ = weights.stuck * (log(1 + theirs) - stuck) + ahead + weights.joker * more
            sum_ += weights.points * fewer + (weights.fewer if fewer > 0 else 0.0)
            chances.append(1 / (1 + exp(-sum_)) if theirs else 0.0)
        return fsum(chances) / worlds
