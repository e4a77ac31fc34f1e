"""Bots at one table: whatever a bot answers, the game goes on by the book."""

from __future__ import annotations

import itertools

import pytest

from meldroom.bots import Bot, Clock, Game, Observer, Step, bot, make_bot, play, play_game
from meldroom.bots.answers import MOST_ANSWERS, apply_answer
from meldroom.bots.stdio import BotFailure
from meldroom.bots.stdio.failure import FailureCode
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
from meldroom.game.actions import Action, Resign
from meldroom.game.events import Drew, Event, GameEnded, Laid, Penalised, Resigned, TimedOut
from meldroom.record import verify
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book
from meldroom.tiles import Tile

WRC11 = book("wrc11")
SHUFFLE = Shuffle("a game")
STATE, _ = new_game(WRC11, ["Ada", "Bo"], SHUFFLE, starter=0)


class Answers:
    """Gives its answers in turn, the last one for ever, and remembers how its game ended."""

    def __init__(self, *answers: Action | BotFailure | Exception | None) -> None:
        self.answers = answers
        self.asked = 0
        self.last: View | None = None

    def act(self, view: View, clock: Clock) -> Action:
        """The next answer it was made with, whatever it is."""
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[return-value]

    def game_over(self, view: View) -> None:
        """Remembers."""
        self.last = view


def kinds(action: Action | None) -> list[str]:
    """What happened, by kind of event."""
    return [type(event).__name__ for event in apply_answer(STATE, action, SHUFFLE)[1]]


def test_a_legal_action_is_carried_out() -> None:
    assert kinds(Draw(0)) == ["Drew", "TurnBegan"]


def test_no_answer_is_the_end_of_its_time() -> None:
    assert kinds(None) == ["TimedOut", "Drew", "TurnBegan"]


FOUL = TimeOut(0, table=((STATE.racks[0][0],),))
ILLEGAL = [
    Draw(1),
    Draw(-1),
    Lay(1, table=()),
    Lay(0, table=((Tile(999),),)),
    Lay(0, table=((STATE.racks[0][0], STATE.racks[0][1]),)),
    Abandon(0, reason="I am losing"),
    Correct(0, reason="I like jokers"),
]


@pytest.mark.parametrize("action", ILLEGAL)
def test_r68_an_illegal_answer_is_never_a_move_and_loses_the_game(action: Action) -> None:
    assert kinds(action) == ["Resigned", "GameEnded"]


@pytest.mark.parametrize("book_id", ["wrc11", "tml"])
def test_r68_a_deliberate_foul_is_an_action_of_its_own_where_the_penalty_is_printed(book_id: str) -> None:
    for conduct, wanted in (
        ("printed", ["TimedOut", "Penalised", "TurnBegan"]),
        ("competition", ["Resigned", "GameEnded"]),
    ):
        state, _ = new_game(book(book_id, {"conduct": conduct}), ("Ada", "Bo"), SHUFFLE, starter=0)
        foul = TimeOut(0, table=((state.racks[0][0],),))
        _, events = apply_answer(state, foul, SHUFFLE)
        assert [type(event).__name__ for event in events] == wanted


@pytest.mark.parametrize("action", [*ILLEGAL, None])
def test_r68_a_bot_is_asked_again_and_then_loses(action: Action | None) -> None:
    bot, notes = Answers(action), Notes()
    game = Game(WRC11, ("Ada", "Bo"), SHUFFLE, starter=0, observers=[notes])
    game.ask(bot)
    assert bot.asked == MOST_ANSWERS
    result = game.state.result
    assert result is not None
    assert (result.end, result.winners) == ("resigned", (1,))
    assert notes.steps[0].fault
    assert notes.steps[0].action == Resign(0)


def test_r68_a_bot_that_finds_a_legal_answer_in_time_goes_on() -> None:
    game = Game(WRC11, ("Ada", "Bo"), SHUFFLE, starter=0)
    game.ask(Answers(Draw(1), Lay(0, table=()), Draw(0)))
    assert [type(event).__name__ for event in game.events[-2:]] == ["Drew", "TurnBegan"]


def test_r68_a_bot_that_lost_is_out_and_the_others_play_on() -> None:
    bots = [Answers(Lay(0, table=())), *(make_bot("beginner", WRC11, seed=str(n)) for n in range(2))]
    game = play_game(WRC11, bots, SHUFFLE, starter=0)
    assert game.state.result is not None
    assert 0 not in game.state.result.winners
    assert game.state.result.end != "resigned"
    assert game.state.turns[0] == 0


@pytest.mark.parametrize("level", ["beginner", "patient"])
def test_r68_bots_of_the_ladder_lay_where_they_must(level: str) -> None:
    """Where those who can lay must, a pass would be an illegal answer."""
    of = book("tml", {"must_play_if_able": True})
    for number in range(3):
        bots = [make_bot(level, of, seed=str(seat)) for seat in range(2)]
        game = play_game(of, bots, Shuffle(f"must {number}"))
        assert not any(isinstance(event, TimedOut | Resigned) for event in game.events)


@pytest.mark.parametrize(("code", "end"), [("late", None), ("ended", None), ("refused", 1), ("errors", 1)])
def test_r68_a_bot_that_answers_is_not_one_that_is_late(code: FailureCode, end: int | None) -> None:
    game = Game(WRC11, ("Ada", "Bo"), SHUFFLE, starter=0)
    game.ask(Answers(BotFailure(code, "20")))
    assert game.over == (end is not None)
    if game.state.result is not None:
        assert game.state.result.winners == (end,)
    with pytest.raises(ZeroDivisionError):
        Game(WRC11, ("Ada", "Bo"), SHUFFLE, starter=0).ask(Answers(ZeroDivisionError()))


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
