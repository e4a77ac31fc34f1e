"""The laws on every path: redeals, penalties, time-outs, leftovers, corrections, people leaving."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace

from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.apply import apply, new_game
from meldroom.game.fold import fold
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import State
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book
from testkit.laws.invariants import Watch, check_view, resampled
from tests.laws.turns import tiny
from tests.laws.wild_games import Step, tally, wild_game

TWO_OR_THREE = {"minimum": 2, "maximum": 3}
EASY_REDEAL = {"doubles": 1}
SIX = {"tiles": 6, "starter_tiles": 6}
FORCED = {"must_play_if_able": True}
TINY = {
    "wrc11": tiny("wrc11", 3, 5, 2, 2, players=TWO_OR_THREE, redeal=EASY_REDEAL, deal=SIX),
    "wrc11, jokers anywhere, the drawer first": tiny(
        "wrc11",
        *(2, 6, 2, 1),
        players=TWO_OR_THREE,
        jokers={"reuse": "any_set"},
        pool_end={"final_turns_start": "drawer"},
        penalty={"strict_declare": True},
        scoring={"charge_test": "own_turns"},
    ),
    "wrc11, in competition": tiny(
        "wrc11", 3, 5, 2, 2, players=TWO_OR_THREE, penalty={"conduct": "competition", "strict_declare": True}
    ),
    "wrc9": tiny("wrc9", 3, 5, 2, 2, players=TWO_OR_THREE, redeal=EASY_REDEAL, deal=SIX),
    "wrc9, who can must play": tiny("wrc9", 2, 5, 2, 1, players=TWO_OR_THREE, pool_end=FORCED),
    "nzrc2024": tiny("nzrc2024", 2, 6, 1, 2, players={"minimum": 2, "maximum": 2}),
    "tml": tiny("tml", 3, 4, 2, 2, players=TWO_OR_THREE),
    "rummyo": tiny("rummyo", 3, 5, 2, 2, players=TWO_OR_THREE, opening={"points": 15}),
    "rummyo, few tiles": tiny("rummyo", 2, 6, 2, 1, players=TWO_OR_THREE, opening={"points": 10}),
}


def watched(of: RuleBook, players: int, name: str, wildness: float) -> list[Step]:
    """A wild game with every law checked after every action."""
    steps = list(wild_game(of, players, name, wildness))
    watch = Watch(steps[0].after, steps[0].events)
    chance = random.Random(name)
    for step in steps[1:]:
        if step.error is not None:
            assert step.after == step.before
            assert step.error.message("en")
            assert step.error.message("fr")
            continue
        watch.follow(step.events, step.after)
        seat = chance.choice([None, *range(players)])
        assert check_view(resampled(step.after, seat, chance), seat) == check_view(step.after, seat)
    return steps


@pytest.mark.parametrize("name", TINY)
def test_laws_hold_in_wild_games_of_tiny_books(name: str) -> None:
    of = TINY[name]
    counts: Counter[str] = Counter()
    for number in range(60):
        players = 2 + number % (of.players.maximum - 1)
        wildness = (0.1, 0.3, 0.6)[number % 3]
        counts += tally(watched(of, players, f"wild {name} {number}", wildness))
    wanted = {"GameEnded": 40, "Corrected": 12, "TimedOut": 40, "Withdrew": 5}
    if of.family == "rearranging":
        wanted |= {"Laid": 100, "Drew": 200, "Penalised": 20, "PoolExhausted": 10, "Passed": 10}
    else:
        wanted |= {"Played": 40, "Took": 200, "Discarded": 200, "Reshuffled": 1}
    if of.redeal.doubles == 1:
        wanted |= {"RedealGranted": 5}
    if of.penalty.leftovers != "none":
        wanted |= {"LeftoversRuled": 20}
    assert {event: counts[event] for event in wanted if counts[event] < wanted[event]} == {}


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_laws_hold_in_wild_games_of_real_size(book_id: str) -> None:
    counts: Counter[str] = Counter()
    for number in range(6):
        counts += tally(watched(book(book_id), 2 + number % 3, f"wild {book_id} {number}", 0.15))
    assert counts["GameEnded"] >= 3
    assert min(counts["Corrected"], counts["TimedOut"]) >= 3


def test_every_event_is_met_in_wild_games() -> None:
    """The tests above prove a law for every kind of event, not only for the usual ones."""
    seen: Counter[str] = Counter()
    for name, of in TINY.items():
        for number in range(12):
            seen += tally(list(wild_game(of, 2, f"wild {name} {number}", 0.5)))
    of = TINY["wrc11"]
    state, _ = new_game(of, ("Ada", "Bo"), Shuffle("to be abandoned"))
    _, events = apply(state, act.Abandon(0, reason="rain"), Shuffle("to be abandoned"))
    seen.update(type(event).__name__ for event in events)
    every = {kind.__name__ for kind in ev.Event.__args__}
    assert every - set(seen) == {"ShuffleRevealed"}  # It is added by the host, after the game.


def test_fold_of_a_whole_log_read_from_json_is_the_state_after_every_action() -> None:
    """The law in its plainest form: no help from `evolve`, the log so far is folded anew each time."""
    decoder = msgspec.json.Decoder(tuple[ev.Event, ...])
    for name in ("wrc11", "wrc9", "tml", "rummyo"):
        log: list[ev.Event] = []
        for step in wild_game(TINY[name], 2, f"log {name}", 0.3):
            log.extend(step.events)
            assert fold(decoder.decode(msgspec.json.encode(log))) == step.after


def test_r43_leaving_in_a_turn_that_began_with_a_meld_is_a_choice_not_to_meld() -> None:
    """What was drawn in the turn before counts once the next turn has begun: 200 is charged and not 100."""
    of = book("wrc11")
    tens = [of.tiles.tile(of.tiles.face(colour, 10)) for colour in range(3)]
    state = _position(of, {0: (*tens[:2], 0), 1: (2,)}, tens[2], melded=(False, True))
    for leaves_in_own_turn, charge in ((True, 200), (False, 100)):
        after, _ = apply(state, act.Draw(0), Shuffle("s"))
        if leaves_in_own_turn:
            after, _ = apply(after, act.Draw(1), Shuffle("s"))
        after, _ = apply(after, act.Withdraw(0), Shuffle("s"))
        after, _ = apply(after, act.Withdraw(1), Shuffle("s"))
        assert after.result is not None
        smallest = sum(of.values[face] for face in after.faces(after.racks[1]))
        assert after.result.scores == (smallest - charge, 0)


def _position(of: RuleBook, racks: dict[int, tuple[int, ...]], top: int, **changes: object) -> State:
    """A position at the start of a game: these racks, one tile on top of the pool, all others below it."""
    names = ("Ada", "Bo", "Chi", "Dee")[: len(racks)]
    state, _ = new_game(of, names, Shuffle("position"), starter=0)
    used = {top, *(tile for rack in racks.values() for tile in rack)}
    pool = (top, *(tile for tile in range(of.tiles.size) if tile not in used))
    dealt = tuple(tuple(sorted(racks[seat])) for seat in range(len(racks)))
    return replace(state, racks=dealt, pool=pool, **changes)
