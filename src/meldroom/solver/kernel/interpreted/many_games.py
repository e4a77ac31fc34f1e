"""Many games at once, for the vectorised environment: dealt racks in, turns, choices and observations out.

Each game is a row of every array. A game runs until its learner must choose, it is over, or it needs an
answer that is not found here (an opening with jokers, for one): then its status says what is asked. Books
whose jokers move freely are played exactly as the engine plays them; tables are flat, 255 after each set.
"""

from __future__ import annotations

from typing import NamedTuple

from . import best_play as solver
from .arrays import (
    Floats,
    Grid,
    Ints,
    OctetGrid,
    OctetRoom,
    Octets,
    SingleGrid,
    grid,
    inlined,
    native,
    octet_grid,
    octet_room,
    part,
    read_only,
    single_grid,
    zeros,
)
from .best_play import LONGEST_ANSWER, RACK, SET_END, Groups, best_plays
from .counts import copy_counts, sum_counts
from .workspace import Room

__all__ = [
    "Book",
    "Desk",
    "Games",
    "grid",
    "make_desk",
    "make_games",
    "run",
    "show",
    "single_grid",
    "solver",
]

ROOM = 160
"""Enough for all tiles of a box in sets of three, with an end after each."""
SETS = 96
LATER = -1
"""The end of a table that is only made once its play is chosen."""
UNLIMITED = 1 << 39
TILE_BITS, POINT_BITS = 24, 10
FOUND, LOOSE, FIRST, LAST = 4, 5, 6, 7
"""Where in an answer the sets stand, jokers to be laid on them, and where the tiles played begin and end."""

RUNNING, CHOOSING, OVER, ASKS_OPENINGS, ASKS_OPENING, ASKS_CHARGES, SETTLING = range(7)
"""What a game is at; the three that ask are answered from outside."""

(STATUS, PENDING, SEAT, STARTER, LEARNER, POOL_AT, POOL_END, TABLE_END, EXHAUSTED, PASSES, FINAL_LEFT,
 FINAL_NEXT, CHOICES, OUT, EARNED, MUST, HELD, FACTS) = range(18)  # fmt: skip

BEGINNER, TOURNAMENT, PATIENT = range(3)

(WAIT, MOST_TILES, MOST_POINTS, MOST_VALUE, FEWEST, MINIMAL, KEEP_JOKERS, FROM_RACK, HOLD, SINGLE, ONE_SET,
 GOES_OUT) = range(12)  # fmt: skip
"""The kinds of choices, by the place they have among the features."""
KINDS = 16
AMOUNTS = 9
MOST_HELD = 8
LONGEST_SET = 5
STAGES = 5


class Book(NamedTuple):
    """What the games need to know of a book; values and limits by face, weights by number."""

    colours: int
    numbers: int
    players: int
    opening: int
    step: int
    slots: int
    sets: int
    final_turns: bool
    drawer_first: bool
    must_play: bool
    takes_differences: bool
    final_rack: bool
    unmelded: int
    unmelded_able: int
    values: Ints
    limits: Ints
    most_tiles: Ints
    most_points: Ints
    most_value: Ints


class Games(NamedTuple):
    """The games: racks have a row for each seat, plays one for each slot, everything else one a game."""

    facts: Grid
    racks: Grid
    pool: OctetGrid
    table: OctetGrid
    melded: Grid
    turns: Grid
    begun: Grid
    drawn: Grid
    level: Grid
    able: Grid
    scores: Grid
    won: Grid
    dead: Grid
    kinds: Grid
    tiles: Grid
    ends: Grid
    played: OctetGrid
    after: OctetGrid


class Desk(NamedTuple):
    """Room for one thread, the solver's included; `answer` is what its kernel has found."""

    rules: Ints
    groups: Groups
    room: Room
    answer: Ints
    held: OctetRoom
    position: OctetRoom
    position_read: Octets
    part: OctetRoom
    base: OctetRoom
    none: OctetRoom
    sets: Grid
    size: Ints
    order: Ints
    total: Ints
    counts: Ints
    chosen: Ints
    largest: Ints
    faces: Ints
    found: Grid
    found_size: Ints
    found_worth: Ints
    near: Ints
    shape: Grid
    shape_copy: Grid
    laid: Ints
    small: Ints


def make_games(count: int, players: int, faces: int, tiles: int, slots: int) -> Games:
    """Room for so many games; nothing is dealt."""
    return Games(
        facts=grid(count, FACTS),
        racks=grid(count * players, faces),
        pool=octet_grid(count, tiles),
        table=octet_grid(count, ROOM),
        melded=grid(count, players),
        turns=grid(count, players),
        begun=grid(count, players),
        drawn=grid(count, players),
        level=grid(count, players),
        able=grid(count, players),
        scores=grid(count, players),
        won=grid(count, players),
        dead=grid(count, faces),
        kinds=grid(count, slots),
        tiles=grid(count, slots),
        ends=grid(count, slots),
        played=octet_grid(count * slots, ROOM),
        after=octet_grid(count * slots, ROOM),
    )


def make_desk(colours: int, numbers: int, slots: int) -> Desk:
    """A desk for one thread."""
    faces = colours * numbers + 1
    position = octet_room(2 * ROOM)
    return Desk(
        rules=solver.ints((colours, numbers, 2, 2)),
        groups=solver.make_groups(colours),
        room=solver.room_of(solver.make_workspace()),
        answer=zeros(LONGEST_ANSWER),
        held=octet_room(ROOM),
        position=position,
        position_read=read_only(position),
        part=octet_room(ROOM),
        base=octet_room(ROOM),
        none=octet_room(1),
        sets=grid(64, 24),
        size=zeros(64),
        order=zeros(64),
        total=zeros(faces),
        counts=zeros(faces),
        chosen=zeros(faces),
        largest=zeros(faces),
        faces=zeros(faces),
        found=grid(slots + 1, LONGEST_SET + 1),
        found_size=zeros(slots + 1),
        found_worth=zeros(slots + 1),
        near=zeros(64),
        shape=grid(SETS, 4),
        shape_copy=grid(SETS, 4),
        laid=zeros(faces),
        small=zeros(4),
    )


# Counts, and what can lie in a set at all.


@part
def _count_table(table: OctetRoom, end: int, counts: Ints) -> None:
    for face in range(len(counts)):
        counts[face] = 0
    for i in range(end):
        if table[i] != SET_END:
            counts[int(table[i])] += 1


@part
def _lives(face: int, total: Ints, book: Book) -> bool:
    """False if no set can hold this face, whatever is done with all these tiles."""
    numbers = book.numbers
    joker = book.colours * numbers
    jokers = total[joker]
    if face == joker or jokers > 1:
        return True
    colour = face // numbers
    number = face % numbers
    alike = jokers
    for c in range(book.colours):
        if total[c * numbers + number] > 0:
            alike += 1
    if alike >= 3:
        return True
    for low in range(max(0, number - 2), min(number, numbers - 3) + 1):
        missing = 0
        for n in range(low, low + 3):
            if total[colour * numbers + n] == 0:
                missing += 1
        if missing <= jokers:
            return True
    return False


@part
def _living(rack: Ints, total: Ints, book: Book) -> int:
    """How many tiles of a rack some set could hold."""
    living = 0
    for face in range(len(rack)):
        if rack[face] > 0 and _lives(face, total, book):
            living += rack[face]
    return living


@part
def _list(counts: Ints, target: OctetRoom) -> int:
    """Writes counts as faces; returns how many."""
    end = 0
    for face in range(len(counts)):
        for _ in range(counts[face]):
            target[end] = face
            end += 1
    return end


# Solving, and the table of a solution.


@part
def _solve(table: OctetRoom, end: int, size: int, weights: Ints, floor: int, build: bool, desk: Desk
           ) -> int:  # fmt: skip
    """The best score above the floor for the first tiles in `held`; `answer` holds the play."""
    position = desk.position
    for i in range(end):
        position[i] = table[i]
    position[end] = RACK
    for i in range(size):
        position[end + 1 + i] = desk.held[i]
    best_plays(
        desk.position_read[: end + 1 + size], desk.rules, weights, floor, UNLIMITED, UNLIMITED, build,
        desk.groups, desk.room, desk.answer,
    )  # fmt: skip
    return int(desk.answer[1])


@part
def _played(desk: Desk) -> int:
    """How many tiles the play of the last solution lays."""
    return int(desk.answer[LAST] - desk.answer[FIRST])


@part
def _is_run(i: int, book: Book, desk: Desk) -> bool:
    joker = book.colours * book.numbers
    first = -1
    for k in range(desk.size[i]):
        face = desk.sets[i][k]
        if face != joker:
            if first < 0:
                first = face % book.numbers
            elif face % book.numbers != first:
                return True
    return False


@part
def _same_tiles(i: int, more: int, old: OctetRoom, start: int, end: int, desk: Desk) -> bool:
    """True if a set, with one tile more unless that is negative, has the tiles of an old set."""
    size = desk.size[i] + (1 if more >= 0 else 0)
    if size != end - start:
        return False
    for k in range(start, end):
        face = int(old[k])
        there = 0
        for m in range(start, end):
            if int(old[m]) == face:
                there += 1
        here = 1 if face == more else 0
        for m in range(desk.size[i]):
            if desk.sets[i][m] == face:
                here += 1
        if here != there:
            return False
    return True


@part
def _stands(i: int, more: int, old: OctetRoom, old_end: int, desk: Desk) -> bool:
    """True if a set, with one tile more unless that is negative, is one of the old table's."""
    start = 0
    for k in range(old_end):
        if old[k] == SET_END:
            if _same_tiles(i, more, old, start, k, desk):
                return True
            start = k + 1
    return False


@part
def _add_joker(i: int, book: Book, desk: Desk) -> bool:
    """Lays a joker on a set; False if it is full. Runs lie in order."""
    joker = book.colours * book.numbers
    size = desk.size[i]
    row = desk.sets[i]
    if not _is_run(i, book, desk):
        if size >= book.colours:
            kinds = 0
            for k in range(size):
                new = row[k] != joker
                for m in range(k):
                    new = new and row[m] != row[k]
                kinds += new
            if kinds > 1 or size >= book.numbers:
                return False
        row[size] = joker
        desk.size[i] = size + 1
        return True
    first = 0
    while row[first] == joker:
        first += 1
    low = row[first] % book.numbers + 1 - first
    if low + size <= book.numbers:
        row[size] = joker
    elif low > 1:
        for k in range(size, 0, -1):
            row[k] = row[k - 1]
        row[0] = joker
    else:
        return False
    desk.size[i] = size + 1
    return True


@part
def _lay_jokers(count: int, loose: int, old: OctetRoom, old_end: int, book: Book, desk: Desk) -> int:
    """Lays loose jokers where an old set comes back, else on changed sets, runs first; returns the sets."""
    joker = book.colours * book.numbers
    for _ in range(loose):
        done = False
        for i in range(count):
            if _stands(i, joker, old, old_end, desk):
                _add_joker(i, book, desk)
                done = True
                break
        if done:
            continue
        for turn in range(4):
            for i in range(count):
                kind = (0 if _is_run(i, book, desk) else 1) + (2 if _stands(i, -1, old, old_end, desk) else 0)
                if kind == turn and _add_joker(i, book, desk):
                    done = True
                    break
            if done:
                break
        if done:
            continue
        place = -1
        for turn in range(2):
            for i in range(count):
                stands = _stands(i, -1, old, old_end, desk)
                if place < 0 and _is_run(i, book, desk) and stands == (turn == 1):
                    place = i
        for k in range(3, desk.size[place]):
            desk.sets[count][k - 3] = desk.sets[place][k]
        desk.size[count] = desk.size[place] - 3
        desk.sets[place][3] = joker
        desk.size[place] = 4
        count += 1
    return count


@part
def _write_after(kept: OctetRoom, kept_end: int, old: OctetRoom, old_end: int, target: OctetRoom, book: Book,
                 desk: Desk) -> int:  # fmt: skip
    """Writes the table of the last solution behind the sets kept; returns its end.

    `old` is the table that was solved: a joker goes back to where it lay.
    """
    out = desk.answer
    count = int(out[FOUND])
    at = FOUND + 4
    for i in range(count):
        size = int(out[at])
        desk.size[i] = size
        for k in range(size):
            desk.sets[i][k] = out[at + 1 + k]
        at += 1 + size
    if out[LOOSE] > 0:
        count = _lay_jokers(count, int(out[LOOSE]), old, old_end, book, desk)
    for i in range(kept_end):
        target[i] = kept[i]
    end = kept_end
    for i in range(count):
        for k in range(desk.size[i]):
            target[end] = desk.sets[i][k]
            end += 1
        target[end] = SET_END
        end += 1
    return end


# Sets in the order of an observation.


@part
def _sort_sets(table: OctetRoom, end: int, desk: Desk) -> int:
    """Fills `sets` with each set in order, and `order` with the sets in order; returns how many there are."""
    count = 0
    size = 0
    for i in range(end):
        face = int(table[i])
        if face == SET_END:
            desk.size[count] = size
            count += 1
            size = 0
            continue
        k = size
        while k > 0 and desk.sets[count][k - 1] > face:
            desk.sets[count][k] = desk.sets[count][k - 1]
            k -= 1
        desk.sets[count][k] = face
        size += 1
    for i in range(count):
        k = i
        while k > 0 and _before(i, desk.order[k - 1], desk):
            desk.order[k] = desk.order[k - 1]
            k -= 1
        desk.order[k] = i
    return count


@part
def _before(i: int, j: int, desk: Desk) -> bool:
    """True if set i comes before set j."""
    for k in range(min(desk.size[i], desk.size[j])):
        if desk.sets[i][k] != desk.sets[j][k]:
            return bool(desk.sets[i][k] < desk.sets[j][k])
    return bool(desk.size[i] < desk.size[j])


@part
def _sorted_table(table: OctetRoom, end: int, target: OctetRoom, desk: Desk) -> None:
    count = _sort_sets(table, end, desk)
    at = 0
    for i in range(count):
        row = desk.order[i]
        for k in range(desk.size[row]):
            target[at] = desk.sets[row][k]
            at += 1
        target[at] = SET_END
        at += 1


# The learner's choices once it has opened.


@part
def _known(g: int, kind: int, games: Games, book: Book, desk: Desk) -> int:
    """The slot of a choice with the tiles in `chosen`, which gets one kind more; a new slot, or -1 if full.

    A new slot has its tiles and kinds, and still needs its table.
    """
    facts = games.facts[g]
    size = _list(desk.chosen, desk.part)
    for slot in range(1, facts[CHOICES]):
        if games.tiles[g][slot] == size:
            row = games.played[g * book.slots + slot]
            same = True
            for i in range(size):
                if row[i] != desk.part[i]:
                    same = False
                    break
            if same:
                games.kinds[g][slot] |= 1 << kind
                return -1
    slot = facts[CHOICES]
    if slot >= book.slots:
        return -1
    facts[CHOICES] = slot + 1
    row = games.played[g * book.slots + slot]
    for i in range(size):
        row[i] = desk.part[i]
    games.tiles[g][slot] = size
    games.kinds[g][slot] = 1 << kind
    if size == facts[HELD]:
        games.kinds[g][slot] |= 1 << GOES_OUT
    return slot


@part
def _choose_played(desk: Desk) -> None:
    """Puts the tiles of the last solution into `chosen`."""
    for face in range(len(desk.chosen)):
        desk.chosen[face] = 0
    for i in range(desk.answer[FIRST] + FOUND, desk.answer[LAST] + FOUND):
        desk.chosen[desk.answer[i]] += 1


@part
def _offer(g: int, kind: int, games: Games, book: Book, desk: Desk) -> None:
    """The last solution of the whole table as a choice."""
    _choose_played(desk)
    slot = _known(g, kind, games, book, desk)
    if slot >= 0:
        table, end = games.table[g], games.facts[g][TABLE_END]
        row = games.after[g * book.slots + slot]
        games.ends[g][slot] = _write_after(desk.none, 0, table, end, row, book, desk)


@inlined
def _best_without(g: int, kind: int, face: int, rack: Ints, games: Games, book: Book, desk: Desk) -> None:
    """The largest play without one face as a choice, if there is one."""
    left = rack[face]
    rack[face] = 0
    desk.total[face] -= left
    living = _living(rack, desk.total, book)
    if living > 0:
        inside = 0
        whole = True
        for other in range(len(rack)):
            if desk.largest[other] > rack[other]:
                whole = False
            inside += desk.largest[other]
        if whole and inside == living:
            copy_counts(desk.largest, desk.chosen)
            _known(g, kind, games, book, desk)
        else:
            size = _list(rack, desk.held)
            end = games.facts[g][TABLE_END]
            if _solve(games.table[g], end, size, book.most_tiles, 0, True, desk) > 0:
                _offer(g, kind, games, book, desk)
    rack[face] = left
    desk.total[face] += left


@part
def _all_live(tiles: Ints, total: Ints, book: Book) -> bool:
    alive = True
    for face in range(len(tiles)):
        alive = alive and (tiles[face] == 0 or _lives(face, total, book))
    return alive


@part
def _read_shapes(table: OctetRoom, end: int, book: Book, desk: Desk) -> None:
    """What the sets of a table without jokers are: a run's colour and ends, a group's number and colours."""
    joker = book.colours * book.numbers
    count = 0
    low = 99
    high = -1
    colours = 0
    wild = False
    for i in range(end):
        face = int(table[i])
        if face == SET_END:
            if not wild:
                row = desk.shape[count]
                row[0] = 1 if low < high else 0
                row[1] = colours
                row[2] = low
                row[3] = high
                count += 1
            low = 99
            high = -1
            colours = 0
            wild = False
        elif face == joker:
            wild = True
        else:
            low = min(low, face % book.numbers)
            high = max(high, face % book.numbers)
            colours |= 1 << face // book.numbers
    desk.small[0] = count


@part
def _lies_beside(face: int, count: int, shape: Grid, book: Book) -> int:
    """Lays a tile on a set, or into a long run that becomes two; returns how many sets there are, or -1."""
    number = face % book.numbers
    colour = 1 << face // book.numbers
    for i in range(count):
        row = shape[i]
        if row[0] == 0:
            if row[2] == number and row[1] & colour == 0:
                row[1] |= colour
                return count
        elif row[1] == colour:
            if number == row[2] - 1:
                row[2] = number
                return count
            if number == row[3] + 1:
                row[3] = number
                return count
            if row[2] + 2 <= number <= row[3] - 2:
                for k in range(4):
                    shape[count][k] = row[k]
                shape[count][2] = number
                row[3] = number
                return count + 1
    return -1


@part
def _simply(tiles: Ints, size: int, book: Book, desk: Desk) -> bool:
    """True if tiles can be laid one by one beside the sets that lie there; False if that is not known.

    Needs the shapes of the table.
    """
    joker = book.colours * book.numbers
    count = desk.small[0]
    if tiles[joker] > 0 or count + size >= SETS:
        return False
    shape = desk.shape_copy
    for i in range(count):
        for k in range(4):
            shape[i][k] = desk.shape[i][k]
    left = size
    for _ in range(size):
        before = left
        for face in range(joker):
            for _ in range(tiles[face] - desk.laid[face]):
                more = _lies_beside(face, count, shape, book)
                if more < 0:
                    break
                count = more
                desk.laid[face] += 1
                left -= 1
        if left == 0 or left == before:
            break
    for face in range(joker):
        desk.laid[face] = 0
    return left == 0


@inlined
def _exactly(g: int, tiles: Ints, games: Games, book: Book, desk: Desk) -> bool:
    """True if exactly these tiles can be laid. Needs the table's counts and shapes."""
    size = _list(tiles, desk.held)
    if _simply(tiles, size, book, desk):
        return True
    whole = 0
    for face in range(len(tiles)):
        desk.total[face] = desk.counts[face] + tiles[face]
        whole += tiles[face] * book.most_tiles[_place(face, book)]
    if not _all_live(tiles, desk.total, book):
        return False
    end = games.facts[g][TABLE_END]
    return _solve(games.table[g], end, size, book.most_tiles, whole - 1, False, desk) >= whole


@part
def _place(face: int, book: Book) -> int:
    """The place of a face among weights."""
    return face % book.numbers if face < book.colours * book.numbers else book.numbers


@part
def _cheapest_first(faces: Ints, count: int, book: Book) -> None:
    """Sorts faces by value, equal ones the highest face first."""
    for i in range(count):
        face = faces[i]
        k = i
        while k > 0 and (
            book.values[faces[k - 1]] > book.values[face]
            or (book.values[faces[k - 1]] == book.values[face] and faces[k - 1] < face)
        ):
            faces[k] = faces[k - 1]
            k -= 1
        faces[k] = face


@inlined
def _minimal(g: int, games: Games, book: Book, desk: Desk) -> None:
    """The largest play without every tile that can be left out, the cheapest first, as a choice."""
    count = 0
    for face in range(len(desk.largest)):
        if desk.largest[face] > 0:
            desk.faces[count] = face
            count += 1
    _cheapest_first(desk.faces, count, book)
    play = desk.near  # its place is free here: as many faces as tiles are held
    size = 0
    for i in range(count):
        play[i] = desk.largest[desk.faces[i]]
        size += play[i]
    for i in range(count):
        while play[i] > 0 and size > 1:
            for face in range(len(desk.chosen)):
                desk.chosen[face] = 0
            for k in range(count):
                desk.chosen[desk.faces[k]] = play[k]
            desk.chosen[desk.faces[i]] -= 1
            if not _exactly(g, desk.chosen, games, book, desk):
                break
            play[i] -= 1
            size -= 1
    for face in range(len(desk.chosen)):
        desk.chosen[face] = 0
    for k in range(count):
        desk.chosen[desk.faces[k]] = play[k]
    slot = _known(g, MINIMAL, games, book, desk)
    if slot >= 0:
        games.ends[g][slot] = LATER


@part
def _forms_set(tiles: Ints, book: Book) -> bool:
    """True if tiles, given by face, are one set of at most five tiles, or a group."""
    numbers = book.numbers
    jokers = tiles[book.colours * numbers]
    size = jokers
    low = 99
    high = -1
    colour = -1
    one_colour = True
    for face in range(book.colours * numbers):
        if tiles[face] == 0:
            continue
        if tiles[face] > 1:
            return False
        size += 1
        low = min(low, face % numbers)
        high = max(high, face % numbers)
        one_colour = one_colour and (colour < 0 or colour == face // numbers)
        colour = face // numbers
    if high < 0 or size < 3:
        return False
    if low == high:
        return size <= book.colours or (size == jokers + 1 and size <= LONGEST_SET)
    return one_colour and high - low < size and size <= LONGEST_SET


@part
def _note_set(count: int, natural: Ints, size: int, jokers: int, book: Book, desk: Desk) -> int:
    """Keeps a set if it is among the first; returns how many are kept.

    Those with few jokers come first, then those that take most points off the rack, then by their faces.
    """
    joker = book.colours * book.numbers
    worth = jokers * book.values[joker]
    for k in range(size):
        worth += book.values[natural[k]]
    most = len(desk.found_size) - 1
    rank = (jokers << 20) - worth
    k = count
    while k > 0:
        other = (int(desk.found[k - 1][LONGEST_SET]) << 20) - desk.found_worth[k - 1]
        if other < rank:
            break
        if other == rank:
            ahead = False
            for m in range(min(size, desk.found_size[k - 1] - desk.found[k - 1][LONGEST_SET])):
                if natural[m] != desk.found[k - 1][m]:
                    ahead = natural[m] < desk.found[k - 1][m]
                    break
            if not ahead:
                break
        k -= 1
    if k >= most:
        return count
    for m in range(min(count, most - 1), k, -1):
        for i in range(LONGEST_SET + 1):
            desk.found[m][i] = desk.found[m - 1][i]
        desk.found_size[m] = desk.found_size[m - 1]
        desk.found_worth[m] = desk.found_worth[m - 1]
    for i in range(size):
        desk.found[k][i] = natural[i]
    for i in range(jokers):
        desk.found[k][size + i] = joker
    desk.found[k][LONGEST_SET] = jokers
    desk.found_size[k] = size + jokers
    desk.found_worth[k] = worth
    return min(count + 1, most)


@part
def _find_sets(rack: Ints, book: Book, desk: Desk) -> int:
    """Keeps the first sets that a rack holds, in order; returns how many."""
    numbers = book.numbers
    jokers = int(rack[book.colours * numbers])
    natural = desk.order
    count = 0
    for number in range(numbers):
        for mask in range(1, 1 << book.colours):
            size = 0
            for c in range(book.colours):
                if mask >> c & 1:
                    if rack[c * numbers + number] == 0:
                        size = -1
                        break
                    natural[size] = c * numbers + number
                    size += 1
            if size < 0:
                continue
            for used in range(jokers + 1):
                if size + used >= 3 and (size + used <= book.colours or (size == 1 and used == 2)):
                    count = _note_set(count, natural, size, used, book, desk)
    for colour in range(book.colours):
        for low in range(numbers):
            if rack[colour * numbers + low] == 0:
                continue
            for mask in range(1, 16):  # the others of at most five numbers from the lowest on
                size = 1
                span = 1
                natural[0] = colour * numbers + low
                for step in range(1, LONGEST_SET):
                    if mask >> (step - 1) & 1:
                        if low + step >= numbers or rack[colour * numbers + low + step] == 0:
                            size = -1
                            break
                        natural[size] = colour * numbers + low + step
                        size += 1
                        span = step + 1
                if size < 0:
                    continue
                for used in range(jokers + 1):
                    if max(3, span) <= size + used <= LONGEST_SET:
                        count = _note_set(count, natural, size, used, book, desk)
    return count


@inlined
def _find_choices(g: int, games: Games, book: Book, desk: Desk) -> None:
    """The choices of a learner that has opened: slot 0 is to wait, then the plays worth comparing."""
    facts = games.facts[g]
    rack = games.racks[g * book.players + facts[SEAT]]
    table, end = games.table[g], facts[TABLE_END]
    joker = book.colours * book.numbers
    facts[CHOICES] = 1
    facts[HELD] = sum_counts(rack)
    _count_table(table, end, desk.counts)
    for face in range(len(rack)):
        desk.total[face] = desk.counts[face] + rack[face]
    living = _living(rack, desk.total, book)
    if living == 0:
        return
    size = _list(rack, desk.held)
    if _solve(games.table[g], end, size, book.most_tiles, 0, True, desk) <= 0:
        return
    laid = _played(desk)
    _offer(g, MOST_TILES, games, book, desk)
    copy_counts(desk.chosen, desk.largest)
    if laid == living:
        games.kinds[g][1] |= 1 << MOST_POINTS
    else:
        _solve(games.table[g], end, size, book.most_points, 0, True, desk)
        _offer(g, MOST_POINTS, games, book, desk)
    if rack[joker] > 0:
        _best_without(g, KEEP_JOKERS, joker, rack, games, book, desk)
    _from_rack(g, rack, games, book, desk)
    _read_shapes(table, end, book, desk)
    _minimal(g, games, book, desk)
    _holds(g, rack, games, book, desk)
    _singles(g, rack, games, book, desk)
    _one_sets(g, rack, games, book, desk)


@inlined
def _from_rack(g: int, rack: Ints, games: Games, book: Book, desk: Desk) -> None:
    """The largest play that leaves the table alone."""
    if _living(rack, rack, book) == 0:
        return
    size = _list(rack, desk.held)
    if _solve(desk.none, 0, size, book.most_tiles, 0, True, desk) <= 0:
        return
    _choose_played(desk)
    slot = _known(g, FROM_RACK, games, book, desk)
    if slot >= 0:
        end = games.facts[g][TABLE_END]
        _sorted_table(games.table[g], end, desk.base, desk)
        row = games.after[g * book.slots + slot]
        games.ends[g][slot] = _write_after(desk.base, end, desk.none, 0, row, book, desk)


@inlined
def _holds(g: int, rack: Ints, games: Games, book: Book, desk: Desk) -> None:
    """The largest plays without one face of the largest, the cheapest to be caught with first."""
    joker = book.colours * book.numbers
    for face in range(len(rack)):
        desk.total[face] = desk.counts[face] + rack[face]
    count = 0
    for face in range(joker):
        if desk.largest[face] > 0:
            desk.faces[count] = face
            count += 1
    _cheapest_first(desk.faces, count, book)
    for i in range(min(count, MOST_HELD)):
        _best_without(g, HOLD, desk.faces[i], rack, games, book, desk)


@inlined
def _singles(g: int, rack: Ints, games: Games, book: Book, desk: Desk) -> None:
    """Single tiles, the dearest first; those that did not fit this table before are not tried again."""
    count = 0
    for face in range(len(rack)):
        if rack[face] > 0 and games.dead[g][face] == 0:
            desk.faces[count] = face
            count += 1
    _cheapest_first(desk.faces, count, book)
    for i in range(count - 1, -1, -1):
        face = desk.faces[i]
        for other in range(len(desk.chosen)):
            desk.chosen[other] = 0
        desk.chosen[face] = 1
        if not _exactly(g, desk.chosen, games, book, desk):
            games.dead[g][face] = 1
            continue
        slot = _known(g, SINGLE, games, book, desk)
        if slot >= 0:
            games.ends[g][slot] = LATER


@part
def _one_sets(g: int, rack: Ints, games: Games, book: Book, desk: Desk) -> None:
    """Single new sets."""
    facts = games.facts[g]
    for slot in range(1, facts[CHOICES]):
        row = games.played[g * book.slots + slot]
        for face in range(len(desk.chosen)):
            desk.chosen[face] = 0
        for i in range(games.tiles[g][slot]):
            desk.chosen[int(row[i])] += 1
        if _forms_set(desk.chosen, book):
            games.kinds[g][slot] |= 1 << ONE_SET
    if facts[CHOICES] >= book.slots:
        return
    count = _find_sets(rack, book, desk)
    if count == 0:
        return
    end = facts[TABLE_END]
    _sorted_table(games.table[g], end, desk.base, desk)
    for k in range(count):
        for face in range(len(desk.chosen)):
            desk.chosen[face] = 0
        for i in range(desk.found_size[k]):
            desk.chosen[desk.found[k][i]] += 1
        slot = _known(g, ONE_SET, games, book, desk)
        if slot >= 0:
            row = games.after[g * book.slots + slot]
            for i in range(end):
                row[i] = desk.base[i]
            for i in range(desk.found_size[k]):
                row[end + i] = desk.found[k][i]
            row[end + desk.found_size[k]] = SET_END
            games.ends[g][slot] = end + desk.found_size[k] + 1


# Openings.


@inlined
def _reaches(rack: Ints, book: Book, desk: Desk) -> bool:
    """False if the rack cannot open; exact without jokers, which count as the highest number here."""
    numbers = book.numbers
    joker = book.colours * numbers
    worth = rack[joker] * numbers
    for face in range(joker):
        if rack[face] > 0 and _lives(face, rack, book):
            worth += rack[face] * (face % numbers + 1)
    if worth < book.opening:
        return False
    size = _list(rack, desk.held)
    floor = (book.opening << POINT_BITS) - 1
    return _solve(desk.none, 0, size, book.most_value, floor, False, desk) > floor


@inlined
def _bot_opens(g: int, weights: Ints, games: Games, book: Book, desk: Desk) -> int:
    """The slot of the opening a bot makes, 0 for none, -1 if somebody else must find it."""
    facts = games.facts[g]
    rack = games.racks[g * book.players + facts[SEAT]]
    if not _reaches(rack, book, desk):
        return 0
    if rack[book.colours * book.numbers] > 0:
        return -1
    size = _list(rack, desk.held)
    _solve(desk.none, 0, size, weights, 0, True, desk)
    worth = 0
    for i in range(desk.answer[FIRST] + FOUND, desk.answer[LAST] + FOUND):
        worth += desk.answer[i] % book.numbers + 1
    if worth < book.opening:
        return -1
    table, end = games.table[g], facts[TABLE_END]
    return _answer(g, table, end, desk.none, 0, games, book, desk)


# The turns of bots.


@part
def _answer(g: int, kept: OctetRoom, kept_end: int, old: OctetRoom, old_end: int, games: Games, book: Book,
            desk: Desk) -> int:  # fmt: skip
    """The last solution as the play of a bot: slot 1."""
    row = games.played[g * book.slots + 1]
    size = _played(desk)
    for i in range(size):
        row[i] = desk.answer[desk.answer[FIRST] + FOUND + i]
    games.tiles[g][1] = size
    after = games.after[g * book.slots + 1]
    games.ends[g][1] = _write_after(kept, kept_end, old, old_end, after, book, desk)
    return 1


@inlined
def _bot_turn(g: int, games: Games, book: Book, desk: Desk) -> int:
    """What a bot does: 0 waits, 1 lays what slot 1 holds, -1 if somebody else must find the opening."""
    facts = games.facts[g]
    seat = facts[SEAT]
    level = games.level[g][seat]
    rack = games.racks[g * book.players + seat]
    last = facts[POOL_AT] == facts[POOL_END]
    weights = book.most_points if level == PATIENT and last else book.most_tiles
    if games.melded[g][seat] == 0:
        return _bot_opens(g, weights, games, book, desk)
    table, end = games.table[g], facts[TABLE_END]
    if level == BEGINNER:
        if _living(rack, rack, book) == 0:
            return 0
        size = _list(rack, desk.held)
        if _solve(desk.none, 0, size, weights, 0, True, desk) <= 0:
            return 0
        return _answer(g, table, end, desk.none, 0, games, book, desk)
    _count_table(table, end, desk.counts)
    for face in range(len(rack)):
        desk.total[face] = desk.counts[face] + rack[face]
    living = _living(rack, desk.total, book)
    size = _list(rack, desk.held)
    if living == 0:
        return 0
    if level == PATIENT and not last:
        if living < size:
            return 0
        floor = (size << TILE_BITS) - 1
        if _solve(games.table[g], end, size, weights, floor, False, desk) <= floor:
            return 0
    if _solve(games.table[g], end, size, weights, 0, True, desk) <= 0:
        return 0
    return _answer(g, desk.none, 0, table, end, games, book, desk)


# The course of a game.


@inlined
def _make_table(g: int, slot: int, games: Games, book: Book, desk: Desk) -> None:
    """The table of a play that was known to be possible."""
    row = games.played[g * book.slots + slot]
    size = games.tiles[g][slot]
    for i in range(size):
        desk.held[i] = row[i]
    end = games.facts[g][TABLE_END]
    _solve(games.table[g], end, size, book.most_tiles, 0, True, desk)
    after = games.after[g * book.slots + slot]
    games.ends[g][slot] = _write_after(desk.none, 0, games.table[g], end, after, book, desk)


@inlined
def _act(g: int, slot: int, games: Games, book: Book, desk: Desk) -> None:
    """The seat to move waits (slot 0), or lays what a slot holds; then the turn passes on."""
    facts = games.facts[g]
    seat = facts[SEAT]
    rack = games.racks[g * book.players + seat]
    games.turns[g][seat] += 1
    games.drawn[g][seat] = -1
    if slot > 0:
        if games.ends[g][slot] == LATER:
            _make_table(g, slot, games, book, desk)
        row = games.played[g * book.slots + slot]
        points = 0
        for i in range(games.tiles[g][slot]):
            rack[int(row[i])] -= 1
            points += book.values[int(row[i])]
        after = games.after[g * book.slots + slot]
        for i in range(games.ends[g][slot]):
            games.table[g][i] = after[i]
        facts[TABLE_END] = games.ends[g][slot]
        for face in range(len(rack)):
            games.dead[g][face] = 0
        games.melded[g][seat] = 1
        facts[PASSES] = 0
        if seat == facts[LEARNER]:
            facts[EARNED] += points
        if sum_counts(rack) == 0:
            facts[OUT] = seat
            facts[STATUS] = ASKS_CHARGES
            return
    elif facts[POOL_AT] < facts[POOL_END]:
        face = int(games.pool[g][facts[POOL_AT]])
        facts[POOL_AT] += 1
        rack[face] += 1
        games.drawn[g][seat] = face
        facts[PASSES] = 0
        if seat == facts[LEARNER]:
            facts[EARNED] -= book.values[face]
    else:
        facts[PASSES] += 1
    _pass_on(g, games, book)


@part
def _pass_on(g: int, games: Games, book: Book) -> None:
    """The turn passes to the final turns, to the next player, or the game is to be counted."""
    facts = games.facts[g]
    seat = facts[SEAT]
    players = book.players
    if facts[POOL_AT] == facts[POOL_END] and facts[EXHAUSTED] == 0:
        facts[EXHAUSTED] = 1
        facts[PASSES] = 0
        if book.final_turns:
            facts[FINAL_LEFT] = players
            facts[FINAL_NEXT] = seat if book.drawer_first else (seat + book.step + players) % players
    if facts[EXHAUSTED]:
        ended = facts[FINAL_LEFT] == 0 if book.final_turns else facts[PASSES] >= players
        if ended:
            facts[OUT] = -1
            facts[STATUS] = ASKS_CHARGES
            return
    if facts[FINAL_LEFT] > 0:
        seat = facts[FINAL_NEXT]
        facts[FINAL_LEFT] -= 1
        facts[FINAL_NEXT] = (seat + book.step + players) % players
    else:
        seat = (seat + book.step + players) % players
    facts[SEAT] = seat
    games.begun[g][seat] += 1
    games.drawn[g][seat] = -1


@inlined
def _find_charges(g: int, games: Games, book: Book, desk: Desk) -> bool:
    """Who could have opened and did not; False if somebody else must say."""
    joker = book.colours * book.numbers
    sure = True
    for seat in range(book.players):
        games.able[g][seat] = 0
        if games.melded[g][seat] or book.unmelded == 0 or book.unmelded == book.unmelded_able:
            continue
        rack = games.racks[g * book.players + seat]
        late = games.drawn[g][seat]
        if book.final_rack:
            late = -1
        elif games.begun[g][seat] == 0:
            continue
        if late >= 0:
            rack[late] -= 1
        if _reaches(rack, book, desk):
            games.able[g][seat] = 1
            sure = sure and rack[joker] == 0
        if late >= 0:
            rack[late] += 1
    return sure


@part
def _settle(g: int, games: Games, book: Book) -> None:
    """Scores and winners by the book."""
    facts = games.facts[g]
    scores = games.scores[g]
    won = games.won[g]
    players = book.players
    entered = 0
    for seat in range(players):
        rack = games.racks[g * players + seat]
        charge = 0
        for face in range(len(rack)):
            charge += rack[face] * book.values[face]
        if games.melded[g][seat] == 0 and book.unmelded > 0:
            charge = book.unmelded_able if games.able[g][seat] else book.unmelded
        scores[seat] = charge
        won[seat] = 0
        entered += games.melded[g][seat]
    facts[STATUS] = OVER
    out = facts[OUT]
    if out >= 0:
        total = 0
        for seat in range(players):
            if seat != out:
                total += scores[seat]
                scores[seat] = -scores[seat]
        scores[out] = total
        won[out] = 1
        return
    least = -1
    for seat in range(players):
        if (games.melded[g][seat] or entered == 0) and (least < 0 or scores[seat] < least):
            least = scores[seat]
    winners = 0
    differences = 0
    for seat in range(players):
        if (games.melded[g][seat] or entered == 0) and scores[seat] == least:
            won[seat] = 1
            winners += 1
        differences += max(0, scores[seat] - least)
    for seat in range(players):
        if won[seat]:
            scores[seat] = differences // winners if book.takes_differences else 0
        else:
            scores[seat] = -max(0, scores[seat] - least)


@inlined
def _learner_turn(g: int, games: Games, book: Book, desk: Desk) -> None:
    """The learner's choices, or the question for its openings."""
    facts = games.facts[g]
    seat = facts[SEAT]
    facts[STATUS] = CHOOSING
    facts[CHOICES] = 1
    if games.melded[g][seat]:
        _find_choices(g, games, book, desk)
    elif _reaches(games.racks[g * book.players + seat], book, desk):
        facts[STATUS] = ASKS_OPENINGS
    facts[MUST] = book.must_play and facts[POOL_AT] == facts[POOL_END]


@native
def run(first: int, last: int, games: Games, book: Book, desk: Desk) -> None:
    """Carries out what is pending, and plays the games `first` to `last - 1` until they stand still."""
    for g in range(first, last):
        facts = games.facts[g]
        if facts[STATUS] == SETTLING:
            _settle(g, games, book)
        while facts[STATUS] == RUNNING:
            if facts[PENDING] >= 0:
                slot = facts[PENDING]
                facts[PENDING] = -1
                _act(g, slot, games, book, desk)
            elif facts[SEAT] == facts[LEARNER]:
                _learner_turn(g, games, book, desk)
            else:
                facts[PENDING] = _bot_turn(g, games, book, desk)
                if facts[PENDING] < 0:
                    facts[STATUS] = ASKS_OPENING
            if facts[STATUS] == ASKS_CHARGES and _find_charges(g, games, book, desk):
                _settle(g, games, book)


# What the learner sees.


@native
def show(first: int, last: int, games: Games, book: Book, desk: Desk, seen: SingleGrid, mask: Grid,
         features: SingleGrid) -> None:  # fmt: skip
    """Writes the observation, the mask and the features of the choices of each game."""
    for g in range(first, last):
        _observe(g, games, book, desk, seen[g])
        _describe(g, games, book, mask[g], features[g])


@part
def _observe(g: int, games: Games, book: Book, desk: Desk, seen: Floats) -> None:
    """The learner's observation, in the order of `meldroom.env.observation`."""
    facts = games.facts[g]
    players = book.players
    me = facts[LEARNER]
    rack = games.racks[g * players + me]
    faces = len(rack)
    for i in range(len(seen)):
        seen[i] = 0
    _count_table(games.table[g], facts[TABLE_END], desk.counts)
    for face in range(faces):
        seen[face] = rack[face]
        seen[3 * faces + face] = desk.counts[face]
        seen[4 * faces + face] = book.limits[face] - rack[face] - desk.counts[face]
    if games.drawn[g][me] >= 0:
        seen[2 * faces + games.drawn[g][me]] = 1
    at = 5 * faces
    count = _sort_sets(games.table[g], facts[TABLE_END], desk)
    for i in range(min(count, book.sets)):
        row = desk.order[i]
        for k in range(desk.size[row]):
            seen[at + i * faces + desk.sets[row][k]] += 1
    at += book.sets * faces
    over = facts[STATUS] == OVER
    for place in range(players):
        seat = (me + place) % players
        seen[at + place] = sum_counts(games.racks[g * players + seat])
        later = at + players + 1 + place
        seen[later] = games.melded[g][seat]
        seen[later + players] = 1 if facts[SEAT] == seat and not over else 0
        seen[later + 2 * players] = 1 if facts[STARTER] == seat else 0
        seen[later + 3 * players] = games.turns[g][seat]
        to_come = 0
        coming = facts[FINAL_NEXT]
        for _ in range(facts[FINAL_LEFT]):
            if coming == seat:
                to_come = 1
            coming = (coming + book.step + players) % players
        seen[later + 4 * players] = to_come
    seen[at + players] = facts[POOL_END] - facts[POOL_AT]
    at += 6 * players + 1
    seen[at] = facts[EXHAUSTED]
    seen[at + 1] = facts[PASSES]
    if not over:
        seen[at + 3] = 1


@part
def _describe(g: int, games: Games, book: Book, mask: Ints, features: Floats) -> None:
    """The mask, and a row of features for each slot it allows."""
    facts = games.facts[g]
    for i in range(len(features)):
        features[i] = 0
    for slot in range(book.slots):
        mask[slot] = 0
    if facts[STATUS] == OVER:
        return
    seat = facts[LEARNER]
    rack = games.racks[g * book.players + seat]
    joker = book.colours * book.numbers
    width = KINDS + AMOUNTS + joker + 1
    size = sum_counts(rack)
    points = 0
    for face in range(joker + 1):
        points += rack[face] * book.values[face]
    for slot in range(facts[CHOICES]):
        if slot == 0 and facts[MUST] and facts[CHOICES] > 1:
            continue
        mask[slot] = 1
        at = slot * width
        tiles = 0
        if slot == 0:
            features[at + WAIT] = 1
        else:
            tiles = games.tiles[g][slot]
            for kind in range(KINDS):
                features[at + kind] = games.kinds[g][slot] >> kind & 1
        row = games.played[g * book.slots + slot]
        worth = 0
        jokers = 0
        for i in range(tiles):
            face = int(row[i])
            worth += book.values[face]
            jokers += 1 if face == joker else 0
            features[at + KINDS + AMOUNTS + face] += 1
        at += KINDS
        features[at] = tiles
        features[at + 1] = worth
        features[at + 2] = jokers
        features[at + 3] = size - tiles
        features[at + 4] = points - worth
        features[at + 5] = rack[joker] - jokers
        features[at + 6] = 1 if tiles > 0 and games.melded[g][seat] == 0 else 0
        features[at + 7] = 1 if size == tiles else 0
        features[at + 8] = tiles / max(1, size)
