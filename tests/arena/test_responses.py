"""The players of a best-response search: their parameters, and whole games with any of these."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from meldroom.arena import ArenaError, read, run
from meldroom.arena.bots import check
from meldroom.arena.respond import endgame, play_outs, policy
from meldroom.arena.respond.cross_entropy import NARROWEST, Distribution
from meldroom.arena.respond.space import PRESETS, SPACE, Choice, Habits, Whole, complete, mutated, uniform
from meldroom.bots.rearranging.base import Seat
from meldroom.game import State
from meldroom.rules.library import book
from meldroom.rules.verify import Turn, verify

WRC11 = book("wrc11")


def allowed(habits: dict[str, str | int | float | bool], players: int) -> bool:
    for name, which in SPACE.items():
        value = habits[name]
        if isinstance(which, Choice):
            assert value in which.values
        elif isinstance(which, Whole):
            most = players - 1 if name == "place" else which.most
            assert isinstance(value, int)
            assert which.least <= value <= most, name
        else:
            assert 0 <= float(value) <= 1
    return True


def test_every_parameter_of_the_policy_has_a_range_and_only_those() -> None:
    assert tuple(SPACE) == Habits.__struct_fields__
    for habits in PRESETS.values():
        assert allowed(complete(habits), 4)


def test_whatever_is_drawn_is_in_range_and_follows_from_the_seed() -> None:
    for players in (2, 4):
        distribution = Distribution(players)
        for number in range(100):
            drawn = uniform(Random(number), players)
            assert allowed(drawn, players)
            assert allowed(mutated(drawn, Random(number), players), players)
            assert allowed(distribution.draw(Random(number)), players)
            assert distribution.draw(Random(number)) == distribution.draw(Random(number))
            assert msgspec.structs.asdict(msgspec.convert(drawn, Habits)) == drawn


def test_a_change_changes_few_parameters() -> None:
    usual = complete({})
    differences = [
        sum(changed[name] != usual[name] for name in SPACE)
        for changed in (mutated(usual, Random(number), 2) for number in range(50))
    ]
    assert max(differences) <= 4
    assert sum(differences) > 50


def test_the_distribution_moves_to_the_best_and_never_closes() -> None:
    distribution = Distribution(2)
    good = complete({"wait_tiles": 8, "wait_order": "balance", "open_at_pool": 0})
    for _ in range(20):
        distribution.move([good, good])
    drawn = [distribution.draw(Random(number)) for number in range(200)]
    assert sum(each["wait_order"] == "balance" for each in drawn) > 100
    assert {each["wait_order"] for each in drawn} > {"balance"}
    assert sum(int(each["wait_tiles"]) for each in drawn) / 200 > 7
    assert min(distribution.spreads.values()) >= NARROWEST


def position(line: str) -> Seat:
    state = State.from_position(line, WRC11)
    return Seat(WRC11, state.view(state.seat))


def test_waiting_moves_are_legal_and_come_by_size() -> None:
    seat = position(
        "wrc11 / table R1 R2 R3 | K9 R9 B9 / racks R4 O9 B5 B6 B7 K1 O12, ?x14 / pool 4 / turn 1 / melded 1 2"
    )
    moves = list(endgame.waiting_moves(seat, 5, jokers=False))
    assert [len(move.played) for move in moves[:3]] == [1, 1, 3]
    assert len({move.played for move in moves}) == len(moves)
    for move in moves:
        assert not verify(WRC11, Turn(seat.table, seat.rack, move.table, True))
    assert [len(move.played) for move in endgame.waiting_moves(seat, 1, jokers=False)] == [1, 1]
    assert not list(endgame.waiting_moves(seat, 0, jokers=False))


def test_with_two_players_and_no_pool_the_other_rack_is_what_is_not_seen() -> None:
    seat = position("wrc11 / table R1 R2 R3 / racks R4 K9, ?x14 / pool 87 / turn 1 / melded 1")
    assert len(endgame.unseen(seat)) == 106 - 3 - 2
    racks = endgame.deal(seat, Random(1))
    assert racks[0] == seat.rack
    assert len(racks[1]) == 14


@pytest.mark.parametrize("players", [2, 3])
def test_policies_drawn_at_random_play_whole_games_without_a_fault(players: int) -> None:
    bots = {f"b{n}": {"python": policy.CLASS, **uniform(Random(n), players)} for n in range(6)}
    tables = [[name, *["patient"] * (players - 1)] for name in bots]
    experiment = read(
        {
            "books": ["wrc11"],
            "bots": {"patient": {}, **bots},
            "format": "tables",
            "tables": tables,
            "deals": 1,
            "seed": 1,
        }
    )
    rows = run(experiment).rows
    assert sum(seat.faults for row in rows for seat in row.seats) == 0
    assert rows == run(experiment).rows


def test_play_outs_ask_the_bot_itself_and_win_more() -> None:
    bots = {
        "patient": {},
        "holds": {"python": policy.CLASS, "fight_pool": 0},
        "asks": {
            "python": play_outs.CLASS,
            "against": '{"level": "patient"}',
            "worlds": 2,
            "moves": 2,
            "fight_pool": 0,
        },
    }
    tables = [["holds", "patient"], ["asks", "patient"]]
    given = {"books": ["wrc11"], "format": "tables", "tables": tables, "bots": bots, "deals": 3, "seed": "a"}
    results = run(read(given))
    wins = {line.bot: line.wins.mean for line in results.summary() if line.table and line.bot != "patient"}
    assert wins["asks"] > wins["holds"]
    assert sum(seat.faults for row in results.rows for seat in row.seats) == 0


@pytest.mark.parametrize(
    "bot",
    [
        {"python": policy.CLASS, "wait_tile": 3},
        {"python": policy.CLASS, "final": "luck"},
        {"python": play_outs.CLASS},
        {"python": play_outs.CLASS, "against": "master"},
    ],
)
def test_parameters_that_do_not_exist_are_refused(bot: dict[str, str | int]) -> None:
    given = {"books": ["wrc11"], "bots": {"own": bot, "patient": {}}, "deals": 1, "seed": 1}
    with pytest.raises(ArenaError, match=r"^bots\.own: .* doesn't make a bot"):
        check(read(given))
