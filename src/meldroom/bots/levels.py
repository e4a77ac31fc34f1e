"""The ladder: the levels by name, what each thinks, and how one is seated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Literal

import msgspec

from meldroom.bots.errors import BotError
from meldroom.bots.interface import Bot, Clock
from meldroom.game.actions import Action, Pass
from meldroom.game.from_view import state_from_view
from meldroom.game.legal.arrange import find_lay, lay_of
from meldroom.game.views import View
from meldroom.i18n import Language, message
from meldroom.rules.book import Family, RuleBook

Aim = Literal["wins", "score"]

Style = Literal["open", "holds_back", "waits_long"]
"""What to expect of a bot: it lays most of the time when it can, every few turns, or hardly ever."""


class Level(msgspec.Struct, frozen=True):
    """A rung of the ladder, and the parameters it takes.

    `style` says what to expect. `heavy`: where kernels are interpreted, in a browser for one, some of its
    turns take many seconds unless a clock says otherwise. `policy` is the module of either family that plays
    it, where that is shared with other levels. `laying_off` is the level that plays exactly alike where tiles
    are laid off, and stands for it in lists.
    """

    id: str
    style: Style
    parameters: tuple[str, ...] = ()
    heavy: bool = False
    policy: str | None = None
    laying_off: str | None = None

    def name(self, language: Language = "en") -> str:
        """What people call it."""
        return message(f"bots.level.{self.id}.name", language)

    def thinks(self, language: Language = "en", family: Family = "rearranging") -> str:
        """An honest sentence on how it thinks in a family of books."""
        if family == "laying_off":
            return message(f"bots.level.{self.laying_off or self.id}.laying_off", language)
        return message(f"bots.level.{self.id}.thinks", language)

    def label(self, language: Language = "en") -> str:
        """What to expect, in a few words."""
        return message(f"bots.style.{self.style}", language)


LEVELS: dict[str, Level] = {
    level.id: level
    for level in (
        Level("beginner", "open"),
        Level("learner", "open", policy="attentive", laying_off="beginner"),
        Level("improver", "open", policy="attentive", laying_off="regular"),
        Level("casual", "open", policy="attentive", laying_off="regular"),
        Level("family", "open", policy="attentive", laying_off="regular"),
        Level("regular", "open", policy="attentive"),
        Level("keen", "open", policy="attentive", laying_off="regular"),
        Level("skilled", "open", policy="attentive", laying_off="club"),
        Level("club", "open"),
        Level("tournament", "open", ("objective",)),
        Level("expert", "open", policy="sparing", laying_off="tournament"),
        Level("thrifty", "holds_back", policy="sparing"),
        Level("canny", "holds_back", policy="sparing", laying_off="thrifty"),
        Level("squirrel", "holds_back", policy="sparing", laying_off="thrifty"),
        Level("collector", "holds_back", policy="sparing", laying_off="thrifty"),
        Level("patient", "waits_long"),
        Level("strategist", "waits_long", policy="fighting", laying_off="patient"),
        Level("challenger", "waits_long", heavy=True, policy="fighting", laying_off="patient"),
        Level("contender", "waits_long", heavy=True, policy="fighting", laying_off="patient"),
        Level("master", "waits_long", ("aim", "effort"), heavy=True),
    )
}
"""From the weakest to the strongest."""


def listed_as(level: str, book: RuleBook) -> str:
    """The level that stands for this one in lists of a book: where several play alike, one is shown."""
    return (LEVELS[level].laying_off or level) if book.family == "laying_off" else level


def listed_levels(book: RuleBook) -> tuple[str, ...]:
    """The levels that differ in a book, from the weakest to the strongest."""
    return tuple(level for level in LEVELS if listed_as(level, book) == level)


DEFAULT_LEVEL = "regular"
"""The opponent of somebody who has not chosen one."""

CHOICES: dict[str, tuple[str, ...]] = {"objective": ("tiles", "points"), "aim": ("wins", "score")}
MOST_EFFORT = 100


def _check_level(level: str, parameters: Mapping[str, str | int | float]) -> None:
    """Raises BotError for a level or a parameter that does not exist, or a value it cannot have."""
    if level not in LEVELS:
        raise BotError("level", level=level, levels=tuple(LEVELS))
    known = LEVELS[level].parameters
    for parameter, value in parameters.items():
        if parameter not in known:
            code = "parameter" if known else "no_parameters"
            raise BotError(code, level=level, parameter=parameter, known=known)
        choices = CHOICES.get(parameter)
        if choices is None:
            if isinstance(value, str | bool) or not 0 < value <= MOST_EFFORT:
                raise BotError("effort", parameter=parameter, most=MOST_EFFORT)
        elif value not in choices:
            raise BotError("choice", parameter=parameter, known=choices, value=str(value))


class LevelBot(msgspec.Struct, frozen=True):
    """A level of the ladder with its parameters. Called with a book and a seed, it makes a bot."""

    level: str
    parameters: dict[str, str | int | float] = {}

    def __call__(self, book: RuleBook, seed: str = "") -> Bot:
        return make_bot(self.level, book, seed=seed, **self.parameters)

    def __str__(self) -> str:
        return " ".join([self.level, *(f"{name}={value}" for name, value in self.parameters.items())])


def bot(level: str, **parameters: str | int | float) -> LevelBot:
    """A bot of the ladder, to be seated by `play` at any table.

    >>> print(bot("master", aim="score"))
    master aim=score

    Raises BotError for a level or a parameter that does not exist, or a value it cannot have.
    """
    _check_level(level, parameters)
    return LevelBot(level, parameters)


def make_bot(level: str, book: RuleBook, *, seed: str = "", **parameters: str | int | float) -> Bot:
    """A bot of a level for one seat of one game. Everything random in it follows from the seed.

    `objective` is tiles or points, `aim` wins or score; `effort` scales how much a bot thinks (1 is usual).
    Raises BotError for a level or a parameter that does not exist, or a value it cannot have.
    """
    _check_level(level, parameters)
    policy = LEVELS[level].policy
    module = import_module(f"meldroom.bots.{book.family}.{policy or level}")
    make: Callable[..., Bot] = module.make
    made = make(book, seed, **parameters) if policy is None else make(book, seed, level, **parameters)
    must_play = book.family == "rearranging" and book.pool_end.must_play_if_able
    return _Obliged(made, book) if must_play else made


class _Obliged:
    """A bot where those who can lay must, once the pool is empty: it lays where it would pass (R34)."""

    def __init__(self, bot: Bot, book: RuleBook) -> None:
        self._bot = bot
        self._book = book

    def act(self, view: View, clock: Clock) -> Action:
        """Its own action, or some lay for a pass that the table does not allow."""
        action = self._bot.act(view, clock)
        if not isinstance(action, Pass):
            return action
        state = state_from_view(self._book, view)
        found = find_lay(state)
        return action if found is None else lay_of(state, found)
