"""Seating for a field of players: who sits where in every sitting, and how good that is."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from meldroom.championship.seating.metrics import (
    least_repeats,
    repeats,
    seat_deviation,
    short_visits,
    table_revisits,
)
from meldroom.championship.seating.raffle import (
    USUAL_SITTINGS,
    Announcement,
    ApartIn,
    Entry,
    check_announcement,
    draw,
    entry,
)
from meldroom.championship.seating.types import FOURS, Sitting, TableSize, sitting_out


class Seating(msgspec.Struct, frozen=True):
    """Tables with their players in seat order, for every sitting. Players are places in the list of names."""

    players: tuple[str, ...]
    sittings: tuple[Sitting, ...]
    repeats: int
    """Pairs of sittings in which the same two share a table."""
    bound: int | None
    """The least possible number of repeats, where it is proven."""
    seat_deviation: int
    """How far seats are from even; 0 is as even as they can be."""
    table_revisits: int
    """Visits to a table by players who have been there before."""
    most_short_tables: int
    """The most often that one player is at a short table: one of three, where tables have four."""
    order: tuple[int, ...] = ()
    """Who drew number 0, 1, 2 … of the plan."""

    def named(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """The sittings with names."""
        return tuple(
            tuple(tuple(self.players[player] for player in table) for table in sitting)
            for sitting in self.sittings
        )

    def sitting_out(self) -> tuple[tuple[int, ...], ...]:
        """Who has no table, sitting by sitting: one of five, otherwise nobody."""
        return tuple(sitting_out(len(self.players), sitting) for sitting in self.sittings)


def seating(
    players: int | Sequence[str],
    sittings: int = USUAL_SITTINGS,
    seed: str = "",
    *,
    apart: Sequence[Sequence[str]] = (),
    apart_in: ApartIn = "all",
    words: Sequence[str] = (),
    size: TableSize = FOURS,
) -> Seating:
    """A seating for a number of players, called 1, 2, 3 …, or for names; one seed, one seating.

    `apart` are groups of names of whom no two share a table, in the first sitting or in all; `words` are what
    people in the hall add to the draw. Raises SeatingError.

    >>> found = seating(33, seed="any text")
    >>> found.repeats, found.bound, found.seat_deviation, found.most_short_tables
    (0, 0, 0, 2)
    >>> [len(table) for table in found.sittings[0]].count(3)
    3
    """
    return seated(entry(players, sittings, apart, apart_in, size), seed, words, size)


def drawn(announced: Announcement, seed: str, words: Sequence[str] = (), size: TableSize = FOURS) -> Seating:
    """The seating that an announcement and its revealed seed give.

    Raises SeatingError if the seed, the entrants or the plan are not those that were published.
    """
    return seated(check_announcement(announced, seed, size), seed, words, size)


def seated(made: Entry, seed: str, words: Sequence[str] = (), size: TableSize = FOURS) -> Seating:
    """The seating of an entry by a seed. Raises SeatingError."""
    order = draw(made, seed, words)
    sittings = tuple(
        tuple(tuple(order[number] for number in table) for table in sitting) for sitting in made.plan
    )
    return measured(made.entrants, sittings, order, size)


def measured(
    players: Sequence[str],
    sittings: tuple[Sitting, ...],
    order: tuple[int, ...] = (),
    size: TableSize = FOURS,
) -> Seating:
    """Sittings with everything that is measured about them."""
    number = len(players)
    found = repeats(sittings)
    least = least_repeats(number, len(sittings), size)
    return Seating(
        players=tuple(players),
        sittings=sittings,
        repeats=found,
        bound=least if found == least else None,
        seat_deviation=seat_deviation(number, sittings, size),
        table_revisits=table_revisits(sittings),
        most_short_tables=max(short_visits(number, sittings, size)),
        order=order,
    )
