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
from meldroom.championship.entrants import parse_entrants
from meldroom.championship.input import current, to_seat
from meldroom.championship.sittings import groups_by, prepare_draw
from meldroom.championship.state import ChampionshipState
from meldroom.referee import settle
from meldroom.server.championships.commands.counting import result_of
from meldroom.server.championships.commands.requests import (
    Announce,
    Close,
    Correct,
    Enter,
    Erase,
    ImportList,
    LogCommand,
    Seat,
    Settle,
    ShowSeed,
    Sign,
)
from meldroom.server.championships.errors import HallError

KeptSeed = Callable[[str], str]
"""The seed that was kept for a commitment; empty if none was."""


def action_of(state: ChampionshipState, command: LogCommand, author: str, seed_of: KeptSeed) -> Action:
    """The action that a command asks for. Raises HallError, ChampionshipError and RefereeError."""
    match command:
        case ImportList():
            return _import(state, command)
        case Announce():
            return announced(state, command, command.seed)
        case ShowSeed():
            stage = current(state, command.stage or None)[0]
            drawing = state.draws.get(stage)
            seed = command.seed or (seed_of(drawing.commitment) if drawing is not None else "")
            if drawing is not None and drawing.seed is None and not seed:
                raise HallError(409, "seed_not_kept", "command.seed")
            return Reveal(stage, seed)
        case Seat():
            wanted = current if command.how == "change" else to_seat
            stage, sitting = wanted(state, command.stage or None, command.sitting or None)
            return SeatSitting(stage, sitting, command.how, command.tables)
        case Enter():
            result = result_of(state.format, command)
            return EnterResult(command.stage, command.sitting, command.table, command.game, result)
        case Correct():
            result = result_of(state.format, command)
            return CorrectResult(command.stage, command.sitting, command.table, command.game, result)
        case Sign():
            return SignSheet(
                command.stage, command.sitting, command.table, command.referee or author, command.refused
            )
        case Close():
            return CloseStage(current(state, command.stage or None)[0])
        case Erase():
            return EraseEntrant(command.number)
        case Settle():
            return _dispute(state, command, author)
        case _:
            return command


def announced(state: ChampionshipState, command: Announce, seed: str) -> AnnounceDraw:
    """The announcement of a draw with its commitment. Raises ChampionshipError."""
    stage = current(state, command.stage or None)[0]
    groups: list[list[int]] = [list(group) for group in command.apart]
    if command.apart_by:
        groups += groups_by(state, stage, command.apart_by)
    for group in groups:
        for number in group:
            state.participant(number)
    numbers, entry = prepare_draw(state, stage, groups, command.apart_in)
    return AnnounceDraw(stage, numbers, entry, entry.commitment(seed))


def _dispute(state: ChampionshipState, command: Settle, author: str) -> SettleDispute:
    """A dispute whose rules exist. Raises RefereeError."""
    referee = command.referee or author
    book = state.format.rules()
    ruled = settle(
        book,
        command.question,
        command.ruling,
        referee=referee,
        cites=command.cites,
        evidence=command.evidence,
    )
    return SettleDispute(
        question=command.question,
        ruling=command.ruling,
        clauses=ruled.clauses,
        rulings=ruled.rulings,
        parties=command.parties,
        evidence=command.evidence,
        stage=command.stage,
        sitting=command.sitting,
        table=command.table,
        game=command.game,
        referee=referee,
        chief=command.chief,
        at=command.at,
    )


def _import(state: ChampionshipState, command: ImportList) -> ImportEntrants:
    """A list of entrants: all of it, or nothing and every bad line. Raises HallError."""
    if not command.csv:
        return ImportEntrants(command.entrants)
    found = parse_entrants(command.csv, [one.entrant.name for one in state.participants])
    if found.faults:
        raise HallError(400, "bad_list", "command.csv", faults=found.faults, count=len(found.faults))
    return ImportEntrants(found.entrants)
