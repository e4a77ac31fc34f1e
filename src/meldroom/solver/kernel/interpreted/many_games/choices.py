"""What a learner that has opened can choose from."""

from __future__ import annotations

from ..arrays import Ints, inlined, part
from ..best_play import SET_END
from ..counts import copy_counts, sum_counts
from .beside import read_shapes, simply
from .games import (
    CHOICES,
    DEAD,
    FIRST,
    FITS,
    FOUND,
    FROM_RACK,
    GOES_OUT,
    HELD,
    HOLD,
    KEEP_JOKERS,
    LAST,
    LATER,
    MINIMAL,
    MOST_HELD,
    MOST_POINTS,
    MOST_TILES,
    ONE_SET,
    SEAT,
    SINGLE,
    TABLE_END,
    UNKNOWN,
    Book,
    Desk,
    Games,
)
from .living import count_living, count_table, list_faces, lives
from .new_sets import find_sets, forms_set
from .solutions import solve, tiles_played, write_after
from .sorting import cheapest_first, sorted_table


@part
def _known(g: int, kind: int, games: Games, book: Book, desk: Desk) -> int:
    """The slot of a choice with the tiles in `chosen`, which gets one kind more; a new slot, or -1 if full.

    A new slot has its tiles and kinds, and still needs its table.
    """
    facts = games.facts[g]
    size = list_faces(desk.chosen, desk.part)
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
        games.ends[g][slot] = write_after(desk.none, 0, table, end, row, book, desk)


@inlined
def _best_without(g: int, kind: int, face: int, rack: Ints, games: Games, book: Book, desk: Desk) -> None:
    """The largest play without one face as a choice, if there is one."""
    left = rack[face]
    rack[face] = 0
    desk.total[face] -= left
    living = count_living(rack, desk.total, book)
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
            size = list_faces(rack, desk.held)
            end = games.facts[g][TABLE_END]
            if solve(games.table[g], end, size, book.most_tiles, 0, True, desk) > 0:
                _offer(g, kind, games, book, desk)
    rack[face] = left
    desk.total[face] += left


@part
def _all_live(tiles: Ints, total: Ints, book: Book) -> bool:
    alive = True
    for face in range(len(tiles)):
        alive = alive and (tiles[face] == 0 or lives(face, total, book))
    return alive


@inlined
def _exactly(g: int, tiles: Ints, games: Games, book: Book, desk: Desk) -> bool:
    """True if exactly these tiles can be laid. Needs the table's counts and shapes."""
    size = list_faces(tiles, desk.held)
    if simply(tiles, size, book, desk):
        return True
    whole = 0
    for face in range(len(tiles)):
        desk.total[face] = desk.counts[face] + tiles[face]
        whole += tiles[face] * book.most_tiles[_place(face, book)]
    if not _all_live(tiles, desk.total, book):
        return False
    end = games.facts[g][TABLE_END]
    return solve(games.table[g], end, size, book.most_tiles, whole - 1, False, desk) >= whole


@part
def _place(face: int, book: Book) -> int:
    """The place of a face among weights."""
    return face % book.numbers if face < book.colours * book.numbers else book.numbers


@inlined
def _minimal(g: int, games: Games, book: Book, desk: Desk) -> None:
    """The largest play without every tile that can be left out, the cheapest first, as a choice."""
    count = 0
    for face in range(len(desk.largest)):
        if desk.largest[face] > 0:
            desk.faces[count] = face
            count += 1
    cheapest_first(desk.faces, count, book)
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


@inlined
def _from_rack(g: int, rack: Ints, games: Games, book: Book, desk: Desk) -> None:
    """The largest play that leaves the table alone."""
    if count_living(rack, rack, book) == 0:
        return
    size = list_faces(rack, desk.held)
    if solve(desk.none, 0, size, book.most_tiles, 0, True, desk) <= 0:
        return
    _choose_played(desk)
    slot = _known(g, FROM_RACK, games, book, desk)
    if slot >= 0:
        end = games.facts[g][TABLE_END]
        sorted_table(games.table[g], end, desk.base, desk)
        row = games.after[g * book.slots + slot]
        games.ends[g][slot] = write_after(desk.base, end, desk.none, 0, row, book, desk)


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
    cheapest_first(desk.faces, count, book)
    for i in range(min(count, MOST_HELD)):
        _best_without(g, HOLD, desk.faces[i], rack, games, book, desk)


@part
def _choose_single(face: int, desk: Desk) -> None:
    """Puts one tile into `chosen`."""
    for other in range(len(desk.chosen)):
        desk.chosen[other] = 0
    desk.chosen[face] = 1


@inlined
def _singles(g: int, rack: Ints, games: Games, book: Book, desk: Desk) -> None:
    """Single tiles, the dearest first; what is known of this table is not tried again."""
    for face in range(len(rack)):
        if rack[face] > 0 and games.single[g][face] == UNKNOWN:
            _choose_single(face, desk)
            lies = _exactly(g, desk.chosen, games, book, desk)
            games.single[g][face] = FITS if lies else DEAD
    count = 0
    for face in range(len(rack)):
        if rack[face] > 0 and games.single[g][face] == FITS:
            desk.faces[count] = face
            count += 1
    cheapest_first(desk.faces, count, book)
    for i in range(count - 1, -1, -1):
        _choose_single(desk.faces[i], desk)
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
        if forms_set(desk.chosen, book):
            games.kinds[g][slot] |= 1 << ONE_SET
    if facts[CHOICES] >= book.slots:
        return
    count = find_sets(rack, book, desk)
    if count == 0:
        return
    end = facts[TABLE_END]
    sorted_table(games.table[g], end, desk.base, desk)
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


@inlined
def find_choices(g: int, games: Games, book: Book, desk: Desk) -> None:
    """The choices of a learner that has opened: slot 0 is to wait, then the plays worth comparing."""
    facts = games.facts[g]
    rack = games.racks[g * book.players + facts[SEAT]]
    table, end = games.table[g], facts[TABLE_END]
    joker = book.colours * book.numbers
    facts[CHOICES] = 1
    facts[HELD] = sum_counts(rack)
    count_table(table, end, desk.counts)
    for face in range(len(rack)):
        desk.total[face] = desk.counts[face] + rack[face]
    living = count_living(rack, desk.total, book)
    if living == 0:
        return
    size = list_faces(rack, desk.held)
    if solve(games.table[g], end, size, book.most_tiles, 0, True, desk) <= 0:
        return
    laid = tiles_played(desk)
    _offer(g, MOST_TILES, games, book, desk)
    copy_counts(desk.chosen, desk.largest)
    if laid == living:
        games.kinds[g][1] |= 1 << MOST_POINTS
    else:
        solve(games.table[g], end, size, book.most_points, 0, True, desk)
        _offer(g, MOST_POINTS, games, book, desk)
    if rack[joker] > 0:
        _best_without(g, KEEP_JOKERS, joker, rack, games, book, desk)
    _from_rack(g, rack, games, book, desk)
    read_shapes(table, end, book, desk)
    _minimal(g, games, book, desk)
    _holds(g, rack, games, book, desk)
    _singles(g, rack, games, book, desk)
    _one_sets(g, rack, games, book, desk)
