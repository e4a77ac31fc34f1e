"""The state after one more action: a pure fold, so that the log is the truth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast

from msgspec.structs import replace

from meldroom.championship import actions as act
from meldroom.championship.actions import Action
from meldroom.championship.entrants import Entrant
from meldroom.championship.log.restore import adopted
from meldroom.championship.state import (
    ChampionshipState,
    Closing,
    Deals,
    Decision,
    Draw,
    Ended,
    GameKey,
    GivenPenalty,
    Participant,
    ReplacedDraw,
    Seated,
    Sheet,
    Status,
    Void,
)

Value = TypeVar("Value")


def fold(state: ChampionshipState, action: Action) -> ChampionshipState:
    """The state after an action that `apply` has let pass."""
    after = replace(_changed(state, action), entries=state.entries + 1)
    lot = action.lot if isinstance(action, act.SeatSitting | act.DecideTie) else None
    return after if lot is None else replace(after, lot=lot.next, drawn_lots=(*after.drawn_lots, lot))


def _changed(state: ChampionshipState, action: Action) -> ChampionshipState:
    match action:
        case act.Found():
            return ChampionshipState(
                action.name, action.edition, action.date, action.format, checks=action.checks, lot=action.lot
            )
        case act.Adopt():
            state = adopted(action.document)
            return replace(state, lot=action.lot or state.lot)
        case act.ImportEntrants():
            return _entered(state, action.entrants, "entered")
        case act.AddEntrant():
            return _entered(state, (action.entrant,), "entered")
        case act.AmendEntrant():
            return _amended(state, replace(state.participant(action.number), entrant=action.entrant))
        case act.CheckIn():
            return _checked_in(state, action)
        case act.Decline():
            return _status(state, action.number, "declined")
        case act.NoShow():
            return _status(state, action.number, "no_show")
        case act.Withdraw():
            return _status(state, action.number, "withdrawn")
        case act.Disqualify():
            return _status(state, action.number, "disqualified")
        case act.UndoStatus():
            return _status_undone(state, action)
        case act.Substitute():
            return _substituted(state, action)
        case act.AnnounceDraw():
            drawing = _announced(state, action)
            return replace(state, draws=state.draws | {action.stage: drawing})
        case act.AddWord():
            drawing = state.draws[action.stage]
            drawing = replace(drawing, words=(*drawing.words, action.word))
            return replace(state, draws=state.draws | {action.stage: drawing})
        case act.Reveal():
            return _revealed(state, action)
        case act.SeatSitting():
            seated = Seated(
                action.tables, action.how, state.entries + 1, action.starters, _sitting_out(state, action)
            )
            return replace(state, seatings=state.seatings | {(action.stage, action.sitting): seated})
        case act.CorrectSeats():
            return _seats_corrected(state, action)
        case act.EnterResult():
            key = (action.stage, action.sitting, action.table, action.game)
            return replace(state, results=state.results | {key: action.result})
        case act.SignSheet():
            sheet = Sheet(action.referee, action.refused)
            return replace(state, sheets=state.sheets | {(action.stage, action.sitting, action.table): sheet})
        case act.CorrectResult():
            return _corrected(state, action)
        case act.VoidGame():
            return _voided(state, action)
        case act.EndStage():
            return _ended(state, action)
        case act.UndoVoid():
            return _not_void(state, action)
        case act.DecideTie():
            known = state.decisions.get(action.stage, ())
            order = (*known, Decision(action.order, action.how))
            return replace(state, decisions=state.decisions | {action.stage: order})
        case act.CloseStage():
            closing = Closing(action.ranking, action.order)
            return replace(state, closings=state.closings | {action.stage: closing})
        case act.Penalise():
            given = replace(state, penalties=(*state.penalties, GivenPenalty(action)))
            return _reopened(given, action.stage) if action.deduct and action.stage else given
        case act.CancelPenalty():
            fallen = replace(
                state.penalties[action.penalty - 1], cancelled_by=action.by, cancelled_why=action.why
            )
            before, after = state.penalties[: action.penalty - 1], state.penalties[action.penalty :]
            fewer = replace(state, penalties=(*before, fallen, *after))
            stage = fallen.penalty.stage if fallen.penalty.deduct else None
            return _reopened(fewer, stage) if stage else fewer
        case act.SettleDispute():
            return replace(state, disputes=(*state.disputes, action))
        case act.AnnounceDeals() | act.RevealDeals():
            return replace(state, deals=state.deals | {action.stage: _deals(state, action)})
        case act.Arrange():
            return replace(state, arrangements=action.arrangements)
        case act.RecordPayment():
            return replace(state, payments=(*state.payments, action))
        case act.SetPin():
            own = {action.referee}
            return replace(state, pins=state.pins - own if action.removed else state.pins | own)
        case act.EraseEntrant():
            return _erased(state, action)


def _deals(state: ChampionshipState, action: act.AnnounceDeals | act.RevealDeals) -> Deals:
    """The deals of a stage as announced or shown; what was announced before is kept."""
    known = state.deals.get(action.stage)
    if isinstance(action, act.RevealDeals):
        return replace(state.deals[action.stage], seed=action.seed)
    if known is None:
        return Deals(action.commitment)
    gone = ReplacedDraw(known.commitment, (), action.by, action.why)
    return Deals(action.commitment, replaced=(*known.replaced, gone))


def _entered(state: ChampionshipState, entrants: tuple[Entrant, ...], status: Status) -> ChampionshipState:
    first = len(state.participants) + 1
    more = (Participant(first + place, entrant, status) for place, entrant in enumerate(entrants))
    return replace(state, participants=(*state.participants, *more))


def _amended(state: ChampionshipState, one: Participant) -> ChampionshipState:
    before, after = state.participants[: one.number - 1], state.participants[one.number :]
    return replace(state, participants=(*before, one, *after))


def _status(state: ChampionshipState, number: int, status: Status) -> ChampionshipState:
    one = state.participant(number)
    state = replace(state, earlier=state.earlier | {number: one.status})
    return _amended(state, replace(one, status=status))


def _checked_in(state: ChampionshipState, action: act.CheckIn) -> ChampionshipState:
    """Present, and listed as admitted where an override has let them in."""
    here = _status(state, action.number, "present")
    if not action.breaks:
        return here
    return replace(here, overrides=here.overrides | {action.number: action.breaks})


def _status_undone(state: ChampionshipState, action: act.UndoStatus) -> ChampionshipState:
    """What they were; with a check-in its override falls."""
    before = _status(state, action.number, cast(Status, action.to))
    if action.undone != "present":
        return before
    kept = {number: breaks for number, breaks in before.overrides.items() if number != action.number}
    return replace(before, overrides=kept)


def _announced(state: ChampionshipState, action: act.AnnounceDraw) -> Draw:
    """The draw as announced; what was announced before is kept."""
    known = state.draws.get(action.stage)
    replaced = known.replaced if known is not None else ()
    if known is not None:
        replaced = (*replaced, ReplacedDraw(known.commitment, known.words, action.by, action.why))
    return Draw(action.numbers, action.entry, action.commitment, replaced=replaced)


def _substituted(state: ChampionshipState, action: act.Substitute) -> ChampionshipState:
    """The newcomer is present and sits wherever the other would have sat at a table not yet played."""
    new = len(state.participants) + 1
    gone = replace(state.participant(action.number), status="replaced", replaced_by=new)
    state = _entered(_amended(state, gone), (action.by,), "present")
    played = {game[:3] for game in state.results}
    sat = {game[:2] for game in state.results}
    seatings = {
        key: replace(
            seated,
            tables=tuple(
                table
                if (*key, place) in played
                else tuple(new if number == action.number else number for number in table)
                for place, table in enumerate(seated.tables, start=1)
            ),
            sitting_out=tuple(
                new if number == action.number and key not in sat else number for number in seated.sitting_out
            ),
        )
        for key, seated in state.seatings.items()
    }
    return replace(state, seatings=seatings)


def _erased(state: ChampionshipState, action: act.EraseEntrant) -> ChampionshipState:
    """The entrant under an alias, also in what was published for draws; the country stays."""
    one = state.participant(action.number)
    anonymous = Entrant(
        action.alias, one.entrant.country, place=one.entrant.place, no_country=one.entrant.no_country
    )
    draws = {
        stage: replace(
            drawing,
            entry=replace(
                drawing.entry,
                entrants=tuple(
                    action.alias if number == action.number else name
                    for number, name in zip(drawing.numbers, drawing.entry.entrants, strict=True)
                ),
            ),
        )
        for stage, drawing in state.draws.items()
    }
    return _amended(replace(state, draws=draws), replace(one, entrant=anonymous))


def _revealed(state: ChampionshipState, action: act.Reveal) -> ChampionshipState:
    drawing = replace(state.draws[action.stage], seed=action.seed)
    keys = state.format.drawn_together(action.stage)
    everybody = [state.successor(number) for number in drawing.numbers]
    seatings = {
        key: Seated(
            tables,
            "raffle",
            state.entries + 1,
            action.starters[place] if action.starters else (),
            _without_seat(everybody, tables),
        )
        for place, (key, tables) in enumerate(zip(keys, action.sittings, strict=True))
    }
    return replace(state, draws=state.draws | {action.stage: drawing}, seatings=state.seatings | seatings)


def _corrected(state: ChampionshipState, action: act.CorrectResult) -> ChampionshipState:
    """The result is replaced. Where nothing later has been played, later approvals and seatings fall with it.

    A stage whose successor is being played stays as it was approved: who plays on plays on. A plan drawn
    before depends on no result and stays too.
    """
    key = (action.stage, action.sitting, action.table, action.game)
    return _reopened(replace(state, results=state.results | {key: action.result}), action.stage)


def _seats_corrected(state: ChampionshipState, action: act.CorrectSeats) -> ChampionshipState:
    """Others in the seats of some tables; who refused to sign is whoever sat in that seat."""
    key = (action.stage, action.sitting)
    seated, sheets = state.seatings[key], dict(state.sheets)
    tables = list(seated.tables)
    for each in action.tables:
        before = tables[each.table - 1]
        tables[each.table - 1] = each.players
        if (sheet := sheets.get((*key, each.table))) is not None:
            seats = [before.index(number) for number in sheet.refused if number in before]
            sheets[(*key, each.table)] = replace(sheet, refused=tuple(each.players[seat] for seat in seats))
    there = [number for table in seated.tables for number in table]
    out = _without_seat([*there, *seated.sitting_out], tables)
    seatings = state.seatings | {key: replace(seated, tables=tuple(tables), how="corrected", sitting_out=out)}
    return _reopened(replace(state, seatings=seatings, sheets=sheets), action.stage)


def _without_seat(everybody: Iterable[int], tables: Iterable[Iterable[int]]) -> tuple[int, ...]:
    """Who of some players has no seat at these tables."""
    seated = {number for table in tables for number in table}
    return tuple(sorted(set(everybody) - seated))


def _sitting_out(state: ChampionshipState, action: act.SeatSitting) -> tuple[int, ...]:
    """Who has no seat though they are here; late entrants change nothing for the others."""
    if action.how != "late":
        return action.sitting_out
    return _without_seat(state.seatings[action.stage, action.sitting].sitting_out, action.tables)


def _voided(state: ChampionshipState, action: act.VoidGame) -> ChampionshipState:
    """A game without a result; the stage is open again if that changes its standings."""
    key = (action.stage, action.sitting, action.table, action.game)
    had = key in state.results
    state = _without_games(state, {key}, action.by, action.why)
    return _reopened(state, action.stage) if had else state


def _ended(state: ChampionshipState, action: act.EndStage) -> ChampionshipState:
    keys = {(action.stage, *game) for game in action.void}
    state = _without_games(state, keys, action.by, action.why, ended=True)
    return replace(state, ended=state.ended | {action.stage: Ended(action.by, action.why)})


def _without_games(
    state: ChampionshipState, keys: set[GameKey], by: str, why: str, *, ended: bool = False
) -> ChampionshipState:
    voids = {
        key: Void(by, why, ended, state.results.get(key), key in state.results and key[:3] in state.sheets)
        for key in sorted(keys)
    }
    results = {key: result for key, result in state.results.items() if key not in keys}
    return replace(state, results=results, voids=state.voids | voids)


def _not_void(state: ChampionshipState, action: act.UndoVoid) -> ChampionshipState:
    """What was void counts again as it was entered, or is still to be played: that sheet is signed anew."""
    stage = action.stage
    if action.game:
        keys = {(stage, action.sitting, action.table, action.game)}
    else:
        keys = {key for key, void in state.voids.items() if key[0] == stage and void.ended}
    back = {key: result for key in sorted(keys) if (result := state.voids[key].result) is not None}
    state = replace(
        state,
        results=state.results | back,
        voids={key: void for key, void in state.voids.items() if key not in keys},
        ended=state.ended if action.game else _without(state.ended, {stage}),
    )
    sheets = {key: sheet for key, sheet in state.sheets.items() if not state.open_games(key)}
    return _reopened(replace(state, sheets=sheets), stage)


def _reopened(state: ChampionshipState, changed: str) -> ChampionshipState:
    """The state when the standings of a stage have changed."""
    place = state.format.place(changed)
    if changed not in state.closings:
        return state
    later = {stage.id for stage in state.format.stages[place + 1 :]}
    if any(game[0] in later for game in state.results):
        return state
    drawn_before = {
        sitting
        for stage, drawing in state.draws.items()
        if stage not in later and drawing.seed is not None
        for sitting in state.format.drawn_together(stage)
    }
    return replace(
        state,
        closings=_without(state.closings, {changed} | later),
        draws=_without(state.draws, later),
        seatings={
            sitting: seated
            for sitting, seated in state.seatings.items()
            if sitting[0] not in later or sitting in drawn_before
        },
    )


def _without(known: dict[str, Value], gone: set[str]) -> dict[str, Value]:
    return {key: value for key, value in known.items() if key not in gone}
