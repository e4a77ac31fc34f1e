"""The referee's questions and answers as they travel: for one table, with or without a championship."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from meldroom.i18n import Parts, Text
from meldroom.referee import LastDraw, Rack
from meldroom.rules.library import OptionValue
from meldroom.rules.scoring import GoingOut

Name = Annotated[str, msgspec.Meta(max_length=40)]
Tiles = Annotated[tuple[str, ...], msgspec.Meta(max_length=110)]
Sets = Annotated[tuple[Tiles, ...], msgspec.Meta(max_length=60)]
Racks = Annotated[tuple[Rack | None, ...], msgspec.Meta(max_length=8)]
Options = Annotated[dict[Name, OptionValue], msgspec.Meta(max_length=20)]
Count = Annotated[int, msgspec.Meta(ge=0, le=200)]


class BookQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule book with the options in use: what every question is about."""

    rulebook: Name
    options: Options = {}


class TurnBefore(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the turn began, and in Rummy-O how it ended."""

    rack: Tiles
    table: Sets = ()
    melded: bool = True
    """Whether the player had opened before this turn."""
    own: Annotated[tuple[Count, ...], msgspec.Meta(max_length=60)] = ()
    """Rummy-O: places of the player's own melds on the table before."""
    discard: Name | None = None
    """Rummy-O: the tile discarded at the end."""


class PositionQuestion(BookQuestion, frozen=True, kw_only=True):
    """Is this table legal? With `turn`: is the turn that led to it legal?"""

    table: Sets
    turn: TurnBefore | None = None


class CountQuestion(BookQuestion, frozen=True, kw_only=True):
    """Racks at the end of a game by seat; without a winner the pool ran out."""

    racks: Racks
    winner: Count | None = None
    going_out: GoingOut | None = None
    """Rummy-O: how the winner went out, and …"""
    winner_tiles: Tiles = ()
    """… the tiles they laid."""


class ChargeQuestion(BookQuestion, frozen=True, kw_only=True):
    """Could a player who never opened have done so? With what they drew in their last turn."""

    rack: Tiles
    drawn_last: Tiles = ()
    had_turn: bool = True
    last_draw: LastDraw = ""
    """Where no tile is named: `nothing` was drawn, or it is `unknown` and the referee decides (R65)."""
    could_open: bool | None = None


class LeftoversQuestion(BookQuestion, frozen=True, kw_only=True):
    """Where do tiles go whose place nobody can name?"""

    leftovers: Tiles
    pool: Count | None = None
    """Tiles left in the pool; without it, enough."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong, with its clause; `set` is the set's place, from 0.

    `parts` is the message with its tiles apart from its words.
    """

    code: str
    message: str
    parts: Parts
    clause: str
    ruling: str
    set: int | None


class SetRead(msgspec.Struct, frozen=True, kw_only=True):
    """A set of the table as the book reads it."""

    tiles: tuple[str, ...]
    legal: bool
    kinds: tuple[Literal["run", "group"], ...]
    """Both where jokers leave it open."""
    stands_for: tuple[tuple[str, ...], ...]
    """What the tiles of each run are, jokers included."""
    points: int
    """What it counts towards an opening; 0 if it is not a set."""
    too_much: tuple[int, ...]
    """Places of tiles any one of which can be taken away to leave a set; for sets that are wrong."""


class Opening(msgspec.Struct, frozen=True):
    """How far an opening has come."""

    points: int
    needed: int


class PositionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a table or a turn is legal, every fault of it, and how each set reads."""

    legal: bool
    text: str
    faults: tuple[Fault, ...]
    sets: tuple[SetRead, ...]
    opening: Opening | None = None
    """Of a turn in which the player had to open."""
    outcome: str | None = None
    """Rummy-O: what a legal turn amounts to."""


class Melds(msgspec.Struct, frozen=True):
    """The best opening on a rack, as proof for a charge."""

    sets: tuple[tuple[str, ...], ...]
    points: int
    opens: bool


class CountedSeat(msgspec.Struct, frozen=True):
    """One line of the count."""

    seat: int
    tiles: int
    jokers: int
    count: int
    score: int
    won: bool
    charge: int
    """What who never melded pays; 0 for one who has melded."""
    why: str
    """The charge in a sentence."""
    clause: str
    ruling: str
    at_end: Melds | None
    at_last_turn: Melds | None
    reason: str
    """Why this is the score, in a sentence."""


class CountedSheet(msgspec.Struct, frozen=True):
    """A count as a page shows it."""

    lines: tuple[CountedSeat, ...]
    notes: tuple[str, ...]
    check: str
    """The sum check that the book has for this ending, in words."""


class ChargeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a player who never opened is charged, why, and the melds that prove it."""

    points: int
    able: bool
    """Whether they could have opened at one of their turns."""
    why: str
    text: str
    clause: str
    ruling: str
    at_end: Melds | None
    at_last_turn: Melds | None


class LeftoversAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Where tiles go whose place nobody can name, and what the player draws."""

    text: str
    clause: str
    ruling: str
    where: Literal["rack", "under_pool"]
    to_rack: int
    draws: int
    pool_after: int | None
    """None where the pool was not given."""


class BookForTable(msgspec.Struct, frozen=True, kw_only=True):
    """What a device must know of the rule book to count, to time and to warn without the server."""

    id: str
    version: str
    options: Mapping[str, OptionValue]
    label: str
    short_name: Text
    """Its label, or a house book's own name."""
    name: Text
    turn_seconds: int
    """0 when the book has no clock."""
    penalty_tiles: int
    leftovers: str
    opening_points: int
    opening_needs_run: bool
    unmelded: int
    """The charge for one who never melded and could not …"""
    unmelded_able: int
    """… and for one who could."""
    charge_test: str
    joker_value: int
    winner: str
    exhausted: str
    exhausted_unopened: str
    redeal_doubles: int
    tiles: tuple[str, ...]
    """Names of the faces, the joker last, with …"""
    values: tuple[int, ...]
    """… what each costs on a rack, and …"""
    limits: tuple[int, ...]
    """… how many of each are in the box."""
    box: int
