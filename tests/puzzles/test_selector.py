"""Which puzzle next: the same for everyone, everywhere, and never one that was seen."""

from __future__ import annotations

import datetime

import pytest
from msgspec.structs import replace

from meldroom.puzzles import Puzzle, PuzzleError, starter_pack
from meldroom.puzzles.selector import (
    DAILY_LEAST,
    DAILY_MOST,
    DIFFICULTIES,
    OFFSETS,
    Filter,
    daily,
    pick,
    streak,
    timed_round,
)

START = datetime.date(2026, 11, 16)


@pytest.fixture(scope="module")
def pack() -> tuple[Puzzle, ...]:
    return starter_pack()


def test_the_puzzle_of_a_day_follows_from_the_date_alone(pack: tuple[Puzzle, ...]) -> None:
    assert daily(pack, START) == daily(tuple(reversed(pack)), START)
    assert daily(pack, START) != daily(pack, START + datetime.timedelta(days=1))


def test_no_puzzle_of_the_day_comes_again_before_all_have_had_their_day(pack: tuple[Puzzle, ...]) -> None:
    few = [each for each in pack if DAILY_LEAST <= each.rating <= DAILY_MOST and each.kind != "hold"][:25]
    # A round begins on the days that 25 divides.
    first = datetime.date.fromordinal(START.toordinal() // 25 * 25)
    chosen = [daily(few, first + datetime.timedelta(days=day)).id for day in range(50)]
    assert len(set(chosen[:25])) == len(set(chosen[25:])) == 25
    assert chosen[:25] != chosen[25:]


def test_the_puzzle_of_the_day_is_of_middling_difficulty(pack: tuple[Puzzle, ...]) -> None:
    for day in range(40):
        found = daily(pack, START + datetime.timedelta(days=day))
        assert DAILY_LEAST <= found.rating <= DAILY_MOST
        assert found.kind != "hold"


def test_this_very_day_has_this_very_puzzle() -> None:
    """Nothing about the way of choosing may change: people talk about the same puzzle."""
    made = [_numbered(number) for number in range(7)]
    days = [daily(made, START + datetime.timedelta(days=day)).id for day in range(7)]
    assert days == ["3", "0", "4", "1", "6", "2", "2"]


def _numbered(number: int) -> Puzzle:
    return replace(starter_pack()[0], id=str(number), rating=1500, kind="go_out")


def test_levels_are_easier_and_harder(pack: tuple[Puzzle, ...]) -> None:
    ratings = [pick(pack, 1600, "seed", difficulty=each).rating for each in DIFFICULTIES]
    assert ratings == sorted(ratings)
    assert list(OFFSETS) == list(DIFFICULTIES)
    assert pick(pack, 1600, "seed") == pick(pack, 1600, "seed")
    assert len({pick(pack, 1600, str(seed)).id for seed in range(20)}) > 3


def test_a_filter_is_kept_and_nothing_comes_twice(pack: tuple[Puzzle, ...]) -> None:
    wanted = Filter(book="wrc11", theme="split_run")
    seen: set[str] = set()
    for number in range(8):
        found = pick(pack, 1500, str(number), wanted=wanted, seen=seen)
        assert found.book == "wrc11"
        assert "split_run" in found.themes
        assert found.id not in seen
        seen.add(found.id)


def test_when_nothing_is_left_it_says_so(pack: tuple[Puzzle, ...]) -> None:
    few = pack[:2]
    with pytest.raises(PuzzleError) as refused:
        pick(few, 1500, "seed", seen={each.id for each in few})
    assert refused.value.code == "none_left"
    with pytest.raises(PuzzleError):
        daily(pack, START, Filter(book="no-such-book"))


@pytest.mark.parametrize("choose", [streak, timed_round])
def test_rounds_get_harder_and_repeat_nothing(choose: type[object], pack: tuple[Puzzle, ...]) -> None:
    found = choose(pack, "seed")  # type: ignore[call-arg]
    assert [each.rating for each in found] == sorted(each.rating for each in found)  # type: ignore[attr-defined]
    assert len({each.id for each in found}) == len(found)  # type: ignore[attr-defined, arg-type]
    assert found != choose(pack, "another seed")  # type: ignore[call-arg]
    assert all(each.kind != "hold" for each in found)  # type: ignore[attr-defined]
