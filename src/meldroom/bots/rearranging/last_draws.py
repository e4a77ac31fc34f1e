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
from functools import cache
from importlib import resources
from itertools import chain
from math import exp, fsum, log, log1p
from operator import mul
from typing import Any

import msgspec

from meldroom.bots.rearranging.base import Seat
from meldroom.bots.rearranging.playouts import WIDTH, kit_of
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


class Network(msgspec.Struct, frozen=True):
    """What is added to the weights between two players: one hidden layer, trained by self-play.

    `hidden` has a row of weights for each unit, its bias last; `last` a weight for each unit, and the bias.
    `bench/training/last_draws.py` trains it.
    """

    hidden: list[list[float]]
    last: list[float]

    def logit(self, features: Sequence[float]) -> float:
        """What the network adds for one position."""
        found = self.last[-1]
        for row, weight in zip(self.hidden, self.last[:-1], strict=True):
            unit = row[-1] + fsum(map(mul, row, features))
            if unit > 0.0:
                found += weight * unit
        return found


@cache
def trained_network() -> Network:
    """The network that master plays with."""
    text = resources.files("meldroom.bots.rearranging").joinpath("last_draws.json").read_bytes()
    return msgspec.json.decode(text, type=Network)


WORLDS = 6
FIRST_WORLDS = 2
KEPT = 8
"""All plays are weighed in the first worlds, and so many of the best in all of them."""
NETWORK_WORLDS = 4
"""A network looks so closely at each play that it takes no more of them."""


class SmallPlays:
    """My small plays in one position, weighed by what they leave to the others.

    Each world is a rack that one of them may hold, the others in turn. With a network, the best of the plays
    are looked at more closely.
    """

    def __init__(
        self,
        seat: Seat,
        others: Sequence[int],
        worlds: int,
        seed: int,
        weights: Weights,
        network: Network | None = None,
        width: int = WIDTH,
    ) -> None:
        book, view = seat.book, seat.view
        faces = book.tiles.every_face
        mine, laid = Counter(seat.rack), Counter(chain.from_iterable(seat.table))
        self.weights = weights
        self.network = network
        self.worlds = worlds
        self._pool = view.pool_size
        self._values = book.values
        self._joker = book.tiles.joker
        self._sizes = [view.rack_sizes[others[world % len(others)]] for world in range(worlds)]
        self._held = len(seat.rack)
        self._held_points = self._worth_of(seat.rack)
        self._kernel = kernel = mode.kernel("last_draws")
        self._room = kernel.make_room(len(faces), book.tiles.size, worlds, width)
        self._room.state[0] = seed << 20 | 0x9E377
        self._kit = kit_of(mode.kernel("playouts"), book)
        self._rack = kernel.ints([mine[face] for face in faces])
        self._table = kernel.ints([laid[face] for face in faces])
        self._unseen = kernel.ints([book.tiles.limits[face] - mine[face] - laid[face] for face in faces])
        self._count = self._step(kernel.LIST)
        self._order = list(range(self._count))
        self._points = [self._worth_of(rack) for rack in self.imagined]

    def _step(self, task: int, at: int = 0, first: int = 0, end: int = 0) -> int:
        found: int = self._kernel.weigh_lays(
            task, at, first, end, self._rack, self._table, self._unseen, self._kernel.ints(self._sizes),
            self._room, self._kit,
        )  # fmt: skip
        return found

    def best_first(self, deadline: float | None) -> Iterator[FaceSet]:
        """The plays, those that leave me best off first; when time runs out, in the order found."""
        worth = self.win_chances(deadline)
        rest = [at for at in self._order if at not in worth]
        for at in chain(sorted(worth, key=lambda at: (-worth[at], at)), rest):
            yield self.faces(at)

    def win_chances(self, deadline: float | None) -> dict[int, float]:
        """How likely I am to win after each of the best plays, by place; those that were weighed in time."""
        few = min(FIRST_WORLDS, self.worlds)
        worth = self._weighed(self._order, 0, few, deadline)
        self._order.sort(key=lambda at: (-worth.get(at, -1.0), at))
        end = self.worlds if self.network is None else min(NETWORK_WORLDS, self.worlds)
        return self._weighed(self._order[:KEPT], few, end, deadline, self.network)

    def smallest_first(self) -> list[FaceSet]:
        """The plays unweighed, the smallest first; those that spend a joker come last."""
        plays = map(self.faces, range(self._count))
        return sorted(plays, key=lambda lay: (self._joker in lay, len(lay)))

    def add(self, lay: FaceSet) -> None:
        """One more play to be weighed, however large."""
        if self._count < len(self._room.lays) and lay not in map(self.faces, range(self._count)):
            for face in lay:
                self._room.lays[self._count][face] += 1
            self._order.append(self._count)
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
        return next(at for at in range(self._count) if self.faces(at) == lay)

    def _weighed(
        self,
        plays: Sequence[int],
        first: int,
        end: int,
        deadline: float | None,
        network: Network | None = None,
    ) -> dict[int, float]:
        worth: dict[int, float] = {}
        for at in plays:
            if worth and deadline is not None and time.monotonic() > deadline:
                break
            self._step(self._kernel.WEIGH, at, first, end)
            if network is not None:
                self._step(self._kernel.FIT, at, 0, end)
            worth[at] = round(self._worth(at, end, network), 9)
        return worth

    def faces(self, at: int) -> FaceSet:
        """The tiles of a play, by its place."""
        return self._tiles(self._room.lays[at])

    def _tiles(self, counted: Any) -> FaceSet:
        counts = self._kernel.listed(counted, 0, self._joker + 1)
        return tuple(Face(face) for face, count in enumerate(counts) for _ in range(count))

    def _worth(self, at: int, worlds: int, network: Network | None) -> float:
        """How likely I am to win after a play, over the first worlds."""
        chances = []
        for world in range(worlds):
            sum_ = 0.0
            if theirs := int(self._room.theirs[at][world]):
                sum_ = self._weighed_sum(at, world)
                if network is not None:
                    sum_ += network.logit(self._features(at, world))
            chances.append(1 / (1 + exp(-sum_)) if theirs else 0.0)
        return fsum(chances) / worlds

    def features_against(self, at: int, rack: FaceSet) -> tuple[float, list[float]]:
        """What the weights make of a play against a known rack, and what a network sees; for training."""
        held = Counter(rack)
        for face in range(self._joker + 1):
            self._room.worlds[0][face] = held[Face(face)]
        self._room.before[0], self._room.alone[0] = 0, self._kernel.UNKNOWN
        self._sizes[0], self._points[0] = len(rack), self._worth_of(rack)
        self._step(self._kernel.WEIGH, at, 0, 1)
        self._step(self._kernel.FIT, at, 0, 1)
        return self._weighed_sum(at, 0), self._features(at, 0)

    def _weighed_sum(self, at: int, world: int) -> float:
        """What the weights make of a play in one world, as a logit."""
        room, weights = self._room, self.weights
        laid = self.faces(at)
        stuck = log(1 + int(room.theirs[at][world])) - log(1 + int(room.mine[at]))
        jokers = int(self._rack[self._joker]) - laid.count(self._joker) - int(room.worlds[world][self._joker])
        ahead = self._held - len(laid) - self._sizes[world]
        fewer = self._points[world] - self._held_points + self._worth_of(laid)
        sum_ = weights.stuck * stuck + weights.size * ahead + weights.joker * jokers
        return sum_ + weights.points * fewer + (weights.fewer if fewer > 0 else 0.0)

    def _features(self, at: int, world: int) -> list[float]:
        """What a network sees of a play in one world, after FIT."""
        room, listed = self._room, self._kernel.listed
        laid = self.faces(at)
        mine, theirs = int(room.mine[at]), int(room.theirs[at][world])
        held, others = self._held - len(laid), self._sizes[world]
        spent = laid.count(self._joker)
        numbers = [log1p(mine), log1p(theirs)]
        numbers += [float(mine == few) for few in range(3)]
        numbers += [float(theirs == few) for few in range(1, 4)]
        numbers += [held / 20, others / 20, (held - others) / 5]
        numbers += [float(self._rack[self._joker]) - spent, float(room.worlds[world][self._joker])]
        numbers += [float(self._table[self._joker]) + spent, float(self._pool <= 2)]
        found: list[int] = listed(room.fitting[world], 0, 12)
        for fit, safe, more, change, out in (found[:5], found[5:10]):
            numbers += [fit / 5, safe / 5, more / 5, change / 5, log1p(safe), float(safe == 0), out / 3]
        return [*numbers, found[10] / 5, found[11] / 5]
