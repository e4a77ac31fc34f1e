"""The rule book as frozen, versioned data: what is legal, and which clause says so.

Every value in a section has a citation under its dotted name (`opening.points`), so that whatever the
engine does can be traced to a sentence of the book or to a ruling.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Literal

import msgspec

from meldroom.i18n import DEFAULT, Language, Text
from meldroom.rules.sets import SetReader
from meldroom.tiles import TileSet

Family = Literal["rearranging", "laying_off"]

HOUSE_RULE = "house rule of "
"""Begins a citation of what a house book changes; its id follows."""

_RULING = re.compile(r"R[0-9]+\Z")


class Citation(msgspec.Struct, frozen=True):
    """Where a rule stands: clauses of the book, with the book's label, and rulings that fill a silence."""

    clauses: tuple[str, ...]
    rulings: tuple[str, ...]

    @property
    def clause(self) -> str:
        """All clauses as one text; empty when the book is silent."""
        return ", ".join(self.clauses)

    @property
    def ruling(self) -> str:
        """All rulings as one text; empty when the clause speaks for itself."""
        return ", ".join(self.rulings)


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One clause of a book in our own words.

    `lines` and `heading` help to find it in the book, whose own text may have other headings in another
    language; `about` names its matter in a few words.
    """

    id: str
    text: Text
    rulings: tuple[str, ...] = ()
    lines: str = ""
    heading: Text | None = None
    about: Text | None = None

    def name(self, language: Language) -> str:
        """How readers of a language find the clause: by its heading there, or by its number."""
        return self.heading[language] if self.heading else self.id


class Option(msgspec.Struct, frozen=True):
    """A named alternative that an organiser or a table may choose."""

    field: str
    choices: tuple[str | int | bool, ...]
    ruling: str
    text: Text


class Players(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many may sit at a table."""

    minimum: int
    maximum: int


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who begins, which way play goes round, which neighbour begins the next game."""

    first_player: Literal["highest_tile", "lowest_tile"]
    direction: Literal["clockwise", "anticlockwise"]
    later_games: Literal["left", "right"]


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tiles dealt to each player and to the starter."""

    tiles: int
    starter_tiles: int


class Redeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many doubles give the right to a fresh start; 0 when the book has none."""

    doubles: int


class Sets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a legal set is."""

    shortest: int
    one_after_highest: bool


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What it takes to enter the game."""

    points: int
    run_required: bool
    joker_value: Literal["represented", "fixed"]


class Jokers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a joker taken from a set must go."""

    reuse: Literal["new_set", "any_set", "own_meld"]


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds for a turn; 0 when there is no clock."""

    seconds: int


class Penalty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an uncompleted or illegal turn costs.

    Under `competition` it costs no more and no less than drawing does, so that nobody gains by it (R68).
    """

    tiles: int
    strict_declare: bool
    leftovers: Literal["rack", "under_pool", "none"]
    conduct: Literal["printed", "competition"] = "printed"

    @property
    def drawn(self) -> int:
        """How many tiles an unfinished or illegal table makes its player draw."""
        return 1 if self.conduct == "competition" else self.tiles


class PoolEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens when the pool is empty."""

    ending: Literal["final_turns", "all_pass", "reshuffle"]
    final_turns_start: Literal["next", "drawer"]
    must_play_if_able: bool
    reshuffles: int


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What tiles, charges and bonuses are worth."""

    values: Literal["number", "court"]
    joker: int
    winner: Literal["opponents", "own_tiles"]
    exhausted: Literal["deduct_smallest", "differences", "all_minus"]
    exhausted_unopened: Literal["counts", "cannot_win"]
    unmelded: int
    unmelded_able: int
    charge_test: Literal["own_turns", "final_rack"]
    open_bonus: int
    foot_bonus: int
    hand_bonus: tuple[int, ...]


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many games make a match, and who wins it."""

    games: int
    winner: Literal["most_wins", "highest_total"]


class Tournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The championship's format."""

    rounds: int
    games_per_round: int
    table_size: int
    finalists: int
    cut_after_round_1: bool
    citizens_only: bool
    not_twice_running: bool
    seating: Literal["raffle", "standings"]


SECTIONS: dict[str, type[msgspec.Struct]] = {
    "tiles": TileSet,
    "players": Players,
    "start": Start,
    "deal": Deal,
    "redeal": Redeal,
    "sets": Sets,
    "opening": Opening,
    "jokers": Jokers,
    "clock": Clock,
    "penalty": Penalty,
    "pool_end": PoolEnd,
    "scoring": Scoring,
    "match": Match,
    "tournament": Tournament,
}


class BookRef(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule book by name: what a record or a message carries. A house book travels whole in `house`."""

    id: str
    version: str
    options: dict[str, str | int | bool] = {}
    house: dict[str, Any] | None = None


class RuleBook(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """One rule book. Made by `meldroom.rules.library`; never changed, only derived from."""

    id: str
    version: str
    family: Family
    label: str
    name: Text
    tiles: TileSet
    players: Players
    start: Start
    deal: Deal
    redeal: Redeal
    sets: Sets
    opening: Opening
    jokers: Jokers
    clock: Clock
    penalty: Penalty
    pool_end: PoolEnd
    scoring: Scoring
    match: Match
    tournament: Tournament
    clauses: tuple[Clause, ...]
    cites: dict[str, str]
    codes: dict[str, str]
    option_list: dict[str, Option]
    options: dict[str, str | int | bool] = {}
    house: dict[str, Any] | None = None

    def __hash__(self) -> int:
        return hash((self.id, self.version, tuple(sorted(self.options.items()))))

    @cached_property
    def reader(self) -> SetReader:
        """Reads sets under this book; shared by everything that judges."""
        return SetReader(self.tiles, self.sets.shortest, self.sets.one_after_highest)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """What a tile left on the rack costs, by face, the joker last."""
        court = self.scoring.values == "court"
        numbers = (self.tiles.number_of[face] for face in range(self.tiles.joker))
        return (*(10 if court and (n == 1 or n >= 10) else n for n in numbers), self.scoring.joker)

    @property
    def step(self) -> int:
        """From a seat to the one that plays next: seats are numbered clockwise."""
        return 1 if self.start.direction == "clockwise" else -1

    @property
    def ref(self) -> BookRef:
        """The book by name, as records and messages carry it."""
        return BookRef(id=self.id, version=self.version, options=self.options, house=self.house)

    @property
    def short_name(self) -> Text:
        """What a heading calls it: a published book's label, a house book's own name."""
        return Text.of(self.label) if self.house is None else self.name

    def title(self, language: Language = DEFAULT) -> str:
        """The short name in one language."""
        return self.short_name[language]

    def __str__(self) -> str:
        return self.title()

    def __repr__(self) -> str:
        options = "".join(f" {name}={value}" for name, value in self.options.items())
        return f"<RuleBook {self.id}@{self.version}{options}>"

    def cite(self, name: str) -> Citation:
        """The citation of a field (`opening.points`) or of a violation code (`MELD_LT_30`)."""
        return self.citation(self.codes[name] if name in self.codes else self.cites[name])

    def citation(self, text: str) -> Citation:
        """A citation text (`#4, R7`) with the book's label before each clause; a house rule has none."""
        parts = [part.strip() for part in text.split(",") if part.strip()]
        named = (part for part in parts if not _RULING.match(part))
        clauses = tuple(part if part.startswith(HOUSE_RULE) else f"{self.label} {part}" for part in named)
        return Citation(clauses=clauses, rulings=tuple(part for part in parts if _RULING.match(part)))

    def field(self, name: str) -> Any:
        """The value of a field by its dotted name."""
        section, _, key = name.partition(".")
        return getattr(getattr(self, section), key)


def field_names() -> tuple[str, ...]:
    """Every field of every section by its dotted name, in the order of the book."""
    return tuple(
        f"{section}.{field.name}"
        for section, kind in SECTIONS.items()
        for field in msgspec.structs.fields(kind)
    )
