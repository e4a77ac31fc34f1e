"""`legal`: every action it yields is in it, and it yields exactly what brute force finds on tiny books."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from meldroom.game import actions as act
from meldroom.game.apply import apply, new_game
from meldroom.game.legal.actions import legal
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import State
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book
from meldroom.rules.verify import Turn, verify
from tests.laws.brute_lay_off import Play
from tests.laws.brute_moves import brute_plays, brute_tables, play_key, sorted_table
from tests.laws.turns import freed_joker_turn, random_turn, tiny

REARRANGING = {
    "wrc11: 2 colours, 1-5, 1 copy, 1 joker": tiny("wrc11", 2, 5, 1, 1, opening={"points": 6}),
    "wrc11: 2 colours, 1-4, 2 copies, 1 joker": tiny("wrc11", 2, 4, 2, 1, opening={"points": 6}),
    "wrc9: 3 colours, 1-3, 1 copy, 2 jokers": tiny("wrc9", 3, 3, 1, 2, opening={"points": 6}),
    "wrc9: who can must play": tiny(
        "wrc9", 2, 4, 1, 1, opening={"points": 6}, pool_end={"must_play_if_able": True}
    ),
    "tml: 2 colours, 1-4, 1 copy, 2 jokers": tiny("tml", 2, 4, 1, 2, opening={"points": 6}),
}
LAYING_OFF = {
    "2 colours, 1-5, 1 copy, 1 joker": tiny("rummyo", 2, 5, 1, 1, opening={"points": 10}),
    "3 colours, 1-4, 1 copy, 1 joker": tiny("rummyo", 3, 4, 1, 1, opening={"points": 10}),
    "2 colours, 1-6, 2 copies, no joker": tiny("rummyo", 2, 6, 2, 0, opening={"points": 10}),
    "2 colours, 1-6, 1 copy, 1 joker, most tiles dealt": tiny(
        "rummyo", 2, 6, 1, 1, opening={"points": 10}, deal={"tiles": 6, "starter_tiles": 7}
    ),
}
MOST_TILES = 11


def states(of: RuleBook, games: int) -> Iterator[State]:
    """The positions of some random legal games in which somebody is to act."""
    for number in range(games):
        name = f"legal {of.id} {of.tiles.size} {number}"
        chance, shuffle = random.Random(name), Shuffle(name)
        state, _ = new_game(of, ("Ada", "Bo"), shuffle)
        while not state.over:
            yield state
            state, _ = apply(state, legal(state).sample(chance), shuffle)


@pytest.mark.parametrize("name", REARRANGING)
def test_enumeration_equals_brute_force(name: str) -> None:
    lays = positions = 0
    for state in states(REARRANGING[name], 25):
        if len(state.racks[state.seat]) + sum(map(len, state.table)) > MOST_TILES:
            continue
        every = list(legal(state))
        tables = [sorted_table(state.face_table(a.table)) for a in every if isinstance(a, act.Lay)]
        assert len(set(tables)) == len(tables), "an arrangement came twice"
        assert set(tables) == brute_tables(state)
        others = [action for action in every if not isinstance(action, act.Lay)]
        forced = state.book.pool_end.must_play_if_able and tables
        idle: list[act.Action] = [] if forced else [act.Pass(state.seat)]
        assert others == ([act.Draw(state.seat)] if state.pool else idle)
        assert legal(state).count() == len(every)
        assert all(action in legal(state) for action in every)
        lays += len(tables)
        positions += 1
    assert positions > 60
    assert lays > 60


@pytest.mark.parametrize("name", LAYING_OFF)
def test_rummyo_enumeration_equals_brute_force(name: str) -> None:
    counts: Counter[str] = Counter()
    for state in states(LAYING_OFF[name], 25):
        every = list(legal(state))
        assert all(action in legal(state) for action in every)
        rack = state.racks[state.seat]
        if state.phase == "take":
            both: list[act.Action] = [act.Take(state.seat, source="stock")]
            if state.discards:
                both.append(act.Take(state.seat, source="discard"))
            assert every == both
            continue
        discards = [action for action in every if isinstance(action, act.Discard)]
        assert sorted(state.faces(tuple(a.tile for a in discards))) == sorted(set(state.faces(rack)))
        plays = [play_key(state, action) for action in every if isinstance(action, act.Play)]
        assert set(plays) == (brute_plays(state) if state.phase == "play" else set())
        counts["plays"] += len(plays)
        counts["claims"] += sum(_claims(state, play) for play in set(plays))
    assert counts["plays"] > 100
    assert counts["claims"] > 0 or not LAYING_OFF[name].tiles.jokers


@pytest.mark.parametrize("name", LAYING_OFF)
def test_rummyo_no_play_comes_twice(name: str) -> None:
    """Two new melds laid in either order are the same play."""
    for state in states(LAYING_OFF[name], 25):
        plays = [play_key(state, action) for action in legal(state) if isinstance(action, act.Play)]
        assert len(set(plays)) == len(plays)


def _claims(state: State, play: Play) -> bool:
    joker = state.book.tiles.joker
    before = [state.faces(meld.tiles).count(joker) for meld in state.melds]
    return any(faces.count(joker) < count for faces, count in zip(play[0], before, strict=True))


def test_rummyo_one_tile_with_two_jokers_can_be_laid_as_a_run_or_as_a_group() -> None:
    """R11, R56: R2 with two jokers is a group of 2s, or a run with the 2 first, in the middle or last."""
    of = tiny("rummyo", 3, 5, 2, 2, opening={"points": 10})
    state = next(s for s in states(of, 5) if s.phase == "play")
    joker, two = of.tiles.numbered, of.tiles.tile(of.tiles.face(1, 2))
    rest = [tile for tile in range(of.tiles.numbered) if tile != two]
    rack = tuple(sorted((two, joker, joker + 1, rest.pop(0), rest.pop(5))))
    state = _dealt(state, rack)
    kinds = Counter(
        action.melds[0].kind
        for action in legal(state)
        if isinstance(action, act.Play) and len(action.melds) == 1 and len(action.melds[0].tiles) == 3
    )
    assert kinds["run"] >= 2
    assert kinds["group"] >= 2


def _dealt(state: State, rack: tuple[int, ...]) -> State:
    others = [tile for tile in range(state.book.tiles.size) if tile not in rack]
    racks = (rack, tuple(others[:4])) if state.seat == 0 else (tuple(others[:4]), rack)
    return replace(state, racks=racks, pool=tuple(others[4:]), melds=(), discards=(), melded=(True, True))


def test_what_is_legal_under_wrc11_is_legal_under_tml_for_a_melded_player() -> None:
    """The Mahjong Line asks nothing of a freed joker that WRC does not (R20, R22)."""
    strict, free = book("wrc11"), book("tml")
    chance = random.Random("wrc11 and tml")
    counts: Counter[str] = Counter()
    for number in range(420):
        turn: Turn | None = (
            freed_joker_turn(strict, chance)
            if number % 2
            else random_turn(strict, chance, most_sets=6, rack_size=(3, 12), joker_rate=0.15)
        )
        if turn is None or not turn.melded:
            continue
        under_wrc, under_tml = verify(strict, turn), verify(free, turn)
        counts[f"{not under_wrc} {not under_tml}"] += 1
        assert under_wrc or not under_tml
        only_wrc = {fault.code for fault in under_wrc} - {fault.code for fault in under_tml}
        assert only_wrc <= {"JOKER_NOT_IN_NEW_SET"}
    assert min(counts["True True"], counts["False True"], counts["False False"]) > 20
