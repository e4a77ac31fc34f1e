"""Who can open, and what bots do in their turns."""

from __future__ import annotations

from ..arrays import Ints, OctetRoom, inlined, part
from .games import (
    BEGINNER,
    FIRST,
    FOUND,
    LAST,
    PATIENT,
    POINT_BITS,
    POOL_AT,
    POOL_END,
    SEAT,
    TABLE_END,
    TILE_BITS,
    Book,
    Desk,
    Games,
)
from .living import count_living, count_table, list_faces, lives
from .solutions import solve, tiles_played, write_after


@inlined
def reaches(rack: Ints, book: Book, desk: Desk) -> bool:
    """False if the rack cannot open; exact without jokers, which count as the highest number here."""
    numbers = book.numbers
    joker = book.colours * numbers
    worth = rack[joker] * numbers
    for face in range(joker):
        if rack[face] > 0 and lives(face, rack, book):
            worth += rack[face] * (face % numbers + 1)
    if worth < book.opening:
        return False
    size = list_faces(rack, desk.held)
    floor = (book.opening << POINT_BITS) - 1
    return solve(desk.none, 0, size, book.most_value, floor, False, desk) > floor


@part
def _answer(g: int, kept: OctetRoom, kept_end: int, old: OctetRoom, old_end: int, games: Games, book: Book,
            desk: Desk) -> int:  # fmt: skip
    """The last solution as the play of a bot: slot 1."""
    row = games.played[g * book.slots + 1]
    size = tiles_played(desk)
    for i in range(size):
        row[i] = desk.answer[desk.answer[FIRST] + FOUND + i]
    games.tiles[g][1] = size
    after = games.after[g * book.slots + 1]
    games.ends[g][1] = write_after(kept, kept_end, old, old_end, after, book, desk)
    return 1


@inlined
def _bot_opens(g: int, weights: Ints, games: Games, book: Book, desk: Desk) -> int:
    """The slot of the opening a bot makes, 0 for none, -1 if somebody else must find it."""
    facts = games.facts[g]
    rack = games.racks[g * book.players + facts[SEAT]]
    if not reaches(rack, book, desk):
        return 0
    if rack[book.colours * book.numbers] > 0:
        return -1
    size = list_faces(rack, desk.held)
    solve(desk.none, 0, size, weights, 0, True, desk)
    worth = 0
    for i in range(desk.answer[FIRST] + FOUND, desk.answer[LAST] + FOUND):
        worth += desk.answer[i] % book.numbers + 1
    if worth < book.opening:
        return -1
    table, end = games.table[g], facts[TABLE_END]
    return _answer(g, table, end, desk.none, 0, games, book, desk)


@inlined
def bot_turn(g: int, games: Games, book: Book, desk: Desk) -> int:
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
        if count_living(rack, rack, book) == 0:
            return 0
        size = list_faces(rack, desk.held)
        if solve(desk.none, 0, size, weights, 0, True, desk) <= 0:
            return 0
        return _answer(g, table, end, desk.none, 0, games, book, desk)
    count_table(table, end, desk.counts)
    for face in range(len(rack)):
        desk.total[face] = desk.counts[face] + rack[face]
    living = count_living(rack, desk.total, book)
    size = list_faces(rack, desk.held)
    if living == 0:
        return 0
    if level == PATIENT and not last:
        if living < size:
            return 0
        floor = (size << TILE_BITS) - 1
        if solve(games.table[g], end, size, weights, floor, False, desk) <= floor:
            return 0
    if solve(games.table[g], end, size, weights, 0, True, desk) <= 0:
        return 0
    return _answer(g, desk.none, 0, table, end, games, book, desk)
