"""Matches of several games at one table: who begins each, and who is ahead (R3, R48, R62)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from meldroom.game.errors import ActionError
from meldroom.game.state import Result
from meldroom.rules.book import RuleBook
from meldroom.rules.procedures import highest_totals, ranking, starters


class MatchStanding(msgspec.Struct, frozen=True, gc=False):
    """Totals and games won by seat; the winners once all games are played (several if they share it)."""

    totals: tuple[int, ...]
    wins: tuple[int, ...]
    order: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...] | None


class Match(msgspec.Struct, frozen=True, gc=False):
    """Several games in a row. A finished game is added with `played`."""

    book: RuleBook
    players: tuple[str, ...]
    first: int
    games: int
    results: tuple[Result, ...] = ()

    @classmethod
    def of(cls, book: RuleBook, players: Sequence[str], first: int, games: int | None = None) -> Match:
        """A match as long as the book says, or as agreed."""
        return cls(book, tuple(players), first, book.match.games if games is None else games)

    @property
    def over(self) -> bool:
        """True when all games are played."""
        return len(self.results) >= self.games

    @property
    def starter(self) -> int:
        """Who begins the next game: the start passes to a neighbour."""
        return starters(self.book, len(self.players), len(self.results) + 1, self.first)[-1]

    def played(self, result: Result) -> Match:
        """The match with one more game. Raises ActionError when it is over already."""
        if self.over:
            raise ActionError("match_over", count=self.games)
        return msgspec.structs.replace(self, results=(*self.results, result))

    def standing(self) -> MatchStanding:
        """Totals, games won and the order of the players so far."""
        seats = range(len(self.players))
        games = {
            str(seat): [(int(seat in result.winners), result.scores[seat]) for result in self.results]
            for seat in seats
        }
        totals = {seat: sum(score for _, score in played) for seat, played in games.items()}
        if self.book.match.winner == "highest_total":
            levels = sorted(set(totals.values()), reverse=True)
            order = tuple(tuple(int(s) for s in totals if totals[s] == level) for level in levels)
            best = tuple(int(seat) for seat in highest_totals(totals))
        else:
            order = tuple(tuple(int(seat) for seat in place) for place in ranking(games))
            best = order[0]
        return MatchStanding(
            totals=tuple(totals.values()),
            wins=tuple(sum(won for won, _ in played) for played in games.values()),
            order=order,
            winners=best if self.over else None,
        )
