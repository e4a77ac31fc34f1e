"""From what a device asks for to the championship's own action."""

from __future__ import annotations

from collections.abc import Callable

from meldroom.championship.actions import (
    Action,
    AnnounceDraw,
    CloseStage,
    CorrectResult,
    EnterResult,
    EraseEntrant,
    ImportEntrants,
    Reveal,
    SeatSitting,
    SettleDispute,
    SignSheet,
)
from meldroom.championship.entrants import read_entrants
from meldroom.championship.input import current, to_seat
from meldroom.championship.sittings import groups_by, prepare_draw
from meldroom.championship.state import ChampionshipState
from meldroom.referee import RefereeError, settle
from meldroom.server.championships.commands.counting import result_of
from meldroom.server.championships.commands.requests import (
    Announce,
    Close,
    Correct,
    Enter,
    Erase,
    ImportList,
    LogAct,
    Seat,
    Settle,
    ShowSeed,
    Sign,
)
from meldroom.server.championships.errors import EventRefusal

KeptSeed = Callable[[str], str]
"""The seed that was kept for a commitment; empty if none was."""


def action_of(state: ChampionshipState, act: LogAct, author: str, seed_of: KeptSeed) -> Action:
    """The action that an act asks for. Raises EventRefusal and ChampionshipError."""
    match act:
        case ImportList():
            return _import(state, act)
        case Announce():
            return announced(state, act, act.seed)
        case ShowSeed():
            stage = current(state, act.stage or None)[0]
            drawing = state.draws.get(stage)
            seed = act.seed or (seed_of(drawing.commitment) if drawing is not None else "")
            if drawing is not None and drawing.seed is None and not seed:
                raise EventRefusal(409, "seed_not_kept", "command.seed")
            return Reveal(stage, seed)
        case Seat():
            wanted = current if act.how == "change" else to_seat
            stage, sitting = wanted(state, act.stage or None, act.sitting or None)
            return SeatSitting(stage, sitting, act.how, act.tables)
        case Enter():
            result = result_of(state.format, act)
            return EnterResult(act.stage, act.sitting, act.table, act.game, result)
        case Correct():
            result = result_of(state.format, act)
            return CorrectResult(act.stage, act.sitting, act.table, act.game, result)
        case Sign():
            return SignSheet(act.stage, act.sitting, act.table, act.referee or author, act.refused)
        case Close():
            return CloseStage(current(state, act.stage or None)[0])
        case Erase():
            return EraseEntrant(act.number)
        case Settle():
            return _dispute(state, act, author)
        case _:
            return act


def announced(state: ChampionshipState, act: Announce, seed: str) -> AnnounceDraw:
    """The announcement of a draw with its commitment. Raises ChampionshipError."""
    stage = current(state, act.stage or None)[0]
    groups: list[list[int]] = [list(group) for group in act.apart]
    if act.apart_by:
        groups += groups_by(state, stage, act.apart_by)
    for group in groups:
        for number in group:
            state.participant(number)
    numbers, entry = prepare_draw(state, stage, groups, act.apart_in)
    return AnnounceDraw(stage, numbers, entry, entry.commitment(seed))


def _dispute(state: ChampionshipState, act: Settle, author: str) -> SettleDispute:
    """A dispute whose rules exist. Raises EventRefusal."""
    referee = act.referee or author
    book = state.format.rules()
    try:
        ruled = settle(
            book, act.question, act.ruling, referee=referee, cites=act.cites, evidence=act.evidence
        )
    except RefereeError as error:
        raise EventRefusal.of(error, "command") from None
    return SettleDispute(
        question=act.question,
        ruling=act.ruling,
        clauses=ruled.clauses,
        rulings=ruled.rulings,
        parties=act.parties,
        evidence=act.evidence,
        stage=act.stage,
        sitting=act.sitting,
        table=act.table,
        game=act.game,
        referee=referee,
        chief=act.chief,
        at=act.at,
    )


def _import(state: ChampionshipState, act: ImportList) -> ImportEntrants:
    """A list of entrants: all of it, or nothing and every bad line. Raises EventRefusal."""
    if not act.csv:
        return ImportEntrants(act.entrants)
    found = read_entrants(act.csv, [one.entrant.name for one in state.participants])
    if found.faults:
        raise EventRefusal(400, "bad_list", "command.csv", lines=found.faults, count=len(found.faults))
    return ImportEntrants(found.entrants)
