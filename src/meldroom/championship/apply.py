"""May this be done, and what exactly is written? One action in, one entry out, or a clear refusal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import UNSET
from msgspec.structs import replace

from meldroom.championship import actions as act
from meldroom.championship.actions import Action, name_of
from meldroom.championship.arrangements.definition import checked as checked_arrangements
from meldroom.championship.duplicate.announcing import (
    announced,
    check_announced,
    check_closing,
    check_revealed,
)
from meldroom.championship.eligibility import Breach
from meldroom.championship.entrants import LONGEST, Entrant, check_entrant
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.closing import close
from meldroom.championship.formats.format import checked
from meldroom.championship.formats.voids import check_goes_on, check_void
from meldroom.championship.log.entry import LogEntry
from meldroom.championship.log.lots import OWN_LOTS
from meldroom.championship.log.restore import adopted
from meldroom.championship.penalties import (
    check_dispute,
    check_disqualified,
    check_penalty,
    check_stands,
    filled_in,
)
from meldroom.championship.results import GameResult, check_result
from meldroom.championship.roles import Role, may, not_allowed
from meldroom.championship.sittings import (
    check_seats,
    lot,
    needs_draw,
    next_sitting,
    prepare_draw,
    revealed,
)
from meldroom.championship.standings import standings
from meldroom.championship.state import ChampionshipState
from meldroom.i18n import Message

_HEX = frozenset("0123456789abcdef")
_MOST_PAID = 100_000_000


def apply(
    state: ChampionshipState,
    action: Action,
    *,
    author: str,
    role: Role,
    time: datetime,
    reason: str = "",
    previous: str = "",
    confirmed: str = "",
) -> LogEntry:
    """The entry that an action becomes, with everything computed. Raises ChampionshipError.

    `confirmed` is the referee who confirmed it with their PIN.
    """
    if isinstance(action, act.Found | act.Adopt) != (state.entries == 0):
        raise ChampionshipError("founded" if state.entries else "not_founded")
    for text in (author, reason):
        if not text.isprintable() or len(text) > 4 * LONGEST:
            raise ChampionshipError("bad_text", text=text, most=4 * LONGEST)
    if not author.strip():
        raise ChampionshipError("no_author")
    needed = permission(state, action)
    if not may(role, needed):
        raise not_allowed(role, needed)
    if (reason_needed(action) or _arranged_late(state, action)) and not reason.strip():
        raise ChampionshipError("no_reason", what=Message(f"championship.what.{name_of(action)}"))
    if isinstance(action, act.AnnounceDraw):
        action = _again(state, action, author, reason)
    if isinstance(action, act.AnnounceDeals):
        action = announced(state, action, author, reason)
    if time.utcoffset() is None or time.utcoffset():
        raise ChampionshipError("bad_time", time=time.isoformat())
    done = complete(state, filled_in(action, author, time, reason))
    if confirmed:
        _check_confirmed(state, done, confirmed)
    made = LogEntry(state.entries + 1, time, author, role, done, reason, previous)
    return replace(made, confirmed=confirmed) if confirmed else made


def _check_confirmed(state: ChampionshipState, action: Action, referee: str) -> None:
    """Only who has a PIN confirms with it, and signs in no other name."""
    if referee not in state.pins:
        raise ChampionshipError("no_pin", name=referee)
    signs = getattr(action, "referee", referee) or referee
    if signs != referee:
        raise ChampionshipError("other_signature", name=referee, other=signs)


def permission(state: ChampionshipState, action: Action) -> str:
    """The line of the table of roles that an action comes under."""
    match action:
        case act.CheckIn(override=True):
            return "override_eligibility"
        case act.UndoStatus():
            return _DONE_BY[action.undone]
        case act.Penalise() if action.deduct:
            return "take_points"
        case act.CorrectResult() if (action.stage, action.sitting, action.table) in state.sheets:
            return "correct_signed_result"
        case _:
            return name_of(action)


def _arranged_late(state: ChampionshipState, action: Action) -> bool:
    """Whether prizes, teams or categories change when games have been played."""
    return isinstance(action, act.Arrange) and bool(state.results)


_DONE_BY = {
    "present": "check_in",
    "declined": "decline",
    "no_show": "no_show",
    "withdrawn": "withdraw",
    "disqualified": "disqualify",
}
"""What gives each status: who may do it may also undo it."""


def _again(state: ChampionshipState, action: act.AnnounceDraw, author: str, reason: str) -> act.AnnounceDraw:
    """The announcement; one that takes another's place says who does that, and why."""
    known = state.draws.get(action.stage)
    if known is None or known.seed is not None or (state.checks < 2 and not action.by):
        return replace(action, by="", why="")
    if not reason.strip():
        raise ChampionshipError("announced_again", stage=action.stage)
    return replace(action, by=author, why=reason)


def reason_needed(action: Action) -> bool:
    """Whether an action changes a result, a list or a seating that people have seen."""
    match action:
        case (
            act.CorrectResult()
            | act.AmendEntrant()
            | act.Decline()
            | act.Withdraw()
            | act.Disqualify()
            | act.UndoStatus()
            | act.Substitute()
            | act.CancelPenalty()
            | act.CorrectSeats()
            | act.VoidGame()
            | act.EndStage()
            | act.UndoVoid()
        ):
            return True
        case act.Adopt() | act.EraseEntrant():
            return True
        case act.Penalise():
            return action.deduct != 0
        case act.RecordPayment():
            return action.amount < 0
        case act.CheckIn():
            return action.override
        case act.SeatSitting():
            return action.how != "standings"
        case act.SignSheet():
            return bool(action.refused)
        case act.DecideTie():
            return action.how == "lot"
        case _:
            return False


def complete(state: ChampionshipState, action: Action) -> Action:
    """The action as it is written, if it fits the state. Raises ChampionshipError."""
    match action:
        case act.Found():
            _check_line(action.name)
            checked(action.format)
            return action
        case act.Adopt():
            adopted(action.document)
            return action
        case act.ImportEntrants():
            _check_new(state, action.entrants)
            return action
        case act.AddEntrant():
            _check_new(state, (action.entrant,))
            return action
        case act.AmendEntrant():
            mine = state.participant(action.number)
            if action.entrant.name != mine.entrant.name:
                _check_new(state, (action.entrant,))
            check_entrant(action.entrant)
            return action
        case act.CheckIn():
            return _check_in(state, action)
        case act.Decline() | act.NoShow():
            _check_here(state, action.number)
            if state.has_played(action.number):
                raise ChampionshipError("has_played", name=state.name_of(action.number))
            return action
        case act.Withdraw():
            _check_here(state, action.number)
            return action
        case act.Disqualify():
            return check_disqualified(state, action)
        case act.UndoStatus():
            return _undone(state, action)
        case act.Substitute():
            _check_here(state, action.number)
            _check_new(state, (action.by,))
            return action
        case act.AnnounceDraw():
            return _announced(state, action)
        case act.AddWord():
            _open_draw(state, action.stage)
            _check_line(action.word)
            return action
        case act.Reveal():
            _open_draw(state, action.stage)
            for stage, sitting in state.format.drawn_together(action.stage):
                if state.played((stage, sitting)):
                    raise ChampionshipError("already_played", sitting=sitting)
            return revealed(state, action)
        case act.SeatSitting():
            return _seated(state, action)
        case act.CorrectSeats():
            return check_seats(state, action)
        case act.EnterResult() | act.CorrectResult():
            return _result(state, action)
        case act.SignSheet():
            return _signed(state, action)
        case act.VoidGame() | act.EndStage() | act.UndoVoid():
            return check_void(state, action)
        case act.DecideTie():
            return _decided(state, action)
        case act.CloseStage():
            _check_stage(state, action.stage)
            check_closing(state, action.stage)
            return act.CloseStage(action.stage, *close(state, action.stage))
        case act.Penalise():
            return check_penalty(state, action)
        case act.CancelPenalty():
            return check_stands(state, action)
        case act.SettleDispute():
            return check_dispute(state, action)
        case act.AnnounceDeals() | act.RevealDeals() | act.Arrange() | act.RecordPayment() | act.SetPin():
            return _around_the_games(state, action)
        case act.EraseEntrant():
            return _check_erasure(state, action)


def _around_the_games(
    state: ChampionshipState,
    action: act.AnnounceDeals | act.RevealDeals | act.Arrange | act.RecordPayment | act.SetPin,
) -> Action:
    match action:
        case act.AnnounceDeals():
            _check_stage(state, action.stage)
            return check_announced(state, action)
        case act.RevealDeals():
            return check_revealed(state, action)
        case act.Arrange():
            checked_arrangements(action.arrangements, state.format, len(state.participants))
            return action
        case act.RecordPayment():
            return _payment(state, action)
        case act.SetPin():
            _check_line(action.referee)
            if action.removed and action.referee not in state.pins:
                raise ChampionshipError("no_pin", name=action.referee)
            return action


def _check_line(text: str) -> None:
    if not text.strip() or not text.isprintable() or len(text) > 2 * LONGEST:
        raise ChampionshipError("bad_text", text=text, most=2 * LONGEST)


def _check_new(state: ChampionshipState, entrants: Sequence[Entrant]) -> None:
    """Names must be new: two of one name cannot be told apart on a seating list."""
    if not entrants:
        raise ChampionshipError("empty_list")
    taken = {one.entrant.name for one in state.participants}
    for entrant in entrants:
        check_entrant(entrant)
        if entrant.name in taken:
            raise ChampionshipError("name_taken", name=entrant.name)
        taken.add(entrant.name)


def _payment(state: ChampionshipState, action: act.RecordPayment) -> act.RecordPayment:
    """A payment of somebody entered, of something."""
    state.participant(action.number)
    if not action.amount or abs(action.amount) > _MOST_PAID:
        raise ChampionshipError("bad_amount")
    if action.note:
        _check_line(action.note)
    return action


def _check_erasure(state: ChampionshipState, action: act.EraseEntrant) -> act.EraseEntrant:
    """A name may go when no draw waits for its seed: the commitment is to the names."""
    one = state.participant(action.number)
    if any(drawing.seed is None and action.number in drawing.numbers for drawing in state.draws.values()):
        raise ChampionshipError("draw_open", name=one.entrant.name)
    if any(other.entrant.name == action.alias for other in state.participants if other.number != one.number):
        raise ChampionshipError("name_taken", name=action.alias)
    check_entrant(Entrant(action.alias))
    return action


def _check_here(state: ChampionshipState, number: int) -> None:
    if (one := state.participant(number)).out:
        raise ChampionshipError(
            "already_out", name=one.entrant.name, status=Message(f"championship.status.{one.status}")
        )


def _check_in(state: ChampionshipState, action: act.CheckIn) -> act.CheckIn:
    """An entrant with a place, who meets the conditions, or is admitted in spite of them."""
    one = state.participant(action.number)
    if one.status == "present":
        raise ChampionshipError("already_here", name=one.entrant.name)
    if one.status not in ("entered", "no_show"):
        raise ChampionshipError(
            "already_out", name=one.entrant.name, status=Message(f"championship.status.{one.status}")
        )
    if action.override:
        return replace(action, breaks=_breaches(state, action.number)) if state.checks >= 3 else action
    for verdict in state.verdicts(action.number):
        if verdict.met is None and verdict.condition == "citizen" and not one.entrant.country:
            raise ChampionshipError("unknown_country", name=one.entrant.name, clause=verdict.clause)
        if not verdict.met:
            code = f"unknown_{verdict.condition}" if verdict.met is None else f"not_{verdict.condition}"
            raise ChampionshipError(code, name=one.entrant.name, clause=verdict.clause or "–")
    if one.status == "entered" and not state.nominated(action.number):
        first = state.next_in_line(one.entrant.country)
        other = state.name_of(first) if first is not None else "–"
        raise ChampionshipError("reserve", name=one.entrant.name, country=one.entrant.country, other=other)
    return action


def _breaches(state: ChampionshipState, number: int) -> tuple[Breach, ...]:
    """What stands against an entrant: conditions not met, or not known to be, and a place that is taken."""
    found = [
        Breach(verdict.condition, verdict.met is False, verdict.clause)
        for verdict in state.verdicts(number)
        if not verdict.met
    ]
    one = state.participant(number)
    taken = not state.nominated(number) and state.next_in_line(one.entrant.country) is not None
    if one.status == "entered" and taken:
        found.append(Breach("place", True, "WRC 9 G1; R49"))
    return tuple(found)


def _undone(state: ChampionshipState, action: act.UndoStatus) -> act.UndoStatus:
    """What somebody is again. Who has a seat leaves it by withdrawing, not by an undone check-in."""
    one = state.participant(action.number)
    if one.status != action.undone:
        now = Message(f"championship.status.{one.status}")
        undone = Message(f"championship.status.{action.undone}")
        raise ChampionshipError("not_to_undo", name=one.entrant.name, status=now, undone=undone)
    if action.undone == "present" and state.has_seat(action.number):
        raise ChampionshipError("has_seat", name=one.entrant.name)
    before = "entered" if action.undone == "present" else state.status_before(action.number)
    return act.UndoStatus(action.number, action.undone, before if before != action.undone else "entered")


def _check_stage(state: ChampionshipState, stage: str) -> None:
    """The stage must be the one that is being played."""
    state.format.place(stage)
    if stage != state.stage_of_play():
        code = "stage_closed" if stage in state.closings else "stage_before_open"
        raise ChampionshipError(code, stage=stage, before=state.stage_of_play() or "–")


def _announced(state: ChampionshipState, action: act.AnnounceDraw) -> act.AnnounceDraw:
    _check_stage(state, action.stage)
    check_goes_on(state, action.stage)
    if not needs_draw(state, action.stage):
        raise ChampionshipError("no_raffle", stage=action.stage)
    known = state.draws.get(action.stage)
    if known is not None and known.seed is not None:
        raise ChampionshipError("already_drawn", stage=action.stage)
    groups = [[action.numbers[place] for place in group] for group in action.entry.apart]
    numbers, made = prepare_draw(
        state,
        action.stage,
        groups,
        action.entry.apart_in,
        new_opponents=action.entry.met is not UNSET,
        one_short=action.entry.short is not UNSET,
    )
    if (numbers, made) != (action.numbers, action.entry):
        raise ChampionshipError("list_changed", stage=action.stage)
    if len(action.commitment) != 64 or not _HEX.issuperset(action.commitment):
        raise ChampionshipError("bad_commitment")
    return action


def _open_draw(state: ChampionshipState, stage: str) -> None:
    _check_stage(state, stage)
    check_goes_on(state, stage)
    if stage not in state.draws:
        raise ChampionshipError("not_announced", stage=stage)
    if state.draws[stage].seed is not None:
        raise ChampionshipError("already_drawn", stage=stage)


def _seated(state: ChampionshipState, action: act.SeatSitting) -> act.SeatSitting:
    _check_stage(state, action.stage)
    check_goes_on(state, action.stage)
    stage = state.format.stage(action.stage)
    key = (action.stage, action.sitting)
    if not 1 <= action.sitting <= stage.sittings:
        raise ChampionshipError("no_sitting", sitting=action.sitting, sittings=stage.sittings)
    if action.how == "late":
        return next_sitting(state, action)
    if state.played(key):
        raise ChampionshipError("already_played", sitting=action.sitting)
    if action.how == "standings":
        first = action.sitting == 1
        if stage.seating != "standings" or (first and needs_draw(state, action.stage)):
            raise ChampionshipError("by_lot", stage=action.stage, sitting=action.sitting)
        before = state.seatings.get((action.stage, action.sitting - 1))
        if not first and (before is None or _games_missing(state, action.stage, action.sitting - 1)):
            raise ChampionshipError("sitting_before_open", sitting=action.sitting - 1)
    return next_sitting(state, action)


def _games_missing(state: ChampionshipState, stage: str, sitting: int) -> bool:
    tables = state.seatings[stage, sitting].tables
    return any(state.open_games((stage, sitting, table)) for table in range(1, len(tables) + 1))


def _result(
    state: ChampionshipState, action: act.EnterResult | act.CorrectResult
) -> act.EnterResult | act.CorrectResult:
    sheet = (action.stage, action.sitting, action.table)
    key = (*sheet, action.game)
    state.format.place(action.stage)
    seated = state.seatings.get((action.stage, action.sitting))
    if seated is None:
        raise ChampionshipError("not_seated", stage=action.stage, sitting=action.sitting)
    if not 1 <= action.table <= len(seated.tables):
        raise ChampionshipError("no_table", table=action.table, tables=len(seated.tables))
    games = state.format.stage(action.stage).games
    if not 1 <= action.game <= games:
        raise ChampionshipError("no_game", game=action.game, games=games)
    known = state.results.get(key)
    if key in state.voids:
        raise ChampionshipError("game_void", table=action.table, game=action.game)
    if isinstance(action, act.EnterResult):
        _check_stage(state, action.stage)
        if known is not None:
            raise ChampionshipError("already_entered", table=action.table, game=action.game)
    elif known is None:
        raise ChampionshipError("not_entered", table=action.table, game=action.game)
    elif known == action.result:
        raise ChampionshipError("same_result", table=action.table, game=action.game)
    table = seated.tables[action.table - 1]
    check_result(state.format, action.result, len(table), box=state.checks >= 2)
    _check_empty_seats(state, table, action.result, known)
    return action


def _check_empty_seats(
    state: ChampionshipState, table: Sequence[int], result: GameResult, known: GameResult | None
) -> None:
    """Only who has left may be without a score."""
    for seat, number in enumerate(table):
        was_empty = known is not None and known.scores[seat] is None
        if result.scores[seat] is None and not was_empty and not state.participant(number).out:
            raise ChampionshipError("score_missing", name=state.name_of(number))


def _signed(state: ChampionshipState, action: act.SignSheet) -> act.SignSheet:
    key = (action.stage, action.sitting, action.table)
    _check_stage(state, action.stage)
    _check_line(action.referee)
    seated = state.seatings.get((action.stage, action.sitting))
    if seated is None:
        raise ChampionshipError("not_seated", stage=action.stage, sitting=action.sitting)
    if not 1 <= action.table <= len(seated.tables):
        raise ChampionshipError("no_table", table=action.table, tables=len(seated.tables))
    for game in state.open_games(key):
        raise ChampionshipError("not_entered", table=action.table, game=game[3])
    if key in state.sheets:
        raise ChampionshipError("already_signed", table=action.table)
    if not state.to_sign(key):
        raise ChampionshipError("all_void", table=action.table)
    for number in action.refused:
        if number not in seated.tables[action.table - 1]:
            raise ChampionshipError("not_at_table", name=state.name_of(number), table=action.table)
    return action


def _decided(state: ChampionshipState, action: act.DecideTie) -> act.DecideTie:
    _check_stage(state, action.stage)
    level = [set(group) for group in standings(state, action.stage).level]
    if set(action.order) not in level or len(set(action.order)) < len(action.order):
        raise ChampionshipError("not_level")
    if action.how == "lot":
        order = lot(state, action.stage, action.order, action.lot)
        kept = action.lot if state.checks >= OWN_LOTS else None
        return act.DecideTie(action.stage, order, "lot", kept)
    return replace(action, lot=None)
