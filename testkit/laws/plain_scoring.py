"""Scores counted again, plainly, from rulings R36–R42, R54, R59 and R60: numbers written out book by book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from meldroom.rules.book import RuleBook

JOKER = {"wrc9": 50, "wrc11": 100, "nzrc2024": 100, "tml": 30, "rummyo": 15}  # R40, R54
CHARGING = {"wrc9", "wrc11", "nzrc2024"}
"""The books in which it matters whether a player could have entered (R43; not TML, R45)."""

DEDUCTING = {"wrc11", "nzrc2024"}
"""The books in which the smallest rack is deducted from all and its owner wins with zero (#16)."""

BONUS = {"open": 100, "foot": 200}
HAND_BONUS = (500, 400, 300)


class Rack(NamedTuple):
    """A player at the end: tiles as text (`R10`, `*`), entered or not, able to enter before or not."""

    tiles: tuple[str, ...]
    entered: bool
    able: bool


def unopened_wins(book: RuleBook) -> bool:
    """Whether a player who never opened can win an exhausted game: not in version 1 of a book (R37)."""
    return book.scoring.exhausted_unopened == "counts"


def base_of(book: RuleBook) -> str:
    """The published book that a book is, or was made from."""
    return str(book.house["base"]) if book.house is not None else book.id


def count(base: str, tiles: Sequence[str]) -> int:
    """What tiles count on a rack."""
    total = 0
    for tile in tiles:
        number = 0 if tile == "*" else int(tile[1:])
        if tile == "*":
            total += JOKER[base]
        elif base == "rummyo" and (number == 1 or number >= 10):
            total += 10
        else:
            total += number
    return total


def owed(base: str, rack: Rack) -> int:
    """What a player pays: the rack, or the flat charge instead (R41, R45, R60)."""
    if rack.entered or base == "tml":
        return count(base, rack.tiles)
    return 200 if rack.able and base != "rummyo" else 100


def won_by_going_out(
    base: str,
    racks: Sequence[Rack],
    winner: int,
    way: Literal["open", "foot", "hand"] | None = None,
    winner_tiles: Sequence[str] = (),
    hand_bonus: Sequence[int] = HAND_BONUS,
) -> tuple[int, ...]:
    """The scores of a game that somebody won by going out (R39, R42, R60)."""
    scores = [-owed(base, rack) for rack in racks]
    if base == "rummyo":
        bonus = hand_bonus[winner_tiles.count("*")] if way == "hand" else BONUS[str(way)]
        scores[winner] = count(base, winner_tiles) + bonus
    else:
        scores[winner] = -sum(score for seat, score in enumerate(scores) if seat != winner)
    return tuple(scores)


def won_by_resignation(
    base: str, racks: Sequence[Rack], winner: int, winner_tiles: Sequence[str]
) -> tuple[int, ...]:
    """The scores of a game that all others gave up: as after going out, without a bonus."""
    scores = [-owed(base, rack) for rack in racks]
    scores[winner] = -sum(score for seat, score in enumerate(scores) if seat != winner)
    if base == "rummyo":
        scores[winner] = count(base, winner_tiles)
    return tuple(scores)


def exhausted(
    base: str, racks: Sequence[Rack], resigned: frozenset[int] = frozenset(), *, unopened_wins: bool = True
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The scores and the winners of a game that nobody won by going out (R36–R38, R61).

    Who has resigned does not win, unless nobody else is left; nor who has not opened, where that may not win.
    """
    amounts = [owed(base, rack) for rack in racks]
    if base == "rummyo":
        return tuple(-amount for amount in amounts), ()
    everybody = [seat for seat in range(len(racks)) if seat not in resigned] or list(range(len(racks)))
    entered = [seat for seat in everybody if racks[seat].entered]
    candidates = everybody if unopened_wins else entered or everybody
    least = min(amounts[seat] for seat in candidates)
    winners = tuple(seat for seat in candidates if amounts[seat] == least)
    scores = [min(0, least - amount) for amount in amounts]
    if base not in DEDUCTING:
        plus = -sum(scores)
        for seat in winners:
            scores[seat] = plus // len(winners)
    return tuple(scores), winners
