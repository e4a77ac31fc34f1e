"""The hint ladder: each rung says its own and nothing of a higher one."""

from __future__ import annotations

import re
from itertools import islice

import msgspec
import pytest

from meldroom.i18n import Language
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book
from meldroom.solver import PositionError, Solution
from meldroom.solver.explanation import explain
from meldroom.solver.hints import Ladder, Nothing, Playable, RackTile, TableSets, WholeLine, hint
from meldroom.tiles import parse_set, parse_table
from testkit.solver.explained_plays import Play, random_plays

TML = book("tml")
LANGUAGES: tuple[Language, Language] = ("en", "fr")
TILE = re.compile(r"\b[KRBO]\d+\b|\*")


def solution(rules: RuleBook, play: Play, optimal: bool = True) -> Solution:
    """A play as the solver gives it."""
    played = explain(rules, play.before, play.rack, play.after).played
    points = sum(rules.values[face] for face in played)
    return Solution(played, len(played), points, play.after, optimal)


def ladder(before: str, rack: str, after: str, melded: bool = True, rules: RuleBook = TML) -> Ladder:
    """The ladder for a play given as text."""
    tiles = rules.tiles
    tables = parse_table(before, tiles), parse_table(after, tiles)
    play = Play(rules.id, "text", tables[0], parse_set(rack, tiles), tables[1], melded)
    return hint(rules, play.before, play.rack, melded, solution(rules, play))


def nothing(before: str, rack: str, melded: bool, optimal: bool = True, rules: RuleBook = TML) -> Ladder:
    """The ladder of a position with nothing to play."""
    table = parse_table(before, rules.tiles)
    return hint(rules, table, parse_set(rack, rules.tiles), melded, Solution((), 0, 0, table, optimal))


def test_the_four_rungs_in_english() -> None:
    found = ladder("B5 R5 K5 O5 | K1 K2 K3", "B4 B6 R13", "R5 K5 O5 | B4 B5 B6 | K1 K2 K3")
    assert found.playable
    assert [found.text(number) for number in (1, 2, 3)] == [
        "You can play a few tiles.",
        "Look at B4 on your rack.",
        "One set on the table takes part: [B5 R5 K5 O5].",
    ]
    assert found.text(4).splitlines() == [
        "1. Take the fourth tile, B5, from the group [B5 R5 K5 O5]; [R5 K5 O5] stays.",
        "2. Build the run [B4 B5 B6] with B5 in hand plus B4 and B6 from your rack.",
    ]


def test_the_four_rungs_in_french() -> None:
    found = ladder("B5 R5 K5 O5 | K1 K2 K3", "B4 B6 R13", "R5 K5 O5 | B4 B5 B6 | K1 K2 K3")
    assert [found.text(number, "fr") for number in (1, 2, 3)] == [
        "Vous pouvez poser quelques tuiles.",
        "Regardez B4 sur votre chevalet.",
        "Une combinaison de la table sert\u00a0: [B5 R5 K5 O5].",
    ]
    assert found.text(4, "fr").startswith("1. Prenez la quatrième tuile, B5, du groupe")


@pytest.mark.parametrize(
    ("rack", "after", "amount"),
    [
        ("R4 K9", "R1 R2 R3 R4", "one"),
        ("R4 R5 K9", "R1 R2 R3 R4 R5", "few"),
        ("R4 R5 R6 R7 R8 K9", "R1 R2 R3 R4 R5 R6 R7 R8", "many"),
        ("R4", "R1 R2 R3 R4", "all"),
    ],
)
def test_the_first_rung_says_roughly_how_much(rack: str, after: str, amount: str) -> None:
    assert ladder("R1 R2 R3", rack, after).rungs[0] == Playable(amount)  # type: ignore[arg-type]


def test_a_play_from_the_rack_alone_changes_no_set() -> None:
    found = ladder("R1 R2 R3", "K9 B9 O9 R13", "R1 R2 R3 | K9 B9 O9")
    assert found.rungs[2] == TableSets(())
    assert found.text(3).startswith("No set on the table changes")


def test_a_joker_is_named_only_if_nothing_else_is_played() -> None:
    assert ladder("R1 R2 R3", "* R4 K9", "R1 R2 R3 R4 *").text(2) == "Look at R4 on your rack."
    assert ladder("R1 R2 R3", "* K9", "R1 R2 R3 *").text(2) == "Look at the joker on your rack."


# Honest when there is nothing, and before the opening.


def test_nothing_to_play_is_one_rung() -> None:
    found = nothing("R1 R2 R3", "K9 B1", melded=True)
    assert not found.playable
    assert found.rungs == (Nothing(True),)
    assert found.text(1) == "You can't play any tile this turn."
    assert found.text(1, "fr") == "Vous ne pouvez poser aucune tuile à ce tour."
    with pytest.raises(IndexError, match="there is no rung 2, only 1 to 1"):
        found.text(2)


def test_nothing_found_in_time_is_not_called_nothing() -> None:
    found = nothing("R1 R2 R3", "K9 B1", melded=True, optimal=False)
    assert found.text(1) == "No play was found in time; there may be one."
    found = nothing("R1 R2 R3", "K9 B1", melded=False, optimal=False)
    assert found.text(1) == "No opening of 30 points was found in time; there may be one."


def test_before_the_opening_the_threshold_is_named() -> None:
    # R4 would fit the table, but until the first meld the table stays as it is (R8).
    found = nothing("R1 R2 R3", "R4 K9", melded=False)
    assert found.rungs == (Nothing(True, opening=30),)
    assert found.text(1).startswith("You can't open yet: the sets on your rack don't reach 30 points")
    rummyo = nothing("", "R4 K9", melded=False, rules=book("rummyo"))
    assert "50 points with a run" in rummyo.text(1)


def test_an_opening_is_called_one() -> None:
    found = ladder("R1 R2 R3", "K10 B10 O10 R4", "R1 R2 R3 | K10 B10 O10", melded=False)
    assert found.rungs[0] == Playable("few", opening=30)
    assert found.text(1) == "You can open: your rack alone reaches 30 points with a few tiles."
    assert found.rungs[2] == TableSets(())


def test_an_illegal_solution_is_refused() -> None:
    with pytest.raises(PositionError, match="until you've opened"):
        ladder("R1 R2 R3", "R4 K10 B10 O10", "R1 R2 R3 R4 | K10 B10 O10", melded=False)
    with pytest.raises(PositionError):
        ladder("K8 O8 * | K3 K4 K5", "B8", "K8 B8 O8 | K3 K4 K5 *", rules=book("wrc11"))


# No rung tells what a higher one is for.


@pytest.fixture(scope="module")
def ladders() -> list[tuple[Play, Ladder]]:
    found = []
    for play in islice(random_plays(), 300):
        rules = book(play.book)
        found.append((play, hint(rules, play.before, play.rack, play.melded, solution(rules, play))))
    return found


def test_the_first_rung_names_no_tile(ladders: list[tuple[Play, Ladder]]) -> None:
    for _, each in ladders:
        assert isinstance(each.rungs[0], Playable)
        for language in LANGUAGES:
            assert not TILE.search(each.text(1, language))
            assert not TILE.search(str(each.as_json(1, language)))


def test_the_second_rung_names_one_played_tile_and_no_set(ladders: list[tuple[Play, Ladder]]) -> None:
    for play, each in ladders:
        rung, line = each.rungs[1], each.rungs[3]
        assert isinstance(rung, RackTile)
        assert isinstance(line, WholeLine)
        assert rung.tile in play.rack
        assert rung.tile in line.explanation.played
        for language in LANGUAGES:
            said = each.text(2, language)
            named = [each.tiles.face_names[rung.tile]] if rung.tile != each.tiles.joker else []
            assert TILE.findall(said) == named
            assert "[" not in said


def test_the_third_rung_names_old_sets_only(ladders: list[tuple[Play, Ladder]]) -> None:
    for play, each in ladders:
        rung = each.rungs[2]
        assert isinstance(rung, TableSets)
        old = [sorted(faces) for faces in play.before]
        assert all(sorted(faces) in old for faces in rung.sets)
        for language in LANGUAGES:
            named = [face for faces in rung.sets for face in faces]
            assert TILE.findall(each.text(3, language)) == [each.tiles.face_names[face] for face in named]
            assert set(each.as_json(3, language)) == {"rung", "of", "kind", "sets", "sentence"}


def test_the_fourth_rung_is_the_whole_line(ladders: list[tuple[Play, Ladder]]) -> None:
    for play, each in ladders:
        line = each.rungs[3]
        assert isinstance(line, WholeLine)
        told = explain(book(play.book), play.before, play.rack, play.after)
        assert line.explanation == told
        assert each.text(4, "fr") == told.text("fr")


def test_every_rung_travels_as_json(ladders: list[tuple[Play, Ladder]]) -> None:
    for _, each in ladders[:20]:
        for number in range(1, 5):
            shape = each.as_json(number, "fr")
            assert msgspec.json.decode(msgspec.json.encode(shape)) == shape
            assert (shape["rung"], shape["of"]) == (number, 4)
    assert nothing("", "K9", melded=False).as_json(1) == {
        "rung": 1,
        "of": 1,
        "kind": "nothing",
        "proven": True,
        "opening": 30,
        "run": False,
        "sentence": nothing("", "K9", melded=False).text(1),
    }
