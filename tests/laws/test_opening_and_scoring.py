"""`opening` and `score` against plain oracles: every possible meld, every number counted again."""

from __future__ import annotations

import random
from collections import Counter
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.opening import opening
from meldroom.rules.scoring import Final, FinalRack, score
from meldroom.tiles import Face
from testkit.laws import plain_scoring
from tests.laws.brute_judge import best_opening, is_set, readings, worth
from tests.laws.turns import box_counts, random_set, tiny

TINY = {
    "wrc11": tiny("wrc11", 3, 5, 2, 2),
    "wrc9, sets of two": tiny("wrc9", 2, 6, 2, 1, sets={"shortest": 2}),
    "tml, three jokers": tiny("tml", 3, 4, 2, 3),
    "nzrc2024, four jokers": tiny("nzrc2024", 2, 8, 1, 4),
    "rummyo": tiny("rummyo", 3, 6, 2, 2, opening={"points": 40}),
    "rummyo without a run": tiny("rummyo", 3, 4, 2, 2, opening={"points": 30, "run_required": False}),
}


def random_rack(of: RuleBook, chance: random.Random, size: int) -> tuple[Face, ...]:
    """Tiles at random, with a set or two among them half of the time."""
    left = box_counts(of)
    rack: list[Face] = []
    for _ in range(chance.choice((0, 0, 1, 2))):
        faces = random_set(of, chance, 0.2)
        if Counter(faces) <= left and len(rack) + len(faces) <= size:
            left -= Counter(faces)
            rack.extend(faces)
    rack.extend(chance.sample(sorted(left.elements()), min(left.total(), size - len(rack))))
    return tuple(rack)


def agree_on(of: RuleBook, rack: tuple[Face, ...], points: int | None) -> bool:
    """Both opinions on one rack; fails if they differ. True if the rack can open."""
    needed = of.opening.points if points is None else points
    best = best_opening(of, rack)
    found = opening(of, rack, points)
    shown = f"{of.id}: {of.tiles.faces_text(rack)} for {needed}, best {best}"
    assert (found is not None) == (best is not None and best >= needed), shown
    if found is not None:
        used = Counter(face for faces in found.sets for face in faces)
        assert not used - Counter(rack), shown
        assert all(is_set(of, faces) for faces in found.sets), shown
        assert found.points == sum(worth(of, faces) for faces in found.sets) >= needed, shown
        runs = [faces for faces in found.sets if any(meaning.run for meaning in readings(of, faces))]
        assert runs or not of.opening.run_required, shown
    return found is not None


@pytest.mark.parametrize("name", TINY)
def test_opening_of_tiny_books_is_found_exactly_when_there_is_one(name: str) -> None:
    of = TINY[name]
    chance = random.Random(name)
    answers: Counter[bool] = Counter()
    for _ in range(500):
        rack = random_rack(of, chance, chance.randint(3, 10))
        answers[agree_on(of, rack, None)] += 1
        answers[agree_on(of, rack, chance.randint(1, 60))] += 1
    assert min(answers[True], answers[False]) > 100


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_opening_of_real_racks_is_found_exactly_when_there_is_one(book_id: str) -> None:
    of = book(book_id)
    chance = random.Random(book_id)
    answers: Counter[bool] = Counter()
    for _ in range(180):
        rack = random_rack(of, chance, chance.randint(10, 18))
        answers[agree_on(of, rack, None)] += 1
        answers[agree_on(of, rack, chance.randint(10, 90))] += 1
    assert min(answers[True], answers[False]) > 40


def test_an_opening_needs_a_set_even_when_no_points_are_needed() -> None:
    """R7, R14: a house book may ask for no points, but a meld is still at least one set from the rack."""
    of = tiny("wrc11", 3, 5, 2, 2, opening={"points": 0})
    assert opening(of, (Face(0), Face(6), Face(13))) is None
    assert opening(of, of.tiles.every_face[:3]) is not None


def random_final(of: RuleBook, chance: random.Random) -> Final:
    """A finished game: racks at random, often small so that ties happen; a player may have given up."""
    left = chance.sample(sorted(box_counts(of).elements()), of.tiles.size)
    players = []
    for _ in range(chance.randint(of.players.minimum, of.players.maximum)):
        size = chance.choice((1, 1, 2, 3, 8, 14))
        players.append(FinalRack(tuple(left[:size]), chance.random() < 0.7, chance.random() < 0.5))
        left = left[size:]
    if chance.random() < 0.5:
        if chance.random() < 0.2:
            players[0] = msgspec.structs.replace(players[0], resigned=True)
        return Final(tuple(players), "exhausted")
    winner = chance.randrange(len(players))
    players[winner] = FinalRack((), True)
    if of.family == "rearranging":
        return Final(tuple(players), "out", winner)
    way: Literal["open", "foot", "hand"] = chance.choice(("open", "foot", "hand"))
    return Final(tuple(players), "out", winner, way, tuple(left[: of.deal.tiles]))


CHANGED = ("wrc9", "wrc11", "nzrc2024", "tml")
"""The books of which there are two versions."""


@st.composite
def exhausted_games(draw: st.DrawFn, of: RuleBook) -> Final:
    """A game whose pool ran out, with 2 to 4 players: opened or not, able or not, given up or not."""
    chance = random.Random(draw(st.integers(0, 1 << 32)))
    left = chance.sample(sorted(box_counts(of).elements()), of.tiles.size)
    players: list[FinalRack] = []
    for _ in range(draw(st.integers(2, 4))):
        size = draw(st.sampled_from((1, 2, 3, 14)))
        opened, able, resigned = (draw(st.booleans()) for _ in range(3))
        players.append(FinalRack(tuple(left[:size]), opened, able, resigned and bool(players)))
        left = left[size:]
    return Final(tuple(players), "exhausted")


@pytest.mark.parametrize("book_id", CHANGED)
@given(st.data())
def test_the_winner_of_an_exhausted_game_has_the_smallest_amount(book_id: str, data: st.DataObject) -> None:
    """R37: of all who have not given up, whoever holds it; and no other amount is called the smallest."""
    of = book(book_id)
    final = data.draw(exhausted_games(of))
    sheet = score(of, final)
    amounts = [line.charge for line in sheet.lines]
    least = min(amount for amount, one in zip(amounts, final.players, strict=True) if not one.resigned)
    playing = [seat for seat, one in enumerate(final.players) if not one.resigned]
    assert sheet.winners == tuple(seat for seat in playing if amounts[seat] == least)
    for seat, line in enumerate(sheet.lines):
        if "mallest total, " in line.message():
            assert line.charge == min(amounts)
        if amounts[seat] <= least and seat not in sheet.winners:
            assert line.reason == "resigned_cannot_win"


@pytest.mark.parametrize("book_id", CHANGED)
@given(st.data())
def test_version_1_lets_only_those_win_who_have_opened(book_id: str, data: st.DataObject) -> None:
    """R37, `exhausted_unopened=cannot_win`: nobody is above zero but by the differences, and the sheet says
    whose smaller amount was left out."""
    of = book(f"{book_id}@1")
    final = data.draw(exhausted_games(of))
    sheet = score(of, final)
    opened = {seat for seat, one in enumerate(final.players) if one.melded and not one.resigned}
    assert not opened or set(sheet.winners) <= opened
    amounts = [line.charge for line in sheet.lines]
    for seat, line in enumerate(sheet.lines):
        assert seat in sheet.winners or line.score <= 0
        if "mallest total, " in line.message():
            assert line.charge == min(amounts)
        if seat not in sheet.winners and amounts[seat] <= amounts[sheet.winners[0]]:
            assert line.reason in ("unopened_cannot_win", "resigned_cannot_win")
    assert score(book(book_id, {"exhausted_unopened": "cannot_win"}), final) == sheet


def counted_again(of: RuleBook, final: Final) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Scores and winners of a finished game by the plain oracle."""
    names = of.tiles.face_names
    base = plain_scoring.base_of(of)
    racks = [
        plain_scoring.Rack(tuple(names[face] for face in one.rack), one.melded, one.could_have_melded)
        for one in final.players
    ]
    if final.winner is None:
        resigned = frozenset(seat for seat, one in enumerate(final.players) if one.resigned)
        wins = plain_scoring.unopened_wins(of)
        return plain_scoring.exhausted(base, racks, resigned, unopened_wins=wins)
    tiles = tuple(names[face] for face in final.winner_tiles)
    return plain_scoring.won_by_going_out(base, racks, final.winner, final.going_out, tiles), (final.winner,)


@pytest.mark.parametrize("book_id", [*BOOK_IDS, *(f"{one}@1" for one in CHANGED)])
def test_scores_are_those_counted_plainly(book_id: str) -> None:
    of = book(book_id)
    chance = random.Random(of.id)
    seen: Counter[str] = Counter()
    for _ in range(1_500):
        final = random_final(of, chance)
        sheet = score(of, final)
        assert (sheet.scores, sheet.winners) == counted_again(of, final), final
        assert sheet.scores == tuple(line.score for line in sheet.lines)
        seen[f"{final.end}, {min(2, len(sheet.winners))} winners"] += 1
        if final.end == "out" and of.family == "rearranging":
            assert sum(sheet.scores) == 0  # R39
    assert seen["out, 1 winners"] > 500
    if of.family == "rearranging":
        assert seen["exhausted, 1 winners"] > 400
        assert seen["exhausted, 2 winners"] > 5
    else:
        assert seen["exhausted, 0 winners"] > 500
