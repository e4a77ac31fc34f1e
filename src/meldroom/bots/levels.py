"""The ladder: the levels by name, what each thinks, and how one is seated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Literal

import msgspec

from meldroom.bots.errors import BotError
from meldroom.bots.interface import Bot
from meldroom.rules.book import RuleBook

Aim = Literal["wins", "score"]


class Level(msgspec.Struct, frozen=True):
    """A rung of the ladder: its names and an honest sentence on how it thinks, by language."""

    name: dict[str, str]
    thinks: dict[str, str]
    parameters: tuple[str, ...] = ()


LEVELS: dict[str, Level] = {
    "beginner": Level(
        {"en": "Beginner", "fr": "Débutant"},
        {
            "en": "Lays whole sets from the rack as soon as it has them, and never touches the table.",
            "fr": "Pose des combinaisons entières dès qu’il les a, et ne touche jamais à la table.",
        },
    ),
    "club": Level(
        {"en": "Club player", "fr": "Joueur de club"},
        {
            "en": "Lays sets, adds to those on the table, and rearranges one or two of them at a time.",
            "fr": "Pose, complète les combinaisons de la table et en réarrange une ou deux à la fois.",
        },
    ),
    "tournament": Level(
        {"en": "Tournament player", "fr": "Joueur de tournoi"},
        {
            "en": "Always lays the most tiles that the rules allow, found exactly.",
            "fr": "Pose toujours le plus de tuiles que la règle permet, trouvées exactement.",
        },
        ("objective",),
    ),
    "patient": Level(
        {"en": "Patient", "fr": "Patient"},
        {
            "en": "Opens, then draws and waits until the whole rack goes out in one turn.",
            "fr": "Ouvre, puis pioche et attend de pouvoir poser tout son chevalet en un seul tour.",
        },
    ),
    "master": Level(
        {"en": "Master", "fr": "Maître"},
        {
            "en": "Weighs holding against laying: imagines what the others may hold and how the game may go.",
            "fr": "Pèse s’il vaut mieux garder ou poser : imagine les chevalets des autres et la suite.",
        },
        ("aim", "effort"),
    ),
}


CHOICES: dict[str, tuple[str, ...]] = {"objective": ("tiles", "points"), "aim": ("wins", "score")}
MOST_EFFORT = 100


def _check_level(level: str, parameters: Mapping[str, str | int | float]) -> None:
    if level not in LEVELS:
        raise BotError(f"there is no bot “{level}”; the levels are {', '.join(LEVELS)}")
    unknown = sorted(set(parameters) - set(LEVELS[level].parameters))
    if unknown:
        known = ", ".join(LEVELS[level].parameters) or "none"
        raise BotError(f"“{level}” has no parameter “{unknown[0]}”; it has: {known}")
    for parameter, value in parameters.items():
        _check(parameter, value)


def _check(parameter: str, value: str | int | float) -> None:
    """Raises BotError if a parameter cannot have this value."""
    if parameter in CHOICES:
        if value not in CHOICES[parameter]:
            known = " or ".join(CHOICES[parameter])
            raise BotError(f"“{parameter}” is {known}, not “{value}”")
    elif isinstance(value, str | bool) or not 0 < value <= MOST_EFFORT:
        raise BotError(f"“{parameter}” is a number above 0 and up to {MOST_EFFORT}")


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
    module = import_module(f"meldroom.bots.{book.family}.{level}")
    make: Callable[..., Bot] = module.make
    return make(book, seed, **parameters)
