"""A play as a person makes it: the movements that lead from the table before to the table after, in order.

>>> from meldroom.rules.library import book
>>> from meldroom.tiles import parse_set, parse_table
>>> tml = book("tml")
>>> before, after = (parse_table(text, tml.tiles) for text in ("B5 R5 K5 O5", "R5 K5 O5 | B4 B5 B6"))
>>> print(explain(tml, before, parse_set("B4 B6 K9", tml.tiles), after).text())
1. Take the fourth tile, B5, from the group [B5 R5 K5 O5]; [R5 K5 O5] stays.
2. Build the run [B4 B5 B6] with B5 in hand plus B4 and B6 from your rack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from meldroom.i18n import Language, Message, Parts, joined, message
from meldroom.rules.book import RuleBook
from meldroom.rules.sets import SetReader
from meldroom.rules.verify import FaceSet, FaceTable, movements
from meldroom.solver.errors import PositionError
from meldroom.solver.explanation import movements as hands
from meldroom.solver.explanation.movements import Movement, apply_movement
from meldroom.solver.explanation.plan import best_line
from meldroom.solver.explanation.search import Budget
from meldroom.solver.explanation.text import movement_message, table_line
from meldroom.solver.explanation.write import Writer
from meldroom.tiles import Face, TileSet

__all__ = ["Effort", "Explanation", "Step", "explain"]


class Step(msgspec.Struct, frozen=True):
    """One movement and the whole table after it: legal sets, and the tiles then in hand."""

    movement: Movement
    table: FaceTable
    loose: FaceSet

    def messages(self, tiles: TileSet) -> tuple[Message, ...]:
        """What to do, a sentence each."""
        return (movement_message(self.movement, tiles),)

    def as_json(self, tiles: TileSet) -> dict[str, Any]:
        """What lies where after the movement, tiles as text."""
        names = tiles.face_names
        return {
            "table": [[names[face] for face in faces] for faces in self.table],
            "loose": [names[face] for face in self.loose],
        }


class Effort(msgspec.Struct, frozen=True):
    """How hard a play is: its movements, the table's sets it changes, the most tiles in hand at once.

    `shortest` is true if no shorter list of movements exists in which each parts tiles that go to different
    sets or brings together tiles that go to the same one.
    """

    movements: int
    sets_touched: int
    most_loose: int
    shortest: bool


class Explanation(msgspec.Struct, frozen=True):
    """A play step by step: `played` are the tiles from the rack, `touched` the old sets that take part."""

    tiles: TileSet
    before: FaceTable
    played: FaceSet
    touched: FaceTable
    steps: tuple[Step, ...]
    effort: Effort

    def lines(self, language: Language = "en") -> tuple[str, ...]:
        """What to do in each step, and what comes of it."""
        return tuple(
            " ".join(each.text(language) for each in step.messages(self.tiles)) for step in self.steps
        )

    def parts(self, language: Language = "en") -> tuple[Parts, ...]:
        """The same lines, their tiles apart from their words."""
        return tuple(
            joined(each.parts(language) for each in step.messages(self.tiles)) for step in self.steps
        )

    def text(self, language: Language = "en", tables: bool = False) -> str:
        """Numbered lines a person can follow; with `tables` the whole table after each that changes it."""
        if not self.steps:
            return message("solver.movement.nothing", language)
        lines = []
        shown = table_line(self.before, (), self.tiles, language)
        for number, (step, line) in enumerate(zip(self.steps, self.lines(language), strict=True), 1):
            lines.append(f"{number}. {line}")
            table = table_line(step.table, step.loose, self.tiles, language)
            if tables and table != shown:
                lines.append(f"   {table}")
            shown = table
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def as_json(self, language: Language = "en") -> dict[str, Any]:
        """The public shape of an explanation, tiles as text."""
        return {
            "steps": [
                {"kind": type(step.movement).__struct_config__.tag, "sentence": line}
                | step.as_json(self.tiles)
                for step, line in zip(self.steps, self.lines(language), strict=True)
            ],
            "effort": msgspec.to_builtins(self.effort),
        }


def explain(
    book: RuleBook,
    before: Sequence[FaceSet],
    rack: Sequence[Face],
    after: Sequence[FaceSet],
    budget: Budget | None = None,
) -> Explanation:
    """The movements from one table to another, as few as can be found. Sets that stay are not mentioned.

    Only the table after is judged by a book (R15); every step on the way has legal sets and tiles in hand.
    Only if the joker rule (R20) needs a tile of a set that stays, in exchange for an equal one, that is said.
    Raises PositionError if the play is impossible: illegal sets, tiles that vanish or are not on the rack.
    """
    given, aim = tuple(map(tuple, before)), tuple(map(tuple, after))
    played = _check(book, given, tuple(rack), aim)
    table = _orderly(book.reader, given, aim)
    old, new = _beyond(table, aim), _beyond(_orderly(book.reader, aim, given), given)
    found = best_line(book, old, new, _beyond(table, old), budget or Budget())
    helpers = dict.fromkeys(faces for _, *pair in found.exchanged for faces in pair if faces not in old)
    line: list[Movement] = [hands.Exchange(*each) for each in found.exchanged]
    for link, plan in sorted(found.plans, key=lambda each: (len(each[1].acts), each[0].old)):
        writer = Writer(book.reader, link, old, new)
        line += [writer.movement(act) for act in plan.acts]
    steps: list[Step] = []
    placed = hands.Placed(table, (), tuple(rack))
    for movement in line:
        placed = apply_movement(*placed, movement)
        steps.append(Step(movement, placed.table, placed.loose))
    most = max((len(step.loose) for step in steps), default=0)
    touched = (*old, *helpers)
    effort = Effort(len(steps), len(touched), most, found.shortest)
    return Explanation(book.tiles, table, played, touched, tuple(steps), effort)


def _check(book: RuleBook, before: FaceTable, rack: FaceSet, after: FaceTable) -> FaceSet:
    """The tiles played. Raises PositionError."""
    text = book.tiles.faces_text
    for name, table in (("before", before), ("after", after)):
        for index, faces in enumerate(table):
            if not book.reader.is_set(faces):
                raise PositionError("set", f"{name}[{index}]", faces=text(faces))
    missing, played, foreign = movements(book, before, rack, after)
    if missing:
        raise PositionError("missing", "after", faces=text(missing))
    if foreign:
        raise PositionError("foreign", "after", faces=text(foreign))
    return tuple(played)


def _beyond(table: FaceTable, other: FaceTable) -> FaceTable:
    """The sets of a table that are not simply the same set in another."""
    standing = Counter(tuple(sorted(faces)) for faces in other)
    changed = []
    for faces in table:
        key = tuple(sorted(faces))
        if standing[key]:
            standing[key] -= 1
        else:
            changed.append(faces)
    return tuple(changed)


def _orderly(reader: SetReader, table: FaceTable, other: FaceTable) -> FaceTable:
    """A table with the sets that are not in another written in order."""
    changed = set(_beyond(table, other))
    return tuple([_in_order(reader, faces) if faces in changed else faces for faces in table])


def _in_order(reader: SetReader, faces: FaceSet) -> FaceSet:
    """A set as given if its order makes sense, else in its highest reading."""
    readings = reader.readings(faces)
    if any(not reading.is_run or reader.faces_of(reading, faces) is not None for reading in readings):
        return faces
    return reader.arranged(readings[-1], faces)
