"""Games in a row at one table: a match where the book counts one, otherwise one game after another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count

from meldroom.bots import Bot, make_bot
from meldroom.cli.terminal.session import Chair, MakeBot, Session
from meldroom.game import Match, MatchStanding, new_secret
from meldroom.game.state import Result
from meldroom.i18n import Language, message
from meldroom.rules.book import RuleBook
from meldroom.rules.procedures import starters

NAMES = ("Ada", "Bo", "Chi", "Dev", "Eve", "Fay", "Gus", "Hal")


def chairs(name: str, levels: Sequence[str]) -> tuple[Chair, ...]:
    """The person first, then a bot of each level under a name of its own."""
    further = (f"Bot {number}" for number in count(len(NAMES)))
    free = (one for one in chain(NAMES, further) if one.casefold() != name.strip().casefold())
    return (Chair(name), *(Chair(next(free), level) for level in levels))


def from_ladder(level: str, book: RuleBook, seed: str) -> Bot:
    """A bot of the ladder."""
    return make_bot(level, book, seed=seed)


class Series:
    """One game after another with the same people; the start passes to the left."""

    def __init__(
        self,
        book: RuleBook,
        seats: Sequence[Chair],
        *,
        seed: str | None = None,
        seconds: int = 0,
        make: MakeBot = from_ladder,
    ) -> None:
        self.book = book
        self.seats = tuple(seats)
        self.seed = seed
        self.seconds = seconds
        self.make = make
        self.number = 0
        self.first: int | None = None
        self.match: Match | None = None

    @property
    def is_match(self) -> bool:
        """True where the book adds up the games of a match."""
        return self.book.match.winner == "highest_total" and self.book.match.games > 1

    def next_game(self) -> Session:
        """The next game, dealt. A finished match is followed by another one."""
        if self.match is not None and self.match.over:
            self.match = None
        self.number += 1
        seats = len(self.seats)
        begins = None if self.first is None else starters(self.book, seats, self.number, self.first)[-1]
        in_match = len(self.match.results) + 1 if self.match is not None else 1
        session = Session(
            self.book,
            self.seats,
            self._secret(),
            self.make,
            game=in_match if self.is_match else self.number,
            starter=begins,
            seconds=self.seconds,
        )
        starter = session.view().starter
        if self.first is None:
            self.first = starter
        if self.is_match and self.match is None:
            self.match = Match.of(self.book, [chair.name for chair in self.seats], starter)
        return session

    def finished(self, result: Result) -> MatchStanding | None:
        """Count a finished game; the standing of the match, if it is one."""
        if self.match is None or result.end == "abandoned":
            return None
        self.match = self.match.played(result)
        return self.match.standing()

    def _secret(self) -> str:
        """A secret for each game: the one that was revealed must not tell the next."""
        if self.seed is None:
            return new_secret()
        return self.seed if self.number == 1 else f"{self.seed} {self.number}"


def default_name(language: Language) -> str:
    """What a person who gives no name is called in the record."""
    return message("terminal.player", language)
