"""What the papers show, as plain frozen values: names, tables, results. Whoever prints fills them in."""

from __future__ import annotations

from typing import Literal

import msgspec

from meldroom.i18n import Language

PaperSize = Literal["a4", "us-letter"]


class Occasion(msgspec.Struct, frozen=True):
    """What stands on every page."""

    name: str
    """The championship's name."""
    about: str = ""
    """A line under the name: edition, place, day."""
    printed: str = ""
    """When this was printed, as the caller writes it."""
    language: Language = "en"
    paper: PaperSize = "a4"


class Person(msgspec.Struct, frozen=True):
    """A player as the paper names them."""

    number: int
    name: str
    country: str = ""
    team: str = ""
    out: str = ""
    """How they have left the championship, where a list for the wall marks it."""


class SheetGame(msgspec.Struct, frozen=True):
    """A game that is already entered: scores by seat, None for an empty one, and who won."""

    scores: tuple[int | None, ...]
    winners: tuple[int, ...]
    exhausted: bool = False
    void: bool = False
    """Nobody has a result, and nothing is left to write."""


class ScoreSheet(msgspec.Struct, frozen=True):
    """The score sheet of a table for one sitting."""

    stage: str
    sitting: int
    sittings: int
    table: int
    players: tuple[Person, ...]
    """In seat order."""
    starters: tuple[int, ...]
    """Who starts each game, as a seat from 0: as many as there are games."""
    code: str = ""
    link: str = ""
    games: tuple[SheetGame | None, ...] = ()
    """Results that are known; the other games stay blank."""
    signed_by: str = ""
    """The referee, where the sheet is signed already in the log."""
    refused: tuple[int, ...] = ()
    """Seats, from 0, of who would not sign."""
    remarks: tuple[str, ...] = ()
    """Penalties given at the table, also cancelled ones."""


class ScoreSheets(msgspec.Struct, frozen=True, tag="sheets"):
    """Score sheets, one a page."""

    rules: tuple[tuple[str, str], ...]
    charges: tuple[int, ...]
    """What who never melded may be charged, to tick: 100 and 200."""
    sheets: tuple[ScoreSheet, ...]
    zero_sum: bool = True
    """Whether the scores of a game add up to 0, which makes a column to check."""


class BlankSheets(msgspec.Struct, frozen=True, tag="blank_sheets"):
    """Emergency sheets without names."""

    rules: tuple[tuple[str, str], ...]
    charges: tuple[int, ...]
    count: int = 4
    seats: int = 4
    games: int = 4
    zero_sum: bool = True


class WallPlace(msgspec.Struct, frozen=True):
    """A player and their place in each sitting of the list: table and seat, or nothing."""

    person: Person
    places: tuple[tuple[int, int] | None, ...]


class WallByName(msgspec.Struct, frozen=True, tag="wall_by_name"):
    """Where everybody sits, by name."""

    stage: str
    sittings: tuple[str, ...]
    rows: tuple[WallPlace, ...]


class WallTable(msgspec.Struct, frozen=True):
    """A table with its players in seat order."""

    number: int
    players: tuple[Person, ...]


class WallSitting(msgspec.Struct, frozen=True):
    """The tables of one sitting."""

    name: str
    tables: tuple[WallTable, ...]


class WallByTable(msgspec.Struct, frozen=True, tag="wall_by_table"):
    """Who sits at each table."""

    stage: str
    sittings: tuple[WallSitting, ...]


class TableCard(msgspec.Struct, frozen=True):
    """A card that stands on a table; the link leads to the table's own page."""

    number: int
    link: str = ""


class TableCards(msgspec.Struct, frozen=True, tag="table_cards"):
    """Cards with large numbers, one a page, to fold."""

    cards: tuple[TableCard, ...]


class Badge(msgspec.Struct, frozen=True):
    """A name badge; the link leads to the player's own timetable."""

    person: Person
    link: str = ""


class Badges(msgspec.Struct, frozen=True, tag="badges"):
    """Name badges, eight a page, to cut."""

    badges: tuple[Badge, ...]


class StandingsRow(msgspec.Struct, frozen=True):
    """One place of a list; 0 for who has none."""

    place: int
    person: Person
    wins: int
    points: int
    score: int
    games: int
    decided_by: str = ""
    note: str = ""


class StandingsList(msgspec.Struct, frozen=True):
    """The standings of a stage, or the places of the whole championship."""

    title: str
    rows: tuple[StandingsRow, ...]
    with_points: bool = False
    cut: int | None = None
    """A line is drawn below this many rows: who goes on."""
    final: bool = True
    """False while tables are missing or unsigned."""
    remarks: tuple[str, ...] = ()
    """What is void, and why."""
    parts: tuple[tuple[str, int], ...] = ()
    """The list in parts, each with its title and how many rows: finalists, and others."""


class StandingsPaper(msgspec.Struct, frozen=True, tag="standings"):
    """Standings, each list on its own pages."""

    lists: tuple[StandingsList, ...]


class CrossSitting(msgspec.Struct, frozen=True):
    """One player's sitting: table and seat, opponents met, and games."""

    table: int
    seat: int
    met: tuple[int, ...]
    """Opponents by their place in the list."""
    games: tuple[tuple[int, bool] | None, ...]
    """Score, and whether they won; None for a game they did not play."""


class CrossRow(msgspec.Struct, frozen=True):
    """One player's line of the cross table."""

    place: int
    person: Person
    sittings: tuple[CrossSitting | None, ...]
    wins: int
    score: int
    points: int | None = None
    """Where points rank."""


class CrossPart(msgspec.Struct, frozen=True):
    """Some sittings side by side, with the games of each."""

    title: str
    sittings: tuple[tuple[str, int], ...]
    rows: tuple[CrossRow, ...]


class CrossTable(msgspec.Struct, frozen=True, tag="cross_table"):
    """Every game of everybody."""

    parts: tuple[CrossPart, ...]


class PenaltyRow(msgspec.Struct, frozen=True):
    """A penalty as reported."""

    time: str
    where: str
    person: Person
    kind: str
    tiles: int
    note: str
    referee: str
    cancelled: str = ""
    """Who cancelled it and why; empty while it stands."""


class PenaltyReport(msgspec.Struct, frozen=True, tag="penalties"):
    """All penalties, and how many each player has that stand."""

    rows: tuple[PenaltyRow, ...]


class DisputeRow(msgspec.Struct, frozen=True):
    """A dispute as settled."""

    number: int
    time: str
    where: str
    parties: tuple[Person, ...]
    question: str
    rule: str
    evidence: tuple[str, ...]
    ruling: str
    referee: str
    chief: str = ""


class DisputeReport(msgspec.Struct, frozen=True, tag="disputes"):
    """All disputes."""

    rows: tuple[DisputeRow, ...]


class Certificate(msgspec.Struct, frozen=True):
    """A certificate; without a place, for having taken part."""

    person: Person
    place: int | None
    players: int


class Certificates(msgspec.Struct, frozen=True, tag="certificates"):
    """Certificates, one a page."""

    certificates: tuple[Certificate, ...]
    date: str = ""
    where: str = ""


class ListSection(msgspec.Struct, frozen=True):
    """Rows of a list under a heading of their own, if it has one."""

    heading: str
    rows: tuple[tuple[str, ...], ...]


class ListPaper(msgspec.Struct, frozen=True, tag="list"):
    """A plain list: team standings, prizes, fees, days."""

    title: str
    heads: tuple[str, ...]
    sections: tuple[ListSection, ...]
    widths: tuple[float, ...]
    """The columns' shares of the width."""
    right: tuple[int, ...] = ()
    """Columns, from 0, whose text stands at the right."""
    note: str = ""
    bold: int | None = None
    """The column that is set in bold."""


class DealSheet(msgspec.Struct, frozen=True):
    """One deal: racks by seat, and the pool in the order it is drawn; tiles as text."""

    title: str
    starter: str
    racks: tuple[tuple[str, ...], ...]
    pool: tuple[str, ...]


class DealSheets(msgspec.Struct, frozen=True, tag="deals"):
    """The deals of a duplicate stage, one a page, for whoever prepares the boxes."""

    sheets: tuple[DealSheet, ...]
    note: str
    colours: dict[str, str]
    """The colour of each letter, for print."""


Document = (
    ScoreSheets
    | BlankSheets
    | WallByName
    | WallByTable
    | TableCards
    | Badges
    | StandingsPaper
    | CrossTable
    | PenaltyReport
    | DisputeReport
    | Certificates
    | ListPaper
    | DealSheets
)


def initials(name: str) -> str:
    """A minor's name as the public reads it: the first letter of each word.

    >>> initials("Anne-Marie de la Tour")
    'A.-M. d. l. T.'
    """
    return (
        " ".join(
            "-".join(f"{part[0]}." for part in word.split("-") if part)
            for word in name.split()
            if word.strip("-")
        )
        or "–"
    )
