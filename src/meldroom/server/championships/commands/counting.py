"""A game's racks counted by the book, with the reason for every number: for a preview and for the log."""

from __future__ import annotations

import msgspec

from meldroom.championship.formats.format import Format
from meldroom.championship.results import GameResult, from_scores
from meldroom.i18n import Language
from meldroom.referee import Count, Meld, count_racks
from meldroom.rules.book import RuleBook
from meldroom.server.championships.commands.requests import PlayedGame
from meldroom.server.championships.errors import HallError


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


def count(made: Format, command: PlayedGame) -> Count:
    """The racks of a command counted by the book. Raises RefereeError."""
    return count_racks(made.rules(), command.racks, command.winner, command.going_out, command.winner_tiles)


def result_of(made: Format, command: PlayedGame) -> GameResult:
    """The result to enter: counted from racks, or given as scores. Raises HallError and RefereeError."""
    if command.racks and command.scores:
        raise HallError(400, "racks_or_scores", "command.scores")
    if command.racks:
        return count(made, command).result
    if not command.scores:
        raise HallError(400, "racks_or_scores", "command.scores")
    return from_scores(made, command.scores, command.winners)


def shown(made: Format, counted: Count, language: Language) -> CountedSheet:
    """A count in the reader's language."""
    book = made.rules()
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
            melds(book, line.charge.at_end),
            melds(book, line.charge.at_last_turn),
        )
        for line in counted.lines
    )
    notes = tuple(note.message(language) for note in counted.notes)
    return CountedSheet(lines, notes, counted.check_message(language))


def melds(book: RuleBook, found: Meld | None) -> Melds | None:
    """A meld with its tiles by name; None where none decides anything."""
    if found is None:
        return None
    names = book.tiles.face_names
    told = tuple(tuple(names[face] for face in each) for each in found.sets)
    return Melds(told, found.points, found.opens)
