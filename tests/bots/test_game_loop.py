"""Bots at one table: whatever a bot answers, the game goes on by the book."""

from __future__ import annotations

import pytest

from meldroom.bots import Clock, play_game
from meldroom.bots.game_loop import answer, judged, tell_over
from meldroom.bots.stdio import BotFailure
from meldroom.game import Abandon, Correct, Draw, Lay, Shuffle, TimeOut, View, new_game, view
from meldroom.game.actions import Action
from meldroom.game.events import Drew, GameEnded, Laid, Penalised, TimedOut
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
    return [type(event).__name__ for event in judged(STATE, action, SHUFFLE)[1]]


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
    assert answer(Answers(BotFailure("late", "1", left=left)), STATE, Clock()) == left
    assert answer(Answers(BotFailure("ended")), STATE, Clock()) is None
    with pytest.raises(ZeroDivisionError):
        answer(Answers(ZeroDivisionError()), STATE, Clock())


def test_every_bot_that_wants_to_know_is_told_how_the_game_ended() -> None:
    bots = [Answers(BotFailure("ended")), Answers(BotFailure("ended"))]
    state, events = play_game(WRC11, bots, SHUFFLE)
    assert isinstance(events[-1], GameEnded)
    assert not any(isinstance(event, Laid | Penalised) for event in events)
    assert sum(isinstance(event, TimedOut) for event in events) >= sum(isinstance(e, Drew) for e in events)
    for seat, bot in enumerate(bots):
        assert bot.last == view(state, seat)
        assert bot.last.racks == state.racks
    tell_over([], state)
