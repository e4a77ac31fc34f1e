"""A ladder of hints: that something can be played, which rack tile, which sets take part, the whole line.

Each rung is a value of its own and holds nothing that belongs to a higher one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from meldroom.i18n import Language, Message
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable, Turn, verify
from meldroom.solver.best import Solution
from meldroom.solver.errors import PositionError
from meldroom.solver.explanation import Explanation, explain
from meldroom.solver.explanation.movements import (
    BreakUp,
    DiscardTile,
    Exchange,
    Lay,
    LiftJoker,
    Movement,
    MoveTiles,
    TakeFrom,
    TakeTile,
)
from meldroom.solver.explanation.text import tile_list, tile_part
from meldroom.tiles import Face, TileSet

Amount = Literal["one", "few", "many", "all"]
MOST_IS_FEW = 4


class Nothing(msgspec.Struct, frozen=True, tag_field="kind", tag="nothing"):
    """No play is known: there is none (`proven`), or none was found in time.

    `opening` is what a first meld must count, 0 for a player who has melded; `run` if it must hold a run.
    """

    proven: bool
    opening: int = 0
    run: bool = False


class Playable(msgspec.Struct, frozen=True, tag_field="kind", tag="playable"):
    """Something can be played, and roughly how much. `opening` is what the first meld must count, or 0."""

    amount: Amount
    opening: int = 0


class RackTile(msgspec.Struct, frozen=True, tag_field="kind", tag="tile"):
    """A tile on the rack that is played."""

    tile: Face


class TableSets(msgspec.Struct, frozen=True, tag_field="kind", tag="sets"):
    """The table's sets that take part; none if the tiles from the rack form sets of their own."""

    sets: FaceTable


class WholeLine(msgspec.Struct, frozen=True, tag_field="kind", tag="line"):
    """Every movement."""

    explanation: Explanation


Rung: TypeAlias = Nothing | Playable | RackTile | TableSets | WholeLine


class Ladder(msgspec.Struct, frozen=True):
    """The rungs in order: four of them, or one that says that there is nothing to play."""

    tiles: TileSet
    rungs: tuple[Rung, ...]

    @property
    def playable(self) -> bool:
        """True if there is something to play."""
        return len(self.rungs) > 1

    def text(self, number: int, language: Language = "en") -> str:
        """What the rung of this number, counted from 1, says. Raises IndexError if there is none."""
        return rung_text(self._rung(number), self.tiles, language)

    def as_json(self, number: int, language: Language = "en") -> dict[str, Any]:
        """The public shape of one rung, tiles as text. Raises IndexError if there is none."""
        rung = self._rung(number)
        shape: dict[str, Any] = {"rung": number, "of": len(self.rungs), "kind": rung.__struct_config__.tag}
        names = self.tiles.face_names
        match rung:
            case RackTile(tile=tile):
                shape["tile"] = names[tile]
            case TableSets(sets=sets):
                shape["sets"] = [[names[face] for face in faces] for faces in sets]
            case WholeLine(explanation=explanation):
                shape.update(explanation.as_json(language))
            case Nothing() | Playable():
                shape.update(msgspec.structs.asdict(rung))
        return {**shape, "sentence": self.text(number, language)}

    def _rung(self, number: int) -> Rung:
        if not 1 <= number <= len(self.rungs):
            raise IndexError(f"there is no rung {number}, only 1 to {len(self.rungs)}")
        return self.rungs[number - 1]


def hint(
    book: RuleBook, before: Sequence[FaceSet], rack: Sequence[Face], melded: bool, solution: Solution
) -> Ladder:
    """The ladder for a solved position.

    Raises PositionError if the solution is no legal play of this position.
    """
    needed = 0 if melded else book.opening.points
    if not solution.played:
        run = not melded and book.opening.run_required
        return Ladder(book.tiles, (Nothing(solution.optimal, needed, run),))
    _check(book, Turn(tuple(map(tuple, before)), tuple(rack), solution.table, melded))
    line = explain(book, before, rack, solution.table)
    return Ladder(
        book.tiles,
        (
            Playable(_amount(len(line.played), len(rack)), needed),
            RackTile(_first_tile(line, book.tiles.joker)),
            TableSets(line.touched),
            WholeLine(line),
        ),
    )


def _check(book: RuleBook, turn: Turn) -> None:
    """Raises PositionError if a play is not legal; Rummy-O's turns are judged with their discard."""
    faults = verify(book, turn) if book.family == "rearranging" else ()
    if faults:
        raise PositionError("solution", "solution", reason=faults[0].message())


def _amount(played: int, held: int) -> Amount:
    if played == held:
        return "all"
    if played == 1:
        return "one"
    return "few" if played <= MOST_IS_FEW else "many"


def _first_tile(line: Explanation, joker: Face) -> Face:
    """The first tile from the rack in a line, a numbered one if there is one in that movement."""
    given = next(tiles for step in line.steps if (tiles := _from_rack(step.movement)))
    return next((face for face in given if face != joker), joker)


def _from_rack(movement: Movement) -> FaceSet:
    match movement:
        case Lay(result=result):
            return result
        case TakeFrom() | LiftJoker() | MoveTiles() | BreakUp() | Exchange() | TakeTile() | DiscardTile():
            return ()
        case _:
            return movement.rack


def rung_lines(rung: Rung, tiles: TileSet) -> tuple[tuple[Message, ...], ...]:
    """A rung as people read it, line by line; the last one has a line for each movement."""
    match rung:
        case Nothing(proven=proven, opening=opening, run=run):
            kind = "opening_run" if run else "opening" if opening else "play"
            return ((_needed(f"{'none' if proven else 'unknown'}.{kind}", opening),),)
        case Playable(amount=amount, opening=opening):
            return ((_needed(f"{'opening' if opening else 'playable'}.{amount}", opening),),)
        case RackTile(tile=tile):
            return ((Message("solver.hint.tile", {"tile": tile_list((tile,), tiles)}),),)
        case TableSets(sets=()):
            return ((Message("solver.hint.own_sets"),),)
        case TableSets(sets=sets):
            listed = tuple(Message("solver.hint.set", {"tiles": tile_part(faces, tiles)}) for faces in sets)
            return ((Message("solver.hint.sets", {"count": len(sets), "sets": listed}),),)
        case WholeLine(explanation=explanation):
            return tuple(step.messages(tiles) for step in explanation.steps)


def rung_text(rung: Rung, tiles: TileSet, language: Language) -> str:
    """The same as text; the movements of the last rung are numbered."""
    if isinstance(rung, WholeLine):
        return rung.explanation.text(language)
    return " ".join(each.text(language) for line in rung_lines(rung, tiles) for each in line)


def _needed(key: str, points: int) -> Message:
    return Message(f"solver.hint.{key}", {"needed": Message("solver.points", {"count": points})})
