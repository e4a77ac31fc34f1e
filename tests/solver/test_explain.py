"""Explanations: movements that can be made, that reach the table after, and that a person can follow."""

from __future__ import annotations

import random
import re
import string
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from meldroom.i18n import Language, message_ids, template
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book, house_book
from meldroom.rules.opening import sets_within
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver import PositionError
from meldroom.solver.errors import MovementError
from meldroom.solver.explanation import Explanation, Step, explain
from meldroom.solver.explanation.movements import (
    BreakUp,
    DiscardTile,
    Exchange,
    Extend,
    Lay,
    Movement,
    MoveTiles,
    Placed,
    SwapJoker,
    TakeFrom,
    TakeTile,
    apply_movement,
)
from meldroom.solver.explanation.search import Budget
from meldroom.tiles import Face, parse_set, parse_table
from testkit.solver.explained_plays import Play, faults, random_plays, solved

TML = book("tml")
PLAYS = 1200
"""Plays of random games that are replayed here; bench/explanations.py replays ten thousand."""


def told(before: str, rack: str, after: str, rules: RuleBook = TML) -> Explanation:
    """An explanation of a play given as text, checked by replay."""
    tiles = rules.tiles
    play = Play(
        rules.id, "text", parse_table(before, tiles), parse_set(rack, tiles), parse_table(after, tiles), True
    )
    found = explain(rules, play.before, play.rack, play.after)
    assert faults(play, found) == []
    return found


def kinds(found: Explanation) -> list[str]:
    """The kinds of movement in order."""
    return [str(step.movement.__struct_config__.tag) for step in found.steps]


@pytest.fixture(scope="module")
def plays() -> list[Play]:
    """Plays of random legal games with all tiles, all rearranging books in turn."""
    return list(islice(random_plays(), PLAYS))


# The movements, one by one.


@pytest.mark.parametrize(
    ("before", "rack", "after", "expected"),
    [
        ("", "R1 R2 R3", "R1 R2 R3", ["lay"]),
        ("R1 R2 R3", "R4", "R1 R2 R3 R4", ["extend"]),
        ("K9 B9 O9", "R9", "K9 B9 O9 R9", ["extend"]),
        ("B5 R5 K5 O5", "B4 B6 B7", "R5 K5 O5 | B4 B5 B6 B7", ["take", "build"]),
        ("R1 R2 R3 R4", "K4 B4", "R1 R2 R3 | R4 K4 B4", ["take", "build"]),
        ("R1 R2 R3 R4 R5 R6", "R3 R4", "R1 R2 R3 R4 | R3 R4 R5 R6", ["split"]),
        ("R3 R4 R5 R6 R7", "R5", "R3 R4 R5 | R5 R6 R7", ["split"]),
        ("R1 R2 R3 R4 R5 R6 R7", "K4 B4", "R1 R2 R3 | R5 R6 R7 | K4 R4 B4", ["split", "build"]),
        ("R1 R2 R3 | R4 R5 R6", "R7", "R1 R2 R3 R4 R5 R6 R7", ["join"]),
        ("R1 R2 R3 | R5 R6 R7", "R4", "R1 R2 R3 R4 R5 R6 R7", ["join"]),
        ("O11 * O13", "O12 R13 B13", "O11 O12 O13 | R13 B13 *", ["swap", "build"]),
        ("R1 R2 R3 *", "B10 R10", "R1 R2 R3 | B10 R10 *", ["lift", "build"]),
        ("R1 R2 R3 R4 | K4 B4 O4", "K9 B9 O9", "R1 R2 R3 | K4 B4 O4 R4 | K9 B9 O9", ["lay", "move"]),
        ("K5 B5 O5", "K4 K6 B4 B6 O4 O6", "K4 K5 K6 | B4 B5 B6 | O4 O5 O6", ["break", *["build"] * 3]),
        ("R1 R2 R3", "R1 R2 R3", "R1 R2 R3 | R1 R2 R3", ["lay"]),
        ("R1 R2 R3", "", "R1 R2 R3", []),
    ],
)
def test_a_play_is_explained_by_the_movement_a_person_makes(
    before: str, rack: str, after: str, expected: list[str]
) -> None:
    found = told(before, rack, after)
    assert sorted(kinds(found)) == sorted(expected)
    assert found.effort.shortest
    assert found.effort.movements == len(expected)


def test_sets_that_stay_are_never_mentioned() -> None:
    found = told("R1 R2 R3 | K9 B9 O9 | B1 B2 B3", "R4", "B1 B2 B3 | K9 B9 O9 | R1 R2 R3 R4")
    assert found.text() == "1. Add R4 from your rack to [R1 R2 R3]: [R1 R2 R3 R4]."
    assert found.touched == (parse_set("R1 R2 R3", TML.tiles),)
    assert found.steps[-1].table == parse_table("R1 R2 R3 R4 | K9 B9 O9 | B1 B2 B3", TML.tiles)


def test_equal_tiles_are_interchangeable() -> None:
    # The rack's R4 may as well go to the run: nothing has to leave the group.
    found = told("K4 R4 B4 O4 | R1 R2 R3", "R4", "K4 R4 B4 O4 | R1 R2 R3 R4")
    assert kinds(found) == ["extend"]
    # One R5 of two: the one on the table stays where it is.
    found = told("K5 R5 B5 | R6 R7 R8", "R5 O5", "K5 R5 B5 O5 | R5 R6 R7 R8")
    assert kinds(found) == ["extend", "extend"]


def test_exchanges_that_have_nothing_to_do_with_each_other_come_shortest_first() -> None:
    found = told("B5 R5 K5 O5 | K1 K2 K3", "B4 B6 K4", "R5 K5 O5 | B4 B5 B6 | K1 K2 K3 K4")
    assert kinds(found) == ["extend", "take", "build"]


def test_every_step_shows_the_whole_table_and_the_tiles_in_hand() -> None:
    found = told("B5 R5 K5 O5 | K1 K2 K3", "B4 B6", "R5 K5 O5 | B4 B5 B6 | K1 K2 K3")
    assert found.text(tables=True).splitlines() == [
        "1. Take the fourth tile, B5, from the group [B5 R5 K5 O5]; [R5 K5 O5] stays.",
        "   R5 K5 O5 | K1 K2 K3   in hand: B5",
        "2. Build the run [B4 B5 B6] with B5 in hand plus B4 and B6 from your rack.",
        "   R5 K5 O5 | K1 K2 K3 | B4 B5 B6",
    ]
    assert (found.effort.movements, found.effort.sets_touched, found.effort.most_loose) == (2, 1, 1)


def test_a_run_with_a_joker_keeps_its_joker_in_place() -> None:
    found = told("R3 * R5 R6", "K3 B3", "* R5 R6 | R3 K3 B3")
    assert found.steps[0].table == parse_table("* R5 R6", TML.tiles)
    # A table given in any order of tiles is shown in the order of a run.
    found = told("R5 R3 *", "R6", "R6 R5 R3 *")
    assert found.text() == "1. Add R6 from your rack to [R3 * R5]: [R3 * R5 R6]."


def test_rummy_o_runs_may_end_with_a_one() -> None:
    found = told("R11 R12 R13", "R1", "R11 R12 R13 R1", book("rummyo"))
    assert found.text() == "1. Add R1 from your rack to [R11 R12 R13]: [R11 R12 R13 R1]."


# Law one: the movements lead from the table before to the table after.


def test_the_plays_of_random_games_are_replayed(plays: list[Play]) -> None:
    joker = TML.tiles.joker
    assert sum(joker in faces for play in plays for faces in play.after) > PLAYS / 2
    for play in plays:
        found = explain(book(play.book), play.before, play.rack, play.after)
        assert faults(play, found) == []
        assert found.effort.shortest or "exchange" in kinds(found)
        assert found.effort.movements == len(found.steps) >= 1


def test_the_solver_s_plays_are_replayed(plays: list[Play]) -> None:
    pytest.importorskip("numba")
    for play in plays[::40]:
        for neat in (True, False):
            answer = solved(play, neat)
            found = explain(book(play.book), answer.before, answer.rack, answer.after)
            assert faults(answer, found) == []


@pytest.mark.parametrize("budget", [(0, 0), (1, 0), (5, 40), (0, 100)])
def test_without_time_the_explanation_is_longer_but_right(plays: list[Play], budget: tuple[int, int]) -> None:
    for play in plays[::12]:
        rules = book(play.book)
        hasty = explain(rules, play.before, play.rack, play.after, Budget(*budget))
        assert faults(play, hasty) == []
        best = explain(rules, play.before, play.rack, play.after)
        assert hasty.effort.movements >= best.effort.movements
        assert not hasty.effort.shortest or hasty.effort.movements == best.effort.movements


def small_book(base: str, colours: str, numbers: int, copies: int, jokers: int) -> RuleBook:
    """A house book with another tile set."""
    box = {"colours": list(colours), "numbers": numbers, "copies": copies, "jokers": jokers}
    return house_book(
        {
            "id": f"small-{base}-{len(colours)}-{numbers}-{copies}-{jokers}",
            "version": "1",
            "base": base,
            "players": {"minimum": 2, "maximum": 2},
            "deal": {"tiles": 4, "starter_tiles": 4},
            "tiles": {"spare_jokers": 0, "blanks": 0, **box},
        }
    )


SMALL = [
    small_book("tml", "KRB", 6, 2, 4),
    small_book("wrc11", "KRBO", 5, 2, 2),
    small_book("tml", "KRBO", 7, 3, 0),
]


def laid_anew(rules: RuleBook, chance: random.Random) -> Play | None:
    """A table of a few sets, and the same tiles with some of a rack laid in quite another way."""
    box = sorted(rules.tiles.face_of)
    chance.shuffle(box)
    rest = Counter(box)
    before: list[FaceSet] = []
    for faces in _shuffled_sets(rules, rest, chance)[:40]:
        if Counter(faces) <= rest and len(before) < 5:
            before.append(faces)
            rest -= Counter(faces)
    left = list(rest.elements())
    rack = tuple(chance.sample(left, min(len(left), chance.randint(1, 8))))
    must = Counter(face for faces in before for face in faces)
    after = _cover(_shuffled_sets(rules, must + Counter(rack), chance), must, Counter(rack), [300])
    if after is None:
        return None
    return Play(rules.id, "laid anew", tuple(before), rack, after, True)


def _shuffled_sets(rules: RuleBook, held: Counter[Face], chance: random.Random) -> list[FaceSet]:
    found = list(sets_within(rules.reader, tuple(sorted(held.elements())), every_length=True))
    chance.shuffle(found)
    return found


def _cover(
    sets: list[FaceSet], must: Counter[Face], may: Counter[Face], nodes: list[int]
) -> FaceTable | None:
    """Some sets that hold all `must` tiles and some `may` tiles; None if none is met soon."""
    nodes[0] -= 1
    if not must:
        return ()
    owed = min(must)
    for faces in sets:
        needed = Counter(faces)
        if owed in needed and nodes[0] > 0 and needed <= must + may:
            found = _cover(sets, must - needed, may - (needed - must), nodes)
            if found is not None:
                return (faces, *found)
    return None


@examples(st.sampled_from(SMALL), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_any_table_laid_anew_is_replayed(rules: RuleBook, seed: int) -> None:
    play = laid_anew(rules, random.Random(seed))
    if play is None:
        return
    found = explain(rules, play.before, play.rack, play.after)
    assert faults_under(rules, play, found) == []


def faults_under(rules: RuleBook, play: Play, found: Explanation) -> list[str]:
    """The replay for a book that is not in the library."""
    placed = Placed(found.before, (), play.rack)
    for step in found.steps:
        placed = apply_movement(*placed, step.movement)
        if not all(map(rules.reader.is_set, placed.table)):
            return ["a set that is none"]
    reached, wanted = (
        sorted(tuple(sorted(faces)) for faces in table) for table in (placed.table, play.after)
    )
    if reached != wanted or placed.loose:
        return ["another table"]
    if Counter(placed.rack) + Counter(found.played) != Counter(play.rack):
        return ["other tiles from the rack"]
    return []


# As short as can be.


Tiles = FaceSet
Table = tuple[tuple[FaceSet, ...], Tiles, Tiles]


def shorter_exists(rules: RuleBook, found: Explanation, after: FaceTable) -> bool:
    """Breadth-first over every movement there is, wise or not: can it be done in one movement less?"""
    goal = Counter(tuple(sorted(faces)) for faces in after)
    goal -= goal & Counter(tuple(sorted(faces)) for faces in found.before) - Counter(
        tuple(sorted(faces)) for faces in found.touched
    )
    level: set[Table] = {(tuple(sorted(tuple(sorted(f)) for f in found.touched)), (), found.played)}
    for left in range(found.effort.movements - 2, -1, -1):
        following: set[Table] = set()
        for state in level:
            for after_one in every_movement(rules, *state):
                here = Counter(after_one[0])
                if here == goal and not after_one[1] and not after_one[2]:
                    return True
                if max((goal - here).total(), (here - goal).total()) <= 2 * left:
                    following.add(after_one)
        level = following
    return False


def every_movement(rules: RuleBook, sets: tuple[FaceSet, ...], loose: Tiles, rack: Tiles) -> Iterator[Table]:
    """Every table that one movement leads to, tiles in hand used before equal ones of the rack."""
    legal = rules.reader.is_set

    def after(gone: tuple[FaceSet, ...], made: tuple[FaceSet, ...], given: Tiles, freed: Tiles) -> Table:
        standing, hand, left = list(sets), list(loose), list(rack)
        for faces in gone:
            standing.remove(faces)
        for face in given:
            (hand if face in hand else left).remove(face)
        standing += [tuple(sorted(faces)) for faces in made]
        return tuple(sorted(standing)), tuple(sorted((*hand, *freed))), tuple(sorted(left))

    portions = list(some_of(tuple(sorted((*loose, *rack)))))
    for given in portions:
        if legal(given):
            yield after((), (given,), given, ())
    for one in dict.fromkeys(sets):
        yield after((one,), (), (), one)
        for rest in some_of(one):
            if legal(rest) and rest != one:
                for made, given, freed in parted(rules, one, rest, portions):
                    yield after((one,), made, given, freed)
        for given in portions:
            if legal(tuple(sorted((*one, *given)))):
                yield after((one,), ((*one, *given),), given, ())
            for face in set(one) & {rules.tiles.joker} if len(given) == 1 else ():
                swapped = tuple(sorted((*minus(one, (face,)), *given)))
                if legal(swapped) and given != (face,):
                    yield after((one,), (swapped,), given, (face,))
    for place, one in enumerate(sets):
        for other in (*sets[:place], *sets[place + 1 :]):
            for moved in some_of(one):
                rest, longer = minus(one, moved), tuple(sorted((*other, *moved)))
                if legal(longer) and (not rest or legal(rest)):
                    yield after((one, other), (longer, rest) if rest else (longer,), (), ())
            for given in portions:
                if legal(tuple(sorted((*one, *other, *given)))):
                    yield after((one, other), ((*one, *other, *given),), given, ())


def parted(
    rules: RuleBook, one: FaceSet, rest: FaceSet, portions: list[Tiles]
) -> Iterator[tuple[tuple[FaceSet, ...], Tiles, Tiles]]:
    """A set of which a legal part stays: the other tiles in hand, or a second set, whole or completed."""
    other = minus(one, rest)
    yield (rest,), (), other
    for second in some_of(other):
        if rules.reader.is_set(second):
            yield (rest, second), (), minus(other, second)
    if len(other) > 1 and not rules.reader.is_set(other):
        for given in portions:
            whole = tuple(sorted((*other, *given)))
            if rules.reader.is_set(whole) and alike(rules, whole, one):
                yield (rest, whole), given, ()


def alike(rules: RuleBook, one: FaceSet, other: FaceSet) -> bool:
    """True if both sets are runs of a colour, or groups of a number."""
    first, second = (rules.reader.readings(faces) for faces in (one, other))
    return any(
        a.kind == b.kind and (a.colour == b.colour if a.is_run else a.low == b.low)
        for a in first
        for b in second
    )


def some_of(tiles: Tiles) -> Iterator[Tiles]:
    """Every choice of one or more tiles, equal ones once."""
    for size in range(1, len(tiles) + 1):
        yield from dict.fromkeys(combinations(tiles, size))


def minus(tiles: Tiles, gone: Tiles) -> Tiles:
    """Tiles without some of them."""
    return tuple((Counter(tiles) - Counter(gone)).elements())


def test_no_shorter_explanation_of_a_play_of_a_game_exists(plays: list[Play]) -> None:
    compared = Counter[int]()
    for play in plays:
        rules = book(play.book)
        found = explain(rules, play.before, play.rack, play.after)
        length = found.effort.movements
        if rules.jokers.reuse == "new_set" and joker_moves(play):
            continue
        if 2 <= length <= 4 and compared[length] < 40:
            compared[length] += 1
            assert not shorter_exists(rules, found, play.after), found.text()
    assert compared[2] == compared[3] == 40


# What cannot be explained.


@pytest.mark.parametrize(
    ("before", "rack", "after", "message"),
    [
        ("R1 R2 R3", "R4", "R1 R2 R3 | R4", "after[1]: “R4” is not a legal set"),
        ("R1 R2", "R3", "R1 R2 R3", "before[0]: “R1 R2” is not a legal set"),
        ("R1 R2 R3", "K4 B4 O4", "K4 B4 O4", "after: R1 R2 R3 lay on the table before and must still lie"),
        ("", "R1 R2", "R1 R2 R3", "after: R3 came neither from the table nor from the rack"),
    ],
)
def test_an_impossible_play_is_refused(before: str, rack: str, after: str, message: str) -> None:
    with pytest.raises(PositionError, match=re.escape(message)):
        told(before, rack, after)


def some(*numbers: int) -> FaceSet:
    """Faces by number."""
    return tuple(map(Face, numbers))


@pytest.mark.parametrize(
    "movement",
    [
        Lay(some(0, 1, 2), "run"),
        Extend(some(0, 1, 2), some(0, 1, 2, 3), rack=some(3)),
        Extend(some(4, 5, 6), some(4, 5, 6, 7), hand=some(7)),
        Extend(some(4, 5, 6), some(4, 5, 6, 7, 8), rack=some(7)),
        Extend(some(4, 5, 6), some(4, 5, 6), rack=some(7)),
        TakeFrom(some(4, 5, 6), some(7), some(4, 5), "run"),
        SwapJoker(some(4, 5, 6), Face(52), some(4, 5, 7), rack=some(7)),
        BreakUp(some(4, 5)),
        MoveTiles(some(4, 5, 6), some(4), some(5, 6), some(7, 8, 9), some(4, 7, 8, 9)),
        MoveTiles(some(4, 5, 6), some(5), some(5, 6), some(4, 5, 6), some(4, 4, 5, 6)),
        Exchange(Face(7), some(4, 5, 6), some(4, 5, 6)),
    ],
)
def test_a_movement_that_does_not_fit_is_refused(movement: Movement) -> None:
    with pytest.raises(MovementError):
        apply_movement((some(4, 5, 6),), (), some(7), movement)


# The printed joker rule.


def test_wrc11_rule_9_an_explanation_frees_jokers_into_new_sets(plays: list[Play]) -> None:
    # A joker from the table joins an old set that is still whole only after an exchange (R19–R21).
    exchanged = 0
    for play in plays:
        rules = book(play.book)
        if rules.jokers.reuse == "new_set" and play.melded and joker_moves(play):
            found = explain(rules, play.before, play.rack, play.after)
            assert faults(play, found) == []
            exchanged += "exchange" in kinds(found)
            assert "exchange" in kinds(found) or lawful(rules, found), found.text()
    assert exchanged


def joker_moves(play: Play) -> bool:
    """True if a set with a joker changes."""
    stay = Counter(tuple(sorted(faces)) for faces in play.after)
    return any(TML.tiles.joker in faces and not stay[tuple(sorted(faces))] for faces in play.before)


def lawful(rules: RuleBook, found: Explanation) -> bool:
    """True if no movement leaves a joker from the table with an old set that nothing else touched."""
    joker = rules.tiles.joker
    whole = [tuple(sorted(faces)) for faces in found.touched]
    ends = [tuple(sorted(faces)) for faces in found.steps[-1].table]
    freed = 0
    for step in found.steps:
        movement = step.movement
        if isinstance(movement, Extend | MoveTiles) and tuple(sorted(movement.target)) in whole:
            given = movement.moved if isinstance(movement, MoveTiles) else movement.hand
            freed += joker in given and tuple(sorted(movement.result)) in ends
    return not freed


def test_wrc11_rule_9_an_equal_tile_of_a_set_that_stays_makes_the_joker_s_set_new() -> None:
    # K3 K4 K5 * holds no old set unbroken if its K5 is the other one.
    before, rack, after = "K8 O8 * | K3 K4 K5 | K5 R5 B5 O5", "B8", "K8 B8 O8 | K3 K4 K5 * | K5 R5 B5 O5"
    found = told(before, rack, after, book("wrc11"))
    assert kinds(found)[0] == "exchange"
    said = "Exchange the two equal tiles K5 of [K3 K4 K5] and [K5 R5 B5 O5], so that"
    assert found.lines()[0] == f"{said} the joker ends up in a new set."
    assert len(found.touched) == 3
    # Where any set will do, the joker simply goes there.
    assert "exchange" not in kinds(told(before, rack, after, TML))


def test_wrc11_rule_9_of_two_equal_tiles_the_lawful_one_is_moved() -> None:
    # The joker may join R4 R5 only if they are not the old set R4 R5 R6 made longer.
    rules = book("wrc11")
    before, after = "K1 K2 * | R4 R5 R6", "K1 K2 K3 | R4 R5 R6 | R4 R5 *"
    found = told(before, "K3 R4 R5", after, rules)
    assert kinds(found) == ["swap", "build"]


# Sentences.


def messages(language: Language) -> dict[str, list[str]]:
    """Every message of the solver, its plural forms side by side."""
    found = {id: template(id, language) for id in message_ids(language) if id.startswith("solver.")}
    return {id: [text] if isinstance(text, str) else list(text.values()) for id, text in found.items()}


def test_the_catalogues_have_the_same_keys_and_names() -> None:
    english, french = messages("en"), messages("fr")
    assert english.keys() == french.keys()
    for key, forms in english.items():
        assert _names(*forms) == _names(*french[key]), key


def _names(*texts: str) -> set[str]:
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_french_has_no_break_before_its_signs() -> None:
    for key, forms in messages("fr").items():
        for text in forms:
            assert not re.search(r"[^\u00a0][:;!?]", text), key
            assert "'" not in text, key


def test_every_kind_of_movement_has_a_sentence(plays: list[Play]) -> None:
    seen = set()
    for play in plays:
        found = explain(book(play.book), play.before, play.rack, play.after)
        for language in ("en", "fr"):
            for sentence in found.lines(language):
                assert sentence[0].isupper()
                assert sentence.endswith(".")
                assert not re.search(r"[{}]|\[\]|  ", sentence), sentence
        seen |= {type(step.movement) for step in found.steps}
    rummyo = {TakeTile, DiscardTile}  # test_lay_off_explanation.py
    assert seen >= {*get_args(Movement)} - {Exchange} - rummyo


@pytest.mark.parametrize(
    ("before", "rack", "after", "english", "french"),
    [
        (
            "R1 R2 R3 * *",
            "K9 O9",
            "R1 R2 R3 | K9 O9 * *",
            [
                "Lift 2 jokers from [R1 R2 R3 * *]; [R1 R2 R3] stays.",
                "Build the group [K9 O9 * *] with 2 jokers in hand plus K9 and O9 from your rack.",
            ],
            [
                "Retirez 2 jokers de [R1 R2 R3 * *]\u00a0; [R1 R2 R3] reste.",
                "Formez le groupe [K9 O9 * *] avec 2 jokers en main plus K9 et O9 de votre chevalet.",
            ],
        ),
        (
            "R1 R2 R3 R4 R5",
            "K1 B1 K5 B5",
            "R2 R3 R4 | K1 B1 R1 | K5 B5 R5",
            [
                "Take R1 and R5 from the ends of the run [R1 R2 R3 R4 R5]; [R2 R3 R4] stays.",
                "Build the group [K1 B1 R1] with R1 in hand plus K1 and B1 from your rack.",
                "Build the group [K5 B5 R5] with R5 in hand plus K5 and B5 from your rack.",
            ],
            [
                "Prenez R1 et R5 aux deux bouts de la suite [R1 R2 R3 R4 R5]\u00a0; [R2 R3 R4] reste.",
                "Formez le groupe [K1 B1 R1] avec R1 en main plus K1 et B1 de votre chevalet.",
                "Formez le groupe [K5 B5 R5] avec R5 en main plus K5 et B5 de votre chevalet.",
            ],
        ),
        (
            "O11 * O13",
            "O12 R13 B13",
            "O11 O12 O13 | R13 B13 *",
            [
                "Put O12 from your rack in place of the joker in [O11 * O13]: [O11 O12 O13], "
                "and the joker is in hand.",
                "Build the group [R13 B13 *] with the joker in hand plus R13 and B13 from your rack.",
            ],
            [
                "Mettez O12 de votre chevalet à la place du joker dans [O11 * O13]\u00a0: [O11 O12 O13], "
                "et le joker est en main.",
                "Formez le groupe [R13 B13 *] avec le joker en main plus R13 et B13 de votre chevalet.",
            ],
        ),
    ],
)
def test_sentences_count_one_and_many(
    before: str, rack: str, after: str, english: list[str], french: list[str]
) -> None:
    found = told(before, rack, after)
    assert sorted(found.lines("en")) == sorted(english)
    assert sorted(found.lines("fr")) == sorted(french)


def test_nothing_done_is_said() -> None:
    found = told("R1 R2 R3", "K4", "R1 R2 R3")
    assert (found.text(), found.text("fr")) == ("The table stays as it is.", "La table reste telle quelle.")


# Values and cost.


def test_steps_travel_as_json() -> None:
    found = told("B5 R5 K5 O5", "B4 B6", "R5 K5 O5 | B4 B5 B6")
    for step in found.steps:
        assert msgspec.json.decode(msgspec.json.encode(step), type=Step) == step
    shape = found.as_json("fr")
    assert shape["effort"] == {"movements": 2, "sets_touched": 1, "most_loose": 1, "shortest": True}
    assert shape["steps"][0] == {
        "kind": "take",
        "sentence": "Prenez la quatrième tuile, B5, du groupe [B5 R5 K5 O5]\u00a0; [R5 K5 O5] reste.",
        "table": [["R5", "K5", "O5"]],
        "loose": ["B5"],
    }
    assert msgspec.json.encode(shape)


def test_a_whole_table_laid_anew_is_explained_within_bounds() -> None:
    # Runs of every colour become groups of every number: all 24 sets of the table change.
    colours = ("K", "R", "B", "O")
    runs = [f"{c}{n} {c}{n + 1} {c}{n + 2}" for c in colours for n in (1, 4, 7, 10)]
    groups = [" ".join(f"{c}{n}" for c in colours) for n in range(1, 13)]
    found = told(" | ".join(runs), "K13 R13 B13", " | ".join([*groups, "K13 R13 B13"]))
    assert found.effort.sets_touched == 16


def test_explaining_loads_no_numeric_library() -> None:
    code = (
        "import sys, meldroom.solver.explanation.steps, meldroom.solver.hints;"
        "sys.exit(any(name in sys.modules for name in ('numba', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_benchmark_runs() -> None:
    command = [sys.executable, "bench/explanations.py", "--positions", "40", "--no-solver"]
    done = subprocess.run(
        command,
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "40 plays replayed" in done.stdout
