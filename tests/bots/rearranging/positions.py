"""Positions by text, as one seat sees them."""

from collections.abc import Sequence

import msgspec

from meldroom.game import Shuffle, View, new_game, view
from meldroom.rules.book import RuleBook
from meldroom.tiles import Face, Tile, parse_set, parse_table


def seen(
    rules: RuleBook,
    table: str,
    rack: str,
    *,
    melded: Sequence[bool] = (True, True),
    sizes: Sequence[int] | None = None,
    pool: int = 40,
    queue: tuple[int, ...] | None = None,
) -> View:
    """What seat 0 sees: this table and rack; the others hold so many tiles, and so many are left to draw."""
    players = len(melded)
    state, _ = new_game(rules, [f"Player {seat}" for seat in range(players)], Shuffle("any"), starter=0)
    free: dict[Face, list[Tile]] = {}
    for tile in rules.tiles.every_tile:
        free.setdefault(rules.tiles.face_of[tile], []).append(tile)
    sets = tuple(tuple(free[face].pop(0) for face in faces) for faces in parse_table(table, rules.tiles))
    mine = tuple(free[face].pop(0) for face in parse_set(rack, rules.tiles)) if rack else ()
    others = tuple(sizes) if sizes is not None else (14,) * (players - 1)
    return msgspec.structs.replace(
        view(state, 0),
        table=sets,
        rack=mine,
        rack_sizes=(len(mine), *others),
        pool_size=pool,
        melded=tuple(melded),
        exhausted=pool == 0,
        queue=queue,
        turns=(5,) * players,
    )
