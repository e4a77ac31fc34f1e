"""Ways to arrange tiles into sets, all of them or a random one, within a budget (rearranging books)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from meldroom.game import actions as act
from meldroom.game.errors import BudgetSpentError
from meldroom.game.state import State
from meldroom.rules.opening import sets_within
from meldroom.rules.verify import FaceSet, FaceTable, Turn, verify
from meldroom.tiles import Face, Tile, TileSet

BUDGET = 200_000


class Budget:
    """How many arrangements may still be looked at."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes

    def spend(self) -> None:
        """One more. Raises BudgetSpentError."""
        self.left -= 1
        if self.left < 0:
            raise BudgetSpentError


def arrangements(
    sets: Sequence[FaceSet], must: Counter[Face], may: Counter[Face], budget: Budget
) -> Iterator[FaceTable]:
    """Every way to place all `must` tiles and any `may` tiles into sets of the given list.

    The list must be sorted; a set is used as often as its tiles last. Each arrangement comes once.
    """
    free = must + may
    chosen: list[FaceSet] = []

    def extend(start: int) -> Iterator[FaceTable]:
        budget.spend()
        owed = min(must, default=None)
        if owed is None:
            yield tuple(chosen)
        for index in range(start, len(sets)):
            faces = sets[index]
            if owed is not None and faces[0] > owed:
                return  # Sets are sorted: nothing later can hold the tile that is still owed.
            needed = Counter(faces)
            if not needed <= free:
                continue
            paid = needed & must
            free.subtract(needed)
            must.subtract(paid)
            _drop_zeros(must)
            chosen.append(faces)
            yield from extend(index)
            chosen.pop()
            must.update(paid)
            free.update(needed)

    yield from extend(0)


def _drop_zeros(counts: Counter[Face]) -> None:
    for face in [face for face, count in counts.items() if not count]:
        del counts[face]


def lay_tables(state: State, budget: Budget) -> Iterator[FaceTable]:
    """Every table the player to move can lay, as faces, each once (equal tables are equal plays)."""
    rack = state.faces(state.racks[state.seat])
    before = state.face_table()
    melded = state.melded[state.seat]
    on_table = Counter(face for faces in before for face in faces) if melded else Counter[Face]()
    usable = tuple(sorted([*on_table.elements(), *rack]))
    sets = sorted(
        {tuple(sorted(faces)) for faces in sets_within(state.book.reader, usable, every_length=True)}
    )
    placed = on_table.total()
    for found in arrangements(sets, Counter(on_table), Counter(rack), budget):
        if sum(map(len, found)) == placed:
            continue
        after = found if melded else before + found
        if not verify(state.book, Turn(before, rack, after, melded)):
            yield after


def with_tiles(
    tiles: TileSet, table: act.TileSets, rack: tuple[Tile, ...], wanted: FaceTable
) -> act.TileSets:
    """A table of faces as physical tiles: sets that stay keep theirs, then table tiles, then the rack's."""
    face_of = tiles.face_of
    standing: dict[FaceSet, list[tuple[Tile, ...]]] = {}
    for old in table:
        standing.setdefault(tuple(sorted([face_of[tile] for tile in old])), []).append(old)
    kept: list[tuple[Tile, ...] | None] = []
    for faces in wanted:
        same = standing.get(tuple(sorted(faces)))
        kept.append(same.pop() if same else None)
    stays = set(kept)
    supply: dict[Face, list[Tile]] = {}
    for tile in [*(tile for old in table if old not in stays for tile in old), *rack]:
        supply.setdefault(face_of[tile], []).append(tile)
    return tuple(
        [
            old if old is not None else tuple([supply[face].pop(0) for face in faces])
            for old, faces in zip(kept, wanted, strict=True)
        ]
    )


def lay_of(state: State, wanted: FaceTable) -> act.Lay:
    """The action that makes the table look like this."""
    table = with_tiles(state.book.tiles, state.table, state.racks[state.seat], wanted)
    return act.Lay(state.seat, table=table)


def find_lay(state: State, nodes: int = BUDGET) -> FaceTable | None:
    """Some table the player to move can lay: near at hand first, then anywhere within the budget."""
    try:
        return _find_near(state, Budget(nodes // 2)) or next(lay_tables(state, Budget(nodes // 2)), None)
    except BudgetSpentError:
        return None


def can_lay(state: State) -> bool:
    """Whether the player to move can lay anything. Past the budget the answer is no: nobody is forced."""
    return find_lay(state) is not None


def _find_near(state: State, budget: Budget) -> FaceTable | None:
    """A lay that takes apart few sets, fewest first; None when that is not enough."""
    before = state.face_table()
    melded = state.melded[state.seat]
    for count in range(min(MOST_SETS_OPENED, len(before)) + 1 if melded else 1):
        for opened in combinations(range(len(before)), count):
            rack, kept, must, sets = _problem(state, before, set(opened))
            for found in _around_rack_tiles(sets, must, Counter(rack), budget):
                if not verify(state.book, Turn(before, rack, kept + found, melded)):
                    return kept + found
    return None


def _around_rack_tiles(
    sets: list[FaceSet], must: Counter[Face], rack: Counter[Face], budget: Budget
) -> Iterator[FaceTable]:
    """Arrangements that begin with a set around some rack tile: what it leaves is quickly placed or not."""
    for first in sets:
        needed = Counter(first)
        given = needed - must
        if not given or not given <= rack:
            continue
        try:
            rest = arrangements(sets, must - needed, rack - given, Budget(NEAR_NODES))
            for found in rest:
                budget.spend()
                yield (first, *found)
        except BudgetSpentError:
            budget.spend()


def _problem(
    state: State, before: FaceTable, opened: set[int]
) -> tuple[FaceSet, FaceTable, Counter[Face], list[FaceSet]]:
    """When some sets are opened: rack, sets that stay, tiles to place again, the sets these can make."""
    rack = state.faces(state.racks[state.seat])
    must = Counter(face for index in opened for face in before[index])
    kept = tuple(faces for index, faces in enumerate(before) if index not in opened)
    usable = tuple(sorted([*must.elements(), *rack]))
    within = sets_within(state.book.reader, usable, every_length=False)
    return rack, kept, must, sorted({tuple(sorted(faces)) for faces in within})


NEAR_NODES = 300
SAMPLE_NODES = 120
SAMPLE_TRIES = 4
MOST_SETS_OPENED = 3


def sample_lay(state: State, chance: random.Random) -> FaceTable | None:
    """A random legal lay: a few sets are taken apart and laid anew with the rack, the others stay."""
    before = state.face_table()
    melded = state.melded[state.seat]
    for _ in range(SAMPLE_TRIES):
        opened = set(_some_sets(before, chance)) if melded else set()
        rack, kept, must, sets = _problem(state, before, opened)
        found = _random_arrangement(sets, must, Counter(rack), chance)
        if found is not None and not verify(state.book, Turn(before, rack, kept + found, melded)):
            return kept + found
    return None


def _some_sets(before: FaceTable, chance: random.Random) -> list[int]:
    count = min(len(before), chance.randint(0, MOST_SETS_OPENED))
    return chance.sample(range(len(before)), count)


def _random_arrangement(
    sets: list[FaceSet], must: Counter[Face], may: Counter[Face], chance: random.Random
) -> FaceTable | None:
    """One arrangement that lays at least one tile, the last of those met within a few steps."""
    placed = must.total()
    chance.shuffle(sets)
    sets.sort(key=lambda faces: faces[0])
    best: FaceTable | None = None
    try:
        for found in arrangements(sets, Counter(must), Counter(may), Budget(SAMPLE_NODES)):
            if sum(map(len, found)) > placed:
                best = found
                if chance.random() < 0.3:
                    break
    except BudgetSpentError:
        pass
    return best
