"""The plan of a field: which numbers share which table in every sitting, before anybody has drawn a number.

A plan depends on the number of players, of sittings and of seats at a table alone, so it can be published
before the draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, islice

from meldroom.championship.seating.annealing import search, seated_in
from meldroom.championship.seating.difference_matrix import sittings_of
from meldroom.championship.seating.metrics import repeats, table_revisits
from meldroom.championship.seating.seat_order import with_seats
from meldroom.championship.seating.small_fields import stored
from meldroom.championship.seating.table_numbers import with_table_numbers
from meldroom.championship.seating.types import FOURS, Sitting, TableSize

_FEW_TABLES = 16
_TRIED = 64  # numbers of one row that are tried as empty places when there are many tables
_MOST_TRIED = 50_000  # choices of empty places for each first one
_WORTH_STARTING_AFRESH = 1000  # players × sittings up to which a search without any construction is tried too

Plan = tuple[Sitting, ...]


@lru_cache(maxsize=64)
def plan(players: int, sittings: int, size: TableSize = FOURS) -> Plan:
    """Tables with players 0, 1, 2 … in seat order for every sitting, with as few repeats as are known.

    At tables of four, four sittings of 13 or more have none, nor has what a difference matrix can build.
    """
    seats = size.seated(players)
    if len(size.tables(players)) == 1:
        return with_seats([(tuple(seated_in(players, seats, each)),) for each in range(sittings)], size)
    if seats < players:
        built = search(players, sittings, [], size)
    else:
        built = stored(players, sittings, size) or _without_empty_places(players, sittings, size)
        built = _completed(players, sittings, built, size)
    return with_seats(with_table_numbers(built) if table_revisits(built) else built, size)


def _completed(players: int, sittings: int, known: list[Sitting], size: TableSize) -> list[Sitting]:
    """All sittings: the known ones and more found by search, or all found by search if that is better."""
    if len(known) >= sittings:
        return known[:sittings]
    found = [search(players, sittings, known, size)]
    if players * sittings <= _WORTH_STARTING_AFRESH:
        found.append(search(players, sittings, [], size))
    return min(found, key=repeats)


def constructed(tables: int, wanted: int, seats: int) -> list[Sitting]:
    """Up to `wanted` sittings of `seats`·T numbers in which no two meet twice.

    When the matrix has no more columns, numbers of one row have still not met; where a row can be cut into
    whole tables, the rows are seated apart, each as a smaller field.
    """
    if tables < seats:
        numbers = range(seats * tables)
        return [tuple(tuple(numbers[first : first + seats]) for first in numbers[::seats])]
    built = sittings_of(tables, wanted, seats)
    if len(built) < wanted and tables % seats == 0:
        for within in constructed(tables // seats, wanted - len(built), seats):
            built.append(
                tuple(
                    tuple(row * tables + number for number in table)
                    for row in range(seats)
                    for table in within
                )
            )
    return built


def _without_empty_places(players: int, wanted: int, size: TableSize) -> list[Sitting]:
    """Sittings of a field that need not fill its tables: empty places are numbers that nobody draws.

    Empty places must never meet, so that no table loses two; sittings are given up until such are found.
    """
    tables = -(-players // size.full)
    built = constructed(tables, wanted, size.full)
    missing = size.full * tables - players
    while (empty := _empty_places(tables, built, missing, size.full)) is None:
        built.pop()
    places = [place for place in range(size.full * tables) if place not in empty]
    number = {place: player for player, place in enumerate(places)}
    return [
        tuple(tuple(number[place] for place in table if place in number) for table in sitting)
        for sitting in built
    ]


def _empty_places(tables: int, built: Sequence[Sitting], missing: int, seats: int) -> tuple[int, ...] | None:
    """Numbers that never meet and whose opponents, who sit at short tables, are shared most evenly."""
    if missing <= 1:
        return tuple(range(missing))
    opponents = _opponents(seats * tables, built)
    best: tuple[int, int] | None = None
    chosen = None
    fair = -(-(seats - 1) * missing * len(built) // (seats * tables - missing))
    firsts = range(0, seats * tables, tables) if tables <= _FEW_TABLES else (0,)
    others = range(seats * tables) if tables <= _FEW_TABLES else range(1, min(tables, _TRIED))
    for first in firsts:
        apart = [place for place in others if place != first and not opponents[first] >> place & 1]
        for rest in islice(combinations(apart, missing - 1), _MOST_TRIED):
            if any(opponents[one] >> two & 1 for one, two in combinations(rest, 2)):
                continue
            unfair = _unfairness([opponents[place] for place in (first, *rest)], seats)
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


def _unfairness(opponents: Sequence[int], seats: int) -> tuple[int, int]:
    """The most empty places that one number meets, and how many numbers meet more than one, weighed."""
    times = [0] * len(opponents)
    """Who meets at least one of them, at least two, at least three …, as bits."""
    for bits in opponents:
        for more in range(len(times) - 1, 0, -1):
            times[more] |= times[more - 1] & bits
        times[0] |= bits
    most = max(1, sum(map(bool, times)))
    return most, sum(found.bit_count() * seats**more for more, found in enumerate(times[1:]))
