"""Plays of the laying-off book: all of them within a budget, or a random one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from meldroom.game import actions as act
from meldroom.game.legal.arrange import Budget
from meldroom.game.state import Meld, State
from meldroom.rules.laying_off import Exposed, LayOffTurn, exposed, judge
from meldroom.rules.opening import opening, sets_within
from meldroom.rules.sets import Reading
from meldroom.rules.verify import FaceSet
from meldroom.tiles import Face, Tile, TileSet


class Draft(msgspec.Struct, frozen=True):
    """A play in the making: all melds, what is left on the rack, jokers claimed and not yet placed."""

    melds: tuple[Exposed, ...]
    rack: FaceSet
    claimed: int = 0


def lay_off_actions(state: State, budget: Budget) -> Iterator[act.Action]:
    """Every legal action at this moment of a turn; equal tiles count once."""
    seat = state.seat
    if state.phase == "take":
        yield act.Take(seat, source="stock")
        if state.discards:
            yield act.Take(seat, source="discard")
        return
    for face in sorted(set(state.faces(state.racks[seat]))):
        yield act.Discard(seat, tile=_tile_on_rack(state, face))
    if state.phase == "play":
        yield from _plays(state, budget)


def _tile_on_rack(state: State, face: Face) -> Tile:
    return next(tile for tile in state.racks[state.seat] if state.book.tiles.face_of[tile] == face)


def first_draft(state: State) -> Draft:
    """The melds and the rack as they are."""
    melds = tuple(Exposed(state.faces(m.tiles), str(m.owner), (m.reading,)) for m in state.melds)
    return Draft(melds, state.faces(state.racks[state.seat]))


def _plays(state: State, budget: Budget) -> Iterator[act.Action]:
    """Drafts step by step, each once, with every discard that makes one a legal turn."""
    start = first_draft(state)
    old = len(start.melds)
    seen = {_key(start, old)}
    stack = [start]
    while stack:
        draft = stack.pop()
        budget.spend()
        if draft != start and not draft.claimed:
            for face in sorted(set(draft.rack)):
                if is_legal(state, draft, face):
                    yield as_play(state, draft, face)
        for step in steps(state, draft):
            if (key := _key(step, old)) not in seen:
                seen.add(key)
                stack.append(step)


def _key(draft: Draft, old: int) -> object:
    """Drafts that come to the same: new melds laid in another order are the same melds."""
    melds = [(m.readings[0].kind, m.faces, m.owner) for m in draft.melds]
    return tuple(melds[:old]), tuple(sorted(melds[old:])), draft.rack, draft.claimed


def is_legal(state: State, draft: Draft, discard: Face) -> bool:
    """Whether a draft with this discard is a legal turn."""
    start = first_draft(state)
    turn = LayOffTurn(
        str(state.seat), start.melds, start.rack, draft.melds, state.melded[state.seat], discard
    )
    return judge(state.book, turn).outcome is not None


def steps(state: State, draft: Draft) -> Iterator[Draft]:
    """Every single thing that can be done next: claim, add a tile, lay a new meld."""
    for index, meld in enumerate(draft.melds):
        reading = meld.readings[0]
        yield from _claims(state, draft, index, meld, reading)
        for face in _supply(state, draft):
            for faces, wider in _additions(state, meld, reading, face):
                yield _placed(state, draft, index, Exposed(faces, meld.owner, (wider,)), (face,))
    usable = tuple(sorted([*draft.rack, *(state.book.tiles.joker,) * draft.claimed]))
    for faces in new_melds(state, usable):
        if len(faces) < len(draft.rack) + draft.claimed:
            for shown in _meanings(state, exposed(state.book, faces, str(state.seat))):
                yield _placed(state, draft, len(draft.melds), shown, faces)


def _meanings(state: State, shown: Exposed) -> Iterator[Exposed]:
    """A new meld as a run, as a group, or as either where one numbered tile lies with jokers (R56)."""
    runs = tuple(reading for reading in shown.readings if reading.is_run)
    groups = tuple(reading for reading in shown.readings if not reading.is_run)
    if runs:
        yield Exposed(shown.faces, shown.owner, runs)
    if groups:
        yield Exposed(tuple(sorted(shown.faces)), shown.owner, groups)


def new_melds(state: State, usable: FaceSet) -> list[FaceSet]:
    """Every new meld these tiles can make, a run with its jokers in their places, each once."""
    every = sets_within(state.book.reader, usable, every_length=True)
    return sorted({faces for faces in every if state.book.reader.written(faces)})


def _supply(state: State, draft: Draft) -> list[Face]:
    return sorted({*draft.rack, *((state.book.tiles.joker,) if draft.claimed else ())})


def _placed(state: State, draft: Draft, index: int, meld: Exposed, used: FaceSet) -> Draft:
    """The draft with a meld put in place, its tiles taken from claimed jokers first, then the rack."""
    jokers = min(used.count(state.book.tiles.joker), draft.claimed)
    left = Counter(draft.rack) - (Counter(used) - Counter({state.book.tiles.joker: jokers}))
    melds = (*draft.melds[:index], meld, *draft.melds[index + 1 :])
    return Draft(melds, tuple(sorted(left.elements())), draft.claimed - jokers)


def _claims(state: State, draft: Draft, index: int, meld: Exposed, reading: Reading) -> Iterator[Draft]:
    """Jokers of a meld that a rack tile can be given for."""
    reader, joker = state.book.reader, state.book.tiles.joker
    stands = reader.faces_of(reading, meld.faces) or meld.faces
    for place, face in enumerate(meld.faces):
        if face != joker:
            continue
        missing = [stands[place]] if reading.is_run else _missing_colours(state, meld, reading)
        for given in missing:
            if given in draft.rack:
                faces = (*meld.faces[:place], given, *meld.faces[place + 1 :])
                rack = list(draft.rack)
                rack.remove(given)
                melds = (
                    *draft.melds[:index],
                    Exposed(faces, meld.owner, (reading,)),
                    *draft.melds[index + 1 :],
                )
                yield Draft(melds, tuple(rack), draft.claimed + 1)


def _missing_colours(state: State, meld: Exposed, reading: Reading) -> list[Face]:
    tiles = state.book.tiles
    every = (tiles.face(colour, reading.low) for colour in range(len(tiles.colours)))
    return [face for face in every if face not in meld.faces]


def _additions(
    state: State, meld: Exposed, reading: Reading, face: Face
) -> Iterator[tuple[FaceSet, Reading]]:
    """A meld with one more tile: the fourth colour of a group, or either end of a run."""
    reader, tiles = state.book.reader, state.book.tiles
    if not reading.is_run:
        if face == tiles.joker or face in _missing_colours(state, meld, reading):
            longer = (*meld.faces, face)
            if len(longer) <= len(tiles.colours):
                yield longer, reading
        return
    for low, high, faces in (
        (reading.low - 1, reading.high, (face, *meld.faces)),
        (reading.low, reading.high + 1, (*meld.faces, face)),
    ):
        wider = Reading("run", low, high, reading.colour)
        if reader.allowed(low, high) and reader.faces_of(wider, faces) is not None:
            yield faces, wider


def as_play(state: State, draft: Draft, discard: Face) -> act.Play:
    """A draft as physical tiles."""
    rack = state.racks[state.seat]
    return play_with_tiles(state.book.tiles, state.seat, state.melds, rack, draft.melds, discard)


def play_with_tiles(
    tiles: TileSet,
    seat: int,
    before: Sequence[Meld],
    rack: Sequence[Tile],
    wanted: Sequence[Exposed],
    discard: Face,
) -> act.Play:
    """Melds of faces as physical tiles: old ones keep theirs, claimed jokers and rack tiles fill the rest."""
    made, discarded = melds_with_tiles(tiles, before, rack, [meld.faces for meld in wanted], discard)
    melds = tuple(
        act.MeldPlay(laid, int(meld.owner), meld.readings[0].kind if index >= len(before) else None)
        for index, (laid, meld) in enumerate(zip(made, wanted, strict=True))
    )
    return act.Play(seat, melds=melds, discard=discarded)


def melds_with_tiles(
    tiles: TileSet, before: Sequence[Meld], rack: Sequence[Tile], wanted: Sequence[FaceSet], discard: Face
) -> tuple[act.TileSets, Tile]:
    """The same for melds that need not be finished: the tiles of each, and the tile that stays to discard."""
    face_of = tiles.face_of
    kept: list[list[Tile]] = [list(meld.tiles) for meld in before]
    supply = list(rack)
    staying: list[dict[int, Tile]] = []
    for left, faces in zip(kept, wanted, strict=False):
        staying.append(tiles_in_place(tiles, left, faces))
        if staying[-1]:
            supply[:0] = [tile for tile in left if tile not in staying[-1].values()]
            continue
        surplus = Counter(face_of[tile] for tile in left) - Counter(faces)
        for tile in [tile for tile in left if surplus[face_of[tile]]]:
            surplus[face_of[tile]] -= 1
            left.remove(tile)
            supply.insert(0, tile)
    discarded = next(tile for tile in reversed(supply) if face_of[tile] == discard)
    supply.remove(discarded)
    made = []
    for index, faces in enumerate(wanted):
        stay = staying[index] if index < len(staying) else {}
        own = kept[index] if index < len(kept) and not stay else []
        made.append(
            tuple(
                stay[place] if place in stay else _pick(face_of, own, supply, face)
                for place, face in enumerate(faces)
            )
        )
    return tuple(made), discarded


def tiles_in_place(tiles: TileSet, old: Sequence[Tile], faces: Sequence[Face]) -> dict[int, Tile]:
    """Which tile of a meld lies where once it shows these faces: all but jokers that were given up stay.

    Empty where the old tiles do not lie side by side as before, in whatever order the faces were given.
    """
    face_of, joker = tiles.face_of, tiles.joker
    for first in range(len(faces) - len(old) + 1):
        there = faces[first : first + len(old)]
        if all(face_of[tile] in (face, joker) for tile, face in zip(old, there, strict=True)):
            pairs = zip(old, there, strict=True)
            return {first + place: tile for place, (tile, face) in enumerate(pairs) if face_of[tile] == face}
    return {}


def _pick(face_of: tuple[Face, ...], own: list[Tile], supply: list[Tile], face: Face) -> Tile:
    source = own if any(face_of[tile] == face for tile in own) else supply
    tile = next(tile for tile in source if face_of[tile] == face)
    source.remove(tile)
    return tile


MOST_STEPS = 5


def sample_lay_off(state: State, chance: random.Random) -> act.Action:
    """A random legal action: goes on board when it can, then lays what comes to hand."""
    seat = state.seat
    if state.phase == "take":
        from_discards = bool(state.discards) and chance.random() < 0.4
        return act.Take(seat, source="discard" if from_discards else "stock")
    if state.phase == "play":
        draft = _random_draft(state, chance)
        if draft is not None:
            discards = [face for face in set(draft.rack) if is_legal(state, draft, face)]
            if discards:
                return as_play(state, draft, chance.choice(sorted(discards)))
    return act.Discard(seat, tile=chance.choice(state.racks[seat]))


def _random_draft(state: State, chance: random.Random) -> Draft | None:
    """A few random steps; before going on board, a sufficient meld first."""
    draft = first_draft(state)
    if not state.melded[state.seat]:
        found = opening(state.book, draft.rack) if chance.random() < 0.8 else None
        if found is not None:
            for faces in found.sets:
                shown = exposed(state.book, faces, str(state.seat))
                draft = _placed(state, draft, len(draft.melds), shown, faces)
            return draft
    start = draft
    for _ in range(chance.randint(1, MOST_STEPS)):
        options = [step for step in steps(state, draft) if len(step.rack) > 0]
        if not options:
            break
        draft = chance.choice(options)
    return draft if draft != start and not draft.claimed else None
