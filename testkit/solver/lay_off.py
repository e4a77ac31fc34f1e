"""Rummy-O by brute force: small books, random positions, every turn of each, and how answers compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations, product
from random import Random
from typing import Any, NamedTuple

import msgspec

from meldroom.game.apply import apply, new_game
from meldroom.game.legal.lay_off import Draft, as_play, first_draft, steps
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import Meld, State
from meldroom.game.views import view
from meldroom.rules.book import Deal, RuleBook
from meldroom.rules.laying_off import GOING_OUT, Exposed, LayOffTurn, Outcome, exposed, is_run, judge
from meldroom.rules.library import book, house_book
from meldroom.rules.opening import sets_within
from meldroom.rules.scoring import rack_count
from meldroom.rules.verify import FaceSet, set_points
from meldroom.solver.lay_off.best import (
    LayOffPlay,
    LayOffPosition,
    Objective,
    best_play,
    going_out,
    on_board,
    position_of,
)
from meldroom.tiles import Face, Tile

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
