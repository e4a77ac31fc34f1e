"""Every level plays the rearranging books by the rules, sees nothing hidden, and repeats itself."""

import random

import pytest

from meldroom.bots import LEVELS, Clock, make_bot, play_game
from meldroom.bots.answers import apply_answer
from meldroom.game import Shuffle, new_game, view
from meldroom.game import events as ev
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book, house_book
from tests.bots.hidden import resampled

BOOKS = ("wrc9", "wrc11", "nzrc2024", "tml")
TINY = house_book(
    {
        "id": "tiny",
        "version": "1",
        "base": "wrc11",
        "tiles": {"numbers": 6, "copies": 2, "jokers": 1},
        "deal": {"tiles": 7, "starter_tiles": 7},
        "opening": {"points": 9},
    }
)

TINIER = house_book(  # too few numbers for the native kernel
    {
        "id": "tinier",
        "version": "1",
        "base": "tml",
        "tiles": {"numbers": 4, "copies": 2, "jokers": 1},
        "deal": {"tiles": 5, "starter_tiles": 5},
        "opening": {"points": 5},
    }
)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("book_id", BOOKS)
def test_a_table_of_four_plays_by_the_rules(book_id: str, level: str) -> None:
    rules = book(book_id)
    bots = [
        make_bot(name, rules, seed=str(seat)) for seat, name in enumerate((level, "club", level, "patient"))
    ]
    game = play_game(rules, bots, Shuffle(f"{book_id} {level}"), starter=0)
    state, events = game.state, game.events
    assert state.over
    assert not [event for event in events if isinstance(event, ev.Penalised | ev.TimedOut)]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", [TINY, TINIER], ids=["six numbers", "four numbers"])
def test_a_small_house_book_is_played_too(rules: RuleBook, level: str) -> None:
    for players in (2, 3):
        bots = [make_bot(level, rules, seed=str(seat)) for seat in range(players)]
        game = play_game(rules, bots, Shuffle("tiny"), starter=0)
        state, events = game.state, game.events
        assert state.over
        assert not [event for event in events if isinstance(event, ev.Penalised | ev.TimedOut)]


@pytest.mark.parametrize("aim", ["wins", "score"])
def test_master_plays_for_wins_or_for_score(aim: str) -> None:
    rules = book("wrc11")
    bots = [make_bot("master", rules, seed="a", aim=aim), make_bot("tournament", rules)]
    state = play_game(rules, bots, Shuffle("aims"), starter=0).state
    assert state.result is not None
    assert state.result.winners == (0,)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("players", [2, 3])
def test_a_bot_answers_the_same_whatever_is_hidden(level: str, players: int) -> None:
    """Two copies of a bot: one sees the game, the other a game with everything hidden dealt anew."""
    rules, shuffle, chance = book("wrc11"), Shuffle(f"hidden {level}"), random.Random(players)
    real = make_bot(level, rules, seed="same")
    other = make_bot(level, rules, seed="same")
    rest = make_bot("tournament", rules)
    state, _ = new_game(rules, [f"Player {seat}" for seat in range(players)], shuffle, starter=0)
    while not state.over:
        if state.seat == 0:
            action = real.act(view(state, 0), Clock())
            assert other.act(view(resampled(state, 0, chance), 0), Clock()) == action
        else:
            action = rest.act(view(state, state.seat), Clock())
        state, _ = apply_answer(state, action, shuffle)


@pytest.mark.parametrize("level", LEVELS)
def test_a_seed_repeats_a_game(level: str) -> None:
    rules = book("tml")
    games = [
        play_game(
            rules, [make_bot(level, rules, seed=str(seat)) for seat in range(2)], Shuffle("again"), starter=1
        )
        for _ in range(2)
    ]
    assert games[0].events == games[1].events


@pytest.mark.parametrize("level", LEVELS)
def test_with_hardly_any_time_the_answer_is_still_legal(level: str) -> None:
    rules = book("wrc9")
    bots = [make_bot(level, rules), make_bot("tournament", rules)]
    game = play_game(rules, bots, Shuffle("hurry"), starter=0, clock=Clock(0.000001))
    state, events = game.state, game.events
    assert state.over
    assert not [event for event in events if isinstance(event, ev.Penalised | ev.TimedOut)]
