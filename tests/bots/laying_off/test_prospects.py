"""The search for ways out against the exact solver, and its arithmetic by hand."""

from __future__ import annotations

from random import Random

import pytest

from meldroom.bots.laying_off.meld_shapes import additions, shapes
from meldroom.bots.laying_off.prospects import Prospects
from meldroom.rules.verify import FaceSet
from meldroom.solver.kernel.interpreted import ways_out
from meldroom.solver.lay_off import going_out, position_on
from meldroom.tiles import Face, parse_set, parse_table
from tests.bots.laying_off.positions import RUMMYO
from tests.bots.laying_off.test_games import SMALL

TILES = RUMMYO.tiles
NODES = 1_000_000


def unseen_beside(*sets: FaceSet) -> list[int]:
    """What is left of the box."""
    left = list(TILES.limits)
    for faces in sets:
        for face in faces:
            left[face] -= 1
    return left


def named(faces: set[Face]) -> set[str]:
    """Faces as text."""
    return {TILES.face_names[face] for face in faces}


def test_the_shapes_are_the_melds_of_three_to_five_tiles() -> None:
    every = shapes(RUMMYO)
    assert len(every) == len(set(every)) == 4 * (12 + 11 + 10) + 13 * 5
    assert all(RUMMYO.reader.is_set(shape) for shape in every)


def test_additions_are_what_a_table_can_take() -> None:
    table = parse_table("R5 R6 R7 | K9 B9 O9 | O12 O13 O1 | K4 B4 *", TILES)
    melds = position_on(RUMMYO, table, ["B"] * 4, "A", (Face(0),), True).melds
    found = additions(RUMMYO, melds)
    assert {TILES.faces_text(faces) for faces, _ in found} == {
        "R8", "R8 R9", "R4", "R4 R3", "R9", "O11", "O11 O10", "O4"
    }  # fmt: skip
    places = {TILES.faces_text(faces): place for faces, place in found}
    assert places["R8"] == places["R8 R9"] != places["R4 R3"]
    # The group with a joker has room for one of its two missing colours.
    assert (parse_set("R4", TILES), places["O4"]) in found


@pytest.mark.usefixtures("kernels")
def test_by_hand_a_rack_that_wants_one_tile() -> None:
    rack = parse_set("K2 K3 K4 B5 B6 B7 R9 K9 B9 O11 O12 R13 R2 O7", TILES)
    prospects = Prospects(RUMMYO, (), unseen_beside(rack), 1.0, 0.9)
    chances = prospects.after_each((*rack, *parse_set("R5", TILES)), NODES)
    # Three melds of three and O11 O12 with two more make thirteen: one of the melds must grow as well.
    assert chances.away == 3
    assert named(set(chances.worth)) >= {"R13", "R2", "O7", "R5"}


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_what_is_one_tile_away_is_what_the_solver_says(jokers: int) -> None:
    chance, near = Random(jokers), 0
    for _ in range(20):
        rack = _nearly_whole(chance, jokers)
        unseen = unseen_beside(rack)
        completing = {
            face
            for face in TILES.every_face[:-1]
            if unseen[face] and going_out(RUMMYO, position_on(RUMMYO, (), (), "A", (*rack, face), False))
        }
        useless = sorted({face for face in TILES.every_face[:-1] if unseen[face]} - completing)
        for face in (*sorted(completing)[:3], *useless[1:4]) if useless else ():
            only = [1 if each == face else 0 for each in TILES.every_face]
            chances = Prospects(RUMMYO, (), only, 1.0, 0.9).after_each((*rack, useless[0]), NODES)
            assert (useless[0] in chances.worth) == (face in completing)
        near += bool(completing)
    assert near >= 5


def _nearly_whole(chance: Random, jokers: int) -> FaceSet:
    """Fourteen tiles of melds, of which a few more than the jokers are changed."""
    left, rack = list(TILES.limits), [TILES.joker] * jokers
    while len(rack) < 14:
        shape = chance.choice(shapes(RUMMYO))
        if all(left[face] for face in shape):
            for face in shape:
                left[face] -= 1
            rack += shape
    rack = rack[:14]
    for _ in range(chance.randint(1, 2) + jokers):
        face = chance.choice([face for face in TILES.every_face[:-1] if left[face]])
        left[face] -= 1
        rack[chance.randrange(jokers, 14)] = face
    return tuple(rack)


def test_waiting_is_worth_what_the_arithmetic_says_and_bad_offers_are_declined() -> None:
    def accepted(*offers: tuple[float, float]) -> float:
        chances, values = zip(*offers, strict=True)
        return ways_out.accepted(list(chances), list(values), len(offers), 0.9)

    one = accepted((0.2, 1.0))
    assert one == pytest.approx(0.9 * 0.2 / (1 - 0.9 * 0.8))
    assert accepted((0.5, 0.1), (0.2, 1.0)) == pytest.approx(one)
    assert accepted((0.2, 1.0), (0.5, 0.9)) > one


@pytest.mark.usefixtures("kernels")
def test_by_hand_what_a_rack_that_wants_one_of_five_tiles_is_worth() -> None:
    # K5 or K1 for the run, O9 for the group, B8 and B4 for the other run; nothing else is one tile away.
    rack = parse_set("K2 K3 K4 B5 B6 B7 R9 K9 B9 O1 O2 O3 O4 R12", TILES)
    unseen = unseen_beside(rack)
    for face in TILES.every_face:
        unseen[face] = 0
    for face in parse_set("K5 K1 O9 B8 B4", TILES):
        unseen[face] = 1
    dead = parse_set("K12", TILES)
    chances = Prospects(RUMMYO, (), unseen, 0.5, 0.9).after_each((*rack, *dead), NODES)
    # A tile a turn, half as many looks: one turn in two.
    assert chances.away == 1
    assert chances.worth[dead[0]] == pytest.approx(0.9 * 0.5 / (1 - 0.9 * 0.5))


@pytest.mark.parametrize("jokers", [0, 1])
def test_how_far_a_rack_is_agrees_with_trying_everything(jokers: int) -> None:
    chance, compared = Random(jokers), set()
    tiles = SMALL.tiles
    box = [face for face in tiles.every_face[:-1] for _ in range(tiles.limits[face])]
    for _ in range(6):
        rack = (*chance.sample(box, 8 - jokers), *[tiles.joker] * jokers)
        unseen = [
            limit - rack.count(face) for face, limit in zip(tiles.every_face, tiles.limits, strict=True)
        ]
        away = Prospects(SMALL, (), unseen, 1.0, 0.9).after_each(rack, NODES).away
        tried = _by_trying(rack, unseen, 2)
        assert away == tried if tried is not None else away > 2
        compared.add(tried)
    assert len(compared) > 1


def _by_trying(rack: FaceSet, unseen: list[int], most: int) -> int | None:
    """How many tiles of a rack must be exchanged before it goes out, jokers not among the new ones."""
    reached = {tuple(sorted(rack))}
    for away in range(most + 1):
        if any(going_out(SMALL, position_on(SMALL, (), (), "A", each, False)) for each in reached):
            return away
        reached = {
            tuple(sorted((*each[:place], *each[place + 1 :], face)))
            for each in reached
            for place in range(len(each))
            for face in SMALL.tiles.every_face[:-1]
            if each.count(face) < rack.count(face) + unseen[face]
        }
    return None


@pytest.mark.usefixtures("kernels")
def test_a_tile_nobody_can_get_any_more_is_wanted_only_where_a_joker_stands_for_it() -> None:
    rack = parse_set("K2 K3 K4 K5 B5 B6 B7 B8 R9 K9 B9 R11 R13 O1 *", TILES)
    unseen = [0] * len(TILES.limits)
    assert Prospects(RUMMYO, (), unseen, 1.0, 0.9).after_each(rack, NODES).away == 0
    without = (*rack[:-1], *parse_set("K12", TILES))
    assert Prospects(RUMMYO, (), unseen, 1.0, 0.9).after_each(without, NODES).worth == {}


@pytest.mark.usefixtures("kernels")
def test_a_search_without_time_says_nothing_rather_than_nonsense() -> None:
    rack = parse_set("K2 K3 R4 B5 B8 B11 R9 K9 O1 O3 O5 O6 O8 R12 R13", TILES)
    assert Prospects(RUMMYO, (), unseen_beside(rack), 1.5, 0.9).after_each(rack, 5).worth == {}
