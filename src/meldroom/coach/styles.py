"""How somebody plays, as far as it can be told from what they did: the players that play-outs imagine.

A style is one of a few ways to play, from seeing one's own sets only to waiting with all that a strong player
knows. Which one a seat plays is never sure; what it did in its turns makes some likelier than others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import exp, fsum, log

import msgspec

from meldroom.coach.matching import ladder
from meldroom.game import events as ev
from meldroom.game.actions import TileSets

FOREVER = 10_000


class Style(msgspec.Struct, frozen=True):
    """A way to play on.

    `sees`: in how many of 1000 turns it sees what the table offers, else only sets of its own rack.
    `waits`: how many hundredths of a turn it draws before it lays one tile; 0 lays all it can, FOREVER
    waits for the whole rack. `late`: opens late and small. `fights`: in how many of 1000 turns it fights
    for the last draw.

    The rest is what is seen of it, counted in the games that chances are fitted on. `turns` are those once it
    has opened and tiles are left to draw: how often it draws, lays sets of its own beside the table, adds one
    tile to a set, lays one tile and touches several sets, and lays several tiles into the table. `opens` is
    how often it opens in a turn while more than 20 tiles are left.
    """

    id: str
    sees: int
    waits: int
    late: bool
    fights: int
    turns: tuple[float, float, float, float, float]
    opens: float
    levels: tuple[str, ...]

    @property
    def rating(self) -> float:
        """The mean Elo of its levels on the ladder of WRC 11, in thousands."""
        rungs = ladder("wrc11")
        return fsum(rungs[level] for level in self.levels) / (1000 * len(self.levels))


STYLES: tuple[Style, ...] = (
    Style(
        "own_sets",
        70,
        0,
        False,
        0,
        (0.757, 0.147, 0.075, 0.001, 0.020),
        0.32,
        ("beginner", "learner", "improver"),
    ),
    Style(
        "overlooks",
        450,
        0,
        False,
        0,
        (0.623, 0.075, 0.209, 0.001, 0.092),
        0.29,
        ("casual", "family", "regular"),
    ),
    Style(
        "rearranges", 850, 0, False, 0, (0.588, 0.053, 0.140, 0.022, 0.197), 0.27, ("keen", "skilled", "club")
    ),
    Style("lays_all", 1000, 0, False, 0, (0.617, 0.051, 0.079, 0.063, 0.190), 0.26, ("tournament",)),
    Style(
        "spares",
        1000,
        170,
        False,
        0,
        (0.653, 0.030, 0.164, 0.133, 0.020),
        0.35,
        ("expert", "thrifty", "canny"),
    ),
    Style(
        "collects", 1000, 570, False, 0, (0.870, 0.014, 0.073, 0.034, 0.009), 0.30, ("squirrel", "collector")
    ),
    Style(
        "waits",
        1000,
        FOREVER,
        False,
        200,
        (0.988, 0.001, 0.006, 0.002, 0.003),
        0.33,
        ("patient", "strategist"),
    ),
    Style(
        "fights",
        1000,
        FOREVER,
        True,
        1000,
        (0.938, 0.001, 0.036, 0.020, 0.005),
        0.04,
        ("challenger", "contender", "master"),
    ),
)
"""From the weakest to the strongest."""

STRONG = len(STYLES) - 1
"""The place of the strongest style."""

OF_LEVEL: dict[str, int] = {level: place for place, style in enumerate(STYLES) for level in style.levels}
EARLY_POOL = 20
MIDDLE = 1.7
TRUST = 0.75
"""What a turn tells counts for so much: turns of one game are alike, and are no independent witnesses.

With this the style that a seat really had was likeliest, on the games that chances are fitted on.
"""


class Behaviour(msgspec.Struct, frozen=True):
    """What a seat did while there were tiles to draw: its turns once it had opened, and when it opened.

    Of its `lays`, `single` were of one tile, `wide` of one tile that touched several sets, and `own` of sets
    beside the table that touched none. `early` if more than 20 tiles were left when it opened; `unopened` are
    the turns with so many before it opened.
    `held` is how many turns in a row it has drawn by now, `drew` whether it drew in its last turn. `took` is
    how many discards it took, in Rummy-O.
    """

    lays: int = 0
    single: int = 0
    wide: int = 0
    own: int = 0
    draws: int = 0
    early: bool | None = None
    unopened: int = 0
    held: int = 0
    drew: bool = True
    took: int = 0


UNKNOWN = Behaviour()


class Watcher:
    """Follows a game and keeps count of what each seat does. Nothing hidden is looked at."""

    def __init__(self, players: int, pool: int = 0) -> None:
        self.pool = pool
        self.opened = [False] * players
        self.seen = [UNKNOWN] * players
        self._table: TileSets = ()

    def see(self, event: ev.Event, pool: int) -> None:
        """Takes note of an event; `pool` is how many tiles were left to draw before it."""
        change = msgspec.structs.replace
        match event:
            case ev.Dealt():
                self.opened = [False] * len(self.opened)
                self.seen = [UNKNOWN] * len(self.seen)
                self._table = ()
            case ev.Drew(seat=seat) | ev.Penalised(seat=seat):
                now = self.seen[seat]
                opened = self.opened[seat]
                self.seen[seat] = change(
                    now,
                    draws=now.draws + opened,
                    unopened=now.unopened + (not opened and pool > EARLY_POOL),
                    held=now.held + 1,
                    drew=True,
                )
            case ev.Laid(seat=seat, tiles=tiles, table=table):
                touched = len({frozenset(each) for each in self._table} - {frozenset(each) for each in table})
                self._table = table
                now = change(self.seen[seat], held=0, drew=False)
                if not self.opened[seat]:
                    now = change(now, early=pool > EARLY_POOL)
                elif pool:
                    now = change(
                        now,
                        lays=now.lays + 1,
                        single=now.single + (len(tiles) == 1),
                        wide=now.wide + (len(tiles) == 1 and touched > 1),
                        own=now.own + (touched == 0),
                    )
                self.opened[seat] = True
                self.seen[seat] = now
            case ev.Passed(seat=seat):
                self.seen[seat] = change(self.seen[seat], drew=False)
            case ev.Took(seat=seat, source="discard"):
                self.seen[seat] = change(self.seen[seat], took=self.seen[seat].took + 1)
            case _:
                pass


def mixture(seen: Behaviour, prior: Sequence[float] | None = None) -> tuple[float, ...]:
    """How likely each style is, after what was seen; before, each is as likely as it has levels."""
    before = prior or [float(len(style.levels)) for style in STYLES]
    touching = max(0, seen.lays - seen.single - seen.own)
    counts = (seen.draws, seen.own, seen.single - seen.wide, seen.wide, touching)
    logs = []
    for style, weight in zip(STYLES, before, strict=True):
        told = fsum(count * log(share) for count, share in zip(counts, style.turns, strict=True))
        told += seen.unopened * log(1 - style.opens) + (log(style.opens) if seen.early else 0.0)
        logs.append(log(max(weight, 1e-9)) + TRUST * told)
    most = max(logs)
    weights = [exp(each - most) for each in logs]
    total = fsum(weights)
    return tuple(weight / total for weight in weights)


def strength(styles: Sequence[float]) -> float:
    """The Elo that somebody of these styles has on average, in thousands above the middle of the ladder."""
    return fsum(share * each for share, each in zip(styles, _ratings(), strict=True)) - MIDDLE


@cache
def _ratings() -> tuple[float, ...]:
    return tuple(style.rating for style in STYLES)


def certain(style: int) -> tuple[float, ...]:
    """No doubt about a style."""
    return tuple(float(place == style) for place in range(len(STYLES)))


def of_levels(levels: Iterable[str | None]) -> Mapping[int, tuple[float, ...]]:
    """The styles of seats whose level is known."""
    return {seat: certain(OF_LEVEL[level]) for seat, level in enumerate(levels) if level in OF_LEVEL}
