"""Deals are mirrored, a fixture is one game and no other, and what is counted is what happened."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

import msgspec
import pytest

import meldroom
from meldroom.arena import ArenaError, read
from meldroom.arena.bots import check
from meldroom.arena.chunks import Finished, chunks, fixtures, games_in, play_chunk, record_name
from meldroom.arena.experiment import Entrant, to_json
from meldroom.arena.game import Fixture, PlayedGame, play
from meldroom.arena.reporting.latency import Times
from meldroom.bots import Bot, Clock, make_bot
from meldroom.game import commitment
from meldroom.game import events as ev
from meldroom.game.actions import Action, Discard, Take
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from tests.arena.small import TABLES, small

ROOT = Path(__file__).resolve().parents[2]
EXPERIMENT = read(TABLES)
BOOK = EXPERIMENT.books[0].book()


@pytest.fixture(scope="module")
def games() -> list[PlayedGame]:
    return [play(EXPERIMENT, BOOK, Fixture(0, 0, 1, rotation)) for rotation in range(3)]


def dealt(game: PlayedGame) -> ev.Dealt:
    return next(event for event in game.game.events if isinstance(event, ev.Dealt))


def test_every_rotation_of_a_deal_has_the_same_tiles(games: list[PlayedGame]) -> None:
    assert len({(dealt(game).racks, dealt(game).pool) for game in games}) == 1
    other = play(EXPERIMENT, BOOK, Fixture(0, 0, 0, 0))
    assert dealt(other).pool != dealt(games[0]).pool


def test_everybody_sits_in_every_seat_and_seat_one_starts(games: list[PlayedGame]) -> None:
    by_seat = zip(*([seat.place for seat in game.row.seats] for game in games), strict=True)
    assert [sorted(places) for places in by_seat] == [[0, 1, 2]] * 3
    assert {game.game.state.starter for game in games} == {0}
    assert [game.game.state.players[0] for game in games] == ["patient", "tournament 1", "tournament 2"]


def test_the_same_fixture_is_the_same_game(games: list[PlayedGame]) -> None:
    again = play(EXPERIMENT, BOOK, Fixture(0, 0, 1, 2))
    assert again.game.events == games[2].game.events
    assert again.row == games[2].row


def test_waits_and_the_pool_are_counted_as_they_happened(games: list[PlayedGame]) -> None:
    for game in games:
        waits, longest = [0, 0, 0], [0, 0, 0]
        for event in game.game.events:
            if isinstance(event, ev.Drew | ev.Passed):
                waits[event.seat] += 1
                longest[event.seat] = max(longest[event.seat], waits[event.seat])
            elif isinstance(event, ev.Laid):
                waits[event.seat] = 0
        assert [seat.longest_wait for seat in game.row.seats] == longest
        assert max(longest) > min(longest)
        assert game.row.pool == len(game.game.state.pool)


def test_a_bots_seed_does_not_give_the_deal_away(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[str] = []

    def seated(entrant: Entrant, book: RuleBook, seed: str) -> tuple[Bot, Clock]:
        seeds.append(seed)
        return make_bot("tournament", book), Clock()

    monkeypatch.setattr("meldroom.arena.game.seated", seated)
    game = play(EXPERIMENT, BOOK, Fixture(0, 0, 0, 0))
    assert len(set(seeds)) == 3
    assert all(len(seed) == 64 and commitment(seed) != game.game.state.commitment for seed in seeds)


def test_line_ups_and_variants_share_the_deals_of_a_book() -> None:
    experiment = small(books=["wrc11", {"id": "wrc11", "options": {"joker_reuse": "any_set"}}])
    racks = [
        dealt(play(experiment, experiment.books[book].book(), Fixture(book, line_up, 0, 0))).racks
        for book in range(2)
        for line_up in range(2)
    ]
    assert len(set(racks)) == 1


def test_what_is_counted_is_what_the_events_say(games: list[PlayedGame]) -> None:
    for game in games:
        for number, seat in enumerate(game.row.seats):
            began, opened = -1, None
            for event in game.game.events:
                if isinstance(event, ev.TurnBegan) and event.seat == number:
                    began += 1
                if isinstance(event, ev.Laid) and event.seat == number and opened is None:
                    opened = began
            laid = [len(e.tiles) for e in game.game.events if isinstance(e, ev.Laid) and e.seat == number]
            assert (seat.opened, seat.plays, seat.tiles) == (opened, len(laid), sum(laid))
            assert seat.left == len(game.game.state.racks[number])
            assert len(game.seconds[number]) == seat.turns
        assert game.row.turns == sum(isinstance(event, ev.TurnBegan) for event in game.game.events)


def test_chunks_hold_every_game_once_whatever_their_size() -> None:
    experiment = small(deals=1000)
    cut = chunks(experiment)
    assert len(cut) > 6
    assert sum(games_in(experiment, chunk) for chunk in cut) == experiment.games
    played = [fixture for chunk in cut for fixture in fixtures(experiment, chunk)]
    assert len({msgspec.structs.astuple(fixture) for fixture in played}) == len(played) == experiment.games


def test_books_and_line_ups_take_turns_so_that_time_left_can_be_told() -> None:
    begun = [(chunk.book, chunk.line_up) for chunk in chunks(read({**small_long(), "deals": 1000}))]
    assert max(len(list(same)) for _, same in groupby(begun)) <= 2


def small_long() -> dict[str, object]:
    return {"books": ["wrc11", "tml"], "bots": ["tournament", "patient", "beginner"], "seed": 1}


def test_unmirrored_deals_move_the_seats_from_deal_to_deal() -> None:
    experiment = read({**TABLES, "mirrored": False, "deals": 5})
    (chunk,) = chunks(experiment)
    assert [fixture.rotation for fixture in fixtures(experiment, chunk)] == [0, 1, 2, 0, 1]


def test_records_have_names_of_their_own() -> None:
    experiment = small()
    names = {
        record_name(experiment, fixture)
        for chunk in chunks(experiment)
        for fixture in fixtures(experiment, chunk)
    }
    assert len(names) == experiment.games
    assert "02-dry/03-points-patient/000000-1.meld" in names


def test_a_chunk_is_a_pure_function_but_for_its_times() -> None:
    configuration = to_json(EXPERIMENT, meldroom.__version__)
    first, second = (
        msgspec.msgpack.decode(play_chunk(configuration, 0, True, meldroom.__version__), type=Finished)
        for _ in range(2)
    )
    assert (first.rows, first.records) == (second.rows, second.records)
    assert first.times["patient"].count == second.times["patient"].count > 0


def test_a_worker_of_another_version_is_refused() -> None:
    with pytest.raises(ArenaError, match="install the same version everywhere"):
        play_chunk(to_json(EXPERIMENT, "9.9"), 0, False, "9.9")


class Swapper:
    """Takes the last discard and gives it back: a game of such players never ends."""

    def act(self, view: View, clock: Clock) -> Action:
        assert view.me is not None
        if view.phase == "take":
            return Take(view.me, source="discard")
        return Discard(view.me, tile=view.rack[-1])


def test_a_game_that_never_ends_is_abandoned_and_nobody_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meldroom.arena.game.seated", lambda entrant, book, seed: (Swapper(), Clock()))
    experiment = small(books=["rummyo"])
    game = play(experiment, experiment.books[0].book(), Fixture(0, 0, 0, 0), most_turns=30)
    assert game.row.end == "abandoned"
    assert game.row.winners == 0
    assert max(seat.turns for seat in game.row.seats) == 30


class Faulty:
    """A bot of our own with a mistake in it."""

    def act(self, view: View, clock: Clock) -> Action:
        raise ZeroDivisionError("a mistake")


def test_a_fault_in_a_bot_of_ours_names_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meldroom.arena.game.seated", lambda entrant, book, seed: (Faulty(), Clock()))
    with pytest.raises(ArenaError, match=r"patient failed in tml, .* deal 1, rotation 0: ZeroDivisionError"):
        play(EXPERIMENT, BOOK, Fixture(0, 0, 1, 0))


def test_bots_that_cannot_play_are_refused_before_the_first_game() -> None:
    check(EXPERIMENT)
    bad = small(bots={"tiles": {"level": "tournament"}, "gone": {"command": [sys.executable, "-c", "pass"]}})
    with pytest.raises(ArenaError, match=r"^bots\.gone: cannot play wrc11"):
        check(bad)
    check(bad, programs=False)


def test_a_program_takes_a_seat_like_anybody_else() -> None:
    program = {"command": [sys.executable, str(ROOT / "examples/bots/greedy_bot.py")], "seconds": 20}
    experiment = small(books=["tml"], bots={"mine": program, "tournament": {}}, deals=1)
    book = experiment.books[0].book()
    check(experiment)
    game = play(experiment, book, Fixture(0, 0, 0, 1))
    assert [seat.faults for seat in game.row.seats] == [0, 0]
    assert game.game.state.players == ("tournament", "mine")


def test_percentiles_of_times_are_known_to_two_per_cent() -> None:
    taken = [number / 1000 for number in range(1, 1001)]
    one, other = Times(), Times()
    one.add(taken[::2])
    other.add(taken[1::2])
    one.merge(other)
    assert (one.count, one.longest) == (1000, 1.0)
    assert one.mean == pytest.approx(0.5005)
    assert 0.99 <= one.percentile(0.99) <= 0.99 * 1.021
    assert Times().percentile(0.99) == Times().mean == 0
