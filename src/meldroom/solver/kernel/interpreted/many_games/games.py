"""The games as rows of arrays, what a book says, and the room that one thread works in."""

from __future__ import annotations

from typing import NamedTuple

from .. import best_play as solver
from ..arrays import (
    Grid,
    Ints,
    OctetGrid,
    OctetRoom,
    Octets,
    grid,
    octet_grid,
    octet_room,
    read_only,
    zeros,
)
from ..best_play import LONGEST_ANSWER, Groups
from ..workspace import Room

ROOM = 160
"""Enough for all tiles of a box in sets of three, with an end after each."""
SETS = 96
LATER = -1
"""The end of a table that is only made once its play is chosen."""
UNLIMITED = 1 << 39
TILE_BITS, POINT_BITS = 24, 10
FOUND, LOOSE, FIRST, LAST = 4, 5, 6, 7
"""Where in an answer the sets stand, jokers to be laid on them, and where the tiles played begin and end."""

RUNNING, CHOOSING, OVER, ASKS_OPENINGS, ASKS_OPENING, ASKS_CHARGES, SETTLING = range(7)
"""What a game is at; the three that ask are answered from outside."""

(STATUS, PENDING, SEAT, STARTER, LEARNER, POOL_AT, POOL_END, TABLE_END, EXHAUSTED, PASSES, FINAL_LEFT,
 FINAL_NEXT, CHOICES, OUT, EARNED, MUST, HELD, FACTS) = range(18)  # fmt: skip

BEGINNER, TOURNAMENT, PATIENT = range(3)

(WAIT, MOST_TILES, MOST_POINTS, MOST_VALUE, FEWEST, MINIMAL, KEEP_JOKERS, FROM_RACK, HOLD, SINGLE, ONE_SET,
 GOES_OUT) = range(12)  # fmt: skip
"""The kinds of choices, by the place they have among the features."""
KINDS = 16
AMOUNTS = 9
MOST_HELD = 8
LONGEST_SET = 5
UNKNOWN, DEAD, FITS = range(3)
"""What is known of a single tile on the table as it lies."""


class Book(NamedTuple):
    """What the games need to know of a book; values and limits by face, weights by number."""

    colours: int
    numbers: int
    players: int
    opening: int
    step: int
    slots: int
    sets: int
    final_turns: bool
    drawer_first: bool
    must_play: bool
    takes_differences: bool
    unopened_wins: bool
    final_rack: bool
    unmelded: int
    unmelded_able: int
    values: Ints
    limits: Ints
    most_tiles: Ints
    most_points: Ints
    most_value: Ints


class Games(NamedTuple):
    """The games: racks have a row for each seat, plays one for each slot, everything else one a game."""

    facts: Grid
    racks: Grid
    pool: OctetGrid
    table: OctetGrid
    melded: Grid
    turns: Grid
    begun: Grid
    drawn: Grid
    level: Grid
    able: Grid
    scores: Grid
    won: Grid
    single: Grid
    kinds: Grid
    tiles: Grid
    ends: Grid
    played: OctetGrid
    after: OctetGrid


class Desk(NamedTuple):
    """Room for one thread, the solver's included; `answer` is what its kernel has found."""

    rules: Ints
    groups: Groups
    room: Room
    answer: Ints
    held: OctetRoom
    position: OctetRoom
    position_read: Octets
    part: OctetRoom
    base: OctetRoom
    none: OctetRoom
    sets: Grid
    size: Ints
    order: Ints
    total: Ints
    counts: Ints
    chosen: Ints
    largest: Ints
    faces: Ints
    found: Grid
    found_size: Ints
    found_worth: Ints
    near: Ints
    shape: Grid
    shape_copy: Grid
    laid: Ints
    small: Ints


def make_games(count: int, players: int, faces: int, tiles: int, slots: int) -> Games:
    """Room for so many games; nothing is dealt."""
    return Games(
        facts=grid(count, FACTS),
        racks=grid(count * players, faces),
        pool=octet_grid(count, tiles),
        table=octet_grid(count, ROOM),
        melded=grid(count, players),
        turns=grid(count, players),
        begun=grid(count, players),
        drawn=grid(count, players),
        level=grid(count, players),
        able=grid(count, players),
        scores=grid(count, players),
        won=grid(count, players),
        single=grid(count, faces),
        kinds=grid(count, slots),
        tiles=grid(count, slots),
        ends=grid(count, slots),
        played=octet_grid(count * slots, ROOM),
        after=octet_grid(count * slots, ROOM),
    )


def make_desk(colours: int, numbers: int, slots: int) -> Desk:
    """A desk for one thread."""
    faces = colours * numbers + 1
    position = octet_room(2 * ROOM)
    return Desk(
        rules=solver.ints((colours, numbers, 2, 2)),
        groups=solver.make_groups(colours),
        room=solver.make_workspace(),
        answer=zeros(LONGEST_ANSWER),
        held=octet_room(ROOM),
        position=position,
        position_read=read_only(position),
        part=octet_room(ROOM),
        base=octet_room(ROOM),
        none=octet_room(1),
        sets=grid(64, 24),
        size=zeros(64),
        order=zeros(64),
        total=zeros(faces),
        counts=zeros(faces),
        chosen=zeros(faces),
        largest=zeros(faces),
        faces=zeros(faces),
        found=grid(slots + 1, LONGEST_SET + 1),
        found_size=zeros(slots + 1),
        found_worth=zeros(slots + 1),
        near=zeros(64),
        shape=grid(SETS, 4),
        shape_copy=grid(SETS, 4),
        laid=zeros(faces),
        small=zeros(4),
    )
