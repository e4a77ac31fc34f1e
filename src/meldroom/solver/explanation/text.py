"""Movements as sentences, in English and French, from catalogues keyed by the kind of movement."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from meldroom.i18n import Language
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.explanation.movements import (
    BreakUp,
    Build,
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
)
from meldroom.tiles import TileSet


@cache
def words(language: Language) -> dict[str, str]:
    """Every sentence of the solver in one language, by key."""
    source = resources.files("meldroom.i18n") / "locales" / language / "solver.toml"
    sentences: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return sentences


def tile_list(faces: FaceSet, tiles: TileSet, language: Language) -> str:
    """Tiles as people list them: `R4, R5 and the joker`."""
    jokers = sum(face == tiles.joker for face in faces)
    names = [tiles.face_names[face] for face in faces if face != tiles.joker]
    if jokers:
        names.append(plural("joker", jokers, language))
    if len(names) == 1:
        return names[0]
    return words(language)["list"].format(most=", ".join(names[:-1]), last=names[-1])


def plural(key: str, count: int, language: Language) -> str:
    """The sentence for one or for several."""
    return words(language)[f"{key}.one" if count == 1 else f"{key}.many"].format(count=count)


def movement_sentence(movement: Movement, tiles: TileSet, language: Language) -> str:
    """What to do, as one sentence."""
    details: dict[str, str] = {}
    for name in movement.__struct_fields__:
        value = getattr(movement, name)
        if name in ("rack", "hand", "taken", "moved", "jokers"):
            details[name] = tile_list(value, tiles, language) if value else ""
        elif isinstance(value, tuple):
            details[name] = tiles.faces_text(value)
        elif name == "face":
            details[name] = tiles.face_names[value]
    return words(language)[_key(movement, tiles)].format(**details)


def table_line(table: FaceTable, loose: FaceSet, tiles: TileSet, language: Language) -> str:
    """A whole table on one line, and the tiles in hand."""
    line = " | ".join(tiles.faces_text(faces) for faces in table) or "-"
    if not loose:
        return line
    return words(language)["table.loose"].format(table=line, loose=tiles.faces_text(loose))


def _key(movement: Movement, tiles: TileSet) -> str:
    """Which sentence of the catalogue says it."""
    match movement:
        case Lay(shape=shape):
            return f"lay.{shape}"
        case Build(shape=shape, rack=rack):
            return f"build.{shape}.both" if rack else f"build.{shape}.hand"
        case Extend(rack=rack, hand=hand):
            return f"extend.{_from(rack, hand)}"
        case TakeFrom():
            return _take_key(movement, tiles)
        case LiftJoker(jokers=jokers):
            return "lift.one" if len(jokers) == 1 else "lift.many"
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
