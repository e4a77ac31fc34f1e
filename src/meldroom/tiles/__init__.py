"""Tile sets, tiles, sets, tables and racks as plain values; how they are read and printed.

A *face* is what is printed on a tile (colour and number, or a joker), a *tile* is one physical piece:
two R7s are two tiles with one face. Both are small integers that only a `TileSet` can interpret.
"""

from meldroom.tiles.text import TileTextError, parse_marked, parse_set, parse_table, parse_tile
from meldroom.tiles.tileset import HIDDEN, Colour, Face, Tile, TileSet, TileSetError

__all__ = [
    "HIDDEN",
    "Colour",
    "Face",
    "Tile",
    "TileSet",
    "TileSetError",
    "TileTextError",
    "parse_marked",
    "parse_set",
    "parse_table",
    "parse_tile",
]
