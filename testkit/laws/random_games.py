"""Random legal games to the end, with every law of the engine watched."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence

import msgspec

from meldroom.game import Shuffle, apply, legal, new_game, reveal
from meldroom.game.shuffle import commitment
from meldroom.rules.book import RuleBook
from testkit.laws.invariants import Watch, check_view, resampled

NAMES = ("Ada", "Bo", "Chi", "Dee")
MOST_ACTIONS = 20_000


class BrokenLawError(RuntimeError):
    """A law was broken. The message names the game."""


class Tally(msgspec.Struct):
    """How some games of one book at one table size went."""

    games: int = 0
    turns: int = 0
    actions: int = 0
    seconds: float = 0.0
    endings: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Count other games in."""
        self.games += other.games
        self.turns += other.turns
        self.actions += other.actions
        self.seconds += other.seconds
        self.endings += other.endings


def play_one(of: RuleBook, players: int, number: int) -> Tally:
    """One random legal game to the end. Raises AssertionError where a law is broken."""
    name = f"{of.id} {players} {number}"
    chance = random.Random(name)
    shuffle = Shuffle(f"random game {name}", NAMES[:players])
    started = time.process_time()
    state, events = new_game(of, NAMES[:players], shuffle)
    watch = Watch(state, events)
    actions = 0
    while not state.over:
        viewer = chance.choice([None, *range(players)])
        seen = check_view(state, viewer)
        assert check_view(resampled(state, viewer, chance), viewer) == seen, "a view depends on what it hides"
        action = legal(state).sample(chance)
        assert action in legal(state), f"not legal after all: {action}"
        state, events = apply(state, action, shuffle)
        watch.follow(events, state, [viewer])
        actions += 1
        assert actions < MOST_ACTIONS, "the game does not end"
    for seat in (None, *range(players)):
        check_view(state, seat)
    assert state.commitment == commitment(reveal(state, shuffle).secret)
    assert state.result is not None
    ending = state.result.going_out or state.result.end
    seconds = time.process_time() - started
    return Tally(1, sum(state.turns), actions, seconds, Counter([ending]))


def play_games(of: RuleBook, players: int, numbers: Sequence[int]) -> Tally:
    """Several random legal games. Raises BrokenLawError with the name of the game where a law is broken."""
    total = Tally()
    for number in numbers:
        try:
            total.add(play_one(of, players, number))
        except Exception as error:
            again = f"--book {of.id} --players {players} --first {number} --games 1"
            raise BrokenLawError(
                f"{type(error).__name__} in game {number}: {error}; repeat with {again}"
            ) from error
    return total
