"""Who may do what, cell by cell: the table is written here once more, and every cell is tried."""

from __future__ import annotations

from typing import get_args

import pytest

from meldroom.championship import ChampionshipError
from meldroom.championship import actions as act
from meldroom.championship.actions import Action, name_of
from meldroom.championship.apply import apply
from meldroom.championship.arrangements.definition import Arrangements
from meldroom.championship.entrants import Entrant
from meldroom.championship.formats.format import preset
from meldroom.championship.results import GameResult
from meldroom.championship.roles import MAY, ROLES, Role, may
from meldroom.championship.seating.raffle import Entry
from meldroom.championship.state import ChampionshipState, Sheet
from tests.championship.championship_play import NOON, Played

# organiser, director, referee, scorer, check-in, display, public
TABLE = """
found                  x . . . . . .
adopt                  x . . . . . .
import_entrants        x x . . . . .
add_entrant            x x . . x . .
amend_entrant          x x . . . . .
check_in               x x . . x . .
override_eligibility   x x . . . . .
decline                x x . . . . .
no_show                . x . . x . .
withdraw               . x . . . . .
disqualify             . x . . . . .
undo_status            x x . . x . .
substitute             . x . . . . .
announce_draw          . x . . . . .
add_word               x x x x x . .
reveal                 . x . . . . .
seat_sitting           . x . . . . .
correct_seats          . x . . . . .
enter_result           . x x x . . .
sign_sheet             . x x . . . .
correct_result         . x x . . . .
correct_signed_result  . x . . . . .
void_game              . x . . . . .
end_stage              . x . . . . .
undo_void              . x . . . . .
decide_tie             . x . . . . .
close_stage            . x . . . . .
penalise               . x x . . . .
take_points            . x . . . . .
cancel_penalty         . x . . . . .
settle_dispute         . x x . . . .
announce_deals         . x . . . . .
reveal_deals           . x . . . . .
arrange                x x . . . . .
record_payment         x x . . x . .
set_pin                x x x . . . .
erase_entrant          x x . . . . .
see_seating            x x x x x x x
see_signed_standings   x x x x x x x
see_live_standings     x x x x . . .
see_personal_data      x x . . x . .
see_fees               x x . . x . .
see_log                x x x . . . .
export                 x x . . . . .
"""
LINES = {line.split()[0]: [*line.split()[1:], "x"] for line in TABLE.strip().splitlines()}
"""The last column is the host's, who may everything."""
CELLS = [
    (what, role, mark == "x")
    for what, marks in LINES.items()
    for role, mark in zip(ROLES, marks, strict=True)
]

_RESULT = GameResult((6, -1, -2, -3), (0,))
_GAME = ("round1", 1, 1, 1)
ACTIONS: dict[str, Action] = {
    "found": act.Found("Open", 1, NOON.date(), preset("wrc")),
    "adopt": act.Adopt({}),
    "import_entrants": act.ImportEntrants((Entrant("A"),)),
    "add_entrant": act.AddEntrant(Entrant("A")),
    "amend_entrant": act.AmendEntrant(1, Entrant("A")),
    "check_in": act.CheckIn(1),
    "override_eligibility": act.CheckIn(1, override=True),
    "decline": act.Decline(1),
    "no_show": act.NoShow(1),
    "withdraw": act.Withdraw(1),
    "disqualify": act.Disqualify(1),
    "undo_status": act.UndoStatus(1, "present"),
    "substitute": act.Substitute(1, Entrant("B")),
    "announce_draw": act.AnnounceDraw("round1", (), Entry((), ()), ""),
    "add_word": act.AddWord("round1", "word"),
    "reveal": act.Reveal("round1", "seed"),
    "seat_sitting": act.SeatSitting("round1", 1, "change"),
    "correct_seats": act.CorrectSeats("round1", 1, ()),
    "enter_result": act.EnterResult(*_GAME, _RESULT),
    "sign_sheet": act.SignSheet("round1", 1, 1, "Rita"),
    "correct_result": act.CorrectResult(*_GAME, _RESULT),
    "correct_signed_result": act.CorrectResult(*_GAME, _RESULT),
    "void_game": act.VoidGame(*_GAME),
    "end_stage": act.EndStage("round1"),
    "undo_void": act.UndoVoid("round1"),
    "decide_tie": act.DecideTie("round1", (1, 2)),
    "close_stage": act.CloseStage("round1"),
    "penalise": act.Penalise(1, "late"),
    "take_points": act.Penalise(1, "other", deduct=5),
    "cancel_penalty": act.CancelPenalty(1),
    "settle_dispute": act.SettleDispute("May they?", "No."),
    "announce_deals": act.AnnounceDeals("round1", "0" * 64),
    "reveal_deals": act.RevealDeals("round1", "seed"),
    "arrange": act.Arrange(Arrangements()),
    "record_payment": act.RecordPayment(1, 500),
    "set_pin": act.SetPin("Rita"),
    "erase_entrant": act.EraseEntrant(1, "Entrant 1"),
}


def state_for(what: str) -> ChampionshipState:
    """A state in which the action comes under its line of the table."""
    if what in ("found", "adopt"):
        return ChampionshipState()
    state = Played().state
    if what == "correct_signed_result":
        return ChampionshipState(format=state.format, entries=1, sheets={("round1", 1, 1): Sheet("Rita")})
    return state


def test_the_table_is_whole() -> None:
    assert set(LINES) == set(MAY)
    tags = {each.__struct_config__.tag for each in get_args(Action)}
    assert tags == {name_of(action) for action in ACTIONS.values()}
    assert tags <= set(MAY)


@pytest.mark.parametrize(("what", "role", "allowed"), CELLS)
def test_who_may_do_what(what: str, role: Role, allowed: bool) -> None:
    assert may(role, what) is allowed
    if what not in ACTIONS:
        return
    refused = ""
    try:
        apply(state_for(what), ACTIONS[what], author="Somebody", role=role, time=NOON, reason="a reason")
    except ChampionshipError as error:
        refused = error.code
    assert (refused == "not_allowed") is not allowed


def test_what_is_not_in_the_table_nobody_may() -> None:
    assert not any(may(role, "rewrite_history") for role in ROLES)
