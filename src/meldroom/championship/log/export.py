"""A championship for others: one JSON document with its schema, CSV files, and the log."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from meldroom.championship.actions import RecordPayment, SettleDispute, Tables
from meldroom.championship.arrangements.definition import Arrangements
from meldroom.championship.arrangements.members import accounts
from meldroom.championship.arrangements.prizes import Award, awards
from meldroom.championship.arrangements.teams import TeamRow, team_standings
from meldroom.championship.duplicate.deals import all_deals, tile_names
from meldroom.championship.eligibility import Breach
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.format import Format
from meldroom.championship.results import GameResult
from meldroom.championship.seating.raffle import Entry
from meldroom.championship.standings import Standings, final_ranking, standings
from meldroom.championship.state import (
    ChampionshipState,
    GivenPenalty,
    HowSeated,
    Participant,
    ReplacedDraw,
    Void,
)
from meldroom.i18n import Language, message

FORMAT: Literal["meldroom-championship/1"] = "meldroom-championship/1"


class _Part(msgspec.Struct, frozen=True):
    """A part of the document."""


class ChampionshipHead(_Part, frozen=True):
    """The championship's name, and how it is played."""

    name: str
    edition: int
    date: date
    format: Format
    checks: int | msgspec.UnsetType = msgspec.UNSET
    """By which rules its entries were let pass; the first edition did not say."""


class DrawnStage(_Part, frozen=True):
    """A raffle: what was published, the words added, and the seed once it was revealed."""

    stage: str
    numbers: tuple[int, ...]
    entry: Entry
    commitment: str
    words: tuple[str, ...]
    seed: str | None
    replaced: tuple[ReplacedDraw, ...] | msgspec.UnsetType = msgspec.UNSET
    """Earlier announcements of the same draw, with who replaced them and why."""


class SeatedSitting(_Part, frozen=True):
    """The tables of a sitting, by the entrants' numbers in seat order."""

    stage: str
    sitting: int
    how: HowSeated
    tables: Tables
    starters: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    """The seat that starts the first game, from 0, table by table; the first if it is not said."""
    sitting_out: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    """Who was there without a seat."""


class PlayedGame(_Part, frozen=True):
    """A result."""

    stage: str
    sitting: int
    table: int
    game: int
    result: GameResult


class SignedSheet(_Part, frozen=True):
    """The signatures of a table's sitting."""

    stage: str
    sitting: int
    table: int
    referee: str
    refused: tuple[int, ...]


class VoidedGame(_Part, frozen=True):
    """A game without a result for anybody (R73)."""

    stage: str
    sitting: int
    table: int
    game: int
    void: Void


class Admitted(_Part, frozen=True):
    """Somebody who was admitted in spite of the list, and against what (R70)."""

    number: int
    breaks: tuple[Breach, ...]


class EndedStage(_Part, frozen=True):
    """A stage that ended early."""

    stage: str
    by: str
    why: str


class DecidedTie(_Part, frozen=True):
    """The order of players who were level."""

    stage: str
    order: tuple[int, ...]
    how: Literal["game", "lot"]


class ClosedStage(_Part, frozen=True):
    """A stage as the director approved it."""

    stage: str
    ranking: tuple[int, ...]
    order: tuple[int, ...]


class AnnouncedDeals(_Part, frozen=True):
    """The deals of a duplicate stage, and their seed once it was revealed."""

    stage: str
    commitment: str
    seed: str | None
    replaced: tuple[ReplacedDraw, ...] = ()


class RankedPlayer(_Part, frozen=True):
    """A place of the whole championship."""

    place: int
    number: int


class Document(_Part, frozen=True, kw_only=True):
    """A whole championship. Standings and ranking follow from the rest; they are there for readers."""

    format: Literal["meldroom-championship/1"] = FORMAT
    event: ChampionshipHead
    entrants: tuple[Participant, ...]
    draws: tuple[DrawnStage, ...]
    seating: tuple[SeatedSitting, ...]
    games: tuple[PlayedGame, ...]
    sheets: tuple[SignedSheet, ...]
    decisions: tuple[DecidedTie, ...]
    closings: tuple[ClosedStage, ...]
    penalties: tuple[GivenPenalty, ...]
    disputes: tuple[SettleDispute, ...]
    standings: tuple[Standings, ...]
    ranking: tuple[RankedPlayer, ...]
    arrangements: Arrangements | msgspec.UnsetType = msgspec.UNSET
    payments: tuple[RecordPayment, ...] | msgspec.UnsetType = msgspec.UNSET
    teams: tuple[TeamRow, ...] | msgspec.UnsetType = msgspec.UNSET
    """Team standings; like awards they follow from the rest."""
    awards: tuple[Award, ...] | msgspec.UnsetType = msgspec.UNSET
    """When the championship is over."""
    deals: tuple[AnnouncedDeals, ...] | msgspec.UnsetType = msgspec.UNSET
    voids: tuple[VoidedGame, ...] | msgspec.UnsetType = msgspec.UNSET
    ended: tuple[EndedStage, ...] | msgspec.UnsetType = msgspec.UNSET
    admitted: tuple[Admitted, ...] | msgspec.UnsetType = msgspec.UNSET


def document_of(state: ChampionshipState) -> Document:
    """The championship as it is exported; the same state gives the same document."""
    stages = [stage.id for stage in state.format.stages]
    return Document(
        event=ChampionshipHead(
            state.name,
            state.edition,
            state.date,
            state.format,
            state.checks if state.checks > 1 else msgspec.UNSET,
        ),
        entrants=state.participants,
        draws=tuple(
            DrawnStage(
                stage,
                draw.numbers,
                draw.entry,
                draw.commitment,
                draw.words,
                draw.seed,
                draw.replaced or msgspec.UNSET,
            )
            for stage in stages
            if (draw := state.draws.get(stage)) is not None
        ),
        seating=tuple(
            SeatedSitting(
                *key,
                seated.how,
                seated.tables,
                seated.starters or msgspec.UNSET,
                seated.sitting_out or msgspec.UNSET,
            )
            for key, seated in state.history()
        ),
        games=tuple(PlayedGame(*key, result) for key, result in sorted(state.results.items())),
        sheets=tuple(
            SignedSheet(*key, sheet.referee, sheet.refused) for key, sheet in sorted(state.sheets.items())
        ),
        decisions=tuple(
            DecidedTie(stage, each.order, each.how)
            for stage in stages
            for each in state.decisions.get(stage, ())
        ),
        closings=tuple(
            ClosedStage(stage, closing.ranking, closing.order)
            for stage in stages
            if (closing := state.closings.get(stage)) is not None
        ),
        penalties=state.penalties,
        disputes=state.disputes,
        standings=tuple(standings(state, stage) for stage in _begun(state)),
        ranking=tuple(RankedPlayer(place, number) for place, number in final_ranking(state)),
        arrangements=state.arrangements if state.arrangements != Arrangements() else msgspec.UNSET,
        payments=state.payments or msgspec.UNSET,
        teams=team_standings(state) or msgspec.UNSET,
        awards=(_awarded(state) or msgspec.UNSET),
        deals=tuple(
            AnnouncedDeals(stage, each.commitment, each.seed, each.replaced)
            for stage, each in state.deals.items()
        )
        or msgspec.UNSET,
        voids=tuple(VoidedGame(*key, void) for key, void in sorted(state.voids.items())) or msgspec.UNSET,
        admitted=tuple(Admitted(number, breaks) for number, breaks in sorted(state.overrides.items()))
        or msgspec.UNSET,
        ended=tuple(EndedStage(stage, each.by, each.why) for stage, each in state.ended.items())
        or msgspec.UNSET,
    )


def _awarded(state: ChampionshipState) -> tuple[Award, ...]:
    """Who gets which prize, when all is played."""
    return awards(state) if state.stage_of_play() is None else ()


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    found: dict[str, Any] = msgspec.json.schema(Document)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A championship, as Meldroom exports it",
        **found,
    }


def as_json(state: ChampionshipState) -> bytes:
    """The championship as one JSON document with sorted keys; the same state gives the same bytes."""
    return (
        msgspec.json.format(msgspec.json.encode(document_of(state), order="deterministic"), indent=1) + b"\n"
    )


def _begun(state: ChampionshipState) -> list[str]:
    """The stages that have begun."""
    return [stage.id for stage in state.format.stages if any(key[0] == stage.id for key in state.seatings)]


def as_csv(state: ChampionshipState) -> dict[str, str]:
    """CSV files by name."""
    names = {one.number: one.entrant.name for one in state.participants}
    return {
        "players.csv": csv_text(
            ("number", "name", "country", "team", "status"),
            (
                (one.number, one.entrant.name, one.entrant.country, one.entrant.team, one.status)
                for one in state.participants
            ),
        ),
        "seating.csv": csv_text(
            ("stage", "sitting", "table", "seat", "number", "name"),
            (
                (*key, place, seat, number, names[number])
                for key, seated in state.history()
                for place, table in enumerate(seated.tables, start=1)
                for seat, number in enumerate(table, start=1)
            ),
        ),
        "games.csv": csv_text(
            ("stage", "sitting", "table", "game", "seat", "number", "name", "score", "won", "end"),
            (
                (*key, seat + 1, number, names[number], score, int(seat in result.winners), result.end)
                for key, result in sorted(state.results.items())
                for seat, (number, score) in enumerate(
                    zip(state.seatings[key[:2]].tables[key[2] - 1], result.scores, strict=True)
                )
                if score is not None
            ),
        ),
        "standings.csv": csv_text(
            ("stage", "place", "number", "name", "wins", "points", "score", "games", "decided_by", "due"),
            (
                (
                    stage,
                    row.place,
                    row.number,
                    names[row.number],
                    row.wins,
                    row.points,
                    row.score,
                    row.games,
                    row.decided_by,
                    "" if row.due is msgspec.UNSET else row.due,
                )
                for stage in _begun(state)
                for row in standings(state, stage).rows
            ),
        ),
        **_voided(state),
        **_admitted(state, names),
        "penalties.csv": csv_text(_PENALTY_TITLES, _penalties(state, names)),
        "disputes.csv": csv_text(_DISPUTE_TITLES, _disputes(state, names)),
        "ranking.csv": csv_text(
            ("place", "number", "name"),
            ((place, number, names[number]) for place, number in final_ranking(state)),
        ),
        **_arranged(state, names),
    }


def _voided(state: ChampionshipState) -> dict[str, str]:
    """A file of the games that are void, if there are any."""
    if not state.voids:
        return {}
    return {
        "void.csv": csv_text(
            ("stage", "sitting", "table", "game", "ended_early", "was_signed", "by", "why"),
            (
                (*key, int(void.ended), int(void.signed), void.by, void.why)
                for key, void in sorted(state.voids.items())
            ),
        )
    }


def _admitted(state: ChampionshipState, names: Mapping[int, str]) -> dict[str, str]:
    """A file of those who were admitted in spite of the list, if there are any."""
    if not state.overrides:
        return {}
    rows = (
        (number, names[number], each.condition, "known" if each.known else "unknown", each.clause)
        for number, breaks in sorted(state.overrides.items())
        for each in breaks
    )
    return {"admitted.csv": csv_text(("number", "name", "condition", "breach", "clause"), rows)}


def _arranged(state: ChampionshipState, names: Mapping[int, str]) -> dict[str, str]:
    """Files about what was arranged: teams, prizes and fees, as far as there are any."""
    made = state.arrangements
    found = {}
    if made.teams is not None:
        found["teams.csv"] = csv_text(
            ("place", "team", "wins", "points", "score", "places", "counted", "others", "decided_by"),
            (
                (
                    row.place,
                    row.team,
                    row.wins,
                    row.points,
                    row.score,
                    row.places,
                    " ".join(map(str, row.counted)),
                    " ".join(map(str, row.others)),
                    row.decided_by,
                )
                for row in team_standings(state)
            ),
        )
    if made.prizes:
        found["prizes.csv"] = csv_text(
            ("prize", "name", "amount", "category", "place", "number", "winner"),
            (
                (
                    each.prize,
                    made.prizes[each.prize - 1].name["en"],
                    made.prizes[each.prize - 1].amount,
                    made.prizes[each.prize - 1].category,
                    each.place,
                    number,
                    winner,
                )
                for each in _awarded(state)
                for number, winner in (
                    *((number, names[number]) for number in each.players),
                    *(("", team) for team in each.teams),
                )
            ),
        )
    shown = [(stage, each.seed) for stage, each in state.deals.items() if each.seed is not None]
    if shown:
        found["deals.csv"] = csv_text(
            ("stage", "sitting", "game", "starter", "tiles"),
            (
                (
                    each.stage,
                    each.sitting,
                    each.game,
                    each.starter + 1,
                    " ".join(tile_names(state.format, (*sum(each.racks, ()), *each.pool))),
                )
                for stage, seed in shown
                for each in all_deals(state.format, seed, stage)
            ),
        )
    if made.fees is not None:
        currency = made.fees.currency
        found["fees.csv"] = csv_text(
            ("number", "name", "category", "fee", "paid", "due", "currency"),
            (
                (
                    each.number,
                    names[each.number],
                    each.category,
                    *_money(each.fee, each.paid, each.due),
                    currency,
                )
                for each in accounts(state)
            ),
        )
    return found


def _money(*cents: int) -> tuple[str, ...]:
    """Amounts as a spreadsheet reads them; one below zero is a number, not text."""
    return tuple(f"{each / 100:.2f}" for each in cents)


_PENALTY_TITLES = (
    *("penalty", "time", "stage", "sitting", "table", "game", "number", "name", "kind", "tiles", "leftovers"),
    *("note", "referee", "cancelled_by", "cancelled_why", "deduct", "deduct_from"),
)
_DISPUTE_TITLES = (
    *("dispute", "time", "stage", "sitting", "table", "game", "parties", "question", "rule", "evidence"),
    *("ruling", "referee", "chief"),
)


def _penalties(state: ChampionshipState, names: Mapping[int, str]) -> Iterator[tuple[object, ...]]:
    for place, given in enumerate(state.penalties, start=1):
        each = given.penalty
        where = (each.stage, each.sitting, each.table, each.game)
        what = (each.kind, each.tiles, each.leftovers, each.note, each.referee)
        fallen = (given.cancelled_by, given.cancelled_why)
        taken = (each.deduct, each.deduct_from) if each.deduct else (0, "")
        yield (place, _time(each.at), *where, each.number, names[each.number], *what, *fallen, *taken)


def _disputes(state: ChampionshipState, names: Mapping[int, str]) -> Iterator[tuple[object, ...]]:
    for place, each in enumerate(state.disputes, start=1):
        where = (each.stage, each.sitting, each.table, each.game)
        parties = " / ".join(names[number] for number in each.parties)
        rule = "; ".join((*each.clauses, *each.rulings))
        ruled = ("; ".join(each.evidence), each.ruling, each.referee, each.chief)
        yield (place, _time(each.at), *where, parties, each.question, rule, *ruled)


def _time(at: datetime | None) -> str:
    return "" if at is None else at.isoformat()


def csv_text(titles: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """A CSV file with a line of titles; no cell can be taken for a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(titles)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return text.getvalue()


def for_spreadsheet(text: str, language: Language) -> bytes:
    """A CSV file as Excel opens it by a double click: marked as Unicode, with the language's separator.

    >>> for_spreadsheet("name,score\\nZoë,-5\\n", "fr").decode("utf-8-sig")
    'name;score\\r\\nZoë;-5\\r\\n'
    """
    made = io.StringIO()
    separator = message("championship.csv_separator", language)
    csv.writer(made, delimiter=separator, lineterminator="\r\n").writerows(csv.reader(io.StringIO(text)))
    return made.getvalue().encode("utf-8-sig")


def _safe(cell: object) -> object:
    """Text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@")) else cell


def write_export(
    state: ChampionshipState, lines: Iterable[bytes], folder: Path, spreadsheet: Language | None = None
) -> list[str]:
    """Everything into an empty or new folder; the names of the files. Raises ChampionshipError.

    With a language the CSV files are written once more as its spreadsheets open them.
    """
    files = {"event.json": as_json(state), "log.jsonl": b"".join(line + b"\n" for line in lines)}
    tables = as_csv(state)
    files |= {name: text.encode() for name, text in tables.items()}
    if spreadsheet is not None:
        files |= {f"excel-{name}": for_spreadsheet(text, spreadsheet) for name, text in tables.items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ChampionshipError("file_exists", file=str(folder))
        for name, data in files.items():
            (folder / name).write_bytes(data)
    except OSError as error:
        raise ChampionshipError("no_file", file=str(folder), why=error.strerror or str(error)) from None
    return list(files)
