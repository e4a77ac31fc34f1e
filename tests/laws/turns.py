"""Random turns for the judges to disagree about: tables, racks and what a player makes of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from meldroom.rules.book import RuleBook
from meldroom.rules.library import house_book
from meldroom.rules.verify import Turn
from meldroom.tiles import Face
from tests.laws.brute_judge import Faces, Table, box_of, sets_of

LETTERS = ("K", "R", "B", "O")
COVER_STEPS = 60
MOST_SETS_OPENED = 3


def tiny(
    base: str, colours: int, numbers: int, copies: int, jokers: int, /, **sections: Mapping[str, Any]
) -> RuleBook:
    """A small house book: few colours, numbers, copies and jokers, small deals and a small opening."""
    size = colours * numbers * copies + jokers
    deal = min(4, (size - 1) // 2)
    definition: dict[str, Any] = {
        "id": f"tiny-{base}",
        "version": "1",
        "base": base,
        "players": {"minimum": 2, "maximum": 2},
        "deal": {"tiles": deal, "starter_tiles": deal + (1 if base == "rummyo" else 0)},
        "opening": {"points": 2 * numbers},
    }
    if base == "rummyo":
        definition["scoring"] = {"hand_bonus": [50 * n for n in range(jokers + 1)]}
    for section, changes in sections.items():
        definition[section] = {**definition.get(section, {}), **changes}
    box = {"colours": list(LETTERS[:colours]), "numbers": numbers, "copies": copies, "jokers": jokers}
    definition["tiles"] = {"spare_jokers": 0, "blanks": 0, **box, **sections.get("tiles", {})}
    return house_book(definition)


def box_counts(book: RuleBook) -> Counter[Face]:
    """How many tiles of each face are in play."""
    box = box_of(book)
    counts = Counter(dict.fromkeys(map(Face, range(box.joker)), book.tiles.copies))
    if book.tiles.jokers:
        counts[box.joker] = book.tiles.jokers
    return counts


def random_set(book: RuleBook, chance: random.Random, joker_rate: float) -> Faces:
    """Some group or run, with some of its tiles replaced by jokers."""
    box = box_of(book)
    if box.colours >= book.sets.shortest and chance.random() < 0.45:
        number = chance.randrange(box.numbers)
        size = chance.randint(book.sets.shortest, box.colours)
        faces = [Face(colour * box.numbers + number) for colour in chance.sample(range(box.colours), size)]
    else:
        length = chance.randint(book.sets.shortest, max(book.sets.shortest, min(6, box.numbers)))
        low = chance.randint(1, max(1, box.numbers - length + 1))
        colour = chance.randrange(box.colours)
        faces = [Face(colour * box.numbers + (low + step - 1) % box.numbers) for step in range(length)]
    replaced = [box.joker if chance.random() < joker_rate else face for face in faces]
    return tuple(replaced if any(face != box.joker for face in replaced) else faces)


def random_table(
    book: RuleBook, chance: random.Random, sets: int, joker_rate: float
) -> tuple[Table, Counter[Face]]:
    """At most this many legal sets, sometimes the same one twice, and the tiles that are left."""
    left = box_counts(book)
    table: list[Faces] = []
    for _ in range(4 * sets):
        if len(table) == sets:
            break
        again = table and chance.random() < 0.25
        faces = chance.choice(table) if again else random_set(book, chance, joker_rate)
        if Counter(faces) <= left and faces in _legal(book, faces):
            left -= Counter(faces)
            table.append(faces)
    return tuple(table), left


def _legal(book: RuleBook, faces: Faces) -> tuple[Faces, ...]:
    held = Counter(faces)
    return (faces,) if tuple(sorted(faces)) in sets_of(book, held) else ()


def random_cover(
    sets: list[Faces], must: Counter[Face], may: Counter[Face], chance: random.Random
) -> Table | None:
    """Some way to put all `must` tiles and a few `may` tiles into sets, if one is met quickly."""
    steps = COVER_STEPS

    def extend(owed: Counter[Face], free: Counter[Face], chosen: Table) -> Table | None:
        nonlocal steps
        steps -= 1
        if steps < 0:
            return None
        if owed:
            face = chance.choice(sorted(owed))
            options = [faces for faces in sets if face in faces and Counter(faces) <= free]
        elif chance.random() < 0.5:
            return chosen
        else:
            options = [faces for faces in sets if Counter(faces) <= free]
        chance.shuffle(options)
        for faces in options[:6]:
            found = extend(owed - Counter(faces), free - Counter(faces), (*chosen, faces))
            if found is not None:
                return found
        return None if owed else chosen

    return extend(must, must + may, ())


def _moved(table: Table, rack: Faces, foreign: Faces, chance: random.Random) -> Table:
    """The table after one careless act: a tile moved, added, dropped, two sets joined, one split."""
    sets = [list(faces) for faces in table] or [[]]
    act = chance.randrange(6)
    one, other = chance.choice(sets), chance.choice(sets)
    if act == 0 and one:
        other.append(one.pop(chance.randrange(len(one))))
    elif act == 1 and rack:
        one.append(chance.choice(rack))
    elif act == 2 and one:
        one.pop(chance.randrange(len(one)))
    elif act == 3 and one is not other:
        one.extend(other)
        other.clear()
    elif act == 4 and len(one) > 3:
        cut = chance.randint(1, len(one) - 1)
        sets.append(one[cut:])
        del one[cut:]
    elif foreign:
        one.append(chance.choice(foreign))
    return tuple(tuple(faces) for faces in sets if faces)


def random_turn(
    book: RuleBook,
    chance: random.Random,
    most_sets: int = 4,
    rack_size: tuple[int, int] = (2, 7),
    joker_rate: float = 0.35,
) -> Turn:
    """A turn that may be legal or not: some sets are laid anew with rack tiles, or tiles are moved badly."""
    before, left = random_table(book, chance, chance.randint(0, most_sets), joker_rate)
    pool = list(left.elements())
    chance.shuffle(pool)
    size = min(len(pool), chance.randint(*rack_size))
    rack, foreign = tuple(pool[:size]), tuple(pool[size:])
    melded = chance.random() < 0.75
    after = _laid_anew(book, before, rack, melded, chance)
    if after == before or chance.random() < 0.2:
        for _ in range(chance.randint(1, 2)):
            after = _moved(after, rack, foreign, chance)
    mixed = tuple(tuple(chance.sample(faces, len(faces))) for faces in after)
    return Turn(before, rack, mixed, melded, _announced(book, after, chance))


def _laid_anew(book: RuleBook, before: Table, rack: Faces, melded: bool, chance: random.Random) -> Table:
    """The table with some sets laid anew together with rack tiles; as it was if no way is met."""
    for _ in range(4):
        count = min(len(before), chance.randint(0, MOST_SETS_OPENED)) if melded else 0
        opened = chance.sample(range(len(before)), count)
        kept = tuple(faces for index, faces in enumerate(before) if index not in opened)
        must = Counter(face for index in opened for face in before[index])
        sets = sets_of(book, must + Counter(rack))
        forced = Counter(chance.sample(rack, min(len(rack), chance.choice((0, 1, 1, 1, 2)))))
        found = random_cover(sets, must + forced, Counter(rack) - forced, chance)
        if found:
            return kept + found
    return before


def _announced(book: RuleBook, after: Table, chance: random.Random) -> dict[int, Faces]:
    """Now and then the player says what the jokers of a set are meant to be, rightly or wrongly (R10)."""
    joker = box_of(book).joker
    said: dict[int, Faces] = {}
    for index, faces in enumerate(after):
        if joker in faces and chance.random() < 0.15:
            said[index] = tuple(Face(chance.randrange(joker)) if face == joker else face for face in faces)
    return said


def freed_joker_turn(book: RuleBook, chance: random.Random, most_sets: int = 4) -> Turn | None:
    """A turn in which a joker's place is taken and the joker goes elsewhere, well or badly."""
    joker = box_of(book).joker
    before, left = random_table(book, chance, chance.randint(2, most_sets), 0.3)
    homes = [index for index, faces in enumerate(before) if joker in faces]
    if not homes:
        return None
    home = chance.choice(homes)
    without = list(before[home])
    without.remove(joker)
    given = [face for face in left if face != joker and (*without, face) in _legal(book, (*without, face))]
    if not given and len(without) <= book.sets.shortest:
        return None
    tile = chance.choice(given) if given else None
    if tile is not None:
        without.append(tile)
        left -= Counter([tile])
    spare = chance.sample(sorted(left.elements()), min(left.total(), chance.randint(1, 4)))
    others = [faces for index, faces in enumerate(before) if index != home]
    target = _laid_anew(book, tuple(others), (joker, *spare), True, chance)
    if joker not in (face for faces in target for face in faces):
        return None
    rack = (*spare, *(() if tile is None else (tile,)))
    return Turn(before, rack, (tuple(without), *target), True)
