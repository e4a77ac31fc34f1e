"""The exported event as typed values: what the JSON file holds, its schema, and the state back from it."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

import msgspec

from meldroom.championship.actions import How, SettleDispute, Tables
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.format import Format, checked
from meldroom.championship.results import GameResult, check_result
from meldroom.championship.seating.raffle import Entry
from meldroom.championship.standings import Standings, final_ranking, standings
from meldroom.championship.state import (
    ChampionshipState,
    Closing,
    Decision,
    Draw,
    GivenPenalty,
    Participant,
    Seated,
    Sheet,
)

FORMAT: Literal["meldroom-championship/1"] = "meldroom-championship/1"


class _Part(msgspec.Struct, frozen=True):
    """A part of the document."""


class ChampionshipHead(_Part, frozen=True):
    """The event's name, and how it is played."""

    name: str
    edition: int
    date: date
    format: Format


class DrawnStage(_Part, frozen=True):
    """A raffle: what was published, the words added, and the seed once it was revealed."""

    stage: str
    numbers: tuple[int, ...]
    entry: Entry
    commitment: str
    words: tuple[str, ...]
    seed: str | None


class SeatedSitting(_Part, frozen=True):
    """The tables of a sitting, by the entrants' numbers in seat order."""

    stage: str
    sitting: int
    how: How | Literal["raffle"]
    tables: Tables


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


class RankedPlayer(_Part, frozen=True):
    """A place of the whole event."""

    place: int
    number: int


class Document(_Part, frozen=True, kw_only=True):
    """A whole event. Standings and ranking follow from the rest; they are there for readers."""

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


def document_of(state: ChampionshipState) -> Document:
    """The event as it is exported; the same state gives the same document."""
    stages = [stage.id for stage in state.format.stages]
    begun = [stage for stage in stages if any(key[0] == stage for key in state.seatings)]
    return Document(
        event=ChampionshipHead(state.name, state.edition, state.date, state.format),
        entrants=state.participants,
        draws=tuple(
            DrawnStage(stage, draw.numbers, draw.entry, draw.commitment, draw.words, draw.seed)
            for stage in stages
            if (draw := state.draws.get(stage)) is not None
        ),
        seating=tuple(SeatedSitting(*key, seated.how, seated.tables) for key, seated in state.history()),
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
        standings=tuple(standings(state, stage) for stage in begun),
        ranking=tuple(RankedPlayer(place, number) for place, number in final_ranking(state)),
    )


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    found: dict[str, Any] = msgspec.json.schema(Document)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A championship, as Meldroom exports it",
        **found,
    }


def read_document(data: bytes) -> Document:
    """A document from its JSON text. Raises ChampionshipError, which says what is wrong and where."""
    try:
        return msgspec.json.decode(data, type=Document)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ChampionshipError("bad_document", why=str(error)) from None


def state_of(document: Document) -> ChampionshipState:
    """The state that a document describes, if it is sound: everything that follows from the rest comes out
    as it stands there. Raises ChampionshipError."""
    head = document.event
    decisions: dict[str, tuple[Decision, ...]] = {}
    for each in document.decisions:
        decisions[each.stage] = (*decisions.get(each.stage, ()), Decision(each.order, each.how))
    state = ChampionshipState(
        name=head.name,
        edition=head.edition,
        date=head.date,
        format=checked(head.format),
        participants=document.entrants,
        draws={
            each.stage: Draw(each.numbers, each.entry, each.commitment, each.words, each.seed)
            for each in document.draws
        },
        seatings={(each.stage, each.sitting): Seated(each.tables, each.how, 1) for each in document.seating},
        results={(each.stage, each.sitting, each.table, each.game): each.result for each in document.games},
        sheets={
            (each.stage, each.sitting, each.table): Sheet(each.referee, each.refused)
            for each in document.sheets
        },
        decisions=decisions,
        closings={each.stage: Closing(each.ranking, each.order) for each in document.closings},
        penalties=document.penalties,
        disputes=document.disputes,
    )
    _check_sound(state)
    if document_of(state) != document:
        raise ChampionshipError("bad_document", why="@document.other")
    return state


def adopted(plain: dict[str, Any]) -> ChampionshipState:
    """The state of a document that was read as plain values. Raises ChampionshipError."""
    try:
        return state_of(msgspec.convert(plain, Document))
    except msgspec.ValidationError as error:
        raise ChampionshipError("bad_document", why=str(error)) from None


def _check_sound(state: ChampionshipState) -> None:
    """Whether everything that is named exists. Raises ChampionshipError."""
    if [one.number for one in state.participants] != list(range(1, len(state.participants) + 1)):
        raise ChampionshipError("bad_document", why="@document.numbers")
    for (stage, _), seated in state.seatings.items():
        state.format.place(stage)
        for table in seated.tables:
            for number in table:
                state.participant(number)
    for key, result in state.results.items():
        found = state.seatings.get(key[:2])
        if found is None or not 1 <= key[2] <= len(found.tables):
            raise ChampionshipError("not_seated", stage=key[0], sitting=key[1])
        check_result(state.format, result, len(found.tables[key[2] - 1]))
    for sheet in state.sheets:
        for game in state.games_of(sheet):
            if game not in state.results:
                raise ChampionshipError("not_entered", table=sheet[2], game=game[3])
    for closing in state.closings.values():
        for number in (*closing.ranking, *closing.order):
            state.participant(number)
