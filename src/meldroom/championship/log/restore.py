"""A championship back from its exported document, where the log is lost."""

from __future__ import annotations

from typing import Any

from meldroom.championship.arrangements.definition import Arrangements
from meldroom.championship.arrangements.definition import checked as checked_arrangements
from meldroom.championship.errors import ChampionshipError, because
from meldroom.championship.formats.format import checked
from meldroom.championship.log.export import Document, document_of
from meldroom.championship.results import check_result
from meldroom.championship.state import (
    ChampionshipState,
    Closing,
    Deals,
    Decision,
    Draw,
    Ended,
    Seated,
    Sheet,
)
from meldroom.decode import DecodeError, convert, decode_json
from meldroom.i18n import Message


def decode_document(data: bytes) -> Document:
    """A document from its JSON text. Raises ChampionshipError, which says what is wrong and where."""
    try:
        return decode_json(data, Document)
    except DecodeError as error:
        raise ChampionshipError("bad_document", why=because(error)) from None


def state_of(document: Document) -> ChampionshipState:
    """The state that a document describes, if it is sound: standings and ranking must follow from the rest.

    Raises ChampionshipError.
    """
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
            each.stage: Draw(
                each.numbers, each.entry, each.commitment, each.words, each.seed, each.replaced or ()
            )
            for each in document.draws
        },
        seatings={
            (each.stage, each.sitting): Seated(
                each.tables, each.how, 1, each.starters or (), each.sitting_out or ()
            )
            for each in document.seating
        },
        results={(each.stage, each.sitting, each.table, each.game): each.result for each in document.games},
        sheets={
            (each.stage, each.sitting, each.table): Sheet(each.referee, each.refused)
            for each in document.sheets
        },
        decisions=decisions,
        closings={each.stage: Closing(each.ranking, each.order) for each in document.closings},
        penalties=document.penalties,
        disputes=document.disputes,
        arrangements=document.arrangements or Arrangements(),
        payments=document.payments or (),
        deals={each.stage: Deals(each.commitment, each.seed, each.replaced) for each in document.deals or ()},
        checks=head.checks or 1,
        voids={(each.stage, each.sitting, each.table, each.game): each.void for each in document.voids or ()},
        overrides={each.number: each.breaks for each in document.admitted or ()},
        ended={each.stage: Ended(each.by, each.why) for each in document.ended or ()},
    )
    _check_sound(state)
    if document_of(state) != document:
        raise ChampionshipError("bad_document", why=Message("championship.document.other"))
    return state


def adopted(plain: dict[str, Any]) -> ChampionshipState:
    """The state of a document that was read as plain values. Raises ChampionshipError."""
    try:
        return state_of(convert(plain, Document))
    except DecodeError as error:
        raise ChampionshipError("bad_document", why=because(error)) from None


def _check_sound(state: ChampionshipState) -> None:
    """Whether everything that is named exists. Raises ChampionshipError."""
    if [one.number for one in state.participants] != list(range(1, len(state.participants) + 1)):
        raise ChampionshipError("bad_document", why=Message("championship.document.numbers"))
    checked_arrangements(state.arrangements, state.format, len(state.participants))
    for payment in state.payments:
        state.participant(payment.number)
    for (stage, _), seated in state.seatings.items():
        state.format.place(stage)
        for table in seated.tables:
            for number in table:
                state.participant(number)
    for key, result in state.results.items():
        found = state.seatings.get(key[:2])
        if found is None or not 1 <= key[2] <= len(found.tables):
            raise ChampionshipError("not_seated", stage=key[0], sitting=key[1])
        check_result(state.format, result, len(found.tables[key[2] - 1]), box=state.checks >= 2)
    for number in state.overrides:
        state.participant(number)
    for void in state.voids:
        seats = state.seatings.get(void[:2])
        if seats is None or not 1 <= void[2] <= len(seats.tables) or void in state.results:
            raise ChampionshipError("not_seated", stage=void[0], sitting=void[1])
    for stage in state.ended:
        state.format.place(stage)
    for sheet in state.sheets:
        for game in state.open_games(sheet):
            raise ChampionshipError("not_entered", table=sheet[2], game=game[3])
    for closing in state.closings.values():
        for number in (*closing.ranking, *closing.order):
            state.participant(number)
