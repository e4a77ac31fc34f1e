"""Random Rummy-O turns for the judges to disagree about."""

from __future__ import annotations

import random
from collections import Counter
from typing import NamedTuple

from meldroom.rules.book import RuleBook
from meldroom.tiles import Face
from tests.laws.brute_judge import Faces, box_of, plain, sets_of
from tests.laws.brute_lay_off import Laid, place_number, ways_to_lay
from tests.laws.turns import random_table


class Attempt(NamedTuple):
    """A turn as submitted: old melds with their meaning, the rack, the new melds, the discard."""

    player: str
    before: tuple[Laid, ...]
    rack: Faces
    after: tuple[tuple[Faces, str], ...]
    on_board: bool
    discard: Face | None


class _Hand:
    """Tiles that may still be laid; a claimed joker is one of them. Now and then a tile is conjured up."""

    def __init__(self, book: RuleBook, rack: Faces, chance: random.Random, cheats: float) -> None:
        self.joker = box_of(book).joker
        self.left = Counter(rack)
        self.claimed = 0
        self.chance = chance
        self.cheats = cheats

    def take(self, face: Face) -> bool:
        if face == self.joker and self.claimed:
            self.claimed -= 1
            return True
        if self.left[face]:
            self.left -= Counter([face])
            return True
        return self.chance.random() < self.cheats


def random_attempt(book: RuleBook, chance: random.Random, melds: int = 3) -> Attempt:
    """A turn made step by step, mostly lawful steps; then perhaps spoilt.

    Half of the time the rack is just what the turn needs, so that players go out, too.
    """
    table, left = random_table(book, chance, chance.randint(0, melds), 0.35)
    owners = ("B",) if chance.random() < 0.35 else ("A", "B")
    before = tuple(chance.choice(ways_to_lay(book, faces, chance.choice(owners))) for faces in table)
    on_board = any(meld.owner == "A" for meld in before) or (bool(before) and chance.random() < 0.2)
    pool = chance.sample(sorted(left.elements()), left.total())
    fitting = chance.random() < 0.5
    rack = tuple(pool[: chance.randint(10, 24) if fitting else chance.randint(2, 9)])
    hand = _Hand(book, rack, chance, chance.choice((0.0, 0.0, 0.03)))
    after = [(_continued(book, meld, hand, chance), meld.owner) for meld in before]
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        held = hand.left + Counter({hand.joker: hand.claimed})
        sets = sets_of(book, held)
        if sets:
            new = chance.choice(ways_to_lay(book, chance.choice(sets), "A"))
            for face in new.faces:
                hand.take(face)
            after.append((new.faces, "A"))
    if hand.claimed and chance.random() < 0.5:
        index = chance.randrange(len(after))
        after[index] = ((*after[index][0], hand.joker), after[index][1])
    if fitting:
        spare = sorted(hand.left.elements())
        hand.left = Counter(chance.sample(spare, min(len(spare), chance.choice((1, 1, 1, 2, 3)))))
        held = Counter(rack) - Counter(spare) + hand.left
        rack = tuple(chance.sample(sorted(held.elements()), held.total()))
    if chance.random() < 0.12:
        after = _spoilt(after, chance)
    return Attempt("A", before, rack, tuple(after), on_board, _discard(hand, rack, chance))


def _continued(book: RuleBook, meld: Laid, hand: _Hand, chance: random.Random) -> Faces:
    """A meld with jokers claimed and tiles added, as far as the hand goes."""
    if chance.random() < 0.4:
        return meld.faces
    box = box_of(book)
    numbered = [plain(box, face) for face in meld.faces if face != box.joker]
    faces = list(meld.faces)
    if meld.low == 0:
        number = numbered[0][1]
        colours = (c for c in range(box.colours) if (c, number) not in numbered)
        missing = [Face(colour * box.numbers + number - 1) for colour in colours]
        if box.joker in faces and missing and chance.random() < 0.6:
            tile = chance.choice(missing)
            if hand.take(tile):
                faces[faces.index(box.joker)] = tile
                hand.claimed += 1
                missing.remove(tile)
        extra = chance.choice([*missing, box.joker])
        if chance.random() < 0.6 and hand.take(extra):
            faces.append(extra)
        return tuple(faces)
    colour = numbered[0][0]

    def stands(place: int) -> Face:
        return Face(colour * box.numbers + (place_number(box, place) - 1) % box.numbers)

    for index, face in enumerate(meld.faces):
        if face == box.joker and chance.random() < 0.6 and hand.take(stands(meld.low + index)):
            faces[index] = stands(meld.low + index)
            hand.claimed += 1
    for step in range(1, chance.randint(1, 3)):
        high = meld.low + len(meld.faces) - 1
        for place, at_end in ((high + step, True), (meld.low - step, False)):
            tile = box.joker if chance.random() < 0.3 else stands(place)
            if chance.random() < 0.5 and hand.take(tile):
                faces.insert(len(faces) if at_end else 0, tile)
    return tuple(faces)


def _spoilt(after: list[tuple[Faces, str]], chance: random.Random) -> list[tuple[Faces, str]]:
    """Something that is seldom right: a tile missing, or a tile in another meld."""
    if not after:
        return after
    index = chance.randrange(len(after))
    faces, owner = after[index]
    if chance.random() < 0.5 and len(faces) > 1:
        after[index] = (faces[:-1], owner)
    else:
        other = chance.randrange(len(after))
        if other != index:
            after[other] = ((*after[other][0], faces[0]), after[other][1])
            after[index] = (faces[1:] or faces, owner)
    return after


def _discard(hand: _Hand, rack: Faces, chance: random.Random) -> Face | None:
    left = sorted(hand.left.elements())
    if chance.random() < 0.05 or not rack:
        return None
    return chance.choice(left) if left and chance.random() < 0.95 else chance.choice(rack)
