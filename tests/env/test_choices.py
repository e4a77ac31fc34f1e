"""Candidates found without the solver, or in one call of it, are those that the solver finds one by one."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from meldroom.env.codecs.beside import Beside
from meldroom.env.codecs.position import Position, position
from meldroom.env.codecs.rearranging import rearranging_choices
from meldroom.env.episode import Episode, settings
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book
from meldroom.rules.verify import FaceSet
from meldroom.solver import solve_faces
from meldroom.solver.opening import _find_sets, sets_and_kinds
from meldroom.solver.plays import could_be_laid, exactly
from meldroom.tiles import parse_set, parse_table
from tests.env.tables import SMALL, moments

BOOKS = [book("wrc11"), book("tml"), *SMALL.values()]
TML = book("tml")


def minimal(rules: RuleBook, asked: Position) -> FaceSet:
    """The largest play without every tile that can be left out, the cheapest first, by the solver alone."""
    play = solve_faces(rules, asked.table, asked.rack).played
    for face in sorted(set(play), key=lambda face: (rules.values[face], -face)):
        while face in play:
            fewer = list(play)
            fewer.remove(face)
            smaller = exactly(rules, asked.table, fewer) if fewer else None
            if smaller is None:
                break
            play = smaller.played
    return play


@pytest.mark.parametrize("rules", BOOKS, ids=lambda rules: rules.id)
def test_single_tiles_and_minimal_plays_are_what_the_solver_allows(rules: RuleBook) -> None:
    made, met = settings(rules, 2), 0
    for game in range(2 if rules.tiles.size > 50 else 20):
        for episode in moments(Episode(made, f"choices {game}"), random.Random(game)):
            asked = position(rules, episode.view())
            if not asked.melded or met > 60:
                continue
            found = [choice for choice in rearranging_choices(rules, asked, 99)[1:] if choice is not None]
            single = {choice.faces[0] for choice in found if "single" in choice.kinds}
            if found:
                wanted = {face for face in asked.rack if exactly(rules, asked.table, (face,)) is not None}
                assert single == wanted
                expected = minimal(rules, asked)
                assert [choice.faces for choice in found if "minimal" in choice.kinds] == [expected]
                met += 1
    assert met > 5


def test_what_lies_beside_sets_is_a_play() -> None:
    table = parse_table("R1 R2 R3 R4 R5 | B7 K7 O7 | K11 K12 K13 | B1 B2 *", TML.tiles)
    beside = Beside(TML, table)
    for text in ("R3", "R6", "R6 R7", "R7 R6", "R7", "R3 R3", "K10", "O1", "B3", "B6", "O13", "K10 R6 R7"):
        chosen = parse_set(text, TML.tiles)
        if beside.take(chosen):
            assert exactly(TML, table, chosen) is not None, text
    known = [
        text
        for text in ("R3", "R6 R7", "R7 R6", "R7", "K10", "O1", "B3", "O13")
        if beside.take(parse_set(text, TML.tiles))
    ]
    assert known == ["R3", "R6 R7", "R7 R6", "R7", "K10"]


def test_many_choices_are_judged_as_each_alone() -> None:
    table = parse_table("R1 R2 R3 | B7 K7 O7", TML.tiles)
    choices = [parse_set(text, TML.tiles) for text in ("R4", "R5", "R4 R5", "R7", "R4 R7", "O1", "*")]
    assert could_be_laid(TML, table, choices) == [
        exactly(TML, table, chosen) is not None for chosen in choices
    ]


@pytest.mark.parametrize("rules", BOOKS, ids=lambda rules: rules.id)
def test_sets_of_a_rack_are_picked_from_those_of_the_box(rules: RuleBook) -> None:
    chance = random.Random(3)
    for _ in range(60):
        rack = Counter(
            rules.tiles.face_of[tile] for tile in chance.sample(rules.tiles.every_tile, chance.randint(0, 14))
        )
        counts = [rack[face] for face in rules.tiles.every_face]
        assert sets_and_kinds(rules, counts) == _find_sets(rules.reader, counts)
