"""Pictures for previews: real PNG files of one size, with every tile where the table has room for it."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from meldroom.game.notation.png import HEIGHT, WIDTH, to_png
from meldroom.record import parse_position

RACK = "racks R4 K9 * B11, ?x14"


def drawn(table: str, racks: str = RACK, book: str = "wrc11@1", *, rack: int | None = 0) -> Image.Image:
    """The picture as pixels; the pool takes what is left of the box."""
    known = sum(token not in "|" for token in table.split()) + 18
    position = parse_position(f"{book} / table {table} / {racks} / pool {106 - known} / turn 1 / melded 1")
    return Image.open(io.BytesIO(to_png(position, rack=rack))).convert("RGB")


def ivory(picture: Image.Image) -> int:
    """How much of it is the ivory of tiles."""
    found = {colour: count for count, colour in picture.getcolors(WIDTH * HEIGHT) or []}
    return found.get((0xF7, 0xF1, 0xE1), 0)


def test_a_position_is_a_png_of_the_size_that_previews_have() -> None:
    picture = drawn("R1 R2 R3 | K9 R9 O9")
    assert picture.size == (WIDTH, HEIGHT) == (1200, 630)
    colours = {colour for _, colour in picture.getcolors(WIDTH * HEIGHT) or []}
    assert {(0x20, 0x36, 0x2F), (0xF7, 0xF1, 0xE1), (0x7A, 0x52, 0x34)} <= colours


def test_the_rack_is_drawn_only_when_a_seat_is_given() -> None:
    assert ivory(drawn("R1 R2 R3")) > ivory(drawn("R1 R2 R3", rack=None)) > 0


def test_a_tile_is_told_by_its_number_and_its_colour() -> None:
    pictures = [drawn(table, rack=None).tobytes() for table in ("R1 R2 R3", "R2 R3 R4", "B1 B2 B3")]
    assert len(set(pictures)) == 3


def test_a_full_table_gets_smaller_tiles_and_stays_inside() -> None:
    many = " | ".join(f"{c}{n} {c}{n + 1} {c}{n + 2}" for c in "KRBO" for n in (1, 4, 7, 10))
    picture = drawn(many)
    border = [picture.getpixel((x, y)) for x in (0, WIDTH - 1) for y in range(HEIGHT)]
    assert set(border) == {(0x20, 0x36, 0x2F)}
    assert ivory(picture) > ivory(drawn("R1 R2 R3"))


@pytest.mark.parametrize(
    "text", ["rummyo@1 / melds 1: R10 R11 R12 | 2: K9 R9 O9 (1) / racks ?x14, R4 K9 * / pool 83"]
)
def test_melds_of_rummyo_are_drawn(text: str) -> None:
    assert to_png(parse_position(f"{text} / turn 2 play / melded 1 2")).startswith(b"\x89PNG")


def test_an_empty_table_is_only_cloth() -> None:
    position = parse_position("wrc11@1 / table - / racks ?x14, ?x14 / pool 78 / turn 1")
    assert ivory(Image.open(io.BytesIO(to_png(position))).convert("RGB")) == 0
