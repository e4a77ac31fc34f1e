"""Books and games that the tests of the environments share."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from meldroom.env.episode import Episode, Settings, settings
from meldroom.game import events as ev
from meldroom.game.state import conserved
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book, house_book
from tests.trees.whole_trees import committed

TINY: dict[str, RuleBook] = {tree.name: house_book(tree.book) for tree in committed().trees}
"""The tiny books of the whole trees, by the names they have there."""

TABLES = [
    (book_id, codec, players)
    for number, book_id in enumerate(BOOK_IDS)
    for codec in ("candidates", "tiles")
    for players in ((2, 3, 4) if number == 0 else (2 + number % 3,))
]
"""Every book under both codecs, and every table size."""

STRICT = {
    "new set": house_book(
        {"id": "strict-new-set", "version": "1", "base": "tml", "options": {"joker_reuse": "new_set"}}
    ),
    "must play": book("tml", {"must_play_if_able": True}),
}
"""Options that ask more of a mask."""

SMALL = {
    f"the kernel's, {reuse}": house_book(
        {
            "id": f"small-{reuse.replace('_', '-')}",
            "version": "1",
            "base": "wrc11",
            "tiles": {"colours": ["K", "R", "B"], "numbers": 6, "copies": 1, "jokers": 2},
            "deal": {"tiles": 5, "starter_tiles": 5},
            "players": {"minimum": 2, "maximum": 3},
            "opening": {"points": 9},
            "jokers": {"reuse": reuse},
        }
    )
    for reuse in ("new_set", "any_set")
}
"""Books small enough to list every play of, and large enough for the solver's kernel."""


def moments(episode: Episode, chance: random.Random) -> Iterator[Episode]:
    """A game of random allowed numbers: the episode before each of them, and at the end."""
    while not episode.over:
        yield episode
        assert episode.decision is not None
        allowed = np.flatnonzero(episode.decision.mask)
        assert len(allowed), "a seat to move must have something to do"
        episode.step(chance.choice(allowed.tolist()))
    yield episode


def play_lawfully(made: Settings, name: str) -> Episode:
    """A whole random game; fails if a tile is lost, a bound broken or anybody penalised."""
    episode = Episode(made, name)
    numbers = 0
    for moment in moments(episode, random.Random(name)):
        numbers += 1
        assert conserved(moment.state)
        for seat in range(made.players):
            seen = moment.observe(seat)
            assert seen.shape == (made.observer.size,)
            assert (seen >= 0).all()
            assert (seen <= made.observer.high).all()
        if moment.decision is not None and moment.decision.features is not None:
            assert moment.decision.features.max() <= made.codec.feature_bound
            assert moment.decision.features.min() >= 0
    assert not any(isinstance(event, ev.Penalised | ev.TimedOut) for event in episode.game.events)
    assert numbers <= made.turn_limit * made.codec.longest_turn
    return episode


def tiny(name_part: str, **options: object) -> Settings:
    """Settings for the first tiny book with these words in its name."""
    rules = next(rules for name, rules in TINY.items() if name_part in name)
    return settings(rules, 2, **options)  # type: ignore[arg-type]
