"""Reasons: each holds where its condition does, and is not given where it does not."""

import pytest

from meldroom.bots import play
from meldroom.coach.lay_off_reasons import LAY_OFF
from meldroom.coach.reasons import REARRANGING, Situation, reason, reasons
from meldroom.coach.turns import every_reason, turns_of
from meldroom.game import view
from meldroom.game.actions import Action, Discard, Draw, Lay, Pass, Take
from meldroom.game.notation.position import parse_position
from meldroom.i18n import has_message
from meldroom.rules.library import BOOK_IDS
from meldroom.solver import solve


def told(text: str, action: str) -> set[str]:
    """The reasons that hold for a move: all that can be laid, a draw, a pass, or one tile by its name."""
    state = parse_position(text).state()
    made: Action
    if action == "lay":
        found = solve(state).action
        assert isinstance(found, Lay)
        made = found
    elif action == "draw":
        made = Draw(state.seat)
    elif action == "pass":
        made = Pass(state.seat)
    else:
        raise AssertionError(action)
    return {each.id for each in reasons(state.book, view(state, state.seat), made)}


OPENED = (
    "wrc11@1 / table R1 R2 R3 | K9 B9 O9 / racks {rack}, ?x{theirs} / pool {pool} / turn 1 / melded {melded}"
)


def position(rack: str, pool: int = 40, theirs: int = 10, melded: str = "1 2", book: str = "wrc11") -> str:
    table = "R1 R2 R3 | K9 B9 O9"
    return f"{book}@1 / table {table} / racks {rack}, ?x{theirs} / pool {pool} / turn 1 / melded {melded}"


def unopened(rack: str, pool: int = 40, theirs: int = 10) -> str:
    return position(rack, pool, theirs, "2")


TENS = "R10 B10 K10"

CONDITIONS = [
    ("lay_out", "lay", position("R4"), position("R4 K1")),
    ("lay_close", "lay", position("R4 K1", theirs=3), position("R4 K1", theirs=4)),
    ("lay_close", "lay", position("R4 K1", theirs=3), position("R4 K1", theirs=3, melded="1")),
    ("fight", "lay", position("R4 K1", pool=2), position("R4 K1", pool=3)),
    ("fight", "lay", position("R4 K1", pool=2), position("R4 K1", pool=2, book="wrc9")),
    ("pass_on", "lay", position("R4 K1", pool=4), position("R4 K1", pool=5)),
    ("open_low", "lay", unopened(f"{TENS} K1", pool=20), unopened(f"{TENS} K1", pool=21)),
    ("open_close", "lay", unopened(f"{TENS} K1", theirs=8), unopened(f"{TENS} K1", theirs=9)),
    ("open_nearly", "lay", unopened(f"{TENS} R4"), unopened(f"{TENS} K1")),
    ("hold_opening", "draw", unopened(f"{TENS} K1", pool=21), unopened(f"{TENS} K1", pool=20)),
    ("hold_opening", "draw", unopened(f"{TENS} K1"), unopened("R9 K1")),
    ("cannot_open", "draw", unopened("R9 K1"), unopened(f"{TENS} K1")),
    ("nothing", "draw", position("K1 K4"), position("R4 K1")),
    ("draw_last", "draw", position("R4 K1", pool=3), position("R4 K1", pool=2)),
    ("hold_place", "draw", position("R4 K1"), position("K1 K4")),
    ("hold_draw", "draw", position("R4 K1"), position("R4")),
]


@pytest.mark.parametrize(("id", "action", "holds", "does_not"), CONDITIONS)
def test_a_reason_holds_where_its_condition_does(id: str, action: str, holds: str, does_not: str) -> None:
    assert id in told(holds, action)
    assert id not in told(does_not, action)


def test_a_draw_has_no_reason_to_lay() -> None:
    assert "lay_most" in told(position("R4 K1"), "lay")
    assert "lay_most" not in told(position("R4 K1"), "draw")


def test_a_place_that_a_play_would_give_is_one_that_was_not_there() -> None:
    """After R4 there is a place for R5 which was not there before."""
    state = parse_position(position("R4 K1")).state()
    found = reason(state.book, view(state, 0), Draw(0))
    assert found is not None
    assert found.id == "hold_place"
    assert found.message.text("en") == (
        "Hold: laying this tile would give Player 2 a place for R5, and costs a draw."
    )
    assert "une place pour R5" in found.message.text("fr")
    situation = Situation(state.book, view(state, 0), Draw(0))
    assert situation.place_for() == state.book.tiles.face_names.index("R5")


def test_points_are_compared_where_they_are_known() -> None:
    """With an empty pool the other's rack is all that was never seen: two red 1s and two jokers are left."""
    runs = [" ".join(f"{colour}{number}" for number in range(1, 14)) for colour in "KBO" for _ in range(2)]
    runs += [" ".join(f"R{number}" for number in range(2, 14))] * 2

    def rest(mine: str, theirs: int, book: str = "wrc9", pool: int = 0) -> str:
        table = " | ".join(runs)
        return f"{book}@1 / table {table} / racks {mine}, ?x{theirs} / pool {pool} / turn 1 / melded 1 2"

    assert "pass_ahead" in told(rest("R1", 3), "pass")
    assert "pass_ahead" not in told(rest("R1 *", 2), "pass")  # both hold the same
    assert "pass_ahead" not in told(rest("R1", 2, pool=1), "draw")  # one tile is nobody's yet
    assert "lay_ahead" in told(rest("R1 * *", 1), "lay") or "lay_out" in told(rest("R1 * *", 1), "lay")


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_every_move_of_master_and_patient_has_its_reason(book_id: str) -> None:
    record = play(book_id, ["master", "patient"], seed="why")
    found = {each.turn: each for each in every_reason(record)}
    for seat in range(2):
        for turn in turns_of(record, seat):
            told = found[turn.steps[0].turn]
            assert told.reasons, (seat, turn.step)
            assert (told.seat, told.step) == (seat, turn.steps[0].number)
    for each in found.values():
        for reason_ in each.reasons:
            assert reason_.message.text("en")
            assert reason_.message.text("fr") != reason_.message.text("en")


def test_every_reason_has_its_sentence() -> None:
    for id in (*REARRANGING, *LAY_OFF):
        assert has_message(f"coach.reason.{id}"), id


def rummyo(rack: str, moment: str, melded: str = "1", pile: str = "K5") -> str:
    sides = f"racks {rack}, ?x9 / pool 40 / turn 1 {moment} / melded {melded} / discards {pile}"
    return f"rummyo@1 / melds 1: R10 R11 R12 / {sides}"


def lay_off(action: Action, rack: str, moment: str, pile: str = "K5") -> set[str]:
    state = parse_position(rummyo(rack, moment, pile=pile)).state()
    return {each.id for each in reasons(state.book, view(state, 0), action)}


def test_reasons_to_take_and_to_leave() -> None:
    take, leave = Take(0, source="discard"), Take(0, source="stock")
    assert "take_more" in lay_off(take, "K3 K4 B9 O1", "take")
    assert "take_more" not in lay_off(take, "K3 B9 O1 O13", "take")
    assert "take_near" in lay_off(take, "K4 B9 O1 O13", "take")
    assert "take_near" not in lay_off(take, "B9 O1 O13 B2", "take")
    assert "take_out" in lay_off(take, "K3 K4 B9", "take")
    assert "take_out" not in lay_off(take, "K3 K4 B9 O1", "take")
    assert "take_joker" in lay_off(take, "K3 K4 B9", "take", pile="*")
    assert "leave_alone" in lay_off(leave, "B9 O1 O13 B2", "take")
    assert "leave_alone" not in lay_off(leave, "K4 B9 O1 O13", "take")
    assert "leave_no_more" not in lay_off(leave, "K3 K4 B9 O1", "take")


def test_reasons_to_discard_and_to_stay_off_board() -> None:
    def throw(name: str, rack: str, melded: str = "1") -> set[str]:
        state = parse_position(rummyo(rack, "play", melded)).state()
        names = state.book.tiles.face_names
        tile = next(t for t in state.racks[0] if names[state.book.tiles.face_of[t]] == name)
        return {each.id for each in reasons(state.book, view(state, 0), Discard(0, tile=tile))}

    assert "throw_alone" in throw("B9", "K3 K4 B9 O1")
    assert "throw_alone" not in throw("K4", "K3 K4 B9 O1")
    assert "throw_twin" in throw("B9", "K3 B9 B9 O1")
    assert "throw_twin" not in throw("B9", "K3 K4 B9 O1")
    assert "throw_loose" not in throw("K4", "K3 K4 K5 B9 O1")
    big = "K11 K12 K13 B11 B12 B13 O5"
    assert "stay_off" in throw("O5", big + " R1", melded="2")
    assert "stay_off" not in throw("O5", big + " R1", melded="1")
