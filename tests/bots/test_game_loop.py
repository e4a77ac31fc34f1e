"""Bots at one table: whatever a bot answers, the game goes on by the book."""

from __future__ import annotations

import itertools

import pytest

from meldroom.bots import Bot, Clock, Game, Observer, Step, bot, play, play_game
from meldroom.bots.answers import apply_answer
from meldroom.bots.game_loop import ask
from meldroom.bots.stdio import BotFailure
from meldroom.game import (
    Abandon,
    ActionError,
    Correct,
    Draw,
    Lay,
    Shuffle,
    State,
    TimeOut,
    View,
    fold,
    new_game,
    view,
)
from meldroom.game.actions import Action
from meldroom.game.events import Drew, Event, GameEnded, Laid, Penalised, TimedOut
from meldroom.record import verify
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book
from meldroom.tiles import Tile

WRC11 = book("wrc11")
SHUFFLE = Shuffle("a game")
STATE, _ = new_game(WRC11, ["Ada", "Bo"], SHUFFLE, starter=0)


class Answers:
    """Gives one answer, and remembers how its game ended."""

    def __init__(self, answer: Action | BotFailure | Exception) -> None:
        self.answer = answer
        self.last: View | None = None

    def act(self, view: View, clock: Clock) -> Action:
        """The answer it was made with, for its own seat."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def game_over(self, view: View) -> None:
        """Remembers."""
        self.last = view


def kinds(action: Action | None) -> list[str]:
    """What happened, by kind of event."""
    return [type(event).__name__ for event in apply_answer(STATE, action, SHUFFLE)[1]]


def test_a_legal_action_is_carried_out() -> None:
    assert kinds(Draw(0)) == ["Drew", "TurnBegan"]


@pytest.mark.parametrize(
    "action",
    [
        None,
        Draw(1),
        Draw(-1),
        Lay(1, table=()),
        Lay(0, table=((Tile(999),),)),
        Abandon(0, reason="I am losing"),
        Correct(0, reason="I like jokers"),
    ],
)
def test_what_a_seat_may_not_do_is_the_end_of_its_time(action: Action | None) -> None:
    assert kinds(action) == ["TimedOut", "Drew", "TurnBegan"]


def test_an_illegal_table_is_judged_as_it_lies() -> None:
    rack = STATE.racks[0]
    assert kinds(Lay(0, table=((rack[0], rack[1]),))) == ["TimedOut", "Penalised", "TurnBegan"]


def test_a_failed_bot_leaves_its_table_behind() -> None:
    left = TimeOut(0, table=((STATE.racks[0][0],),))
    assert ask(Answers(BotFailure("late", "1", left=left)), STATE, Clock()) == left
    assert ask(Answers(BotFailure("ended")), STATE, Clock()) is None
    with pytest.raises(ZeroDivisionError):
        ask(Answers(ZeroDivisionError()), STATE, Clock())


def test_every_bot_that_wants_to_know_is_told_how_the_game_ended() -> None:
    bots = [Answers(BotFailure("ended")), Answers(BotFailure("ended"))]
    game = play_game(WRC11, bots, SHUFFLE)
    state, events = game.state, game.events
    assert isinstance(events[-1], GameEnded)
    assert not any(isinstance(event, Laid | Penalised) for event in events)
    assert sum(isinstance(event, TimedOut) for event in events) >= sum(isinstance(e, Drew) for e in events)
    for seat, listener in enumerate(bots):
        assert listener.last == view(state, seat)
        assert listener.last.racks == state.racks


class Notes(Observer):
    """Writes down every call."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.steps: list[Step] = []
        self.first: State | None = None
        self.last: State | None = None

    def before(self, state: State, events: tuple[Event, ...]) -> None:
        self.calls.append("before")
        self.first = fold(events)

    def step(self, step: Step) -> None:
        self.calls.append("step")
        self.steps.append(step)

    def after(self, state: State) -> None:
        self.calls.append("after")
        self.last = state


def test_observers_see_every_step_from_the_deal_to_the_end() -> None:
    notes = Notes()
    game = play_game(WRC11, [Answers(BotFailure("ended"))] * 2, SHUFFLE, observers=[notes])
    assert notes.calls == ["before", *["step"] * len(notes.steps), "after"]
    assert notes.first == notes.steps[0].before
    for step, following in itertools.pairwise(notes.steps):
        assert step.after == following.before
    assert notes.last == notes.steps[-1].after == game.state
    told = [event for step in notes.steps for event in step.events]
    assert told == game.events[-len(told) :]
    assert all(step.action is None and step.seconds > 0 for step in notes.steps)


def test_a_refused_action_is_no_step() -> None:
    notes = Notes()
    game = Game(WRC11, ["Ada", "Bo"], SHUFFLE, starter=0, observers=[notes])
    before, events = game.state, list(game.events)
    with pytest.raises(ActionError):
        game.apply(Draw(1))
    assert (game.state, game.events, notes.steps) == (before, events, [])
    game.apply(Draw(0))
    assert [step.action for step in notes.steps] == [Draw(0)]


def test_a_whole_game_is_a_record_that_verifies() -> None:
    record = play("wrc11", [bot("club"), "beginner"], seed=7)
    assert verify(record).ok
    assert record.headers.players == ("club", "beginner")
    assert record == play("wrc11", ["club", bot("beginner")], seed="7")
    assert record != play("wrc11", ["club", "beginner"], seed=8)


def test_bots_made_for_a_game_get_public_seeds_and_are_closed() -> None:
    made: list[Closing] = []

    def make(rules: RuleBook, seed: str) -> Bot:
        made.append(Closing(seed))
        return made[-1]

    record = play("wrc11", [make, make], seed="a secret", players=["Ada", "Bo"])
    assert record.headers.players == ("Ada", "Bo")
    assert [bot.closed for bot in made] == [True, True]
    assert len({bot.seed for bot in made}) == 2
    assert all("a secret" not in bot.seed for bot in made)


class Closing(Answers):
    """Fails at every turn, and can be closed."""

    def __init__(self, seed: str) -> None:
        super().__init__(BotFailure("ended"))
        self.seed = seed
        self.closed = False

    def close(self) -> None:
        self.closed = True


def test_a_game_without_end_is_abandoned() -> None:
    game = Game(WRC11, ["Ada", "Bo"], SHUFFLE, starter=0)
    game.play_out([Answers(BotFailure("ended"))] * 2, most_turns=3)
    assert game.state.result is not None
    assert game.state.result.end == "abandoned"
    assert game.state.turns == (3, 3)
