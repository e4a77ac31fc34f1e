"""*Match me*: an opponent close to somebody's results against the levels of bots."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from meldroom.coach.matching import Result, levels_in, match, results_of
from meldroom.rooms.ports import FinishedGame

LOOKED_BACK = 200
"""So many of the latest games, of all books, are looked through."""


class MatchedLevel(msgspec.Struct, frozen=True):
    """The level to play next, one's own Elo on the measured ladder, and from how many results that is known.

    Without results it is the usual opponent.
    """

    book: str
    level: str
    rating: int
    results: int


def matched(
    book: str, games: Iterable[FinishedGame], ids: Collection[str], among: Collection[str] | None = None
) -> MatchedLevel:
    """Whom to play by a book, after these games, the newest first; `ids` are those of the player.

    Games by other books, with turns taken back, or without bots count nothing.
    """
    results: list[Result] = []
    for game in reversed(list(games)):
        seat = next((seat for seat, person in enumerate(game.people) if person and person in ids), None)
        if seat is not None and game.book == book and not game.take_backs:
            results += results_of(seat, _levels(game), game.winners)
    found = match(book, results, among)
    return MatchedLevel(book, found.level, found.rating, found.games)


def _levels(game: FinishedGame) -> tuple[str, ...]:
    """The levels of the bots; a game of an earlier version has them in its record, if that is at hand."""
    if game.levels:
        return game.levels
    header = game.record.partition("\n\n")[0].splitlines()
    told = next((line for line in header if line.startswith("bots: ")), "")
    return levels_in(told.removeprefix("bots: "), game.players)
