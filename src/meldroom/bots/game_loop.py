"""The game loop: whoever is to move is asked, the answer is judged, observers are told.

Arena, environments, terminal and demonstration all drive a `Game`; `play_game` drives one to its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from time import perf_counter
from typing import NamedTuple

from meldroom.bots.answers import MOST_ANSWERS, apply_answer, carry_out, lose
from meldroom.bots.interface import Bot, Clock, Closes, MakeBot, WantsResult
from meldroom.bots.levels import LevelBot
from meldroom.bots.levels import bot as of_level
from meldroom.bots.stdio.failure import BotFailure
from meldroom.game import ActionError, Shuffle, State, View, apply, new_game, new_secret, reveal, view
from meldroom.game.actions import Abandon, Action, Resign
from meldroom.game.events import Event
from meldroom.record import Record
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BookLike, find_book
from meldroom.solver.kernel.mode import say_if_slow

NO_CLOCK = Clock()
ENDLESS = "the game does not end"
"""Why a game is abandoned at its turn limit."""


class Step(NamedTuple):
    """One action and what it led to. `action` is None for a bot that had no answer in time.

    `seconds` is how long a bot took to answer; 0 where nobody measured. `fault` says what was wrong with the
    last answer of a bot that loses the game for it; its action is then to resign (R68).
    """

    before: State
    action: Action | None
    after: State
    events: tuple[Event, ...]
    seconds: float
    fault: str = ""


class Observer:
    """Watches a game, everything open. Override what you need; observers change nothing."""

    def before(self, state: State, events: tuple[Event, ...]) -> None:
        """The tiles are dealt; these events led here."""

    def step(self, step: Step) -> None:
        """An action was carried out."""

    def after(self, state: State) -> None:
        """The game is over."""


class Game:
    """A game in progress: its state, its log and its shuffle, which no bot may see, and its observers."""

    def __init__(
        self,
        book: RuleBook,
        players: Sequence[str],
        shuffle: Shuffle,
        *,
        starter: int | None = None,
        game: int = 1,
        observers: Sequence[Observer] = (),
    ) -> None:
        """Deals. Raises ActionError for players the book cannot seat."""
        self.shuffle = shuffle
        self.observers = tuple(observers)
        self.state, events = new_game(book, players, shuffle, starter=starter, game=game)
        self.events: list[Event] = list(events)
        for observer in self.observers:
            observer.before(self.state, events)

    @property
    def over(self) -> bool:
        """True when the game has ended."""
        return self.state.over

    def view(self, seat: int | None = None) -> View:
        """What a seat may see; the seat to move unless another is named."""
        return view(self.state, self.state.seat if seat is None else seat)

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Carry out an action. Raises ActionError; nothing has happened then."""
        return self._advance(action, apply(self.state, action, self.shuffle))

    def apply_answer(self, action: Action | None, seconds: float = 0.0) -> tuple[Event, ...]:
        """Carry out the last answer of a bot, or what follows from it (see the function of the same name)."""
        return self._advance(action, apply_answer(self.state, action, self.shuffle), seconds)

    def ask(self, bot: Bot, clock: Clock = NO_CLOCK) -> tuple[Event, ...]:
        """Ask a bot for the action of the seat to move, and carry it out.

        A bot whose answer is no move is asked again, `MOST_ANSWERS` times in all, and then loses the game
        (R68). A bot that fails without an answer is out of time. Only BotFailure counts as a failure: a fault
        in a bot of our own must be seen.
        """
        start = perf_counter()
        fault = ""
        for _ in range(MOST_ANSWERS):
            try:
                action: Action | None = bot.act(self.view(), clock)
            except BotFailure as failure:
                if failure.loses:
                    fault = failure.message()
                    break
                return self._advance(None, carry_out(self.state, None, self.shuffle), perf_counter() - start)
            try:
                if action is None:
                    raise ActionError("no_move", "action")
                led_to = carry_out(self.state, action, self.shuffle)
            except ActionError as error:
                fault = error.message()
                continue
            return self._advance(action, led_to, perf_counter() - start)
        seat = self.state.seat
        return self._advance(
            Resign(seat), lose(self.state, self.shuffle), perf_counter() - start, " ".join(fault.split())
        )

    def play_out(
        self, bots: Sequence[Bot], clocks: Sequence[Clock] | None = None, *, most_turns: int | None = None
    ) -> None:
        """Ask the bots, one for each seat, until the game is over, then tell them how it ended.

        A game in which a player has had `most_turns` turns is abandoned: bots could swap discards for ever.
        """
        while not self.over:
            seat = self.state.seat
            if most_turns is not None and self.state.turns[seat] >= most_turns:
                self.apply(Abandon(seat, reason=ENDLESS))
            else:
                self.ask(bots[seat], clocks[seat] if clocks is not None else NO_CLOCK)
        for seat, bot in enumerate(bots):
            if isinstance(bot, WantsResult):
                bot.game_over(self.view(seat))

    def record(self, *, clock: int | None = None, tags: Mapping[str, str] | None = None) -> Record:
        """The finished game as a record, its shuffle revealed. Raises ActionError before the end."""
        return Record.of((*self.events, reveal(self.state, self.shuffle)), clock=clock, tags=tags)

    def _advance(
        self,
        action: Action | None,
        led_to: tuple[State, tuple[Event, ...]],
        seconds: float = 0.0,
        fault: str = "",
    ) -> tuple[Event, ...]:
        before = self.state
        self.state, events = led_to
        self.events += events
        for observer in self.observers:
            observer.step(Step(before, action, self.state, events, seconds, fault))
        if self.over:
            for observer in self.observers:
                observer.after(self.state)
        return events


def play_game(
    book: RuleBook,
    bots: Sequence[Bot],
    shuffle: Shuffle,
    *,
    players: Sequence[str] | None = None,
    starter: int | None = None,
    game: int = 1,
    clock: Clock = NO_CLOCK,
    observers: Sequence[Observer] = (),
) -> Game:
    """A whole game between bots that sit in their seats already."""
    say_if_slow()
    names = players or [f"Bot {seat + 1}" for seat in range(len(bots))]
    played = Game(book, names, shuffle, starter=starter, game=game, observers=observers)
    played.play_out(bots, [clock] * len(bots))
    return played


def play(
    book: BookLike,
    bots: Sequence[Bot | MakeBot | str],
    *,
    seed: str | int | None = None,
    players: Sequence[str] | None = None,
    starter: int | None = None,
    clock: Clock = NO_CLOCK,
    observers: Sequence[Observer] = (),
) -> Record:
    """A whole game as a record that verifies. The same seed gives the same game; without one it is random.

    A player is a bot of the ladder (`bot("club")`, or just its level), a function that makes a bot from a
    book and a seed, or a bot that sits here already. Bots made here are closed afterwards.

    >>> from meldroom.record import verify
    >>> record = play("wrc11", ["beginner", "beginner"], seed=7)
    >>> record.headers.players, verify(record).ok
    (('beginner 1', 'beginner 2'), True)

    Raises BookError, BotError, and ActionError for a number of players the book does not allow.
    """
    say_if_slow()
    rules = find_book(book)
    seats = [of_level(each) if isinstance(each, str) else each for each in bots]
    shuffle = Shuffle(new_secret() if seed is None else str(seed))
    names = players or _names(seats)
    played = Game(rules, names, shuffle, starter=starter, observers=observers)
    with ExitStack() as closing:
        sitting: list[Bot] = []
        for seat, each in enumerate(seats):
            if isinstance(each, LevelBot) or not hasattr(each, "act"):
                # The seed of a bot follows from what is public: with the secret it could know the pool.
                made = each(rules, f"{played.state.commitment} {seat}")
                if isinstance(made, Closes):
                    closing.callback(made.close)
                sitting.append(made)
            else:
                sitting.append(each)
        played.play_out(sitting, [clock] * len(sitting))
    return played.record(tags={"bots": ", ".join(map(_name, seats))})


def _name(player: Bot | MakeBot) -> str:
    """What a player is called in a record: its level, or the name of what it is."""
    return str(player) if isinstance(player, LevelBot) else getattr(player, "name", type(player).__name__)


def _names(players: Sequence[Bot | MakeBot]) -> list[str]:
    """Names by seat, numbered where two would be the same."""
    names = [_name(player) for player in players]
    return [
        f"{name} {names[: seat + 1].count(name)}" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    ]
