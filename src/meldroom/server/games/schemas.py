"""The HTTP shapes of positions and of a turn to be checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from meldroom.server.api.schemas import MeldView
from meldroom.tiles import Tile

LONGEST_TEXT = 4_000

PositionText = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT)]


class PositionPage(msgspec.Struct, frozen=True, kw_only=True):
    """A position: how everything lies, who is to do what, and the text that says the same. -1 is unknown."""

    book: str
    options: dict[str, str | int | bool]
    text: str
    table: tuple[tuple[Tile, ...], ...]
    melds: tuple[MeldView, ...]
    racks: tuple[tuple[Tile, ...], ...]
    pool: int
    discards: tuple[Tile, ...]
    seat: int | None
    moment: Literal["turn", "discard", "take", "play", "none"]
    melded: tuple[bool, ...]


class AskBest(msgspec.Struct, frozen=True):
    """A position to be solved; without a book, the text names it."""

    text: PositionText
    book: Annotated[str, msgspec.Meta(max_length=40)] = ""


class BestPlay(msgspec.Struct, frozen=True, kw_only=True):
    """The best play of the player to move: most tiles, then most points.

    `table` are the sets afterwards, Rummy-O's melds with their `owners`. `steps` say how the hands get there.
    """

    seat: int
    played: tuple[Tile, ...]
    tiles: int
    points: int
    table: tuple[tuple[Tile, ...], ...]
    owners: tuple[int, ...]
    discard: Tile | None
    optimal: bool
    text: str
    steps: tuple[str, ...]


class TurnStanding(msgspec.Struct, frozen=True):
    """Of each set after a turn whether it may lie so, and how far an opening has come."""

    marks: tuple[bool, ...]
    points: int
    needed: int


class CheckViolation(msgspec.Struct, frozen=True):
    """One violation, as `meldroom check` words it."""

    code: str
    clause: str
    ruling: str
    message: str


class CheckAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer of `meldroom check`; `standing` only where it was asked for."""

    id: Any
    legal: bool
    outcome: str | None
    violations: tuple[CheckViolation, ...]
    standing: TurnStanding | None = None
