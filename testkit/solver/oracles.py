"""Independent exact solvers: a flow model in CP-SAT, a set-count model as a MILP, and brute force.

They share nothing with the solver but the rule book. Scores are (tiles, points) in the order of the
objective. CP-SAT and SciPy's HiGHS are imported where used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

from meldroom.rules.book import RuleBook
from meldroom.rules.joker_rule import freed_joker_fault
from meldroom.rules.library import house_book
from meldroom.rules.verify import set_points
from meldroom.tiles import Face

FaceSet = tuple[Face, ...]
Score = tuple[int, int]
CP_SAT_SECONDS = 30.0
FAR = 1_000_000
INFEASIBLE_IN_SCIPY = 2


class OracleError(RuntimeError):
    """A back end that did not prove its answer: an error, never "no move"."""


class InfeasibleError(OracleError):
    """A back end has proven that nothing fits."""


def all_sets(book: RuleBook, longest: int = 5) -> list[FaceSet]:
    """Every legal set of 3 to `longest` tiles as a sorted multiset of faces."""
    return list(_all_sets(book, longest))


_SETS: dict[tuple[int, int], tuple[RuleBook, list[FaceSet]]] = {}


def _all_sets(book: RuleBook, longest: int) -> list[FaceSet]:
    key = (id(book), longest)
    if key not in _SETS:
        tiles, joker = book.tiles, book.tiles.joker
        found: set[FaceSet] = set()
        colours = range(len(tiles.colours))
        for number in range(1, tiles.numbers + 1):
            for size in range(1, len(tiles.colours) + 1):
                for chosen in combinations(colours, size):
                    natural = tuple(tiles.face(c, number) for c in chosen)
                    found |= {natural + (joker,) * j for j in range(tiles.jokers + 1)}
        for colour in colours:
            for length in range(3, longest + 1):
                for low in range(1, tiles.numbers - length + 2):
                    faces = [tiles.face(colour, n) for n in range(low, low + length)]
                    for j in range(min(tiles.jokers, length - 1) + 1):
                        for kept in combinations(faces, length - j):
                            found.add(kept + (joker,) * j)
        _SETS[key] = (book, sorted(f for f in found if book.reader.is_set(f)))
    return _SETS[key][1]


def usable_sets(book: RuleBook, have: Counter[Face], longest: int = 5) -> list[FaceSet]:
    """The sets that can be made of these tiles."""
    return [s for s in _all_sets(book, longest) if all(have[f] >= n for f, n in Counter(s).items())]


@dataclass
class Model:
    """A linear model in whole numbers: bounds of variables, rows with their limits, tiles laid by face."""

    laid: dict[Face, int] = field(default_factory=dict)
    uppers: list[int] = field(default_factory=list)
    rows: list[tuple[dict[int, int], int, int]] = field(default_factory=list)

    def variable(self, upper: int) -> int:
        """A new variable from 0 to `upper`."""
        self.uppers.append(upper)
        return len(self.uppers) - 1

    def constrain(self, row: dict[int, int], low: int, high: int) -> None:
        """low <= row <= high."""
        self.rows.append((row, low, high))


def set_model(book: RuleBook, old: Counter[Face], have: Counter[Face]) -> Model:
    """How often each set of three to five tiles is laid; every tile laid is in one of them."""
    model = Model()
    model.laid = {face: model.variable(have[face] - old[face]) for face in have}
    uses: dict[Face, dict[int, int]] = {face: {} for face in have}
    for faces in usable_sets(book, have):
        counts = Counter(faces)
        times = model.variable(min(have[f] // n for f, n in counts.items()))
        for face, n in counts.items():
            uses[face][times] = n
    for face in have:
        model.constrain({**uses[face], model.laid[face]: -1}, old[face], old[face])
    return model


def flow_model(book: RuleBook, old: Counter[Face], have: Counter[Face]) -> Model:
    """Runs as a flow from number to number, groups by colours and jokers.

    A run has one tile, two, or more, one of them numbered; or jokers alone, however many.
    """
    tiles, joker = book.tiles, book.tiles.joker
    colours, numbers = len(tiles.colours), tiles.numbers
    model = Model()
    model.laid = {face: model.variable(have[face] - old[face]) for face in have}
    naturals: dict[Face, dict[int, int]] = {Face(face): {} for face in range(joker)}
    jokers: dict[int, int] = {}
    most = tiles.copies + have[joker]
    alone = max(2, have[joker])
    for c in range(colours):
        stage = [[model.variable(most) for _ in range(3 + alone)] for _ in range(numbers)]
        for n in range(numbers):
            one, two, more, *only = stage[n]
            wild, natural = model.variable(have[joker]), model.variable(tiles.copies)
            jokers[wild] = 1
            naturals[tiles.face(c, n + 1)][natural] = 1
            tiles_laid = dict.fromkeys(stage[n], 1)
            model.constrain({**tiles_laid, wild: -1, natural: -1}, 0, 0)
            model.constrain({wild: 1, **dict.fromkeys(only, -1)}, 0, FAR)
            if n == 0:
                model.constrain({two: 1, more: 1, **dict.fromkeys(only[1:], 1)}, 0, 0)
                model.constrain({natural: 1, one: -1}, 0, FAR)
                continue
            # What is all jokers so far goes on with a joker, or needs a numbered tile now.
            single, double, longer, *before = stage[n - 1]
            for shorter, joined in zip(before, only[1:], strict=False):
                model.constrain({joined: 1, shorter: -1}, -FAR, 0)
            model.constrain({two: 1, only[1]: 1, single: -1, before[0]: -1}, 0, 0)
            third = {more: 1, **dict.fromkeys(only[2:], 1), double: -1, **dict.fromkeys(before[1:], -1)}
            model.constrain({**third, longer: -1}, -FAR, 0)
            model.constrain(third, 0, FAR)
            model.constrain(
                {natural: 1, one: -1, **dict.fromkeys(before, -1), **dict.fromkeys(only[1:], 1)}, 0, FAR
            )
        one, two, _, *only = stage[-1]
        model.constrain(dict.fromkeys((one, two, *only), 1), 0, 0)
    for number in range(1, numbers + 1):
        for mask in range(1, 1 << colours):
            members = [c for c in range(colours) if mask >> c & 1]
            for extra in range(have[joker] + 1):
                if 3 <= len(members) + extra <= colours:
                    group = model.variable(tiles.copies)
                    for c in members:
                        naturals[tiles.face(c, number)][group] = 1
                    if extra:
                        jokers[group] = extra
    for face, row in [*naturals.items(), (joker, jokers)]:
        placed = {model.laid[face]: -1} if face in model.laid else {}
        model.constrain({**row, **placed}, old[face], old[face])
    return model


def _lexicographic(
    book: RuleBook,
    model: Model,
    objective: str,
    maximum: Callable[[Model, dict[int, int]], int],
) -> Score:
    """Two solves, one for each part of the objective, so that no coefficient is large."""
    parts = [
        dict.fromkeys(model.laid.values(), 1),
        {variable: book.values[face] for face, variable in model.laid.items()},
    ]
    if objective == "points":
        parts.reverse()
    best = []
    for part in parts:
        best.append(maximum(model, part))
        model.constrain(part, best[-1], FAR)
    return (best[0], best[1]) if objective == "tiles" else (best[1], best[0])


def by_cp_sat(book: RuleBook, table: Sequence[FaceSet], rack: FaceSet, objective: str) -> Score:
    """(tiles, points) of the best play with free jokers: the flow model in CP-SAT."""
    old = Counter(f for s in table for f in s)
    return _lexicographic(book, flow_model(book, old, old + Counter(rack)), objective, _cp_sat)


def by_milp(
    book: RuleBook, table: Sequence[FaceSet], rack: FaceSet, objective: str, flow: bool = False
) -> Score:
    """(tiles, points) of the best play with free jokers: the set-count model in SciPy's HiGHS.

    The flow model is ten times as fast and can be asked for.
    """
    old = Counter(f for s in table for f in s)
    make = flow_model if flow else set_model
    return _lexicographic(book, make(book, old, old + Counter(rack)), objective, _scipy)


def most_tiles(
    back_end: str, book: RuleBook, table: Sequence[FaceSet], rack: FaceSet, other_than: FaceSet | None = None
) -> int:
    """The most tiles that can be laid with free jokers, by "CP-SAT" or "SciPy".

    With `other_than`, of the plays that lack at least one of these tiles.
    """
    old = Counter(f for s in table for f in s)
    model = flow_model(book, old, old + Counter(rack))
    return _most(back_end, model, rack, other_than)


def most_in_opening(back_end: str, book: RuleBook, rack: FaceSet, other_than: FaceSet | None = None) -> int:
    """The most tiles of an opening: sets from the rack alone that are worth enough."""
    have = Counter(rack)
    model = Model()
    model.laid = {face: model.variable(have[face]) for face in have}
    uses: dict[Face, dict[int, int]] = {face: {} for face in have}
    worth: dict[int, int] = {}
    runs: dict[int, int] = {}
    for faces in usable_sets(book, have, book.tiles.numbers):
        counts = Counter(faces)
        times = model.variable(min(have[f] // n for f, n in counts.items()))
        worth[times] = set_points(book, faces)
        if any(reading.kind == "run" for reading in book.reader.readings(faces)):
            runs[times] = 1
        for face, n in counts.items():
            uses[face][times] = n
    for face in have:
        model.constrain({**uses[face], model.laid[face]: -1}, 0, 0)
    model.constrain(worth, book.opening.points, FAR)
    if book.opening.run_required:
        model.constrain(runs, 1, FAR)
    try:
        return _most(back_end, model, rack, other_than)
    except InfeasibleError:
        return 0


def _most(back_end: str, model: Model, rack: FaceSet, other_than: FaceSet | None) -> int:
    if other_than is not None:
        lacking = []
        for face, count in Counter(other_than).items():
            here, held = model.variable(1), rack.count(face)
            lacking.append(here)
            model.constrain({model.laid[face]: 1, here: held - count + 1}, -FAR, held)
        model.constrain(dict.fromkeys(lacking, 1), 1, FAR)
    solve = _cp_sat if back_end == "CP-SAT" else _scipy
    return solve(model, dict.fromkeys(model.laid.values(), 1))


def _cp_sat(model: Model, goal: dict[int, int], presolve: bool = False) -> int:
    """The maximum. With one worker and presolve CP-SAT can hang, so that is for comparisons of speed."""
    from ortools.sat.python import cp_model

    program = cp_model.CpModel()
    variables = [program.new_int_var(0, upper, "") for upper in model.uppers]
    for row, low, high in model.rows:
        terms = sum(variables[v] * n for v, n in row.items())
        program.add_linear_constraint(terms, low, high)
    program.maximize(sum(variables[v] * n for v, n in goal.items()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.cp_model_presolve = presolve
    solver.parameters.max_time_in_seconds = CP_SAT_SECONDS
    status = solver.solve(program)
    if status == cp_model.INFEASIBLE:
        raise InfeasibleError("CP-SAT: infeasible")
    if status != cp_model.OPTIMAL:
        raise OracleError(f"CP-SAT: {solver.status_name(status)}")
    return round(solver.objective_value)


def _scipy(model: Model, goal: dict[int, int]) -> int:
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix

    data: list[int] = []
    indices: list[int] = []
    starts = [0]
    for row, _, _ in model.rows:
        indices += row.keys()
        data += row.values()
        starts.append(len(indices))
    matrix = csr_matrix((data, indices, starts), shape=(len(model.rows), len(model.uppers)))
    weights = np.zeros(len(model.uppers))
    for variable, weight in goal.items():
        weights[variable] = -weight
    answer = milp(
        weights,
        constraints=LinearConstraint(
            matrix, [low for _, low, _ in model.rows], [high for _, _, high in model.rows]
        ),
        bounds=Bounds(0, model.uppers),
        integrality=np.ones(len(model.uppers)),
        options={"mip_rel_gap": 0},
    )
    if answer.status == INFEASIBLE_IN_SCIPY:
        raise InfeasibleError("SciPy: infeasible")
    if not answer.success or answer.fun is None:
        raise OracleError(f"SciPy: {answer.message}")
    best: float = -answer.fun
    return round(best)


def brute_plays(book: RuleBook, table: Sequence[FaceSet], rack: FaceSet) -> Iterator[tuple[FaceSet, ...]]:
    """Every table that can be made of the old tiles and some of the rack, by exact cover; tiny books only."""
    old = Counter(f for s in table for f in s)
    have = old + Counter(rack)
    candidates = usable_sets(book, have, book.tiles.numbers)

    def rest(
        start: int, left: Counter[Face], due: Counter[Face], laid: tuple[FaceSet, ...]
    ) -> Iterator[tuple[FaceSet, ...]]:
        if not due:
            yield laid
        for index in range(start, len(candidates)):
            counts = Counter(candidates[index])
            if all(left[f] >= n for f, n in counts.items()):
                yield from rest(index, left - counts, due - counts, (*laid, candidates[index]))

    yield from rest(0, have, old, ())


def by_brute_force(book: RuleBook, table: Sequence[FaceSet], rack: FaceSet, objective: str) -> Score:
    """(tiles, points) of the best legal play, by looking at every table; the printed joker rule included."""
    old = Counter(f for s in table for f in s)
    best: Score = (0, 0)
    for after in brute_plays(book, table, rack):
        laid = Counter(f for s in after for f in s) - old
        score = (laid.total(), sum(book.values[f] * n for f, n in laid.items()))
        key = score if objective == "tiles" else score[::-1]
        if key <= (best if objective == "tiles" else best[::-1]):
            continue
        if book.jokers.reuse == "new_set" and freed_joker_fault(book.reader, tuple(table), after) is not None:
            continue
        best = score
    return best


@cache
def tiny(base: str, colours: str, numbers: int, copies: int, jokers: int, reuse: str = "") -> RuleBook:
    """A tiny book made from a published one."""
    options = {"joker_reuse": reuse} if reuse else {}
    return house_book(
        {
            "id": f"tiny-{base}-{colours}{numbers}x{copies}j{jokers}",
            "version": "1",
            "base": base,
            "tiles": {"colours": list(colours), "numbers": numbers, "copies": copies, "jokers": jokers},
            "deal": {"tiles": 1, "starter_tiles": 1},
            "options": options,
        }
    )
