"""Chances to win, against games that the engine plays with bots written here."""

from fractions import Fraction
from random import Random

import pytest
from msgspec.structs import replace

from meldroom.bots import BotError, Clock, Playouts, WinChances, make_bot, win_chances
from meldroom.bots.answers import apply_answer
from meldroom.bots.chances import Style
from meldroom.bots.rearranging.base import Seat
from meldroom.game import Shuffle, State, new_game, view
from meldroom.game.actions import Action
from meldroom.game.from_view import fill_hidden, state_from_view
from meldroom.game.notation.position import Position, parse_position
from meldroom.rules.library import book
from meldroom.solver.errors import PositionError
from meldroom.solver.kernel import mode

CLOCK = Clock()


def late_game(book_id: str, players: int, seed: str, pool: int) -> tuple[State, Shuffle]:
    """A game of patient players when so many tiles are left to draw and all have opened."""
    rules, shuffle = book(book_id), Shuffle(seed)
    bots = [make_bot("patient", rules) for _ in range(players)]
    state, _ = new_game(rules, [f"Player {seat}" for seat in range(players)], shuffle, starter=0)
    while len(state.pool) > pool or not all(state.melded):
        state, _ = apply_answer(state, bots[state.seat].act(view(state, state.seat), CLOCK), shuffle)
    assert not state.over
    return state, shuffle


def turn(state: State, style: Style) -> Action:
    """What a player of a style does, by the exact solver."""
    seat = Seat(state.book, view(state, state.seat))
    best = seat.best("tiles" if state.pool else "points")
    if best.played and (style == "lays" or not state.pool or best.tiles == len(seat.rack)):
        return seat.lay(best.table)
    return seat.wait()


def share(state: State, style: Style, seat: int, games: int) -> float:
    """How often a seat wins when the engine deals the hidden tiles and plays on."""
    chance, won = Random("engine"), Fraction(0)
    for _ in range(games):
        now = fill_hidden(state, chance)
        pool = list(now.pool)
        chance.shuffle(pool)
        now = replace(now, pool=tuple(pool))
        while not now.over:
            now, _ = apply_answer(now, turn(now, style), Shuffle("unused"))
        assert now.result is not None
        if seat in now.result.winners:
            won += Fraction(1, len(now.result.winners))
    return float(won / games)


@pytest.mark.parametrize(
    ("book_id", "players", "style", "hidden"),
    [("wrc11", 2, "holds", True), ("tml", 2, "lays", False), ("wrc9", 3, "holds", True)],
)
def test_the_engine_comes_to_the_same_chances(book_id: str, players: int, style: Style, hidden: bool) -> None:
    """Racks of players who hold, and have opened, may be anything: the engine need not explain them."""
    state, _ = late_game(book_id, players, "chances", pool=7)
    shown = view(state, state.seat)
    found = win_chances(shown if hidden else Position.of(state), 1500, styles=style, seed="a")
    games = 150
    start = state_from_view(state.book, shown) if hidden else state
    expected = share(start, style, state.seat, games)
    spread = (max(0.02, expected * (1 - expected)) * (1 / games + 1 / found.games)) ** 0.5
    # Imagined searches are narrow, and jokers move freely in them: a few per cent for that.
    assert abs(found.chance(state.seat) - expected) < 4 * spread + 0.04
    assert sum(found.wins) == found.games


def test_the_games_do_not_depend_on_threads_or_calls() -> None:
    state, _ = late_game("wrc11", 2, "threads", pool=10)
    shown = view(state, 1 - state.seat)
    at_once = Playouts(shown, seed="b").more(90)
    piecemeal = Playouts(shown, seed="b")
    piecemeal.more(20, threads=3)
    assert piecemeal.more(70, threads=2) == at_once
    assert Playouts(shown, seed="c").more(90) != at_once


def test_the_games_are_the_same_compiled_and_interpreted() -> None:
    pytest.importorskip("numba")
    state, _ = late_game("tml", 2, "chances", pool=7)
    found, before = [], mode.current()
    for wish in ("compiled", "interpreted"):
        mode.choose(wish)
        found.append(win_chances(view(state, state.seat), 4, styles=["lays", "holds"]))
    mode.choose(before)
    assert found[0] == found[1]


def test_spectators_and_withdrawn_players() -> None:
    """A spectator sees no rack at all; who has withdrawn never plays, and their tiles stay away."""
    state, _ = late_game("wrc11", 3, "three", pool=9)
    assert sum(win_chances(view(state, None), 40, styles="holds").wins) == 40
    gone = (state.seat + 1) % 3
    withdrawn = tuple(seat == gone for seat in range(3))
    playouts = Playouts(replace(view(state, state.seat), withdrawn=withdrawn), styles="holds")
    assert playouts.order == [state.seat, (state.seat + 2) % 3]
    found = playouts.more(40)
    assert found.wins[gone] == 0
    assert sum(found.wins) == 40


def test_turns_go_round_as_the_book_says() -> None:
    text = "tml@1 / table R1 R2 R3 / racks ?x5, ?x5, ?x5 / pool 20 / turn 2 / melded 1 2 3"
    order = Playouts(text).order
    step = book("tml").step
    assert order == [1, (1 + step) % 3, (1 + 2 * step) % 3]


def test_intervals_hold_the_chance_and_tighten() -> None:
    few, many = WinChances(10, (Fraction(3), Fraction(7))), WinChances(1000, (Fraction(300), Fraction(700)))
    low, high = many.interval(0)
    assert few.interval(0)[0] < low < many.chance(0) == 0.3 < high < few.interval(0)[1]
    assert high - low == pytest.approx(2 * 1.96 * (0.3 * 0.7 / 1000) ** 0.5, rel=0.01)
    sure = WinChances(50, (Fraction(50), Fraction(0)))
    assert sure.interval(0)[1] == 1
    assert sure.interval(1)[0] == 0
    assert 0.9 < sure.interval(0)[0] < 1


@pytest.mark.parametrize(
    ("text", "styles", "code"),
    [
        ("rummyo@1 / melds 1: R10 R11 R12 / racks ?x9, ?x9 / pool 60 / turn 1 take", "lays", "playouts"),
        ("tml@1 / table R1 R2 R3 / racks ?x5, ?x5 / pool 20 / turn 1", "waits", "styles"),
        ("tml@1 / table R1 R2 R3 / racks ?x5, ?x5 / pool 20 / turn 1", ["lays"], "styles"),
        ("tml@1 / table R1 R2 R3 / racks R4, B5 / pool 20", "lays", "nobody_to_move"),
    ],
)
def test_what_cannot_be_imagined_is_refused(text: str, styles: Style, code: str) -> None:
    with pytest.raises((BotError, PositionError)) as caught:
        Playouts(text, styles=styles)
    assert caught.value.code == code
    assert caught.value.message("fr") != caught.value.message("en")


def test_more_hidden_tiles_than_the_box_holds_are_refused() -> None:
    position = parse_position("tml@1 / table R1 R2 R3 / racks ?x5, ?x5 / pool 93 / turn 1")
    Playouts(position)
    with pytest.raises(PositionError, match="104 tiles are hidden, but only 103 are left"):
        Playouts(replace(position, pool=94))
