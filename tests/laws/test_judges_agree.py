"""The engine's judges against the brute-force judge: tiny books and real-size positions, no disagreement.

Every test also counts what it met, so that a sampler gone lazy fails instead of proving nothing.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed, LayOffTurn, exposed, judge
from meldroom.rules.library import book
from meldroom.rules.sets import Reading
from meldroom.rules.verify import Turn, verify
from meldroom.tiles import Face
from tests.laws.brute_judge import (
    Table,
    Verdict,
    all_tables,
    box_of,
    is_set,
    judge_turn,
    plain,
    readings,
    ways_to_tell_apart,
    worth,
)
from tests.laws.brute_lay_off import Laid, judge_lay_off, ways_to_write
from tests.laws.lay_off_turns import Attempt, random_attempt
from tests.laws.turns import box_counts, freed_joker_turn, random_turn, tiny

TINY_REARRANGING = {
    "wrc11: 2 colours, 1-5, 2 copies, 2 jokers": tiny("wrc11", 2, 5, 2, 2),
    "wrc11: 3 colours, 1-4, 2 copies, 3 jokers": tiny("wrc11", 3, 4, 2, 3),
    "wrc11: 2 colours, 1-6, 1 copy, sets of two": tiny("wrc11", 2, 6, 1, 2, sets={"shortest": 2}),
    "nzrc2024: 3 colours, 1-5, 2 copies, 1 joker": tiny("nzrc2024", 3, 5, 2, 1),
    "wrc9: 3 colours, 1-4, 1 copy, 2 jokers": tiny("wrc9", 3, 4, 1, 2),
    "wrc9: 3 colours, 1-5, 1 after 5": tiny("wrc9", 3, 5, 2, 2, sets={"one_after_highest": True}),
    "tml: 3 colours, 1-4, 2 copies, 2 jokers": tiny("tml", 3, 4, 2, 2),
    "tml: 2 colours, 1-6, 2 copies, no joker": tiny("tml", 2, 6, 2, 0),
}
TINY_LAYING_OFF = {
    "2 colours, 1-5, 2 copies, 2 jokers": tiny("rummyo", 2, 5, 2, 2, opening={"points": 30}),
    "3 colours, 1-5, 2 copies, 2 jokers": tiny("rummyo", 3, 5, 2, 2, opening={"points": 20}),
    "3 colours, 1-5, 1 copy, 2 jokers": tiny("rummyo", 3, 5, 1, 2, opening={"points": 20}),
    "2 colours, 1-6, sets of two": tiny("rummyo", 2, 6, 2, 2, opening={"points": 20}, sets={"shortest": 2}),
    "4 colours, 1-4, 1 copy, 2 jokers": tiny("rummyo", 4, 4, 1, 2, opening={"points": 20}),
}
MOST_WAYS = 3_000


def compared(of: RuleBook, turn: Turn) -> tuple[frozenset[str], Verdict]:
    """Both judges on one turn; fails if they differ in a code or in which sets are none."""
    found = verify(of, turn)
    codes = frozenset(fault.code for fault in found)
    invalid = frozenset(fault.set_index for fault in found if fault.code == "SET_INVALID")
    verdict = judge_turn(of, turn.before, turn.rack, turn.after, turn.melded, turn.stated)
    unclear = frozenset() if verdict.entry_clear else {f"MELD_LT_{of.opening.points}"}
    assert codes - unclear == verdict.codes - unclear, _shown(of, turn)
    assert invalid == verdict.invalid, _shown(of, turn)
    return codes, verdict


def _shown(of: RuleBook, turn: Turn) -> str:
    def text(table: Table) -> str:
        return " | ".join(of.tiles.faces_text(faces) for faces in table)

    rack = of.tiles.faces_text(turn.rack)
    return f"{of.id} melded={turn.melded}: {text(turn.before)} // {rack} // {text(turn.after)} {turn.stated}"


def tally(counts: Counter[str], codes: frozenset[str], verdict: Verdict) -> None:
    """Count a turn by its faults, and legal turns that hang on exchanging equal tiles."""
    counts.update(codes or {"legal"})
    if not codes and verdict.lawful and verdict.unlawful:
        counts["legal by exchange"] += 1


@pytest.mark.parametrize("name", TINY_REARRANGING)
def test_random_turns_of_tiny_books(name: str) -> None:
    of = TINY_REARRANGING[name]
    chance = random.Random(name)
    counts: Counter[str] = Counter()
    for _ in range(900):
        tally(counts, *compared(of, random_turn(of, chance)))
    needed = {
        "legal": 200,
        "TILE_NOT_ON_RACK": 80,
        "TILE_LEFT_TABLE": 20,
        "NO_RACK_TILE": 40,
        "SET_INVALID": 200,
    }
    needed |= {"TABLE_TOUCHED_BEFORE_MELD": 30, f"MELD_LT_{of.opening.points}": 80}
    assert {code: counts[code] for code in needed if counts[code] < needed[code]} == {}


@pytest.mark.parametrize("name", TINY_REARRANGING)
def test_random_turns_that_free_a_joker(name: str) -> None:
    of = TINY_REARRANGING[name]
    chance = random.Random(name)
    counts: Counter[str] = Counter()
    turns = (freed_joker_turn(of, chance) for _ in range(900))
    for turn in turns:
        if turn is not None and ways_to_tell_apart(turn.before, turn.after) <= MOST_WAYS:
            tally(counts, *compared(of, turn))
    if not of.tiles.jokers:
        assert not counts
        return
    assert counts["legal"] > 250
    if of.jokers.reuse == "new_set":
        assert counts["JOKER_NOT_IN_NEW_SET"] > 10
        assert of.tiles.copies == 1 or counts["legal by exchange"] > 25
    else:
        assert counts["JOKER_NOT_IN_NEW_SET"] == 0


EXHAUSTIVE = {
    "2 colours, 1-4, 1 copy, 2 jokers": (tiny("wrc11", 2, 4, 1, 2), 8_536),
    "4 colours, 1, 2 copies, 2 jokers": (tiny("wrc9", 4, 1, 2, 2), 15_789),
    "4 colours, 1-2, 1 copy, 1 joker": (tiny("nzrc2024", 4, 2, 1, 1), 1_845),
}


@pytest.mark.parametrize("name", EXHAUSTIVE)
def test_every_turn_between_two_legal_tables_of_a_tiny_book(name: str) -> None:
    of, pairs = EXHAUSTIVE[name]
    tables = [
        (table, Counter(face for faces in table for face in faces))
        for table in all_tables(of, Counter(), box_counts(of))
    ]
    counts: Counter[str] = Counter()
    for before, old in tables:
        for after, new in tables:
            if not old < new:
                continue
            counts["pairs"] += 1
            rack = tuple((new - old).elements())
            codes, verdict = compared(of, Turn(before, rack, after, True))
            tally(counts, codes, verdict)
            opening, _ = compared(of, Turn(before, rack, after, False))
            counts["opened"] += not opening
    assert counts["pairs"] == pairs
    assert min(counts["legal"], counts["opened"]) > 50
    assert counts["JOKER_NOT_IN_NEW_SET" if of.tiles.copies == 1 else "legal by exchange"] > 20


@pytest.mark.parametrize("book_id", ["wrc9", "wrc11", "nzrc2024", "tml"])
def test_random_turns_of_real_size(book_id: str) -> None:
    of = book(book_id)
    chance = random.Random(book_id)
    counts: Counter[str] = Counter()
    for number in range(240):
        if number % 3:
            turn: Turn | None = random_turn(of, chance, most_sets=7, rack_size=(3, 14), joker_rate=0.12)
        else:
            turn = freed_joker_turn(of, chance, most_sets=6)
        if turn is None or ways_to_tell_apart(turn.before, turn.after) > MOST_WAYS:
            continue
        tally(counts, *compared(of, turn))
    assert min(counts["legal"], counts["SET_INVALID"]) > 45
    if of.jokers.reuse == "new_set":
        assert min(counts["JOKER_NOT_IN_NEW_SET"], counts["legal by exchange"]) > 5


def test_every_handful_of_a_tiny_box_is_read_alike() -> None:
    """`SetReader` against letting each joker stand for each tile, for every handful of up to five tiles."""
    for of in (
        tiny("wrc11", 3, 5, 2, 3),
        tiny("rummyo", 3, 5, 2, 3),
        tiny("tml", 2, 6, 2, 2, sets={"shortest": 2}),
    ):
        counts: Counter[bool] = Counter()
        kinds = sorted(box_counts(of))
        handfuls: list[tuple[Face, ...]] = [()]
        for _ in range(5):
            handfuls = [
                (*faces, face)
                for faces in handfuls
                for face in kinds[kinds.index(faces[-1]) if faces else 0 :]
                if faces.count(face) < box_counts(of)[face]
            ]
            for faces in handfuls:
                counts[is_set(of, faces)] += 1
                assert of.reader.is_set(faces) == is_set(of, faces), of.tiles.faces_text(faces)
                kinds_read = {reading.is_run for reading in of.reader.readings(faces)}
                assert kinds_read == {meaning.run for meaning in readings(of, faces)}
                if is_set(of, faces) and of.opening.joker_value == "represented":
                    assert of.reader.represented(faces) == worth(of, faces)
                assert (of.reader.fault(faces) is None) == is_set(of, faces)
        assert counts[True] > 100
        assert counts[False] > 5_000


def as_reading(of: RuleBook, meld: Laid) -> Reading:
    """The meaning of a meld in the engine's words."""
    box = box_of(of)
    colour, number = next(plain(box, face) for face in meld.faces if face != box.joker)
    if not meld.low:
        return Reading("group", number, number, -1)
    return Reading("run", meld.low, meld.low + len(meld.faces) - 1, colour)


def as_turn(of: RuleBook, attempt: Attempt) -> LayOffTurn:
    """An attempt in the engine's words."""
    before = tuple(Exposed(meld.faces, meld.owner, (as_reading(of, meld),)) for meld in attempt.before)
    after = tuple(exposed(of, faces, owner) for faces, owner in attempt.after)
    return LayOffTurn(attempt.player, before, attempt.rack, after, attempt.on_board, attempt.discard)


CERTAIN = {"TILE_NOT_ON_RACK", "TILE_LEFT_TABLE", "SET_INVALID", "NO_DISCARD", "DISCARD_NOT_ON_RACK"}


def compared_lay_off(of: RuleBook, attempt: Attempt, counts: Counter[str]) -> None:
    """Both Rummy-O judges on one turn; fails if outcome or faults differ."""
    if any(is_set(of, faces) and not ways_to_write(of, faces, owner) for faces, owner in attempt.after):
        counts["not written in order"] += 1
        return
    found = judge(of, as_turn(of, attempt))
    codes = frozenset(fault.code for fault in found.violations)
    old = [[meld] for meld in attempt.before]
    opinion = judge_lay_off(
        of, attempt.player, old, attempt.rack, attempt.after, attempt.on_board, attempt.discard
    )
    counts.update(codes or {found.outcome or "none"})
    assert (found.outcome is None) == bool(codes)
    assert opinion.certain == codes & CERTAIN, attempt
    if found.outcome is not None:
        assert found.outcome in opinion.outcomes, attempt
    elif opinion.certain:
        assert not opinion.outcomes
    elif opinion.explained:
        assert codes in opinion.faults, attempt
        assert frozenset() not in opinion.faults, attempt
    else:
        assert "MELD_CHANGED" in codes, attempt


@pytest.mark.parametrize("name", TINY_LAYING_OFF)
def test_random_rummyo_turns_of_tiny_books(name: str) -> None:
    of = TINY_LAYING_OFF[name]
    chance = random.Random(name)
    counts: Counter[str] = Counter()
    for _ in range(1_100):
        compared_lay_off(of, random_attempt(of, chance), counts)
    needed = {"DISCARD_ONLY": 100, "OK": 60, "ON_BOARD": 30, "OPEN_RUMMY": 30, "HAND": 60, "MELD_CHANGED": 40}
    needed |= {"JOKER_CLAIM": 10, "NO_RUN": 10, f"MELD_LT_{of.opening.points}": 40, "NO_DISCARD": 40}
    needed |= {"SET_INVALID": 100, "DISCARD_NOT_ON_RACK": 10, "TILE_LEFT_TABLE": 30, "ADD_ON_SAME_TURN": 3}
    assert {code: counts[code] for code in needed if counts[code] < needed[code]} == {}
    assert counts["FOOT"] > 0
    assert counts["not written in order"] < 150


def test_random_rummyo_turns_of_real_size() -> None:
    of = book("rummyo")
    chance = random.Random("rummyo")
    counts: Counter[str] = Counter()
    for _ in range(700):
        compared_lay_off(of, random_attempt(of, chance, melds=5), counts)
    needed = {
        "DISCARD_ONLY": 100,
        "OK": 40,
        "OPEN_RUMMY": 60,
        "HAND": 20,
        "MELD_CHANGED": 30,
        "MELD_LT_50": 40,
    }
    assert {code: counts[code] for code in needed if counts[code] < needed[code]} == {}


def test_rummyo_melds_may_be_listed_in_any_order() -> None:
    """R56: a turn is judged by the melds that lie there, not by the order in which somebody lists them."""
    of = TINY_LAYING_OFF["3 colours, 1-5, 2 copies, 2 jokers"]
    chance = random.Random("any order")
    legal = 0
    for _ in range(1_500):
        attempt = random_attempt(of, chance)
        first = judge(of, as_turn(of, attempt))
        mixed = attempt._replace(after=tuple(chance.sample(attempt.after, len(attempt.after))))
        again = judge(of, as_turn(of, mixed))
        if first.outcome is not None:
            legal += 1
            assert again.outcome == first.outcome, mixed
    assert legal > 500


def test_rummyo_r56_a_meld_cannot_change_its_owner() -> None:
    of = book("rummyo")
    run = tuple(of.tiles.face(1, number) for number in (5, 6, 7))
    rack = (of.tiles.face(0, 2), of.tiles.face(0, 9))
    for owner in ("A", "B"):
        turn = LayOffTurn("A", (exposed(of, run, "B"),), rack, (exposed(of, run, owner),), True, rack[0])
        assert (judge(of, turn).outcome == "DISCARD_ONLY") == (owner == "B")


def test_rummyo_r55_a_new_meld_lies_before_the_player_who_lays_it() -> None:
    of = book("rummyo")
    run = tuple(of.tiles.face(1, number) for number in (5, 6, 7))
    rack = (*run, of.tiles.face(0, 2), of.tiles.face(0, 9))
    for owner in ("A", "B"):
        turn = LayOffTurn("A", (), rack, (exposed(of, run, owner),), True, rack[-1])
        assert (judge(of, turn).outcome == "OK") == (owner == "A")
