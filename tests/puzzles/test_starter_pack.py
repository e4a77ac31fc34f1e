"""The pack that comes with the program: large and mixed enough, and a sample of it proven again."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

from meldroom.puzzles import KINDS, Puzzle, judge_table, read_puzzles, starter_pack
from meldroom.puzzles.certification import recertify
from meldroom.puzzles.explaining import question, solution, theme_names, title, verdict
from meldroom.puzzles.pack import STARTER, choose_pack
from meldroom.rules.library import BOOK_IDS

PACK = starter_pack()
SAMPLE = [each for each in PACK if each.kind != "hold"][:: max(1, len(PACK) // 24)]


def test_the_pack_is_large_and_small_enough() -> None:
    assert len(PACK) >= 2000
    assert len({each.id for each in PACK}) == len(PACK)
    assert len(files("meldroom.puzzles").joinpath(STARTER).read_bytes()) < 700_000


def test_every_book_and_kind_and_many_levels_are_there() -> None:
    assert {each.book for each in PACK} == set(BOOK_IDS)
    assert {each.kind for each in PACK} == set(KINDS)
    bands = Counter(each.rating // 200 for each in PACK)
    assert len([count for count in bands.values() if count >= 50]) >= 5
    assert [each.rating for each in PACK] == sorted(each.rating for each in PACK)


@pytest.mark.parametrize("puzzle", SAMPLE, ids=lambda each: each.id)
def test_a_sample_is_proven_again(puzzle: Puzzle) -> None:
    assert list(read_puzzles([puzzle.line()])) == [puzzle]
    assert recertify(puzzle) is None


@pytest.mark.parametrize("puzzle", SAMPLE[::4], ids=lambda each: each.id)
def test_a_puzzle_can_be_asked_judged_and_explained(puzzle: Puzzle) -> None:
    given = puzzle.read()
    for language in ("en", "fr"):
        assert question(puzzle).text(language)
        assert title(puzzle).text(language)
        assert all(each.text(language) for each in theme_names(puzzle))
    told = solution(puzzle)
    assert told is not None
    assert len(told.steps) >= 1
    if puzzle.book != "rummyo":
        assert judge_table(puzzle, given.after).solved
        assert judge_table(puzzle, given.table).verdict == "illegal"


HOLDS = [each for each in PACK if each.kind == "hold" and not each.answer.tiles]
LAYS = [each for each in PACK if each.kind == "hold" and each.answer.tiles]


def test_holding_and_laying_are_right_about_as_often() -> None:
    assert min(len(HOLDS), len(LAYS)) >= 4
    assert max(len(HOLDS), len(LAYS)) <= 2 * min(len(HOLDS), len(LAYS))


@pytest.mark.parametrize("puzzle", [HOLDS[0], LAYS[0]], ids=["hold", "lay"])
def test_hold_or_lay_gives_its_reason_and_is_decided_again(puzzle: Puzzle) -> None:
    told = verdict(puzzle)
    assert told is not None
    assert "%" in told.text("en")
    assert puzzle.chances is not None
    assert abs(puzzle.chances.hold - puzzle.chances.lay) >= 0.099
    assert (puzzle.chances.lay > puzzle.chances.hold) == bool(puzzle.answer.tiles)
    assert recertify(puzzle) is None


def test_a_play_of_other_tiles_is_not_the_answer() -> None:
    from meldroom.solver import solve_faces

    tried = 0
    for puzzle in PACK:
        given = puzzle.read() if puzzle.kind == "most_tiles" and puzzle.second else None
        if given is None:
            continue
        face = given.played[0]
        fewer = [each for each in given.rack if each != face]
        other = solve_faces(given.state.book, given.table, fewer, given.melded)
        if other.played:
            judged = judge_table(puzzle, other.table)
            assert judged.verdict == "not_best"
            assert judged.tiles <= puzzle.second
            tried += 1
        if tried == 5:
            return
    raise AssertionError("no puzzle has a second best play")


def test_a_pack_takes_from_every_shelf_in_turn() -> None:
    chosen = choose_pack(PACK, 100)
    assert len(chosen) == 100
    assert {each.kind for each in chosen} == set(KINDS)
    assert {each.book for each in chosen} == set(BOOK_IDS)
    assert choose_pack(reversed(PACK), 100) == chosen
    assert max(Counter(each.source.game for each in chosen).values()) <= 2
