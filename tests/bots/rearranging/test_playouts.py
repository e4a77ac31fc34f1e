"""Imagined games against the solver and the engine, which know nothing of them."""

import random
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from meldroom.bots import Clock, make_bot
from meldroom.bots.answers import apply_answer
from meldroom.bots.rearranging.base import Seat
from meldroom.bots.rearranging.master import Master
from meldroom.bots.rearranging.memory import ABSENT, HOLDS, LAYS, Memory
from meldroom.bots.rearranging.playouts import Imagination, Plan, kit_of
from meldroom.game import Shuffle, State, new_game, view
from meldroom.rules.library import book
from meldroom.rules.scoring import Final, FinalRack, score
from meldroom.solver.best import solve_faces
from meldroom.solver.kernel import mode
from meldroom.solver.kernel.interpreted.play_on import fewest
from meldroom.solver.opening import can_open
from tests.bots.rearranging.positions import seen

FREE = book("tml")
CLOCK = Clock()


def played(
    book_id: str, seed: str, until: int, level: str = "patient", names: str = "Ada Bo"
) -> tuple[State, Shuffle]:
    """A game between bots, stopped when so few tiles are left to draw."""
    rules, shuffle = book(book_id), Shuffle(seed)
    bots = [make_bot(level, rules) for _ in names.split()]
    state, _ = new_game(rules, names.split(), shuffle, starter=0)
    while not state.over and (len(state.pool) > until or not all(state.melded)):
        state, _ = apply_answer(state, bots[state.seat].act(view(state, state.seat), CLOCK), shuffle)
    return state, shuffle


def winners(state: State, shuffle: Shuffle) -> tuple[int, ...]:
    """Who wins when two patient players go on to the end."""
    bots = [make_bot("patient", state.book) for _ in range(2)]
    while not state.over:
        state, _ = apply_answer(state, bots[state.seat].act(view(state, state.seat), CLOCK), shuffle)
    assert state.result is not None
    return state.result.winners


def imagination(state: State, kind: int = HOLDS) -> Imagination:
    """What the player to move imagines; everybody else is of one kind."""
    seats = len(state.players)
    return Imagination(Seat(state.book, view(state, state.seat)), [kind] * seats, [True] * seats)


@pytest.fixture
def interpreted() -> Iterator[None]:
    """Parts of a kernel are called here: compiled alone, they would take a minute."""
    before = mode.current()
    mode.choose("interpreted")
    yield
    mode.choose(before)


def test_whole_racks_and_openings_are_those_of_the_solver(interpreted: None) -> None:
    chance = random.Random(5)
    playouts = mode.kernel("playouts")
    kit = kit_of(playouts, FREE)
    found = missed = 0
    for _ in range(100):
        faces = [FREE.tiles.face_of[tile] for tile in chance.sample(range(FREE.tiles.size), 60)]
        table = solve_faces(FREE, (), faces[:45]).table
        rack = tuple(faces[45 : 45 + chance.randint(1, 15)])
        counts, on_table = _counts(rack), _counts(tuple(chain.from_iterable(table)))
        out = playouts.whole_rack(counts, on_table, len(rack), playouts.zeros(53), kit)
        exact = solve_faces(FREE, table, rack).tiles == len(rack)
        assert exact or not out
        missed += exact and not out  # An imagined search is narrow: it may miss a way out, never invent one.
        opened = playouts.can_open(counts, playouts.zeros(53), kit)
        assert opened or not can_open(FREE, rack)
        if FREE.tiles.joker not in rack:
            assert opened == can_open(FREE, rack)
        found += out
    assert found > 6
    assert missed < found / 5


def _counts(faces: tuple[int, ...]) -> Any:
    return mode.kernel("playouts").ints([faces.count(face) for face in range(53)])


@pytest.mark.parametrize("book_id", ["wrc11", "tml"])
def test_with_the_pool_empty_two_players_know_everything(book_id: str) -> None:
    """Nothing is left to chance then: the imagined result is the one that the engine gives."""
    same = games = 0
    for seed in range(40):
        state, shuffle = played(book_id, f"empty {seed}", until=0)
        if state.over:
            continue
        games += 1
        me = state.seat
        seat = Seat(state.book, view(state, me))
        lay = solve_faces(state.book, seat.table, seat.rack, True, "points")
        [worth] = imagination(state).compare([Plan(lay.played)], 3, seed)
        same += (worth.wins > 0.5) == (me in winners(state, shuffle))
    assert games > 20
    assert same >= games - 1  # The engine may choose another of two equal plays.


@pytest.mark.parametrize("kind", [LAYS, HOLDS, ABSENT])
def test_imagined_games_use_every_tile_once_and_repeat_for_a_seed(kind: int) -> None:
    state, _ = played("wrc11", "repeat", until=30)
    one, two = (imagination(state, kind).compare([Plan(), Plan((), 1)], 8, 3) for _ in range(2))
    assert one == two
    assert one != imagination(state, kind).compare([Plan(), Plan((), 1)], 8, 4) or kind == ABSENT
    world = imagination(state, kind).world
    assert min(min(rack) for rack in world.racks) >= 0
    assert min(world.table) >= 0


@pytest.mark.parametrize(("book_id", "until"), [("wrc11", 6), ("tml", 0)])
def test_imagined_games_are_the_same_compiled_and_interpreted(book_id: str, until: int) -> None:
    pytest.importorskip("numba")
    state, _ = played(book_id, "modes", until)
    plans, found = [Plan(), Plan((), 1)], []
    for wish in ("compiled", "interpreted"):
        mode.choose(wish)
        found.append(imagination(state, LAYS).compare(plans, 3, 11))
    mode.choose("compiled")
    assert found[0] == found[1]


def test_the_last_draw_decides_between_two_who_hold() -> None:
    """Who takes the last tile has the last turn, and goes out with it nearly always (docs/bots.md)."""
    for seed in range(4):
        state, _ = played("wrc11", f"parity {seed}", until=8)
        if state.over:
            continue
        [worth] = imagination(state).compare([Plan()], 12, seed)
        odd = len(state.pool) % 2 == 1
        assert (worth.wins > 0.6) == odd
        assert (worth.wins < 0.4) == (not odd)


@pytest.mark.parametrize("until", range(1, 13))
def test_more_small_plays_than_turns_to_come_change_nothing(until: int) -> None:
    """So master need not try them: every number that it leaves out is the same plan as the last it tries."""
    games = (played("wrc11", f"turns {n}", until, names="Ada Bo Chi Dan")[0] for n in range(99))
    state = next(each for each in games if not each.over)
    tried = Master(state.book)._tempos(view(state, state.seat), 1)
    assert len(tried) == (1 if until < 5 else 2 if until < 8 else 3 if until < 11 else 4)
    for seed in range(12):
        found = [imagination(state).compare([Plan((), count)], 1, seed) for count in range(4)]
        assert all(each == found[tried[-1]] for each in found[len(tried) :])


def test_comparing_goes_on_until_the_effort_is_spent() -> None:
    state, _ = played("wrc11", "effort", until=6, names="Ada Bo Chi Dan")
    plans = [Plan((), count) for count in range(2)]

    def spent(effort: int) -> int:
        imagined = imagination(state)
        before = imagined._effort()
        chosen = imagined.best(plans, 1, 5, lambda worth: worth.wins, effort=effort)
        assert chosen in (0, 1)
        return imagined._effort() - before

    few = spent(0)
    assert 0 < few < 100_000
    assert 100_000 <= spent(100_000) < 100_000 + 20 * few  # A world more at most, however hard.
    assert spent(100_000) == spent(100_000)


def test_effort_is_spent_too_where_nobody_has_a_turn_any_more() -> None:
    """The last of the final turns: imagined games end with it, and still take their share."""
    for seed in range(40):
        state, shuffle = played("wrc11", f"last turn {seed}", until=0, names="Ada Bo Chi Dan")
        bots = [make_bot("patient", state.book) for _ in range(4)]
        while not state.over and not (state.queue is not None and not state.queue):
            state, _ = apply_answer(state, bots[state.seat].act(view(state, state.seat), CLOCK), shuffle)
        if state.over:
            continue
        imagined = imagination(state)
        assert imagined.best([Plan(), Plan()], 1, 3, lambda worth: worth.wins, effort=50_000) == 0
        return
    pytest.fail("no game came to its last turn")


def test_fewer_worlds_are_imagined_when_time_runs_out() -> None:
    state, _ = played("wrc11", "time", until=20)
    [worth] = imagination(state).compare([Plan()], 1000, 1, deadline=0.0)
    assert 0 <= worth.wins <= 1


def test_memory_tells_who_holds_from_who_lays() -> None:
    memory = Memory()
    melded = (True, True, True)
    for turn in range(4):
        memory.see(seen(FREE, "R1 R2 R3", "K1 K5", melded=melded, sizes=(10 + turn, 12 - 2 * turn)))
    view_now = seen(FREE, "R1 R2 R3", "K1 K5", melded=melded, sizes=(13, 6))
    assert memory.kinds(view_now)[1:] == [HOLDS, LAYS]
    assert memory.drew[1:] == [True, False]


def test_memory_knows_that_i_hold_whatever_i_laid() -> None:
    memory = Memory()
    for rack in ("R1 R2 R3 B1", "R1 R2 R3", "R1 R2", "R1"):
        now = seen(FREE, "K1 K2 K3 K4 K5", rack, sizes=(10,))
        memory.see(now)
        assert memory.kinds(now)[0] == HOLDS


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("book_id", ["wrc9", "wrc11", "tml", "wrc9@1", "wrc11@1", "tml@1"])
def test_an_exhausted_imagined_game_is_won_by_whom_the_engine_says(book_id: str) -> None:
    """R37, in both versions of the books; who never opened is taken to have been able to."""
    rules, chance = book(book_id), random.Random(37)
    playouts = mode.kernel("playouts")
    kit = kit_of(playouts, rules)
    for _ in range(300):
        players = chance.randint(2, 4)
        deck = chance.sample([*rules.tiles.every_face, *rules.tiles.every_face], 106)
        racks = [tuple(deck[14 * seat : 14 * seat + chance.choice((1, 2, 3, 14))]) for seat in range(players)]
        opened = [chance.random() < 0.6 for _ in range(players)]
        final = Final(tuple(map(FinalRack, racks, opened, [True] * players)), "exhausted")
        sheet = score(rules, final)
        world = playouts.make_worlds(players, 53, 106)
        for seat, rack in enumerate(racks):
            world.melded[seat] = int(opened[seat])
            for face in rack:
                world.racks[seat][face] += 1
        seats = playouts.Seats(*[playouts.zeros(players)] * 4)
        for me in range(players):
            wins, points = playouts._settle(-1, me, seats, kit.rules, world)
            assert wins == (1 / len(sheet.winners) if me in sheet.winners else 0)
            assert int(points) == sheet.scores[me]
        assert fewest(kit, world) == sum(1 << seat for seat in sheet.winners)
