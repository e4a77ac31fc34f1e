"""From the command of a device to the championship's own action; racks are counted by the referee."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from meldroom.championship import actions
from meldroom.championship.actions import Action
from meldroom.championship.arrangements.definition import read_arrangements
from meldroom.championship.duplicate.deals import deals_commitment
from meldroom.championship.entrants import EntrantList, normal, parse_entrants
from meldroom.championship.formats.format import Format
from meldroom.championship.input import current, to_seat, to_set_by_hand
from meldroom.championship.results import GameResult, from_scores
from meldroom.championship.sittings import groups_before, groups_by, prepare_draw, seeded
from meldroom.championship.state import ChampionshipState
from meldroom.referee import Count, count_racks, settle
from meldroom.server.championships.commands.requests import (
    Announce,
    ArrangeAll,
    Close,
    Correct,
    EndEarly,
    Enter,
    Erase,
    FixDeals,
    ImportList,
    LogCommand,
    MakeVoid,
    PlayedGame,
    Seat,
    Settle,
    ShowDeals,
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
            return _announced(state, command, command.seed)
        case ShowSeed():
            stage = current(state, command.stage or None)[0]
            drawing = state.draws.get(stage)
            seed = command.seed or (seed_of(drawing.commitment) if drawing is not None else "")
            if drawing is not None and drawing.seed is None and not seed:
                raise HallError(409, "seed_not_kept", "command.seed")
            return actions.Reveal(stage, seed)
        case Seat():
            wanted = {"standings": to_seat, "hand": to_set_by_hand}.get(command.how, current)
            stage, sitting = wanted(state, command.stage or None, command.sitting or None)
            lot = actions.DrawnLot(word=command.word) if command.word else None
            return actions.SeatSitting(stage, sitting, command.how, command.tables, lot=lot)
        case Enter():
            result = result_of(state.format, command)
            return actions.EnterResult(command.stage, command.sitting, command.table, command.game, result)
        case Correct():
            result = result_of(state.format, command)
            return actions.CorrectResult(command.stage, command.sitting, command.table, command.game, result)
        case Sign():
            return actions.SignSheet(
                command.stage, command.sitting, command.table, command.referee or author, command.refused
            )
        case Close():
            return actions.CloseStage(current(state, command.stage or None)[0])
        case MakeVoid():
            return actions.VoidGame(command.stage, command.sitting, command.table, command.game)
        case EndEarly():
            return actions.EndStage(current(state, command.stage or None)[0])
        case Erase():
            return actions.EraseEntrant(command.number)
        case FixDeals():
            stage = current(state, command.stage or None)[0]
            return actions.AnnounceDeals(stage, deals_commitment(stage, command.seed))
        case ShowDeals():
            stage = current(state, command.stage or None)[0]
            known = state.deals.get(stage)
            seed = command.seed or (seed_of(known.commitment) if known is not None else "")
            if known is not None and known.seed is None and not seed:
                raise HallError(409, "seed_not_kept", "command.seed")
            return actions.RevealDeals(stage, seed)
        case ArrangeAll():
            return actions.Arrange(read_arrangements(command.arrangements))
        case Settle():
            return _dispute(state, command, author)
        case actions.AddEntrant():
            return replace(command, entrant=normal(command.entrant))
        case actions.AmendEntrant():
            return replace(command, entrant=normal(command.entrant))
        case actions.Substitute():
            return replace(command, by=normal(command.by))
        case _:
            return command


def _announced(state: ChampionshipState, command: Announce, seed: str) -> actions.AnnounceDraw:
    """The announcement of a draw with its commitment. Raises ChampionshipError."""
    stage = current(state, command.stage or None)[0]
    groups: list[list[int]] = [list(group) for group in command.apart]
    if command.apart_by:
        groups += groups_by(state, stage, command.apart_by)
    if command.apart_as_before:
        groups += groups_before(state, stage)
    if len(best := seeded(state, stage, command.seeds)) > 1:
        groups.append(best)
    for group in groups:
        for number in group:
            state.participant(number)
    numbers, entry = prepare_draw(
        state,
        stage,
        groups,
        command.apart_in,
        new_opponents=command.new_opponents,
        one_short=command.one_short,
    )
    return actions.AnnounceDraw(stage, numbers, entry, entry.commitment(seed))


def _dispute(state: ChampionshipState, command: Settle, author: str) -> actions.SettleDispute:
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
    return actions.SettleDispute(
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


def _import(state: ChampionshipState, command: ImportList) -> actions.ImportEntrants:
    """A list of entrants: all of it, or nothing and every bad line. Raises HallError."""
    if not command.csv:
        return actions.ImportEntrants(tuple(map(normal, command.entrants)))
    found = listed(state, command)
    if found.faults:
        raise HallError(400, "bad_list", "command.csv", faults=found.faults, count=len(found.faults))
    return actions.ImportEntrants(found.entrants)


def listed(state: ChampionshipState, command: ImportList) -> EntrantList:
    """The text of a list, read."""
    taken = [one.entrant.name for one in state.participants]
    return parse_entrants(command.csv, taken, dates=command.dates, similar=command.similar)


def count(made: Format, command: PlayedGame) -> Count:
    """The racks of a command counted by the book. Raises RefereeError."""
    return count_racks(made.rules(), command.racks, command.winner, command.going_out, command.winner_tiles)


def result_of(made: Format, command: PlayedGame) -> GameResult:
    """The result to enter: counted from racks, or given as scores. Raises HallError and RefereeError."""
    if bool(command.racks) == bool(command.scores):
        raise HallError(400, "racks_or_scores", "command.scores")
    if command.racks:
        return count(made, command).result
    return from_scores(made, command.scores, command.winners, command.exhausted)
