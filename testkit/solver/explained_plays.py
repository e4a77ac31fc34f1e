"""Plays of random games to explain, and what can be wrong with an explanation that is replayed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import msgspec

from meldroom.game import Lay, Shuffle, apply, legal, new_game
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver import MovementError, solve_faces
from meldroom.solver.explanation import Explanation, Placed, apply_movement

BOOKS = tuple(id for id in BOOK_IDS if book(id).family == "rearranging")
NAMES = ("Ada", "Bo", "Chi", "Dee")


class Play(msgspec.Struct, frozen=True):
    """A play to explain, and where it comes from."""

    book: str
    source: str
    before: FaceTable
    rack: FaceSet
    after: FaceTable
    melded: bool


def game_plays(of: RuleBook, players: int, number: int) -> Iterator[Play]:
    """Every lay of one random legal game."""
    name = f"explained game {of.id} {players} {number}"
    chance = random.Random(name)
    shuffle = Shuffle(name, NAMES[:players])
    state, _ = new_game(of, NAMES[:players], shuffle)
    while not state.over:
        action = legal(state).sample(chance)
        if isinstance(action, Lay):
            rack = state.faces(state.racks[state.seat])
            after = state.face_table(action.table)
            yield Play(of.id, "game", state.face_table(), rack, after, state.melded[state.seat])
        state, _ = apply(state, action, shuffle)


def random_plays(first: int = 0) -> Iterator[Play]:
    """Plays of random games without end, every book and table size in turn."""
    number = first
    while True:
        of = book(BOOKS[number % len(BOOKS)])
        yield from game_plays(of, 2 + number // len(BOOKS) % 3, number)
        number += 1


def solved(play: Play, neat: bool) -> Play:
    """The solver's play from the same position."""
    found = solve_faces(book(play.book), play.before, play.rack, play.melded, neat=neat)
    return msgspec.structs.replace(play, source="neat" if neat else "plain", after=found.table)


def faults(play: Play, told: Explanation) -> list[str]:
    """What is wrong with an explanation, replayed movement by movement; empty if nothing is."""
    of = book(play.book)
    found: list[str] = []
    placed = Placed(told.before, (), play.rack)
    changed = _sets(play.before) - _sets(play.after)
    if _sets(told.touched) != changed and of.jokers.reuse != "new_set":
        found.append("mentions a set that stays, or not one that changes")
    stay = _sets(play.before) - _sets(told.touched)
    if _sets(told.before) != _sets(play.before):
        found.append("does not begin with the table before")
    tiles = _tiles(*placed)
    for number, step in enumerate(told.steps, 1):
        try:
            placed = apply_movement(*placed, step.movement)
        except MovementError as error:
            return [*found, f"step {number} cannot be made: {error}"]
        if (_sets(placed.table), Counter(placed.loose)) != (_sets(step.table), Counter(step.loose)):
            found.append(f"step {number} does not lead to the table it shows")
        if not all(of.reader.is_set(faces) for faces in placed.table):
            found.append(f"step {number} leaves a set that is none")
        if _tiles(*placed) != tiles:
            found.append(f"step {number} loses or adds a tile")
        if not stay <= _sets(placed.table):
            found.append(f"step {number} touches a set that stays")
    if _sets(placed.table) != _sets(play.after):
        found.append("does not end with the table after")
    if placed.loose:
        found.append("ends with tiles in hand")
    if Counter(placed.rack) + Counter(told.played) != Counter(play.rack):
        found.append("does not use exactly the tiles played")
    return found


def _sets(table: FaceTable) -> Counter[FaceSet]:
    return Counter(tuple(sorted(faces)) for faces in table)


def _tiles(table: FaceTable, loose: FaceSet, rack: FaceSet) -> Counter[int]:
    return Counter(face for faces in (*table, loose, rack) for face in faces)
