"""The HTTP shapes of finished games, positions, and a turn to be checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from meldroom.tiles import Tile

LONGEST_TEXT = 4_000

PositionText = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT)]


class MeldView(msgspec.Struct, frozen=True):
    """Rummy-O: a meld and whose it is; `holders` says in front of whom each tile counts."""

    tiles: tuple[Tile, ...]
    owner: int
    holders: tuple[int, ...]


class GameCard(msgspec.Struct, frozen=True):
    """A finished game in a list."""

    id: str
    room: str
    game: int
    book: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ended_at: int


class ReplayStep(msgspec.Struct, frozen=True):
    """One step of a finished game: what happened in a sentence, and how everything lies after it."""

    number: int
    seat: int | None
    kind: str
    text: str
    table: tuple[tuple[Tile, ...], ...]
    melds: tuple[MeldView, ...]
    racks: tuple[tuple[Tile, ...], ...]
    pool: int
    discards: tuple[Tile, ...]
    changed: tuple[Tile, ...]


class GamePage(msgspec.Struct, frozen=True):
    """A finished game with all its steps."""

    card: GameCard
    my_seat: int | None
    steps: tuple[ReplayStep, ...]


class CheckLine(msgspec.Struct, frozen=True):
    """One thing that was checked about a record, and whether it holds; `open` if it could not be checked."""

    ok: bool
    text: str
    open: bool = False


class Verification(msgspec.Struct, frozen=True):
    """Whether a game's record and its shuffle hold, line by line."""

    ok: bool
    lines: tuple[CheckLine, ...]


class TurnAnalysis(msgspec.Struct, frozen=True):
    """One turn of a player: what was laid, what could have been, and a sentence. `step` is where it ended."""

    step: int
    laid: int
    points: int
    best_laid: int
    best_points: int
    best_table: tuple[tuple[Tile, ...], ...] | None
    text: str


class Analysis(msgspec.Struct, frozen=True):
    """All turns of one seat of a finished game."""

    seat: int
    turns: tuple[TurnAnalysis, ...]


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
