"""What a response can vary: every parameter of the policy with its range, and how one is drawn or changed."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Literal, TypeAlias

import msgspec

from meldroom.arena.experiment import Parameter

Order: TypeAlias = Literal[
    "smallest", "fewest_replies", "keeps_own", "balance", "least_help", "cheapest", "dearest"
]
Early: TypeAlias = Literal["rules", "patient", "master"]
Final: TypeAlias = Literal["points", "tiles", "foresight", "master"]


ALWAYS_WAITS = -8
"""A margin that nobody falls below."""


class Habits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a response plays. In the middle of a game, one that holds until its whole rack goes out.

    Opening: at the latest when `open_at_pool` tiles are left to draw or an opened player holds no more than
    `open_at_rack`; as soon as somebody else has opened (`open_after_others`); when the rest could go out next
    (`open_to_go_out`); as a waiting move (`open_as_wait`). `open_large` lays all it can.

    Middle: once no more than `lay_pool` tiles are left to draw, it lays its best play of `lay_tiles` or more
    (`lay_tiles_to_layers` against players who lay too) or one that leaves no more than `lay_left`; anything
    when a player holds no more than `threat`. `lay_points` prefers points to tiles. `early` leaves opening
    and middle to a level of the ladder.

    The last draws, from `fight_pool` tiles in the pool on: it draws when `place` more players draw after it
    before the pool is empty (0: it takes the last tile itself), else it waits by laying up to `wait_tiles`
    tiles, chosen by `wait_order` (the smallest, those that leave others the fewest single tiles to wait with,
    those that let the next player lay least), `most_waits` times at most, `waits_kept` saved for the last two
    tiles; only while it has `wait_margin` single tiles more to wait with than the next player seems to
    have; jokers only with `wait_jokers`, and nothing on which another player goes out in more than `risk` of
    the imagined deals. With nothing left to wait with it draws, or lays all it can (`lay_out`). From
    `master_pool` tiles on it plays as `master` does.

    Final turns: most `points` or `tiles`, or `foresight`: with two players nothing is hidden any more.
    """

    open_at_pool: int = 20
    open_at_rack: int = 8
    open_after_others: bool = False
    open_to_go_out: bool = True
    open_as_wait: bool = False
    open_large: bool = False
    lay_tiles: int = 60
    lay_tiles_to_layers: int = 60
    lay_left: int = 0
    lay_pool: int = 80
    threat: int = 0
    lay_points: bool = False
    early: Early = "rules"
    fight_pool: int = 4
    place: int = 0
    wait_tiles: int = 3
    wait_order: Order = "smallest"
    most_waits: int = 20
    waits_kept: int = 0
    wait_margin: int = ALWAYS_WAITS
    wait_jokers: bool = False
    risk: float = 1.0
    lay_out: bool = False
    master_pool: int = 0
    final: Final = "foresight"


class Whole(msgspec.Struct, frozen=True):
    """A whole number from `least` to `most`."""

    least: int
    most: int


class Share(msgspec.Struct, frozen=True):
    """A number from 0 to 1."""


class Choice(msgspec.Struct, frozen=True):
    """One of a few values."""

    values: tuple[str | bool, ...]


Range: TypeAlias = Whole | Share | Choice
_EITHER = Choice((False, True))

SPACE: dict[str, Range] = {
    "open_at_pool": Whole(0, 80),
    "open_at_rack": Whole(0, 20),
    "open_after_others": _EITHER,
    "open_to_go_out": _EITHER,
    "open_as_wait": _EITHER,
    "open_large": _EITHER,
    "lay_tiles": Whole(1, 60),
    "lay_tiles_to_layers": Whole(1, 60),
    "lay_left": Whole(0, 8),
    "lay_pool": Whole(0, 80),
    "threat": Whole(0, 10),
    "lay_points": _EITHER,
    "early": Choice(("rules", "patient", "master")),
    "fight_pool": Whole(0, 16),
    "place": Whole(0, 3),
    "wait_tiles": Whole(0, 8),
    "wait_order": Choice(
        ("smallest", "fewest_replies", "keeps_own", "balance", "least_help", "cheapest", "dearest")
    ),
    "most_waits": Whole(0, 20),
    "waits_kept": Whole(0, 5),
    "wait_margin": Whole(ALWAYS_WAITS, 4),
    "wait_jokers": _EITHER,
    "risk": Share(),
    "lay_out": _EITHER,
    "master_pool": Whole(0, 8),
    "final": Choice(("points", "tiles", "foresight", "master")),
}
"""Every parameter, in the order in which it is drawn."""

PRESETS: dict[str, dict[str, Parameter]] = {
    "holds": {"fight_pool": 0},
    "waits with tiles": {"wait_tiles": 1},
    "waits with sets": {"wait_tiles": 3},
    "waits with sets, late": {"wait_tiles": 3, "fight_pool": 2},
    "waits with anything": {"wait_tiles": 8, "wait_order": "balance", "lay_out": True},
    "waits carefully": {"wait_tiles": 8, "wait_order": "fewest_replies", "risk": 0.3},
    "waits and helps nobody": {"wait_tiles": 8, "wait_order": "least_help", "risk": 0.0},
    "waits early": {"fight_pool": 8, "wait_tiles": 1},
    "waits early and helps nobody": {
        "fight_pool": 8,
        "wait_tiles": 8,
        "wait_order": "least_help",
        "risk": 0.0,
    },
    "waits early, then plays as master": {
        "early": "master",
        "fight_pool": 8,
        "wait_tiles": 1,
        "master_pool": 4,
        "final": "master",
    },
    "waits while ahead": {"wait_tiles": 5, "wait_order": "balance", "wait_margin": 0},
    "opens to wait": {"open_at_pool": 6, "open_as_wait": True, "fight_pool": 6, "wait_tiles": 5},
    "plays as master, waits with sets": {"early": "master", "final": "master", "wait_tiles": 3},
    "lays large plays": {"lay_tiles": 14, "open_at_pool": 80, "wait_tiles": 5},
}
"""Where the search begins: policies that somebody thought of."""


def complete(parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
    """The parameters with the usual values of all others."""
    usual = msgspec.structs.asdict(Habits())
    return {**usual, **parameters}


def uniform(chance: Random, players: int) -> dict[str, Parameter]:
    """Any parameters at all."""
    return {name: draw(chance, which, players, name) for name, which in SPACE.items()}


def mutated(parameters: Mapping[str, Parameter], chance: Random, players: int) -> dict[str, Parameter]:
    """The parameters with one to four of them changed: numbers by a little or to anything."""
    made = complete(parameters)
    for name in chance.sample(list(SPACE), chance.randint(1, 4)):
        which, value = SPACE[name], made[name]
        if isinstance(which, Whole) and isinstance(value, int) and chance.random() < 0.5:
            step = max(1, (which.most - which.least) // 10)
            moved = value + chance.choice((-1, 1)) * chance.randint(1, step)
            made[name] = within(which, moved, players, name)
        else:
            made[name] = draw(chance, which, players, name)
    return made


def draw(chance: Random, which: Range, players: int, name: str) -> Parameter:
    """A value of a range, each as likely."""
    if isinstance(which, Choice):
        return chance.choice(which.values)
    if isinstance(which, Share):
        return round(chance.random(), 2)
    return within(which, chance.randint(which.least, which.most), players, name)


def within(which: Whole, value: int, players: int, name: str) -> int:
    """The nearest value that the range allows; a place must be one at this table."""
    if name == "place":
        return value % players
    return min(which.most, max(which.least, value))
