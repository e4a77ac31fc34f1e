"""Movements as sentences: a message of the catalogue for each kind."""

from __future__ import annotations

from meldroom.i18n import Language, Message, TilePart, Value, message
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.explanation.movements import (
    BreakUp,
    Build,
    DiscardTile,
    Exchange,
    Extend,
    Join,
    Lay,
    LiftJoker,
    Movement,
    MoveTiles,
    Split,
    SwapJoker,
    TakeFrom,
    TakeTile,
)
from meldroom.tiles import TileSet


def tile_part(faces: FaceSet, tiles: TileSet) -> TilePart:
    """A set as a value of a message."""
    return TilePart(tuple(tiles.face_names[face] for face in faces))


def tile_list(faces: FaceSet, tiles: TileSet) -> tuple[str | TilePart | Message, ...]:
    """Tiles as a value of a message: `R4, R5 and the joker`."""
    names: list[str | TilePart | Message] = [
        tile_part((face,), tiles) for face in faces if face != tiles.joker
    ]
    jokers = len(faces) - len(names)
    if jokers:
        names.append(Message("solver.joker", {"count": jokers}))
    return tuple(names)


def movement_message(movement: Movement, tiles: TileSet) -> Message:
    """What to do, as one sentence."""
    values: dict[str, Value] = {}
    for name in movement.__struct_fields__:
        value = getattr(movement, name)
        if name in ("rack", "hand", "taken", "moved", "beside"):
            values[name] = tile_list(value, tiles)
        elif name == "jokers":
            values["count"] = len(value)
        elif name == "tile" and value is not None:
            values[name] = tile_list((value,), tiles)
        elif name == "plays":
            values["count"] = value
        elif name in ("points", "bonus"):
            values[name] = Message("solver.points", {"count": value})
        elif isinstance(value, tuple):
            values[name] = tile_part(value, tiles)
        elif name == "face":
            values[name] = tile_part((value,), tiles)
    return Message(f"solver.movement.{_key(movement, tiles)}", values)


def table_line(table: FaceTable, loose: FaceSet, tiles: TileSet, language: Language) -> str:
    """A whole table on one line, and the tiles in hand."""
    line = " | ".join(tiles.faces_text(faces) for faces in table) or "-"
    if not loose:
        return line
    return message("solver.movement.table", language, table=line, loose=tiles.faces_text(loose))


def _key(movement: Movement, tiles: TileSet) -> str:
    """The message of a movement."""
    match movement:
        case Lay(shape=shape):
            return f"lay.{shape}"
        case Build(shape=shape, rack=rack):
            return f"build.{shape}.both" if rack else f"build.{shape}.hand"
        case Extend(rack=rack, hand=hand):
            return f"extend.{_from(rack, hand)}"
        case TakeFrom():
            return _take_key(movement, tiles)
        case LiftJoker():
            return "lift"
        case SwapJoker(rack=rack, hand=hand):
            return f"swap.{_from(rack, hand)}"
        case Split(taken=taken, rack=rack, hand=hand):
            return "split.taken" if taken else f"split.{_from(rack, hand)}"
        case Join(rack=rack, hand=hand):
            return f"join.{_from(rack, hand)}"
        case MoveTiles():
            return "move"
        case BreakUp():
            return "break"
        case Exchange():
            return "exchange"
        case TakeTile(source="discard", plays=0, beside=beside):
            return "take_tile.beside" if beside else "take_tile.chances"
        case TakeTile(source=source, tile=tile):
            return "take_tile.leave" if source == "stock" and tile is not None else f"take_tile.{source}"
        case DiscardTile(reason=reason, fits=fits):
            return "discard.fits" if reason == "cost" and fits else f"discard.{reason}"


def _from(rack: FaceSet, hand: FaceSet) -> str:
    if rack and hand:
        return "both"
    return "rack" if rack else "hand" if hand else "plain"


def _take_key(movement: TakeFrom, tiles: TileSet) -> str:
    source, taken, rest = movement.source, movement.taken, movement.rest
    if movement.shape == "group":
        return "take.fourth" if len(source) == 4 and len(taken) == 1 else "take.group"
    if source[-len(rest) :] == rest or source[: len(rest)] == rest:
        return "take.end"
    middle = len(rest) <= len(source) - 2 and any(
        source[at : at + len(rest)] == rest for at in range(1, len(source) - len(rest))
    )
    return "take.ends" if middle else "take.run"
