"""Random allowed numbers lead to the end of a game of every book, and every action on the way is legal."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from meldroom.env import EnvError
from meldroom.env.codecs.tile_codec import TileCodec
from meldroom.env.episode import Episode, settings
from meldroom.game import Draw, Lay, Pass, legal
from meldroom.game.state import State
from meldroom.record import verify
from meldroom.rules.book import RuleBook
from meldroom.tiles import Face
from tests.env.tables import SMALL, STRICT, TABLES, TINY, moments, play_lawfully


@pytest.mark.parametrize(("book_id", "codec", "players"), TABLES)
def test_allowed_numbers_play_a_lawful_game_to_its_end(book_id: str, codec: str, players: int) -> None:
    made = settings(book_id, players, codec=codec)
    for name in ("amber", "birch"):
        episode = play_lawfully(made, f"{book_id} {name}")
        assert episode.over
        assert episode.state.result is not None


@pytest.mark.parametrize("codec", ["candidates", "tiles"])
@pytest.mark.parametrize("name", [*TINY, *STRICT])
def test_tiny_and_strict_books_are_played_lawfully(name: str, codec: str) -> None:
    rules = TINY.get(name) or STRICT[name]
    made = settings(rules, max(2, rules.players.minimum), codec=codec)
    for number in range(10 if name in TINY else 1):
        assert play_lawfully(made, f"{name} {number}").over


def test_a_game_of_an_environment_is_a_record_that_verifies() -> None:
    episode = play_lawfully(settings("wrc11", 2), "a record")
    record = episode.game.record()
    assert verify(record).ok


def played(state: State, action: Lay) -> tuple[Face, ...]:
    """The faces that leave the rack by a play."""
    old = {tile for tiles in state.table for tile in tiles}
    new = (tile for tiles in action.table for tile in tiles if tile not in old)
    return tuple(sorted(state.faces(tuple(new))))


def reachable(rules: RuleBook, episode: Episode) -> set[tuple[Face, ...]]:
    """Every play that the tile codec can come to, by trying every allowed number."""
    codec = TileCodec(rules)
    found: set[tuple[Face, ...]] = set()
    seen: set[tuple[Face, ...]] = set()
    waiting = [codec.begin(episode.view())]
    while waiting:
        decision = waiting.pop()
        for number in np.flatnonzero(decision.mask).tolist():
            following = decision.after(number)
            if isinstance(following, Lay):
                found.add(played(episode.state, following))
            elif not isinstance(following, Draw | Pass):
                assert not hasattr(following, "seat")
                if following.chosen not in seen:
                    seen.add(following.chosen)
                    waiting.append(following)
    return found


REARRANGING = {name: rules for name, rules in TINY.items() if rules.family == "rearranging"} | SMALL


@pytest.mark.parametrize("name", REARRANGING)
def test_tile_by_tile_reaches_every_legal_play_of_a_tiny_book_and_no_other(name: str) -> None:
    rules = REARRANGING[name]
    made = settings(rules, rules.players.minimum)
    positions = plays = 0
    for number in range(4 if name in SMALL else 12):
        for moment in moments(Episode(made, f"{name} {number}"), random.Random(number)):
            if moment.over:
                break
            every = {played(moment.state, a) for a in legal(moment.state) if isinstance(a, Lay)}
            assert reachable(rules, moment) == every
            positions, plays = positions + 1, plays + len(every)
    assert positions > 6
    assert plays > 0


@pytest.mark.parametrize("name", REARRANGING)
def test_candidates_are_different_legal_plays_and_there_if_any_is(name: str) -> None:
    rules = REARRANGING[name]
    made = settings(rules, rules.players.minimum)
    for number in range(6):
        for moment in moments(Episode(made, f"{name} {number}"), random.Random(number)):
            if moment.over or moment.decision is None:
                break
            actions = [moment.decision.after(slot) for slot in np.flatnonzero(moment.decision.mask).tolist()]
            lays = [action for action in actions if isinstance(action, Lay)]
            tiles = Counter(played(moment.state, action) for action in lays)
            assert all(action in legal(moment.state) for action in lays)
            assert not tiles or max(tiles.values()) == 1
            some = any(isinstance(action, Lay) for action in legal(moment.state))
            assert bool(lays) == some


def test_a_forbidden_number_changes_nothing() -> None:
    for codec in ("candidates", "tiles"):
        episode = Episode(settings("wrc11", 2, codec=codec), "forbidden")
        before = (episode.state, episode.decision)
        for number in (-1, 31, 10_000):
            with pytest.raises(EnvError, match="the mask allows"):
                episode.step(number)
        assert (episode.state, episode.decision) == before


def test_an_endless_game_is_counted_at_the_turn_limit() -> None:
    made = settings("rummyo", 3, turn_limit=9)
    episode = play_lawfully(made, "a short one")
    assert episode.truncated
    assert sum(episode.state.turns) == 9
    assert episode.state.result is not None
    assert episode.state.result.end == "exhausted"
    assert episode.final_rewards() == tuple(map(float, episode.state.result.scores))
    with pytest.raises(EnvError, match="reset"):
        episode.step(0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"players": 5}, "played here by 2 to 4"),
        ({"players": 1}, "played here by 2 to 4"),
        ({"codec": "tile"}, "choose one of candidates and tiles"),
        ({"reward": "points"}, "choose one of score and wins"),
        ({"slots": 1}, "at least 4"),
        ({"turn_limit": 0}, "at least one turn"),
    ],
)
def test_settings_that_cannot_be_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(EnvError, match=words):
        settings("wrc11", **options)  # type: ignore[arg-type]
