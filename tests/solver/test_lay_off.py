"""Rummy-O solved: the rulings one by one, and every answer against turns enumerated with the judge itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations, product
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from meldroom.game.apply import apply, new_game
from meldroom.game.legal.lay_off import Draft, as_play, first_draft, steps
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import Meld, State
from meldroom.game.views import view
from meldroom.rules.book import Deal, RuleBook
from meldroom.rules.laying_off import GOING_OUT, Exposed, LayOffTurn, Outcome, exposed, is_run, judge
from meldroom.rules.library import book, house_book
from meldroom.rules.opening import opening, sets_within
from meldroom.rules.requests import RequestError, check
from meldroom.rules.scoring import rack_count
from meldroom.rules.verify import FaceSet, set_points
from meldroom.solver.errors import PositionError, TooLargeError
from meldroom.solver.lay_off.best import (
    LayOffPlay,
    LayOffPosition,
    Objective,
    best_play,
    going_out,
    on_board,
    position_of,
    position_on,
    solve_lay_off,
)
from meldroom.tiles import Face, Tile, parse_set, parse_table

RUMMYO = book("rummyo")
OBJECTIVES: tuple[Objective, ...] = ("tiles", "points")

# Small boxes, so that every turn of a position can be looked at. What a book changes is what it is for.
HOUSE_BOOKS: dict[str, dict[str, Any]] = {
    "thirteen": {"opening": {"points": 30}},
    "six": {"tiles": {"numbers": 6}, "opening": {"points": 14}},
    "three-colours": {"tiles": {"colours": ["K", "R", "B"], "numbers": 7}, "opening": {"points": 12}},
    "low-only": {"tiles": {"numbers": 5}, "sets": {"one_after_highest": False}, "opening": {"points": 10}},
    "no-run": {"tiles": {"numbers": 5}, "opening": {"points": 20, "run_required": False}},
    "no-threshold": {"tiles": {"numbers": 4}, "opening": {"points": 0, "run_required": False}},
    "stands-for": {"tiles": {"numbers": 6}, "opening": {"points": 9, "joker_value": "represented"}},
    "four-jokers": {
        "tiles": {"colours": ["K", "R", "B"], "numbers": 5, "jokers": 4},
        "opening": {"points": 20},
        "scoring": {"hand_bonus": [90, 70, 80, 40, 10], "foot_bonus": 60, "joker": 7},
    },
    "long-sets": {"tiles": {"numbers": 6}, "sets": {"shortest": 4}, "opening": {"points": 12}},
    "pairs": {
        "tiles": {"numbers": 4, "colours": ["K", "R"]},
        "sets": {"shortest": 2},
        "opening": {"points": 6},
    },
    "three-copies": {
        "tiles": {"colours": ["K", "R", "B"], "numbers": 4, "copies": 3},
        "opening": {"points": 9},
    },
    "no-jokers": {"tiles": {"numbers": 6, "jokers": 0}, "opening": {"points": 11}},
    "foot-first": {
        "tiles": {"numbers": 5},
        "opening": {"points": 15},
        "scoring": {"hand_bonus": [20, 35, 30], "foot_bonus": 40, "open_bonus": 5},
    },
}


@cache
def house(name: str, dealt: int = 3) -> RuleBook:
    """A house book; with a deal of another size where a game must count the winner's tiles."""
    definition = {"id": name, "version": "1", "base": "rummyo", "players": {"minimum": 2, "maximum": 3}}
    made = house_book(definition | {"deal": {"tiles": 3, "starter_tiles": 4}} | HOUSE_BOOKS[name])
    return msgspec.structs.replace(made, deal=Deal(dealt, dealt + 1))


class Case(NamedTuple):
    """A random moment of a game: seat 0 has taken a tile and is to play."""

    state: State
    position: LayOffPosition


@cache
def _dealt(name: str) -> State:
    return new_game(house(name), ("Ada", "Bo", "Chi"), Shuffle("any"), starter=0)[0]


def random_case(name: str, chance: Random, most_melds: int, most_tiles: int) -> Case:
    """Melds of two or three players, tiles added by others, and a rack with a liking for what fits."""
    rules = house(name)
    left = list(rules.tiles.every_tile)
    chance.shuffle(left)
    melded = chance.random() < 0.55
    melds: list[Meld] = []
    for _ in range(chance.randint(0, most_melds)):
        owner = 0 if melded and chance.random() < 0.5 else chance.randint(1, 2)
        meld = _random_meld(rules, chance, left, owner, melded)
        if meld is not None:
            melds.append(meld)
    size = chance.randint(1, most_tiles)
    fitting = [face for meld in melds for face in _fitting(rules, meld)]
    rack = _random_rack(rules, chance, left, size, fitting)
    mine = sum(holder == 0 for meld in melds for holder in meld.holders)
    state = msgspec.structs.replace(
        _dealt(name),
        book=house(name, mine + len(rack) - 1),
        phase="play",
        racks=(tuple(rack), (), ()),
        pool=tuple(left),
        melds=tuple(melds),
        melded=(melded, True, True),
        turns=(1, 1, 1),
    )
    return Case(state, position_of(state.book, view(state, 0)))


def _random_meld(rules: RuleBook, chance: Random, left: list[Tile], owner: int, melded: bool) -> Meld | None:
    """A meld from the tiles left, some of it added by somebody else."""
    tiles, reader = rules.tiles, rules.reader
    for _ in range(40):
        if chance.random() < 0.4:
            number = chance.randint(1, tiles.numbers)
            colours = chance.sample(range(len(tiles.colours)), chance.randint(1, len(tiles.colours)))
            wanted = [tiles.face(colour, number) for colour in colours]
        else:
            colour, low = chance.randrange(len(tiles.colours)), chance.randint(1, reader.top)
            high = low + rules.sets.shortest - 1 + chance.choice((0, 0, 1, 2))
            numbers = [n if n <= tiles.numbers else 1 for n in range(low, high + 1)]
            wanted = [tiles.face(colour, n) for n in numbers]
        faces = tuple(tiles.joker if chance.random() < 0.25 else face for face in wanted)
        readings = reader.written(faces)
        supply = list(left)
        taken = [_take(rules, supply, face) for face in faces]
        shown = [r for r in readings if not r.is_run or reader.faces_of(r, faces) is not None]
        if shown and None not in taken:
            left[:] = supply
            others = (0, 1, 2) if melded else (1, 2)
            holders = tuple(chance.choice(others) if chance.random() < 0.2 else owner for _ in faces)
            return Meld(tuple(t for t in taken if t is not None), owner, holders, chance.choice(shown))
    return None


def _take(rules: RuleBook, left: list[Tile], face: Face) -> Tile | None:
    tile = next((tile for tile in left if rules.tiles.face_of[tile] == face), None)
    if tile is not None:
        left.remove(tile)
    return tile


def _fitting(rules: RuleBook, meld: Meld) -> list[Face]:
    """Tiles that a meld could use: what its jokers stand for, its ends, its missing colours."""
    tiles, reader, reading = rules.tiles, rules.reader, meld.reading
    faces = tuple(tiles.face_of[tile] for tile in meld.tiles)
    if not reading.is_run:
        every = (tiles.face(colour, reading.low) for colour in range(len(tiles.colours)))
        return [face for face in every if face not in faces]
    places = range(max(1, reading.low - 2), min(reader.top, reading.high + 2) + 1)
    stands = [tiles.face(reading.colour, place if place <= tiles.numbers else 1) for place in places]
    return [face for face in stands if face not in faces]


def _random_rack(
    rules: RuleBook, chance: Random, left: list[Tile], size: int, fitting: list[Face]
) -> list[Tile]:
    """Mostly tiles that fit: parts of sets, and what the melds could use. Such racks can go out."""
    rack: list[Tile] = []
    for _ in range(chance.randint(0, size) if fitting else 0):
        tile = _take(rules, left, chance.choice(fitting))
        rack += [] if tile is None else [tile]
    if chance.random() < 0.6:
        while len(rack) < size - 1:
            meld = _random_meld(rules, chance, left, 0, False)
            if meld is None:
                break
            rack += meld.tiles
    chance.shuffle(left)
    while len(rack) < size:
        rack.append(left.pop())
    if len(rack) > size:
        chance.shuffle(rack)
        left += rack[size:]
        del rack[size:]
    return rack


class Turn(NamedTuple):
    """One legal turn as an oracle sees it; `opening` is value and tiles of a turn that goes on board."""

    melds: tuple[Exposed, ...]
    left: FaceSet
    discard: Face
    outcome: Outcome
    played: FaceSet
    touched: int
    claims: int
    opening: tuple[int, int] | None


def every_turn(case: Case) -> list[Turn]:
    """Every legal turn, by the single steps of the game, each table judged with every discard."""
    start = first_draft(case.state)
    found: list[Turn] = []
    seen, stack = {start}, [start]
    while stack:
        draft = stack.pop()
        if not draft.claimed:
            found.extend(judged(case.state.book, case.position, draft.melds, draft.rack))
        for step in steps(case.state, draft):
            if step not in seen:
                seen.add(step)
                stack.append(step)
    return found


def judged(
    rules: RuleBook, position: LayOffPosition, melds: tuple[Exposed, ...], left: FaceSet
) -> Iterator[Turn]:
    """The turns that end with these melds and these tiles left: one for each discard that is legal."""
    before = position.melds
    played = tuple(sorted((Counter(position.rack) - Counter(left)).elements()))
    touched = sum(old.faces != new.faces for old, new in zip(before, melds, strict=False))
    fresh = melds[len(before) :]
    value = sum(set_points(rules, meld.faces) for meld in fresh)
    enough = value >= rules.opening.points
    run = any(is_run(rules, meld) for meld in fresh) or not rules.opening.run_required
    for discard in sorted(set(left)):
        turn = LayOffTurn(position.player, before, position.rack, melds, position.on_board, discard)
        judgement = judge(rules, turn)
        if judgement.outcome is not None:
            adds = any(change.added for change in judgement.changes)
            claims = sum(len(change.claimed) for change in judgement.changes)
            opening = (value, len(played)) if fresh and enough and run and not adds else None
            yield Turn(melds, left, discard, judgement.outcome, played, touched, claims, opening)


def every_table(rules: RuleBook, position: LayOffPosition) -> list[Turn]:
    """Every legal turn, by trying each way to spread the rack and any jokers of the table; for tiny racks.

    Knows nothing of what may be done in a turn: only the judge does.
    """
    joker = rules.tiles.joker
    places = [(i, p) for i, meld in enumerate(position.melds) for p, f in enumerate(meld.faces) if f == joker]
    found: dict[Any, list[Turn]] = {}
    for lifted in chain.from_iterable(combinations(places, count) for count in range(len(places) + 1)):
        bases = [
            tuple(face for p, face in enumerate(meld.faces) if (i, p) not in lifted)
            for i, meld in enumerate(position.melds)
        ]
        pool = (*sorted(position.rack), *(joker,) * len(lifted))
        for sets, left in _spread(pool, tuple(bases)):
            if not Counter(left) <= Counter(position.rack):
                continue
            for melds in product(
                *(_written(rules, position, index, faces) for index, faces in enumerate(sets))
            ):
                key = (canonical(rules, position, melds), left)
                if key not in found:
                    found[key] = list(judged(rules, position, melds, left))
    return [turn for turns in found.values() for turn in turns]


def _spread(
    pool: FaceSet, sets: tuple[FaceSet, ...], old: int = -1
) -> Iterator[tuple[tuple[FaceSet, ...], FaceSet]]:
    """Every way to put each tile into one of the sets, into a new one, or to leave it."""
    old = len(sets) if old < 0 else old
    if not pool:
        yield sets, ()
        return
    face, rest = pool[0], pool[1:]
    for done, left in _spread(rest, sets, old):
        yield done, (face, *left)
    for index, faces in enumerate(sets):
        yield from _spread(rest, (*sets[:index], (*faces, face), *sets[index + 1 :]), old)
    yield from _spread(rest, (*sets, (face,)), old)


def _written(rules: RuleBook, position: LayOffPosition, index: int, faces: FaceSet) -> list[Exposed]:
    """A set as it could be laid: runs in order, in every reading."""
    reader, old = rules.reader, position.melds
    if index < len(old) and Counter(old[index].faces) == Counter(faces):
        return [old[index]]
    owner = old[index].owner if index < len(old) else position.player
    forms = {reader.arranged(reading, faces) for reading in reader.readings(faces)}
    return [exposed(rules, form, owner) for form in sorted(forms)]


def canonical(rules: RuleBook, position: LayOffPosition, melds: Sequence[Exposed]) -> Any:
    """What a table is, whatever the order of one player's melds, of new ones, and of tiles in a group."""

    def form(meld: Exposed) -> FaceSet:
        group = any(not reading.is_run for reading in rules.reader.readings(meld.faces))
        return tuple(sorted(meld.faces)) if group else meld.faces

    old = len(position.melds)
    kept = sorted((meld.owner, form(meld)) for meld in melds[:old])
    return tuple(kept), tuple(sorted(tuple(sorted(meld.faces)) for meld in melds[old:]))


def score_in_the_game(state: State, turn: Turn) -> int:
    """What the game itself credits a winner with, tiles and bonus."""
    after, _ = apply(state, as_play(state, Draft(turn.melds, turn.left), turn.discard), Shuffle("any"))
    assert after.result is not None
    return after.result.scores[0]


def preference(rules: RuleBook, played: FaceSet, touched: int, objective: Objective) -> tuple[int, ...]:
    """What the best play is best at, in order."""
    tiles, points = len(played), rack_count(rules, played)
    jokers = played.count(rules.tiles.joker)
    first = (tiles, points) if objective == "tiles" else (points, tiles)
    return (*first, -touched, -jokers)


def compare(case: Case) -> Counter[str]:
    """Every answer against all turns that the steps of the game reach; the score as the game counts it."""
    turns = every_turn(case)
    done = compare_with(case.state.book, case.position, turns)
    for objective in OBJECTIVES:
        agrees_with_the_game(case, best_play(case.state.book, case.position, objective))
    out = going_out(case.state.book, case.position)
    if out is not None:
        scores = [score_in_the_game(case.state, turn) for turn in turns if turn.outcome in GOING_OUT]
        assert out.score == max(scores)
        agrees_with_the_game(case, out)
    return done


def agrees_with_the_game(case: Case, play: LayOffPlay) -> None:
    """Played in the game, an answer leads to what it says."""
    state = case.state
    left = tuple(sorted((Counter(case.position.rack) - Counter(play.played)).elements()))
    after, _ = apply(state, as_play(state, Draft(play.melds, left), play.discard), Shuffle("any"))
    assert [state.faces(meld.tiles) for meld in after.melds] == [meld.faces for meld in play.melds]
    assert after.over == (play.outcome in GOING_OUT)
    if after.result is not None:
        assert after.result.scores[0] == play.score


def compare_with(rules: RuleBook, position: LayOffPosition, turns: list[Turn]) -> Counter[str]:
    """Every answer against a list of all turns; what could be done, counted."""
    done: Counter[str] = Counter(positions=1, turns=len(turns))
    for objective in OBJECTIVES:
        answer = best_play(rules, position, objective)
        expected = max(preference(rules, turn.played, turn.touched, objective) for turn in turns)
        touched = sum(a.faces != b.faces for a, b in zip(answer.melds, position.melds, strict=False))
        assert preference(rules, answer.played, touched, objective) == expected
        assert answer.optimal
        lawful(rules, position, answer)
        done["plays"] += bool(answer.tiles)
    out = going_out(rules, position)
    ways = [turn for turn in turns if turn.outcome in GOING_OUT]
    assert (out is None) == (not ways)
    if out is not None:
        lawful(rules, position, out)
        assert out.outcome in {turn.outcome for turn in ways}
        done[out.outcome] += 1
    done["needing a claim"] += bool(ways) and all(turn.claims for turn in ways)
    if not position.on_board:
        compare_openings(rules, position, [turn for turn in turns if turn.opening is not None], done)
    return done


def compare_openings(
    rules: RuleBook, position: LayOffPosition, turns: list[Turn], done: Counter[str]
) -> None:
    """Going on board: whether, with how many points, with how many tiles, with how few."""
    found = on_board(rules, position)
    assert (found is None) == (not turns)
    if found is None:
        return
    openings = [turn.opening for turn in turns if turn.opening is not None]
    done["openings"] += 1
    done["needing a claim"] += all(turn.claims for turn in turns)
    plays = found.most_points, found.most_tiles, found.smallest
    for play in plays:
        lawful(rules, position, play)
    values = [(play.value, play.tiles) for play in plays]
    assert values[0] == max(openings)
    assert values[1] == max(openings, key=lambda opening: (opening[1], opening[0]))
    assert values[2] == min(openings, key=lambda opening: (opening[1], opening[0]))


def lawful(rules: RuleBook, position: LayOffPosition, play: LayOffPlay) -> None:
    """The judge agrees with what an answer says of itself."""
    turn = LayOffTurn(
        position.player, position.melds, position.rack, play.melds, position.on_board, play.discard
    )
    assert judge(rules, turn).outcome == play.outcome
    assert (len(play.played), rack_count(rules, play.played)) == (play.tiles, play.points)
    assert (play.bonus > 0) == (play.outcome in GOING_OUT)


@pytest.mark.parametrize("name", HOUSE_BOOKS)
def test_every_answer_equals_brute_force_on_random_positions(name: str) -> None:
    chance = Random(f"lay off {name}")
    done: Counter[str] = Counter()
    pairs = name == "pairs"  # where nearly everything fits everywhere
    for _ in range(120 if pairs else 180):
        done += compare(random_case(name, chance, most_melds=3, most_tiles=5 if pairs else 6))
    assert min(done["plays"], done["openings"], done["OPEN_RUMMY"], done["HAND"] + done["FOOT"]) > 5
    assert name == "no-jokers" or done["needing a claim"]


@pytest.mark.parametrize("name", ["six", "three-colours", "no-threshold", "four-jokers", "pairs"])
def test_every_answer_equals_what_the_judge_allows_of_all_tables(name: str) -> None:
    """An oracle that knows no moves; melds as written, so that a joker may be read in more than one way."""
    chance = Random(f"all tables {name}")
    rules = house(name)
    most = (1, 3) if name == "four-jokers" else (2, 4)
    for _ in range(25):
        case = random_case(name, chance, *most)
        turns = every_table(rules, case.position)
        assert reached(rules, case.position, turns) == reached(rules, case.position, every_turn(case))
        melds = tuple(exposed(rules, meld.faces, meld.owner) for meld in case.position.melds)
        position = msgspec.structs.replace(case.position, melds=melds)
        compare_with(rules, position, every_table(rules, position))


def random_full_rack(chance: Random) -> FaceSet:
    """Fifteen tiles as they come, or with a few sets among them."""
    left = list(RUMMYO.tiles.every_tile)
    chance.shuffle(left)
    face_of = RUMMYO.tiles.face_of
    sets = [_random_meld(RUMMYO, chance, left, 0, False) for _ in range(chance.choice((0, 0, 1, 2, 3, 4, 5)))]
    tiles = [tile for meld in sets if meld is not None for tile in meld.tiles]
    return tuple(face_of[tile] for tile in (*tiles, *left)[:15])


def lies_in_sets(rack: Counter[Face], sets: Sequence[FaceSet]) -> bool:
    """Whether all these tiles can be laid in sets, tried in the plainest way."""
    if not rack.total():
        return True
    first = min(rack)
    for faces in sets:
        if min(faces) == first and Counter(faces) <= rack and lies_in_sets(rack - Counter(faces), sets):
            return True
    return False


def hands(rack: FaceSet) -> set[int]:
    """The bonuses of all hands that a rack alone can be laid as."""
    every = {tuple(sorted(faces)) for faces in sets_within(RUMMYO.reader, tuple(sorted(rack)), True)}
    found = set()
    for discard in set(rack):
        laid = Counter(rack) - Counter([discard])
        if lies_in_sets(laid, sorted(every)):
            found.add(RUMMYO.scoring.hand_bonus[laid[RUMMYO.tiles.joker]])
    return found


def test_full_racks_go_on_board_and_out_as_plain_searches_say() -> None:
    chance = Random("full racks")
    done: Counter[str] = Counter()
    for _ in range(200):
        rack = random_full_rack(chance)
        position = position_on(RUMMYO, (), [], "A", rack, on_board=False)
        found, out = on_board(RUMMYO, position), going_out(RUMMYO, position)
        assert (found is None) == (opening(RUMMYO, rack) is None)
        bonuses = hands(rack)
        assert (0 if out is None else out.bonus) == max(bonuses, default=0)
        done.update(on_board=found is not None, hands=out is not None)
    assert min(done["on_board"], done["hands"]) > 10


def reached(rules: RuleBook, position: LayOffPosition, turns: list[Turn]) -> set[Any]:
    """The ends of some turns."""
    return {
        (canonical(rules, position, turn.melds), tuple(sorted(turn.left)), turn.discard, turn.outcome)
        for turn in turns
    }


def position_text(table: str, owners: str, rack: str, on_board: bool = True) -> LayOffPosition:
    """A Rummy-O position of player A as text; one letter for the owner of each meld."""
    tiles = RUMMYO.tiles
    return position_on(RUMMYO, parse_table(table, tiles), list(owners), "A", parse_set(rack, tiles), on_board)


def shown(play: LayOffPlay | None) -> tuple[str, str, str]:
    """The table, the discard and the outcome of a play as text."""
    assert play is not None
    names = RUMMYO.tiles.face_names
    table = " | ".join(RUMMYO.tiles.faces_text(meld.faces) for meld in play.melds)
    return table, names[play.discard], play.outcome


@pytest.mark.parametrize(
    ("table", "owners", "rack", "after", "discard", "outcome"),
    [
        pytest.param("R5 R6 R7", "B", "R9 R8 K2", "R5 R6 R7 R8 R9", "K2", "OPEN_RUMMY", id="R56-chain"),
        pytest.param("R5 R6 R7", "B", "R4 R8 K2", "R4 R5 R6 R7 R8", "K2", "OPEN_RUMMY", id="R56-both-ends"),
        pytest.param("R11 R12 R13", "B", "R1 R2 K9", "R11 R12 R13 R1", "K9", "OK", id="R53-one-after-13"),
        pytest.param("R2 R3 R4", "B", "R1 R13 K5", "R1 R2 R3 R4", "R13", "OK", id="R53-13-not-before-1"),
        pytest.param(
            "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12",
            "B",
            "R13 K5",
            "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12",
            "R13",
            "DISCARD_ONLY",
            id="R53-longest-run",
        ),
        pytest.param("R7 B7 K7", "B", "O7 R7 K2", "R7 B7 K7 O7", "R7", "OK", id="R56-fourth-colour"),
        pytest.param(
            "R5 B5 *", "B", "K5 O2 O3 O9", "R5 B5 K5 | O2 O3 *", "O9", "OPEN_RUMMY", id="R56-either-colour"
        ),
        pytest.param(
            "R5 R6 *", "B", "R7 K2 O2", "R5 R6 *", "R7", "DISCARD_ONLY", id="R57-not-to-an-opponent"
        ),
        pytest.param("R5 R6 *", "A", "R7 K2", "R5 R6 R7 *", "K2", "OPEN_RUMMY", id="R57-into-own-old-meld"),
        pytest.param(
            "R5 R6 * | K1 K2 K3",
            "BA",
            "R7 K5 O9",
            "R5 R6 R7 | K1 K2 K3 * K5",
            "O9",
            "OPEN_RUMMY",
            id="R57-joker-bridges-own-run",
        ),
        pytest.param(
            "R5 R6 R7", "B", "* R9 K2", "R5 R6 R7 * R9", "K2", "OPEN_RUMMY", id="R56-joker-then-chain"
        ),
        pytest.param("", "", "R4", "", "R4", "OPEN_RUMMY", id="R58-last-tile"),
        pytest.param("B3 B4 B5", "B", "B6", "B3 B4 B5", "B6", "OPEN_RUMMY", id="R58-discard-must-remain"),
    ],
)
def test_rummyo_best_play(table: str, owners: str, rack: str, after: str, discard: str, outcome: str) -> None:
    play = best_play(RUMMYO, position_text(table, owners, rack))
    assert shown(play) == (after, discard, outcome)
    assert play.optimal


FULL_RACK = "R2 R3 R4 B5 B6 B7 K8 K9 K10 R11 B11 K11 O1 O2 "


@pytest.mark.parametrize(
    ("table", "rack", "outcome", "bonus", "discard"),
    [
        pytest.param("", FULL_RACK.replace("O1 O2", "R1 R5") + "O13", "HAND", 500, "O13", id="R59-hand"),
        pytest.param("", FULL_RACK.replace("O1 O2", "R1 *") + "O13", "HAND", 400, "O13", id="R59-hand-joker"),
        pytest.param("", FULL_RACK.replace("O1 O2", "* *") + "O13", "HAND", 300, "O13", id="R59-hand-two"),
        pytest.param(
            "", FULL_RACK.replace("O1 O2", "R1 R5") + "*", "HAND", 500, "*", id="R59-discards-a-joker"
        ),
        pytest.param("O3 O4 O5", FULL_RACK + "O13", "FOOT", 200, "O13", id="R59-foot-by-adding"),
        pytest.param(
            "O3 O4 *", FULL_RACK.replace("O1", "O5") + "R13", "FOOT", 200, "R13", id="R59-foot-by-claim"
        ),
    ],
)
def test_rummyo_going_out_in_one_turn(table: str, rack: str, outcome: str, bonus: int, discard: str) -> None:
    play = going_out(RUMMYO, position_text(table, "B" if table else "", rack, on_board=False))
    assert play is not None
    assert shown(play)[1:] == (discard, outcome)
    assert play.bonus == bonus


def test_r60_a_tile_given_for_a_joker_does_not_count_and_the_joker_does() -> None:
    position = position_text("R9 R10 * | B2 B3 B4", "BA", "R11 K2 K3 O9")
    play = going_out(RUMMYO, position)
    assert play is not None
    # In front of A: B2 B3 B4, then K2 K3 and the joker; R11 lies with B.
    assert (play.bonus, play.score) == (100, 100 + 9 + 5 + 15)


def test_r60_of_two_ways_out_the_one_that_keeps_the_dearer_tile() -> None:
    """There is room for one claimed joker: the 7 is given for it, the 13 is added and counts."""
    table = "R5 R6 * | R4 R5 R6 | K11 K12 * | K10 K11 K12"
    play = going_out(RUMMYO, position_text(table, "BBBB", "R7 K13 O2 B2 K2 B9"))
    after = "R5 R6 R7 | R4 R5 R6 | K11 K12 * | K10 K11 K12 K13 | K2 B2 O2 *"
    assert shown(play) == (after, "B9", "OPEN_RUMMY")
    assert play is not None
    assert play.score == 100 + 10 + 6 + 15


def test_r55_the_50_with_a_run() -> None:
    position = position_text("", "", "R10 R11 R12 B8 K8 O8 K1 K2 K3 B13 O5 O13 B2 R7 K6", on_board=False)
    found = on_board(RUMMYO, position)
    assert found is not None
    assert (found.most_points.value, found.most_points.tiles) == (69, 9)
    assert (found.most_tiles.value, found.most_tiles.tiles) == (69, 9)
    assert (found.smallest.value, found.smallest.tiles) == (54, 6)
    groups = position_text("", "", "R10 B10 K10 B13 K13 O13 R2 R3 O5", on_board=False)
    assert on_board(RUMMYO, groups) is None
    assert shown(best_play(RUMMYO, groups))[2] == "DISCARD_ONLY"


def test_r57_a_claimed_joker_counts_15_towards_the_50() -> None:
    rack = "R7 R2 R3 B10 K10 O10 R9 R12 B1 B6 K4 K8 O3 O8 O13"
    found = on_board(RUMMYO, position_text("R5 R6 *", "B", rack, on_board=False))
    assert found is not None
    assert shown(found.smallest)[0].startswith("R5 R6 R7 | ")
    assert (found.smallest.value, found.smallest.tiles, found.smallest.outcome) == (50, 6, "ON_BOARD")
    assert on_board(RUMMYO, position_text("", "", rack, on_board=False)) is None


def test_a_player_on_board_cannot_go_on_board() -> None:
    with pytest.raises(PositionError, match="on board"):
        on_board(RUMMYO, position_text("", "", "R1 R2"))


@pytest.mark.parametrize(
    ("table", "owners", "rack", "reason"),
    [
        ("R1 R2 R4", "B", "K1", "not a legal meld"),
        ("", "", "K1 K1 K1", "there are only 2"),
        ("R1 R2 R3", "B", "", "empty"),
    ],
)
def test_positions_that_cannot_be_are_refused(table: str, owners: str, rack: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        best_play(RUMMYO, position_text(table, owners, rack))


def test_a_rearranging_book_is_refused() -> None:
    with pytest.raises(PositionError, match="wrc11"):
        best_play(book("wrc11"), position_text("", "", "R1"))


def test_a_rack_full_of_jokers_is_refused_not_hung_on() -> None:
    rules = house_book(
        {
            "id": "jokers",
            "version": "1",
            "base": "rummyo",
            "tiles": {"jokers": 60, "numbers": 40},
            "scoring": {"hand_bonus": [1] * 61},
        }
    )
    rack = [*range(40), *(rules.tiles.joker,) * 60]
    with pytest.raises(TooLargeError):
        best_play(rules, position_on(rules, (), [], "A", rack, on_board=True))


HARD = position_text(
    "R5 R6 R7 | B2 B3 B4 | K10 K11 K12 | O7 R7 B7 | K4 K5 K6 | O1 O2 O3",
    "BABABA",
    "R8 R9 R10 B5 B6 B7 K7 K8 K9 O4 O5 O6 * * R4",
)


@pytest.mark.parametrize("nodes", [0, 1, 10, 50, 100, 200, 400, 800, 1600, 3200])
def test_with_few_steps_a_legal_play_that_may_not_be_best(nodes: int) -> None:
    best = best_play(RUMMYO, HARD)
    play = best_play(RUMMYO, HARD, nodes=nodes)
    assert 0 < play.tiles <= best.tiles
    assert play.tiles == best.tiles or not play.optimal
    assert best.optimal
    assert nodes > 0 or not play.optimal


def test_a_time_limit_of_nothing_still_gives_a_play() -> None:
    play = best_play(RUMMYO, HARD, time_limit=0.0)
    assert play.tiles
    assert not play.optimal


def test_an_undecided_question_is_refused() -> None:
    rack = "R8 R9 R10 B5 B6 B7 K7 K8 K9 O4 O5 O6 * * R4"
    position = position_text("R5 R6 R7 | B2 B3 B4", "BB", rack, on_board=False)
    with pytest.raises(TooLargeError):
        on_board(RUMMYO, position, nodes=5)
    stuck = position_text("", "", "R8 R9 R10 B5 B6 B7 R1 B1 K3 O12 B13 K9 O6 * *", on_board=False)
    assert going_out(RUMMYO, stuck) is None
    with pytest.raises(TooLargeError):
        going_out(RUMMYO, stuck, nodes=1)


def random_request(chance: Random) -> dict[str, Any]:
    """A Rummy-O request as people and programs send it; now and then a run written out of order."""
    rules = RUMMYO
    left = list(rules.tiles.every_tile)
    chance.shuffle(left)
    melded = chance.random() < 0.6
    melds = [
        _random_meld(rules, chance, left, chance.randint(0 if melded else 1, 2), melded) for _ in range(6)
    ]
    table = [
        list(rules.tiles.names(meld.tiles).replace("'", "").split()) for meld in melds if meld is not None
    ]
    for names in table:
        if chance.random() < 0.1:
            chance.shuffle(names)
    fitting = [face for meld in melds if meld is not None for face in _fitting(rules, meld)]
    rack = _random_rack(rules, chance, left, chance.randint(1, 15), fitting)
    owners = ["ABC"[meld.owner] for meld in melds if meld is not None]
    return {
        "id": chance.randint(0, 9),
        "rulebook": "rummyo",
        "table": table,
        "rack": rules.tiles.names(rack).replace("'", "").split(),
        "has_melded": melded,
        "objective": chance.choice(OBJECTIVES),
        "extra": {"player": "A", "owners_before": owners},
    }


def test_every_answer_passes_check() -> None:
    chance = Random("check")
    outcomes: Counter[str] = Counter()
    for _ in range(400):
        request = random_request(chance)
        answer = solve_lay_off(request)
        extra = request["extra"] | {"owners_after": answer["owners"], "discard": answer["discard"]}
        verdict = check(
            {
                "rulebook": "rummyo",
                "table_before": request["table"],
                "rack": request["rack"],
                "table_after": answer["table"],
                "has_melded": request["has_melded"],
                "extra": extra,
            }
        )
        assert verdict["legal"], (request, answer, verdict)
        assert verdict["outcome"] == answer["outcome"]
        assert answer["id"] == request["id"]
        assert answer["tiles"] == len(answer["played"])
        assert answer["optimal"]
        if not answer["played"]:
            assert answer["table"] == request["table"]
        outcomes[answer["outcome"]] += 1
    assert len(outcomes) >= 4


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rack": ["Q9"]}, "bad_tile"),
        ({"rack": 7}, "bad_request"),
        ({"rulebook": "rummikub"}, "unknown_book"),
        ({"rulebook": "wrc11"}, "bad_position"),
        ({"table": [["R1", "R2"]]}, "bad_position"),
        ({"extra": {"owners_before": ["B", "C"]}}, "bad_position"),
        ({"extra": {"owners_before": ["B"], "holders_before": [["B"]]}}, "bad_position"),
    ],
)
def test_requests_that_cannot_be_answered_say_why(change: dict[str, Any], code: str) -> None:
    request = {"rulebook": "rummyo", "table": [["R1", "R2", "R3"]], "rack": ["R4", "K5"]}
    with pytest.raises(RequestError) as error:
        solve_lay_off(request | change)
    assert error.value.code == code
