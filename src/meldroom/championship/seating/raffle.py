"""The raffle of table and seat (WRC 9 G3; R50), which anyone can compute again.

Before the draw the organiser publishes the entrants, who is kept apart, the plan of numbered places, and a
commitment to a secret seed. After it the seed is revealed, with any words that people in the hall added; the
seed gives the numbers. docs/seating.md prints a script that computes the same without this program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import msgspec

from meldroom.championship.seating.errors import SeatingError
from meldroom.championship.seating.plan import Plan, plan
from meldroom.championship.seating.types import FOURS, TableSize
from meldroom.game.shuffle import Shuffle, commitment

ApartIn = Literal["first", "all"]
Groups = tuple[tuple[int, ...], ...]
"""Players, by their place in the list of entrants, of whom no two share a table."""

USUAL_SITTINGS = 4
MOST_SITTINGS = 100
MOST_PLACES = 100_000
_MOST_ATTEMPTS = 5
_MOST_EXCHANGES = 400
_MOST_RESTING = 30
_MOST_DRAWS = 100
"""Draws of which the best counts, where earlier opponents or short tables are avoided."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is published before the draw, apart from the commitment. Its digest stands for all of it."""

    entrants: tuple[str, ...]
    plan: Plan
    apart: Groups = ()
    apart_in: ApartIn = "all"
    met: Groups | msgspec.UnsetType = msgspec.UNSET
    """Earlier tables, where opponents are not to meet again as far as that is possible."""
    short: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    """Who sat at a short table before, where nobody is to do so twice as far as that is possible."""

    @property
    def avoids(self) -> bool:
        """Whether the best of many draws counts."""
        return bool(self.met or self.short)

    @property
    def digest(self) -> str:
        """The SHA-256 of the JSON list of entrants, plan, who is kept apart and in which sittings.

        Where something is avoided, earlier tables and who sat at short ones are in the list too.
        """
        listed: list[object] = [self.entrants, self.plan, self.apart, self.apart_in]
        if self.avoids:
            listed += [self.met or (), self.short or ()]
        return hashlib.sha256(msgspec.json.encode(listed)).hexdigest()

    def commitment(self, seed: str) -> str:
        """What binds the organiser to a seed and to everything published: change either, and it changes."""
        return commitment(f"{self.digest} {seed}")


class Announcement(msgspec.Struct, frozen=True):
    """An entry with the commitment to its seed: what hangs on the wall before the draw."""

    entry: Entry
    commitment: str


def entry(
    players: int | Sequence[str],
    sittings: int = USUAL_SITTINGS,
    apart: Sequence[Sequence[str]] = (),
    apart_in: ApartIn = "all",
    size: TableSize = FOURS,
) -> Entry:
    """Everything but the seed, checked: names, sizes, and whether groups can be kept apart at all.

    A number of players are called 1, 2, 3 … Raises SeatingError.
    """
    _check_size(players if isinstance(players, int) else len(players), sittings, size)
    entrants = tuple(str(number + 1) for number in range(players)) if isinstance(players, int) else players
    place: dict[str, int] = {}
    for number, name in enumerate(entrants):
        if not name.strip() or not name.isprintable():
            raise SeatingError("bad_name", number=number + 1, name=name)
        if name in place:
            raise SeatingError("same_name", name=name)
        place[name] = number
    for name in (name for group in apart for name in group):
        if name not in place:
            raise SeatingError("unknown_name", name=name)
    groups = tuple(tuple(sorted({place[name] for name in group})) for group in apart)
    made = Entry(tuple(entrants), plan(len(entrants), sittings, size), groups, apart_in)
    if groups:
        _check_groups(made)
    return made


def _check_size(players: int, sittings: int, size: TableSize) -> None:
    """Refuse a field that is too small or too large. Raises SeatingError."""
    if players < size.fewest:
        raise SeatingError("too_few_players", count=players, least=size.fewest)
    if not 1 <= sittings <= MOST_SITTINGS:
        raise SeatingError("bad_sittings", sittings=sittings, most=MOST_SITTINGS)
    if players * sittings > MOST_PLACES:
        raise SeatingError("too_many_places", players=players, sittings=sittings, most=MOST_PLACES)


def _check_groups(made: Entry) -> None:
    """Refuse what no draw can keep apart. Raises SeatingError."""
    names = made.entrants
    for group in made.apart:
        if len(group) > len(made.plan[0]):
            listed = ", ".join(names[player] for player in group)
            raise SeatingError("group_too_large", size=len(group), names=listed, tables=len(made.plan[0]))
    fewest = min(len(opponents) for opponents in _opponents(made))
    for player, others in enumerate(_kept_apart(made)):
        if len(others) + fewest >= len(names):
            raise SeatingError(
                "too_many_apart",
                name=names[player],
                size=len(others),
                sittings=len(made.plan) if made.apart_in == "all" else 1,
                least=fewest,
                others=len(names) - 1,
            )


def _opponents(made: Entry) -> list[set[int]]:
    """For each number of the plan, whom it meets in the sittings where players are kept apart."""
    met: list[set[int]] = [set() for _ in made.entrants]
    for sitting in made.plan if made.apart_in == "all" else made.plan[:1]:
        for table in sitting:
            for number in table:
                met[number].update(table)
    return [others - {number} for number, others in enumerate(met)]


def _kept_apart(made: Entry) -> list[set[int]]:
    """For each player, whom they are kept apart from."""
    apart: list[set[int]] = [set() for _ in made.entrants]
    for group in made.apart:
        for player in group:
            apart[player].update(group)
    return [others - {player} for player, others in enumerate(apart)]


def draw(made: Entry, seed: str, words: Sequence[str] = ()) -> tuple[int, ...]:
    """The player who draws each number: an order of all players, then exchanges until groups are apart.

    Where earlier opponents or a second short table are avoided, the best of many such draws counts: the
    fewest second short tables, then the fewest repeated pairs, then the first. Raises SeatingError if groups
    could not be kept apart.
    """
    shuffle = Shuffle(seed, (made.digest, *words))
    everybody = range(len(made.entrants))
    closest: list[int] = []
    best: tuple[tuple[int, int], list[int]] | None = None
    for attempt in range(_MOST_DRAWS if made.avoids else _MOST_ATTEMPTS):
        order = list(shuffle.order(f"numbers {attempt}", everybody))
        left = _keep_apart(made, shuffle, order, attempt) if made.apart else []
        if left:
            closest = min(closest or left, left, key=len)
            continue
        found = _avoided(made, order) if made.avoids else (0, 0)
        if best is None or found < best[0]:
            best = found, order
        if not any(found):
            break
    if best is not None:
        return tuple(best[1])
    raise SeatingError("not_kept_apart", names=", ".join(made.entrants[player] for player in closest))


def _avoided(made: Entry, order: Sequence[int]) -> tuple[int, int]:
    """How many sit at a short table again, and how many pairs who met before meet again."""
    full = max(len(table) for sitting in made.plan for table in sitting)
    before = set(made.short or ())
    met = [set(table) for table in made.met or ()]
    short = again = 0
    for table in (table for sitting in made.plan for table in sitting):
        there = [order[number] for number in table]
        if len(table) < full:
            short += len(before.intersection(there))
        again += sum(
            any(one in earlier and two in earlier for earlier in met) for one, two in combinations(there, 2)
        )
    return short, again


def _keep_apart(made: Entry, shuffle: Shuffle, order: list[int], attempt: int) -> list[int]:
    """Exchange the numbers of two players at a time until no two of a group share a table.

    In each step lot picks one of the numbers that clash, and one of the exchanges that leave the fewest
    clashes; numbers that were exchanged lately rest. Returns the fewest players who clashed if the exchanges
    came to no end.
    """
    opponents, apart = _opponents(made), _kept_apart(made)

    def clashes(number: int) -> int:
        return sum(order[other] in apart[order[number]] for other in opponents[number])

    def exchange(one: int, two: int) -> None:
        order[one], order[two] = order[two], order[one]

    def change(one: int, two: int) -> int:
        before = clashes(one) + clashes(two)
        exchange(one, two)
        after = clashes(one) + clashes(two)
        exchange(one, two)
        return after - before

    resting: list[int] = []
    closest = list(order)
    for step in range(_MOST_EXCHANGES):
        clashing = [number for number in range(len(order)) if clashes(number)]
        closest = min(closest, sorted(order[number] for number in clashing), key=len)
        if not clashing:
            break
        one = shuffle.order(f"clash {attempt} {step}", clashing)[0]
        changes = {two: change(one, two) for two in range(len(order)) if two != one and two not in resting}
        least = min(changes.values())
        best = [two for two in changes if changes[two] == least]
        two = shuffle.order(f"exchange {attempt} {step}", best)[0]
        exchange(one, two)
        resting = [*resting, one, two][-(len(order) // 3) :][-_MOST_RESTING:]
    return closest


def announce(made: Entry, seed: str) -> Announcement:
    """What to publish before the draw."""
    return Announcement(made, made.commitment(seed))


def check_announcement(announced: Announcement, seed: str, size: TableSize = FOURS) -> Entry:
    """The entry, if a revealed seed and everything published give the commitment. Raises SeatingError."""
    made = announced.entry
    if made.commitment(seed) != announced.commitment:
        raise SeatingError("wrong_commitment")
    players, sittings = len(made.entrants), len(made.plan)
    _check_size(players, sittings, size)
    sizes = sorted(size.tables(players))
    for sitting in made.plan:
        seated = {number for table in sitting for number in table if 0 <= number < players}
        if sorted(map(len, sitting)) != sizes or len(seated) != sum(sizes):
            raise SeatingError("wrong_plan", players=players, sittings=sittings)
    return made
