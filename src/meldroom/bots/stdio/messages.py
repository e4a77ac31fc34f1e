"""The messages between Meldroom and a bot in another process; `docs/bot-protocol.md` explains them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from meldroom.game.state import Phase
from meldroom.rules import book as sections
from meldroom.rules.book import BookRef, Family, RuleBook
from meldroom.tiles import TileSet

PROTOCOL = 1

Word = str
"""A tile as text: `R7`, `*`; `?` one that may not be seen; `R7!` and `R7'` the first and second R7."""

Words = tuple[Word, ...]
Kind = Literal["draw", "lay", "pass", "request_redeal", "withdraw", "take", "play", "discard", "time_out"]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot may do before Meldroom stops listening: bytes, lines, answers and turns.

    `errors` and `refusals` are counted by turn, `late_turns` in a row, `restarts` by game.
    """

    start_seconds: float = 30.0
    line_bytes: int = 1_000_000
    turn_bytes: int = 4_000_000
    errors: int = 100
    refusals: int = 20
    late_turns: int = 3
    restarts: int = 3


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rule book's fields as plain data, options and house rules already applied."""

    tiles: TileSet
    players: sections.Players
    start: sections.Start
    deal: sections.Deal
    redeal: sections.Redeal
    sets: sections.Sets
    opening: sections.Opening
    jokers: sections.Jokers
    clock: sections.Clock
    penalty: sections.Penalty
    pool_end: sections.PoolEnd
    scoring: sections.Scoring
    match: sections.Match
    tournament: sections.Tournament

    @classmethod
    def of(cls, book: RuleBook) -> Rules:
        """The fields of a book."""
        return cls(**{name: getattr(book, name) for name in sections.SECTIONS})


class Reading(msgspec.Struct, frozen=True):
    """How a meld is read; in a run, the place after the highest number is the 1 above it."""

    kind: Literal["group", "run"]
    low: int
    high: int
    colour: str | None


class MeldShown(msgspec.Struct, frozen=True):
    """Rummy-O: a meld on the table; `holders` says by tile in front of whom it counts."""

    tiles: Words
    owner: int
    holders: tuple[int, ...]
    reading: Reading


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """The game as the bot's seat sees it. Of the other racks only the sizes are known: `?` for each tile."""

    me: int
    seat: int
    phase: Phase
    rack: Words
    racks: tuple[Words, ...]
    table: tuple[Words, ...]
    melds: tuple[MeldShown, ...]
    discards: Words
    pool_size: int
    melded: tuple[bool, ...]
    withdrawn: tuple[bool, ...]
    turns: tuple[int, ...]
    starter: int
    deals: int
    drawn: Words
    exhausted: bool
    queue: tuple[int, ...] | None
    passes: int
    reshuffles: int


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """One violation of the rules, with the clause and the ruling it offends; `set` is an index."""

    code: str
    clause: str
    ruling: str
    message: str
    set: int | None = None


class _Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    pass


class Hello(_Message, frozen=True, kw_only=True, tag="hello"):
    """The first message. Wants `ready`."""

    id: int
    versions: tuple[int, ...] = (PROTOCOL,)
    host: str = "meldroom"
    limits: Limits = Limits()


class NewGame(_Message, frozen=True, kw_only=True, tag="new_game"):
    """A game begins, or the bot was started again in the middle of one. Wants no answer."""

    game: int
    book: BookRef
    family: Family
    rules: Rules
    players: tuple[str, ...]
    seat: int
    seconds: float
    seed: str
    commitment: str
    stand_ins: Words


class Turn(_Message, frozen=True, kw_only=True, tag="turn"):
    """The bot is to act. Wants one of the answers named in `actions`."""

    id: int
    seconds: float
    actions: tuple[Kind, ...]
    view: TableView


class Refused(_Message, frozen=True, kw_only=True, tag="refused"):
    """The answer `of` was refused. Wants another answer, to the new `id`, if `again` is true."""

    id: int | None
    of: int
    again: bool
    code: str
    message: str
    violations: tuple[Fault, ...]
    seconds: float


class Error(_Message, frozen=True, kw_only=True, tag="error"):
    """A line of the bot was not understood. The request `id` is still open."""

    id: int
    code: str
    message: str


class GameOver(_Message, frozen=True, kw_only=True, tag="game_over"):
    """The game has ended: all racks are turned up. Wants no answer."""

    game: int
    end: Literal["out", "exhausted", "resigned", "abandoned"]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    going_out: Literal["open", "foot", "hand"] | None
    racks: tuple[Words, ...]


class Quit(_Message, frozen=True, kw_only=True, tag="quit"):
    """The bot is to end its process."""


class Ready(_Message, frozen=True, kw_only=True, tag="ready"):
    """The answer to `hello`. `tiles` says whether equal tiles shall be told apart (`exact`)."""

    id: int
    protocol: int
    name: str = ""
    tiles: Literal["faces", "exact"] = "faces"


class _Answer(_Message, frozen=True, kw_only=True, omit_defaults=True):
    id: int
    seat: int | None = None


class Draw(_Answer, frozen=True, kw_only=True, tag="draw"):
    """Draw a tile."""


class Lay(_Answer, frozen=True, kw_only=True, tag="lay"):
    """Lay tiles: the whole table as it shall be. `stated` announces jokers by the index of the set."""

    table: tuple[Words, ...]
    stated: dict[int, Words] = {}


class Pass(_Answer, frozen=True, kw_only=True, tag="pass"):
    """Pass, when the pool is empty."""


class RequestRedeal(_Answer, frozen=True, kw_only=True, tag="request_redeal"):
    """Ask for a fresh start, showing the doubles."""

    tiles: Words


class Withdraw(_Answer, frozen=True, kw_only=True, tag="withdraw"):
    """Leave the game."""


class TimeOut(_Answer, frozen=True, kw_only=True, tag="time_out"):
    """A deliberate infringement: let the time end with this table, and take the printed penalty (R68)."""

    table: tuple[Words, ...]


class Take(_Answer, frozen=True, kw_only=True, tag="take"):
    """Rummy-O: take a tile from the stock, or the last discard."""

    source: Literal["stock", "discard"]


class MeldWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """A meld as it shall lie. An old meld keeps its owner, a new one is the bot's."""

    tiles: Words
    owner: int | None = None
    kind: Literal["run", "group"] | None = None


class Play(_Answer, frozen=True, kw_only=True, tag="play"):
    """Rummy-O: all melds as they shall lie, old ones first and in their order, and the discard."""

    melds: tuple[MeldWords, ...]
    discard: Word


class Discard(_Answer, frozen=True, kw_only=True, tag="discard"):
    """Rummy-O: discard without laying anything."""

    tile: Word


FromHost = Hello | NewGame | Turn | Refused | Error | GameOver | Quit
Answer = Draw | Lay | Pass | RequestRedeal | Withdraw | TimeOut | Take | Play | Discard
FromBot = Ready | Draw | Lay | Pass | RequestRedeal | Withdraw | TimeOut | Take | Play | Discard


def kind_of(answer: FromBot) -> str:
    """The `type` of a message."""
    return str(answer.__struct_config__.tag)


def schema() -> dict[str, Any]:
    """The JSON schema of every message, as `docs/bot-protocol.schema.json` holds it."""
    (host, bot), parts = msgspec.json.schema_components([FromHost, FromBot], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Messages of the bot protocol, version {PROTOCOL}",
        "anyOf": [{"$ref": "#/$defs/FromHost"}, {"$ref": "#/$defs/FromBot"}],
        "$defs": {"FromHost": host, "FromBot": bot, **parts},
    }
