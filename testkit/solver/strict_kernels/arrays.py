"""What the kernels are made of here: lists and bytes without places before the first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from meldroom.solver.kernel.interpreted.arrays import (
    FloatGrid,
    Floats,
    Grid,
    Ints,
    OctetGrid,
    OctetRoom,
    Octets,
    SingleGrid,
    Words,
    inlined,
    listed,
    native,
    native_with_arrays,
    octets,
    part,
    part_with_arrays,
    read_only,
    signed,
    word,
)

__all__ = [
    "FloatGrid",
    "Floats",
    "Grid",
    "Ints",
    "OctetGrid",
    "OctetRoom",
    "Octets",
    "SingleGrid",
    "Words",
    "float_grid",
    "floats",
    "grid",
    "inlined",
    "ints",
    "listed",
    "native",
    "native_with_arrays",
    "octet_grid",
    "octet_room",
    "octets",
    "part",
    "part_with_arrays",
    "read_only",
    "signed",
    "single_grid",
    "word",
    "words",
    "zeros",
]


class Row(list[Any]):
    """A list that is not read or written from its end."""

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(_checked(place))
        return Row(found) if isinstance(place, slice) else found

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(_checked(place), value)


class Bytes(bytearray):
    """Bytes that are not read or written from their end."""

    def __getitem__(self, place: Any) -> Any:
        return super().__getitem__(_checked(place))

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(_checked(place), value)


def _checked(place: Any) -> Any:
    """An index or a slice; raises IndexError if it counts from the end."""
    for at in (place.start, place.stop) if isinstance(place, slice) else (place,):
        if at is not None and at < 0:
            raise IndexError(f"{at} counts from the end")
    return place


def ints(values: Iterable[int]) -> Ints:
    """An array of whole numbers."""
    return Row(values)


def zeros(count: int) -> Ints:
    """An array of so many zeros."""
    return Row([0] * count)


words = zeros


def floats(count: int) -> Floats:
    """An array of so many zeros, for fractions."""
    return Row([0.0] * count)


def grid(rows: int, columns: int) -> Grid:
    """Rows of zeros."""
    return Row(zeros(columns) for _ in range(rows))


def float_grid(rows: int, columns: int) -> FloatGrid:
    """Rows of zeros, for fractions."""
    return Row(floats(columns) for _ in range(rows))


single_grid = float_grid


def octet_room(count: int) -> OctetRoom:
    """Room for so many bytes."""
    return Bytes(count)


def octet_grid(rows: int, columns: int) -> OctetGrid:
    """Rows of bytes."""
    return Row(Bytes(columns) for _ in range(rows))
