"""Whatever is asked of it, `apply` carries it out or raises ActionError; its input never changes."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.apply import apply, new_game
from meldroom.game.errors import ActionError
from meldroom.game.fold import fold
from meldroom.game.legal.actions import legal
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import Meld, State
from meldroom.game.views import event_view
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.sets import Reading
from meldroom.tiles import Face, Tile, parse_marked
from testkit.laws.invariants import check_conserved, check_melds, check_turn
from tests.laws.turns import tiny

Kind = Literal["run", "group"] | None
SHUFFLE = Shuffle("hostile", ("one", "two"))
TINY_SIZE = 32


def tiny_books() -> dict[str, RuleBook]:
    """Small books of 32 tiles, so that a random tile is often a real one; one with strict declarations."""
    strict = {"strict_declare": True}
    return {
        "wrc11": tiny("wrc11", 3, 5, 2, 2, redeal={"doubles": 1}),
        "wrc9": tiny("wrc9", 3, 5, 2, 2, penalty=strict),
        "tml": tiny("tml", 3, 5, 2, 2),
        "rummyo": tiny("rummyo", 3, 5, 2, 2, opening={"points": 15}),
    }


@cache
def positions() -> tuple[State, ...]:
    """Positions of every phase: undealt, ready, in mid-game, in final turns, over."""
    found: list[State] = []
    for name, of in tiny_books().items():
        chance = random.Random(name)
        state, events = new_game(of, ("Ada", "Bo"), SHUFFLE)
        found.extend(fold(events[:count]) for count in range(1, len(events)))
        while not state.over:
            found.append(state)
            state, _ = apply(state, legal(state).sample(chance), SHUFFLE)
        found.append(state)
    return tuple(found)


SEATS = st.integers(-2, 4)
TILES = st.one_of(st.integers(0, TINY_SIZE - 1), st.integers(-3, TINY_SIZE + 3), st.just(10**9))
FACES = st.integers(-3, 20)
SETS = st.lists(st.lists(TILES, max_size=5).map(tuple), max_size=5).map(tuple)
STATED = st.dictionaries(st.integers(-1, 5), st.lists(FACES, max_size=5).map(tuple), max_size=2)
MOVES = st.lists(
    st.builds(
        act.Move,
        TILES,
        st.sampled_from(("rack", "table", "pool_top", "pool_bottom", "discards")),
        st.integers(-1, 4),
    ),
    max_size=3,
).map(tuple)
MELDS = st.lists(
    st.builds(
        act.MeldPlay, st.lists(TILES, max_size=5).map(tuple), SEATS, st.sampled_from((None, "run", "group"))
    ),
    max_size=4,
).map(tuple)
ACTIONS = st.one_of(
    st.builds(act.Draw, SEATS),
    st.builds(act.Lay, SEATS, table=SETS, stated=STATED),
    st.builds(act.Pass, SEATS),
    st.builds(act.RequestRedeal, SEATS, tiles=st.lists(TILES, max_size=8).map(tuple)),
    st.builds(act.Withdraw, SEATS),
    st.builds(act.TimeOut, SEATS, table=st.one_of(st.none(), SETS), stated=STATED),
    st.builds(act.RuleLeftovers, SEATS, table=SETS, leftovers=st.lists(TILES, max_size=4).map(tuple)),
    st.builds(
        act.Correct,
        SEATS,
        reason=st.text(max_size=5),
        moves=MOVES,
        melded=st.dictionaries(SEATS, st.booleans()),
    ),
    st.builds(act.Abandon, SEATS, reason=st.text(max_size=5)),
    st.builds(act.Take, SEATS, source=st.sampled_from(("stock", "discard"))),
    st.builds(act.Play, SEATS, melds=MELDS, discard=st.one_of(st.none(), TILES)),
    st.builds(act.Discard, SEATS, tile=TILES),
)


def snapshot(state: State) -> bytes:
    """Everything in a state but its book, as it stands."""
    fields = {name: getattr(state, name) for name in State.__struct_fields__ if name != "book"}
    return msgspec.json.encode(fields)


def attempt(state: State, action: act.Action) -> State | ActionError:
    """What comes of an action, with the laws checked; anything but an ActionError goes through."""
    before = snapshot(state)
    try:
        after, events = apply(state, action, SHUFFLE)
    except ActionError as refused:
        return _unchanged(state, before, refused)
    assert snapshot(state) == before
    assert events
    check_conserved(after)
    check_turn(after)
    check_melds(after)
    return after


def _unchanged(state: State, before: bytes, error: ActionError) -> ActionError:
    assert snapshot(state) == before
    assert error.message("en")
    assert error.message("fr")
    return error


@settings(max_examples=800)
@given(st.integers(0, 10_000), ACTIONS)
def test_any_action_in_any_phase_is_carried_out_or_refused(place: int, action: act.Action) -> None:
    found = positions()
    attempt(found[place % len(found)], action)


def test_actions_made_of_the_tiles_at_hand_are_carried_out_or_refused() -> None:
    """Nonsense closer to the truth: real tiles of table and rack in wrong hands and wrong places."""
    chance = random.Random("at hand")
    refused = done = 0
    playing = [state for state in positions() if state.phase in ("turn", "take", "play", "opening_discard")]
    for _ in range(3_000):
        state = chance.choice(playing)
        if isinstance(attempt(state, _near_miss(state, chance)), State):
            done += 1
        else:
            refused += 1
    assert min(refused, done) > 300


def _near_miss(state: State, chance: random.Random) -> act.Action:
    """A legal action with one thing about it changed, or one of another kind."""
    action = legal(state).sample(chance)
    rack = state.racks[state.seat]
    joker = state.book.tiles.joker
    if isinstance(action, act.Lay):
        sets = [list(tiles) for tiles in action.table]
        spoilt = chance.choice(sets)
        what = chance.randrange(4)
        if what == 0:
            spoilt[chance.randrange(len(spoilt))] = chance.choice(rack)
        elif what == 1:
            spoilt[0] = _equal_tile(state, spoilt[0])
        elif what == 2:
            spoilt.append(spoilt[0])
        stated: dict[int, tuple[Face, ...]] = {
            chance.randint(0, len(sets)): tuple(Face(chance.randint(0, joker)) for _ in spoilt)
        }
        return act.Lay(state.seat, table=tuple(map(tuple, sets)), stated=stated if what == 3 else {})
    if isinstance(action, act.Play):
        melds = [list(meld.tiles) for meld in action.melds]
        spoilt = chance.choice(melds)
        spoilt[0] = chance.choice((_equal_tile(state, spoilt[0]), chance.choice(rack)))
        if chance.random() < 0.5:
            chance.shuffle(spoilt)
        kinds: tuple[Kind, ...] = (None, "run", "group")
        changed = tuple(
            act.MeldPlay(tuple(tiles), chance.choice((meld.owner, state.seat)), chance.choice(kinds))
            for tiles, meld in zip(melds, action.melds, strict=True)
        )
        return act.Play(state.seat, melds=changed, discard=action.discard)
    others: list[act.Action] = [
        action,
        act.Discard(state.seat, tile=chance.choice(rack)),
        act.Take(state.seat, source="discard"),
        act.TimeOut(state.seat, table=(rack,)),
        act.Correct(chance.randrange(2), reason="", melded={0: True}),
        act.RuleLeftovers(state.seat, table=state.table, leftovers=()),
        act.Withdraw(chance.randrange(2)),
        act.RequestRedeal(chance.randrange(2), tiles=rack),
    ]
    return chance.choice(others)


def _equal_tile(state: State, tile: Tile) -> Tile:
    """Another tile with the same face."""
    same = state.book.tiles.tiles_of(state.book.tiles.face_of[tile])
    return next((other for other in same if other != tile), tile)


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_ten_thousand_sets_are_refused(book_id: str) -> None:
    of = book(book_id)
    state, _ = new_game(of, ("Ada", "Bo"), SHUFFLE, starter=0)
    ten_thousand = tuple(map(Tile, range(10_000)))
    many = tuple((Tile(tile % of.tiles.size),) for tile in ten_thousand)
    melds = tuple(act.MeldPlay(tiles, 0) for tiles in many)
    if of.family == "laying_off":
        state, _ = apply(state, act.Discard(0, tile=state.racks[0][0]), SHUFFLE)
        state, _ = apply(state, act.Take(1, source="stock"), SHUFFLE)
    hostile: list[act.Action] = [
        act.Lay(state.seat, table=many),
        act.Lay(state.seat, table=(ten_thousand,)),
        act.Lay(state.seat, table=(), stated=dict.fromkeys(range(10000), (Face(0),))),
        act.TimeOut(state.seat, table=many) if of.family == "rearranging" else act.Pass(state.seat),
        act.RuleLeftovers(state.seat, table=many, leftovers=ten_thousand),
        act.Play(state.seat, melds=melds, discard=Tile(0)),
        act.RequestRedeal(state.seat, tiles=ten_thousand),
    ]
    for action in hostile:
        assert isinstance(attempt(state, action), ActionError)


def test_nothing_can_be_done_before_the_deal_or_after_the_end() -> None:
    idle = [state for state in positions() if state.phase in ("created", "ready", "over")]
    assert {state.phase for state in idle} == {"created", "ready", "over"}
    for state in idle:
        for action in (act.Draw(0), act.Withdraw(1), act.Abandon(0, reason=""), act.Correct(0, reason="")):
            error = attempt(state, action)
            assert isinstance(error, ActionError)
            assert error.code == ("game_over" if state.over else "wrong_phase")


def position(of: RuleBook, racks: tuple[str, ...], table: str = "", **changes: Any) -> State:
    """A position written as text; all other tiles are in the pool. Seat 0 has the turn."""
    names = ("Ada", "Bo", "Chi", "Dee")[: len(racks)]
    state, _ = new_game(of, names, SHUFFLE, starter=0)
    held = tuple(tuple(sorted(tiles_of(of, rack))) for rack in racks)
    laid = tuple(tiles_of(of, tiles) for tiles in table.split("|")) if table else ()
    gone = {tile for tiles in (*held, *laid) for tile in tiles}
    gone |= {tile for meld in changes.get("melds", ()) for tile in meld.tiles}
    pool = tuple(tile for tile in range(of.tiles.size) if tile not in gone)
    return replace(state, racks=held, table=laid, pool=pool, **changes)


def tiles_of(of: RuleBook, text: str) -> tuple[Tile, ...]:
    """Physical tiles as text: `R7'` is the second R7."""
    return tuple(of.tiles.tile(*parse_marked(word, of.tiles)) for word in text.split())


def test_r15_a_tile_of_the_table_cannot_be_exchanged_for_an_equal_one_of_the_rack() -> None:
    """The R1 that lay there must lie there again, whatever equal tile comes from the rack."""
    of = book("wrc11")
    state = position(of, ("R1' R4 K9", "K1"), "R1 R2 R3", melded=(True, True))
    error = attempt(state, act.Lay(0, table=(tiles_of(of, "R1' R2 R3 R4"),)))
    assert isinstance(error, ActionError)
    assert isinstance(attempt(state, act.Lay(0, table=(tiles_of(of, "R1 R2 R3 R4"),))), State)


def test_r15_nor_can_a_tile_of_a_rummyo_meld() -> None:
    of = book("rummyo")
    meld = Meld(tiles_of(of, "R1 R2 R3"), 1, (1, 1, 1), Reading("run", 1, 3, 1))
    state = position(
        of, ("R1' R4 K9 K10", "K1"), melds=(meld,), melded=(True, True), phase="play", turns=(1, 1)
    )
    discard = tiles_of(of, "K9")[0]
    swapped = act.MeldPlay(tiles_of(of, "R1' R2 R3 R4"), 1)
    assert isinstance(attempt(state, act.Play(0, melds=(swapped,), discard=discard)), ActionError)
    added = act.MeldPlay(tiles_of(of, "R1 R2 R3 R4"), 1)
    assert isinstance(attempt(state, act.Play(0, melds=(added,), discard=discard)), State)


@pytest.mark.parametrize("said", [(9_999, 9_999, 9_999), (25, 26, 9_999), (-1, -1, -1), (25, 26, -1), ()])
def test_r10_an_announcement_of_tiles_that_do_not_exist_is_refused(said: tuple[Face, ...]) -> None:
    of = book("wrc11")
    state = position(of, ("R12 R13 * K9", "K1"))
    lay = act.Lay(0, table=(tiles_of(of, "R12 R13 *"),), stated={0: said})
    assert isinstance(attempt(state, lay), ActionError)


def test_rummyo_a_new_meld_announced_as_what_it_is_not_is_refused() -> None:
    of = book("rummyo")
    state = position(of, ("R1 R2 R3 K9 K10", "K1"), melded=(True, True), phase="play", turns=(1, 1))
    meld = act.MeldPlay(tiles_of(of, "R1 R2 R3"), 0, "group")
    play = act.Play(0, melds=(meld,), discard=tiles_of(of, "K9")[0])
    assert isinstance(attempt(state, play), ActionError)


def test_rummyo_a_run_added_to_out_of_order_lies_in_order_afterwards() -> None:
    """The tiles of a lengthened run are named in any order; what lies there is still a run (R56)."""
    of = book("rummyo")
    meld = Meld(tiles_of(of, "R3 R4 R5"), 1, (1, 1, 1), Reading("run", 3, 5, 1))
    state = position(of, ("R6 K9 K10", "K1"), melds=(meld,), melded=(True, True), phase="play", turns=(1, 1))
    play = act.Play(0, melds=(act.MeldPlay(tiles_of(of, "R6 R3 R5 R4"), 1),), discard=tiles_of(of, "K9")[0])
    after = attempt(state, play)
    if isinstance(after, State):
        assert after.melds[0].tiles == tiles_of(of, "R3 R4 R5 R6")
        assert after.melds[0].holders == (1, 1, 1, 0)


def test_rummyo_r51_only_the_starter_begins_with_a_discard() -> None:
    """When the starter leaves before discarding, the next player takes a tile like anybody else."""
    of = book("rummyo")
    state, _ = new_game(of, ("Ada", "Bo", "Chi"), SHUFFLE, starter=0)
    after = attempt(state, act.Withdraw(0))
    assert isinstance(after, State)
    assert (after.seat, after.phase) == (1, "take")


def test_rummyo_a_correction_leaves_a_position_that_can_be_played_on() -> None:
    """Whoever is given the turn can act, the clock can run out on them, and the round can be scored."""
    of = book("rummyo")
    state, _ = new_game(of, ("Ada", "Bo", "Chi"), SHUFFLE, starter=0)
    state, _ = apply(state, act.Discard(0, tile=state.racks[0][0]), SHUFFLE)
    state, _ = apply(state, act.Take(1, source="stock"), SHUFFLE)
    rack = tuple(act.Move(tile, "pool_top") for tile in state.racks[1])
    taken = (act.Move(state.drawn[1][0], "pool_top"),)
    corrections = [
        act.Correct(2, reason="they are next"),
        act.Correct(1, reason="their rack is emptied", moves=rack),
        act.Correct(1, reason="what they took goes back", moves=taken),
    ]
    for correction in corrections:
        after = attempt(state, correction)
        if isinstance(after, State):
            assert isinstance(attempt(after, act.TimeOut(after.seat)), State)


def test_rummyo_a_round_won_after_a_correction_is_scored() -> None:
    of = book("rummyo")
    state = position(of, ("R1 R2 R3 K9", "K1"), melded=(True, True), phase="play", turns=(1, 1))
    meld = act.MeldPlay(tiles_of(of, "R1 R2 R3"), 0)
    after = attempt(state, act.Play(0, melds=(meld,), discard=tiles_of(of, "K9")[0]))
    assert isinstance(after, State)
    assert after.result is not None
    assert after.result.winners == (0,)


def test_rummyo_r56_a_correction_cannot_move_a_joker_within_a_run() -> None:
    of = book("rummyo")
    meld = Meld(tiles_of(of, "O4 O5 O6 O7 *"), 1, (1,) * 5, Reading("run", 4, 8, 3))
    state = position(of, ("K9 K10", "K1"), melds=(meld,), melded=(True, True), phase="play", turns=(1, 1))
    attempt(state, act.Correct(0, reason="O5", moves=(act.Move(tiles_of(of, "O5")[0], "pool_top"),)))


def redealable() -> tuple[State, int]:
    """A dealt game in which a seat other than the starter may ask for a fresh start, and that seat."""
    of = tiny("wrc11", 3, 5, 2, 2, redeal={"doubles": 1}, players={"minimum": 3, "maximum": 3})
    for number in range(100):
        state, _ = new_game(of, ("Ada", "Bo", "Chi"), Shuffle(f"doubles {number}"), starter=0)
        for seat in (1, 2):
            if isinstance(attempt(state, act.RequestRedeal(seat, tiles=state.racks[seat])), State):
                return state, seat
    raise LookupError("no deal with a double in a hundred")


def test_r6_r50_a_fresh_start_does_not_bring_back_a_player_who_has_left() -> None:
    state, seat = redealable()
    left = attempt(state, act.Withdraw(0))
    assert isinstance(left, State)
    again = attempt(left, act.RequestRedeal(seat, tiles=left.racks[seat]))
    assert isinstance(again, ActionError) or again.seat != 0


def test_r6_r50_a_player_who_has_left_cannot_ask_for_a_fresh_start() -> None:
    state, seat = redealable()
    left = attempt(state, act.Withdraw(seat))
    assert isinstance(left, State)
    assert isinstance(attempt(left, act.RequestRedeal(seat, tiles=left.racks[seat])), ActionError)


def test_a_tile_that_a_correction_puts_on_the_discards_is_seen_by_all() -> None:
    event = ev.Corrected(0, "found on the floor", (act.Move(Tile(5), "discards"),))
    for seat in (None, 0, 1):
        assert event_view(event, seat) == event
