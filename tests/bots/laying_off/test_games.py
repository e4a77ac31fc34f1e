"""Whole games of the laying-off ladder: legal, finite, repeatable, blind to what is hidden."""

from __future__ import annotations

import copy
from itertools import combinations_with_replacement
from random import Random

import pytest
from msgspec.structs import replace

from meldroom.bots import LEVELS, Bot, Clock, make_bot
from meldroom.game import Action, Event, Shuffle, State, apply, new_game, view
from meldroom.game.events import Played
from meldroom.game.state import Meld, conserved
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book, house_book

RUMMYO = book("rummyo")
SMALL = house_book(
    {
        "base": "rummyo",
        "id": "small",
        "version": "1",
        "tiles": {"numbers": 7, "colours": ["K", "R", "B"], "jokers": 1, "spare_jokers": 0, "blanks": 0},
        "deal": {"tiles": 7, "starter_tiles": 8},
        "opening": {"points": 15},
        "scoring": {"hand_bonus": [500, 400]},
    }
)
MOST_ACTIONS = 1000


def played(
    levels: list[str],
    secret: str,
    rules: RuleBook = RUMMYO,
    clock: Clock = Clock(),  # noqa: B008
) -> tuple[State, list[Event]]:
    """A whole game; an illegal action would raise."""
    bots = [make_bot(level, rules, seed=secret) for level in levels]
    shuffle = Shuffle(secret)
    state, made = new_game(rules, [f"Bot {seat}" for seat in range(len(bots))], shuffle, starter=0)
    events = list(made)
    for _ in range(MOST_ACTIONS):
        if state.over:
            return state, events
        state, made = apply(state, bots[state.seat].act(view(state, state.seat), clock), shuffle)
        events += made
        assert conserved(state)
    raise AssertionError(f"no end after {MOST_ACTIONS} actions")


ALIKE = [
    ("beginner", "learner"),
    ("improver", "casual", "family", "regular", "keen"),
    ("skilled", "club"),
    ("tournament", "expert"),
    ("thrifty", "canny", "squirrel", "collector"),
    ("patient", "strategist", "challenger", "contender"),
    ("master",),
]
"""The levels that play the same here, as the page about bots says."""


def test_levels_that_are_said_to_play_alike_do() -> None:
    assert [level for alike in ALIKE for level in alike] == list(LEVELS)
    for alike in ALIKE:
        games = [played([level, "patient"], "alike")[1] for level in alike]
        assert all(events == games[0] for events in games)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_legal_games_to_the_end(level: str) -> None:
    state, _ = played([level, "club"], level)
    assert state.result is not None
    assert state.result.end == "out"


@pytest.mark.parametrize(
    ("one", "other"), [*combinations_with_replacement([alike[-1] for alike in ALIKE], 2)]
)
def test_every_pairing_plays_legal_games_to_the_end(one: str, other: str) -> None:
    state, _ = played([one, other], f"{one} {other}")
    assert state.result is not None
    assert state.result.end == "out"


@pytest.mark.parametrize(
    "levels",
    [
        ["beginner", "club", "master"],
        ["patient", "tournament", "master"],
        ["beginner", "club", "tournament", "patient"],
        ["master", "patient", "tournament", "master"],
        ["patient", "patient", "patient", "patient"],
    ],
)
def test_tables_of_three_and_four_play_legal_games_to_the_end(levels: list[str]) -> None:
    played(levels, " ".join(levels))


@pytest.mark.parametrize("level", [*LEVELS])
def test_a_house_book_with_other_tiles_is_played_too(level: str) -> None:
    assert SMALL.tiles.joker == 21
    for number in range(2):
        played([level, "patient", level], f"small {number}", SMALL)


@pytest.mark.parametrize("seconds", [0.0, 0.02])
def test_whoever_has_no_time_still_answers_legally(seconds: float) -> None:
    for level in LEVELS:
        played([level, "tournament"], "hurry", clock=Clock(seconds))


@pytest.mark.parametrize("level", [*LEVELS])
def test_the_same_seed_plays_the_same_game(level: str) -> None:
    assert played([level, "club"], "again") == played([level, "club"], "again")


def test_playing_for_score_is_legal_and_the_same_for_the_same_seed() -> None:
    def game() -> State:
        bots = [make_bot("master", RUMMYO, seed="s", aim="score", effort=0.5) for _ in range(4)]
        shuffle = Shuffle("score")
        state, _ = new_game(RUMMYO, ["A", "B", "C", "D"], shuffle, starter=0)
        while not state.over:
            state, _ = apply(state, bots[state.seat].act(view(state, state.seat), Clock()), shuffle)
        return state

    assert game() == game()


def resampled(state: State, chance: Random) -> State:
    """The same game for the player to act, everything that is hidden from them dealt anew."""
    hidden = [tile for seat, rack in enumerate(state.racks) if seat != state.seat for tile in rack]
    hidden += state.pool
    chance.shuffle(hidden)
    racks = []
    for seat, rack in enumerate(state.racks):
        racks.append(rack if seat == state.seat else tuple(hidden[: len(rack)]))
        hidden = hidden if seat == state.seat else hidden[len(rack) :]
    drawn = tuple(tiles if seat == state.seat else () for seat, tiles in enumerate(state.drawn))
    return replace(state, racks=tuple(racks), pool=tuple(hidden), drawn=drawn)


@pytest.mark.parametrize("level", [*LEVELS])
def test_what_is_hidden_changes_no_answer(level: str) -> None:
    chance, shuffle = Random(7), Shuffle("hidden")
    bots: list[Bot] = [make_bot(level, RUMMYO, seed="x"), make_bot("tournament", RUMMYO, seed="y")]
    bots.append(make_bot("club", RUMMYO, seed="z"))
    state, _ = new_game(RUMMYO, ["A", "B", "C"], shuffle, starter=0)
    compared = 0
    while not state.over:
        bot = bots[state.seat]
        before = copy.deepcopy(bot)
        action: Action = bot.act(view(state, state.seat), Clock())
        if state.seat == 0:
            other = resampled(state, chance)
            assert conserved(other)
            assert before.act(view(other, 0), Clock()) == action
            compared += 1
        state, _ = apply(state, action, shuffle)
    assert compared >= 5


@pytest.mark.parametrize(
    ("levels", "secret"),
    [
        (["club", "expert"], "jokers-25"),
        (["club", "tournament", "club"], "jokers-10"),
        (["club", "tournament", "club"], "jokers-77"),
        (["club", "tournament", "club"], "jokers-79"),
    ],
)
def test_a_joker_in_a_meld_stays_the_one_it_is(levels: list[str], secret: str) -> None:
    """Both jokers show the same face; the one laid in front of a run is the new one, also in the record."""
    _, events = played(levels, secret)
    joker, face_of = RUMMYO.tiles.joker, RUMMYO.tiles.face_of
    before: tuple[Meld, ...] = ()
    longer = 0
    for event in events:
        if not isinstance(event, Played):
            continue
        for old, new in zip(before, event.melds, strict=False):
            size = len(old.tiles)
            # Where the old tiles lie in the new meld: each is there, or a joker was claimed from its place.
            assert any(
                all(
                    tile == other or (face_of[tile] == joker and face_of[other] != joker)
                    for tile, other in zip(old.tiles, new.tiles[first : first + size], strict=True)
                )
                for first in range(len(new.tiles) - size + 1)
            ), (old.tiles, new.tiles)
            longer += joker in map(face_of.__getitem__, old.tiles) and old.tiles != new.tiles
        before = event.melds
    assert longer
