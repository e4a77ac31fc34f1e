"""The papers of a whole championship, made from its exported document."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, tzinfo
from functools import cached_property
from typing import Literal, get_args

import msgspec

from meldroom.championship.log.export import Document as Championship
from meldroom.championship.log.export import SeatedSitting
from meldroom.championship.log.restore import state_of
from meldroom.championship.progress.now import Now, now
from meldroom.championship.results import GameResult
from meldroom.championship.state import SheetKey, next_seat
from meldroom.i18n import Language, Value, locale, message
from meldroom.papers.arranged import days_paper, fees_paper, prizes_paper, teams_paper
from meldroom.papers.cross_table import cross_table
from meldroom.papers.reports import dispute_report, penalty_report, sheet_remarks
from meldroom.papers.rules_summary import charges, rules_line, zero_sum
from meldroom.papers.sheet_codes import sheet_code
from meldroom.papers.standings_lists import certificates, standings_papers
from meldroom.papers.values import (
    Badge,
    Badges,
    BlankSheets,
    Document,
    Occasion,
    PaperSize,
    Person,
    ScoreSheet,
    ScoreSheets,
    SheetGame,
    TableCard,
    TableCards,
    WallByName,
    WallByTable,
    WallPlace,
    WallSitting,
    WallTable,
    initials,
)
from meldroom.rules.procedures import starters

Kind = Literal[
    "sheets",
    "blank_sheets",
    "wall_by_name",
    "wall_by_table",
    "table_cards",
    "badges",
    "standings",
    "cross_table",
    "penalties",
    "disputes",
    "certificates",
    "teams",
    "prizes",
    "fees",
    "days",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
_OF_AGE = 18
_LEFT = ("withdrawn", "no_show")


class Order(msgspec.Struct, frozen=True):
    """What to print, and how."""

    language: Language = "en"
    paper: PaperSize = "a4"
    printed: str = ""
    where: str = ""
    address: str = ""
    """Where the championship's pages are found, for the QR codes: http://192.168.1.5:8000"""
    code: str = ""
    """What tells these sheets from those of any other championship: the hash of the log's first line, say."""
    minors: Literal["initials", "names"] = "initials"
    """How lists that hang on the wall name players who are minors on the first day."""
    zone: tzinfo = UTC
    """The hall's time, for the times of reports."""
    blank: int = 8
    """How many emergency sheets."""


class ChampionshipPapers:
    """Makes the papers of one championship from its exported document."""

    def __init__(self, document: Championship, order: Order | None = None) -> None:
        self.document = document
        self.format = document.event.format
        self.order = Order() if order is None else order
        self.people = {one.number: one for one in document.entrants}
        self.results: dict[SheetKey, dict[int, GameResult]] = {}
        for each in document.games:
            self.results.setdefault((each.stage, each.sitting, each.table), {})[each.game] = each.result
        self.signed = {(each.stage, each.sitting, each.table): each.referee for each in document.sheets}
        self.voids = {
            (each.stage, each.sitting, each.table, each.game): each.void for each in document.voids or ()
        }
        self.ended = {each.stage: each.why for each in document.ended or ()}
        self.refused = {(each.stage, each.sitting, each.table): each.refused for each in document.sheets}

    def text(self, key: str, **values: Value) -> str:
        """A text of the papers."""
        return message(f"papers.{key}", self.order.language, **values)

    def stage_name(self, stage: str) -> str:
        """A stage as people call it."""
        return self.format.stage(stage).name[self.order.language]

    @property
    def over(self) -> bool:
        """True once the last stage is closed."""
        return any(each.stage == self.format.stages[-1].id for each in self.document.closings)

    def occasion(self) -> Occasion:
        """What stands on every page."""
        head = self.document.event
        edition = self.text("edition", edition=str(head.edition)) if self.format.id != "club_night" else ""
        about = [edition, self.order.where, self.day(head.date)]
        return Occasion(
            head.name,
            " · ".join(part for part in about if part),
            self.order.printed,
            self.order.language,
            self.order.paper,
        )

    def day(self, day: date) -> str:
        """A day as people write it."""
        return locale(self.order.language).date(day)

    @cached_property
    def now(self) -> Now:
        """Where everybody is."""
        return now(state_of(self.document))

    def current(self) -> tuple[str, int] | None:
        """The sitting being played; once all its sheets are signed, the next one that has seats."""
        if not self.document.seating:
            return None
        stands = self.now
        at = stands.next if stands.phase == "between" and stands.next is not None else stands
        return at.stage, at.sitting

    def all_void(self, key: SheetKey) -> bool:
        """Whether no game of a table counts, so that nobody signs; or it was broken up."""
        if any(
            (each.stage, each.sitting) == key[:2] and not each.tables[key[2] - 1]
            for each in self.document.seating
        ):
            return True
        games = range(1, self.format.stage(key[0]).games + 1)
        return all((*key, game) in self.voids for game in games)

    def all(
        self,
        kinds: Sequence[Kind] = KINDS,
        stage: str | None = None,
        sitting: int | None = None,
        day: date | None = None,
    ) -> Iterator[tuple[str, Document]]:
        """Every paper that there is something for, with the name of its file without an ending.

        With a stage, a sitting or a day, only what belongs to them, and what belongs to the whole event.
        """
        if stage is not None:
            self.format.stage(stage)
        seated = [
            each
            for each in self.document.seating
            if (stage is None or each.stage == stage)
            and (sitting is None or each.sitting == sitting)
            and (day is None or (each.stage, each.sitting) in self.sittings_on(day))
        ]
        for kind in KINDS:
            if kind in kinds:
                yield from self._of_kind(kind, seated, stage)

    def sittings_on(self, day: date) -> set[tuple[str, int]]:
        """The sittings that are arranged for a day."""
        days = self.document.arrangements.days if self.document.arrangements else ()
        return {sitting for each in days if each.date == day for sitting in each.sittings}

    def _of_kind(
        self, kind: Kind, seated: Sequence[SeatedSitting], stage: str | None
    ) -> Iterator[tuple[str, Document]]:
        match kind:
            case "sheets":
                for each in seated:
                    yield f"sheets-{each.stage}-{each.sitting}", self.sheets(each)
            case "blank_sheets":
                yield "blank-sheets", self.blank_sheets()
            case "wall_by_name" | "wall_by_table":
                make = self.wall_by_name if kind == "wall_by_name" else self.wall_by_table
                for name in dict.fromkeys(each.stage for each in seated):
                    of_stage = [each for each in seated if each.stage == name]
                    yield f"{kind.replace('_', '-')}-{name}", make(of_stage)
            case "table_cards" if self.document.seating:
                yield "table-cards", self.table_cards()
            case "badges" if self.people:
                yield "badges", self.badges()
            case "standings":
                for name, paper in standings_papers(self, stage):
                    yield f"standings-{name}", paper
            case "cross_table" if self.document.games:
                yield "cross-table", cross_table(self)
            case "penalties":
                yield "penalties", penalty_report(self)
            case "disputes":
                yield "disputes", dispute_report(self)
            case "certificates" if self.over:
                yield "certificates", certificates(self)
            case "teams" | "prizes" | "fees" | "days":
                if (listed := _ARRANGED[kind](self)) is not None:
                    yield kind, listed
            case _:
                return

    def person(self, number: int, *, public: bool = False) -> Person:
        """A player as a paper names them; on a public one, a minor by initials and number."""
        one = self.people[number].entrant
        name = one.name
        if public and self.order.minors == "initials" and self._minor(one.born):
            name = self.text("minor", initials=initials(name), number=number)
        status = self.people[number].status
        out = message(f"championship.status.{status}", self.order.language) if status in _LEFT else ""
        return Person(number, name, one.country, one.team, out if public else "")

    def _minor(self, born: date | None) -> bool:
        day = self.document.event.date
        if born is None:
            return False
        years = day.year - born.year - ((day.month, day.day) < (born.month, born.day))
        return years < _OF_AGE

    def _link(self, *parts: object) -> str:
        if not self.order.address:
            return ""
        return "/".join([self.order.address.rstrip("/"), *map(str, parts)])

    def sheets(self, seating: SeatedSitting) -> ScoreSheets:
        """The score sheets of a sitting; games that are entered are printed."""
        rules, language = self.format.rules(), self.order.language
        stage = self.format.stage(seating.stage)
        pages = []
        first = seating.starters or (0,) * len(seating.tables)
        for place, table in enumerate(seating.tables, start=1):
            if not table:
                continue
            key = (seating.stage, seating.sitting, place)
            code = sheet_code(self.order.code or self.document.event.name, *key, table)
            known = self.results.get(key, {})
            games = tuple(
                SheetGame(found.scores, found.winners, found.end == "exhausted")
                if (found := known.get(game)) is not None
                else SheetGame((), (), void=True)
                if (*key, game) in self.voids
                else None
                for game in range(1, stage.games + 1)
            )
            pages.append(
                ScoreSheet(
                    stage=stage.name[language],
                    sitting=seating.sitting,
                    sittings=stage.sittings,
                    table=place,
                    players=tuple(self._seated(number, known) for number in table),
                    starters=self._starters(table, stage.games, first[place - 1], known),
                    code=code,
                    link=self._link("table", f"{place}?sheet={code}"),
                    games=games,
                    signed_by=self.signed.get(key, ""),
                    refused=tuple(
                        table.index(number) for number in self.refused.get(key, ()) if number in table
                    ),
                    remarks=sheet_remarks(self, key, table),
                )
            )
        return ScoreSheets(rules_line(rules, language), charges(rules), tuple(pages), zero_sum(rules))

    def _seated(self, number: int, known: Mapping[int, GameResult]) -> Person:
        """A player on a score sheet; before anything is played, the empty place of who has left (R75)."""
        person = self.person(number)
        if known or not self.people[number].out:
            return person
        return msgspec.structs.replace(person, name=self.text("empty_place", name=person.name))

    def _starters(
        self, table: Sequence[int], games: int, first: int, known: Mapping[int, GameResult]
    ) -> tuple[int, ...]:
        """Who starts each game; where that place is empty, the next to the left."""
        begins = starters(self.format.rules(), len(table), games, first % len(table))
        empty = [self.people[number].out for number in table]
        return tuple(
            seat if game in known else next_seat(seat, empty) for game, seat in enumerate(begins, start=1)
        )

    def blank_sheets(self) -> BlankSheets:
        """Emergency sheets for full tables, with as many games as the championship's stages have."""
        rules = self.format.rules()
        games = max(stage.games for stage in self.format.stages)
        seats = rules.tournament.table_size
        return BlankSheets(
            rules_line(rules, self.order.language),
            charges(rules),
            self.order.blank,
            seats,
            games,
            zero_sum(rules),
        )

    def _sittings_of(self, seated: Sequence[SeatedSitting]) -> tuple[str, ...]:
        stage = self.format.stage(seated[0].stage)
        if stage.sittings == 1:
            return ("",)
        return tuple(self.text("sitting_short", sitting=each.sitting) for each in seated)

    def _stage_line(self, seated: Sequence[SeatedSitting]) -> str:
        name = self.format.stage(seated[0].stage).name[self.order.language]
        shown = self._sittings_of(seated)
        return f"{name}, {shown[0]}" if len(seated) == 1 and shown[0] else name

    def wall_by_name(self, seated: Sequence[SeatedSitting]) -> WallByName:
        """Where everybody sits, in the order of the alphabet; minors by their initials."""
        places: dict[int, list[tuple[int, int] | None]] = {}
        for column, each in enumerate(seated):
            for table, numbers in enumerate(each.tables, start=1):
                for seat, number in enumerate(numbers, start=1):
                    places.setdefault(number, [None] * len(seated))[column] = (table, seat)
            for number in self.now.sitting_out(each.stage, each.sitting):
                places.setdefault(number, [None] * len(seated))
        rows = [WallPlace(self.person(number, public=True), tuple(found)) for number, found in places.items()]
        rows.sort(key=lambda row: (alphabetical(row.person.name), row.person.number))
        return WallByName(self._stage_line(seated), self._sittings_of(seated), tuple(rows))

    def wall_by_table(self, seated: Sequence[SeatedSitting]) -> WallByTable:
        """Who sits at each table, a sitting after the other."""
        sittings = tuple(
            WallSitting(
                name if len(seated) > 1 else "",
                tuple(
                    WallTable(place, tuple(self.person(number, public=True) for number in numbers))
                    for place, numbers in enumerate(each.tables, start=1)
                    if numbers
                ),
            )
            for name, each in zip(self._sittings_of(seated), seated, strict=True)
        )
        return WallByTable(self._stage_line(seated), sittings)

    def table_cards(self) -> TableCards:
        """A card for every table that the championship needs."""
        most = max(len(each.tables) for each in self.document.seating)
        return TableCards(
            tuple(TableCard(number, self._link("table", number)) for number in range(1, most + 1))
        )

    def badges(self) -> Badges:
        """A badge for everybody who has not stayed away, by number."""
        here = [one for one in self.document.entrants if one.status not in ("declined", "no_show")]
        return Badges(tuple(Badge(self.person(one.number), self._link("p", one.number)) for one in here))

    def too_few(self) -> tuple[int, ...]:
        """Who has no place, since too few games were theirs to play (R73)."""
        placed = {each.number for each in self.document.ranking}
        listed = [row for each in self.document.standings for row in each.rows]
        return tuple(
            row.number for row in listed if row.decided_by == "too_few_games" and row.number not in placed
        )

    def points(self) -> dict[int, int]:
        """The points that everybody has where points rank: in the last such stage that they played."""
        return {
            row.number: row.points
            for each in self.document.standings
            if "points" in self.format.criteria(each.stage)
            for row in each.rows
        }

    def totals(self) -> dict[int, tuple[int, int, int]]:
        """What everybody has in all games, less what penalties took off: won, score, played."""
        found: dict[int, tuple[int, int, int]] = {}
        for each in self.document.seating:
            for place, table in enumerate(each.tables, start=1):
                for result in self.results.get((each.stage, each.sitting, place), {}).values():
                    for seat, number in enumerate(table):
                        if (score := result.scores[seat]) is not None:
                            wins, total, games = found.get(number, (0, 0, 0))
                            found[number] = (wins + (seat in result.winners), total + score, games + 1)
        for given in self.document.penalties:
            taken = given.penalty
            if given.stands and taken.deduct and taken.number in found:
                wins, total, games = found[taken.number]
                off = {taken.deduct_from: taken.deduct}
                found[taken.number] = (wins - off.get("wins", 0), total - off.get("score", 0), games)
        return found


_ARRANGED = {"teams": teams_paper, "prizes": prizes_paper, "fees": fees_paper, "days": days_paper}


def alphabetical(name: str) -> str:
    """What a name is sorted by: letters without their accents and cases.

    >>> sorted(["Zoë", "Élise", "adam", "Eric"], key=alphabetical)
    ['adam', 'Élise', 'Eric', 'Zoë']
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))
