"""The fight for the last draw against the solver, which counts stuck tiles without knowing of it."""

import random
from collections import Counter
from itertools import chain

import pytest

from meldroom.bots import Clock, make_bot
from meldroom.bots.answers import apply_answer
from meldroom.bots.rearranging.base import Seat
from meldroom.bots.rearranging.last_draws import KEPT, LAST_DRAWS, Network, SmallPlays, trained_network
from meldroom.game import Draw, Lay, Pass, Shuffle, State, new_game, view
from meldroom.rules.library import book
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.best import solve_faces
from meldroom.solver.kernel import mode

FREE = book("tml")
WRC11 = book("wrc11")


def held_to(pool: int, seed: str, rules: str = "wrc11") -> State:
    """A game between two patient players, stopped with so many tiles to draw."""
    shuffle = Shuffle(seed)
    bots = [make_bot("patient", book(rules)) for _ in range(2)]
    state, _ = new_game(book(rules), ["Ada", "Bo"], shuffle, starter=0)
    while not state.over and (len(state.pool) > pool or not all(state.melded)):
        state, _ = apply_answer(state, bots[state.seat].act(view(state, state.seat), Clock()), shuffle)
    return state


def plays_of(state: State, worlds: int = 2, seed: int = 1, network: Network | None = None) -> SmallPlays:
    """The small plays of the player to move."""
    seat = Seat(state.book, view(state, state.seat))
    return SmallPlays(seat, [1 - state.seat], worlds, seed, LAST_DRAWS, network)


def fights(pool: int, count: int, rules: str = "wrc11") -> list[State]:
    states = [held_to(pool, f"fight {seed}", rules) for seed in range(4 * count)]
    return [state for state in states if not state.over][:count]


def test_stuck_tiles_are_those_the_solver_cannot_lay() -> None:
    same = wrong = 0
    for state in fights(4, 6, "tml"):
        plays = plays_of(state)
        seat = Seat(FREE, view(state, state.seat))
        order = list(plays.best_first(None))
        for at, lay in enumerate(order[:6]):
            table = solve_faces(FREE, seat.table, lay).table
            rest = tuple((Counter(seat.rack) - Counter(lay)).elements())
            exact = len(rest) - solve_faces(FREE, table, rest).tiles
            found = plays.stuck(lay)
            same += found == exact
            wrong += found < exact
            assert at or found <= len(rest)
    assert wrong == 0  # narrow, the search may miss a way to lay a tile; it never invents one
    assert same > 20


def test_every_small_play_is_legal_and_no_single_tile_is_missing() -> None:
    chance = random.Random(3)
    for state in fights(2, 5, "tml"):
        seat = Seat(FREE, view(state, state.seat))
        listed = set(plays_of(state).best_first(None))
        assert all(solve_faces(FREE, seat.table, lay).tiles == len(lay) for lay in listed)
        singles = {(face,) for face in set(seat.rack) if solve_faces(FREE, seat.table, (face,)).played}
        assert singles == {lay for lay in listed if len(lay) == 1}
        threes = [lay for lay in listed if len(lay) == 3]
        for lay in chance.sample(threes, min(3, len(threes))):
            assert FREE.reader.readings(lay)


def test_an_imagined_rack_holds_unseen_tiles_only_and_could_not_go_out() -> None:
    for state in fights(4, 4, "tml"):
        seat = Seat(FREE, view(state, state.seat))
        unseen = Counter(FREE.tiles.face_of) - Counter(seat.rack) - Counter(chain.from_iterable(seat.table))
        for rack in plays_of(state, worlds=3).imagined:
            assert len(rack) == len(state.racks[1 - state.seat])
            assert not Counter(rack) - unseen
            assert solve_faces(FREE, seat.table, rack).tiles < len(rack)


def test_a_play_that_lets_the_other_out_comes_after_those_that_do_not() -> None:
    compared = 0
    for state in fights(2, 12):
        plays = plays_of(state)
        risks = [plays.risk(lay) for lay in plays.best_first(None)]
        if 0.0 in risks and 1.0 in risks:
            compared += 1
            assert 1.0 not in risks[: risks.index(0.0)]
    assert compared


@pytest.mark.parametrize("pool", [1, 3])
def test_with_an_odd_pool_master_draws(pool: int) -> None:
    for state in fights(pool, 3):
        answer = make_bot("master", WRC11, seed="1").act(view(state, state.seat), Clock())
        assert isinstance(answer, Draw | Lay)
        if isinstance(answer, Lay):  # only to go out
            assert sum(map(len, answer.table)) == sum(map(len, state.table)) + len(state.racks[state.seat])


def test_with_an_even_pool_master_lays_a_little() -> None:
    laid = []
    for state in fights(4, 6):
        answer = make_bot("master", WRC11, seed="1").act(view(state, state.seat), Clock())
        assert isinstance(answer, Lay)
        laid.append(sum(map(len, answer.table)) - sum(map(len, state.table)))
    assert sum(tiles <= 3 for tiles in laid) >= 5


def test_with_the_pool_empty_master_passes_while_it_holds_fewer_points_and_else_fights() -> None:
    """WRC 9 goes on until both pass: to pass with more points is to lose."""
    passed = fought = 0
    for state in fights(0, 12, "wrc9"):
        counts = [
            sum(state.book.values[state.book.tiles.face_of[tile]] for tile in rack) for rack in state.racks
        ]
        me = state.seat
        answer = make_bot("master", state.book, seed="1").act(view(state, me), Clock())
        if isinstance(answer, Pass):
            assert counts[me] < counts[1 - me]
            passed += 1
        elif counts[me] >= counts[1 - me]:
            fought += 1
    assert passed
    assert fought


def stuck_after(table: FaceTable, rack: FaceSet) -> int:
    return len(rack) - solve_faces(FREE, table, rack).tiles


def exact_fitting(table: FaceTable, held: FaceSet, other: FaceSet) -> list[int]:
    """Fitting tiles of one player as the solver finds them: all, safe, harmful, the change, ways out."""
    before = stuck_after(table, other)
    found = [0] * 5
    for face, count in Counter(held).items():
        laid = solve_faces(FREE, table, (face,))
        if laid.tiles:
            change = min(stuck_after(laid.table, other) - before, 2)
            found[0] += count
            found[1] += count * (change >= 0)
            found[2] += count * (change > 0)
            found[3] += count * change
            found[4] += before + change <= 0
    return found


def test_a_network_sees_the_tiles_that_fit_as_the_solver_finds_them() -> None:
    for state in fights(2, 3, "tml"):
        seat = Seat(FREE, view(state, state.seat))
        theirs = state.faces(state.racks[1 - state.seat])
        plays = plays_of(state)
        for at in list(plays.win_chances(None))[:2]:
            lay = plays.faces(at)
            table = solve_faces(FREE, seat.table, lay).table
            rest = tuple((Counter(seat.rack) - Counter(lay)).elements())
            _, seen = plays.features_against(at, theirs)
            found = [[seen[first + i] * (3 if i == 6 else 5) for i in (0, 1, 2, 3, 6)] for first in (15, 22)]
            assert found[0] == pytest.approx(exact_fitting(table, rest, theirs))
            assert found[1] == pytest.approx(exact_fitting(table, theirs, rest))
            alone = [solve_faces(FREE, (), rack).tiles for rack in (rest, theirs)]
            assert [number * 5 for number in seen[29:]] == pytest.approx(alone)


def test_a_network_adds_what_plain_arithmetic_says() -> None:
    network = Network([[1.0, -2.0, 0.5], [-1.0, 1.0, 0.0]], [3.0, 2.0, 0.25])
    assert network.logit([2.0, 0.5]) == 3.0 * 1.5 + 0.25  # the second unit is silent
    assert network.logit([0.0, 1.0]) == 2.0 * 1.0 + 0.25


def test_the_trained_network_changes_the_order_of_the_best_plays_alone() -> None:
    moved = 0
    network = trained_network()
    for state in fights(4, 6):
        plain, judged = (list(plays_of(state, network=each).best_first(None)) for each in (None, network))
        assert set(plain) == set(judged)
        assert plain[KEPT:] == judged[KEPT:]
        moved += plain[0] != judged[0]
    assert moved


@pytest.mark.parametrize("network", [None, trained_network()], ids=["weights", "network"])
def test_plays_are_the_same_compiled_and_interpreted(network: Network | None) -> None:
    pytest.importorskip("numba")
    [state] = fights(4, 1)
    found = []
    for wish in ("compiled", "interpreted"):
        mode.choose(wish)
        found.append(list(plays_of(state, worlds=1, network=network).best_first(None)))
    mode.choose("compiled")
    assert found[0] == found[1]
    assert len(found[0]) > 3


def test_little_time_gives_a_play_all_the_same() -> None:
    [state] = fights(4, 1)
    answer = make_bot("master", WRC11, seed="1").act(view(state, state.seat), Clock(seconds=0.000001))
    assert isinstance(answer, Lay | Draw)
