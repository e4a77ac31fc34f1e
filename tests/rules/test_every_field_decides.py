"""Every field of every section of a rule book decides something: another value gives another answer.

A question is asked under a house book and under the same book with one field changed. Answers come from the
code that plays, judges, scores, seats or keeps time, never from the pages that show a book. A field without a
question fails the test: data that nothing reads is no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
import pytest

from meldroom.championship.formats.format import preset
from meldroom.championship.seating.types import TableSize
from meldroom.errors import MeldroomError
from meldroom.game import Draw, Match, Pass, Result, Shuffle, apply, new_game
from meldroom.rooms.domain.clocks import turn_length
from meldroom.rooms.protocol.settings import Settings, TurnClock
from meldroom.rules.book import RuleBook, field_names
from meldroom.rules.library import house_book, with_options
from meldroom.rules.opening import opening
from meldroom.rules.procedures import (
    after_pool_empty,
    declared,
    eligible,
    end_of_time,
    final_turns,
    first_player,
    leftover,
    three_doubles,
)
from meldroom.rules.scoring import Final, FinalRack, could_have_melded, score
from tests.clauses.tables import faces, faults, rummyo, sitting

NAMES = ("Ada", "Bo", "Chi", "Dev")
SHUFFLE = Shuffle("every field decides")

Question = Callable[[RuleBook], object]


class Asked(NamedTuple):
    """A field's other value, the question, and the book that both are asked under."""

    value: Any
    question: Question
    base: str = "wrc11"
    besides: Mapping[str, dict[str, Any]] = MappingProxyType({})


def answer(question: Question, rules: RuleBook) -> object:
    """The answer, or why there is none."""
    try:
        return question(rules)
    except MeldroomError as error:
        return error.code


# Questions


def dealt(players: int = 2) -> Question:
    """What every rack and the pool hold after the deal."""

    def ask(rules: RuleBook) -> object:
        state, _ = new_game(rules, NAMES[:players], SHUFFLE, starter=0)
        return [len(rack) for rack in state.racks], len(state.pool)

    return ask


def faces_dealt(rules: RuleBook) -> object:
    """Which faces lie in the box."""
    state, _ = new_game(rules, NAMES[:2], SHUFFLE, starter=0)
    return sorted({rules.tiles.face_names[face] for face in state.faces((*state.racks[0], *state.pool))})


def lost_tile(rules: RuleBook) -> object:
    """Whether a blank can stand in for a lost tile."""
    state, _ = new_game(rules, NAMES[:2], SHUFFLE, starter=0, stand_ins=rules.tiles.every_tile[:1])
    return state.starter


def second_turn(rules: RuleBook) -> int:
    """Who plays after the starter."""
    state, _ = new_game(rules, NAMES[:3], SHUFFLE, starter=0)
    return apply(state, Draw(0), SHUFFLE)[0].seat


def second_starter(rules: RuleBook) -> int:
    """Who begins the second game of a match of three players."""
    match = Match.of(rules, NAMES[:3], first=0, games=2)
    return match.played(Result("out", (10, -5, -5), (0,))).starter


def judged(before: str, rack: str, after: str, melded: bool = True) -> Question:
    """The faults of a turn."""
    return lambda rules: [fault.code for fault in faults(rules, before, rack, after, melded=melded)]


def opens(rack: str) -> Question:
    """Whether a rack can open."""
    return lambda rules: opening(rules, faces(rules, rack)) is not None


def scored(
    *racks: str,
    end: Any = "out",
    melded: bool = True,
    able: bool = False,
    going_out: Any = None,
    own: str = "",
) -> Question:
    """The scores of a game; the first player went out, or nobody did. The last one may never have opened."""

    def ask(rules: RuleBook) -> object:
        held = [FinalRack(faces(rules, rack), True) for rack in racks[:-1]]
        held.append(FinalRack(faces(rules, racks[-1]), melded, able))
        winner = 0 if end == "out" else None
        return score(rules, Final(tuple(held), end, winner, going_out, faces(rules, own))).scores

    return ask


LAID = "R1 R2 R3 R4 R5 R6 R7 K1 K2 K3 K4 K5 B9 B10"
"""Fourteen tiles of whoever went out."""


def passing(rules: RuleBook) -> object:
    """Whether somebody who could lay may pass once the pool is empty."""
    return sitting(rules, ["R13 K13", "O12"], "R10 R11 R12", pool="").do(Pass(0)) and "passed"


def new_stock(rules: RuleBook) -> object:
    """What happens when the stock is empty for the first time."""
    game = rummyo(["R4 K9", "* O2"], stock="", discards="O13")
    game.state = msgspec.structs.replace(game.state, book=rules)
    game.take("stock")
    return game.kinds()


def match_winners(rules: RuleBook) -> object:
    """Who wins a match: the player with more wins, or the one with the higher total."""
    match = Match.of(rules, NAMES[:2], first=0, games=3)
    for scores in ((10, -10), (10, -10), (-300, 300)):
        match = match.played(Result("out", scores, (scores.index(max(scores)),)))
    return match.standing().winners


def turn_time(rules: RuleBook) -> object:
    """How long a turn takes in a room that plays by the book's clock."""
    return turn_length(Settings(book="wrc11", clock=TurnClock(kind="book")), rules)


def stages(rules: RuleBook) -> object:
    """The championship that the book describes."""
    return [
        (stage.id, stage.sittings, stage.games, stage.seating, stage.takes, stage.cut)
        for stage in preset("wrc", rules).stages
    ]


DOUBLES = "R7 R7 K1 K1 O2"
DRAWS = "R3 K9 B5"

ASKED: dict[str, Asked] = {
    "tiles.colours": Asked(["K", "R", "B"], faces_dealt, besides={"players": {"maximum": 3}}),
    "tiles.numbers": Asked(12, faces_dealt),
    "tiles.copies": Asked(1, dealt(), besides={"players": {"maximum": 2}}),
    "tiles.jokers": Asked(1, dealt()),
    "tiles.spare_jokers": Asked(0, lambda rules: with_options(rules, {"jokers": 4}).tiles.size, "tml"),
    "tiles.blanks": Asked(0, lost_tile, "tml"),
    "players.minimum": Asked(3, dealt(2)),
    "players.maximum": Asked(3, dealt(4)),
    "start.first_player": Asked("lowest_tile", lambda rules: first_player(rules, faces(rules, DRAWS)).first),
    "start.direction": Asked("anticlockwise", second_turn),
    "start.later_games": Asked("right", second_starter),
    "deal.tiles": Asked(13, dealt()),
    "deal.starter_tiles": Asked(15, dealt()),
    "redeal.doubles": Asked(2, lambda rules: three_doubles(rules, faces(rules, DOUBLES))),
    "sets.shortest": Asked(4, judged("", "R10 B10 K10", "R10 B10 K10", melded=False)),
    "sets.one_after_highest": Asked(True, judged("", "R12 R13 R1", "R12 R13 R1")),
    "opening.points": Asked(31, opens("R10 B10 K10")),
    "opening.run_required": Asked(True, judged("", "R10 B10 K10", "R10 B10 K10", melded=False)),
    "opening.joker_value": Asked("fixed", judged("", "R9 B9 *", "R9 B9 *", melded=False)),
    "jokers.reuse": Asked("any_set", judged("K3 K4 * | R7 R8 R9", "K5", "K3 K4 K5 | R7 R8 R9 *")),
    "clock.seconds": Asked(60, turn_time),
    "penalty.tiles": Asked(2, lambda rules: end_of_time(rules, True, False, False, pool=40)),
    "penalty.strict_declare": Asked(True, lambda rules: declared(rules, table_legal=False, pool=40)),
    "penalty.leftovers": Asked("under_pool", lambda rules: leftover(rules, 2, pool=40)),
    "penalty.conduct": Asked("competition", lambda rules: end_of_time(rules, True, False, False, pool=40)),
    "pool_end.ending": Asked("all_pass", lambda rules: after_pool_empty(rules, ["lay", "lay"], "ab")),
    "pool_end.final_turns_start": Asked("drawer", lambda rules: final_turns(rules, "abc", "b")),
    "pool_end.must_play_if_able": Asked(True, passing),
    "pool_end.reshuffles": Asked(0, new_stock, "rummyo"),
    "scoring.values": Asked("court", scored("", "R13 R1")),
    "scoring.joker": Asked(30, scored("", "*")),
    "scoring.winner": Asked("own_tiles", scored("", "R9", going_out="open", own=LAID)),
    "scoring.exhausted": Asked("differences", scored("R5", "R9", end="exhausted")),
    "scoring.exhausted_unopened": Asked("cannot_win", scored("* * R5", "R9", end="exhausted", melded=False)),
    "scoring.unmelded": Asked(50, scored("", "R9", melded=False)),
    "scoring.unmelded_able": Asked(300, scored("", "R9", melded=False, able=True)),
    "scoring.charge_test": Asked(
        "final_rack",
        lambda rules: could_have_melded(
            rules, faces(rules, "R10 B10 K10"), faces(rules, "K10"), had_turn=True
        ),
    ),
    "scoring.open_bonus": Asked(70, scored("", "R9", going_out="open", own=LAID), "rummyo"),
    "scoring.foot_bonus": Asked(70, scored("", "R9", going_out="foot", own=LAID), "rummyo"),
    "scoring.hand_bonus": Asked([70, 60, 50], scored("", "R9", going_out="hand", own=LAID), "rummyo"),
    "match.games": Asked(3, lambda rules: Match.of(rules, NAMES[:2], first=0).games),
    "match.winner": Asked("highest_total", match_winners),
    "tournament.rounds": Asked(4, stages),
    "tournament.games_per_round": Asked(3, stages),
    "tournament.table_size": Asked(3, lambda rules: TableSize.of(rules)),
    "tournament.finalists": Asked(8, stages),
    "tournament.cut_after_round_1": Asked(True, stages),
    "tournament.citizens_only": Asked(True, lambda rules: eligible(rules, False, [], 9)),
    "tournament.not_twice_running": Asked(True, lambda rules: eligible(rules, True, [8], 9)),
    "tournament.seating": Asked("standings", stages),
}


def changed(asked: Asked, changes: dict[str, Any]) -> RuleBook:
    """The house book that a question is asked under, with more changes."""
    sections = dict(asked.besides)
    for section, fields in changes.items():
        sections[section] = sections.get(section, {}) | fields
    return house_book({"id": "house", "version": "1", "base": asked.base, **sections})


def test_every_field_has_a_question_and_no_question_is_about_nothing() -> None:
    assert list(ASKED) == list(field_names())


@pytest.mark.parametrize("field", field_names())
def test_another_value_gives_another_answer(field: str) -> None:
    asked = ASKED[field]
    section, _, key = field.partition(".")
    before, after = changed(asked, {}), changed(asked, {section: {key: asked.value}})
    assert before.field(field) != after.field(field)
    others = [name for name in field_names() if name != field]
    assert [name for name in others if before.field(name) != after.field(name)] == []
    assert answer(asked.question, before) != answer(asked.question, after)


def test_a_question_that_the_field_does_not_decide_is_found_out() -> None:
    """The comparison can fail: the same value, or a field that the question does not touch."""
    time = ASKED["clock.seconds"]
    slow = changed(time, {"deal": {"starter_tiles": 15}})
    assert answer(time.question, slow) == answer(time.question, changed(time, {}))
