"""What a command is answered with: done, what it would do and how racks were counted, or why not."""

from __future__ import annotations

from datetime import datetime

import msgspec

from meldroom.api.errors import BadLine, Conflict, Trouble
from meldroom.championship.actions import Action
from meldroom.championship.corrections import Consequences
from meldroom.i18n import Language
from meldroom.referee import Count, Meld
from meldroom.rules.book import RuleBook
from meldroom.server.championships.hall.commands import HallAction


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


class CountedSheet(msgspec.Struct, frozen=True):
    """A count as a page shows it."""

    lines: tuple[CountedSeat, ...]
    notes: tuple[str, ...]
    check: str
    """The sum check that the book has for this ending, in words."""


class Done(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer", tag="done"):
    """A command that is written down; the same id again gets the same answer."""

    id: str
    version: int
    """The championship's version after it."""
    time: datetime
    author: str
    log: int | None = None
    """The number of its entry in the championship's log, or …"""
    hall: int | None = None
    """… in the hall's file."""
    action: Action | HallAction
    """As it was written, with everything computed."""
    written: bool = True
    """False if exactly this was there already, entered by somebody else: nothing was added."""
    seed: str = ""
    """After an announcement: the seed, for the director to keep."""


class Preview(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer", tag="preview"):
    """What a command would write and change; nothing has been written."""

    id: str
    version: int
    action: Action | HallAction
    consequences: Consequences | None = None
    """Of a correction: every place, cut, seating and approval that changes."""
    told: tuple[str, ...] = ()
    """The same in sentences."""
    count: CountedSheet | None = None
    """Of racks: how they were counted, and why."""


class OutboxAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one command of an outbox: what a single request would have been answered with."""

    id: str
    status: int
    done: Done | Preview | None = None
    error: Trouble | None = None
    conflict: Conflict | None = None
    lines: tuple[BadLine, ...] | None = None


class OutboxAnswers(msgspec.Struct, frozen=True, kw_only=True):
    """An answer for every command, in order."""

    version: int
    answers: tuple[OutboxAnswer, ...]


def format_count(book: RuleBook, counted: Count, language: Language) -> CountedSheet:
    """A count in the reader's language."""
    lines = tuple(
        CountedSeat(
            line.seat,
            line.tiles,
            line.jokers,
            line.count,
            line.score,
            line.won,
            line.charge.charge if line.charge.why != "melded" and not line.won else 0,
            line.charge.message(book, language) if not line.won else "",
            line.clause,
            line.ruling,
            format_meld(book, line.charge.at_end),
            format_meld(book, line.charge.at_last_turn),
        )
        for line in counted.lines
    )
    notes = tuple(note.message(language) for note in counted.notes)
    return CountedSheet(lines, notes, counted.check_message(language))


def format_meld(book: RuleBook, found: Meld | None) -> Melds | None:
    """A meld with its tiles by name; None where none decides anything."""
    if found is None:
        return None
    names = book.tiles.face_names
    sets = tuple(tuple(names[face] for face in each) for each in found.sets)
    return Melds(sets, found.points, found.opens)
