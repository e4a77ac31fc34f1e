"""An exported championship as this package reads it: the fields of its JSON that papers need."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import msgspec

from meldroom.i18n import Text
from meldroom.referee.messages import RefereeError
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BookError, OptionValue, book

Key = tuple[str, int, int]
"""Stage, sitting and table."""


class Stage(msgspec.Struct, frozen=True):
    """A stage of the event."""

    id: str
    name: Text
    sittings: int
    games: int
    takes: int | None = None


class Format(msgspec.Struct, frozen=True):
    """How the event is played."""

    stages: tuple[Stage, ...]
    book: str
    book_options: dict[str, OptionValue] = {}
    placement: dict[str, Any] | None = None


class Head(msgspec.Struct, frozen=True):
    """The event's name."""

    name: str
    edition: int
    date: date
    format: Format


class Entrant(msgspec.Struct, frozen=True):
    """Who is entered."""

    name: str
    country: str = ""
    team: str = ""
    born: date | None = None


class Participant(msgspec.Struct, frozen=True):
    """An entrant with his number."""

    number: int
    entrant: Entrant
    status: str = "entered"


class Seating(msgspec.Struct, frozen=True):
    """The tables of a sitting."""

    stage: str
    sitting: int
    tables: tuple[tuple[int, ...], ...]


class Result(msgspec.Struct, frozen=True):
    """The result of a game, by seat."""

    scores: tuple[int | None, ...]
    winners: tuple[int, ...]
    end: str = "out"


class Game(msgspec.Struct, frozen=True):
    """A game that was played."""

    stage: str
    sitting: int
    table: int
    game: int
    result: Result


class Sheet(msgspec.Struct, frozen=True):
    """A sheet that is signed."""

    stage: str
    sitting: int
    table: int
    referee: str


class Row(msgspec.Struct, frozen=True):
    """A line of standings."""

    place: int
    number: int
    wins: int
    points: int
    score: int
    games: int
    decided_by: str
    out: bool = False


class Standings(msgspec.Struct, frozen=True):
    """The standings of a stage."""

    stage: str
    rows: tuple[Row, ...]


class Closing(msgspec.Struct, frozen=True):
    """A stage that is closed."""

    stage: str


class Ranked(msgspec.Struct, frozen=True):
    """A place of the whole event."""

    place: int
    number: int


class Penalty(msgspec.Struct, frozen=True):
    """A penalty as it was given."""

    number: int
    kind: str
    tiles: int = 0
    leftovers: int = 0
    stage: str | None = None
    sitting: int | None = None
    table: int | None = None
    game: int | None = None
    note: str = ""
    referee: str = ""
    at: datetime | None = None


class GivenPenalty(msgspec.Struct, frozen=True):
    """A penalty, and whether it was cancelled."""

    penalty: Penalty
    cancelled_by: str = ""
    cancelled_why: str = ""


class Dispute(msgspec.Struct, frozen=True):
    """A dispute as it was settled."""

    question: str
    ruling: str
    clauses: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    parties: tuple[int, ...] = ()
    evidence: tuple[str, ...] = ()
    stage: str | None = None
    sitting: int | None = None
    table: int | None = None
    game: int | None = None
    referee: str = ""
    chief: str = ""
    at: datetime | None = None


class ExportedEvent(msgspec.Struct, frozen=True):
    """The document `meldroom-championship/1`."""

    event: Head
    entrants: tuple[Participant, ...]
    seating: tuple[Seating, ...] = ()
    games: tuple[Game, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    standings: tuple[Standings, ...] = ()
    closings: tuple[Closing, ...] = ()
    ranking: tuple[Ranked, ...] = ()
    penalties: tuple[GivenPenalty, ...] = ()
    disputes: tuple[Dispute, ...] = ()

    def rules(self) -> RuleBook:
        """The book that is played. Raises RefereeError if this program does not know it."""
        try:
            return book(self.event.format.book, self.event.format.book_options)
        except BookError as error:
            raise RefereeError("document", why=str(error)) from None

    def stage(self, name: str) -> Stage:
        """A stage by its id. Raises RefereeError."""
        for each in self.event.format.stages:
            if each.id == name:
                return each
        known = ", ".join(each.id for each in self.event.format.stages)
        raise RefereeError("stage", stage=name[:40], stages=known)

    @property
    def over(self) -> bool:
        """Whether the last stage is closed."""
        return any(each.stage == self.event.format.stages[-1].id for each in self.closings)


def read_event(data: bytes) -> ExportedEvent:
    """An event from its exported JSON. Raises RefereeError, which says what is wrong and where."""
    try:
        return msgspec.json.decode(data, type=ExportedEvent)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RefereeError("document", why=str(error)) from None
