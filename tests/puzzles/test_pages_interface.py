"""What pages are answered: puzzles chosen, judged, rated and explained."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pytest

from meldroom.api import puzzles as api
from meldroom.api.errors import GameError
from meldroom.api.puzzles import AskJudgement, AskPuzzle, PlayerRating
from meldroom.puzzles import Puzzle, starter_pack

EASY = next(each for each in starter_pack() if each.kind == "most_tiles")
HOLD = next(each for each in starter_pack() if each.kind == "hold")
TAKE = next(each for each in starter_pack() if each.kind == "take")
PLAYER = PlayerRating(1500, 200, 0.06, 5, 100)


def sets_of(puzzle: Puzzle) -> tuple[tuple[Any, ...], ...]:
    return api.solution(puzzle, "en").table


def test_the_menu_names_what_there_is_in_every_language() -> None:
    english, french = api.menu("en"), api.menu("fr")
    assert english.count == len(starter_pack())
    assert {each.id for each in english.kinds} == {each.kind for each in starter_pack()}
    assert [each.id for each in english.themes] == [each.id for each in french.themes]
    assert all(each.name for each in (*english.themes, *french.levels))


def test_a_card_shows_the_players_view_and_nothing_of_the_answer() -> None:
    card = api.card(EASY, "en")
    assert card.game.me == card.game.seat
    assert card.game.racks is None
    assert b"answer" not in msgspec.json.encode(card)
    assert card.question


def test_the_answer_solves_it_and_gains_and_no_other_table_does() -> None:
    solved = api.judged(EASY, AskJudgement(40, sets_of(EASY), player=PLAYER), "en")
    assert (solved.verdict, solved.tiles) == ("solved", solved.best)
    assert solved.change > 0
    held = api.judged(EASY, AskJudgement(40, player=PLAYER), "en")
    assert held.verdict == "not_best"
    assert held.change < 0
    before = tuple(EASY.read().position.table)
    nothing = api.judged(EASY, AskJudgement(40, before, player=PLAYER), "en")
    assert nothing.verdict == "illegal"
    assert nothing.message
    assert nothing.change == 0
    assert nothing.player == PLAYER


def test_tiles_from_elsewhere_are_refused() -> None:
    given = EASY.read().position
    stranger = next(
        tile
        for tile in given.book.tiles.every_tile
        if tile not in given.racks[EASY.read().seat] and all(tile not in tiles for tiles in given.table)
    )
    with pytest.raises(GameError):
        api.judged(EASY, AskJudgement(40, ((stranger, stranger, stranger),)), "en")


def test_hold_or_lay_and_take_or_leave_are_answered_by_what_is_done() -> None:
    right = bool(HOLD.answer.tiles)
    assert (api.judged(HOLD, AskJudgement(9), "en").verdict == "solved") == (not right)
    assert api.solution(HOLD, "fr").verdict
    right_tile = TAKE.answer.take or "stock"
    other: Literal["stock", "discard"] = "discard" if right_tile == "stock" else "stock"
    assert api.judged(TAKE, AskJudgement(9, take=right_tile), "en").verdict == "solved"
    assert api.judged(TAKE, AskJudgement(9, take=other), "en").verdict == "not_best"
    assert api.solution(TAKE, "en").verdict


def test_giving_up_is_never_the_answer() -> None:
    holds = next(each for each in starter_pack() if each.kind == "hold" and not each.answer.tiles)
    assert api.judged(holds, AskJudgement(9), "en").verdict == "solved"
    given_up = api.judged(holds, AskJudgement(9, gives_up=True, player=PLAYER), "en")
    assert (given_up.verdict, given_up.change < 0) == ("not_best", True)


def test_what_was_seen_does_not_come_again_until_nothing_is_left() -> None:
    seen: tuple[str, ...] = ()
    for _ in range(5):
        card = api.following(AskPuzzle("seed", book="wrc11", seen=seen), "en")
        assert card.id not in seen
        seen += (card.id,)
    with pytest.raises(GameError) as refused:
        api.following(AskPuzzle("seed", book="no-such"), "en")
    assert refused.value.status == 404


def test_what_is_not_there_is_refused() -> None:
    for wrong in (lambda: api.find("nothing"), lambda: api.daily("2026-02-30", "en")):
        with pytest.raises(GameError):
            wrong()
