"""How somebody plays, as far as it can be told from what they did: the players that play-outs imagine.

A style is one of a few ways to play, from seeing one's own sets only to waiting with all that a strong player
knows. Which one a seat plays is never sure; what it did in its turns makes some likelier than others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp, fsum, log

import msgspec

from meldroom.game import events as ev

FOREVER = 10_000


class Style(msgspec.Struct, frozen=True):
    """A way to play on.

    `sees`: in how many of 1000 turns it sees what the table offers, else only sets of its own rack.
    `waits`: how many hundredths of a turn it draws before it lays one tile; 0 lays all it can, FOREVER
    waits for the whole rack. `late`: opens late and small. `fights`: in how many of 1000 turns it fights
    for the last draw.

    The rest is what is seen of it, counted in the games that chances are fitted on: `lays`, how often it lays
    once it has opened and tiles are left to draw, `one` how often that is a single tile, `opens` how often it
    opens in a turn while more than 20 tiles are left.
    """

    id: str
    sees: int
    waits: int
    late: bool
    fights: int
    lays: float
    one: float
    opens: float
    levels: tuple[str, ...]


STYLES: tuple[Style, ...] = (
    Style("own_sets", 70, 0, False, 0, 0.25, 0.33, 0.30, ("beginner", "learner", "improver")),
    Style("overlooks", 450, 0, False, 0, 0.38, 0.56, 0.30, ("casual", "family", "regular")),
    Style("rearranges", 850, 0, False, 0, 0.44, 0.42, 0.30, ("keen", "skilled", "club")),
    Style("lays_all", 1000, 0, False, 0, 0.40, 0.32, 0.30, ("tournament",)),
    Style("spares", 1000, 170, False, 0, 0.36, 0.82, 0.30, ("expert", "thrifty", "canny")),
    Style("collects", 1000, 570, False, 0, 0.14, 0.76, 0.30, ("squirrel", "collector")),
    Style("waits", 1000, FOREVER, False, 200, 0.02, 0.43, 0.30, ("patient", "strategist")),
    Style("fights", 1000, FOREVER, True, 1000, 0.07, 0.75, 0.05, ("challenger", "contender", "master")),
)
"""From the weakest to the strongest."""

STRONG = len(STYLES) - 1
"""The place of the strongest style."""

OF_LEVEL: dict[str, int] = {level: place for place, style in enumerate(STYLES) for level in style.levels}
EARLY_POOL = 20
TRUST = 0.5
"""What a turn tells counts for so much: turns of one game are alike, and are no independent witnesses."""


class Behaviour(msgspec.Struct, frozen=True):
    """What a seat did while there were tiles to draw: its turns once it had opened, and when it opened.

    `early` if more than 20 tiles were left then; `unopened` are the turns with so many before it opened.
    `held` is how many turns in a row it has drawn by now, `drew` whether it drew in its last turn.
    """

    lays: int = 0
    single: int = 0
    draws: int = 0
    early: bool | None = None
    unopened: int = 0
    held: int = 0
    drew: bool = True


UNKNOWN = Behaviour()


class Watcher:
    """Follows a game and keeps count of what each seat does. Nothing hidden is looked at."""

    def __init__(self, players: int, pool: int = 0) -> None:
        self.pool = pool
        self.opened = [False] * players
        self.seen = [UNKNOWN] * players

    def see(self, event: ev.Event, pool: int) -> None:
        """Takes note of an event; `pool` is how many tiles were left to draw before it."""
        change = msgspec.structs.replace
        match event:
            case ev.Dealt():
                self.opened = [False] * len(self.opened)
                self.seen = [UNKNOWN] * len(self.seen)
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
            case ev.Laid(seat=seat, tiles=tiles):
                now = change(self.seen[seat], held=0, drew=False)
                if not self.opened[seat]:
                    now = change(now, early=pool > EARLY_POOL)
                elif pool:
                    now = change(now, lays=now.lays + 1, single=now.single + (len(tiles) == 1))
                self.opened[seat] = True
                self.seen[seat] = now
            case ev.Passed(seat=seat):
                self.seen[seat] = change(self.seen[seat], drew=False)
            case _:
                pass


def mixture(seen: Behaviour, prior: Sequence[float] | None = None) -> tuple[float, ...]:
    """How likely each style is, after what was seen."""
    before = prior or [1.0] * len(STYLES)
    logs = []
    for style, weight in zip(STYLES, before, strict=True):
        told = log(max(weight, 1e-9))
        more = seen.lays - seen.single
        told += TRUST * (
            seen.lays * log(style.lays)
            + seen.draws * log(1 - style.lays)
            + seen.single * log(style.one)
            + more * log(1 - style.one)
            + seen.unopened * log(1 - style.opens)
            + (log(style.opens) if seen.early else 0.0)
        )
        logs.append(told)
    most = max(logs)
    weights = [exp(each - most) for each in logs]
    total = fsum(weights)
    return tuple(weight / total for weight in weights)


def certain(style: int) -> tuple[float, ...]:
    """No doubt about a style."""
    return tuple(float(place == style) for place in range(len(STYLES)))


def of_levels(levels: Iterable[str | None]) -> Mapping[int, tuple[float, ...]]:
    """The styles of seats whose level is known."""
    return {seat: certain(OF_LEVEL[level]) for seat, level in enumerate(levels) if level in OF_LEVEL}
