"""The shuffle anyone can check, and matches in which the start passes to the left."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldroom.game import Match, Shuffle, apply, commitment, legal, new_game, new_secret, reveal
from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.errors import ActionError
from meldroom.game.state import Result
from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.procedures import starters
from tests.laws.turns import tiny


@given(st.text(), st.lists(st.text(), max_size=4), st.text(), st.integers(0, 60))
def test_an_order_is_a_permutation_and_the_same_every_time(
    secret: str, words: list[str], label: str, size: int
) -> None:
    shuffle = Shuffle(secret, tuple(words))
    order = shuffle.order(label, range(size))
    assert sorted(order) == list(range(size))
    assert order == Shuffle(secret, tuple(words)).order(label, range(size))


def test_labels_secrets_and_contributions_each_change_the_order() -> None:
    tiles = range(106)
    base = Shuffle("secret", ("a", "b"))
    orders = {
        base.order("game 1 deal 1", tiles),
        base.order("game 1 deal 2", tiles),
        base.order("game 2 deal 1", tiles),
        Shuffle("secret2", ("a", "b")).order("game 1 deal 1", tiles),
        Shuffle("secret", ("a", "c")).order("game 1 deal 1", tiles),
        Shuffle("secret", ("b", "a")).order("game 1 deal 1", tiles),
        Shuffle("secret", ("ab",)).order("game 1 deal 1", tiles),
        Shuffle("secret", ("a", "b", "game 1 deal 1")).order("", tiles),
    }
    assert len(orders) == 8


@pytest.mark.parametrize("size", [3, 4])
def test_every_permutation_is_equally_likely(size: int) -> None:
    """Chi-square over fixed secrets: below the bound for a fair shuffle, beyond it for a biased one."""
    draws = 300 * len(list(permutations(range(size))))
    counts = Counter(Shuffle(f"secret {n}").order("deal", range(size)) for n in range(draws))
    expected = draws / len(list(permutations(range(size))))
    statistic = sum((counts[order] - expected) ** 2 / expected for order in permutations(range(size)))
    bound = {3: 20.5, 4: 49.7}[size]  # One fair shuffle in a thousand exceeds this (5 and 23 degrees).
    assert statistic < bound
    naive = Counter(_naive(Shuffle(f"secret {n}"), size) for n in range(draws))
    biased = sum((naive[order] - expected) ** 2 / expected for order in permutations(range(size)))
    assert biased > bound


def _naive(shuffle: Shuffle, size: int) -> tuple[int, ...]:
    """The well-known wrong shuffle, swapping every place with any place: the test above must notice it."""
    items = list(range(size))
    for place in range(size):
        other = shuffle.order(f"naive {place}", range(size))[0]
        items[place], items[other] = items[other], items[place]
    return tuple(items)


def test_every_place_is_equally_likely_for_every_tile() -> None:
    draws = 3_000
    counts: Counter[tuple[int, int]] = Counter()
    for number in range(draws):
        counts.update(enumerate(Shuffle(f"places {number}").order("deal", range(12))))
    expected = draws / 12
    statistic = sum((count - expected) ** 2 / expected for count in counts.values())
    assert len(counts) == 144
    assert statistic < 180  # 121 degrees of freedom: 3.8 standard deviations above the mean.


@given(st.text())
def test_the_commitment_is_the_hash_of_the_secret(secret: str) -> None:
    assert commitment(secret) == hashlib.sha256(secret.encode()).hexdigest()


def test_new_secrets_differ_and_hold_256_bits() -> None:
    secrets = {new_secret() for _ in range(50)}
    assert len(secrets) == 50
    assert all(len(bytes.fromhex(secret)) == 32 for secret in secrets)


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_every_deal_can_be_computed_again_from_what_is_revealed(book_id: str) -> None:
    of = book(book_id)
    shuffle = Shuffle(f"a secret for {book_id}", ("red", "blue", "green"))
    state, events = new_game(of, ("Ada", "Bo", "Chi"), shuffle, game=3)
    first = events[0]
    assert isinstance(first, ev.GameCreated)
    with pytest.raises(ActionError):
        reveal(state, shuffle)
    chance = random.Random(book_id)
    while not state.over:
        state, _ = apply(state, legal(state).sample(chance), shuffle)
    told = reveal(state, shuffle)
    assert commitment(told.secret) == first.commitment
    again = Shuffle(told.secret, told.contributions)
    dealt = next(event for event in events if isinstance(event, ev.Dealt))
    order = again.order("game 3 deal 1", range(of.tiles.size))
    assert tuple(tile for rack in dealt.racks for tile in rack) + dealt.pool == order
    chosen = next(event for event in events if isinstance(event, ev.StarterChosen))
    for number, turned in enumerate(chosen.rounds, start=1):
        shown = again.order(f"game 3 start {number}", range(of.tiles.size))
        assert tuple(tile for _, tile in turned) == shown[: len(turned)]


def test_the_starter_turned_the_highest_tile_and_level_players_turned_again() -> None:
    """R3: joker highest; counted here from the tiles turned over, not by the engine's own procedure."""
    deal = {"tiles": 3, "starter_tiles": 3}
    of = tiny("wrc11", 2, 4, 2, 1, players={"minimum": 2, "maximum": 4}, deal=deal)
    again = 0
    for number in range(200):
        _, events = new_game(of, ("Ada", "Bo", "Chi", "Dee"), Shuffle(f"start {number}"))
        chosen = next(event for event in events if isinstance(event, ev.StarterChosen))
        left = [0, 1, 2, 3]
        for turned in chosen.rounds:
            ranks = {seat: 99 if tile == 16 else tile // 2 % 4 for seat, tile in turned}
            assert sorted(ranks) == left
            left = [seat for seat in left if ranks[seat] == max(ranks.values())]
        assert left == [chosen.seat]
        again += len(chosen.rounds) > 1
    assert again > 50


@given(st.integers(2, 4), st.integers(1, 12), st.integers(0, 3))
def test_the_start_passes_to_the_left(players: int, games: int, first: int) -> None:
    begins = starters(book("wrc11"), players, games, first % players)
    assert len(begins) == games
    assert begins[0] == first % players
    for one, following in pairwise(begins):
        assert following == (one + 1 if one + 1 < players else 0)
    counts = Counter(begins)
    assert max(counts.values()) - min(counts[seat] for seat in range(players)) <= 1


@pytest.mark.parametrize("book_id", BOOK_IDS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_matches_rotate_the_starter_and_add_up_the_scores(book_id: str, players: int) -> None:
    of = book(book_id)
    names = ("Ada", "Bo", "Chi", "Dee")[:players]
    match = Match.of(of, names, first=1, games=5)
    seen = []
    for game in range(5):
        seen.append(match.starter)
        state, _ = new_game(of, names, Shuffle(f"game {game}"), match.starter, game + 1)
        assert state.seat == match.starter
        over, _ = apply(state, act.Abandon(0, reason="played elsewhere"), Shuffle("s"))
        assert over.result is not None
        scores = tuple((seat * 7 + game * 5) % 11 for seat in range(players))
        match = match.played(Result("out", scores, (game % players,)))
    assert seen == [(1 + game) % players for game in range(5)]
    standing = match.standing()
    totals = tuple(sum((seat * 7 + game * 5) % 11 for game in range(5)) for seat in range(players))
    assert standing.totals == totals
    assert sum(standing.wins) == 5
    assert standing.winners is not None
    if of.match.winner == "highest_total":
        assert standing.winners == tuple(s for s in range(players) if totals[s] == max(totals))
    else:
        most = max(standing.wins)
        assert all(standing.wins[seat] == most for seat in standing.winners)
    with pytest.raises(ValueError, match="5 games"):
        match.played(Result("out", totals, (0,)))
