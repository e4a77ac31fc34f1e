"""The plan of a field: which numbers share which table in every sitting, before anybody has drawn a number.

A plan depends on the number of players and of sittings alone, so it can be published before the draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from meldroom.championship.seating.annealing import search
from meldroom.championship.seating.difference_matrix import sittings_of
from meldroom.championship.seating.metrics import repeats, table_revisits
from meldroom.championship.seating.seat_order import with_seats
from meldroom.championship.seating.small_fields import stored
from meldroom.championship.seating.table_numbers import with_table_numbers
from meldroom.championship.seating.types import FEWEST, FULL, Sitting

_FEW_TABLES = 16
_TRIED = 64  # numbers of one row that are tried as empty places when there are many tables
_WORTH_STARTING_AFRESH = 1000  # players × sittings up to which a search without any construction is tried too

Plan = tuple[Sitting, ...]


@lru_cache(maxsize=64)
def plan(players: int, sittings: int) -> Plan:
    """Tables with players 0, 1, 2 … in seat order for every sitting, with as few repeats as are known.

    Four sittings of 13 or more, and all that a difference matrix has columns for, have none.
    """
    if players == FEWEST:
        return with_seats([(_all_but(sitting % FEWEST),) for sitting in range(sittings)])
    built = stored(players, sittings) or _without_empty_places(players, sittings)
    built = _completed(players, sittings, built)
    return with_seats(with_table_numbers(built) if table_revisits(built) else built)


def _all_but(player: int) -> tuple[int, ...]:
    return tuple(other for other in range(FEWEST) if other != player)


def _completed(players: int, sittings: int, known: list[Sitting]) -> list[Sitting]:
    """All sittings: the known ones and more found by search, or all found by search if that is better."""
    if len(known) >= sittings:
        return known[:sittings]
    found = [search(players, sittings, known)]
    if players * sittings <= _WORTH_STARTING_AFRESH:
        found.append(search(players, sittings, []))
    return min(found, key=repeats)


def constructed(tables: int, wanted: int) -> list[Sitting]:
    """Up to `wanted` sittings of 4·T numbers in which no two meet twice.

    When the matrix has no more columns, numbers of one row have still not met; where a row can be cut into
    tables of four, the four rows are seated apart, each as a smaller field.
    """
    if tables < FULL:
        numbers = range(FULL * tables)
        return [tuple(tuple(numbers[first : first + FULL]) for first in numbers[::FULL])]
    built = sittings_of(tables, wanted)
    if len(built) < wanted and tables % FULL == 0:
        for within in constructed(tables // FULL, wanted - len(built)):
            built.append(
                tuple(
                    tuple(row * tables + number for number in table)
                    for row in range(FULL)
                    for table in within
                )
            )
    return built


def _without_empty_places(players: int, wanted: int) -> list[Sitting]:
    """Sittings of a field that need not be a multiple of four: empty places are numbers that nobody draws.

    Empty places must never meet, so that no table loses two; sittings are given up until such are found.
    """
    tables = -(-players // FULL)
    built = constructed(tables, wanted)
    missing = FULL * tables - players
    while (empty := _empty_places(tables, built, missing)) is None:
        built.pop()
    places = [place for place in range(FULL * tables) if place not in empty]
    number = {place: player for player, place in enumerate(places)}
    return [
        tuple(tuple(number[place] for place in table if place in number) for table in sitting)
        for sitting in built
    ]


def _empty_places(tables: int, built: Sequence[Sitting], missing: int) -> tuple[int, ...] | None:
    """Numbers that never meet and whose opponents, who sit at tables of three, are shared most evenly."""
    if missing <= 1:
        return tuple(range(missing))
    opponents = _opponents(FULL * tables, built)
    best: tuple[int, int] | None = None
    chosen = None
    fair = -(-3 * missing * len(built) // (FULL * tables - missing))
    firsts = range(0, FULL * tables, tables) if tables <= _FEW_TABLES else (0,)
    others = range(FULL * tables) if tables <= _FEW_TABLES else range(1, min(tables, _TRIED))
    for first in firsts:
        apart = [place for place in others if place != first and not opponents[first] >> place & 1]
        for rest in combinations(apart, missing - 1):
            if missing == FULL - 1 and opponents[rest[0]] >> rest[1] & 1:
                continue
            unfair = _unfairness([opponents[place] for place in (first, *rest)])
            if best is None or unfair < best:
                best, chosen = unfair, (first, *rest)
                if unfair[0] <= fair and not unfair[1]:
                    return chosen
    return chosen


def _opponents(numbers: int, built: Sequence[Sitting]) -> list[int]:
    """For each number the numbers it meets, as bits."""
    met = [0] * numbers
    for sitting in built:
        for table in sitting:
            together = sum(1 << number for number in table)
            for number in table:
                met[number] |= together
    return [bits & ~(1 << number) for number, bits in enumerate(met)]


def _unfairness(opponents: Sequence[int]) -> tuple[int, int]:
    """The most empty places that one number meets, and how many numbers meet more than one, weighed."""
    twice = 0
    once = 0
    thrice = 0
    for bits in opponents:
        thrice |= twice & bits
        twice |= once & bits
        once |= bits
    return (3 if thrice else 2 if twice else 1), thrice.bit_count() * FULL + twice.bit_count()
