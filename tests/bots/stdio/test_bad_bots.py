"""No bot can do more to a game than lose its own turns, or the game for itself: bad bots play whole games."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from meldroom.bots import Clock, make_bot
from meldroom.bots.stdio import BotFailure, Limits, StdioBot, player
from meldroom.bots.stdio.process import STDERR_KEPT, BotProcess
from meldroom.game import Event, Shuffle, new_game, view
from meldroom.game.events import Drew, Laid, Penalised, Resigned, TimedOut, Withdrew
from meldroom.rules.library import book
from tests.bots.stdio.tables import Fails, Waits, bad_bot, of_seat, verified_game

WRC11 = book("wrc11")
SHORT = Limits(late_turns=2, restarts=1)

# No answer of these ever stands: the game is the one against somebody who never answers.
USELESS = (
    "crashes",
    "hangs",
    "late",
    "prints_garbage",
    "not_utf8",
    "no_object",
    "wrong_types",
    "future_ids",
    "old_ids",
    "deep_nesting",
    "enormous",
    "endless_line",
    "floods_stdout",
    "floods_stderr",
    "half_a_line",
    "closes_stdout",
    "closes_everything",
    "leaves_a_child",
    "too_many_tiles",
    "illegal_then_silent",
)
# They answer, again and again, with what is no move: that loses the game.
ILLEGAL = (
    "another_seat",
    "foreign_tiles",
    "same_tile_often",
    "no_tiles",
    "referee",
    "illegal",
    "clears_the_table",
)
NEVER_START = ("silent", "crashes_at_once", "wrong_version", "greets_with_garbage")
# Clumsy, but every turn ends with a good answer: the game is the one against somebody who always draws.
GOOD_IN_THE_END = ("answers_twice", "letter_by_letter", "chatty", "illegal_then_draws", "never_quits")
# Some turns are lost, some are not.
HALF_GOOD = ("closes_stdin", "floods_between_turns")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The processes that were started; afterwards none of them, or of their children, is left."""
    numbers: list[int] = []

    class Watched(BotProcess):
        def __init__(self, *words: object, **more: object) -> None:
            super().__init__(*words, **more)  # type: ignore[arg-type]
            numbers.append(self.pid)

    monkeypatch.setattr(player, "BotProcess", Watched)
    before = open_descriptors()
    yield numbers
    assert numbers
    assert open_descriptors() == before
    for number in numbers:
        with pytest.raises(ChildProcessError):
            os.waitpid(number, os.WNOHANG)
        assert gone(number)


def open_descriptors() -> set[str]:
    """The numbers of this process's open files."""
    return {path.name for path in Path("/dev/fd").iterdir() if path.exists()}


def gone(group: int) -> bool:
    """True once nothing of a process group is left; a killed child may take a moment to be reaped."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


@cache
def game_against(kind: type[Fails | Waits]) -> list[Event]:
    """The game of `tournament` against one of our own simple bots."""
    return verified_game(WRC11, [kind(), make_bot("tournament", WRC11)])[1]


def game_of(bot: StdioBot) -> list[Event]:
    """The same game against a bot in another process; the other seat never suffers."""
    try:
        state, events = verified_game(WRC11, [bot, make_bot("tournament", WRC11)])
    finally:
        bot.close()
    assert not of_seat(events, 1, TimedOut, Penalised, Withdrew)
    assert state.over
    return events


@pytest.mark.parametrize("name", USELESS)
def test_a_bot_that_never_answers_well_only_runs_out_of_time(name: str, started: list[int]) -> None:
    bot = StdioBot(bad_bot(name), WRC11, seconds=0.05, limits=SHORT)
    assert game_of(bot) == game_against(Fails)
    assert 1 <= len(started) <= 2
    assert bot.failures["given_up"] or bot.failures["errors"] or bot.failures["refused"]


@pytest.mark.parametrize("name", NEVER_START)
def test_a_bot_that_never_starts_only_runs_out_of_time(name: str, started: list[int]) -> None:
    bot = StdioBot(bad_bot(name), WRC11, seconds=0.1, limits=Limits(start_seconds=0.5, restarts=1))
    assert game_of(bot) == game_against(Fails)
    assert bot.failures["start"] == len(started) == 2


@pytest.mark.parametrize("name", GOOD_IN_THE_END)
def test_a_clumsy_bot_plays_its_whole_game(name: str, started: list[int]) -> None:
    bot = StdioBot(bad_bot(name), WRC11, seconds=30)
    assert game_of(bot) == game_against(Waits)
    assert not bot.failures
    assert len(started) == 1


@pytest.mark.parametrize("name", HALF_GOOD)
def test_a_bot_that_fails_after_an_answer_keeps_that_answer(name: str, started: list[int]) -> None:
    bot = StdioBot(bad_bot(name), WRC11, seconds=2, limits=SHORT)
    events = game_of(bot)
    lost, drew = of_seat(events, 0, TimedOut), of_seat(events, 0, Drew)
    assert lost
    assert len(drew) > len(lost)
    assert bot.failures["given_up"]


@pytest.mark.parametrize("name", ILLEGAL)
@pytest.mark.parametrize("strict", [False, True])
def test_r68_a_bot_that_answers_only_illegally_loses_the_game(
    name: str, strict: bool, started: list[int]
) -> None:
    """Also under a book that penalises a person at once: an illegal answer is never a move."""
    rules = book("wrc11", {"strict_declare": strict})
    bot = StdioBot(bad_bot(name), rules, seconds=30)
    try:
        state, events = verified_game(rules, [bot, make_bot("tournament", rules)])
    finally:
        bot.close()
    assert of_seat(events, 0, Resigned)
    assert not of_seat(events, 0, Laid, Drew, Penalised, TimedOut)
    assert state.result is not None
    assert (state.result.end, state.result.winners) == ("resigned", (1,))
    assert bot.failures["refused"] + bot.failures["errors"] == 1


def test_r68_a_deliberate_foul_is_offered_as_printed_and_not_in_competition(started: list[int]) -> None:
    for conduct, events_of in (("printed", Penalised), ("competition", Resigned)):
        rules = book("wrc11", {"conduct": conduct})
        with StdioBot(bad_bot("fouls"), rules, seconds=30) as bot:
            _, events = verified_game(rules, [bot, make_bot("tournament", rules)])
        assert of_seat(events, 0, events_of)
        if conduct == "printed":
            assert not bot.failures


def test_a_bot_may_withdraw(started: list[int]) -> None:
    with StdioBot(bad_bot("withdraws"), WRC11, seconds=30) as bot:
        state, _ = verified_game(WRC11, [bot, make_bot("tournament", WRC11)])
    assert state.withdrawn == (True, False)


def test_memory_can_be_limited(started: list[int]) -> None:
    bot = StdioBot(bad_bot("eats_memory"), WRC11, seconds=30, limits=SHORT, memory_bytes=400_000_000)
    assert game_of(bot) == game_against(Fails)
    assert bot.failures["ended"] == 2


def test_computing_time_can_be_limited(started: list[int]) -> None:
    bot = StdioBot(bad_bot("burns_cpu"), WRC11, seconds=60, limits=Limits(restarts=0), cpu_seconds=1)
    assert game_of(bot) == game_against(Fails)
    assert bot.failures["ended"] == 1


@pytest.mark.parametrize("name", ["crashes", "hangs", "no_object", "floods_stdout"])
def test_rummyo_takes_and_discards_for_a_bot_that_fails(name: str, started: list[int]) -> None:
    rummyo = book("rummyo")
    bot = StdioBot(bad_bot(name), rummyo, seconds=0.05, limits=SHORT)
    try:
        _, events = verified_game(rummyo, [bot, make_bot("tournament", rummyo)])
    finally:
        bot.close()
    assert events == verified_game(rummyo, [Fails(), make_bot("tournament", rummyo)])[1]


def test_r68_an_illegal_answer_in_rummyo_loses_the_game(started: list[int]) -> None:
    rummyo = book("rummyo")
    with StdioBot(bad_bot("another_seat"), rummyo, seconds=30) as bot:
        state, _ = verified_game(rummyo, [bot, make_bot("tournament", rummyo)])
    assert state.result is not None
    assert (state.result.end, state.result.winners) == ("resigned", (1,))


def test_two_bad_bots_do_not_disturb_each_other_or_the_others(started: list[int]) -> None:
    bots = [
        StdioBot(bad_bot(name), WRC11, seconds=0.1, limits=SHORT) for name in ("crashes", "floods_stdout")
    ]
    third = make_bot("tournament", WRC11)
    try:
        _, events = verified_game(WRC11, [*bots, third])
    finally:
        for bot in bots:
            bot.close()
    assert not of_seat(events, 2, TimedOut, Penalised)


def test_a_failure_says_what_happened_and_the_last_that_was_logged(started: list[int]) -> None:
    state, _ = new_game(WRC11, ["Ada", "Bo"], Shuffle("a game"), starter=0)
    bot = StdioBot(bad_bot("crashes"), WRC11, seconds=30)
    with pytest.raises(BotFailure) as caught:
        bot.act(view(state, 0), Clock())
    assert caught.value.code == "ended"
    assert caught.value.written.endswith("very bad")
    assert len(caught.value.written) <= STDERR_KEPT
    assert "fermé ses flux" in caught.value.message("fr")
    bot.close()


@pytest.mark.parametrize("name", NEVER_START)
def test_the_handshake_fails_with_a_clear_word(name: str, started: list[int]) -> None:
    bot = StdioBot(bad_bot(name), WRC11, limits=Limits(start_seconds=0.5))
    with pytest.raises(BotFailure, match="did not start") as caught, bot:
        pass
    told = {
        "silent": "0.5 seconds",
        "crashes_at_once": "no such opening book",
        "wrong_version": "not 99",
        "greets_with_garbage": "not messages",
    }
    assert told[name] in str(caught.value)


@pytest.mark.parametrize("command", ["", [], "no-such-program-anywhere", "an 'unfinished quote"])
def test_a_command_that_is_none_is_told_so(command: str | list[str]) -> None:
    with pytest.raises(BotFailure, match="did not start"), StdioBot(command, WRC11):
        pass
